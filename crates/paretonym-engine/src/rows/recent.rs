//! The codes of cells that were met lately. A short cell is two or four words in memory, which are compared in a fraction
//! of the time that hashing and comparing a text takes; most columns have so few values that nearly every cell is found.

/// A cell as words: its bytes, zeros, and its length in the last byte.
pub(crate) type CellWords<const N: usize> = [u64; N];

/// Cells that are remembered at a time. What is met next takes the place of what was there.
const PLACES: usize = 1 << 12;

/// Codes by words.
pub(crate) struct RecentCodes<const N: usize> {
    /// Made when the first is remembered.
    places: Vec<(CellWords<N>, u32)>,
    /// A code that no cell has.
    none: u32,
}

impl<const N: usize> RecentCodes<N> {
    /// Nothing is remembered yet; `none` is a code that no cell has.
    pub fn new(none: u32) -> Self {
        RecentCodes { places: Vec::new(), none }
    }

    /// The code of a cell, where it is remembered.
    #[inline]
    pub fn find(&self, words: &CellWords<N>) -> Option<u32> {
        let (own, code) = self.places.get(place(words))?;
        (own == words && *code != self.none).then_some(*code)
    }

    /// Remembers the code of a cell.
    pub fn put(&mut self, words: CellWords<N>, code: u32) {
        if self.places.is_empty() {
            self.places.resize(PLACES, ([0; N], self.none));
        }
        self.places[place(&words)] = (words, code);
    }
}

#[inline]
fn place<const N: usize>(words: &CellWords<N>) -> usize {
    let mixed =
        words.iter().fold(0, |mixed: u64, word| (mixed.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    (mixed >> (64 - PLACES.trailing_zeros())) as usize
}

/// A cell of `length` bytes in a text as words; none where it is too long, or the text ends too soon behind it.
#[inline]
pub(crate) fn cell_words<const N: usize>(text: &[u8], start: usize, length: usize) -> Option<CellWords<N>> {
    if length >= 8 * N {
        return None;
    }
    let bytes = text.get(start..start + 8 * N)?;
    let mut words = [0; N];
    for (at, (word, bytes)) in words.iter_mut().zip(bytes.as_chunks::<8>().0).enumerate() {
        let own = length.saturating_sub(8 * at).min(8) as u32;
        // Shifted in two steps, since a shift by all 64 bits is none.
        let others = (u64::MAX << (4 * own)) << (4 * own);
        *word = u64::from_le_bytes(*bytes) & !others;
    }
    words[N - 1] |= (length as u64) << 56;
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cells_have_the_same_words_only_where_they_are_the_same(
            text in prop::collection::vec(0u8..3, 40..60),
            spans in prop::collection::vec((0usize..20, 0usize..16), 2),
        ) {
            let words = |(start, length): (usize, usize)| cell_words::<2>(&text, start, length).unwrap_or_default();
            let bytes = |(start, length): (usize, usize)| &text[start..start + length];
            let (one, other) = (spans[0], spans[1]);
            if one.1 < 16 && other.1 < 16 {
                prop_assert_eq!(words(one) == words(other), bytes(one) == bytes(other));
            }
            prop_assert_eq!(cell_words::<2>(&text, 0, 16), None);
            prop_assert!(cell_words::<4>(&text, 0, 16).is_some());
            prop_assert_eq!(cell_words::<2>(&text, text.len() - 10, 5), None);
        }
    }

    #[test]
    fn what_is_remembered_is_found_until_another_takes_its_place() {
        let mut recent = RecentCodes::<2>::new(u32::MAX);
        assert_eq!(recent.find(&[0, 0]), None);
        recent.put([1, 2], 7);
        assert_eq!((recent.find(&[1, 2]), recent.find(&[0, 0])), (Some(7), None));
        (0..100_000).for_each(|word| recent.put([word, 3], 9));
        assert_eq!(recent.find(&[99_999, 3]), Some(9));
    }
}
