//! From cuts of trees to solutions: the boxes with what they show, and which of them make the front.

use std::ops::Range;

use rayon::prelude::*;

use super::cuts::{Candidate, fits, large};
use super::prune::{Priced, Pruner};
use super::refine::Refined;
use super::split_table::SplitTable;
use super::tree::{NONE, Tree};
use crate::data::Kind;
use crate::engine::Watch;
use crate::front::{Archive, Outcome};
use crate::group::{FrequencyTable, Needs, PlacedRegions};
use crate::measure::Grouped;
use crate::problem::{Problem, Scratch};
use crate::recode::{CellForm, RegionBox, RegionSet, RegionSolution, Regions, SetCollector};
use crate::search::FoundRecoding;

/// After a stop only some of many things are still done, about so many, so that there is a front soon.
const AFTER_STOP: usize = 4;

/// Those of many things that are done: all, or after a stop a few that lie evenly among them.
pub(super) fn worth_doing(at: usize, count: usize, watch: &dyn Watch) -> bool {
    at.is_multiple_of(count.div_ceil(AFTER_STOP).max(1)) || !watch.cancelled()
}

/// Turns cuts into boxes: each node of each tree that some cut shows becomes one. Clusters become boxes too; those of the
/// solutions from the second result on may overlap.
pub(super) fn place(
    split_table: &SplitTable,
    cells: CellForm,
    trees: Vec<(Tree, Priced)>,
    cuts: &[Candidate],
    refined: Vec<Refined>,
    by_size: bool,
    watch: &dyn Watch,
) -> (PlacedRegions, Vec<Vec<u32>>, usize) {
    let mut placer = Placer::new(split_table, cells);
    let mut boxes_of: Vec<Vec<u32>> = trees.iter().map(|(tree, _)| vec![NONE; tree.nodes.len()]).collect();
    let mut pruners: Vec<Pruner> = trees.iter().map(|(tree, priced)| Pruner::new(tree, priced)).collect();
    let mut solutions = Vec::with_capacity(cuts.len());
    for (at, cut) in cuts.iter().enumerate() {
        if !worth_doing(at, cuts.len(), watch) {
            continue;
        }
        let (tree, priced) = &trees[cut.tree];
        let large = large(tree, &cut.limits, by_size);
        let pruner = &mut pruners[cut.tree];
        pruner.loss(large, cut.price, |node| fits(priced, &cut.limits, node));
        let mut boxes: Vec<u32> = Vec::new();
        for node in pruner.cut(large).nodes {
            let known = &mut boxes_of[cut.tree][node as usize];
            if *known == NONE {
                let place = &tree.nodes[node as usize];
                *known = placer.add(cut.tree, &tree.order, place.start..place.end);
            }
            boxes.push(*known);
        }
        boxes.sort_unstable();
        solutions.push(boxes);
    }
    let mut orders: Vec<Vec<u32>> = trees.into_iter().map(|(tree, _)| tree.order).collect();
    let disjoint = solutions.len();
    for Refined { clusters, hidden } in refined {
        // What is left out is a box for each tuple: none of them has rows enough to stay. They come first, so that no other
        // box is found for these tuples; and narrow boxes come before wide ones, which are seldom needed by their tuples.
        let sizes = std::iter::repeat_n(1, hidden.len()).chain(clusters.iter().map(Vec::len)).collect::<Vec<_>>();
        let order = [hidden, clusters.concat()].concat();
        let mut start = 0;
        let boxes = sizes.into_iter().map(|size| {
            start += size as u32;
            placer.add(orders.len(), &order, start - size as u32..start)
        });
        solutions.push(boxes.collect());
        orders.push(order);
    }
    (placer.finish(orders), solutions, disjoint)
}

/// Makes boxes from ranges of tuples.
pub(in crate::search) struct Placer<'a> {
    split_table: &'a SplitTable<'a>,
    regions: Regions,
    sets: SetCollector,
    places: Vec<(u32, Range<u32>)>,
}

impl<'a> Placer<'a> {
    /// Without boxes.
    pub(in crate::search) fn new(split_table: &'a SplitTable<'a>, cells: CellForm) -> Self {
        let columns = &split_table.table.columns;
        let sets = SetCollector::new(columns.len());
        Placer { split_table, regions: Regions::new(columns, cells), sets, places: Vec::new() }
    }

