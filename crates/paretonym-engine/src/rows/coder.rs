//! Turns the cells of one column into codes.

use arrow_array::{Array, StringArray};
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use paretonym::data::{CellRule, Decimal, Dictionary, Encoding, MISSING, format_number};

use crate::rows::cells::{Cells, Span, TextCells};
use crate::rows::interner::Interner;
use crate::rows::recent::{RecentCodes, cell_words};

/// The code of a cell that the column's encoding refuses.
pub(crate) const INVALID: u32 = MISSING - 1;

/// Stands for "not coded yet" while a dictionary is translated.
const UNKNOWN: u32 = INVALID - 1;

/// Raw cells whose codes are remembered. Past that, as in a column of measurements that are put into bins, codes are
/// computed anew: memory must not grow with the rows.
const REMEMBERED: usize = 1 << 16;

/// One column's coder; each worker has its own, and codes of texts and numbers are its own until they are merged.
pub(crate) struct Coder<'a> {
    encoding: &'a Encoding,
    rule: CellRule<'a>,
    /// What a null means: an empty cell in a text file, a missing one in Parquet.
    null_is_empty: bool,
    /// Short and longer cells that were met lately, and numbers.
    short: RecentCodes<2>,
    longer: RecentCodes<4>,
    recent: RecentCodes<1>,
    cells: Interner,
    cell_codes: Vec<u32>,
    numbers: HashMap<u64, u32, RandomState>,
    /// The last dictionary of a Parquet file and the codes of its texts.
    translated: Option<(StringArray, Vec<u32>)>,
    /// Labels, or the texts met so far.
    texts: Interner,
    /// The position of each label; a label that is declared twice keeps its first one.
    label_codes: Vec<u32>,
    /// The numbers met so far.
    values: Vec<f64>,
    value_codes: HashMap<u64, u32, RandomState>,
}

impl<'a> Coder<'a> {
    /// A coder of a text or of a Parquet file that has met nothing yet.
    pub fn new(encoding: &'a Encoding, rule: CellRule<'a>, null_is_empty: bool) -> Self {
        let mut texts = Interner::default();
        let mut label_codes = Vec::new();
        let mut declare = |labels: &[String], code: &dyn Fn(usize) -> u32| {
            for (position, label) in labels.iter().enumerate() {
                if texts.find(label.trim()).is_none() {
                    texts.add(label.trim());
                    label_codes.push(code(position));
                }
            }
        };
        match encoding {
            Encoding::Labels(labels) => declare(labels, &|position| position as u32),
            Encoding::Known { values: Dictionary::Text(labels), codes } => declare(labels, &|position| codes[position]),
            _ => {}
        }
        Coder {
            encoding,
            rule,
            null_is_empty,
            short: RecentCodes::new(UNKNOWN),
            longer: RecentCodes::new(UNKNOWN),
            recent: RecentCodes::new(UNKNOWN),
            cells: Interner::default(),
            cell_codes: Vec::new(),
            numbers: HashMap::default(),
            translated: None,
            texts,
            label_codes,
            values: Vec::new(),
            value_codes: HashMap::default(),
        }
    }

