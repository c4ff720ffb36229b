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
    groups: HashSet<Box<[u32]>, FixedState>,
}

impl KeptGroups {
    /// Keeps a group.
    pub fn insert(&mut self, sets: &[u32]) {
        self.groups.insert(sets.into());
    }

    /// How many groups stay.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether nothing stays.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// What a row with these codes shows in each column; none where it is suppressed.
    pub fn show<'c>(&self, codes: &'c [u32]) -> Option<&'c [u32]> {
        self.groups.contains(codes).then_some(codes)
    }

    /// Whether some group that stays has exactly these sets.
    pub fn any(&self, test: impl Fn(&[u32]) -> bool) -> bool {
        self.groups.iter().any(|sets| test(sets))
    }
}
