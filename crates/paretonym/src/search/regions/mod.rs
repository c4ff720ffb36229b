//! regions: local recoding by a ladder of trees.
//!
//! A tree is grown until no half of a split would satisfy a floor, then pruned for every limit above that floor at the
//! least loss ([`prune`]). One tree grown to the smallest k would serve every k, but its upper splits were chosen with
//! lower ones in mind that a large k takes away again. So a ladder of trees is grown, each to a floor of its own, and
//! their prunings make one front.

mod grow;
mod prune;
pub(super) mod split_table;
mod wide;

use std::ops::Range;

use rayon::prelude::*;

use self::grow::{Floor, Tree, grow};
use self::prune::{Priced, Pruner};
use self::split_table::SplitTable;
use super::baselines::ETA_PARAMETER;
use super::{Found, FoundRecoding, Optimizer, OptimizerEntry, SearchRun};
use crate::engine::Watch;
use crate::error::{Error, Result};
use crate::front::{Archive, Outcome};
use crate::group::{FrequencyTable, Needs, PlacedRegions, gather};
use crate::loss::General;
use crate::measure::{Call, CatalogEntry, Grouped, Letter, Loss, Parameter, SAME_LEVEL, Takes};
use crate::problem::{Problem, Scratch, budget_rows};
use crate::recode::{CellForm, RegionBox, RegionSet, RegionSolution, Regions, SetCollector};

/// Each tree is grown to a floor this many times that of the one before.
const STEP: f64 = 1.1;
/// For models other than k, one in so many of these floors.
const SKIPPED: usize = 4;
/// The most better floors that a tree tries to keep before its own.
const RESERVE: usize = 2;
/// Up to so many levels of a model, each has a tree of its own.
const FEW_LEVELS: usize = 16;
/// Sizes that publishers ask for: a tree of their own serves them best.
const ASKED_FOR: [f64; 6] = [25.0, 50.0, 100.0, 250.0, 500.0, 1000.0];
/// The most limits that a tree is pruned for when levels are not sizes: they may be as many as the nodes.
const LIMITS: usize = 96;

/// What categorical cells show.
pub(super) const CELLS_PARAMETER: Parameter = Parameter {
    name: "cells",
    default: "nodes",
    takes: Takes::Text,
    summary: "categorical cells show the lowest taxonomy node, or \"sets\": their set of values, or \
                      \"sets(most=8)\": the node where the set has more",
};

/// Its line in the catalogue.
pub const ENTRY: OptimizerEntry = OptimizerEntry {
    entry: CatalogEntry {
        name: "regions",
        aliases: &["local"],
        summary: "local recoding: boxes of tuples that show their own sets; a front from a ladder of pruned trees",
        parameters: &[CELLS_PARAMETER, ETA_PARAMETER],
        reference: "LeFevre et al. 2006; Breiman et al. 1984",
    },
    make: |call| Ok(Box::new(RegionSearch { cells: cell_form(call)?, eta: call.number("eta", 0.0)? })),
};

/// Fails where the loss knows levels only.
pub(super) fn check_loss(problem: &dyn Problem, optimizer: &str) -> Result<()> {
    if problem.loss().levels_only() {
        return Err(Error::study(format!(
            "the loss {} is defined for levels only; choose another for optimizer = {optimizer:?}, such as general",
            problem.loss().name()
        )));
    }
    Ok(())
}

/// The `cells` of a search.
pub(super) fn cell_form(call: &Call) -> Result<CellForm> {
    let Some(text) = call.text("cells") else { return Ok(CellForm::default()) };
    let call = Call::parse(text)?;
    let most: f64 = call.number("most", 0.0)?;
    match (call.name.as_str(), most) {
        ("nodes", 0.0) => Ok(CellForm::Nodes),
        ("sets", 0.0) => Ok(CellForm::Sets),
        ("sets", most) if most >= 1.0 && most.fract() == 0.0 && most <= f64::from(u32::MAX) => {
            Ok(CellForm::SetsOfAtMost(most as u32))
        }
        _ => Err(Error::UnknownName {
            what: "form of cells",
            name: text.to_owned(),
            known: ["nodes", "sets", "sets(most=8)"].map(str::to_owned).to_vec(),
        }),
    }
}

