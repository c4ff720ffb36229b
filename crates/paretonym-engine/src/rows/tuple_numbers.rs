//! Numbers the distinct tuples of codes in the order in which they are met.
//!
//! A tuple is kept as one number wherever that is possible: each column has as many bits of it as its codes need so far, and
//! gets more when a larger code comes. Numbers are hashed and compared in a fraction of the time that lists of codes take,
//! and need a fraction of the memory. Where 128 bits are not enough, tuples are kept as lists.

use std::hash::{BuildHasher, Hash};
use std::ops::{BitOr, Shl, Shr};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// The bits of a column at first, where the number of its codes is not known.
const UNKNOWN_BITS: u32 = 4;

/// Distinct tuples and their numbers.
pub(crate) struct TupleNumbers {
    /// Per column: its bits in a key, and how many lie below them.
    columns: Vec<Bits>,
    hasher: RandomState,
    table: HashTable<u32>,
    tuples: Kept,
    /// The keys of a batch.
    keys: Keys,
}

/// The share of a column in a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bits {
    count: u32,
    below: u32,
}

impl Bits {
    /// The code of the column in a key.
    fn code<K: Key>(self, key: K) -> u32 {
        let all = ((1u64 << self.count) - 1) as u32;
        ((key >> self.below).low() & all).wrapping_sub(1)
    }
}

/// The tuples by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kept {
    Narrow(Vec<u64>),
    Wide(Vec<u128>),
    /// One after the other.
    Lists(Vec<u32>),
}

/// Buffers for the keys of a batch.
#[derive(Default)]
struct Keys {
    narrow: Vec<u64>,
    wide: Vec<u128>,
    list: Vec<u32>,
}

/// What a key can be.
trait Key: Copy + Eq + Hash + From<u32> + Shl<u32, Output = Self> + Shr<u32, Output = Self> + BitOr<Output = Self> {
    /// Its lowest bits.
    fn low(self) -> u32;
}

impl Key for u64 {
    fn low(self) -> u32 {
        self as u32
    }
}

impl Key for u128 {
    fn low(self) -> u32 {
        self as u32
    }
}

impl TupleNumbers {
    /// No tuple yet; per column the number of its codes, where it is known.
    pub fn new(codes: impl Iterator<Item = Option<usize>>) -> Self {
        let columns = codes.map(|codes| codes.map_or(UNKNOWN_BITS, |codes| bits_for(codes as u32)));
        let mut numbers = TupleNumbers {
            columns: Vec::new(),
            hasher: RandomState::default(),
            table: HashTable::new(),
            tuples: Kept::Narrow(Vec::new()),
            keys: Keys::default(),
        };
        numbers.arrange(columns.collect());
        numbers
    }

    /// How many distinct tuples there are.
    pub fn len(&self) -> usize {
        match &self.tuples {
            Kept::Narrow(keys) => keys.len(),
            Kept::Wide(keys) => keys.len(),
            Kept::Lists(codes) => codes.len() / self.columns.len().max(1),
        }
    }

    /// The number of each row's tuple, in `numbers`. One list of codes per column, all of one length.
    pub fn number(&mut self, columns: &[Vec<u32>], rows: usize, numbers: &mut Vec<u32>) {
        numbers.clear();
        if let Some(bits) = self.more_bits(columns) {
            self.arrange(bits);
        }
        let TupleNumbers { columns: bits, hasher, table, tuples, keys } = self;
        match tuples {
            Kept::Narrow(kept) => {
                pack(columns, bits, rows, &mut keys.narrow);
                intern(&keys.narrow, kept, table, hasher, numbers);
            }
            Kept::Wide(kept) => {
                pack(columns, bits, rows, &mut keys.wide);
                intern(&keys.wide, kept, table, hasher, numbers);
            }
            Kept::Lists(kept) => {
                let width = bits.len();
                for row in 0..rows {
                    keys.list.clear();
                    keys.list.extend(columns.iter().map(|codes| codes[row]));
                    numbers.push(intern_list(&keys.list, width, kept, table, hasher));
                }
            }
        }
    }

