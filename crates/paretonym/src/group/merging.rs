//! What groups hold beside their rows, added up from their tuples.

use super::hashed::Chosen;
use super::kernel::{CHUNK, Making, RowCount};
use super::{Distribution, Workspace};

/// Rows are counted by group and value at once up to so many counters, or a quarter of the number of tuples where that is
/// more.
const VALUE_COUNTERS: usize = 1 << 18;

impl Workspace {
    /// Adds what tuples hold to groups that were counted: the counter of a tuple's key holds its group. `written`: the keys
    /// of all tuples are written down.
    pub(super) fn add_counted<R: RowCount>(&mut self, counters: &[R], written: bool, making: &mut Making) {
        let groups = making.groups.len();
        let values = |at: usize| making.table.attributes[at].domain.len();
        let values: Vec<usize> = (0..making.groups.attributes.len()).map(values).collect();
        let needed = values.iter().fold(0, |all, own| groups.saturating_mul(*own).saturating_add(all));
        let all_at_once = needed <= VALUE_COUNTERS.max(making.input.len() / 4);
        let mut tallies = std::mem::take(R::value_counters(self));
        if all_at_once && tallies.len() < needed {
            tallies.resize(needed, R::default());
        }
        self.starts.clear();
        self.starts.resize(if all_at_once { 0 } else { groups + 1 }, 0);
        making.groups.leaf_logs.resize(if making.needs.leaf_logs { groups } else { 0 }, 0.0);

        self.each_chunk(counters, written, making, |own, making, start, of| {
            if making.needs.group_of {
                making.group_of.extend_from_slice(of);
            }
            if making.needs.leaf_logs {
                let logs = &mut making.groups.leaf_logs;
                of.iter().zip(&making.logs[start..]).for_each(|(group, log)| logs[*group as usize] += log);
            }
            if !all_at_once {
                of.iter().for_each(|group| own.starts[*group as usize + 1] += 1);
                return;
            }
            let mut rest = tallies.as_mut_slice();
            for (from, values) in making.input.attributes.iter().zip(&values) {
                let (tally, behind) = rest.split_at_mut(groups * values);
                rest = behind;
                for (at, group) in of.iter().enumerate() {
                    let counts = &mut tally[*group as usize * values..];
                    from.of(start + at).iter().for_each(|(value, rows)| counts[value as usize] += R::of_rows(rows));
                }
            }
        });
        if all_at_once {
            let mut rest = tallies.as_mut_slice();
            for (to, values) in making.groups.attributes.iter_mut().zip(&values) {
                let (tally, behind) = rest.split_at_mut(groups * values);
                rest = behind;
                write_down(tally, *values, to);
            }
        } else {
            self.list_counted(counters, written, making);
            making.groups.attributes.iter_mut().zip(&making.input.attributes).for_each(|(to, from)| {
                self.merge(from, to);
            });
        }
        *R::value_counters(self) = tallies;
    }

    /// Lists the tuples of each group one after the other, given how many each has.
    fn list_counted<R: RowCount>(&mut self, counters: &[R], written: bool, making: &mut Making) {
        for group in 1..self.starts.len() {
            self.starts[group] += self.starts[group - 1];
        }
        self.members.clear();
        self.members.resize(making.input.len(), 0);
        // The keys that were written down have become groups.
        self.each_chunk(if written { &[] } else { counters }, written, making, |own, _, start, of| {
            for (tuple, &group) in (start..).zip(of) {
                let place = &mut own.starts[group as usize];
                own.members[*place as usize] = tuple as u32;
                *place += 1;
            }
        });
        self.move_starts_back();
    }

    /// Calls `take` with the first of some neighbouring tuples and the groups of all of them, again and again until the end.
    /// Without counters the groups are written down already.
    fn each_chunk<R: RowCount>(
        &mut self,
        counters: &[R],
        written: bool,
        making: &mut Making,
        mut take: impl FnMut(&mut Self, &mut Making, usize, &[u32]),
    ) {
        for start in (0..making.input.len()).step_by(CHUNK) {
            if !written {
                self.fill_keys(making.input, start..making.input.len().min(start + CHUNK));
            }
            let mut of = std::mem::take(&mut self.keys);
            if !counters.is_empty() {
                of.iter_mut().for_each(|key| *key = counters[*key as usize].group());
            }
            take(self, making, start, &of);
            self.keys = of;
        }
    }

    /// Adds what some tuples hold to their groups, the first of which has the number `before`.
    pub(super) fn add_part(&mut self, some: &Chosen, before: usize, making: &mut Making) {
        let groups = making.groups.len() - before;
        let of = std::mem::take(&mut self.part_groups);
        if making.needs.group_of {
            of.iter().enumerate().for_each(|(at, group)| making.group_of[some.tuple(at)] = before as u32 + group);
        }
        if making.needs.leaf_logs {
            making.groups.leaf_logs.resize(before + groups, 0.0);
            let logs = &mut making.groups.leaf_logs[before..];
            of.iter().enumerate().for_each(|(at, group)| logs[*group as usize] += making.logs[some.tuple(at)]);
        }
        if making.needs.attributes {
            self.starts.clear();
            self.starts.resize(groups + 1, 0);
            of.iter().for_each(|group| self.starts[*group as usize + 1] += 1);
            for group in 0..groups {
                self.starts[group + 1] += self.starts[group];
            }
            self.members.clear();
            self.members.resize(of.len(), 0);
            for (at, &group) in of.iter().enumerate() {
                let place = &mut self.starts[group as usize];
                self.members[*place as usize] = some.tuple(at) as u32;
                *place += 1;
            }
            self.move_starts_back();
            for (from, to) in making.input.attributes.iter().zip(&mut making.groups.attributes) {
                self.merge(from, to);
            }
        }
        self.part_groups = of;
    }

    /// Every start has moved to the next group's; moves them back.
    fn move_starts_back(&mut self) {
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    /// Adds up the value counts of the tuples of each group.
    fn merge(&mut self, from: &Distribution, to: &mut Distribution) {
        for group in self.starts.windows(2) {
            for &tuple in &self.members[group[0] as usize..group[1] as usize] {
                for (value, count) in from.of(tuple as usize).iter() {
                    if self.tally.len() <= value as usize {
                        self.tally.resize(value as usize + 1, 0);
                    }
                    let tally = &mut self.tally[value as usize];
                    if *tally == 0 {
                        self.touched.push(value);
                    }
                    *tally += count;
                }
            }
            self.touched.sort_unstable();
            for value in self.touched.drain(..) {
                to.push(value, std::mem::take(&mut self.tally[value as usize]));
            }
            to.end_group();
        }
    }
}

/// The values that were counted, group by group, and empties the counters.
fn write_down<R: RowCount>(tally: &mut [R], values: usize, to: &mut Distribution) {
    for group in tally.chunks_exact_mut(values.max(1)) {
        for (value, rows) in group.iter_mut().enumerate() {
            if *rows != R::default() {
                to.push(value as u32, std::mem::take(rows).rows());
            }
        }
        to.end_group();
    }
}
