//! How often values repeat, in memory that does not grow with their number: of their hashes only those with enough zero bits
//! at their end are remembered, all of them at first, and half as many whenever there are too many.

use hashbrown::HashMap;
use paretonym::data::Repeats;

/// The values of one column.
pub(crate) struct Sketch {
    most: usize,
    /// Zero bits that a remembered hash ends with.
    zeros: u32,
    /// Whether each hash was met once only.
    once: HashMap<u64, bool, foldhash::fast::RandomState>,
    cells: u64,
}

impl Sketch {
    /// Of no value yet; remembers at most so many.
    pub fn new(most: usize) -> Self {
        Sketch { most, zeros: 0, once: HashMap::default(), cells: 0 }
    }

    /// Meets a value `count` times. Whether nothing is learned from meeting it again, but that there is one more cell.
    pub fn add(&mut self, hash: u64, count: u64) -> bool {
        self.cells += count;
        self.remember(hash, count == 1)
    }

    /// Meets a value again of which nothing is learned.
    pub fn add_known(&mut self) {
        self.cells += 1;
    }

    fn remember(&mut self, hash: u64, once: bool) -> bool {
        if hash.trailing_zeros() < self.zeros {
            return true;
        }
        let mut repeats = !once;
        let again = |once: &mut bool| {
            *once = false;
            repeats = true;
        };
        self.once.entry(hash).and_modify(again).or_insert(once);
        while self.once.len() > self.most {
            self.zeros += 1;
            self.once.retain(|hash, _| hash.trailing_zeros() >= self.zeros);
        }
        repeats
    }

    /// Takes in what another has met.
    pub fn join(&mut self, other: Sketch) {
        self.cells += other.cells;
        self.zeros = self.zeros.max(other.zeros);
        self.once.retain(|hash, _| hash.trailing_zeros() >= self.zeros);
        for (hash, once) in other.once {
            self.remember(hash, once);
        }
    }

    /// What is known of the column.
    pub fn answer(&self) -> Repeats {
        let scale = |count: usize| ((count as u64) << self.zeros.min(63)).min(self.cells);
        Repeats {
            cells: self.cells,
            distinct: scale(self.once.len()),
            once: scale(self.once.values().filter(|once| **once).count()),
        }
    }
}
