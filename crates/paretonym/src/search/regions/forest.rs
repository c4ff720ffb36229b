//! Grows many partition trees from the top: each node is split where the two halves, shown as narrowly as their values
//! allow in *all* columns, lose least and satisfy the floor of the tree.
//!
//! Trees to different floors begin alike and part late. They are grown together: a node that some of them share is looked
//! at, and its splits are ranked, once for all of these; each takes the best split that its own floor allows.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::grow::Grower;
use super::ladder::{Floor, within};
use super::rank::Wanted;
use super::split_table::SplitTable;
use super::tree::{Sketch, Stand, Tree};
use crate::engine::Watch;
use crate::group::SetFacts;

/// How many splits of a node are tried, best first, when a half may not be allowed.
const TRIED: usize = 256;
/// One thread takes small nodes together that have about so many tuples.
const BATCH: usize = 2048;

/// What trees are grown from.
pub(super) struct Ground<'a> {
    pub split_table: &'a SplitTable<'a>,
    /// What tuples cost as a group in each model.
    pub costs: &'a (dyn Fn(&[u32]) -> Vec<f64> + Sync),
    pub watch: &'a dyn Watch,
    /// Whether values are always counted; the trees do not depend on it.
    pub counting: bool,
}

/// Trees that have their nodes in common where they are alike.
pub(super) struct Forest {
    stands: Vec<Stand>,
    sketches: Vec<Sketch>,
}

impl Forest {
    /// One of its trees.
    pub fn tree(&self, at: usize) -> Tree {
        self.sketches[at].tree(&self.stands)
    }
}

/// A node that is to be split, and which node of which trees it is.
struct Open {
    members: Vec<u32>,
    rows: u64,
    trees: Vec<(u32, u32)>,
}

/// Some of the trees of a node, all of which split it alike, and the halves.
struct Branch {
    trees: Vec<(u32, u32)>,
    halves: [Vec<u32>; 2],
}

/// What became of a node: what it shows, and how its trees go on; those that are in no branch do not.
struct Divided {
    facts: Box<[SetFacts]>,
    branches: Vec<Branch>,
}

