//! A row of bits: gaps between leaves, the genes of a chromosome, the values that occur.

/// As many bits as were asked for, in words of 64; those behind the last one stay zero.
///
/// Its order is that of its words, from the first on.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits {
    words: Box<[u64]>,
}

impl Bits {
    /// All zeros.
    pub fn zeros(bits: usize) -> Self {
        Bits { words: vec![0; bits.div_ceil(64)].into() }
    }

    /// From its words, for that many bits; none where the number of words is another or a bit behind the last one is set.
    pub fn from_words(words: Vec<u64>, bits: usize) -> Option<Self> {
        let own = Bits { words: words.into() };
        let fits = own.words.len() == bits.div_ceil(64);
        // Bits behind the last one would make two of one.
        (fits && (bits..64 * own.words.len()).all(|bit| !own.get(bit))).then_some(own)
    }

    /// The words.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// One bit.
    pub fn get(&self, bit: usize) -> bool {
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Sets one bit.
    pub fn set(&mut self, bit: usize, value: bool) {
        let mask = 1u64 << (bit % 64);
        if value {
            self.words[bit / 64] |= mask;
        } else {
            self.words[bit / 64] &= !mask;
        }
    }

    /// Whether all its ones are among those of another.
    pub fn is_within(&self, other: &Bits) -> bool {
        self.words.iter().zip(&other.words).all(|(own, other)| own & !other == 0)
    }

    /// Takes over the ones of another.
    pub fn join(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(own, other)| *own |= other);
    }

    /// Takes all ones out, in rising order.
    pub fn drain(&mut self, mut take: impl FnMut(u32)) {
        for (word, bits) in self.words.iter_mut().enumerate() {
            let mut left = std::mem::take(bits);
            while left != 0 {
                take(word as u32 * 64 + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bits: usize, ones: &[usize]) -> Bits {
        let mut all = Bits::zeros(bits);
        ones.iter().for_each(|bit| all.set(*bit, true));
        all
    }

    #[test]
    fn bits_are_set_and_taken_out() {
        let mut bits = of(130, &[129, 0, 63, 64]);
        assert!(bits.get(63) && !bits.get(62) && bits.get(129));
        bits.set(63, false);
        let mut taken = Vec::new();
        bits.drain(|bit| taken.push(bit));
        assert_eq!(taken, [0, 64, 129]);
        assert_eq!(bits, Bits::zeros(130));
    }

    #[test]
    fn within_is_a_subset() {
        let (few, many) = (of(70, &[65]), of(70, &[3, 65]));
        assert!(few.is_within(&many) && !many.is_within(&few) && many.is_within(&many));
    }

    #[test]
    fn words_must_fit() {
        let bits = of(105, &[0, 104]);
        assert_eq!(Bits::from_words(bits.words().to_vec(), 105), Some(bits.clone()));
        assert_eq!(Bits::from_words(bits.words().to_vec(), 104), None, "a bit too many");
        assert_eq!(Bits::from_words(bits.words().to_vec(), 129), None, "a word too few");
    }
}
