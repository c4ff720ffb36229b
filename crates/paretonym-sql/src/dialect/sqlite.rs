//! SQLite, where every cell has a type of its own.

use super::{ColumnFacts, Habits, TokenMaker, standard_literal};

pub(super) const HABITS: Habits = Habits {
    name: "sqlite",
    driver: "sqlite",
    quote: '"',
    file_option: Some("uri"),
    reads_files: false,
    greetings: &[],
    text_type: "TEXT",
    kind_of: None,
    cell,
    // The driver guesses types from the first rows of an answer, and fails where later ones differ.
    all_texts: true,
    random: "random()",
    temporary: Some("CREATE TEMPORARY TABLE {}"),
    transactions: true,
    distinct_text: text_of,
    bucket: None,
    in_order: Some(|number| format!("GROUP_CONCAT({number}, ',' ORDER BY {number})")),
    number_type: "REAL",
    ingests: true,
    made_by: "CREATE TABLE {} AS",
    renamed_in_full: false,
    literal: standard_literal,
    tokens: TokenMaker::Here,
    joins_as_written: None,
    sorted_at_once: None,
    tables: Some(tables),
};

/// A text for every cell. That of a number has fifteen digits, or as many as it takes to tell it from all others. A column may
/// have a collation that takes two texts for one; what comes out of a CASE has none.
fn cell(facts: &ColumnFacts) -> String {
    text_of(facts.quoted)
}

fn text_of(own: &str) -> String {
    format!(
        "CASE typeof({own}) WHEN 'blob' THEN '\\x' || lower(hex({own})) \
         WHEN 'real' THEN CASE WHEN CAST(CAST({own} AS TEXT) AS REAL) = {own} THEN CAST({own} AS TEXT) ELSE printf('%!.17g', {own}) END \
         WHEN 'null' THEN NULL ELSE CAST({own} AS TEXT) || '' END COLLATE BINARY"
    )
}

/// The names of the tables in a database that is attached, or in the main one.
fn tables(schema: Option<&str>) -> String {
    format!("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = {}", schema.unwrap_or("'main'"))
}
