//! Turns the cells of one quasi column into the sets that they show, or into single values where sets differ from region
//! to region.

use arrow_array::{Array, StringArray};
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use paretonym::data::{Decimal, Source, format_number};
use paretonym::release::{Finder, Mapping, SavedColumn};

use crate::rows::cells::Cells;

/// A cell that means "missing", where that is no value of its own.
pub(crate) const ABSENT: u32 = u32::MAX;

/// A cell that the recoding does not know.
pub(crate) const UNKNOWN: u32 = u32::MAX - 1;

/// Stands for "not looked up yet" while a dictionary is translated.
const UNSEEN: u32 = u32::MAX - 2;

/// Raw cells that are remembered, so that memory does not grow with the rows.
const REMEMBERED: usize = 1 << 16;

/// One column's recoder.
pub(crate) struct Recoder<'a> {
    column: &'a SavedColumn,
    finder: Finder<'a>,
    missing: &'a [String],
    decimal: Decimal,
    /// The set of a missing cell, or [`ABSENT`].
    absent: u32,
    /// Whether an unknown number goes where the nearest known one goes.
    nearest: bool,
    null_is_empty: bool,
    texts: HashMap<String, u32, RandomState>,
    numbers: HashMap<u64, u32, RandomState>,
    translated: Option<(StringArray, Vec<u32>)>,
}

impl<'a> Recoder<'a> {
    pub fn new(column: &'a SavedColumn, source: &'a Source, nearest: bool, null_is_empty: bool) -> Self {
        Recoder {
            column,
            finder: Finder::new(column),
            missing: &source.missing,
            decimal: source.decimal,
            absent: column.missing.as_deref().and_then(|label| column.code(label)).unwrap_or(ABSENT),
            nearest,
            null_is_empty,
            texts: HashMap::default(),
            numbers: HashMap::default(),
            translated: None,
        }
    }

    /// Writes the sets of a batch into column `at` of a row-major table of `width` columns.
    pub fn fill(&mut self, cells: &Cells, codes: &mut [u32], at: usize, width: usize) {
        let places = codes.iter_mut().skip(at).step_by(width);
        let null = if self.null_is_empty { self.text("") } else { self.absent };
        match cells {
            Cells::Text(texts) => {
                for (place, text) in places.zip(texts.iter()) {
                    *place = text.map_or(null, |text| self.text(text));
                }
            }
            Cells::Dictionary(keys, texts) => {
                let same =
                    |last: &StringArray| last.len() == texts.len() && last.values().as_ptr() == texts.values().as_ptr();
                let known = self.translated.take().filter(|(last, _)| same(last));
                let mut known = known.map_or_else(|| vec![UNSEEN; texts.len()], |(_, known)| known);
                for (place, key) in places.zip(keys.iter()) {
                    *place = match key.map(|key| key as usize).filter(|key| !texts.is_null(*key)) {
                        None => null,
                        Some(key) => {
                            if known[key] == UNSEEN {
                                known[key] = self.text(texts.value(key));
                            }
                            known[key]
                        }
                    };
                }
                self.translated = Some((texts.clone(), known));
            }
            Cells::Integers(integers) => {
                for (place, integer) in places.zip(integers.iter()) {
                    *place = integer.map_or(null, |integer| self.number(integer as u64, || integer.to_string()));
                }
            }
            Cells::Floats(floats) => {
                for (place, float) in places.zip(floats.iter()) {
                    *place = float.map_or(null, |float| self.number(float.to_bits(), || format_number(float)));
                }
            }
        }
    }

    fn text(&mut self, raw: &str) -> u32 {
        if let Some(set) = self.texts.get(raw) {
            return *set;
        }
        let set = self.resolve(raw);
        if self.texts.len() < REMEMBERED {
            self.texts.insert(raw.to_owned(), set);
        }
        set
    }

    fn number(&mut self, bits: u64, show: impl FnOnce() -> String) -> u32 {
        if let Some(set) = self.numbers.get(&bits) {
            return *set;
        }
        let set = self.resolve(&show());
        if self.numbers.len() < REMEMBERED {
            self.numbers.insert(bits, set);
        }
        set
    }

    fn resolve(&self, raw: &str) -> u32 {
        let text = raw.trim();
        if self.missing.iter().any(|missing| missing.trim() == text) {
            return self.absent;
        }
        if let Mapping::Values { .. } = self.column.mapping {
            return self.finder.text(text).unwrap_or(UNKNOWN);
        }
        let Some(number) = self.decimal.read(text) else { return UNKNOWN };
        let nearest = || self.column.nearest(number).filter(|_| self.nearest).and_then(|label| self.column.code(label));
        self.finder.number(number).or_else(nearest).unwrap_or(UNKNOWN)
    }
}
