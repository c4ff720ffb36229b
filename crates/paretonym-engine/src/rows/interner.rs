//! Numbers texts in the order in which they are met, without an allocation per text.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// Distinct texts, numbered from 0.
#[derive(Default)]
pub(crate) struct Interner {
    hasher: RandomState,
    table: HashTable<u32>,
    text: String,
    ends: Vec<usize>,
}

impl Interner {
    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The number of a known text.
    pub fn find(&self, text: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(text.as_bytes());
        self.table.find(hash, |id| self.get(*id) == text).copied()
    }

    /// The number of a text, which gets one where it is new.
    pub fn intern(&mut self, text: &str) -> u32 {
        match self.find(text) {
            Some(id) => id,
            None => self.add(text),
        }
    }

    /// Adds a text that is known to be new.
    pub fn add(&mut self, text: &str) -> u32 {
        let id = u32::try_from(self.ends.len()).expect("fewer than 2^32 distinct values");
        self.text.push_str(text);
        self.ends.push(self.text.len());
        let Interner { hasher, table, text: all, ends } = self;
        let get = |id: u32| slice(all, ends, id).as_bytes();
        table.insert_unique(hasher.hash_one(text.as_bytes()), id, |id| hasher.hash_one(get(*id)));
        id
    }

    /// The text of a number.
    pub fn get(&self, id: u32) -> &str {
        slice(&self.text, &self.ends, id)
    }
}

fn slice<'a>(text: &'a str, ends: &[usize], id: u32) -> &'a str {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &text[start..ends[id]]
}
