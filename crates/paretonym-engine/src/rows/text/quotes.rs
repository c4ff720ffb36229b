//! Follows quotes through a text, 64 bytes at a time: what stands between them separates nothing.
//!
//! From each quote to the next one is inside, from there to the one after it outside. That is how the text is meant, too, as
//! long as every quote that opens stands where a field begins; where one does not, somebody else has to look.

use super::separators::{Marks, STEP, steps};

/// Where the text has come to.
pub(super) struct Quotes {
    /// All bits where the last byte was inside.
    inside: u64,
    /// Whether the last byte was a separator: the next begins a field.
    begins: u64,
    /// Whether the last byte was a closing quote.
    closed: u64,
}

/// What quotes make of a step.
pub(super) struct Step {
    /// Delimiters outside of quotes.
    pub delimiters: u64,
    /// Ends of lines outside of quotes.
    pub ends: u64,
    /// Quotes that open where no field begins, other than right behind one that closes: those two are one quote in a text.
    pub astray: u64,
    /// Quotes that open right behind one that closes, and whatever else stands there and separates nothing.
    pub behind: u64,
}

impl Quotes {
    /// At the start of a record.
    pub fn new() -> Self {
        Quotes { inside: 0, begins: 1, closed: 0 }
    }

    /// Passes over a step.
    pub fn pass(&mut self, marks: &Marks) -> Step {
        // Set from each opening quote up to the one that closes.
        let inside = odd_so_far(marks.quotes) ^ self.inside;
        let (opening, closing) = (marks.quotes & inside, marks.quotes & !inside);
        let separators = (marks.delimiters | marks.ends | marks.returns) & !inside;
        let (begins, closed) = (separators << 1 | self.begins, closing << 1 | self.closed);
        self.inside = 0u64.wrapping_sub(inside >> (STEP - 1));
        self.begins = separators >> (STEP - 1);
        self.closed = closing >> (STEP - 1);
        Step {
            delimiters: marks.delimiters & !inside,
            ends: marks.ends & !inside,
            astray: opening & !begins & !closed,
            behind: closed & !separators,
        }
    }

    /// Whether a quote is open.
    pub fn is_open(&self) -> bool {
        self.inside != 0
    }
}

/// Just behind the last end of line outside of quotes, and whether a quote stays open; none where quotes are not where they
/// belong, or no line ends.
pub(super) fn last_line(text: &[u8], delimiter: u8) -> Option<(usize, bool)> {
    let (mut quotes, mut last) = (Quotes::new(), None);
    for (at, step) in steps(text) {
        let found = quotes.pass(&Marks::of(&step, delimiter));
        if found.astray != 0 {
            return None;
        }
        if found.ends != 0 {
            last = Some(at + STEP - found.ends.leading_zeros() as usize);
        }
    }
    last.map(|last| (last, quotes.is_open()))
}

/// A bit for each place up to which, itself included, an odd number of bits is set.
fn odd_so_far(bits: u64) -> u64 {
    [1, 2, 4, 8, 16, 32].iter().fold(bits, |odd, shift| odd ^ odd << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_counted_up_to_each_place() {
        assert_eq!(odd_so_far(0), 0);
        assert_eq!(odd_so_far(0b0100_1001), !0 << 6 | 0b0000_0111);
        assert_eq!(odd_so_far(1 << 63), 1 << 63);
    }

    #[test]
    fn lines_end_outside_of_quotes() {
        let long = format!("{},\"b\n\"\n\"c", "a".repeat(80));
        assert_eq!(last_line(long.as_bytes(), b','), Some((86, true)));
        assert_eq!(last_line(b"\"a\"\"\n\"\n", b','), Some((7, false)));
        assert_eq!(last_line(b"a\"b\n", b','), None, "a quote in the middle of a field");
        assert_eq!(last_line(b"\"a\"b\"\n", b','), None);
        assert_eq!(last_line(b"\"a\n", b','), None, "no line ends");
    }
}
