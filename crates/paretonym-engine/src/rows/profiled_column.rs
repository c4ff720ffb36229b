//! What a profile tells of one column.

use arrow_array::Array;
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use paretonym::data::{
    CellRule, ColumnProfile, DATE_FORMATS, Decimal, PROFILE_VALUES, Source, format_number, is_missing_sign,
};

use crate::rows::cells::Cells;
use crate::rows::interner::Interner;

/// One column on the way.
pub(crate) struct ProfiledColumn<'a> {
    rule: CellRule<'a>,
    profile: ColumnProfile,
    values: Interner,
    counts: Vec<u64>,
    /// Numbers are looked at once, not once per row; forgotten when there are too many.
    numbers: HashMap<u64, String, RandomState>,
}

impl<'a> ProfiledColumn<'a> {
    pub fn new(name: &str, source: &'a Source) -> Self {
        let profile = ColumnProfile {
            name: name.to_owned(),
            min: f64::NAN,
            max: f64::NAN,
            shortest: usize::MAX,
            ..ColumnProfile::default()
        };
        ProfiledColumn {
            rule: source.cell_rule(),
            profile,
            values: Interner::default(),
            counts: Vec::new(),
            numbers: HashMap::default(),
        }
    }

    /// Takes cells that were counted where they live: each once, with how often it occurs.
    pub fn take_counted(&mut self, cells: &Cells, times: &[u64]) {
        times.iter().enumerate().for_each(|(row, times)| self.add(&cells.show(row), *times));
    }

    pub fn take(&mut self, cells: &Cells) {
        match cells {
            Cells::Slices(cells) => cells.iter().for_each(|text| self.add(text, 1)),
            Cells::Text(texts) => texts.iter().for_each(|text| self.add(text.unwrap_or(""), 1)),
            Cells::Dictionary(keys, texts) => {
                // In the order in which they are met, each text once per batch.
                let mut counts = vec![0; texts.len()];
                let mut met = Vec::new();
                let mut nulls = 0;
                for key in keys.iter() {
                    match key.map(|key| key as usize).filter(|key| !texts.is_null(*key)) {
                        None => nulls += 1,
                        Some(key) => {
                            if counts[key] == 0 {
                                met.push(key);
                            }
                            counts[key] += 1;
                        }
                    }
                }
                self.add("", nulls);
                met.into_iter().for_each(|key| self.add(texts.value(key), counts[key]));
            }
            Cells::Integers(integers) => {
                for integer in integers.iter() {
                    self.number(integer.map(|integer| (integer as u64, integer)), |integer| integer.to_string());
                }
            }
            Cells::Floats(floats) => {
                for float in floats.iter() {
                    self.number(float.map(|float| (float.to_bits(), float)), format_number);
                }
            }
        }
    }

    fn number<T>(&mut self, number: Option<(u64, T)>, show: impl Fn(T) -> String) {
        let Some((bits, number)) = number else { return self.add("", 1) };
        // Taken out and put back, because adding needs the whole column.
        let text = self.numbers.remove(&bits).unwrap_or_else(|| show(number));
        self.add(&text, 1);
        if self.numbers.len() < PROFILE_VALUES {
            self.numbers.insert(bits, text);
        }
    }

    /// Adds `count` cells that hold `raw`; an empty cell is always missing here.
    fn add(&mut self, raw: &str, count: u64) {
        if count == 0 {
            return;
        }
        let text = raw.trim();
        let profile = &mut self.profile;
        profile.rows += count;
        if text.is_empty() || self.rule.is_missing(text) {
            profile.missing += count;
            return;
        }
        let length = text.chars().count();
        profile.shortest = profile.shortest.min(length);
        profile.longest = profile.longest.max(length);
        if let Some(number) = self.rule.number(text) {
            profile.numbers += count;
            profile.min = profile.min.min(number);
            profile.max = profile.max.max(number);
            let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
            if digits.bytes().all(|byte| byte.is_ascii_digit()) {
                profile.integers += count;
                profile.leading_zeros |= digits.len() > 1 && digits.starts_with('0');
            }
        } else if self.rule.decimal == Decimal::Point && Decimal::Comma.read(text).is_some() {
            profile.comma_numbers += count;
            profile.comma_groups += u64::from(is_grouped(text)) * count;
        }
        if self.rule.decimal == Decimal::Point && text.contains('.') && Decimal::Comma.read(text).is_none() {
            profile.point_numbers += u64::from(self.rule.number(text).is_some()) * count;
        }
        // The shortest date has eight characters, the longest with its time and zone about thirty.
        if (7..=36).contains(&text.len()) && text.as_bytes()[0].is_ascii_digit() {
            for (dates, format) in profile.dates.iter_mut().zip(DATE_FORMATS) {
                if let Some(date) = format.read(text) {
                    *dates += count;
                    profile.times |= !date.time.is_empty();
                }
            }
        }
        match self.values.find(text) {
            Some(id) => self.counts[id as usize] += count,
            // Signs for "missing" are few, and everything else depends on knowing them.
            None if self.values.len() < PROFILE_VALUES || is_missing_sign(text) => {
                self.values.add(text);
                self.counts.push(count);
            }
            None => profile.more_values = true,
        }
    }

    pub fn finish(self) -> ColumnProfile {
        let mut profile = self.profile;
        if profile.shortest == usize::MAX {
            profile.shortest = 0;
        }
        let value = |id: usize| (self.values.get(id as u32).to_owned(), self.counts[id]);
        profile.values = (0..self.values.len()).map(value).collect();
        profile.values.sort_unstable();
        profile
    }
}

/// Whether every comma has three digits behind it: `1,234,567`.
fn is_grouped(text: &str) -> bool {
    text.split(',').skip(1).all(|group| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit()))
}
