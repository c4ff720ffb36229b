//! A recoding in the languages of other tools: SQL expressions and tables of values.

use super::{MappedBin, Mapping, SavedColumn, Shown};
use crate::data::format_number;

/// An expression that turns the column into what the release shows; NULL for a value that the recoding does not know.
/// Suppression of small groups cannot be said of one column alone.
pub fn case_expression(column: &SavedColumn) -> String {
    let name = identifier(&column.name);
    let shown = |label: &str| shown(column, label);
    let mut arms: Vec<(String, String)> = Vec::new();
    match &column.mapping {
        Mapping::Values { values } => {
            for run in values.chunk_by(|left, right| left.label == right.label) {
                let texts: Vec<String> = run.iter().map(|one| literal(&one.value)).collect();
                arms.push((format!("{name} IN ({})", texts.join(", ")), shown(&run[0].label)));
            }
        }
        Mapping::Numbers { numbers } => {
            for run in numbers.chunk_by(|left, right| left.label == right.label) {
                let (low, high) = (format_number(run[0].value), format_number(run[run.len() - 1].value));
                arms.push((format!("{name} >= {low} AND {name} <= {high}"), shown(&run[0].label)));
            }
        }
        Mapping::Bins { bins, closed } => {
            let runs: Vec<&[MappedBin]> = bins.chunk_by(|left, right| left.label == right.label).collect();
            for (at, run) in runs.iter().enumerate() {
                let (low, high) = (run[0].from, run[run.len() - 1].to);
                let below = if *closed && at + 1 == runs.len() { "<=" } else { "<" };
                let from = low.is_finite().then(|| format!("{name} >= {}", format_number(low)));
                let to = high.is_finite().then(|| format!("{name} {below} {}", format_number(high)));
                let test: Vec<String> = from.into_iter().chain(to).collect();
                let test = if test.is_empty() { format!("{name} IS NOT NULL") } else { test.join(" AND ") };
                arms.push((test, shown(&run[0].label)));
            }
        }
    }
    if let Some(label) = &column.missing {
        arms.push((format!("{name} IS NULL"), shown(label)));
    }
    let arms: Vec<String> = arms.iter().map(|(test, value)| format!("  WHEN {test} THEN {value}\n")).collect();
    format!("CASE\n{}END AS {name}", arms.concat())
}

/// What a cell of a set shows, as SQL.
fn shown(column: &SavedColumn, label: &str) -> String {
    match column.shown {
        Shown::Labels => literal(label),
        Shown::Median => {
            let set = column.sets.iter().find(|set| set.label == label);
            // A set of suppressed rows has no median, and the values of an expression are of one type.
            set.and_then(|set| set.median).map_or("NULL".to_owned(), format_number)
        }
    }
}

pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

pub(super) fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The mapping as rows of cells, the first being names: value and label, or from, to and label for intervals.
pub fn value_table(column: &SavedColumn) -> Vec<Vec<String>> {
    let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<String>>();
    let mut rows = Vec::new();
    match &column.mapping {
        Mapping::Values { values } => {
            rows.push(row(&["value", "label"]));
            rows.extend(values.iter().map(|one| row(&[&one.value, &one.label])));
        }
        Mapping::Numbers { numbers } => {
            rows.push(row(&["value", "label"]));
            rows.extend(numbers.iter().map(|one| row(&[&format_number(one.value), &one.label])));
        }
        Mapping::Bins { bins, .. } => {
            rows.push(row(&["from", "to", "label"]));
            let end = |number: f64| if number.is_finite() { format_number(number) } else { String::new() };
            rows.extend(bins.iter().map(|bin| row(&[&end(bin.from), &end(bin.to), &bin.label])));
        }
    }
    if let Some(label) = &column.missing {
        let mut missing = vec![String::new(); rows[0].len() - 1];
        missing.push(label.clone());
        rows.push(missing);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Kind;
    use crate::release::{MappedValue, SavedSet};

    #[test]
    fn quotes_are_doubled() {
        let column = SavedColumn {
            name: "the \"x\"".into(),
            kind: Kind::Categorical,
            shown: Shown::Labels,
            domain: 2,
            sets: vec![SavedSet { label: "*".into(), values: 2, loss: 1.0, median: None, holds: Vec::new() }],
            mapping: Mapping::Values {
                values: vec![
                    MappedValue { value: "it's".into(), label: "*".into() },
                    MappedValue { value: "b".into(), label: "*".into() },
                ],
            },
            leaves: Vec::new(),
            missing: None,
        };
        let expected = "CASE\n  WHEN \"the \"\"x\"\"\" IN ('it''s', 'b') THEN '*'\nEND AS \"the \"\"x\"\"\"";
        assert_eq!(case_expression(&column), expected);
    }

    #[test]
    fn bins_of_one_label_become_one_interval() {
        let bin = |from: f64, label: &str| MappedBin { from, to: from + 5.0, label: label.into() };
        let set = |label: &str, values| SavedSet {
            label: label.into(),
            values,
            loss: 0.0,
            median: Some(3.5),
            holds: Vec::new(),
        };
        let column = SavedColumn {
            name: "age".into(),
            kind: Kind::Numeric,
            shown: Shown::Labels,
            domain: 3,
            sets: vec![set("[0, 10)", 2), set("[10, 15]", 1)],
            mapping: Mapping::Bins {
                bins: vec![bin(0.0, "[0, 10)"), bin(5.0, "[0, 10)"), bin(10.0, "[10, 15]")],
                closed: true,
            },
            leaves: Vec::new(),
            missing: Some("[0, 10)".into()),
        };
        let sql = case_expression(&column);
        assert!(sql.contains("\"age\" >= 0 AND \"age\" < 10 THEN '[0, 10)'"), "{sql}");
        assert!(sql.contains("\"age\" >= 10 AND \"age\" <= 15 THEN '[10, 15]'"), "{sql}");
        assert!(sql.contains("\"age\" IS NULL THEN '[0, 10)'"), "{sql}");
        let median = SavedColumn { shown: Shown::Median, ..column };
        assert!(case_expression(&median).contains("THEN 3.5"));
        assert_eq!(value_table(&median).len(), 5);
    }
}