/// Local recoding: trees of boxes over the tuples, grown from the top and pruned from the bottom, for every limit at
/// once ([how, and when to use it](crate::theory::families)).
///
/// Columns with an order (numbers, ordinals, dates) show an interval, categorical ones the lowest taxonomy node or the
/// set of values ([`CellForm`]). Ordered columns, and those with `recode = "breaks"`, are split by their order
/// anywhere; other categorical ones by their taxonomy: one of its nodes against the other values.
///
/// A heuristic, never exact. [Reference](mod@crate::theory::references): LeFevre et al. 2006 (Mondrian) for the
/// splitting; Breiman et al. 1984 for pruning a tree by dynamic programming.
///
/// In the catalogue `regions`: [definition](crate::theory::definitions#regions).
pub struct RegionSearch {
    /// What categorical cells show.
    pub cells: CellForm,
    /// The largest share of rows that may be suppressed.
    pub eta: f64,
}

/// A cut worth looking at: of which tree, under which limits, and what it loses.
struct Candidate {
    tree: usize,
    limits: Vec<f64>,
    price: f64,
    loss: f64,
}

impl Optimizer for RegionSearch {
    fn name(&self) -> &'static str {
        "regions"
    }

    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found> {
        check_loss(problem, self.name())?;
        let mut notes = Vec::new();
        let general = General::default();
        let loss: &dyn Loss = if problem.loss().additive() { problem.loss() } else { &general };
        if !problem.loss().additive() {
            notes.push(format!("{} is not a sum over groups: trees are pruned by general loss", problem.loss().name()));
        }
        let weights = loss.cell_weights(table).or_else(|| general.cell_weights(table)).unwrap_or_default();
        let split_table = SplitTable::new(table, self.cells, &weights);
        let budget = if problem.may_suppress() { budget_rows(self.eta, table.rows) } else { 0 };

        // The first tree goes as deep as any limit may need; its levels are the ladder for the others.
        let by_size = problem.models().len() == 1 && problem.models()[0].letter() == Letter::K;
        let watch = run.watch;
        let first = TreeFloor { table, problem, watch, rows: if by_size { 2 } else { 1 }, tiers: Vec::new() };
        let mut tree = grow(&split_table, &first);
        let priced = Priced::new(table, &mut tree, problem, loss);
        let mut floors: Vec<(u32, Vec<Vec<f64>>)> =
            sizes(table.rows).into_iter().map(|rows| (rows, Vec::new())).collect();
        if by_size && budget > 0 {
            // Single rows can be suppressed, so one tree goes down to them; the others stay, and a budget never hurts.
            floors.push((1, Vec::new()));
        }
        if !by_size {
            // Large groups tend to be diverse: trees that only look at sizes serve the other models too, beside those
            // that look inside.
            floors = floors.into_iter().step_by(SKIPPED).collect();
            floors.extend(ladder(&priced).into_iter().map(|tiers| (1, tiers)));
        }
        run.watch.phase("growing trees", Some(floors.len() as u64 + 1));
        run.watch.advance(1);
        let mut trees = vec![(tree, priced)];
        let grown: Vec<Option<(Tree, Priced)>> = floors
            .into_par_iter()
            .map(|(rows, tiers)| {
                if run.watch.cancelled() {
                    return None;
                }
                let mut tree = grow(&split_table, &TreeFloor { table, problem, watch, rows, tiers });
                let priced = Priced::new(table, &mut tree, problem, loss);
                run.watch.advance(1);
                Some((tree, priced))
            })
            .collect();
        trees.extend(grown.into_iter().flatten());

        let cuts: Vec<Vec<Candidate>> = trees
            .par_iter()
            .enumerate()
            .map(|(at, (tree, priced))| candidates(at, tree, priced, budget, by_size, watch))
            .collect();
        let evaluated = cuts.iter().map(|cuts| cuts.len() as u64).sum();
        let cuts = best(cuts.into_iter().flatten().collect());
        let (placed, boxes) = place(&split_table, self.cells, &trees, &cuts, by_size, watch);
        let (archive, regions) = judge(table, problem, placed, &boxes, watch);
        Ok(Found {
            archive,
            evaluated,
            space: None,
            exact: false,
            complete: !watch.cancelled(),
            notes,
            regions: Some(regions),
            bounds: Vec::new(),
        })
    }
}

