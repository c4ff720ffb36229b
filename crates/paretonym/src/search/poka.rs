//! poka: from one Pareto-optimal node of the lattice to the next.

use std::collections::HashMap;

use super::lattice::Node;
use super::lattice::{Cutoffs, is_distant, judge_distant};
use super::{Evaluator, Found, Lattice, Optimizer, OptimizerEntry, SearchRun};
use crate::error::{Error, Result};
use crate::front::Archive;
use crate::group::{FrequencyTable, Grouping};
use crate::measure::{Behaviour, CatalogEntry, Letter, Parameter, Takes};
use crate::problem::Problem;
use crate::recode::Recoding;

/// Its line in the catalogue.
pub const ENTRY: OptimizerEntry = OptimizerEntry {
    entry: CatalogEntry {
        name: "poka",
        aliases: &[],
        summary: "depth and height searches from one Pareto-optimal node to the next (levels; heuristic)",
        parameters: &[Parameter {
            name: "depth",
            default: "mean height",
            takes: Takes::Whole(1, u32::MAX as u64),
            summary: "how far below a node to look",
        }],
        reference: "S3",
    },
    make: |call| Ok(Box::new(Poka { depth: call.optional("depth")? })),
};

/// Pareto-optimal k-anonymization: from one Pareto-optimal node of the lattice to the next, by a depth search below it
/// and height searches from there. "Best" is the highest level, ties by lower loss; a node has one outcome, that of
/// the whole budget, though the front takes them all.
///
/// A heuristic: the depth bounds what it sees, and with suppression a loss can fall when generalizing. Never exact.
/// [Reference](mod@crate::theory::references): S3 functions 1 to 3, section 5.
///
/// In the catalogue `poka`: [definition](crate::theory::definitions#poka).
pub struct Poka {
    /// How far below a base node ground nodes are looked for; the rounded-up mean of the heights where absent.
    pub depth: Option<u32>,
}

impl Optimizer for Poka {
    fn name(&self) -> &'static str {
        "poka"
    }

    fn asks_for_nodes(&self) -> bool {
        true
    }

    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found> {
        let lattice = Lattice::of(table, self.name())?;
        check_problem(problem)?;
        let total: u32 = lattice.heights.iter().sum();
        let depth = self.depth.unwrap_or_else(|| total.div_ceil(lattice.heights.len() as u32));
        run.watch.phase("evaluating recodings", None);
        let mut walk = Walk {
            evaluator: Evaluator::new(table, problem),
            grouping: Grouping::default(),
            lattice: &lattice,
            run,
            depth,
            known: HashMap::new(),
            archive: Archive::new(),
            base: Base::default(),
            stopped: false,
        };
        walk.search();
        let evaluated = walk.known.len() as u64;
        let note = format!("poka is a heuristic: depth {depth} bounds what it sees");
        Ok(Found {
            archive: walk.archive.into(),
            evaluated,
            space: lattice.size(),
            exact: false,
            complete: !walk.stopped,
            bounds: Vec::new(),
            notes: vec![note],
            regions: None,
        })
    }
}

/// POkA needs one level against one loss, and a level that does not fall when generalizing.
fn check_problem(problem: &dyn Problem) -> Result<()> {
    let models = problem.models();
    let falls = models.iter().any(|model| model.behaviour() == Behaviour::Nothing);
    if problem.budget().is_none() || models.len() != 1 || falls {
        return Err(Error::study(format!(
            "poka searches problem = \"max-suppression\" with one monotone privacy model, not {}; choose another optimizer",
            problem.name()
        )));
    }
    Ok(())
}

/// Level (as a cost) and loss of a node at the whole budget.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Value {
    cost: f64,
    loss: f64,
}

impl Value {
    /// Higher level, ties by lower loss.
    fn better_than(self, other: Value) -> bool {
        (self.cost, self.loss) < (other.cost, other.loss)
    }
}

/// The node from which the next one is looked for, and what was already looked at for it.
#[derive(Default)]
struct Base {
    node: Node,
    value: Value,
    heights: HashMap<Node, Option<(Node, Value)>>,
    depths: HashMap<Node, Option<(Node, Value)>>,
}

struct Walk<'a> {
    evaluator: Evaluator<'a>,
    grouping: Grouping,
    lattice: &'a Lattice,
    run: &'a SearchRun<'a>,
    depth: u32,
    known: HashMap<Node, Value>,
    archive: Archive,
    base: Base,
    stopped: bool,
}

