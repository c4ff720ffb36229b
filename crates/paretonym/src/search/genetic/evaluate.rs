//! Evaluates many chromosomes at once.
//!
//! Workers share nothing but the archive as it was before, so that the result does not depend on their number. Of the
//! neighbours of a recoding, those that join sets are made from its groups; those that split sets of one column are
//! made from the groups of the recoding with that column taken apart. Either is a table much smaller than the tuples. So
//! are the groups of what several chromosomes refine together, from which each of them is made: the children of two
//! parents differ little.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::column_move::MoveSpace;
use super::{Genome, Layout, Move};
use crate::engine::Watch;
use crate::front::{Archive, Outcome, Point};
use crate::group::{DENSE_PER_TUPLE, FrequencyTable, Grouping, Tuples};
use crate::problem::{Problem, Ranked};
use crate::recode::Family;
use crate::search::Evaluator;

/// At most this many outcomes of one recoding take part in its ranking, evenly chosen.
const RANKED: usize = 16;

/// So many chromosomes at once are made from what they refine together.
const FAMILY: usize = 4;
/// Groups are of use where they are fewer than this share of what they were made from.
const FEWER: f64 = 0.7;

/// What one recoding came to.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// The outcomes that the archive did not dominate.
    pub outcomes: Vec<Outcome>,
    /// The points that the recoding is ranked by; empty where nothing of it can be kept.
    pub ranked: Vec<Point>,
}

/// Evaluators with their buffers, lent to whoever works.
pub struct Pool<'a> {
    /// The table.
    pub table: &'a FrequencyTable,
    /// The problem.
    pub problem: &'a dyn Problem,
    /// The meaning of the chromosomes.
    pub layout: &'a Layout,
    watch: &'a dyn Watch,
    idle: Mutex<Vec<Worker<'a>>>,
}

struct Worker<'a> {
    evaluator: Evaluator<'a>,
    base: Grouping,
    apart: Grouping,
    out: Grouping,
    /// What the chromosomes of a family, and of a part of it, refine together.
    joint: Vec<Grouping>,
    moves: MoveSpace,
}

impl<'a> Pool<'a> {
    /// Without any worker yet.
    pub fn new(table: &'a FrequencyTable, problem: &'a dyn Problem, layout: &'a Layout, watch: &'a dyn Watch) -> Self {
        Pool { table, problem, layout, watch, idle: Mutex::default() }
    }

    /// Evaluates chromosomes in parallel, in order. None for those that came after a cancellation.
    pub fn evaluate(&self, genomes: &[Genome], archive: &Archive) -> Vec<Option<Judged>> {
        // Sums of logarithms are not whole: their last digit depends on what was added up first.
        let family = if self.problem.needs().leaf_logs { 1 } else { FAMILY };
        let judge = |family: &[Genome]| {
            let mut judged = Vec::with_capacity(family.len());
            self.with_worker(|worker| {
                let mut joint = std::mem::take(&mut worker.joint);
                self.judge_family(worker, &self.table.tuples, &mut joint, family, archive, &mut judged);
                worker.joint = joint;
            });
            judged
        };
        genomes.par_chunks(family).flat_map_iter(judge).collect()
    }

    /// Whether to stop.
    pub(in crate::search) fn cancelled(&self) -> bool {
        self.watch.cancelled()
    }

    /// Tells the watcher of steps done.
    pub(in crate::search) fn advance(&self, steps: usize) {
        self.watch.advance(steps as u64);
    }

    /// Evaluates one chromosome on this thread.
    pub fn evaluate_one(&self, genome: &Genome, archive: &Archive) -> Judged {
        self.with_worker(|worker| self.judge(worker, &self.table.tuples, genome, archive))
    }

    /// Evaluates neighbours of recodings, each list in parallel with the others. None after a cancellation.
    pub fn neighbours(&self, lists: &[(Genome, Vec<Move>)], archive: &Archive) -> Vec<Option<Vec<Judged>>> {
        let one = |(base, moves): &(Genome, Vec<Move>)| {
            self.watched(moves.len(), |worker| self.judge_moves(worker, base, moves, archive)).flatten()
        };
        lists.par_iter().map(one).collect()
    }

    fn watched<T>(&self, steps: usize, work: impl FnOnce(&mut Worker<'a>) -> T) -> Option<T> {
        if self.watch.cancelled() {
            return None;
        }
        let result = self.with_worker(work);
        self.watch.advance(steps as u64);
        Some(result)
    }

    pub(super) fn with_move_space<T>(&self, work: impl FnOnce(&mut MoveSpace) -> T) -> T {
        self.with_worker(|worker| work(&mut worker.moves))
    }

    fn with_worker<T>(&self, work: impl FnOnce(&mut Worker<'a>) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut worker = waiting.unwrap_or_else(|| Worker {
            evaluator: Evaluator::new(self.table, self.problem),
            base: Grouping::default(),
            apart: Grouping::default(),
            out: Grouping::default(),
            joint: vec![Grouping::default(); FAMILY.ilog2() as usize],
            moves: MoveSpace::default(),
        });
        let result = work(&mut worker);
        idle().push(worker);
        result
    }

