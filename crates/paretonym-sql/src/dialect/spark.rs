//! Spark SQL, through Spark Connect.

use arrow_schema::DataType;

use super::{ColumnFacts, Habits, TokenMaker};

pub(super) const HABITS: Habits = Habits {
    name: "spark",
    driver: "spark",
    quote: '`',
    file_option: None,
    reads_files: false,
    greetings: &[],
    text_type: "STRING",
    kind_of: None,
    cell,
    all_texts: false,
    random: "rand()",
    temporary: None,
    transactions: false,
    distinct_text: |value| format!("CAST({value} AS STRING)"),
    bucket: Some(|value| format!("pmod(hash({value}), 64)")),
    in_order: Some(|number| format!("ARRAY_JOIN(SORT_ARRAY(COLLECT_LIST({number})), ',')")),
    number_type: "DOUBLE",
    ingests: false,
    made_by: "CREATE TABLE {} USING parquet AS",
    renamed_in_full: true,
    literal,
    tokens: TokenMaker::Nobody,
    joins_as_written: None,
    sorted_at_once: None,
    tables: None,
};

/// A column may have a collation that takes two texts for one; bytes have none, and come back as the text that they are.
fn cell(facts: &ColumnFacts) -> String {
    match facts.field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => format!("CAST({} AS BINARY)", facts.quoted),
        DataType::Interval(_) | DataType::Duration(_) => format!("CAST({} AS STRING)", facts.quoted),
        _ => facts.quoted.to_owned(),
    }
}

/// A backslash keeps its meaning in quotes, and so does a quote behind it.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