/// The floor of one tree.
struct TreeFloor<'a> {
    table: &'a FrequencyTable,
    problem: &'a dyn Problem,
    watch: &'a dyn Watch,
    rows: u32,
    /// TreeFloor, each the largest cost in every model; empty where only rows matter.
    tiers: Vec<Vec<f64>>,
}

impl Floor for TreeFloor<'_> {
    fn stops(&self) -> bool {
        self.watch.cancelled()
    }

    fn rows(&self) -> u32 {
        self.rows
    }

    fn looks_inside(&self) -> bool {
        !self.tiers.is_empty()
    }

    fn tiers(&self) -> usize {
        self.tiers.len().max(1)
    }

    fn allows(&self, tuples: &[u32], tier: usize) -> bool {
        let group = gather(self.table, std::iter::once(tuples), self.problem.needs());
        let models = self.problem.models();
        models.iter().zip(&self.tiers[tier]).all(|(model, limit)| within(model.cost(group.view(0)), *limit))
    }
}

/// Whether a cost is no worse than a limit.
fn within(cost: f64, limit: f64) -> bool {
    cost <= limit + SAME_LEVEL * limit.abs().max(1.0)
}

/// The distinct values of some costs, worst first.
fn distinct(costs: &[f64]) -> Vec<f64> {
    let mut levels = costs.to_vec();
    levels.sort_by(|a, b| b.total_cmp(a));
    levels.dedup_by(|a, b| within(*b, *a));
    levels
}

/// The floors of the trees where levels are sizes: 3, 4, 5 and on in steps that grow, up to half the table, and the
/// sizes that people ask for.
fn sizes(rows: u64) -> Vec<u32> {
    let (mut floors, mut k) = (ASKED_FOR.to_vec(), 3.0f64);
    while 2.0 * k <= rows as f64 {
        floors.push(k);
        k = (k * STEP).floor().max(k + 1.0);
    }
    floors.retain(|k| 2.0 * k <= rows as f64);
    floors.sort_by(f64::total_cmp);
    floors.dedup();
    floors.into_iter().map(|k| k as u32).collect()
}

/// The floors of the trees for other levels: places among those of the first tree that lie further and further apart. A
/// box that just holds a level can hardly be split further, so that each floor comes once alone and, where there is one
/// model, also behind better ones that are kept as long as possible.
fn ladder(priced: &Priced) -> Vec<Vec<Vec<f64>>> {
    let rungs = |costs: &[f64], step: f64| {
        let levels = distinct(costs);
        // Few levels, as of l, are all asked for.
        let step = if levels.len() <= FEW_LEVELS { 1.0 } else { step };
        let (mut rungs, mut place) = (Vec::new(), 1.0f64);
        while (place as usize) < levels.len() {
            rungs.push(levels[place as usize]);
            place = (place * step).max(place + 1.0);
        }
        rungs
    };
    match priced.costs.as_slice() {
        [costs] => {
            let rungs = rungs(costs, 1.5);
            let tiers = |at: usize, reserve: usize| {
                let better = (at + 1..=at + reserve).rev().filter_map(|other| rungs.get(other));
                better.chain([&rungs[at]]).map(|limit| vec![*limit]).collect::<Vec<_>>()
            };
            let mut floors: Vec<Vec<Vec<f64>>> = (0..rungs.len())
                .flat_map(|at| (0..=RESERVE).map(move |reserve| (at, reserve)))
                .map(|(at, reserve)| tiers(at, reserve))
                .collect();
            floors.dedup();
            floors
        }
        models => {
            let mut floors: Vec<Vec<f64>> = vec![Vec::new()];
            for costs in models {
                let own = rungs(costs, 3.0);
                floors = floors
                    .iter()
                    .flat_map(|floor| own.iter().map(move |limit| [floor.as_slice(), &[*limit]].concat()))
                    .collect();
            }
            floors.into_iter().map(|limits| vec![limits]).collect()
        }
    }
}

