//! A saved recoding on a later table (S4 section 5): the same sets, the groups that are there now, and suppression of
//! those that are too small.

use std::collections::BTreeMap;

use super::enforce::enforced;
use super::joined::Joining;
use super::{Claim, Enforce, KeptGroups, Mapping, SavedColumn, SavedRecoding, Unknown};
use crate::data::{AttributeCount, ColumnRequest, CountRequest, Counted, Domain, Encoding, Kind, MISSING, Part, Role};
use crate::engine::{Engine, Watch};
use crate::error::{Error, Result};
use crate::group::{Attribute, FrequencyTable};
use crate::recode::{Family, QuasiColumn};
use crate::study::plan::ColumnPlan;
use crate::study::{ColumnSpec, Study};
use crate::taxonomy::Hierarchy;

/// What becomes of the later table.
pub struct Reapplication {
    /// The rows that stay.
    pub kept: KeptGroups,
    /// What is claimed of the release.
    pub claim: Claim,
    /// The table by sets: its quasi columns have the sets as their values.
    pub table: FrequencyTable,
    /// Rows with a value that the recoding does not know and that are suppressed for it.
    pub unknown: u64,
    /// Values that went to the nearest known one, by column.
    pub moved: BTreeMap<String, u64>,
    /// Rows whose values are all known but lie together in no region, and that went to the nearest one.
    pub moved_rows: u64,
}

/// Applies a recoding to the table of a study, whose path is that of the later table.
pub fn reapply(
    saved: &SavedRecoding,
    study: &Study,
    unknown: Unknown,
    enforce: Enforce,
    engine: &dyn Engine,
    watch: &dyn Watch,
) -> Result<Reapplication> {
    enforce.validate()?;
    let sensitive = sensitive_columns(study, engine, watch)?;
    let counted = engine.count(&study.data, &request(saved, study, &sensitive), watch)?;

    let place = study.data.place();
    let mut moved = BTreeMap::new();
    let joining = Joining::new(saved, &counted, unknown, &place, &mut moved)?;
    let joined = joining.join(&counted);
    if joined.homeless > 0 && unknown == Unknown::Error {
        return Err(Error::study(format!(
            "{place}: {} rows hold known values in combinations that lie in no region of the recoding; use \
             --unknown nearest (they show the nearest region) or --unknown suppress",
            joined.homeless
        )));
    }

    let (attributes, attribute_counts) =
        attributes_of(sensitive, study, saved.columns.len(), &counted, &joined.group_of)?;
    let columns = saved.columns.iter().map(by_sets).collect();
    let table =
        FrequencyTable::new(columns, attributes, &joined.tuples, &joined.counts, &attribute_counts, counted.dropped)?;
    let mut done = enforced(saved, table, enforce, &joining.outside)?;
    if joining.boxes.is_some() {
        let width = saved.columns.len();
        let groups = std::mem::take(&mut done.kept);
        let sets = |group: u32| &joined.tuples[group as usize * width..(group as usize + 1) * width];
        for (codes, group) in joined.local.iter().filter(|(_, group)| groups.holds(sets(*group))) {
            done.kept.place(codes, sets(*group));
        }
    }
    Ok(Reapplication { moved, moved_rows: joined.moved_rows, ..done })
}

/// A sensitive column, and how it is read.
type Sensitive<'a> = (&'a ColumnSpec, ColumnPlan<'a>);

fn sensitive_columns<'a>(study: &'a Study, engine: &dyn Engine, watch: &dyn Watch) -> Result<Vec<Sensitive<'a>>> {
    let sensitive: Vec<&ColumnSpec> = study.columns.iter().filter(|column| column.role.has(Role::Sensitive)).collect();
    let plans = ColumnPlan::all(&sensitive, &study.data, engine, watch)?;
    Ok(sensitive.into_iter().zip(plans).collect())
}

/// What must be counted: the columns of the recoding, then the sensitive ones, then targets.
fn request(saved: &SavedRecoding, study: &Study, sensitive: &[Sensitive]) -> CountRequest {
    let quasi = saved.columns.iter().map(|column| ColumnRequest {
        name: column.name.clone(),
        part: Part::Quasi,
        encoding: match column.mapping {
            Mapping::Values { .. } => Encoding::Text,
            Mapping::Numbers { .. } | Mapping::Bins { .. } => Encoding::Numbers,
        },
    });
    // Of a target it counts only whether it is there: a row without it is left out like any other that lacks a value.
    let known = |name: &String| saved.columns.iter().any(|column| column.name == *name);
    let target =
        |spec: &&ColumnSpec| spec.role.has(Role::Target) && !spec.role.has(Role::Sensitive) && !known(&spec.name);
    let targets = study.columns.iter().filter(target).map(|spec| ColumnRequest {
        name: spec.name.clone(),
        part: Part::Attribute,
        encoding: Encoding::Text,
    });
    let sensitive = sensitive.iter().map(|(_, plan)| plan.request(Part::Attribute));
    CountRequest { columns: quasi.chain(sensitive).chain(targets).collect(), at_most: None, part: None }
}

/// The sensitive columns of the later table, which follow `width` others, and how often each value occurs with each group.
fn attributes_of(
    sensitive: Vec<Sensitive>,
    study: &Study,
    width: usize,
    counted: &Counted,
    group_of: &[u32],
) -> Result<(Vec<Attribute>, Vec<Vec<AttributeCount>>)> {
    let mut attributes = Vec::new();
    let mut counts = Vec::new();
    for (at, (spec, plan)) in sensitive.into_iter().enumerate() {
        let seen = counted.attributes[at].values.iter().any(|value| value == u64::from(MISSING));
        let finished = plan.finish(&counted.dictionaries[width + at], &study.data, seen)?;
        let mut sums: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        for entry in counted.attributes[at].entries() {
            *sums.entry((group_of[entry.tuple as usize], finished.leaf(entry.value))).or_insert(0) += entry.count;
        }
        let entries = sums.into_iter().map(|((tuple, value), count)| AttributeCount { tuple, value, count });
        counts.push(entries.collect::<Vec<_>>());
        attributes.push(Attribute {
            name: spec.name.clone(),
            sensitive: true,
            target: false,
            domain: finished.domain,
            hierarchy: finished.has_tree.then_some(finished.hierarchy),
            totals: Vec::new(),
        });
    }
    Ok((attributes, counts))
}

/// A column whose values are the sets, and one more for what is unknown.
fn by_sets(column: &SavedColumn) -> QuasiColumn {
    let mut labels: Vec<String> = column.sets.iter().map(|set| set.label.clone()).collect();
    labels.push(String::new());
    QuasiColumn {
        name: column.name.clone(),
        hierarchy: Hierarchy::flat(&labels),
        domain: Domain::of_labels(Kind::Categorical, labels),
        family: Family::Levels,
        weight: 0.0,
    }
}
