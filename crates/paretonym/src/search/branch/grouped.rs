//! The tuples of a sheet in the order of their groups under the coarsest recoding of a span.

use super::sheet::Sheet;
use super::view::ColumnView;

/// Where keys are numbered anew, so that they stay whole numbers.
const MOST_KEYS: u64 = 1 << 62;

/// Tuples group by group, with the buffers that sorting them takes.
#[derive(Default)]
pub(super) struct Grouped {
    /// Tuples, those of a group beside each other.
    pub order: Vec<u32>,
    /// Where each group starts in `order`, and the number of tuples at the end.
    pub starts: Vec<u32>,
    /// The rows of each group.
    pub rows: Vec<u64>,
    keys: Vec<u64>,
    group_of: Vec<u32>,
    numbers: Numbers,
}

/// Numbers for keys, in the order in which they are met.
#[derive(Default)]
struct Numbers {
    slots: Vec<u32>,
    keys: Vec<u64>,
}

impl Numbers {
    fn begin(&mut self, most: usize) {
        self.keys.clear();
        self.slots.clear();
        self.slots.resize((2 * most.max(4)).next_power_of_two(), u32::MAX);
    }

    #[inline]
    fn of(&mut self, key: u64) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        loop {
            match self.slots[at] {
                u32::MAX => {
                    self.slots[at] = self.keys.len() as u32;
                    self.keys.push(key);
                    return self.slots[at];
                }
                number if self.keys[number as usize] == key => return number,
                _ => at = (at + 1) & mask,
            }
        }
    }
}

impl Grouped {
    /// Groups the tuples of a sheet.
    pub fn fill(&mut self, sheet: &Sheet, views: &[ColumnView]) {
        self.keys.clear();
        self.keys.resize(sheet.len(), 0);
        let mut keys = 1u64;
        for (view, leaves) in views.iter().zip(&sheet.leaves).filter(|(view, _)| view.coarse.len() > 1) {
            let sets = view.coarse.len() as u64;
            if keys.saturating_mul(sets) > MOST_KEYS {
                self.numbers.begin(sheet.len());
                self.keys.iter_mut().for_each(|key| *key = u64::from(self.numbers.of(*key)));
                keys = self.numbers.keys.len() as u64;
            }
            keys *= sets;
            for (key, leaf) in self.keys.iter_mut().zip(leaves) {
                *key = *key * sets + u64::from(view.coarse.of[*leaf as usize]);
            }
        }
        self.numbers.begin(sheet.len());
        self.group_of.clear();
        self.group_of.extend(self.keys.iter().map(|key| self.numbers.of(*key)));
        let groups = self.numbers.keys.len();
        self.rows.clear();
        self.rows.resize(groups, 0);
        self.starts.clear();
        self.starts.resize(groups + 1, 0);
        for (group, rows) in self.group_of.iter().zip(&sheet.rows) {
            self.rows[*group as usize] += rows;
            self.starts[*group as usize + 1] += 1;
        }
        for group in 0..groups {
            self.starts[group + 1] += self.starts[group];
        }
        self.order.clear();
        self.order.resize(sheet.len(), 0);
        for (tuple, group) in self.group_of.iter().enumerate().rev() {
            // Filled from the end of each group, so that the next start is where this one ends.
            let place = &mut self.starts[*group as usize + 1];
            *place -= 1;
            self.order[*place as usize] = tuple as u32;
        }
        // Every end has become a start.
        self.starts.remove(0);
        self.starts.push(sheet.len() as u32);
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The tuples of a group.
    pub fn tuples(&self, group: usize) -> &[u32] {
        &self.order[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}
