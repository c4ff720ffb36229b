//! PostgreSQL, and those that speak as it does.

use super::{BLANKS, ColumnFacts, Habits, TokenMaker};

pub(super) const HABITS: Habits = Habits {
    name: "postgresql",
    driver: "postgres",
    quote: '"',
    file_option: None,
    reads_files: false,
    // What dates and numbers look like as texts is a setting of the server, the database or the user.
    greetings: &["SET datestyle TO 'ISO, YMD'", "SET intervalstyle TO 'iso_8601'", "SET extra_float_digits TO 1"],
    text_type: "text",
    kind_of: Some(|value| format!("CAST(pg_typeof({value}) AS text)")),
    cell,
    all_texts: false,
    random: "random()",
    temporary: Some("CREATE TEMPORARY TABLE {}"),
    transactions: true,
    distinct_text: |value| format!("CAST({value} AS text) COLLATE \"C\""),
    bucket: Some(|value| format!("(hashtextextended(CAST({value} AS text), 0) & 63)")),
    in_order: Some(|number| format!("STRING_AGG(CAST({number} AS text), ',' ORDER BY {number})")),
    number_type: "double precision",
    ingests: true,
    made_by: "CREATE TABLE {} AS",
    renamed_in_full: false,
    literal,
    tokens: TokenMaker::Engine(token),
    joins_as_written: Some("SET join_collapse_limit TO 1"),
    sorted_at_once: None,
    tables: Some(tables),
};

/// Numbers, truth values, moments and bytes come as they are. The driver hands on the bytes of most other types, pads
/// `char(n)`, and takes an infinite date for some day; as texts they are what an export says. Collations that take two texts for one must not.
fn cell(facts: &ColumnFacts) -> String {
    match facts.kind {
        Some(
            "smallint"
            | "integer"
            | "bigint"
            | "real"
            | "double precision"
            | "boolean"
            | "bytea"
            | "timestamp without time zone"
            | "timestamp with time zone",
        ) => facts.quoted.to_owned(),
        _ => format!("CAST({} AS text) COLLATE \"C\"", facts.quoted),
    }
}

/// Whether a backslash means something in plain quotes is a setting; in these it always does.
fn literal(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\'', "''");
    format!("E'{text}'")
}

fn token(outer: &str, inner: &str, value: &str) -> String {
    let value = format!("convert_to(btrim({value}, {}), 'UTF8')", literal(BLANKS));
    format!("substr(encode(sha256({outer} || sha256({inner} || {value})), 'hex'), 1, 32)")
}

/// The names of the tables in a schema.
fn tables(schema: Option<&str>) -> String {
    let schema = schema.unwrap_or("current_schema()");
    format!("SELECT CAST(table_name AS text) FROM information_schema.tables WHERE table_schema = {schema}")
}