    /// Puts the codes of a batch in their places, one for each row.
    pub fn fill<'c>(&mut self, cells: &Cells, places: impl Iterator<Item = &'c mut u32>) {
        let null = if self.null_is_empty { self.text("") } else { MISSING };
        match cells {
            Cells::Slices(cells) => {
                for (place, span) in places.zip(cells.spans) {
                    *place = self.slice(*cells, *span);
                }
            }
            Cells::Text(texts) => {
                for (place, text) in places.zip(texts.iter()) {
                    *place = text.map_or(null, |text| self.text(text));
                }
            }
            Cells::Dictionary(keys, texts) => {
                // Batches of a row group share their dictionary. Only texts that occur are coded: it may hold others.
                let (_, mut known) = self
                    .translated
                    .take()
                    .filter(|(last, _)| same(last, texts))
                    .unwrap_or_else(|| (texts.clone(), Vec::new()));
                known.resize(texts.len(), UNKNOWN);
                // Most columns have no nulls; without a look for them it takes half the time.
                if keys.null_count() == 0 {
                    for (place, key) in places.zip(keys.values()) {
                        let known = &mut known[*key as usize];
                        if *known == UNKNOWN {
                            *known = self.listed(texts, *key as usize, null);
                        }
                        *place = *known;
                    }
                } else {
                    for (place, key) in places.zip(keys) {
                        *place = key.map_or(null, |key| {
                            let known = &mut known[key as usize];
                            if *known == UNKNOWN {
                                *known = self.listed(texts, key as usize, null);
                            }
                            *known
                        });
                    }
                }
                self.translated = Some((texts.clone(), known));
            }
            Cells::Integers(integers) => {
                let mut code = |integer: i64| self.number(integer as u64, |coder| coder.resolve(&integer.to_string()));
                if integers.null_count() == 0 {
                    places.zip(integers.values()).for_each(|(place, integer)| *place = code(*integer));
                } else {
                    places.zip(integers).for_each(|(place, integer)| *place = integer.map_or(null, &mut code));
                }
            }
            Cells::Floats(floats) => {
                for (place, float) in places.zip(floats.iter()) {
                    *place = float.map_or(null, |float| {
                        self.number(float.to_bits(), |coder| coder.resolve(&format_number(float)))
                    });
                }
            }
        }
    }

    /// The code of a part of a text.
    #[inline]
    fn slice(&mut self, cells: TextCells, span: Span) -> u32 {
        let (start, length) = (span.start as usize, (span.end - span.start) as usize);
        if let Some(words) = cell_words::<2>(cells.bytes, start, length) {
            return self.short.find(&words).unwrap_or_else(|| {
                let code = self.text(cells.at(span));
                self.short.put(words, code);
                code
            });
        }
        if let Some(words) = cell_words::<4>(cells.bytes, start, length) {
            return self.longer.find(&words).unwrap_or_else(|| {
                let code = self.text(cells.at(span));
                self.longer.put(words, code);
                code
            });
        }
        self.text(cells.at(span))
    }

    /// The code of a text of a Parquet file's dictionary.
    #[cold]
    fn listed(&mut self, texts: &StringArray, key: usize, null: u32) -> u32 {
        if texts.is_null(key) { null } else { self.text(texts.value(key)) }
    }

    /// The code of a cell by its raw text.
    fn text(&mut self, raw: &str) -> u32 {
        if let Some(id) = self.cells.find(raw) {
            return self.cell_codes[id as usize];
        }
        let code = self.resolve(raw);
        if self.cells.len() < REMEMBERED {
            self.cells.add(raw);
            self.cell_codes.push(code);
        }
        code
    }

    /// The code of a number by its bits.
    #[inline]
    fn number(&mut self, bits: u64, resolve: impl FnOnce(&mut Self) -> u32) -> u32 {
        if let Some(code) = self.recent.find(&[bits]) {
            return code;
        }
        let known = self.numbers.get(&bits).copied();
        let code = known.unwrap_or_else(|| resolve(self));
        if known.is_none() && self.numbers.len() < REMEMBERED {
            self.numbers.insert(bits, code);
        }
        self.recent.put([bits], code);
        code
    }

    /// The code of a cell, worked out from its text.
    fn resolve(&mut self, raw: &str) -> u32 {
        let text = raw.trim();
        if self.rule.is_missing(text) {
            return MISSING;
        }
        match self.encoding {
            Encoding::Known { values: Dictionary::Numbers(numbers), codes } => {
                let place = |number: f64| numbers.binary_search_by(|own| own.total_cmp(&(number + 0.0))).ok();
                self.rule.number(text).and_then(place).map_or(INVALID, |position| codes[position])
            }
            Encoding::Labels(_) | Encoding::Known { .. } => {
                self.texts.find(text).map_or(INVALID, |id| self.label_codes[id as usize])
            }
            Encoding::Text => self.texts.intern(text),
            Encoding::Bins { edges, closed } => match self.rule.number(text) {
                Some(number) => bin(edges, *closed, number).unwrap_or(INVALID),
                None => INVALID,
            },
            Encoding::Numbers => match self.rule.number(text) {
                // Adding zero turns -0 into 0, which it equals.
                Some(number) => {
                    let number = number + 0.0;
                    *self.value_codes.entry(number.to_bits()).or_insert_with(|| {
                        self.values.push(number);
                        (self.values.len() - 1) as u32
                    })
                }
                None => INVALID,
            },
        }
    }

    /// The code of a text, where it was met.
    pub fn met(&self, text: &str) -> Option<u32> {
        self.texts.find(text)
    }

    /// Meets texts before the first batch, so that they get the first codes.
    pub fn meet<'t>(&mut self, texts: impl Iterator<Item = &'t str>) {
        texts.for_each(|text| {
            self.texts.intern(text);
        });
    }

    /// Why a cell was refused, and what to do.
    pub fn problem(&self, cell: &str) -> String {
        match self.encoding {
            Encoding::Known { .. } => "which was not there before: the table has changed meanwhile".to_owned(),
            Encoding::Labels(labels) => {
                let known: Vec<&str> = labels.iter().take(8).map(String::as_str).collect();
                let more = if labels.len() > known.len() { ", …" } else { "" };
                format!(
                    "which is not among its {} declared values ({}{more}); \
                     add it to the column's order or taxonomy, or to `missing`",
                    labels.len(),
                    known.join(", ")
                )
            }
            Encoding::Bins { edges, .. } if self.rule.number(cell).is_some() => {
                let (low, high) = (edges.first().copied(), edges.last().copied());
                let (low, high) = (low.unwrap_or(f64::NAN), high.unwrap_or(f64::NAN));
                format!(
                    "which is outside of its range from {} to {}; widen the column's `range`, or correct the cell",
                    format_number(low),
                    format_number(high)
                )
            }
            _ if self.rule.decimal == Decimal::Point && Decimal::Comma.read(cell).is_some() => {
                "which is a number only with a decimal comma; set [data] decimal = \",\", or make the column categorical"
                    .to_owned()
            }
            _ => "which is not a number; correct it, add it to `missing`, or make the column categorical".to_owned(),
        }
    }

    /// The texts and the numbers met, by code.
    pub fn into_dictionary(self) -> (Interner, Vec<f64>) {
        (self.texts, self.values)
    }
}

