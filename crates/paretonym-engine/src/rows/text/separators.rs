//! Finds every separator and every end of line in a text, 64 bytes at a time.

use wide::u8x16;

use super::quotes::Quotes;

/// Bytes that are looked at together: one bit each in a word.
pub(super) const STEP: usize = 64;

/// Fills what a text lacks of a whole step: a byte that is none of those looked for.
const NEUTRAL: u8 = b'_';

/// Where a step holds what matters, a bit for each of its bytes.
pub(super) struct Marks {
    pub delimiters: u64,
    pub ends: u64,
    pub returns: u64,
    pub quotes: u64,
}

/// Positions of separators and ends of lines; a buffer to be filled again and again.
#[derive(Default)]
pub(super) struct Separators {
    positions: Vec<u32>,
    found: usize,
}

impl Separators {
    /// Finds them in a text that holds no quotes; the number of lines. Every LF is an end of line.
    pub fn find(&mut self, text: &[u8], delimiter: u8) -> usize {
        self.make_room(text.len());
        let mut lines = 0;
        for (at, step) in steps(text) {
            let (delimiters, ends) = (marked(&step, delimiter), marked(&step, b'\n'));
            lines += ends.count_ones() as usize;
            self.note(delimiters | ends, at as u32);
        }
        lines
    }

    /// Finds them outside of the quotes of a text that starts with a record; the number of lines. None where a quote is
    /// anywhere but at the very beginning or end of a field.
    pub fn find_unquoted(&mut self, text: &[u8], delimiter: u8) -> Option<usize> {
        self.make_room(text.len());
        let (mut quotes, mut lines) = (Quotes::new(), 0);
        for (at, step) in steps(text) {
            let found = quotes.pass(&Marks::of(&step, delimiter));
            if found.astray | found.behind != 0 {
                return None;
            }
            lines += found.ends.count_ones() as usize;
            self.note(found.delimiters | found.ends, at as u32);
        }
        Some(lines)
    }

    /// Forgets what stands behind the last end of line in the same text; the length of the whole lines.
    pub fn keep_lines(&mut self, text: &[u8]) -> usize {
        while self.positions().last().is_some_and(|last| text[*last as usize] != b'\n') {
            self.found -= 1;
        }
        self.positions().last().map_or(0, |last| *last as usize + 1)
    }

    /// Room for as many as there can be, so that writing them down needs no question.
    fn make_room(&mut self, length: usize) {
        if self.positions.len() < length + STEP {
            self.positions.resize(length + STEP, 0);
        }
        self.found = 0;
    }

    /// What was found, in order.
    pub fn positions(&self) -> &[u32] {
        &self.positions[..self.found]
    }

    /// Writes down the positions of the bits of a word. Eight at a time without asking whether there are so many, which
    /// is quicker than asking; what is too much is written over by the next.
    fn note(&mut self, mut bits: u64, base: u32) {
        let count = bits.count_ones() as usize;
        let Some(room) = self.positions[self.found..].first_chunk_mut::<STEP>() else { return };
        for eight in room.chunks_exact_mut(8).take(count.div_ceil(8)) {
            for place in eight {
                *place = base + bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
            }
        }
        self.found += count;
    }
}

impl Marks {
    pub fn of(step: &[u8; STEP], delimiter: u8) -> Self {
        Marks {
            delimiters: marked(step, delimiter),
            ends: marked(step, b'\n'),
            returns: marked(step, b'\r'),
            quotes: marked(step, b'"'),
        }
    }
}

/// The steps of a text and where they start; the last is filled up.
pub(super) fn steps(text: &[u8]) -> impl Iterator<Item = (usize, [u8; STEP])> {
    let (steps, rest) = text.as_chunks::<STEP>();
    let mut last = [NEUTRAL; STEP];
    last[..rest.len()].copy_from_slice(rest);
    steps.iter().copied().chain([last]).enumerate().map(|(at, step)| (at * STEP, step))
}

/// Where a step holds a byte.
#[inline]
fn marked(step: &[u8; STEP], byte: u8) -> u64 {
    let byte = u8x16::splat(byte);
    let parts = step.as_chunks::<16>().0.iter().enumerate();
    parts.fold(0, |bits, (at, part)| bits | u64::from(u8x16::new(*part).simd_eq(byte).to_bitmask()) << (16 * at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_are_found_in_order(text in prop::collection::vec(prop::sample::select(b"a,;\n\xc3\x00".to_vec()), 0..400)) {
            let mut separators = Separators::default();
            for delimiter in *b",;\0" {
                let lines = separators.find(&text, delimiter);
                let is_one = |at: &u32| [delimiter, b'\n'].contains(&text[*at as usize]);
                let expected: Vec<u32> = (0..text.len() as u32).filter(is_one).collect();
                prop_assert_eq!(separators.positions(), expected.as_slice());
                prop_assert_eq!(lines, text.iter().filter(|byte| **byte == b'\n').count());
            }
        }
    }
}
