//! The distinct texts of a column that stays as it is: rows that wait for their place hold two bytes instead of a text.
//!
//! Texts are numbered as the workers meet them. The numbers depend on the order of the table and on who was faster; they
//! serve for looking up, and nothing that is written depends on them.

use std::sync::{Mutex, PoisonError};

use arrow_array::{Array, Int32Array, StringArray};
use arrow_schema::ArrowError;

use super::store::{Picked, Store};
use crate::rows::interner::Interner;

/// The number of a text that is not there.
pub(super) const NO_TEXT: u32 = u16::MAX as u32;

/// The most bytes that the texts of a column may take.
const LARGEST: usize = 4 << 20;

/// The texts of one column, which all workers share.
#[derive(Default)]
pub(super) struct SharedTexts {
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    texts: Interner,
    bytes: usize,
    /// Whether there were too many: then no text is numbered any more, and none that was is written as a number.
    full: bool,
}

/// The texts of one column when all of them are known.
pub(super) struct KnownTexts {
    texts: Interner,
    /// Whether every text has a number.
    pub all: bool,
}

impl SharedTexts {
    /// When everybody has finished.
    pub fn into_known(self) -> KnownTexts {
        let held = self.held.into_inner().unwrap_or_else(PoisonError::into_inner);
        KnownTexts { texts: held.texts, all: !held.full }
    }

    /// The numbers of all texts of a list; none where there are too many.
    fn numbers(&self, texts: &StringArray) -> Option<Vec<u32>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let mut number = |text: &str| {
            if held.full {
                return None;
            }
            if let Some(number) = held.texts.find(text) {
                return Some(number);
            }
            held.bytes += text.len();
            held.full = held.bytes > LARGEST || held.texts.len() as u32 == NO_TEXT;
            (!held.full).then(|| held.texts.add(text))
        };
        texts.iter().map(|text| text.map_or(Some(NO_TEXT), &mut number)).collect()
    }

    /// Replaces the numbers in a store by their texts.
    fn unpack(&self, store: &mut Store) -> Result<(), ArrowError> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        unpack(&held.texts, store)
    }
}

impl KnownTexts {
    /// The text of a number.
    pub fn get(&self, number: u32) -> &str {
        self.texts.get(number)
    }

    /// Replaces the numbers in a store by their texts.
    pub fn unpack(&self, store: &mut Store) -> Result<(), ArrowError> {
        unpack(&self.texts, store)
    }
}

fn unpack(texts: &Interner, store: &mut Store) -> Result<(), ArrowError> {
    let Store::Fixed { bytes, .. } = store else { return Ok(()) };
    let mut unpacked = Store::text();
    for number in bytes.as_chunks::<2>().0 {
        let number = u32::from(u16::from_le_bytes(*number));
        unpacked.push_cell((number != NO_TEXT).then(|| texts.get(number).as_bytes()))?;
    }
    *store = unpacked;
    Ok(())
}

/// One worker's view of the texts of a column.
pub(super) struct TextNumbers<'a> {
    shared: &'a SharedTexts,
    /// The last list of texts and their numbers: the batches of a row group share theirs.
    last: Option<(StringArray, Vec<u32>)>,
}

impl<'a> TextNumbers<'a> {
    pub fn new(shared: &'a SharedTexts) -> Self {
        TextNumbers { shared, last: None }
    }

    /// Appends picked cells, as numbers as long as that is possible.
    pub fn push(
        &mut self,
        store: &mut Store,
        (keys, texts): (&Int32Array, &StringArray),
        picked: Picked,
    ) -> Result<(), ArrowError> {
        let star = |at: usize| picked.stars.is_some_and(|stars| stars[at]);
        let key = |(at, row): (usize, &u32)| {
            let row = *row as usize;
            (!star(at) && !keys.is_null(row)).then(|| keys.value(row) as usize)
        };
        let rows = picked.rows.iter().enumerate().map(key);
        if matches!(store, Store::Fixed { .. }) {
            let known = self.last.take().filter(|(last, _)| same(last, texts)).map(|(_, numbers)| numbers);
            if let Some(numbers) = known.or_else(|| self.shared.numbers(texts)) {
                store.push_numbers(rows.map(|key| key.map_or(NO_TEXT, |key| numbers[key])));
                self.last = Some((texts.clone(), numbers));
                return Ok(());
            }
            self.shared.unpack(store)?;
        }
        for key in rows {
            let key = key.filter(|key| !texts.is_null(*key));
            store.push_cell(key.map(|key| texts.value(key).as_bytes()))?;
        }
        Ok(())
    }
}

/// Whether two lists of texts are one and the same in memory.
pub(super) fn same(left: &StringArray, right: &StringArray) -> bool {
    left.len() == right.len()
        && left.values().as_ptr() == right.values().as_ptr()
        && left.offsets().as_ptr() == right.offsets().as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(store: &Store, rows: usize) -> Vec<u8> {
        store.texts_in_order(&(0..rows as u32).collect::<Vec<_>>())
    }

    #[test]
    fn too_many_texts_are_kept_as_they_are() {
        let shared = SharedTexts::default();
        let (mut one, mut two) = (TextNumbers::new(&shared), TextNumbers::new(&shared));
        let mut first = Store::fixed(2);
        let few = StringArray::from(vec![Some("a"), None, Some("b")]);
        let picked = Picked { rows: &[0, 1, 2, 3], stars: Some(&[false, false, false, true]) };
        one.push(&mut first, (&Int32Array::from(vec![Some(2), Some(1), None, Some(0)]), &few), picked).unwrap();
        let numbers = first.numbers_in_order(&[0, 1, 2, 3]);
        assert_eq!(numbers, [1, NO_TEXT, NO_TEXT, NO_TEXT]);

        let many = StringArray::from_iter_values((0..70_000).map(|text| text.to_string()));
        let mut second = Store::fixed(2);
        let picked = Picked { rows: &[0, 1], stars: None };
        two.push(&mut second, (&Int32Array::from(vec![69_999, 7]), &many), picked).unwrap();
        assert_eq!(stored(&second, 2), b"699997");
        // A list that was numbered before may go on; in the end nothing is a number.
        one.push(&mut first, (&Int32Array::from(vec![0, 2]), &few), picked).unwrap();
        let known = shared.into_known();
        assert!(!known.all);
        known.unpack(&mut first).unwrap();
        assert_eq!(stored(&first, 6), b"bab");
    }
}
