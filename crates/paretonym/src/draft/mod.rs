//! A first study of a table that nobody has described: every guess with its reason beside it, ready to run and to edit.

mod column;
mod facts;
mod space;
mod text;
mod words;

use column::ColumnDraft;
use facts::Facts;

use crate::data::{Role, Source, TableProfile};

/// The text of a `study.toml` for a table.
///
/// Guarantees TOML that names every column of the profile, reads the table as the profile did, and has at least one
/// quasi column where any column can be recoded without a taxonomy. The recodings are few enough for an exact search
/// where dropping levels can achieve that; where it cannot, the draft says so and searches by evolution.
pub fn draft(source: &Source, profile: &TableProfile) -> String {
    let tokens = facts::missing_tokens(profile);
    let facts: Vec<Facts> = profile.columns.iter().map(|column| Facts::of(column, &tokens)).collect();
    let mut columns: Vec<ColumnDraft> = facts.iter().map(ColumnDraft::guess).collect();
    if !columns.iter().any(|column| column.role == Role::Quasi) {
        column::promote(&facts, &mut columns);
    }
    let space = space::shrink(&mut columns);

    let mut text = text::head(profile);
    text::data(&mut text, source, profile, &tokens, text::lost_rows(&facts, &columns));
    for column in &columns {
        text::column(&mut text, column);
    }
    text::search(&mut text, space, columns.iter().any(|column| column.role == Role::Quasi));
    text
}

#[cfg(test)]
mod tests;