    /// Judges chromosomes of which all are coarser than `from`: groups what they refine together, then either half from
    /// that.
    fn judge_family(
        &self,
        worker: &mut Worker<'a>,
        from: &Arc<Tuples>,
        joint: &mut [Grouping],
        family: &[Genome],
        archive: &Archive,
        judged: &mut Vec<Option<Judged>>,
    ) {
        let (Some((own, below)), [first, others @ ..]) = (joint.split_first_mut(), family) else {
            for genome in family {
                let one = (!self.watch.cancelled()).then(|| self.judge(worker, from, genome, archive));
                self.watch.advance(u64::from(one.is_some()));
                judged.push(one);
            }
            return;
        };
        let mut from = from;
        let mut finer = first.clone();
        others.iter().for_each(|genome| finer.join(genome));
        // What needs hashing takes longer than it saves.
        let quick = self.combinations(&finer) <= DENSE_PER_TUPLE as f64 * from.len() as f64;
        if quick && !others.is_empty() && !self.watch.cancelled() {
            worker.evaluator.group(from, &self.layout.decode(self.table, &finer), own);
            if (own.len() as f64) < FEWER * from.len() as f64 {
                from = &own.groups;
            }
        }
        for half in family.chunks(family.len().div_ceil(2)) {
            self.judge_family(worker, from, below, half, archive, judged);
        }
    }

    /// How many combinations of sets a recoding has, at most.
    fn combinations(&self, genome: &Genome) -> f64 {
        let segments = self.layout.segments.iter().zip(&self.table.levels);
        let sets = segments.map(|(segment, levels)| {
            let ones = genome.ones(segment.bits.clone());
            match segment.family {
                Family::Levels => levels[segment.bits.len() - ones].len() as f64,
                Family::Breaks | Family::Cuts => ones as f64 + 1.0,
            }
        });
        sets.product()
    }

    fn judge(&self, worker: &mut Worker, from: &Arc<Tuples>, genome: &Genome, archive: &Archive) -> Judged {
        let recoding = self.layout.decode(self.table, genome);
        worker.evaluator.group(from, &recoding, &mut worker.out);
        self.judge_groups(&mut worker.evaluator, &worker.out, archive)
    }

    /// What the groups of a recoding come to.
    pub(in crate::search) fn judge_groups(
        &self,
        evaluator: &mut Evaluator,
        grouping: &Grouping,
        archive: &Archive,
    ) -> Judged {
        let mut judged = Judged::default();
        let every = self.problem.ranked() == Ranked::Every;
        evaluator.judge(grouping, &mut |outcome| {
            if !every {
                judged.ranked.clear();
            }
            judged.ranked.push(outcome.point);
            if !archive.dominates(&outcome.point) {
                judged.outcomes.push(outcome);
            }
        });
        let count = judged.ranked.len();
        if count > RANKED {
            judged.ranked = (0..RANKED).map(|at| judged.ranked[at * (count - 1) / (RANKED - 1)]).collect();
        }
        judged
    }

    /// Moves come column by column, so that each column is taken apart once. None after a cancellation.
    fn judge_moves(
        &self,
        worker: &mut Worker,
        base: &Genome,
        moves: &[Move],
        archive: &Archive,
    ) -> Option<Vec<Judged>> {
        let mut judged = Vec::with_capacity(moves.len());
        let (mut base_groups, mut apart_groups) = (std::mem::take(&mut worker.base), std::mem::take(&mut worker.apart));
        let group = |worker: &mut Worker, genome: &Genome, out: &mut Grouping| {
            let recoding = self.layout.decode(self.table, genome);
            worker.evaluator.group(&self.table.tuples, &recoding, out);
        };
        if moves.iter().any(|step| step.merges) {
            group(worker, base, &mut base_groups);
        }
        for steps in moves.chunk_by(|a, b| a.column == b.column) {
            let splits = steps.iter().filter(|step| !step.merges).count();
            if splits > 1 {
                let mut apart = base.clone();
                apart.fill(self.layout.segments[steps[0].column].bits.clone(), true);
                group(worker, &apart, &mut apart_groups);
            }
            for step in steps {
                if self.watch.cancelled() {
                    break;
                }
                let from = match (step.merges, splits) {
                    (true, _) => &base_groups.groups,
                    (false, 1) => &self.table.tuples,
                    (false, _) => &apart_groups.groups,
                };
                judged.push(self.judge(worker, from, &step.to(base), archive));
            }
        }
        (worker.base, worker.apart) = (base_groups, apart_groups);
        (judged.len() == moves.len()).then_some(judged)
    }
}