/// The limits that a tree is pruned for: all levels of its nodes, thinned out where there are too many.
fn limits(priced: &Priced, by_size: bool) -> Vec<Vec<f64>> {
    let models = priced.costs.len();
    let most =
        if by_size { usize::MAX } else { (LIMITS as f64).powf(1.0 / models as f64).ceil() as usize * models.min(2) };
    let mut all: Vec<Vec<f64>> = vec![Vec::new()];
    for costs in &priced.costs {
        let mut levels = distinct(costs);
        if levels.len() > most {
            let last = levels.len() - 1;
            levels = (0..most).map(|at| levels[at * last / (most - 1)]).collect();
        }
        all =
            all.iter().flat_map(|some| levels.iter().map(move |level| [some.as_slice(), &[*level]].concat())).collect();
    }
    all
}

/// How many nodes come into question under some limits; sizes are sorted, so that only these need to be looked at.
fn large(tree: &Tree, limits: &[f64], by_size: bool) -> usize {
    if by_size { tree.nodes.partition_point(|node| f64::from(node.rows) >= -limits[0]) } else { tree.nodes.len() }
}

/// Whether a node satisfies limits.
fn fits(priced: &Priced, limits: &[f64], node: usize) -> bool {
    priced.costs.iter().zip(limits).all(|(costs, limit)| within(costs[node], *limit))
}

/// After a stop only some of many things are still done, about so many, so that there is a front soon.
const AFTER_STOP: usize = 4;

/// Those of many things that are done: all, or after a stop a few that lie evenly among them.
fn worth_doing(at: usize, count: usize, watch: &dyn Watch) -> bool {
    at.is_multiple_of(count.div_ceil(AFTER_STOP).max(1)) || !watch.cancelled()
}

/// The cheapest cuts of one tree under all limits.
fn candidates(
    at: usize,
    tree: &Tree,
    priced: &Priced,
    budget: u64,
    by_size: bool,
    watch: &dyn Watch,
) -> Vec<Candidate> {
    let mut pruner = Pruner::new(tree, priced);
    let mut found = Vec::new();
    let all = limits(priced, by_size);
    let count = all.len();
    for (place, limits) in all.into_iter().enumerate() {
        if !worth_doing(place, count, watch) {
            continue;
        }
        let large = large(tree, &limits, by_size);
        let fits = |node: usize| fits(priced, &limits, node);
        let nothing = pruner.loss(large, f64::INFINITY, fits);
        found.extend(nothing.map(|loss| Candidate { tree: at, limits: limits.clone(), price: f64::INFINITY, loss }));
        if budget > 0
            && let Some((price, loss)) = pruner.price(large, budget, fits).filter(|(price, _)| price.is_finite())
        {
            found.push(Candidate { tree: at, limits, price, loss });
        }
    }
    found
}

/// Leaves out cuts that another one beats in limits and loss.
fn best(mut cuts: Vec<Candidate>) -> Vec<Candidate> {
    cuts.sort_by(|a, b| {
        let order = |a: f64, b: f64| a.total_cmp(&b);
        order(a.limits[0], b.limits[0]).then(order(a.loss, b.loss)).then(a.tree.cmp(&b.tree))
    });
    let mut kept: Vec<Candidate> = Vec::new();
    for cut in cuts {
        let beaten = |other: &Candidate| {
            other.loss <= cut.loss && other.limits.iter().zip(&cut.limits).all(|(other, own)| within(*other, *own))
        };
        // With one limit the last cut that was kept has the least loss so far.
        let found = if cut.limits.len() == 1 { kept.last().is_some_and(beaten) } else { kept.iter().any(beaten) };
        if !found {
            kept.push(cut);
        }
    }
    kept
}

