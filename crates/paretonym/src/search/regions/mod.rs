//! regions: local recoding by a ladder of trees.
//!
//! A tree is grown until no half of a split would satisfy a floor, then pruned for every limit above that floor at the
//! least loss ([`prune`]). One tree grown to the smallest k would serve every k, but its upper splits were chosen with
//! lower ones in mind that a large k takes away again. So a ladder of trees is grown, each to a floor of its own, all of
//! them together ([`forest`]), and their prunings make one front.
//!
//! For k, local search then looks for partitions that no tree has ([`refine`]), and how far from the best the front can be
//! at most is told by a lower bound ([`bound`]).

mod bound;
mod cuts;
mod forest;
mod grow;
mod ladder;
mod lines;
mod place;
mod prune;
mod rank;
mod refine;
mod score;
pub(super) mod split_table;
#[cfg(test)]
mod tests;
mod tree;
mod wide;

pub(super) use self::place::{Placer, judge};

use rayon::prelude::*;

use self::bound::loss_bounds;
use self::cuts::{Candidate, best, candidates};
use self::forest::Ground;
use self::ladder::{Floor, ladder, sizes};
use self::place::{place, worth_doing};
use self::prune::Priced;
use self::refine::{Refined, Units, can_refine, refined};
use self::split_table::SplitTable;
use self::tree::Tree;
use super::baselines::ETA_PARAMETER;
use super::{Found, FoundRecoding, Optimizer, OptimizerEntry, SearchRun};
use crate::engine::Watch;
use crate::error::{Error, Result};
use crate::front::Archive;
use crate::group::{FrequencyTable, gather};
use crate::loss::General;
use crate::measure::{Call, CatalogEntry, Letter, Loss, Parameter, Privacy, Takes};
use crate::problem::{Floors, Problem, budget_rows};
use crate::recode::CellForm;

/// For models other than k, one in so many floors of the ladder.
const SKIPPED: usize = 4;

/// What categorical cells show.
pub(super) const CELLS_PARAMETER: Parameter = Parameter {
    name: "cells",
    default: "nodes",
    takes: Takes::SuchAs(&["nodes", "sets", "sets(most=8)"]),
    summary: "categorical cells show the lowest taxonomy node, or \"sets\": their set of values, or \
              \"sets(most=8)\": the node where the set has more",
};

/// Its line in the catalogue.
pub const ENTRY: OptimizerEntry = OptimizerEntry {
    entry: CatalogEntry {
        name: "regions",
        aliases: &["local"],
        summary: "local recoding: boxes of tuples that show their own sets; from pruned trees and local search",
        parameters: &[
            CELLS_PARAMETER,
            ETA_PARAMETER,
            Parameter {
                name: "improve",
                default: "true",
                takes: Takes::Flag,
                summary: "whether local search improves on trees for k: a fifth less loss, in much more time",
            },
        ],
        reference: "LeFevre et al. 2006; Breiman et al. 1984; Goldberger and Tassa 2010",
    },
    make: |call| {
        let improve = call.text("improve") != Some("false");
        Ok(Box::new(RegionSearch { cells: cell_form(call)?, eta: call.number("eta", 0.0)?, improve }))
    },
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
/// For k, clusters of tuples are then gathered from the bottom and improved by local search; boxes may overlap then, while
/// every tuple is shown one way.
///
/// A heuristic, never exact; a lower bound tells how much is left to gain at most.
/// [Reference](mod@crate::theory::references): LeFevre et al. 2006 (Mondrian) for the splitting; Breiman et al. 1984 for
/// pruning a tree by dynamic programming; Goldberger and Tassa 2010 for moving records between clusters.
///
/// In the catalogue `regions`: [definition](crate::theory::definitions#regions).
pub struct RegionSearch {
    /// What categorical cells show.
    pub cells: CellForm,
    /// The largest share of rows that may be suppressed.
    pub eta: f64,
    /// Whether local search follows the trees.
    pub improve: bool,
}

impl Optimizer for RegionSearch {
    fn name(&self) -> &'static str {
        "regions"
    }

    fn recodes_locally(&self) -> bool {
        true
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

        let by_size = problem.models().len() == 1 && problem.models()[0].letter() == Letter::K;
        let trees = Growing { table, problem, loss, split_table: &split_table, watch: run.watch };
        let trees = if by_size { trees.by_size(budget) } else { trees.by_levels() };
        let watch = run.watch;
        let cuts: Vec<Vec<Candidate>> = trees
            .par_iter()
            .enumerate()
            .map(|(at, (tree, priced))| candidates(at, tree, priced, budget, by_size, watch))
            .collect();
        let evaluated = cuts.iter().map(|cuts| cuts.len() as u64).sum::<u64>();
        let cuts = best(cuts.into_iter().flatten().collect());
        let refined = if by_size && self.improve {
            self.refined(&split_table, problem, budget, watch, &mut notes)
        } else {
            Vec::new()
        };
        let evaluated = evaluated + refined.len() as u64;
        let (placed, boxes, disjoint) = place(&split_table, self.cells, trees, &cuts, refined, by_size, watch);
        let (archive, regions) = judge(table, problem, placed, &boxes, disjoint, watch);
        let bounds = if by_size && self.improve { bounds(&split_table, problem, &archive, watch) } else { Vec::new() };
        Ok(Found {
            archive,
            evaluated,
            space: None,
            exact: false,
            complete: !watch.cancelled(),
            notes,
            regions: Some(regions),
            bounds,
        })
    }
}

