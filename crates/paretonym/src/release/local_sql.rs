//! A local recoding in the languages of other tools. No column can be recoded by itself: an expression finds the region
//! of a row, and a list says what each region shows.

use super::sql::{identifier, literal};
use super::{Mapping, SavedColumn, SavedRecoding, SavedRegions, Shown};
use crate::data::format_number;
use crate::recode::LeafRun;

/// A query that finds the region of each row of `your_table` and shows what the release shows. Rows in no region, which
/// are suppressed, are left out.
pub fn region_query(saved: &SavedRecoding, regions: &SavedRegions) -> String {
    let names: Vec<String> = saved.columns.iter().map(|column| identifier(&column.name)).collect();
    let mut number = "region".to_owned();
    while saved.columns.iter().any(|column| column.name.eq_ignore_ascii_case(&number)) {
        number.push('_');
    }
    let mut arms = String::new();
    for (codes, region) in &regions.exceptions {
        let cells = saved.columns.iter().zip(codes);
        let tests: Vec<String> = cells.filter_map(|(column, code)| condition(column, &[(*code, *code)])).collect();
        let test = if tests.is_empty() { "TRUE".to_owned() } else { tests.join(" AND ") };
        let region = region.map_or("NULL".to_owned(), |region| (region + 1).to_string());
        arms += &format!("    WHEN {test} THEN {region}\n");
    }
    let mut shown: Vec<String> = Vec::new();
    for (at, sets) in regions.boxes.iter().enumerate() {
        let pairs = || saved.columns.iter().zip(sets).map(|(column, set)| (column, &column.sets[*set as usize]));
        let tests: Vec<String> = pairs().filter_map(|(column, set)| condition(column, &set.holds)).collect();
        let test = if tests.is_empty() { "TRUE".to_owned() } else { tests.join(" AND ") };
        arms += &format!("    WHEN {test} THEN {}\n", at + 1);
        let cells = pairs().map(|(column, set)| match (column.shown, set.median) {
            (Shown::Median, Some(median)) => format_number(median),
            (Shown::Median, None) => "NULL".to_owned(),
            (Shown::Labels, _) => literal(&set.label),
        });
        shown.push(format!("    ({}, {})", at + 1, cells.collect::<Vec<_>>().join(", ")));
    }
    let note = if regions.overlap {
        "-- Regions overlap here: a row shows the first that covers it, which need not be the one in the release.\n"
    } else {
        ""
    };
    let listed: Vec<String> = names.iter().map(|name| format!("shown.{name}")).collect();
    format!(
        "-- What the release shows for each row of your_table. Rows in no region are suppressed.\n{note}\
         WITH placed AS (\n  SELECT *, CASE\n{arms}  END AS {number}\n  FROM your_table\n),\n\
         shown ({number}, {}) AS (\n  VALUES\n{}\n)\n\
         SELECT {}\nFROM placed JOIN shown ON placed.{number} = shown.{number};\n",
        names.join(", "),
        shown.join(",\n"),
        listed.join(", ")
    )
}

/// Whether a column holds one of some values, given as runs of codes; none where every value is among them.
fn condition(column: &SavedColumn, runs: &[LeafRun]) -> Option<String> {
    let last = column.leaves.len().checked_sub(1)? as u32;
    if runs == [(0, last)] {
        return None;
    }
    let name = identifier(&column.name);
    let missing = column.missing_code();
    // Mappings list the values in the order of their codes, without the missing one.
    let entry = |code: u32| (code - u32::from(missing.is_some_and(|missing| missing < code))) as usize;
    let mut tests: Vec<String> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    for &(first, last) in runs {
        let known: Vec<u32> = (first..=last).filter(|code| Some(*code) != missing).collect();
        if known.len() <= (last - first) as usize {
            tests.push(format!("{name} IS NULL"));
        }
        let (Some(first), Some(last)) = (known.first(), known.last()) else { continue };
        match &column.mapping {
            Mapping::Values { values } => texts.extend(known.iter().map(|code| literal(&values[entry(*code)].value))),
            Mapping::Numbers { numbers } => {
                let (low, high) = (numbers[entry(*first)].value, numbers[entry(*last)].value);
                tests.push(match low == high {
                    true => format!("{name} = {}", format_number(low)),
                    false => format!("{name} >= {} AND {name} <= {}", format_number(low), format_number(high)),
                });
            }
            Mapping::Bins { bins, closed } => {
                let (low, high) = (bins[entry(*first)].from, bins[entry(*last)].to);
                let below = if *closed && entry(*last) + 1 == bins.len() { "<=" } else { "<" };
                tests.push(format!("{name} >= {} AND {name} {below} {}", format_number(low), format_number(high)));
            }
        }
    }
    if !texts.is_empty() {
        tests.push(format!("{name} IN ({})", texts.join(", ")));
    }
    Some(if tests.len() == 1 { tests.remove(0) } else { format!("({})", tests.join(" OR ")) })
}

