//! What a publisher should hear before a release: ways in which a table tells more than its k says.
//!
//! Every warning names columns and rounded figures only, never a value of the table, so that it may stand in papers that
//! are handed out.

use super::Study;
use crate::data::{OtherColumns, Repeats, Role, grouped_digits};
use crate::engine::{Engine, Watch};
use crate::error::Result;
use crate::front::FrontFile;
use crate::group::{Attribute, FrequencyTable};

/// A column singles people out where so many of its cells hold a value that no other row has.
const ALONE: f64 = 0.05;

/// What there is to warn of in a study and its table, whatever solution is released. Columns that the counted table does
/// not have are looked at in one more pass over their cells alone.
pub fn concerns(study: &Study, table: &FrequencyTable, engine: &dyn Engine, watch: &dyn Watch) -> Result<Vec<String>> {
    let names = engine.columns(&study.data)?;
    let with = |role: Role| {
        let named = study.columns.iter().filter(move |column| column.role.has(role));
        named.map(|column| column.name.clone()).collect::<Vec<String>>()
    };
    let identifying: Vec<String> = with(Role::Identifying).into_iter().filter(|name| names.contains(name)).collect();
    let mut kept: Vec<String> = with(Role::Insensitive).into_iter().filter(|name| names.contains(name)).collect();
    if study.data.other_columns == OtherColumns::Insensitive {
        let unnamed = |name: &&String| !study.columns.iter().any(|column| column.name == **name);
        kept.extend(names.iter().filter(unnamed).cloned());
    }
    let looked_at: Vec<String> = identifying.iter().chain(&kept).cloned().collect();
    let repeats = match looked_at.is_empty() {
        true => Vec::new(),
        false => engine.repeats(&study.data, &looked_at, watch)?,
    };
    let of = |at: usize| repeats.get(at).copied().flatten();

    let mut warnings: Vec<String> = Vec::new();
    warnings.extend(identifying.iter().enumerate().filter_map(|(at, name)| not_persons(name, of(at)?)));
    let kept = kept.iter().enumerate().filter_map(|(at, name)| alone("Column", name, of(identifying.len() + at)?));
    warnings.extend(kept);
    for attribute in &table.attributes {
        let what = if attribute.sensitive { "Sensitive column" } else { "Column" };
        warnings.extend(alone(what, &attribute.name, repeats_of(attribute)));
    }
    for at in table.sensitive() {
        let attribute = &table.attributes[at];
        if repeats_of(attribute).distinct == 1 {
            let name = &attribute.name;
            warnings.push(format!("Sensitive column {name:?} has one value only: everybody learns it of everybody."));
            continue;
        }
        for column in (0..table.columns.len()).filter(|column| decides(table, *column, at)) {
            warnings.push(format!(
                "Quasi column {:?} decides the sensitive column {:?}: each of its values goes with one value there. Where \
                 a group shows such a value as it is, it gives the sensitive one away.",
                table.columns[column].name, attribute.name
            ));
        }
    }
    Ok(warnings)
}

/// The warning that some group of a release has but one value of a sensitive column.
pub fn one_value(columns: &[&str]) -> Option<String> {
    let names: Vec<String> = columns.iter().map(|name| format!("{name:?}")).collect();
    (!names.is_empty()).then(|| {
        format!(
            "Some group has but one value of {} (l = 1): whoever finds a person's group learns the value of the person.",
            names.join(" and of ")
        )
    })
}

impl FrontFile {
    /// The warning that some solutions have groups with but one value of a sensitive column.
    pub(super) fn one_valued(&self) -> Option<String> {
        let some = self.solutions.iter().filter(|solution| solution.one_valued > 0).count();
        (some > 0).then(|| {
            format!(
                "In {} of {} solutions some group has but one value of a sensitive column (l = 1): whoever finds a \
                 person's group there learns the value of the person. Ask for l or t, or choose another solution.",
                grouped_digits(some as u64),
                grouped_digits(self.solutions.len() as u64)
            )
        })
    }