/// What any local recoding loses at least at the k of each point, where the loss is the share of its domain that a cell
/// covers; otherwise nothing is known.
fn bounds(
    split_table: &SplitTable,
    problem: &dyn Problem,
    archive: &Archive<FoundRecoding>,
    watch: &dyn Watch,
) -> Vec<f64> {
    let loss = problem.loss();
    if problem.prunable().is_err() || !loss.is_general() || !loss.knows_classes() {
        return Vec::new();
    }
    let left_out = match problem.budget() {
        Some(budget) => budget_rows(budget.eta, split_table.table.rows),
        None if problem.may_suppress() => return Vec::new(),
        None => 0,
    };
    let costs: Vec<(u64, f64)> = archive
        .entries()
        .iter()
        .map(|entry| {
            let costs = entry.point.costs();
            ((-costs[0]).max(1.0) as u64, costs[costs.len() - 1])
        })
        .collect();
    let mut ks: Vec<u64> = costs.iter().map(|(k, _)| *k).collect();
    ks.sort_unstable();
    ks.dedup();
    let units = Units::of_tuples(split_table);
    let Some(bounds) = loss_bounds(&units, &ks, left_out, watch) else { return Vec::new() };
    let bound = |(k, loss): &(u64, f64)| ks.binary_search(k).map_or(0.0, |at| bounds[at]).min(*loss);
    costs.iter().map(bound).collect()
}

impl RegionSearch {
    /// Partitions that local search finds, where the loss is one of cells and nothing is asked of what is inside a box.
    fn refined(
        &self,
        split_table: &SplitTable,
        problem: &dyn Problem,
        budget: u64,
        watch: &dyn Watch,
        notes: &mut Vec<String>,
    ) -> Vec<Refined> {
        let floors = problem.floors();
        if problem.loss().cell_weights(split_table.table).is_none() || floors.is_some_and(Floors::look_inside) {
            return Vec::new();
        }
        if !can_refine(split_table) {
            notes.push("too many tuples or values for local search: regions are those of trees".to_owned());
            return Vec::new();
        }
        refined(split_table, floors.map_or(2, |floors| floors.rows().max(2)), budget, watch)
    }
}

/// What the trees of a search are grown from and for.
struct Growing<'a> {
    table: &'a FrequencyTable,
    problem: &'a dyn Problem,
    loss: &'a dyn Loss,
    split_table: &'a SplitTable<'a>,
    watch: &'a dyn Watch,
}

impl Growing<'_> {
    /// The trees for sizes: one that goes as deep as any limit may need, and those of the ladder.
    fn by_size(&self, budget: u64) -> Vec<(Tree, Priced)> {
        let wanted = self.problem.floors();
        let least = wanted.map_or(2, |wanted| wanted.rows().max(2));
        let mut floors = vec![Floor::of_rows(least)];
        floors.extend(sizes(self.table.rows).into_iter().filter(|floor| floor.rows >= least));
        if wanted.is_some_and(Floors::look_inside) {
            // Boxes that hold what a study demands of their values come from trees that look for it.
            let some = floors.iter().step_by(SKIPPED).map(|floor| floor.rows).collect::<Vec<_>>();
            let inside = |rows: u64| Floor { rows, tiers: vec![vec![-(rows as f64), 0.0]] };
            floors.extend(some.into_iter().map(inside));
        }
        if budget > 0 {
            // Single rows can be suppressed, so one tree goes down to them; the others stay, and a budget never hurts.
            floors.push(Floor::of_rows(1));
        }
        self.watch.phase("growing trees", Some(floors.len() as u64));
        self.trees(&floors)
    }

    /// The trees for other levels: the levels of the first are the ladder for the others.
    fn by_levels(&self) -> Vec<(Tree, Priced)> {
        self.watch.phase("growing trees", None);
        let mut trees = self.trees(&[Floor::of_rows(1)]);
        // Large groups tend to be diverse: trees that only look at sizes serve the other models too, beside those that
        // look inside.
        let mut floors: Vec<Floor> = sizes(self.table.rows).into_iter().step_by(SKIPPED).collect();
        floors.extend(trees.iter().take(1).flat_map(|(_, priced)| ladder(priced)));
        if self.problem.floors().is_some() {
            floors.iter_mut().flat_map(|floor| &mut floor.tiers).for_each(|limits| limits.push(0.0));
        }
        self.watch.phase("growing trees", Some(floors.len() as u64 + 1));
        self.watch.advance(1);
        if !self.watch.cancelled() {
            trees.extend(self.trees(&floors));
        }
        trees
    }

    /// Grows a tree for each floor, and prices it; after a stop only some.
    fn trees(&self, floors: &[Floor]) -> Vec<(Tree, Priced)> {
        let Growing { table, problem, loss, split_table, watch } = *self;
        let costs = |tuples: &[u32]| {
            let group = gather(table, std::iter::once(tuples), problem.needs());
            let (models, floors) = (problem.models(), problem.floors());
            let models = models.iter().map(|model| model.cost(group.view(0)));
            models.chain(floors.map(|floors| floors.cost(group.view(0)))).collect()
        };
        let forest = Ground { split_table, costs: &costs, watch, counting: false }.grow(floors);
        let trees = (0..floors.len()).into_par_iter().filter(|at| worth_doing(*at, floors.len(), watch)).map(|at| {
            let mut tree = forest.tree(at);
            let priced = Priced::new(table, &mut tree, problem, loss);
            (tree, priced)
        });
        trees.collect()
    }
}
