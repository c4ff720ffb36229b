//! From a solution of a front to everything that a release of it needs.

use std::collections::{BTreeMap, HashSet};

use super::saved::{MappedBin, MappedNumber, MappedValue, Mapping, SavedColumn, SavedRecoding, SavedSet, Shown};
use super::{Claim, KeptGroups, RECODING_FORMAT, recoding_of};
use crate::catalog;
use crate::data::{Kind, OnMissing, format_number};
use crate::error::{Error, Result};
use crate::front::{Entry, FrontFile, Point, Solution};
use crate::group::{FrequencyTable, Grouping, Kept, Needs, Suppressed, Workspace};
use crate::problem::Problem;
use crate::recode::{ColumnRecoding, ColumnSets, QuasiColumn, Recoding, set_labels};
use crate::study::{ColumnSpec, Study, describe};

/// What a release of one solution consists of.
pub struct Plan {
    /// The mapping of every value.
    pub saved: SavedRecoding,
    /// The rows that stay.
    pub kept: KeptGroups,
    /// What is claimed of the release.
    pub claim: Claim,
    /// Every loss of the catalogue that the table allows, by name.
    pub losses: BTreeMap<String, f64>,
}

/// Plans the release of a solution. `table` is the study's table, counted now: where it no longer gives what the front
/// says, nothing is planned.
pub fn plan(
    study: &Study,
    table: &FrequencyTable,
    front: &FrontFile,
    solution: &Solution,
    shown: Shown,
) -> Result<Plan> {
    if solution.recoding.contains_key("regions") {
        return Err(Error::study("a solution of `regions` has no table-wide recoding and cannot be released this way"));
    }
    let problem = catalog::problem(&study.search, table)?;
    let recoding = recoding_of(&table.columns, &solution.recoding)?;
    let claim = Claim::of(solution, front.rows, &front.privacy);
    check_unchanged(table, problem.as_ref(), front, solution, &recoding, &claim)?;

    let mut grouping = Grouping::default();
    Workspace::default().group(table, &table.tuples, &recoding, Needs::ALL, &mut grouping);
    let gone = |group: usize| problem.suppresses(&solution.cutoff, grouping.groups.view(group));
    let suppressed = Suppressed::by(&grouping, gone);
    let all = Kept { table, grouping: &grouping, suppressed: &suppressed };
    let mut kept = KeptGroups::default();
    for group in all.groups() {
        let sets: Vec<u32> = (0..table.columns.len()).map(|column| grouping.set(table, group, column) as u32).collect();
        kept.insert(&sets);
    }
    let columns = (0..table.columns.len())
        .map(|at| {
            let spec = study.columns.iter().find(|spec| spec.name == table.columns[at].name);
            let spec = spec.ok_or_else(|| Error::study("the table has a column that the study lacks"))?;
            let rows = kept_rows(&all, at);
            Ok(saved_column(study, spec, table, at, &recoding.columns[at], &grouping.columns[at], &rows, shown))
        })
        .collect::<Result<Vec<_>>>()?;
    let losses = catalog::LOSSES.iter().filter_map(|entry| {
        let loss = catalog::loss(entry.entry.name, table, &study.search).ok()?;
        let score = loss.score(&all);
        score.is_finite().then(|| (entry.entry.name.to_owned(), crate::front::round(score)))
    });
    let saved = SavedRecoding {
        format: RECODING_FORMAT.to_owned(),
        program: concat!("paretonym ", env!("CARGO_PKG_VERSION")).to_owned(),
        solution: solution.id,
        k: solution.k,
        study: study.clone(),
        columns,
    };
    Ok(Plan { saved, kept, claim, losses: losses.collect() })
}

