//! DuckDB: a file, or a lake of Parquet files.

use arrow_schema::DataType;

use super::{BLANKS, ColumnFacts, Habits, TokenMaker, standard_literal};

pub(super) const HABITS: Habits = Habits {
    name: "duckdb",
    driver: "duckdb",
    quote: '"',
    file_option: Some("path"),
    reads_files: true,
    // It would fetch from the network whatever it lacks to read a file.
    greetings: &["SET autoinstall_known_extensions = false"],
    text_type: "VARCHAR",
    kind_of: None,
    cell,
    all_texts: false,
    random: "random()",
    temporary: Some("CREATE TEMPORARY TABLE {}"),
    transactions: true,
    distinct_text: |value| format!("CAST({value} AS VARCHAR) COLLATE \"binary\""),
    bucket: Some(|value| format!("(hash({value}) % 64)")),
    in_order: Some(|number| format!("STRING_AGG(CAST({number} AS VARCHAR), ',' ORDER BY {number})")),
    number_type: "DOUBLE",
    ingests: true,
    made_by: "CREATE TABLE {} AS",
    renamed_in_full: false,
    literal: standard_literal,
    tokens: TokenMaker::Engine(token),
    joins_as_written: Some("SET disabled_optimizers = 'join_order,build_side_probe_side'"),
    sorted_at_once: Some(8_000_000),
    tables: Some(tables),
};

/// A column may have a collation that takes two texts for one.
fn cell(facts: &ColumnFacts) -> String {
    match facts.field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => format!("{} COLLATE \"binary\"", facts.quoted),
        DataType::Dictionary(..) | DataType::Interval(_) => format!("CAST({} AS VARCHAR)", facts.quoted),
        // Types that Arrow does not know come as bytes that nobody else can read.
        _ if facts.field.metadata().contains_key("ARROW:extension:name") => {
            format!("CAST({} AS VARCHAR)", facts.quoted)
        }
        _ => facts.quoted.to_owned(),
    }
}

fn token(outer: &str, inner: &str, value: &str) -> String {
    let value = format!("encode(trim({value}, {}))", standard_literal(BLANKS));
    format!("left(sha256({outer} || unhex(sha256({inner} || {value}))), 32)")
}

/// The names of the tables in a schema.
fn tables(schema: Option<&str>) -> String {
    let schema = schema.unwrap_or("current_schema()");
    format!("SELECT table_name FROM information_schema.tables WHERE table_schema = {schema}")
}
