//! Counts a table whose distinct tuples are too many to be held: of the finest recoding whose groups are few enough the groups
//! come here, and whoever holds the rows is asked for the rest.

use std::sync::Arc;

use super::assemble::{attribute, by_leaf, check_columns, finish, quasi_columns};
use super::groups::{LeafOf, joined, known};
use super::plan::{ColumnPlan, Finished};
use super::{ColumnSpec, Study};
use crate::data::{ColumnRequest, CountRequest, Counted, Distribution, Encoding, MISSING, Part, Role};
use crate::engine::{Distant, DistantRequest, Engine, LevelCode, Watch};
use crate::error::{Error, Result};
use crate::group::{DistantNodes, FrequencyTable, LeafCounts};
use crate::recode::{ColumnSets, Family, QuasiColumn};

/// The table at the finest node that has at most so many groups.
pub(super) fn count_coarse(study: &Study, most: u64, engine: &dyn Engine, watch: &dyn Watch) -> Result<FrequencyTable> {
    check_columns(study, &engine.columns(&study.data)?)?;
    let quasi: Vec<&ColumnSpec> = study.columns.iter().filter(|column| column.role.has(Role::Quasi)).collect();
    let inside = |column: &&ColumnSpec| column.role.has(Role::Sensitive) || column.role.has(Role::Target);
    let attributes: Vec<&ColumnSpec> = study.columns.iter().filter(inside).collect();
    let specs: Vec<&ColumnSpec> = quasi.iter().chain(&attributes).copied().collect();
    let plans = ColumnPlan::all(&specs, &study.data, engine, watch)?;
    let requests: Vec<ColumnRequest> = plans.iter().map(|plan| plan.request(Part::Attribute)).collect();
    let first =
        engine.count(&study.data, &CountRequest { columns: requests.clone(), at_most: None, part: None }, watch)?;
    let seen = |column: usize| first.attributes[column].values.iter().any(|value| value == u64::from(MISSING));
    let mut done = finish(plans, &first, 0, seen, &study.data)?;
    let attributes_done = done.split_off(quasi.len());
    let encodings: Vec<Encoding> =
        requests.iter().zip(&first.dictionaries).map(|(request, values)| known(&request.encoding, values)).collect();
    let leaf_of: Vec<LeafOf> = done.iter().map(LeafOf::new).collect();
    let leaf_rows: Vec<Vec<u64>> =
        first.attributes.iter().zip(&done).map(|(values, done)| rows_by_leaf(values, done)).collect();
    let columns = quasi_columns(&quasi, done)?;
    if let Some(column) = columns.iter().find(|column| column.family != Family::Levels) {
        return Err(Error::study(format!(
            "the table has more than {most} distinct tuples, and column {:?} is recoded by {}: nodes of a lattice are what can be \
             asked for one by one; set recode = \"levels\", or allow more with --groups-at-most",
            column.name,
            column.family.name()
        )));
    }
    let with = |at: usize, part| ColumnRequest { part, encoding: encodings[at].clone(), ..requests[at].clone() };
    let asked = (0..specs.len()).map(|at| with(at, if at < quasi.len() { Part::Quasi } else { Part::Attribute }));
    let request = DistantRequest {
        count: CountRequest { columns: asked.collect(), at_most: None, part: None },
        levels: columns.iter().zip(&leaf_of).zip(&encodings).map(|((c, of), e)| level_codes(c, of, e)).collect(),
    };
    let distant = engine.distant(&study.data, &request, watch)?.ok_or_else(|| too_many(most))?;
    let heights: Vec<u32> = columns.iter().map(|column| column.hierarchy.height() as u32).collect();
    let (base, tuples) = base(distant.as_ref(), &request, &heights, most, watch)?;

    let sets: Vec<ColumnSets> = columns.iter().zip(&base).map(|(column, level)| sets_of(column, *level)).collect();
    let by_sets = (0..quasi.len()).map(|at| ColumnRequest {
        part: Part::Quasi,
        encoding: joined(&encodings[at], |code| sets[at].set_of[leaf_of[at].leaf(code) as usize]),
        ..requests[at].clone()
    });
    let inside = (quasi.len()..specs.len()).map(|at| with(at, Part::Attribute));
    let by_sets = CountRequest { columns: by_sets.chain(inside).collect(), at_most: None, part: None };
    let counted = engine.count(&study.data, &by_sets, watch)?;
    if (counted.rows, counted.dropped) != (first.rows, first.dropped) {
        return Err(Error::study("the table changes while it is read; wait until it is complete"));
    }
    let counts = leaf_counts(&counted, &leaf_of, &sets, &attributes_done);
    let attributes = attributes.iter().zip(attributes_done).map(|(spec, done)| attribute(spec, done, study));
    let mut table =
        FrequencyTable::of_coarse(columns, attributes.collect::<Result<_>>()?, counts, counted.dropped, leaf_rows)?;
    table.distant = Some(Arc::new(DistantNodes::new(distant, base, tuples)));
    Ok(table)
}