/// The table must still give what the front says.
fn check_unchanged(
    table: &FrequencyTable,
    problem: &dyn Problem,
    front: &FrontFile,
    solution: &Solution,
    recoding: &Recoding,
    claim: &Claim,
) -> Result<()> {
    let costs: Vec<f64> =
        solution.objectives.iter().zip(&front.objectives).map(|(value, own)| own.sense.cost(*value)).collect();
    let entry = Entry {
        point: Point::new(&costs),
        cutoff: solution.cutoff,
        recoding: recoding.clone(),
        alternatives: solution.alternatives,
    };
    let now = describe(table, problem, &[entry])?.remove(0);
    let differences = claim.differences(&Claim::of(&now, table.rows, &front.privacy));
    if differences.is_empty() {
        return Ok(());
    }
    let list = differences
        .iter()
        .map(|one| format!("{} was {} and is {}", one.what, format_number(one.claimed), format_number(one.measured)));
    Err(Error::study(format!(
        "the table or the study has changed since the front was found ({}); explore again",
        list.collect::<Vec<_>>().join(", ")
    )))
}

/// Rows of each leaf of a column that stay.
fn kept_rows(kept: &Kept, column: usize) -> Vec<u64> {
    let table = kept.table;
    let mut rows = vec![0; table.columns[column].domain.len()];
    for (tuple, group) in kept.grouping.group_of.iter().enumerate() {
        if !kept.suppressed.groups[*group as usize] {
            rows[table.leaf(&table.tuples, tuple, column) as usize] += u64::from(table.tuples.rows[tuple]);
        }
    }
    rows
}

#[allow(clippy::too_many_arguments)]
fn saved_column(
    study: &Study,
    spec: &ColumnSpec,
    table: &FrequencyTable,
    at: usize,
    recoding: &ColumnRecoding,
    sets: &ColumnSets,
    rows: &[u64],
    shown: Shown,
) -> SavedColumn {
    let column = &table.columns[at];
    // Values that the data brought along, rather than the study, must not be told where nobody who stays has them.
    let learned = spec.taxonomy.is_none() && spec.order.is_none() && spec.range.is_none();
    let hidden = |leaf: usize| learned && rows[leaf] == 0;
    let mut labels = set_labels(column, recoding, sets);
    let named_by_values = matches!(recoding, ColumnRecoding::Breaks(_)) || spec.groups.is_some();
    for (set, label) in labels.iter_mut().enumerate() {
        let leaves = sets.first[set] as usize..sets.first[set + 1] as usize;
        let visible: Vec<usize> = leaves.clone().filter(|leaf| !hidden(*leaf)).collect();
        if visible.is_empty() {
            *label = format!("(suppressed set {})", set + 1);
        } else if named_by_values && visible.len() < leaves.len() {
            *label = label_of(column, &visible);
        }
    }
    distinguish(column, sets, &mut labels);

    let missing_label = study.data.missing.iter().find(|text| !text.is_empty()).map_or("missing", String::as_str);
    let missing = (study.data.on_missing == OnMissing::Value)
        .then(|| column.domain.labels.iter().position(|label| label == missing_label))
        .flatten();
    let label_at = |leaf: usize| labels[sets.set_of[leaf] as usize].clone();
    let listed = |leaf: &usize| !hidden(*leaf) && Some(*leaf) != missing;
    let leaves = (0..column.domain.len()).filter(listed);
    let mapping = match &column.domain.bounds {
        Some(bounds) if bounds.iter().any(|(low, high)| low < high) => Mapping::Bins {
            // Bins tile the range without a gap, so none is left out.
            bins: (0..bounds.len())
                .filter(|leaf| Some(*leaf) != missing)
                .map(|leaf| MappedBin { from: bounds[leaf].0, to: bounds[leaf].1, label: label_at(leaf) })
                .collect(),
            closed: spec.bins.is_some(),
        },
        Some(bounds) => Mapping::Numbers {
            numbers: leaves.map(|leaf| MappedNumber { value: bounds[leaf].0, label: label_at(leaf) }).collect(),
        },
        None => Mapping::Values {
            values: leaves
                .map(|leaf| MappedValue { value: column.domain.labels[leaf].clone(), label: label_at(leaf) })
                .collect(),
        },
    };
    let saved_sets = (0..sets.len()).map(|set| SavedSet {
        label: labels[set].clone(),
        values: sets.size(set),
        loss: cell_loss(&study.search.loss, column, sets, set),
        median: median(column, sets, set, rows),
    });
    let numeric = column.domain.kind == Kind::Numeric;
    SavedColumn {
        name: column.name.clone(),
        kind: column.domain.kind,
        shown: if numeric { shown } else { Shown::Labels },
        domain: column.domain.len() as u32,
        sets: saved_sets.collect(),
        mapping,
        missing: missing.map(label_at),
    }
}