impl Ground<'_> {
    /// Grows one tree for each floor; all nodes of a tree satisfy its floor, but for the root.
    pub fn grow(&self, floors: &[Floor]) -> Forest {
        let table = self.split_table.table;
        let tuples = table.tuples.len() as u32;
        let mut forest = Forest { stands: Vec::new(), sketches: Vec::new() };
        forest.sketches.resize_with(floors.len(), Sketch::default);
        // Trees that look inside their nodes rank other splits than those that count rows.
        let mut level: Vec<Open> = Vec::new();
        for inside in [false, true] {
            let trees = (0..floors.len()).filter(|at| floors[*at].looks_inside() == inside);
            let trees: Vec<(u32, u32)> =
                trees.map(|at| (at as u32, forest.sketches[at].add(level.len() as u32))).collect();
            if !trees.is_empty() {
                level.push(Open { members: (0..tuples).collect(), rows: table.rows, trees });
            }
        }
        let idle = Mutex::new(Vec::new());
        let (mut ended, mut told) = (0, 0);
        while !level.is_empty() {
            let divided = self.divide_all(floors, &level, &idle);
            let mut next: Vec<Open> = Vec::new();
            let first_of_next = forest.stands.len() + level.len();
            for (mut open, divided) in level.into_iter().zip(divided) {
                let going_on: usize = divided.branches.iter().map(|branch| branch.trees.len()).sum();
                let tuples = open.members.len() as u32;
                if going_on == open.trees.len() {
                    open.members = Vec::new();
                }
                ended += u64::from(tuples) * (open.trees.len() - going_on) as u64;
                forest.stands.push(Stand { tuples, rows: open.rows, facts: divided.facts, members: open.members });
                for branch in divided.branches {
                    for (side, members) in branch.halves.into_iter().enumerate() {
                        let stand = (first_of_next + next.len()) as u32;
                        let child = |&(tree, node): &(u32, u32)| {
                            let sketch = &mut forest.sketches[tree as usize];
                            let child = sketch.add(stand);
                            sketch.nodes[node as usize].1[side] = child;
                            (tree, child)
                        };
                        let trees = branch.trees.iter().map(child).collect();
                        let rows = members.iter().map(|tuple| table.tuples.rows.get(*tuple as usize)).sum();
                        next.push(Open { members, rows, trees });
                    }
                }
            }
            level = next;
            let done = ended / u64::from(tuples.max(1));
            self.watch.advance(done - told);
            told = done;
        }
        forest
    }

    /// Divides the nodes of a level, some at a time, in order.
    fn divide_all(&self, floors: &[Floor], level: &[Open], idle: &Mutex<Vec<Grower>>) -> Vec<Divided> {
        let batches: Vec<Vec<Divided>> = batches(level)
            .into_par_iter()
            .map(|range| {
                let known = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let mut grower = known.unwrap_or_else(|| Grower::new(self.split_table, self.counting));
                let divided = level[range].iter().map(|open| self.divide(floors, open, &mut grower)).collect();
                idle.lock().unwrap_or_else(PoisonError::into_inner).push(grower);
                divided
            })
            .collect();
        batches.into_iter().flatten().collect()
    }

    /// Looks at a node and splits it for its trees.
    fn divide(&self, floors: &[Floor], open: &Open, grower: &mut Grower) -> Divided {
        let facts = grower.look(self.split_table, &open.members);
        let mut branches = Vec::new();
        if grower.can_split() && !self.watch.cancelled() {
            let chosen = if floors[open.trees[0].0 as usize].looks_inside() {
                self.choose_inside(floors, open, grower)
            } else {
                self.choose_by_rows(floors, open, grower)
            };
            for at in 0..grower.splits().len() {
                let takes = |(chosen, _): &(&Option<usize>, _)| **chosen == Some(at);
                let trees: Vec<(u32, u32)> =
                    chosen.iter().zip(&open.trees).filter(takes).map(|(_, tree)| *tree).collect();
                if !trees.is_empty() {
                    let halves = grower.halves(self.split_table, &open.members, grower.splits()[at]);
                    branches.push(Branch { trees, halves });
                }
            }
        }
        Divided { facts, branches }
    }

    /// The split that each tree takes whose halves need so many rows.
    fn choose_by_rows(&self, floors: &[Floor], open: &Open, grower: &mut Grower) -> Vec<Option<usize>> {
        let floor = |tree: &(u32, u32)| floors[tree.0 as usize].rows;
        let splits = |rows: &u64| 2 * *rows <= open.rows;
        let large = || open.trees.iter().map(floor).filter(splits);
        let (Some(least), Some(most)) = (large().min(), large().max()) else { return vec![None; open.trees.len()] };
        let wanted = Wanted::ForFloors { least, most };
        let ranking = grower.rank(self.split_table, &open.members, open.rows, wanted);
        let choose = |tree: &(u32, u32)| Some(floor(tree)).filter(splits).and_then(|rows| ranking.keeping(rows));
        open.trees.iter().map(choose).collect()
    }

    /// The split that each tree takes whose halves must hold levels. What halves cost is worked out once for all trees.
    fn choose_inside(&self, floors: &[Floor], open: &Open, grower: &mut Grower) -> Vec<Option<usize>> {
        grower.rank(self.split_table, &open.members, open.rows, Wanted::Best(TRIED));
        let splits = grower.splits();
        let mut costs: Vec<Option<[Vec<f64>; 2]>> = vec![None; splits.len()];
        let mut choose = |floor: &Floor| {
            for limits in &floor.tiers {
                for (at, known) in costs.iter_mut().enumerate() {
                    if known.is_none() && self.watch.cancelled() {
                        return None;
                    }
                    let halves = known.get_or_insert_with(|| {
                        grower.halves(self.split_table, &open.members, splits[at]).map(|half| (self.costs)(&half))
                    });
                    let holds = |half: &Vec<f64>| half.iter().zip(limits).all(|(cost, limit)| within(*cost, *limit));
                    if halves.iter().all(holds) {
                        return Some(at);
                    }
                }
            }
            None
        };
        open.trees.iter().map(|(tree, _)| choose(&floors[*tree as usize])).collect()
    }
}

/// Neighbouring nodes that are worth a thread's while together.
fn batches(level: &[Open]) -> Vec<Range<usize>> {
    let (mut batches, mut first, mut tuples) = (Vec::new(), 0, 0);
    for (at, open) in level.iter().enumerate() {
        tuples += open.members.len();
        if tuples >= BATCH || at + 1 == level.len() {
            batches.push(first..at + 1);
            (first, tuples) = (at + 1, 0);
        }
    }
    batches
}
