//! What happens to each row and each column of a table on its way into a release.

use foldhash::fast::FixedState;
use hashbrown::HashSet;

use crate::data::{OtherColumns, Role};
use crate::error::{Error, Result};
use crate::study::Study;

/// What happens to a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is left out.
    Drop,
    /// Each value is replaced by a random token.
    Token,
    /// It is recoded; the position among the quasi columns.
    Recode(usize),
    /// It stays as it is, and a missing value in it is a missing value of the row.
    KeepUsed,
    /// It stays as it is.
    Keep,
}

/// The fate of each column of a table, in its order. `recoded` are the names of the quasi columns.
pub fn fates(study: &Study, names: &[String], recoded: &[&str], tokens: bool) -> Result<Vec<Fate>> {
    let place = study.data.path.display().to_string();
    let used = study.columns.iter().filter(|column| column.role.has(Role::Quasi) || column.role.has(Role::Sensitive));
    if let Some(column) = used.into_iter().find(|column| !names.contains(&column.name)) {
        return Err(Error::UnknownColumn { name: column.name.clone(), place, known: names.to_vec() });
    }
    let fate = |name: &String| {
        if let Some(at) = recoded.iter().position(|own| own == name) {
            return Ok(Fate::Recode(at));
        }
        let Some(column) = study.columns.iter().find(|column| column.name == *name) else {
            return match study.data.other_columns {
                OtherColumns::Drop => Ok(Fate::Drop),
                OtherColumns::Insensitive => Ok(Fate::Keep),
                OtherColumns::Error => Err(Error::study(format!(
                    "{place} has the column {name:?}, which the study does not name; describe it, or set [data] \
                     other_columns = \"insensitive\" or \"drop\""
                ))),
            };
        };
        Ok(if column.role.has(Role::Identifying) {
            if tokens { Fate::Token } else { Fate::Drop }
        } else if column.role.has(Role::Sensitive) || column.role.has(Role::Target) {
            Fate::KeepUsed
        } else {
            Fate::Keep
        })
    };
    names.iter().map(fate).collect()
}

/// The groups that stay. A row is looked up by the codes of its quasi cells and gets, per column, the set that it
/// shows: here the code itself, because one recoding holds for the whole table. A recoding that differs from region
/// to region would answer with other sets.
#[derive(Clone, Debug, Default)]
pub struct KeptGroups {
    /// Groups whose sets fit into one number, which is looked up faster.
    packed: HashSet<u128, FixedState>,
    wide: HashSet<Box<[u32]>, FixedState>,
}

/// The sets in one number; none where one is too large for its share of the bits.
fn pack(sets: &[u32]) -> Option<u128> {
    let bits = (128 / sets.len().max(1)).min(32) as u32;
    let fits = bits > 0 && sets.iter().all(|set| u64::from(*set) >> bits == 0);
    fits.then(|| sets.iter().fold(0, |key, set| key << bits | u128::from(*set)))
}

impl KeptGroups {
    /// Keeps a group.
    pub fn insert(&mut self, sets: &[u32]) {
        match pack(sets) {
            Some(number) => self.packed.insert(number),
            None => self.wide.insert(sets.into()),
        };
    }

    /// How many groups stay.
    pub fn len(&self) -> usize {
        self.packed.len() + self.wide.len()
    }

    /// Whether nothing stays.
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty() && self.wide.is_empty()
    }

    /// What a row with these codes shows in each column; none where it is suppressed.
    pub fn show<'c>(&self, codes: &'c [u32]) -> Option<&'c [u32]> {
        let stays = match pack(codes) {
            Some(number) => self.packed.contains(&number),
            None => self.wide.contains(codes),
        };
        stays.then_some(codes)
    }
}