/// What a set is called by the values that may be told.
fn label_of(column: &QuasiColumn, leaves: &[usize]) -> String {
    let labels = &column.domain.labels;
    let (first, last) = (leaves[0], leaves[leaves.len() - 1]);
    if first == last {
        return labels[first].clone();
    }
    match &column.domain.bounds {
        Some(bounds) if leaves.iter().all(|leaf| !bounds[*leaf].0.is_nan()) => {
            let (low, high) = (bounds[first].0, bounds[last].1);
            let end = if bounds[last].0 < high { ')' } else { ']' };
            format!("[{}, {}{end}", format_number(low), format_number(high))
        }
        _ => format!("{{{}}}", leaves.iter().map(|leaf| labels[*leaf].as_str()).collect::<Vec<_>>().join(", ")),
    }
}

/// Two sets of a cut may have one name, taken from different heights of a tree. In a file they would be one set.
fn distinguish(column: &QuasiColumn, sets: &ColumnSets, labels: &mut [String]) {
    let mut seen: HashSet<String> = HashSet::new();
    for (set, label) in labels.iter_mut().enumerate() {
        let leaves = sets.first[set] as usize..sets.first[set + 1] as usize;
        if seen.contains(label) {
            *label = format!("{label} {{{}}}", column.domain.labels[leaves].join(", "));
        }
        while !seen.insert(label.clone()) {
            label.push('\'');
        }
    }
}

/// The loss of a cell as DEFINITIONS section 3 has it, in the form that the study's general loss uses.
fn cell_loss(loss: &str, column: &QuasiColumn, sets: &ColumnSets, set: usize) -> f64 {
    let leaves = sets.first[set] as usize..sets.first[set + 1] as usize;
    let interval =
        loss.replace(' ', "") == "general(numeric=interval)" || loss.replace(' ', "") == "lm(numeric=interval)";
    let width = |bounds: &[(f64, f64)]| {
        let low = bounds.iter().map(|bound| bound.0).fold(f64::INFINITY, f64::min);
        let high = bounds.iter().map(|bound| bound.1).fold(f64::NEG_INFINITY, f64::max);
        (high - low).max(0.0)
    };
    let (part, whole) = match &column.domain.bounds {
        Some(bounds) if interval => (width(&bounds[leaves]), width(bounds)),
        _ => (leaves.len() as f64 - 1.0, column.domain.len() as f64 - 1.0),
    };
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// The median of the entries of a set that stay. Of a bin only its middle is known.
fn median(column: &QuasiColumn, sets: &ColumnSets, set: usize, rows: &[u64]) -> Option<f64> {
    let bounds = column.domain.bounds.as_ref()?;
    let leaves = sets.first[set] as usize..sets.first[set + 1] as usize;
    let numbers = leaves.map(|leaf| ((bounds[leaf].0 + bounds[leaf].1) / 2.0, rows[leaf]));
    let numbers: Vec<(f64, u64)> = numbers.filter(|(number, rows)| !number.is_nan() && *rows > 0).collect();
    let total: u64 = numbers.iter().map(|(_, rows)| rows).sum();
    let at = |place: u64| {
        let mut before = 0;
        numbers.iter().find(|(_, rows)| {
            before += rows;
            place < before
        })
    };
    Some((at(total.checked_sub(1)? / 2)?.0 + at(total / 2)?.0) / 2.0)
}
