//! The rows of a later table by the sets of a saved recoding that they show.

use std::collections::{BTreeMap, HashMap};

use super::{BoxFinder, Finder, SavedColumn, SavedRecoding, Unknown};
use crate::data::{Counted, Dictionary, MISSING};
use crate::error::{Error, Result};

/// Groups of rows that show the same sets.
#[derive(Default)]
pub(super) struct Joined {
    /// The sets of each group, one group after the other.
    pub tuples: Vec<u32>,
    /// Rows of each group.
    pub counts: Vec<u64>,
    /// The group of each tuple that was counted.
    pub group_of: Vec<u32>,
    /// Where the recoding is local: the codes of each tuple whose values are all known, and its group.
    pub local: Vec<(Vec<u32>, u32)>,
    /// Rows whose values are all known but lie together in no region, and that go.
    pub homeless: u64,
    /// Such rows that show the nearest region instead.
    pub moved_rows: u64,
}

/// Finds the sets of tuples.
pub(super) struct Joining<'a> {
    /// Per column the code of each value of its dictionary.
    codes_of: Vec<Vec<Option<u32>>>,
    /// Per column the code of a missing cell.
    absent: Vec<Option<u32>>,
    /// Where a value is unknown, its row shows a set of its own: one more than there are.
    pub outside: Vec<u32>,
    /// Where the recoding is local.
    pub boxes: Option<BoxFinder<'a>>,
    unknown: Unknown,
}

impl<'a> Joining<'a> {
    /// For the values that were counted; those that went to the nearest known one are added to `moved`.
    pub fn new(
        saved: &'a SavedRecoding,
        counted: &Counted,
        unknown: Unknown,
        place: &str,
        moved: &mut BTreeMap<String, u64>,
    ) -> Result<Self> {
        let codes_of = saved
            .columns
            .iter()
            .zip(&counted.dictionaries)
            .map(|(column, dictionary)| codes_of(column, dictionary, unknown, place, moved))
            .collect::<Result<Vec<Vec<Option<u32>>>>>()?;
        Ok(Joining {
            codes_of,
            absent: saved.columns.iter().map(SavedColumn::missing_code).collect(),
            outside: saved.columns.iter().map(|column| column.sets.len() as u32).collect(),
            boxes: BoxFinder::new(saved),
            unknown,
        })
    }

    /// Joins the tuples that show the same sets.
    pub fn join(&self, counted: &Counted) -> Joined {
        let mut joined = Joined::default();
        let mut groups: HashMap<Vec<u32>, u32> = HashMap::new();
        for (tuple, count) in counted.counts.iter().enumerate() {
            let codes = self.codes(counted.tuple(tuple));
            let (sets, own) = match &self.boxes {
                None => {
                    (codes.iter().zip(&self.outside).map(|(code, outside)| code.unwrap_or(*outside)).collect(), None)
                }
                Some(boxes) => {
                    let own: Option<Vec<u32>> = codes.into_iter().collect();
                    (self.region(boxes, own.as_deref(), count, &mut joined), own)
                }
            };
            let next = joined.counts.len() as u32;
            let group = *groups.entry(sets).or_insert_with_key(|sets| {
                joined.tuples.extend_from_slice(sets);
                joined.counts.push(0);
                next
            });
            joined.counts[group as usize] += count;
            joined.group_of.push(group);
            joined.local.extend(own.map(|codes| (codes, group)));
        }
        joined
    }

    /// The codes of a counted tuple; none for a value that is unknown.
    fn codes(&self, raw: impl Iterator<Item = u32>) -> Vec<Option<u32>> {
        let code = |(at, raw): (usize, u32)| match raw {
            MISSING => self.absent[at],
            code => self.codes_of[at][code as usize],
        };
        raw.enumerate().map(code).collect()
    }

    /// The sets of the region that a tuple of known values lies in, or is nearest to where that was asked for.
    fn region(&self, boxes: &BoxFinder, codes: Option<&[u32]>, count: u64, joined: &mut Joined) -> Vec<u32> {
        let Some(own) = codes else { return self.outside.clone() };
        if let Some(sets) = boxes.holding(own) {
            return sets.to_vec();
        }
        let nearest = if self.unknown == Unknown::Nearest { boxes.nearest(own) } else { None };
        match nearest {
            Some(sets) => {
                joined.moved_rows += count;
                sets.to_vec()
            }
            None => {
                joined.homeless += count;
                self.outside.clone()
            }
        }
    }
}

/// The code of each value that occurs; none where it is unknown and its rows go.
fn codes_of(
    column: &SavedColumn,
    dictionary: &Dictionary,
    unknown: Unknown,
    place: &str,
    moved: &mut BTreeMap<String, u64>,
) -> Result<Vec<Option<u32>>> {
    let mut lacking = |value: String, nearest: Option<&str>| match (unknown, nearest) {
        (Unknown::Suppress, _) => Ok(None),
        (Unknown::Nearest, Some(label)) => {
            *moved.entry(column.name.clone()).or_insert(0) += 1;
            Ok(column.code(label))
        }
        (Unknown::Nearest, None) => Err(Error::study(format!(
            "{place}: column {:?} holds {value:?}, which the recoding does not know and which is near to no other value, \
             because the column is not numeric; use --unknown suppress, or add the value to the recoding",
            column.name
        ))),
        (Unknown::Error, _) => Err(Error::study(format!(
            "{place}: column {:?} holds {value:?}, which the recoding does not know; use --unknown nearest (numbers), \
             --unknown suppress, or add the value to the recoding",
            column.name
        ))),
    };
    let finder = Finder::new(column);
    match dictionary {
        Dictionary::Text(texts) => texts
            .iter()
            .map(|text| match finder.text(text) {
                Some(set) => Ok(Some(set)),
                None => lacking(text.clone(), None),
            })
            .collect(),
        Dictionary::Numbers(numbers) => numbers
            .iter()
            .map(|number| match finder.number(*number) {
                Some(set) => Ok(Some(set)),
                None => lacking(crate::data::format_number(*number), column.nearest(*number)),
            })
            .collect(),
        Dictionary::Declared => Err(Error::study("the engine declared values that the recoding does not have")),
    }
}