/// What each region shows, as rows of cells, the first being names.
pub fn region_table(saved: &SavedRecoding, regions: &SavedRegions) -> Vec<Vec<String>> {
    let names = saved.columns.iter().map(|column| column.name.clone());
    let mut rows = vec![std::iter::once("region".to_owned()).chain(names).collect::<Vec<String>>()];
    for (at, sets) in regions.boxes.iter().enumerate() {
        let labels = saved.columns.iter().zip(sets).map(|(column, set)| column.sets[*set as usize].label.clone());
        rows.push(std::iter::once((at + 1).to_string()).chain(labels).collect());
    }
    rows
}

/// The values that each label of a column stands for, as rows of cells, the first being names.
pub fn values_of_labels(column: &SavedColumn) -> Vec<Vec<String>> {
    let mut rows = vec![vec!["label".to_owned(), "value".to_owned()]];
    for set in &column.sets {
        for leaf in set.holds.iter().flat_map(|(first, last)| &column.leaves[*first as usize..=*last as usize]) {
            rows.push(vec![set.label.clone(), leaf.clone()]);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Kind;
    use crate::release::{MappedBin, MappedValue, SavedSet};

    fn set(label: &str, holds: &[LeafRun]) -> SavedSet {
        SavedSet { label: label.into(), values: 1, loss: 0.0, median: None, holds: holds.to_vec() }
    }

    #[test]
    fn conditions_of_boxes() {
        let bin = |from: f64| MappedBin { from, to: from + 5.0, label: format!("[{from}, {})", from + 5.0) };
        let age = SavedColumn {
            name: "age".into(),
            kind: Kind::Numeric,
            shown: Shown::Labels,
            domain: 4,
            sets: vec![set("[0, 10)", &[(0, 1)])],
            mapping: Mapping::Bins { bins: vec![bin(0.0), bin(5.0), bin(10.0)], closed: true },
            leaves: ["[0, 5)", "[5, 10)", "[10, 15)", "?"].map(String::from).to_vec(),
            missing: Some("?".into()),
        };
        assert_eq!(condition(&age, &[(0, 1)]).unwrap(), "\"age\" >= 0 AND \"age\" < 10");
        assert_eq!(condition(&age, &[(2, 3)]).unwrap(), "(\"age\" IS NULL OR \"age\" >= 10 AND \"age\" <= 15)");
        assert_eq!(condition(&age, &[(0, 3)]), None);

        let value = |value: &str| MappedValue { value: value.into(), label: value.into() };
        let job = SavedColumn {
            name: "job".into(),
            kind: Kind::Categorical,
            sets: vec![set("{b, d}", &[(0, 0), (2, 2)])],
            mapping: Mapping::Values { values: vec![value("b"), value("c"), value("d")] },
            leaves: ["b", "c", "d"].map(String::from).to_vec(),
            missing: None,
            ..age
        };
        assert_eq!(condition(&job, &[(0, 0), (2, 2)]).unwrap(), "\"job\" IN ('b', 'd')");
        assert_eq!(values_of_labels(&job), [["label", "value"], ["{b, d}", "b"], ["{b, d}", "d"]]);
    }
}
