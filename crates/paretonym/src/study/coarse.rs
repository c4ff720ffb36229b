//! Counts a table whose distinct tuples are too many to be held: of the finest recoding whose groups are few enough the groups
//! come here, and whoever holds the rows is asked for the rest.

use std::sync::Arc;

use super::assemble::{attribute, by_leaf};
use super::known::{KnownColumns, LeafOf};
use super::{ColumnSpec, Study};
use crate::catalog;
use crate::data::{ColumnRequest, CountRequest, Counted, Encoding, MISSING, Part, Role};
use crate::engine::{Distant, DistantRequest, Engine, LevelCode, Watch};
use crate::error::{Error, Result};
use crate::group::{DistantNodes, FrequencyTable, LeafCounts};
use crate::recode::{ColumnSets, Family, QuasiColumn};

/// The table at the finest node that has at most so many groups.
pub(super) fn count_coarse(study: &Study, most: u64, engine: &dyn Engine, watch: &dyn Watch) -> Result<FrequencyTable> {
    let known = KnownColumns::count(study, engine, watch)?;
    let columns = &known.columns;
    if let Some(column) = columns.iter().find(|column| column.family != Family::Levels) {
        return Err(Error::study(format!(
            "the table has more than {most} distinct tuples, and column {:?} is recoded by {}: only nodes of a lattice can be \
             asked for one by one. Explore with recode = \"levels\" first, choose a solution, and search among what is coarser: \
             explore … --coarser-than DIR --solution ID; or allow more with --groups-at-most",
            column.name,
            column.family.name()
        )));
    }
    let quasi = columns.len();
    let part = |at: usize| if at < quasi { Part::Quasi } else { Part::Attribute };
    let asked = known.by_values.iter().enumerate().map(|(at, own)| {
        // Values of an attribute that are one to its domain are one to whoever counts them.
        let attribute = at.checked_sub(quasi).map(|at| &known.attributes[at].1);
        let joined = attribute.map(|done| own.encoding.joined(|code| done.leaf(code)));
        ColumnRequest { part: part(at), encoding: joined.unwrap_or_else(|| own.encoding.clone()), ..own.clone() }
    });
    let levels = columns.iter().zip(&known.leaf_of).zip(&known.by_values);
    let request = DistantRequest {
        count: CountRequest { columns: asked.collect(), ..CountRequest::default() },
        levels: levels.map(|((column, leaf_of), own)| level_codes(column, leaf_of, &own.encoding)).collect(),
        sensitive: if catalog::looks_inside(&study.search) { sensitive(&known).collect() } else { Vec::new() },
    };
    let distant = engine.distant(&study.data, &request, watch)?.ok_or_else(|| too_many(most))?;
    let heights: Vec<u32> = columns.iter().map(|column| column.hierarchy.height() as u32).collect();
    let (base, tuples) = base(distant.as_ref(), &request, &heights, most, watch)?;

    let sets: Vec<ColumnSets> = columns.iter().zip(&base).map(|(column, level)| sets_of(column, *level)).collect();
    let by_sets = known.by_sets(&sets).chain(known.by_values[quasi..].iter().cloned()).collect();
    let counted = known.count_again(study, by_sets, engine, watch)?;
    let counts = leaf_counts(&counted, &known, &sets);
    let KnownColumns { columns, attributes, leaf_rows, .. } = known;
    let attributes = attributes.into_iter().map(|(spec, done)| attribute(spec, done, study));
    let mut table =
        FrequencyTable::of_coarse(columns, attributes.collect::<Result<_>>()?, counts, counted.dropped, leaf_rows)?;
    table.distant = Some(Arc::new(DistantNodes::new(distant, base, tuples)));
    Ok(table)
}

/// The attributes that models of diversity look at.
fn sensitive<'k>(known: &'k KnownColumns) -> impl Iterator<Item = usize> + 'k {
    let of = |(at, (spec, _)): (usize, &(&ColumnSpec, _))| spec.role.has(Role::Sensitive).then_some(at);
    known.attributes.iter().enumerate().filter_map(of)
}

/// The advice where a table is too large for all that can be done.
pub(super) fn too_many(most: u64) -> Error {
    Error::study(format!(
        "the table has more than {most} distinct tuples, and whoever holds it cannot be asked about groups of them; allow more \
         with --groups-at-most, or take columns out of the study"
    ))
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
        known.extend(leaf_of.missing.map(of_leaf));
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
pub(super) fn leaf_counts(counted: &Counted, known: &KnownColumns, sets: &[ColumnSets]) -> LeafCounts {
    let leaves = counted.tuples.iter().zip(&known.leaf_of).zip(sets).map(|((codes, own), sets)| {
        let leaf = |code: u64| match code as u32 {
            MISSING => own.leaf(MISSING),
            set => sets.first[set as usize],
        };
        codes.iter().map(leaf).collect()
    });
    LeafCounts {
        leaves: leaves.collect(),
        rows: counted.counts.clone(),
        attributes: counted
            .attributes
            .iter()
            .zip(&known.attributes)
            .map(|(own, (_, done))| by_leaf(own.clone(), done))
            .collect(),
    }
}
