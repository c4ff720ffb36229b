//! The release of a local recoding: what each box shows, and which box each tuple of the table lies in.
//!
//! Nothing is told of a box beyond what it shows. A box that shows a taxonomy node may hold only some of the values below
//! it; which ones is not written down, so that boxes may overlap in the saved recoding.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::column::ReleasedColumn;
use super::plan::RecodedTable;
use super::saved::{SavedColumn, SavedRegions, Shown};
use super::{KeptGroups, ReleaseTable, SavedRecoding};
use crate::data::Kind;
use crate::error::Result;
use crate::group::Kept;
use crate::recode::{BoxIndex, LeafRun, RegionSet, Regions};
use crate::study::Study;

/// What the kept boxes of a solution show.
pub(super) fn local_columns(
    study: &Study,
    counted: &ReleaseTable,
    all: &Kept,
    regions: &Regions,
    solution: usize,
    shown: Shown,
) -> Result<RecodedTable> {
    let Kept { table, grouping, suppressed } = *all;
    let (width, tuples) = (table.columns.len(), table.tuples.len());
    let own = &regions.solutions[solution];
    let finder = regions.shown(solution);
    // The tuples of a group show the same, so that one of them tells its sets.
    let mut box_of_group: Vec<Option<u32>> = vec![None; grouping.len()];
    let mut leaves = vec![0; width];
    for tuple in 0..tuples {
        let group = grouping.group_of[tuple] as usize;
        if box_of_group[group].is_none() && !suppressed.groups[group] {
            leaves.iter_mut().enumerate().for_each(|(at, leaf)| *leaf = table.leaf(&table.tuples, tuple, at));
            box_of_group[group] = finder.position(&leaves).map(|at| own.boxes[at]);
        }
    }
    let boxes: BTreeSet<u32> = box_of_group.iter().flatten().copied().collect();

    let (mut columns, mut codes, mut set_of_box) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..width {
        // Sets in the order of what they show; equal ones are one.
        let mut sets: BTreeMap<&[LeafRun], &RegionSet> = BTreeMap::new();
        boxes.iter().map(|region| regions.set(*region, at)).for_each(|set| {
            sets.entry(set.shown()).or_insert(set);
        });
        let place: HashMap<&[LeafRun], u32> =
            sets.keys().enumerate().map(|(place, runs)| (*runs, place as u32)).collect();
        let own: HashMap<u32, u32> =
            boxes.iter().map(|region| (*region, place[regions.set(*region, at).shown()])).collect();
        let mut rows: Vec<BTreeMap<u32, u64>> = vec![BTreeMap::new(); sets.len()];
        if table.columns[at].domain.kind == Kind::Numeric {
            for tuple in 0..tuples {
                if let Some(region) = box_of_group[grouping.group_of[tuple] as usize] {
                    let leaf = table.leaf(&table.tuples, tuple, at);
                    *rows[own[&region] as usize].entry(leaf).or_insert(0) += u64::from(table.tuples.rows[tuple]);
                }
            }
        }
        let rows: Vec<Vec<(u32, u64)>> = rows.into_iter().map(|rows| rows.into_iter().collect()).collect();
        let sets: Vec<&RegionSet> = sets.into_values().collect();
        let column = ReleasedColumn::new(study, table, at, counted.kept_rows(all, at))?;
        let (column, own_codes) = column.local(&sets, &rows, shown);
        columns.push(column);
        codes.push(own_codes);
        set_of_box.push(own);
    }

    let sets_of = |region: u32| -> Vec<u32> { set_of_box.iter().map(|own| own[&region]).collect() };
    let mut kept = KeptGroups::default();
    for tuple in 0..tuples {
        let Some(region) = box_of_group[grouping.group_of[tuple] as usize] else { continue };
        let code = |at: usize| codes[at][table.leaf(&table.tuples, tuple, at) as usize];
        if let Some(codes) = (0..width).map(code).collect::<Option<Vec<u32>>>() {
            kept.place(&codes, &sets_of(region));
        }
    }
    let mut boxes: Vec<Vec<u32>> = boxes.into_iter().map(sets_of).collect();
    boxes.sort_by(|a, b| loss(&columns, a).total_cmp(&loss(&columns, b)).then_with(|| a.cmp(b)));
    boxes.dedup();
    let overlap = !regions.cells.is_exact(&table.columns) || !own.exceptions.is_empty();
    Ok((columns, Some(SavedRegions { overlap, boxes }), kept))
}

/// What a cell of a box loses on average.
fn loss(columns: &[SavedColumn], sets: &[u32]) -> f64 {
    columns.iter().zip(sets).map(|(column, set)| column.sets[*set as usize].loss).sum::<f64>() / columns.len() as f64
}

/// Finds the box of a saved recoding that a tuple lies in.
pub struct BoxFinder<'a> {
    columns: &'a [SavedColumn],
    boxes: &'a [Vec<u32>],
    index: BoxIndex,
}

impl<'a> BoxFinder<'a> {
    /// None where the recoding is not local.
    pub fn new(saved: &'a SavedRecoding) -> Option<Self> {
        let (columns, boxes) = (&saved.columns, &saved.regions.as_ref()?.boxes);
        let runs = |at: usize, column: usize| columns[column].sets[boxes[at][column] as usize].holds.as_slice();
        let index = BoxIndex::new(columns.len(), boxes.len(), runs);
        Some(BoxFinder { columns, boxes, index })
    }

    /// The sets of the first box that holds a tuple of codes.
    pub fn holding(&self, codes: &[u32]) -> Option<&'a [u32]> {
        self.index.first(codes).map(|at| self.boxes[at].as_slice())
    }

    /// The sets of the box that is nearest to a tuple of codes: the sum over columns of the way to its values, as a share
    /// of the domain where values have an order, and a whole one where they have none.
    pub fn nearest(&self, codes: &[u32]) -> Option<&'a [u32]> {
        let distance = |sets: &[u32]| -> f64 {
            let columns = self.columns.iter().zip(sets).zip(codes);
            columns.map(|((column, set), code)| way(column, &column.sets[*set as usize].holds, *code)).sum()
        };
        let boxes = self.boxes.iter().map(|sets| (distance(sets), sets));
        boxes.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, sets)| sets.as_slice())
    }
}

/// How far a value is from the values of a set.
fn way(column: &SavedColumn, runs: &[LeafRun], code: u32) -> f64 {
    let apart = |(first, last): &LeafRun| first.saturating_sub(code).max(code.saturating_sub(*last));
    let least = runs.iter().map(apart).min().unwrap_or(u32::MAX);
    match column.kind {
        Kind::Categorical => f64::from(least.min(1)),
        _ => f64::from(least) / (column.leaves.len() as f64 - 1.0).max(1.0),
    }
}