impl Walk<'_> {
    /// From the top node down, until nothing further is found or the level can get no worse.
    fn search(&mut self) {
        let mut node = self.lattice.heights.clone();
        let mut value = self.evaluate(&node);
        loop {
            self.base = Base { node: node.clone(), value, ..Base::default() };
            self.run.watch.note(&format!("{} points", self.archive.entries().len()));
            self.run.show(self.evaluator.table, self.evaluator.problem, &self.archive, self.known.len() as u64);
            match self.depth_search(&node) {
                Some(next) if !self.stopped => (node, value) = next,
                _ => break,
            }
            // S3 ends at k <= 2. Only k counts rows: a level of 2 of another model can still have better below.
            if self.evaluator.problem.models()[0].letter() == Letter::K && value.cost >= -2.0 {
                break;
            }
        }
    }

    /// The outcome of a node at the whole budget; all outcomes go to the archive.
    fn evaluate(&mut self, node: &Node) -> Value {
        if let Some(value) = self.known.get(node) {
            return *value;
        }
        if self.stopped
            || self.known.len() as u64 >= self.run.evaluations.unwrap_or(u64::MAX)
            || self.run.watch.cancelled()
        {
            self.stopped = true;
            return Value { cost: f64::INFINITY, loss: f64::INFINITY };
        }
        let recoding = Recoding::of_levels(node);
        let (table, problem) = (self.evaluator.table, self.evaluator.problem);
        if is_distant(table, node) {
            return self.evaluate_distant(node, judge_distant(table, problem, node, self.run.watch), &recoding);
        }
        self.evaluator.group(&table.tuples, &recoding, &mut self.grouping);
        // Within floors a node may have no outcome: nothing is worse.
        let (archive, mut value) = (&mut self.archive, Value { cost: f64::INFINITY, loss: f64::INFINITY });
        self.evaluator.judge(&self.grouping, &mut |outcome| {
            // Cut-offs come from none on: the last is the budget's.
            value = Value { cost: outcome.point.costs()[0], loss: outcome.point.costs()[1] };
            archive.insert(&outcome, &recoding);
        });
        self.known.insert(node.clone(), value);
        self.run.watch.advance(1);
        value
    }

    /// The same for a node whose groups are not here.
    fn evaluate_distant(&mut self, node: &Node, cutoffs: Option<Cutoffs>, recoding: &Recoding) -> Value {
        let Some(cutoffs) = cutoffs else {
            self.stopped = true;
            return Value { cost: f64::INFINITY, loss: f64::INFINITY };
        };
        let mut value = Value { cost: f64::INFINITY, loss: f64::INFINITY };
        for outcome in cutoffs.outcomes() {
            value = Value { cost: outcome.point.costs()[0], loss: outcome.point.costs()[1] };
            self.archive.insert(outcome, recoding);
        }
        self.known.insert(node.clone(), value);
        self.run.watch.advance(1);
        value
    }

    /// Whether the search ends; most steps of it evaluate nothing.
    fn stops(&mut self) -> bool {
        self.stopped |= self.run.watch.cancelled();
        self.stopped
    }

    /// Sum of level differences to the base node.
    fn distance(&self, node: &Node) -> u32 {
        node.iter().zip(&self.base.node).map(|(own, base)| own.abs_diff(*base)).sum()
    }

    /// Whether a node lies at or below the base node.
    fn below_base(&self, node: &Node) -> bool {
        node.iter().zip(&self.base.node).all(|(own, base)| own <= base)
    }

    /// Evaluates a node; keeps it if its level lies below the base node's and its loss is no larger. S3 asks for a smaller loss and
    /// stops where a loss of few values, such as classification, ties from node to node.
    fn candidate(&mut self, node: &Node) -> Option<(Node, Value)> {
        let value = self.evaluate(node);
        let below = value.cost > self.base.value.cost && value.loss <= self.base.value.loss;
        below.then(|| (node.clone(), value))
    }

    /// S3's height search: up from `node`, as far as nodes stay below the base node in level and loss.
    fn height_search(&mut self, node: &Node, own: Option<(Node, Value)>) -> Option<(Node, Value)> {
        if self.stops() {
            return None;
        }
        let above = match self.base.heights.get(node) {
            Some(found) => found.clone(),
            None => {
                let mut best = None;
                for column in 0..node.len() {
                    if node[column] == self.lattice.heights[column] {
                        continue;
                    }
                    let mut up = node.clone();
                    up[column] += 1;
                    let found = if self.below_base(&up) && self.distance(&up) > 1 {
                        self.height_search(&up, None)
                    } else {
                        let candidate = self.candidate(&up);
                        candidate.and_then(|own| self.height_search(&up, Some(own)))
                    };
                    best = better(best, found);
                }
                self.base.heights.insert(node.clone(), best.clone());
                best
            }
        };
        better(own, above)
    }

    /// S3's depth search: down from `node` to the ground nodes, and up from each of them.
    fn depth_search(&mut self, node: &Node) -> Option<(Node, Value)> {
        if self.stops() {
            return None;
        }
        if let Some(found) = self.base.depths.get(node) {
            return found.clone();
        }
        let mut best = None;
        for column in 0..node.len() {
            if node[column] == 0 {
                continue;
            }
            let mut down = node.clone();
            down[column] -= 1;
            let found = if self.distance(&down) == self.depth {
                let own = if self.depth == 1 { self.candidate(&down) } else { None };
                self.height_search(&down, own)
            } else {
                self.depth_search(&down)
            };
            best = better(best, found);
        }
        self.base.depths.insert(node.clone(), best.clone());
        best
    }
}

/// The better of two candidates; the smaller node of equals, so that the result does not depend on the path.
fn better(left: Option<(Node, Value)>, right: Option<(Node, Value)>) -> Option<(Node, Value)> {
    match (left, right) {
        (Some(left), Some(right)) => {
            let second = right.1.better_than(left.1) || (right.1 == left.1 && right.0 < left.0);
            Some(if second { right } else { left })
        }
        (left, right) => left.or(right),
    }
}