/// The advice where a table is too large for all that can be done.
pub(super) fn too_many(most: u64) -> Error {
    Error::study(format!(
        "the table has more than {most} distinct tuples, and whoever holds it cannot be asked about groups of them; allow more \
         with --groups-at-most, or take columns out of the study"
    ))
}

fn rows_by_leaf(values: &Distribution, done: &Finished) -> Vec<u64> {
    let mut rows = vec![0; done.domain.len()];
    values.entries().for_each(|entry| rows[done.leaf(entry.value) as usize] += entry.count);
    rows
}

/// The sets of a level.
fn sets_of(column: &QuasiColumn, level: u32) -> ColumnSets {
    let rows = vec![0; column.domain.len()];
    ColumnSets::of_sets(&column.hierarchy.level(level as usize).set_of, &rows)
}

/// What becomes of each code of a column at each of its levels.
fn level_codes(column: &QuasiColumn, leaf_of: &LeafOf, encoding: &Encoding) -> Vec<Vec<LevelCode>> {
    let codes = match encoding {
        Encoding::Labels(labels) => labels.len(),
        Encoding::Known { codes, .. } => codes.len(),
        Encoding::Bins { edges, .. } => edges.len() - 1,
        Encoding::Text | Encoding::Numbers => 0,
    };
    let of_level = |level: usize| {
        let sets = sets_of(column, level as u32);
        let of_leaf = |leaf: u32| {
            let set = sets.set_of[leaf as usize];
            let (from, to) = (sets.first[set as usize], sets.first[set as usize + 1]);
            LevelCode { set, covered: column.domain.values(from as usize, to as usize) - 1 }
        };
        let mut known: Vec<LevelCode> = (0..codes as u32).map(|code| of_leaf(leaf_of.leaf(code))).collect();
        // A missing cell that is a value has the last code.
        known.extend(leaf_of.missing().map(of_leaf));
        known
    };
    (0..=column.hierarchy.height()).map(of_level).collect()
}

/// The finest node with at most so many groups that is found by raising the column with most sets, again and again; and the
/// number of distinct tuples.
fn base(
    distant: &dyn Distant,
    request: &DistantRequest,
    heights: &[u32],
    most: u64,
    watch: &dyn Watch,
) -> Result<(Vec<u32>, u64)> {
    let sets = |column: usize, level: u32| {
        let codes = &request.levels[column][level as usize];
        codes.iter().map(|code| code.set).max().map_or(0, |last| last + 1)
    };
    let mut node = vec![0; heights.len()];
    let tuples = distant.groups(&node, watch)?;
    let mut groups = tuples;
    while groups > most {
        let lower = (0..node.len()).filter(|column| node[*column] < heights[*column]);
        let widest = lower.max_by_key(|column| (sets(*column, node[*column]), std::cmp::Reverse(*column)));
        let Some(column) = widest else { return Err(too_many(most)) };
        node[column] += 1;
        groups = distant.groups(&node, watch)?;
        watch.note(&format!("{groups} groups"));
    }
    Ok((node, tuples))
}

/// Groups by a leaf of each of their sets.
fn leaf_counts(counted: &Counted, leaf_of: &[LeafOf], sets: &[ColumnSets], attributes: &[Finished]) -> LeafCounts {
    let leaves = counted.tuples.iter().zip(leaf_of).zip(sets).map(|((codes, own), sets)| {
        let leaf = |code: u64| match code as u32 {
            MISSING => own.leaf(MISSING),
            set => sets.first[set as usize],
        };
        codes.iter().map(leaf).collect()
    });
    LeafCounts {
        leaves: leaves.collect(),
        rows: counted.counts.clone(),
        attributes: counted.attributes.iter().zip(attributes).map(|(own, done)| by_leaf(own.clone(), done)).collect(),
    }
}
