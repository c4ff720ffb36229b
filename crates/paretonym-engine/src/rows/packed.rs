//! Several small codes as one number: most tables have few values per column, and a number is hashed and compared in
//! a fraction of the time that a list takes.

/// The codes in one number; none where one of them is too large for its share of the bits. Whether a tuple can be packed
/// depends on its codes alone, so that equal tuples go the same way.
pub(crate) fn pack(codes: &[u32]) -> Option<u64> {
    let bits = (64 / codes.len().max(1)).min(32) as u32;
    let mut key = 0u64;
    let mut excess = 0u64;
    for &code in codes {
        excess |= u64::from(code) >> bits;
        key = key << bits | u64::from(code);
    }
    (excess == 0 && bits > 0).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::pack;

    #[test]
    fn distinct_tuples_have_distinct_keys_or_none() {
        assert_eq!(pack(&[1, 2]), Some(1 << 32 | 2));
        assert_eq!(pack(&[u32::MAX, u32::MAX]), Some(u64::MAX));
        assert_eq!(pack(&[u32::MAX, 0, 0]), None);
        assert_ne!(pack(&[1, 0, 0]), pack(&[0, 1, 0]));
        assert_eq!(pack(&[0; 65]), None);
        assert_eq!(pack(&[7]), Some(7));
    }
}
