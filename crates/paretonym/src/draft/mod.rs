//! A first study of a table that nobody has described: every guess with its reason beside it, ready to run and to edit.

mod column;
mod facts;
mod missing;
mod signs;
mod space;
mod text;
mod words;

pub use missing::Incomplete;
pub use signs::decimal_of;

use column::ColumnDraft;
use facts::Facts;

use crate::data::{Role, Source, TableProfile};
use crate::error::{Error, Result};

/// A study and what led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The text of a `study.toml`.
    pub text: String,
    /// Why each column has its role, in the order of the table.
    pub reasons: Vec<String>,
    /// What missing values would cost, where there are any.
    pub incomplete: Option<Incomplete>,
}

/// The text of a `study.toml` for a table.
///
/// Guarantees TOML that names every column of the profile, reads the table as the profile did, and has at least one
/// quasi column where any column can be recoded without a taxonomy. What cannot be recoded is left out of a release. The
/// recodings are few enough for an exact search where dropping levels can achieve that; where it cannot, the draft says so
/// and searches by evolution.
pub fn draft(source: &Source, profile: &TableProfile) -> String {
    drafted(source, profile, &vec![false; profile.columns.len()]).text
}

/// The same with its reasons. The columns named in `keep` stay as they are, whatever they hold.
pub fn draft_keeping(source: &Source, profile: &TableProfile, keep: &[String]) -> Result<Draft> {
    let names: Vec<String> = profile.columns.iter().map(|column| column.name.clone()).collect();
    if let Some(name) = keep.iter().find(|name| !names.contains(name)) {
        let place = source.place();
        return Err(Error::UnknownColumn { name: name.clone(), place, known: names });
    }
    let kept: Vec<bool> = names.iter().map(|name| keep.contains(name)).collect();
    Ok(drafted(source, profile, &kept))
}

fn drafted(source: &Source, profile: &TableProfile, kept: &[bool]) -> Draft {
    let tokens = signs::missing_tokens(profile);
    let facts: Vec<Facts> = profile.columns.iter().map(|column| Facts::of(column, &tokens)).collect();
    let mut columns: Vec<ColumnDraft> = facts.iter().map(ColumnDraft::guess).collect();
    for ((column, facts), _) in columns.iter_mut().zip(&facts).zip(kept).filter(|(_, kept)| **kept) {
        column.keep(facts);
    }
    if !columns.iter().any(|column| column.role == Role::Quasi) {
        column::promote(&facts, &mut columns);
    }
    let space = space::shrink(&mut columns);
    let incomplete = missing::incomplete(source.on_missing, &facts, &columns);

    let mut text = text::head(profile);
    text::data(&mut text, source, profile, &tokens, incomplete.as_ref());
    for column in &columns {
        text::column(&mut text, column);
    }
    text::search(&mut text, space, columns.iter().any(|column| column.role == Role::Quasi));
    Draft { text, reasons: columns.into_iter().map(|column| column.why).collect(), incomplete }
}

#[cfg(test)]
mod tests;
