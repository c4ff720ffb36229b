//! Where things start that lie one after the other, in little more than a byte each.

use super::Narrow;

/// Neighbours that share a number of four bytes.
const SHARED: usize = 16;

/// Numbers that never fall. Each is kept as what it is beyond the first of its neighbours: most tuples hold few values, so
/// that this is small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offsets {
    firsts: Vec<u32>,
    beyond: Narrow,
}

impl Offsets {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.beyond.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.beyond.is_empty()
    }

    /// One of them.
    #[inline]
    pub fn get(&self, at: usize) -> usize {
        self.firsts[at / SHARED] as usize + self.beyond.get(at) as usize
    }

    /// Adds one, which must not be smaller than the last.
    #[inline]
    pub fn push(&mut self, offset: u32) {
        if self.beyond.len().is_multiple_of(SHARED) {
            self.firsts.push(offset);
        }
        let first = self.firsts[self.firsts.len() - 1];
        self.beyond.push(u64::from(offset - first));
    }

    /// Empties the list, keeping the memory.
    pub fn clear(&mut self) {
        self.firsts.clear();
        self.beyond.clear();
    }

    /// Makes room for so many more, and for no others.
    pub fn reserve_exact(&mut self, more: usize) {
        self.firsts.reserve_exact(more.div_ceil(SHARED));
        self.beyond.reserve_exact(more);
    }

    /// The memory that they take, in bytes.
    pub fn bytes(&self) -> usize {
        self.firsts.len() * size_of::<u32>() + self.beyond.bytes()
    }
}

impl FromIterator<u32> for Offsets {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut offsets = Offsets::default();
        numbers.into_iter().for_each(|number| offsets.push(number));
        offsets
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn offsets_come_back(steps in prop::collection::vec(prop_oneof![8 => 0u32..4, 2 => 0u32..300, 1 => 0u32..1 << 24], 0..90)) {
            let numbers: Vec<u32> = steps.iter().scan(0u32, |sum, step| { *sum += step; Some(*sum) }).collect();
            let mut offsets: Offsets = numbers.iter().copied().collect();
            prop_assert_eq!(offsets.len(), numbers.len());
            prop_assert!(numbers.iter().enumerate().all(|(at, number)| offsets.get(at) == *number as usize));
            offsets.clear();
            prop_assert!(offsets.is_empty());
            numbers.iter().for_each(|number| offsets.push(*number));
            prop_assert_eq!(offsets, numbers.into_iter().collect::<Offsets>());
        }
    }

    #[test]
    fn a_start_takes_little_more_than_a_byte() {
        let offsets: Offsets = (0..1600).map(|at| at * 9).collect();
        assert_eq!(offsets.bytes(), 1600 + 400);
    }
}