    /// The bits that the columns need for the codes of a batch, where they have too few.
    fn more_bits(&self, columns: &[Vec<u32>]) -> Option<Vec<u32>> {
        let mut enough = true;
        let needed = columns.iter().zip(&self.columns).map(|(codes, bits)| {
            // "Missing", the largest number, is the smallest here. All together have the bits of the largest.
            let together = codes.iter().fold(0, |bits, code| bits | code.wrapping_add(1));
            let needed = u32::BITS - together.leading_zeros();
            enough &= needed <= bits.count;
            // Some more than needed, so that it does not happen again and again.
            if needed > bits.count { (needed + 1).min(u32::BITS) } else { bits.count }
        });
        let needed = needed.collect();
        (!enough).then_some(needed)
    }

    /// Shares the bits of a key among the columns anew, and moves the tuples there are.
    fn arrange(&mut self, bits: Vec<u32>) {
        let lists = self.lists();
        let mut below = 0;
        self.columns = bits.into_iter().map(|count| Bits { count, below: 0 }).collect();
        for bits in self.columns.iter_mut().rev() {
            bits.below = below;
            below += bits.count;
        }
        let TupleNumbers { columns, hasher, table, tuples, .. } = self;
        *tuples = match below {
            0..=64 => Kept::Narrow(packed(&lists, columns)),
            65..=128 => Kept::Wide(packed(&lists, columns)),
            _ => Kept::Lists(lists),
        };
        table.clear();
        let width = columns.len();
        match tuples {
            Kept::Narrow(keys) => fill(table, keys, hasher),
            Kept::Wide(keys) => fill(table, keys, hasher),
            Kept::Lists(codes) => {
                let hash = |id: u32| hasher.hash_one(&codes[id as usize * width..(id as usize + 1) * width]);
                (0..(codes.len() / width) as u32).for_each(|id| {
                    table.insert_unique(hash(id), id, |id| hash(*id));
                });
            }
        }
    }

    /// The codes of all tuples, one after the other.
    fn lists(&mut self) -> Vec<u32> {
        let columns = &self.columns;
        match std::mem::replace(&mut self.tuples, Kept::Narrow(Vec::new())) {
            Kept::Narrow(keys) => unpacked(&keys, columns),
            Kept::Wide(keys) => unpacked(&keys, columns),
            Kept::Lists(codes) => codes,
        }
    }

    /// The codes of all tuples by their numbers, one after the other.
    pub fn into_lists(mut self) -> Vec<u32> {
        self.lists()
    }

    /// No tuple is looked for any more: only what the tuples are stays in memory.
    pub fn settle(&mut self) {
        self.table = HashTable::new();
        self.keys = Keys::default();
        match &mut self.tuples {
            Kept::Narrow(keys) => keys.shrink_to_fit(),
            Kept::Wide(keys) => keys.shrink_to_fit(),
            Kept::Lists(codes) => codes.shrink_to_fit(),
        }
    }

    /// Calls `take` with the code of every tuple in a column, by their numbers.
    pub fn each_code(&self, column: usize, mut take: impl FnMut(u32)) {
        let bits = self.columns[column];
        match &self.tuples {
            Kept::Narrow(keys) => keys.iter().for_each(|key| take(bits.code(*key))),
            Kept::Wide(keys) => keys.iter().for_each(|key| take(bits.code(*key))),
            Kept::Lists(codes) => codes.iter().skip(column).step_by(self.columns.len()).for_each(|code| take(*code)),
        }
    }
}

/// The bits that so many codes need, and "missing" beside them.
fn bits_for(codes: u32) -> u32 {
    u32::BITS - codes.max(1).leading_zeros()
}

/// The keys of a batch, column by column.
fn pack<K: Key>(columns: &[Vec<u32>], bits: &[Bits], rows: usize, keys: &mut Vec<K>) {
    keys.clear();
    keys.resize(rows, K::from(0));
    for (codes, bits) in columns.iter().zip(bits) {
        for (key, code) in keys.iter_mut().zip(codes) {
            *key = *key | K::from(code.wrapping_add(1)) << bits.below;
        }
    }
}

/// The keys of tuples.
fn packed<K: Key>(lists: &[u32], columns: &[Bits]) -> Vec<K> {
    let key = |codes: &[u32]| {
        let parts = codes.iter().zip(columns).map(|(code, bits)| K::from(code.wrapping_add(1)) << bits.below);
        parts.fold(K::from(0), |key, part| key | part)
    };
    lists.chunks_exact(columns.len().max(1)).map(key).collect()
}