/// Turns cuts into boxes: each node of each tree that some cut shows becomes one.
fn place(
    split_table: &SplitTable,
    cells: CellForm,
    trees: &[(Tree, Priced)],
    cuts: &[Candidate],
    by_size: bool,
    watch: &dyn Watch,
) -> (PlacedRegions, Vec<Vec<u32>>) {
    let mut placer = Placer::new(split_table, cells);
    let mut boxes_of: Vec<Vec<u32>> = trees.iter().map(|(tree, _)| vec![grow::NONE; tree.nodes.len()]).collect();
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
            if *known == grow::NONE {
                let place = &tree.nodes[node as usize];
                *known = placer.add(cut.tree, &tree.order, place.start..place.end);
            }
            boxes.push(*known);
        }
        boxes.sort_unstable();
        solutions.push(boxes);
    }
    let orders = trees.iter().map(|(tree, _)| tree.order.clone()).collect();
    (placer.finish(orders), solutions)
}

/// Makes boxes from ranges of tuples.
pub(super) struct Placer<'a> {
    split_table: &'a SplitTable<'a>,
    regions: Regions,
    sets: SetCollector,
    places: Vec<(u32, Range<u32>)>,
}

impl<'a> Placer<'a> {
    /// Without boxes.
    pub(super) fn new(split_table: &'a SplitTable<'a>, cells: CellForm) -> Self {
        let columns = &split_table.table.columns;
        let sets = SetCollector::new(columns.len());
        Placer { split_table, regions: Regions::new(columns, cells), sets, places: Vec::new() }
    }

    /// A box around the tuples of a range of the order with this number.
    pub(super) fn add(&mut self, number: usize, order: &[u32], range: Range<u32>) -> u32 {
        let table = self.split_table.table;
        let members = &order[range.start as usize..range.end as usize];
        let mut sets = Vec::with_capacity(table.columns.len());
        for (column, quasi) in table.columns.iter().enumerate() {
            let codes = &self.split_table.columns[column].codes;
            let mut leaves: Vec<u32> = members.iter().map(|tuple| codes[*tuple as usize]).collect();
            leaves.sort_unstable();
            leaves.dedup();
            let mut set = RegionSet::covering(quasi, &leaves, self.regions.cells);
            // Names are long and most boxes are forgotten: those that stay get theirs in the end.
            set.label = String::new();
            set.leaves.shrink_to_fit();
            sets.push(self.sets.position(&mut self.regions, column, set));
        }
        let rows = members.iter().map(|tuple| u64::from(table.tuples.rows[*tuple as usize])).sum();
        self.regions.boxes.push(RegionBox { rows, sets });
        self.places.push((number as u32, range));
        self.regions.boxes.len() as u32 - 1
    }

    /// All boxes with the orders that they lie in.
    pub(super) fn finish(self, orders: Vec<Vec<u32>>) -> PlacedRegions {
        PlacedRegions::new(self.regions, orders, self.places)
    }
}

/// Asks the problem for the outcomes of each set of boxes; the front, and beside it the boxes of each of its points.
pub(super) fn judge(
    table: &FrequencyTable,
    problem: &dyn Problem,
    mut placed: PlacedRegions,
    solutions: &[Vec<u32>],
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
    placed.tidy(table);
    // Trees share many cuts, so that a count of the solutions that reach a point would say nothing.
    archive.set_alternatives(std::iter::repeat(0));
    let mut places = 0..;
    (archive.map(|_| FoundRecoding::Local(places.next().unwrap_or_default())), placed)
}
