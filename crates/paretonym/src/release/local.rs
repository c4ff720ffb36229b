//! The release of a local recoding: what each box shows, and which box each tuple of the table lies in.
//!
//! Nothing is told of a box beyond what it shows. A box that shows a taxonomy node may hold only some of the values below
//! it; which ones is not written down, so that boxes may overlap in the saved recoding.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::column::ReleasedColumn;
use super::plan::RecodedTable;
use super::saved::{SavedColumn, SavedRegions, Shown};
use super::{KeptGroups, ReleaseTable};
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
    let Kept { table, grouping, .. } = *all;
    let (width, tuples) = (table.columns.len(), table.tuples.len());
    let box_of_group = boxes_of_groups(all, regions, solution);
    let boxes: BTreeSet<u32> = box_of_group.iter().flatten().copied().collect();

    let (mut columns, mut codes, mut set_of_box) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..width {
        let BoxSets { sets, of_box } = BoxSets::of(regions, &boxes, at);
        let mut rows: Vec<BTreeMap<u32, u64>> = vec![BTreeMap::new(); sets.len()];
        if table.columns[at].domain.kind == Kind::Numeric {
            for tuple in 0..tuples {
                if let Some(region) = box_of_group[grouping.group_of[tuple] as usize] {
                    let leaf = table.leaf(&table.tuples, tuple, at);
                    *rows[of_box[&region] as usize].entry(leaf).or_insert(0) += table.tuples.rows.get(tuple);
                }
            }
        }
        let rows: Vec<Vec<(u32, u64)>> = rows.into_iter().map(|rows| rows.into_iter().collect()).collect();
        let column = ReleasedColumn::new(study, table, at, counted.kept_rows(all, at))?;
        let (column, own_codes) = column.local(&sets, &rows, shown);
        columns.push(column);
        codes.push(own_codes);
        set_of_box.push(of_box);
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
    let overlap = !regions.cells.is_exact(&table.columns);
    // Where sets say which values are meant, what is saved makes the same release again.
    let mut exceptions = Vec::new();
    if !overlap {
        let place: HashMap<&[u32], u32> = boxes.iter().zip(0..).map(|(sets, at)| (sets.as_slice(), at)).collect();
        let runs = |at: usize, column: usize| columns[column].sets[boxes[at][column] as usize].holds.as_slice();
        let index = BoxIndex::new(width, boxes.len(), runs);
        for tuple in 0..tuples {
            let region = box_of_group[grouping.group_of[tuple] as usize];
            let own = region.and_then(|region| place.get(sets_of(region).as_slice()).copied());
            let code = |at: usize| codes[at][table.leaf(&table.tuples, tuple, at) as usize];
            let Some(codes) = (0..width).map(code).collect::<Option<Vec<u32>>>() else { continue };
            if index.first(&codes).map(|at| at as u32) != own {
                exceptions.push((codes, own));
            }
        }
        exceptions.sort_unstable();
    }
    Ok((columns, Some(SavedRegions { overlap, boxes, exceptions }), kept))
}

/// The box that each kept group lies in.
fn boxes_of_groups(all: &Kept, regions: &Regions, solution: usize) -> Vec<Option<u32>> {
    let Kept { table, grouping, suppressed } = *all;
    let (own, finder) = (&regions.solutions[solution], regions.shown(solution));
    // The tuples of a group show the same, so that one of them tells its sets.
    let mut box_of_group: Vec<Option<u32>> = vec![None; grouping.len()];
    let mut leaves = vec![0; table.columns.len()];
    for tuple in 0..table.tuples.len() {
        let group = grouping.group_of[tuple] as usize;
        if box_of_group[group].is_none() && !suppressed.groups[group] {
            leaves.iter_mut().enumerate().for_each(|(at, leaf)| *leaf = table.leaf(&table.tuples, tuple, at));
            box_of_group[group] = finder.position(&leaves).map(|at| own.boxes[at]);
        }
    }
    box_of_group
}

/// The sets that boxes show in one column.
struct BoxSets<'a> {
    /// In the order of what they show; equal ones are one.
    sets: Vec<&'a RegionSet>,
    /// The place of each box's set among them.
    of_box: HashMap<u32, u32>,
}

impl<'a> BoxSets<'a> {
    fn of(regions: &'a Regions, boxes: &BTreeSet<u32>, at: usize) -> Self {
        let mut sets: BTreeMap<&[LeafRun], &RegionSet> = BTreeMap::new();
        boxes.iter().map(|region| regions.set(*region, at)).for_each(|set| {
            sets.entry(set.shown()).or_insert(set);
        });
        let place: HashMap<&[LeafRun], u32> =
            sets.keys().enumerate().map(|(place, runs)| (*runs, place as u32)).collect();
        let of_box = boxes.iter().map(|region| (*region, place[regions.set(*region, at).shown()])).collect();
        BoxSets { sets: sets.into_values().collect(), of_box }
    }
}

/// What a cell of a box loses on average.
fn loss(columns: &[SavedColumn], sets: &[u32]) -> f64 {
    columns.iter().zip(sets).map(|(column, set)| column.sets[*set as usize].loss).sum::<f64>() / columns.len() as f64
}
