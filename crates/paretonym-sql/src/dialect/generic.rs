//! An engine of which nothing is known but that it follows the standard: columns are asked for as they are.

use super::{ColumnFacts, Habits, TokenMaker, standard_literal};

pub(super) const HABITS: Habits = Habits {
    name: "generic",
    driver: "",
    quote: '"',
    file_option: None,
    reads_files: false,
    greetings: &[],
    text_type: "VARCHAR",
    kind_of: None,
    cell: |facts: &ColumnFacts| facts.quoted.to_owned(),
    all_texts: false,
    random: "RAND()",
    temporary: None,
    transactions: false,
    distinct_text: |value| format!("CAST({value} AS VARCHAR)"),
    bucket: None,
    in_order: None,
    number_type: "DOUBLE PRECISION",
    ingests: false,
    made_by: "CREATE TABLE {} AS",
    renamed_in_full: false,
    literal: standard_literal,
    tokens: TokenMaker::Nobody,
    joins_as_written: None,
    sorted_at_once: None,
    tables: None,
};