    /// A box around the tuples of a range of the order with this number.
    pub(in crate::search) fn add(&mut self, number: usize, order: &[u32], range: Range<u32>) -> u32 {
        let table = self.split_table.table;
        let members = &order[range.start as usize..range.end as usize];
        let mut sets = Vec::with_capacity(table.columns.len());
        for (column, quasi) in table.columns.iter().enumerate() {
            let codes = &self.split_table.columns[column].codes;
            let occurring = members.iter().map(|tuple| codes[*tuple as usize]);
            let leaves: Vec<u32> = if quasi.domain.kind == Kind::Categorical {
                let mut leaves: Vec<u32> = occurring.collect();
                leaves.sort_unstable();
                leaves.dedup();
                leaves
            } else {
                // An interval knows its ends only.
                let (low, high) = occurring.fold((u32::MAX, 0), |(low, high), leaf| (low.min(leaf), high.max(leaf)));
                vec![low, high]
            };
            let mut set = RegionSet::covering(quasi, &leaves, self.regions.cells);
            // Names are long and most boxes are forgotten: those that stay get theirs in the end.
            set.label = String::new();
            set.leaves.shrink_to_fit();
            sets.push(self.sets.position(&mut self.regions, column, set));
        }
        let rows = members.iter().map(|tuple| table.tuples.rows.get(*tuple as usize)).sum();
        self.regions.boxes.push(RegionBox { rows, sets });
        self.places.push((number as u32, range));
        self.regions.boxes.len() as u32 - 1
    }

    /// All boxes with the orders that they lie in.
    pub(in crate::search) fn finish(self, orders: Vec<Vec<u32>>) -> PlacedRegions {
        PlacedRegions::new(self.regions, orders, self.places)
    }
}

/// Asks the problem for the outcomes of each set of boxes; the front, and beside it the boxes of each of its points. The
/// boxes of the first `disjoint` sets do not overlap.
pub(in crate::search) fn judge(
    table: &FrequencyTable,
    problem: &dyn Problem,
    mut placed: PlacedRegions,
    solutions: &[Vec<u32>],
    disjoint: usize,
    watch: &dyn Watch,
) -> (Archive<FoundRecoding>, PlacedRegions) {
    let needs = Needs { group_of: false, ..problem.needs() };
    let outcomes: Vec<Vec<Outcome>> = solutions
        .par_iter()
        .enumerate()
        .map_init(Scratch::default, |scratch, (at, boxes)| {
            if !worth_doing(at, solutions.len(), watch) {
                return Vec::new();
            }
            let (grouping, _) = placed.group(table, boxes, needs);
            let mut outcomes = Vec::new();
            problem.outcomes(&Grouped { table, grouping: &grouping }, scratch, &mut |outcome| outcomes.push(outcome));
            outcomes
        })
        .collect();
    // Of solutions that reach the same point the first is taken.
    let mut archive = Archive::new();
    for (at, own) in outcomes.iter().enumerate() {
        own.iter().for_each(|outcome| archive.insert(outcome, &at));
    }
    let chosen = archive.entries().par_iter().map(|entry| {
        let boxes = &solutions[entry.recoding];
        let (grouping, group_of) = placed.group(table, boxes, needs);
        let gone: Vec<bool> =
            (0..grouping.len()).map(|group| problem.suppresses(&entry.cutoff, grouping.groups.view(group))).collect();
        let suppressed = boxes.iter().zip(&group_of).filter(|(_, group)| gone[**group as usize]).map(|(b, _)| *b);
        RegionSolution { boxes: boxes.clone(), suppressed: suppressed.collect(), exceptions: Vec::new() }
    });
    let chosen: Vec<RegionSolution> = chosen.collect();
    placed.regions.solutions = chosen;
    // One after the other: what finds the box of a tuple is large.
    for (at, _) in archive.entries().iter().enumerate().filter(|(_, entry)| entry.recoding >= disjoint) {
        placed.regions.solutions[at].exceptions = exceptions(table, &placed, at);
    }
    placed.tidy(table);
    // Trees share many cuts, so that a count of the solutions that reach a point would say nothing.
    archive.set_alternatives(std::iter::repeat(0));
    let mut places = 0..;
    (archive.map(|_| FoundRecoding::Local(places.next().unwrap_or_default())), placed)
}

/// Tuples that the sets of a solution's boxes would lead into another box than theirs.
fn exceptions(table: &FrequencyTable, placed: &PlacedRegions, solution: usize) -> Vec<(Vec<u32>, u32)> {
    let shown = placed.regions.shown(solution);
    let boxes = &placed.regions.solutions[solution].boxes;
    let own = boxes.par_iter().flat_map_iter(|region| {
        let shown = &shown;
        placed.members(*region).iter().filter_map(move |tuple| {
            let columns = 0..table.columns.len();
            let leaves: Vec<u32> = columns.map(|column| table.leaf(&table.tuples, *tuple as usize, column)).collect();
            let elsewhere = shown.position(&leaves).map(|at| boxes[at]) != Some(*region);
            elsewhere.then_some((leaves, *region))
        })
    });
    let mut found: Vec<(Vec<u32>, u32)> = own.collect();
    found.sort_unstable();
    found
}
