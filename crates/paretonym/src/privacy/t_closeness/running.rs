//! The distance of ordered values, by sums along them.

/// Sums along the ordered values.
pub(super) struct Running {
    /// Rows of the table.
    all: u64,
    /// Rows of the table up to and including each value but the last.
    up_to: Vec<u64>,
    /// The sum of `up_to` before each place, and of all of it at the end.
    before: Vec<u128>,
}

impl Running {
    pub(super) fn new(totals: &[u64]) -> Self {
        let mut sum = 0;
        let mut up_to: Vec<u64> = Vec::with_capacity(totals.len());
        up_to.extend(totals.iter().map(|rows| {
            sum += rows;
            sum
        }));
        // What is carried beyond the last value is nothing.
        up_to.pop();
        let mut before = vec![0u128];
        before.extend(up_to.iter().scan(0, |all, rows| {
            *all += u128::from(*rows);
            Some(*all)
        }));
        Running { all: sum, up_to, before }
    }

    /// The sum over all places of |carried in the group / its rows - carried in the table / its rows|, over their number.
    pub(super) fn distance(&self, held: impl Iterator<Item = (u32, u64)> + Clone) -> f64 {
        let places = self.up_to.len();
        if places == 0 {
            return 0.0;
        }
        let rows: u128 = held.clone().map(|(_, count)| u128::from(count)).sum();
        let all = u128::from(self.all);
        let (mut carried, mut start, mut work) = (0u128, 0, 0u128);
        let mut add = |carried: u128, start: usize, end: usize| {
            let own = carried * all;
            let split = start + self.up_to[start..end].partition_point(|rows_to| u128::from(*rows_to) * rows < own);
            let sum = |from: usize, to: usize| (self.before[to] - self.before[from]) * rows;
            work += own * (split - start) as u128 - sum(start, split);
            work += sum(split, end) - own * (end - split) as u128;
        };
        for (value, count) in held {
            let end = (value as usize).min(places);
            add(carried, start, end);
            (carried, start) = (carried + u128::from(count), end);
        }
        add(carried, start, places);
        work as f64 / (rows * all) as f64 / places as f64
    }
}
