//! The leaf codes of a table tuple after tuple, and spans of them: the first and the last leaf in every column at once.

/// Codes that are taken together; a line is filled up to a multiple of it, so that no code is left over.
const LANES: usize = 8;

/// A leaf code in as few bytes as a table needs. Signed numbers of two bytes are those that every processor can compare
/// many at a time.
pub(super) trait Code: Copy + Default + Ord + Send + Sync {
    /// Before every leaf.
    const LOWEST: Self;
    /// Behind every leaf.
    const HIGHEST: Self;
    /// Of a leaf.
    fn of(leaf: u32) -> Self;
    /// The leaf.
    fn leaf(self) -> u32;
}

impl Code for i16 {
    const LOWEST: Self = -1;
    const HIGHEST: Self = i16::MAX;

    fn of(leaf: u32) -> Self {
        leaf as i16
    }

    fn leaf(self) -> u32 {
        self as u32
    }
}

impl Code for i32 {
    const LOWEST: Self = -1;
    const HIGHEST: Self = i32::MAX;

    fn of(leaf: u32) -> Self {
        leaf as i32
    }

    fn leaf(self) -> u32 {
        self as u32
    }
}

/// One line of codes per tuple.
pub(super) struct Lines<C> {
    stride: usize,
    codes: Vec<C>,
}

/// The same in codes of either width.
pub(super) enum AnyLines {
    /// Where no column has more leaves than two bytes tell apart.
    Narrow(Lines<i16>),
    /// Otherwise.
    Wide(Lines<i32>),
}

impl AnyLines {
    /// From the codes of every column, whose domains have at most `leaves` leaves.
    pub fn new(columns: &[&[u32]], leaves: usize) -> Self {
        if leaves < i16::MAX as usize {
            AnyLines::Narrow(Lines::new(columns))
        } else {
            AnyLines::Wide(Lines::new(columns))
        }
    }
}

impl<C: Code> Lines<C> {
    /// From the codes of every column.
    pub fn new(columns: &[&[u32]]) -> Self {
        let stride = columns.len().next_multiple_of(LANES);
        let tuples = columns.first().map_or(0, |codes| codes.len());
        let mut codes = vec![C::of(0); tuples * stride];
        for (line, tuple) in codes.chunks_exact_mut(stride.max(1)).zip(0..) {
            line.iter_mut().zip(columns).for_each(|(to, column)| *to = C::of(column[tuple]));
        }
        Lines { stride, codes }
    }

    /// How many codes a line has.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The codes of a tuple.
    pub fn of(&self, tuple: u32) -> &[C] {
        &self.codes[tuple as usize * self.stride..][..self.stride]
    }
}

/// Some spans: a line of first leaves and one of last leaves each.
#[derive(Default)]
pub(super) struct Spans<C> {
    stride: usize,
    low: Vec<C>,
    high: Vec<C>,
}

impl<C: Code> Spans<C> {
    /// So many spans of nothing.
    pub fn clear(&mut self, count: usize, stride: usize) {
        self.stride = stride;
        self.low.clear();
        self.low.resize(count * stride, C::HIGHEST);
        self.high.clear();
        self.high.resize(count * stride, C::LOWEST);
    }

    /// Makes one of them nothing again.
    pub fn forget(&mut self, at: usize) {
        let own = at * self.stride..(at + 1) * self.stride;
        self.low[own.clone()].fill(C::HIGHEST);
        self.high[own].fill(C::LOWEST);
    }

    /// How many codes a line has.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Makes one of them the same as another.
    pub fn copy(&mut self, at: usize, from: usize) {
        let from = from * self.stride..(from + 1) * self.stride;
        self.low.copy_within(from.clone(), at * self.stride);
        self.high.copy_within(from, at * self.stride);
    }

    /// Adds a tuple to one of them.
    #[inline]
    pub fn add_line(&mut self, at: usize, line: &[C]) {
        let own = at * self.stride..(at + 1) * self.stride;
        let (low, high) = (self.low[own.clone()].as_chunks_mut::<LANES>().0, self.high[own].as_chunks_mut::<LANES>().0);
        for ((low, high), line) in low.iter_mut().zip(high).zip(line.as_chunks::<LANES>().0) {
            for lane in 0..LANES {
                low[lane] = low[lane].min(line[lane]);
                high[lane] = high[lane].max(line[lane]);
            }
        }
    }

    /// Adds a span of others to one of them; whether it covers more now.
    #[inline]
    pub fn add(&mut self, at: usize, others: &Spans<C>, other: usize) -> bool {
        let (own, other) = (at * self.stride..(at + 1) * self.stride, other * self.stride..(other + 1) * self.stride);
        let mine =
            self.low[own.clone()].as_chunks_mut::<LANES>().0.iter_mut().zip(self.high[own].as_chunks_mut::<LANES>().0);
        let theirs =
            others.low[other.clone()].as_chunks::<LANES>().0.iter().zip(others.high[other].as_chunks::<LANES>().0);
        let mut changed = false;
        for ((low, high), (other_low, other_high)) in mine.zip(theirs) {
            let (old_low, old_high): ([C; LANES], [C; LANES]) = (*low, *high);
            for lane in 0..LANES {
                low[lane] = old_low[lane].min(other_low[lane]);
                high[lane] = old_high[lane].max(other_high[lane]);
            }
            changed |= *low != old_low || *high != old_high;
        }
        changed
    }

    /// The first and the last leaf of one of them in a column.
    pub fn of(&self, at: usize, column: usize) -> (C, C) {
        (self.low[at * self.stride + column], self.high[at * self.stride + column])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths_agree<C: Code + std::fmt::Debug>(leaves: [u32; 2]) {
        let columns = [vec![3, leaves[0], 5], vec![9, 9, 9], vec![leaves[1], 0, 1]];
        let lines = Lines::<C>::new(&columns.each_ref().map(Vec::as_slice));
        let (mut all, mut one) = (Spans::default(), Spans::default());
        all.clear(2, lines.stride());
        one.clear(1, lines.stride());
        all.add_line(1, lines.of(0));
        all.add_line(1, lines.of(2));
        one.add_line(0, lines.of(1));
        assert!(all.add(1, &one, 0) && !all.add(1, &one, 0), "what is covered already changes nothing");
        let span = |column| (all.of(1, column).0.leaf(), all.of(1, column).1.leaf());
        assert_eq!([span(0), span(1), span(2)], [(3, leaves[0]), (9, 9), (0, leaves[1])]);
        assert!(all.of(0, 0).0 > all.of(0, 0).1, "nothing was added to the first");
        all.forget(1);
        assert!(all.of(1, 0).0 > all.of(1, 0).1);
    }

    #[test]
    fn spans_cover_what_was_added() {
        widths_agree::<i16>([32_765, 32_000]);
        widths_agree::<i32>([70_000, 2_000_000]);
    }

    #[test]
    fn many_leaves_take_wide_codes() {
        assert!(matches!(AnyLines::new(&[&[0, 32_765]], 32_766), AnyLines::Narrow(_)));
        assert!(matches!(AnyLines::new(&[&[0, 32_766]], 32_767), AnyLines::Wide(_)));
    }
}
