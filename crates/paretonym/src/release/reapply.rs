//! A saved recoding on a later table (S4 section 5): the same sets, the groups that are there now, and suppression of
//! those that are too small.

use std::collections::{BTreeMap, HashMap};

use super::{BoxFinder, Claim, Finder, KeptGroups, Mapping, SavedColumn, SavedRecoding, Unknown};
use crate::catalog;
use crate::data::{
    AttributeCount, ColumnRequest, CountRequest, Dictionary, Domain, Encoding, Kind, MISSING, Part, Role,
};
use crate::engine::{Engine, Watch};
use crate::error::{Error, Result};
use crate::group::{Attribute, FrequencyTable, Grouping, Needs, Workspace};
use crate::measure::Privacy;
use crate::privacy::{FrequencyL, K, TCloseness};
use crate::recode::{Family, QuasiColumn, Recoding};
use crate::study::plan::ColumnPlan;
use crate::study::{ColumnSpec, Study};
use crate::taxonomy::Hierarchy;

/// Levels that real-valued distances may miss without being worse.
const SLACK: f64 = 1e-12;

/// What every group of the new release must reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enforce {
    /// Rows.
    pub k: u64,
    /// Frequency l-diversity.
    pub l: Option<f64>,
    /// t-closeness.
    pub t: Option<f64>,
}

impl Enforce {
    /// Demands that nothing can be held against, such as NaN, would be met by every group.
    pub fn validate(&self) -> Result<()> {
        if self.k == 0 {
            return Err(Error::study("k must be at least 1"));
        }
        if let Some(l) = self.l.filter(|l| !(l.is_finite() && *l >= 1.0)) {
            return Err(Error::study(format!("l is a number of values from 1 on, not {l}")));
        }
        if let Some(t) = self.t.filter(|t| !(0.0..=1.0).contains(t)) {
            return Err(Error::study(format!("t is a distance from 0 to 1, not {t}")));
        }
        Ok(())
    }
}

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
    let sensitive: Vec<&ColumnSpec> = study.columns.iter().filter(|column| column.role.has(Role::Sensitive)).collect();
    let plans = ColumnPlan::all(&sensitive, &study.data, engine, watch)?;
    let attributes: Vec<(&ColumnSpec, ColumnPlan)> = sensitive.into_iter().zip(plans).collect();
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
    let sensitive = attributes.iter().map(|(_, plan)| plan.request(Part::Attribute));
    let columns = quasi.chain(sensitive).chain(targets).collect();
    let counted = engine.count(&study.data, &CountRequest { columns }, watch)?;

    let width = saved.columns.len();
    let mut moved = BTreeMap::new();
    let place = study.data.path.display().to_string();
    let codes_of = saved
        .columns
        .iter()
        .zip(&counted.dictionaries)
        .map(|(column, dictionary)| codes_of(column, dictionary, unknown, &place, &mut moved))
        .collect::<Result<Vec<Vec<Option<u32>>>>>()?;
    let absent: Vec<Option<u32>> = saved.columns.iter().map(SavedColumn::missing_code).collect();
    // Where a value is unknown, its row shows a set of its own: one more than there are.
    let outside: Vec<u32> = saved.columns.iter().map(|column| column.sets.len() as u32).collect();
    let boxes = BoxFinder::new(saved);
    let mut local: Vec<(Vec<u32>, u32)> = Vec::new();
    let (mut homeless, mut moved_rows) = (0, 0);
    let mut joined: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut order: Vec<u32> = Vec::new();
    let mut tuples: Vec<u32> = Vec::new();
    let mut counts: Vec<u64> = Vec::new();
    for (raw, count) in counted.tuples.chunks_exact(width).zip(&counted.counts) {
        let codes: Vec<Option<u32>> = (0..width)
            .map(|at| match raw[at] {
                MISSING => absent[at],
                code => codes_of[at][code as usize],
            })
            .collect();
        let whole = || codes.iter().copied().collect::<Option<Vec<u32>>>();
        let (sets, own) = match &boxes {
            None => (codes.iter().zip(&outside).map(|(code, outside)| code.unwrap_or(*outside)).collect(), None),
            Some(boxes) => {
                let own = whole();
                let held = own.as_ref().and_then(|codes| boxes.holding(codes));
                let near =
                    || own.as_ref().filter(|_| unknown == Unknown::Nearest).and_then(|codes| boxes.nearest(codes));
                let sets = held.or_else(near);
                match (&own, held, sets) {
                    (Some(_), None, Some(_)) => moved_rows += count,
                    (Some(_), None, None) => homeless += count,
                    _ => {}
                }
                (sets.unwrap_or(&outside).to_vec(), own)
            }
        };
        let next = counts.len() as u32;
        let group = *joined.entry(sets).or_insert_with_key(|sets| {
            tuples.extend_from_slice(sets);
            counts.push(0);
            next
        });
        counts[group as usize] += count;
        order.push(group);
        local.extend(own.map(|codes| (codes, group)));
    }
    if homeless > 0 && unknown == Unknown::Error {
        return Err(Error::study(format!(
            "{place}: {homeless} rows hold known values in combinations that lie in no region of the recoding; use \
             --unknown nearest (they show the nearest region) or --unknown suppress"
        )));
    }
    let mut done = Vec::new();
    let mut attribute_counts = Vec::new();
    for (at, (spec, plan)) in attributes.into_iter().enumerate() {
        let seen = counted.attributes[at].iter().any(|entry| entry.value == MISSING);
        let finished = plan.finish(&counted.dictionaries[width + at], &study.data, seen)?;
        let mut sums: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        for entry in &counted.attributes[at] {
            *sums.entry((order[entry.tuple as usize], finished.leaf(entry.value))).or_insert(0) += entry.count;
        }
        let entries = sums.into_iter().map(|((tuple, value), count)| AttributeCount { tuple, value, count });
        attribute_counts.push(entries.collect::<Vec<_>>());
        done.push(Attribute {
            name: spec.name.clone(),
            sensitive: true,
            target: false,
            domain: finished.domain,
            hierarchy: finished.has_tree.then_some(finished.hierarchy),
            totals: Vec::new(),
        });
    }
    let columns = saved.columns.iter().map(by_sets).collect();
    let table = FrequencyTable::new(columns, done, &tuples, &counts, &attribute_counts, counted.dropped)?;
    let mut done = enforced(saved, table, enforce, &outside)?;
    if boxes.is_some() {
        let groups = std::mem::take(&mut done.kept);
        let sets = |group: u32| &tuples[group as usize * width..(group as usize + 1) * width];
        for (codes, group) in local.iter().filter(|(_, group)| groups.holds(sets(*group))) {
            done.kept.place(codes, sets(*group));
        }
    }
    Ok(Reapplication { moved, moved_rows, ..done })
}