/// Whether two lists of texts are one and the same in memory.
fn same(left: &StringArray, right: &StringArray) -> bool {
    left.len() == right.len()
        && left.values().as_ptr() == right.values().as_ptr()
        && left.offsets().as_ptr() == right.offsets().as_ptr()
}

/// The bin of a number.
fn bin(edges: &[f64], closed: bool, number: f64) -> Option<u32> {
    let above = edges.partition_point(|edge| *edge <= number);
    if above == 0 {
        return None;
    }
    if above < edges.len() {
        return Some((above - 1) as u32);
    }
    // At or past the last edge.
    (closed && edges.len() >= 2 && number == edges[edges.len() - 1]).then(|| (edges.len() - 2) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: CellRule<'static> = CellRule { missing: &[], decimal: Decimal::Point };

    #[test]
    fn bins_are_half_open() {
        let edges = [0.0, 5.0, 10.0];
        let bins = |closed| [-0.1, 0.0, 4.9, 5.0, 9.99, 10.0, 10.1].map(|number| bin(&edges, closed, number));
        assert_eq!(bins(false), [None, Some(0), Some(0), Some(1), Some(1), None, None]);
        assert_eq!(bins(true), [None, Some(0), Some(0), Some(1), Some(1), Some(1), None]);
    }

    #[test]
    fn numbers_that_are_equal_share_a_code() {
        let rule = CellRule { missing: &["?".to_owned()], decimal: Decimal::Point };
        let mut coder = Coder::new(&Encoding::Numbers, rule, true);
        let codes = ["5", " 5.0 ", "-0", "0", "5e0", "?", "x", "inf", ""].map(|cell| coder.text(cell));
        assert_eq!(codes, [0, 0, 1, 1, 0, MISSING, INVALID, INVALID, INVALID]);
    }

    #[test]
    fn decimal_commas_are_read_where_the_source_says_so() {
        let mut coder = Coder::new(&Encoding::Numbers, CellRule { missing: &[], decimal: Decimal::Comma }, true);
        assert_eq!(["3,5", "3,50", "1.000", "1000", "3.5"].map(|cell| coder.text(cell)), [0, 0, 1, 1, INVALID]);
        let points = Coder::new(&Encoding::Numbers, PLAIN, true);
        assert!(points.problem("3,5").contains("decimal = \",\""), "{}", points.problem("3,5"));
        assert!(points.problem("x").contains("not a number"));
    }

    #[test]
    fn a_label_declared_twice_shifts_no_other() {
        let encoding = Encoding::Labels(["a", "a", "b "].map(str::to_owned).to_vec());
        let mut coder = Coder::new(&encoding, PLAIN, true);
        assert_eq!(["a", "b", "c"].map(|cell| coder.text(cell)), [0, 2, INVALID]);
    }

    #[test]
    fn memory_of_raw_cells_is_bounded() {
        let encoding = Encoding::Bins { edges: vec![0.0, 1e9], closed: false };
        let mut coder = Coder::new(&encoding, PLAIN, true);
        for number in 0..REMEMBERED + 100 {
            assert_eq!(coder.text(&number.to_string()), 0);
        }
        assert_eq!(coder.cells.len(), REMEMBERED);
    }
}
