//! The numbers of rows in memory, in as few bytes as the largest of them needs: three for ten million rows.

use std::io;

/// Numbers, each in the same few bytes, the lowest first.
pub(crate) struct NumberList {
    width: usize,
    bytes: Vec<u8>,
}

impl NumberList {
    /// For about so many numbers, all below a limit.
    pub fn new(about: u64, limit: u64) -> Self {
        let width = (u64::BITS - limit.saturating_sub(1).leading_zeros()).div_ceil(8).max(1) as usize;
        NumberList { width, bytes: Vec::with_capacity(about as usize * width) }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.bytes.chunks_exact(self.width).map(|own| {
            let mut bytes = [0; 8];
            bytes[..own.len()].copy_from_slice(own);
            u64::from_le_bytes(bytes)
        })
    }
}

/// Takes numbers as a file takes them: whole ones of eight bytes, the lowest first.
impl io::Write for NumberList {
    fn write(&mut self, numbers: &[u8]) -> io::Result<usize> {
        let (numbers, rest) = numbers.as_chunks::<8>();
        if !rest.is_empty() || numbers.iter().any(|number| number[self.width..].iter().any(|byte| *byte != 0)) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "these are not the numbers of rows"));
        }
        numbers.iter().for_each(|number| self.bytes.extend_from_slice(&number[..self.width]));
        Ok(numbers.len() * 8)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn numbers_come_back_from_as_few_bytes_as_they_need() {
        for (limit, width) in
            [(0, 1), (1, 1), (256, 1), (257, 2), (1 << 16, 2), (10_000_000, 3), (1 << 32, 4), (u64::MAX, 8)]
        {
            let last = limit.saturating_sub(1);
            let numbers = [last, 0, last / 2, last];
            let mut list = NumberList::new(4, limit);
            list.write_all(&numbers.map(u64::to_le_bytes).concat()).unwrap();
            assert_eq!((list.width, list.iter().collect::<Vec<u64>>()), (width, numbers.to_vec()), "{limit}");
        }
    }

    #[test]
    fn larger_numbers_and_halves_of_numbers_are_refused() {
        let mut list = NumberList::new(1, 256);
        assert!(list.write_all(&256u64.to_le_bytes()).is_err());
        assert!(list.write_all(&[1, 0, 0]).is_err());
        assert_eq!(list.iter().count(), 0);
    }
}