/// The code of each value that occurs; none where it is unknown and its rows go.
fn codes_of(
    column: &SavedColumn,
    dictionary: &Dictionary,
    unknown: Unknown,
    place: &str,
    moved: &mut BTreeMap<String, u64>,
) -> Result<Vec<Option<u32>>> {
    let mut lacking = |value: String, nearest: Option<&str>| match (unknown, nearest) {
        (Unknown::Suppress, _) => Ok(None),
        (Unknown::Nearest, Some(label)) => {
            *moved.entry(column.name.clone()).or_insert(0) += 1;
            Ok(column.code(label))
        }
        (Unknown::Nearest, None) => Err(Error::study(format!(
            "{place}: column {:?} holds {value:?}, which the recoding does not know and which is near to no other value, \
             because the column is not numeric; use --unknown suppress, or add the value to the recoding",
            column.name
        ))),
        (Unknown::Error, _) => Err(Error::study(format!(
            "{place}: column {:?} holds {value:?}, which the recoding does not know; use --unknown nearest (numbers), \
             --unknown suppress, or add the value to the recoding",
            column.name
        ))),
    };
    let finder = Finder::new(column);
    match dictionary {
        Dictionary::Text(texts) => texts
            .iter()
            .map(|text| match finder.text(text) {
                Some(set) => Ok(Some(set)),
                None => lacking(text.clone(), None),
            })
            .collect(),
        Dictionary::Numbers(numbers) => numbers
            .iter()
            .map(|number| match finder.number(*number) {
                Some(set) => Ok(Some(set)),
                None => lacking(crate::data::format_number(*number), column.nearest(*number)),
            })
            .collect(),
        Dictionary::Declared => Err(Error::internal("the engine declared values that the recoding does not have")),
    }
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

/// Suppresses what does not reach the wanted levels.
fn enforced(saved: &SavedRecoding, table: FrequencyTable, enforce: Enforce, outside: &[u32]) -> Result<Reapplication> {
    let mut grouping = Grouping::default();
    let as_is = Recoding::of_levels(&vec![0; outside.len()]);
    Workspace::default().group(&table, &table.tuples, &as_is, Needs::ALL, &mut grouping);
    let protected = table.sensitive().next().is_some();
    if !protected && (enforce.l.is_some() || enforce.t.is_some()) {
        return Err(Error::study("l and t protect sensitive columns, and the recoding's study has none"));
    }
    let (frequency, closeness) =
        if protected { (Some(FrequencyL::new(&table)?), Some(TCloseness::new(&table)?)) } else { (None, None) };
    let mut kept = KeptGroups::default();
    let (mut rows, mut unknown, mut lost, mut smallest) = (0u64, 0u64, 0.0, u64::MAX);
    let (mut l, mut t) = (f64::INFINITY, 0.0f64);
    for group in 0..grouping.len() {
        let sets: Vec<u32> = (0..outside.len()).map(|column| grouping.set(&table, group, column) as u32).collect();
        let view = grouping.groups.view(group);
        let own = u64::from(view.rows());
        if sets.iter().zip(outside).any(|(set, outside)| set == outside) {
            unknown += own;
            continue;
        }
        let own_l = frequency.as_ref().map(|model| model.level(view));
        let own_t = closeness.as_ref().map(|model| model.level(view));
        let fails = K.level(view) < enforce.k as f64
            || enforce.l.is_some_and(|least| own_l.is_some_and(|own| own + SLACK < least))
            || enforce.t.is_some_and(|most| own_t.is_some_and(|own| own > most + SLACK));
        if fails {
            continue;
        }
        kept.insert(&sets);
        rows += own;
        smallest = smallest.min(own);
        lost += own as f64 * saved.group_loss(&sets);
        l = l.min(own_l.unwrap_or(f64::INFINITY));
        t = t.max(own_t.unwrap_or(0.0));
    }
    if kept.is_empty() {
        return Err(Error::study(format!(
            "no group of the table reaches k = {}{}; lower the demands, or explore the table on its own",
            enforce.k,
            if enforce.l.is_some() || enforce.t.is_some() { " together with l and t" } else { "" }
        )));
    }
    let claim = Claim {
        rows,
        suppressed: table.rows - rows,
        groups: kept.len() as u64,
        k: smallest,
        l: protected.then_some(l),
        l_form: protected.then(|| catalog::diversity(&[]).0.to_owned()),
        t: protected.then_some(t),
        gl: lost / table.rows as f64,
        sl: (table.rows - rows) as f64 / table.rows as f64,
    };
    Ok(Reapplication { kept, claim, table, unknown, moved: BTreeMap::new(), moved_rows: 0 })
}
