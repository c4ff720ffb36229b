//! Finds every separator and every end of line in a text, 64 bytes at a time.

use wide::u8x16;

/// Bytes that are looked at together: one bit each in a word.
const STEP: usize = 64;

/// A byte that separates nothing: quotes never do.
const NEUTRAL: u8 = b'"';

/// Positions of separators and ends of lines; a buffer to be filled again and again.
#[derive(Default)]
pub(super) struct Separators {
    positions: Vec<u32>,
    found: usize,
}

impl Separators {
    /// Finds them in a text; the number of lines. Every LF is an end of line here: the text holds no quotes.
    pub fn find(&mut self, text: &[u8], delimiter: u8) -> usize {
        // Room for as many as there can be, so that writing them down needs no question.
        if self.positions.len() < text.len() + STEP {
            self.positions.resize(text.len() + STEP, 0);
        }
        self.found = 0;
        let mut lines = 0;
        let (steps, rest) = text.as_chunks::<STEP>();
        let mut last = [NEUTRAL; STEP];
        last[..rest.len()].copy_from_slice(rest);
        for (at, step) in steps.iter().chain([&last]).enumerate() {
            let (delimiters, ends) = masks(step, delimiter);
            lines += ends.count_ones() as usize;
            self.note(delimiters | ends, (at * STEP) as u32);
        }
        lines
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

/// Where a step holds delimiters, and where ends of lines.
fn masks(step: &[u8; STEP], delimiter: u8) -> (u64, u64) {
    let (delimiter, end) = (u8x16::splat(delimiter), u8x16::splat(b'\n'));
    let (mut delimiters, mut ends) = (0, 0);
    for (at, part) in step.as_chunks::<16>().0.iter().enumerate() {
        let part = u8x16::new(*part);
        delimiters |= u64::from(part.simd_eq(delimiter).to_bitmask()) << (16 * at);
        ends |= u64::from(part.simd_eq(end).to_bitmask()) << (16 * at);
    }
    (delimiters, ends)
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
