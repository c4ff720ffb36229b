//! The values of columns that are cut into bins of equal frequency, which must be known before the table is counted.

use std::collections::BTreeMap;

use super::plan::check_numbers;
use crate::data::{ColumnRequest, CountRequest, Dictionary, Distribution, Encoding, MISSING, OnMissing, Part, Source};
use crate::engine::{Engine, Watch};
use crate::error::{Error, Result};

/// Distinct numbers with their counts, ascending.
pub(super) type ValueCounts = Vec<(f64, u64)>;

/// The distinct numbers of each of some columns: one counting pass for all of them, and none for none.
pub(super) fn value_counts(
    names: &[&str],
    source: &Source,
    engine: &dyn Engine,
    watch: &dyn Watch,
) -> Result<BTreeMap<String, ValueCounts>> {
    // A column that is both quasi and sensitive is asked for twice.
    let columns: BTreeMap<&str, ColumnRequest> = names.iter().map(|name| (*name, request(name))).collect();
    if columns.is_empty() {
        return Ok(BTreeMap::new());
    }
    // A value that is missing in one column does not keep the others of its row from being counted.
    let on_missing = match source.on_missing {
        OnMissing::DropRow => OnMissing::Value,
        other => other,
    };
    let request = CountRequest { columns: columns.into_values().collect(), at_most: None, part: None };
    let counted = engine.count(&Source { on_missing, ..source.clone() }, &request, watch)?;
    let columns = request.columns.iter().zip(counted.dictionaries.iter().zip(&counted.attributes));
    let values_of = |(column, (dictionary, counts)): (&ColumnRequest, (&Dictionary, &Distribution))| {
        let name = &column.name;
        let Dictionary::Numbers(numbers) = dictionary else {
            return Err(Error::internal(format!("column {name:?} was counted, but not its numbers")));
        };
        let entries = counts.entries().filter(|entry| entry.value != MISSING);
        let mut values: ValueCounts = entries.map(|entry| (numbers[entry.value as usize], entry.count)).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ends = [values.first(), values.last()].map(|one| one.map_or(0.0, |one| one.0));
        check_numbers(&format!("column {name:?}"), &ends)?;
        Ok((name.clone(), values))
    };
    columns.map(values_of).collect()
}

fn request(name: &str) -> ColumnRequest {
    ColumnRequest { name: name.to_owned(), part: Part::Attribute, encoding: Encoding::Numbers }
}
