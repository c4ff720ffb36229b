//! What groups hold beside their rows, added up from their tuples.

use super::{Distribution, Workspace};

impl Workspace {
    /// Lists the tuples of each group one after the other.
    pub(super) fn sort_members(&mut self, groups: usize, group_of: &[u32]) {
        self.starts.clear();
        self.starts.resize(groups + 1, 0);
        group_of.iter().for_each(|group| self.starts[*group as usize + 1] += 1);
        for group in 0..groups {
            self.starts[group + 1] += self.starts[group];
        }
        self.members.clear();
        self.members.resize(group_of.len(), 0);
        for (tuple, &group) in group_of.iter().enumerate() {
            let place = &mut self.starts[group as usize];
            self.members[*place as usize] = tuple as u32;
            *place += 1;
        }
        // Every start has moved to the next group's; move them back.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    /// Adds up the value counts of the tuples of each group.
    pub(super) fn merge(&mut self, from: &Distribution, to: &mut Distribution) {
        to.clear();
        to.offsets.push(0);
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