/// The tuples of keys.
fn unpacked<K: Key>(keys: &[K], columns: &[Bits]) -> Vec<u32> {
    keys.iter().flat_map(|key| columns.iter().map(move |bits| bits.code(*key))).collect()
}

fn fill<K: Key>(table: &mut HashTable<u32>, keys: &[K], hasher: &RandomState) {
    let hash = |id: &u32| hasher.hash_one(keys[*id as usize]);
    (0..keys.len() as u32).for_each(|id| {
        table.insert_unique(hash(&id), id, hash);
    });
}

/// The numbers of keys; those that are new get the next ones.
fn intern<K: Key>(
    keys: &[K],
    kept: &mut Vec<K>,
    table: &mut HashTable<u32>,
    hasher: &RandomState,
    numbers: &mut Vec<u32>,
) {
    numbers.extend(keys.iter().map(|key| {
        let hash = hasher.hash_one(key);
        match table.find(hash, |id| kept[*id as usize] == *key) {
            Some(id) => *id,
            None => add(*key, hash, kept, table, hasher),
        }
    }));
}

/// Numbers a key that is new.
#[cold]
fn add<K: Key>(key: K, hash: u64, kept: &mut Vec<K>, table: &mut HashTable<u32>, hasher: &RandomState) -> u32 {
    let id = next(kept.len());
    kept.push(key);
    table.insert_unique(hash, id, |id| hasher.hash_one(kept[*id as usize]));
    id
}

fn intern_list(
    list: &[u32],
    width: usize,
    kept: &mut Vec<u32>,
    table: &mut HashTable<u32>,
    hasher: &RandomState,
) -> u32 {
    let of = |id: u32| id as usize * width..(id as usize + 1) * width;
    let hash = hasher.hash_one(list);
    if let Some(id) = table.find(hash, |id| kept[of(*id)] == *list) {
        return *id;
    }
    let id = next(kept.len() / width);
    kept.extend_from_slice(list);
    table.insert_unique(hash, id, |id| hasher.hash_one(&kept[of(*id)]));
    id
}

fn next(tuples: usize) -> u32 {
    u32::try_from(tuples).expect("fewer than 2^32 distinct tuples")
}

#[cfg(test)]
mod tests {
    use super::*;
    use paretonym::data::MISSING;
    use proptest::prelude::*;

    /// The naive way.
    fn numbers_of(rows: &[Vec<u32>]) -> (Vec<u32>, Vec<Vec<u32>>) {
        let mut distinct: Vec<Vec<u32>> = Vec::new();
        let number = |row: &Vec<u32>| match distinct.iter().position(|own| own == row) {
            Some(at) => at as u32,
            None => {
                distinct.push(row.clone());
                distinct.len() as u32 - 1
            }
        };
        (rows.iter().map(number).collect(), distinct)
    }

    proptest! {
        #[test]
        fn tuples_are_numbered_whatever_bits_they_need(
            rows in prop::collection::vec(
                prop::collection::vec(
                    prop_oneof![8 => 0u32..4, 2 => 0u32..5000, 1 => Just(MISSING), 1 => Just(MISSING - 3)], 7),
                0..60),
            width in 0usize..=7,
            batch in 1usize..20,
            known in any::<bool>(),
        ) {
            let rows: Vec<Vec<u32>> = rows.into_iter().map(|row| row[..width].to_vec()).collect();
            let mut numbers = TupleNumbers::new((0..width).map(|_| known.then_some(4)));
            let (mut found, mut some) = (Vec::new(), Vec::new());
            for batch in rows.chunks(batch) {
                let columns: Vec<Vec<u32>> = (0..width).map(|at| batch.iter().map(|row| row[at]).collect()).collect();
                numbers.number(&columns, batch.len(), &mut some);
                found.extend_from_slice(&some);
            }
            let (expected, distinct) = numbers_of(&rows);
            prop_assert_eq!(found, expected);
            prop_assert_eq!(numbers.len(), distinct.len());
            numbers.settle();
            for column in 0..width {
                let mut codes = Vec::new();
                numbers.each_code(column, |code| codes.push(code));
                prop_assert_eq!(codes, distinct.iter().map(|tuple| tuple[column]).collect::<Vec<_>>());
            }
            prop_assert_eq!(numbers.into_lists(), distinct.concat());
        }
    }
}