    /// The warnings that hold for every solution.
    pub fn warnings_of_table(&self) -> Vec<String> {
        let of_solutions = self.one_valued();
        self.warnings.iter().filter(|warning| Some(*warning) != of_solutions.as_ref()).cloned().collect()
    }
}

/// Rows that share a value of an identifying column may be one person's.
fn not_persons(name: &str, repeats: Repeats) -> Option<String> {
    (repeats.distinct < repeats.cells).then(|| {
        format!(
            "Rows are not persons: the identifying column {name:?} repeats, about {} rows hold about {} different values. k \
             counts rows, so that a group of k rows may be one person.",
            about(repeats.cells),
            about(repeats.distinct)
        )
    })
}

/// A column that is released as it is and tells rows apart.
fn alone(what: &str, name: &str, repeats: Repeats) -> Option<String> {
    let Repeats { cells, distinct, once } = repeats;
    let share = once as f64 / cells.max(1) as f64;
    let why = if once > 0 && share >= ALONE {
        format!("about {:.0} % of its cells hold a value that no other row has", share * 100.0)
    } else if cells > 1 && distinct > cells / 2 {
        "fewer than two rows share a value of it on average".to_owned()
    } else {
        return None;
    };
    Some(format!("{what} {name:?} is released as it is and singles people out: {why}."))
}

fn repeats_of(attribute: &Attribute) -> Repeats {
    let some = || attribute.totals.iter().filter(|rows| **rows > 0);
    Repeats {
        cells: some().sum(),
        distinct: some().count() as u64,
        once: some().filter(|rows| **rows == 1).count() as u64,
    }
}

/// Whether each value of a quasi column goes with one value of a sensitive one. That most values occur once is no rule:
/// at least half of the rows must share their value with others.
fn decides(table: &FrequencyTable, column: usize, attribute: usize) -> bool {
    let leaves = table.columns[column].domain.len();
    let mut value_of: Vec<Option<u32>> = vec![None; leaves];
    let mut rows_of: Vec<u64> = vec![0; leaves];
    for tuple in 0..table.tuples.len() {
        let leaf = table.leaf(&table.tuples, tuple, column) as usize;
        let view = table.tuples.view(tuple);
        rows_of[leaf] += view.rows();
        for (value, _) in view.attribute(attribute).iter() {
            if *value_of[leaf].get_or_insert(value) != value {
                return false;
            }
        }
    }
    let shared: u64 = rows_of.iter().filter(|rows| **rows > 1).sum();
    rows_of.iter().filter(|rows| **rows > 0).count() > 1 && 2 * shared >= table.rows
}

/// Two digits of a number: enough to judge by, too few to test guesses with.
fn about(number: u64) -> String {
    let mut unit = 1u64;
    while number / unit >= 100 {
        unit *= 10;
    }
    grouped_digits((number + unit / 2) / unit * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_rounded() {
        assert_eq!(["7", "99", "100", "2,000", "33,000"], [7, 99, 100, 1_999, 32_561].map(about).as_slice());
    }

    #[test]
    fn columns_that_single_out() {
        let of = |cells, distinct, once| alone("Column", "note", Repeats { cells, distinct, once });
        assert!(of(1000, 900, 830).unwrap().contains("about 83 % of its cells"));
        assert!(of(1000, 501, 2).unwrap().contains("fewer than two rows"));
        assert_eq!(of(1000, 60, 49), None);
        assert!(of(1000, 60, 50).is_some());
        assert_eq!(of(0, 0, 0), None);
        assert!(of(1, 1, 1).is_some());
    }

    #[test]
    fn repeated_persons_are_told_loudly() {
        assert_eq!(not_persons("id", Repeats { cells: 10, distinct: 10, once: 10 }), None);
        let said = not_persons("id", Repeats { cells: 10_000, distinct: 2_000, once: 1 }).unwrap();
        assert!(
            said.starts_with("Rows are not persons") && said.contains("10,000 rows") && said.contains("2,000"),
            "{said}"
        );
    }
}
