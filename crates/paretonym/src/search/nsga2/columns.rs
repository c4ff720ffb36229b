//! Column moves: the best of all partitions of one column at a time, from members of the archive.
//!
//! What a move comes to is known before it is made, so that only moves that lead past the archive are evaluated. They begin
//! with a ladder of aims, from the largest groups to the smallest or from the largest loss to the least: whatever is best for
//! one rung is where the next begins. Then every point that enters the archive is moved, and some are changed at random
//! and moved from there.

use super::state::Search;
use crate::front::Point;
use crate::problem::Trade;
use crate::search::genetic::{Aim, ColumnMoves, Crossover, Genome, Member, Wish};

/// Two neighbouring rungs of sizes are so far apart.
const SIZE_STEP: f64 = 1.1;
/// Rungs of losses.
const LOSSES: usize = 100;
/// Moves from one rung at most.
const STEPS: usize = 30;
/// The share of the evaluations before columns are moved for groups of some size: moved earlier, they draw the search to
/// where they end before it has looked around.
const FIRST_LOOK: f64 = 0.7;
/// Members of the archive that are changed and moved in a generation; for mean groups, whose recodings are finer and take
/// longer, fewer, and each for one of the limits of loss.
const CHANGED: usize = 8;
const CHANGED_FOR_MEANS: usize = 2;
/// The evaluations that are left when no more generations are begun, so that all that is new can still be moved: so many,
/// or such a share.
const LEFT: u64 = 100;
const LEFT_SHARE: u64 = 50;
/// Members of the archive are crossed with others that stand so near in it: so many places, or such a share of it.
const NEAR: usize = 8;
const NEAR_SHARE: usize = 64;
/// Points that are moved together; the number does not depend on the threads.
const TOGETHER: usize = 32;

/// The evaluations of so many that are kept back for column moves.
pub(super) fn kept_back(limit: u64) -> u64 {
    LEFT.min(limit / LEFT_SHARE)
}

impl Search<'_> {
    /// Whether it is time to move columns.
    pub(super) fn moves_begin(&self, moves: &ColumnMoves, limit: u64) -> bool {
        let first_look = if moves.trade() == Trade::MeanGroup { 0.0 } else { FIRST_LOOK };
        self.evaluated as f64 >= first_look * limit as f64
    }

    /// Climbs down a ladder of aims with at most so many evaluations, unless it was done before.
    pub(super) fn ladder(&mut self, moves: &ColumnMoves, limit: u64) {
        if !self.moved.is_empty() {
            return;
        }
        for aim in self.rungs(moves.trade()) {
            for _ in 0..STEPS {
                let Some(genome) = self.best_for(aim) else { break };
                if self.stopped || self.evaluated >= limit || !self.moved.insert(key(&genome, aim)) {
                    break;
                }
                self.make(moves, &[Wish { genome, aims: vec![aim] }], limit);
            }
        }
        let entries = self.archive.entries().iter();
        let whole = entries.map(|entry| (entry.point, self.pool.layout.encode(self.pool.table, &entry.recoding)));
        self.fresh = whole.collect();
    }

    /// Moves the points of the archive that were not moved before, and those that come in by it, until there is none or so
    /// many evaluations are made.
    pub(super) fn move_points(&mut self, moves: &ColumnMoves, limit: u64) -> Vec<Member> {
        let mut newcomers = Vec::new();
        loop {
            let mut waiting = self.unmoved(moves.trade());
            waiting.retain(|(genome, aim)| self.moved.insert(key(genome, *aim)));
            if waiting.is_empty() {
                return newcomers;
            }
            let wishes: Vec<Wish> = waiting
                .chunk_by(|left, right| left.0 == right.0)
                .map(|same| Wish { genome: same[0].0.clone(), aims: same.iter().map(|(_, aim)| *aim).collect() })
                .collect();
            for some in wishes.chunks(TOGETHER) {
                if self.stopped || self.evaluated >= limit {
                    return newcomers;
                }
                newcomers.extend(self.make(moves, some, limit));
            }
        }
    }

    /// Crosses some members of the archive with others near them, changes a column, and follows column moves from there: a way
    /// out of what no single column can better.
    pub(super) fn perturb(&mut self, moves: &ColumnMoves, limit: u64) -> Vec<Member> {
        if self.archive.entries().is_empty() {
            return Vec::new();
        }
        let count = if moves.trade() == Trade::MeanGroup { CHANGED_FOR_MEANS } else { CHANGED };
        let mut starts = Vec::with_capacity(count);
        for _ in 0..count {
            let (one, other, aim) = self.neighbours(moves.trade());
            let layout = self.pool.layout;
            let kinds = [Crossover::EachColumn, Crossover::WholeColumns];
            let [mut child, _] = layout.cross(kinds[self.dice.below(2)], &one, &other, &mut self.dice);
            let column = self.dice.below(layout.segments.len());
            let share = self.dice.share();
            layout.randomize(column, &mut child, share, &mut self.dice);
            starts.push((child, aim));
        }
        let Some(ends) = moves.descend(self.pool, &starts) else {
            self.stopped = true;
            return Vec::new();
        };
        let mut room = limit - self.evaluated;
        let mut new = Vec::new();
        for genome in ends.into_iter().flatten() {
            if room > 0 && self.seen.insert(genome.fingerprint(), Vec::new()).is_none() {
                room -= 1;
                new.push(genome);
            }
        }
        self.evaluate(new)
    }

    /// Two members of the archive that are near each other, and what the first is best for.
    fn neighbours(&mut self, trade: Trade) -> (Genome, Genome, Aim) {
        let entries = self.archive.entries();
        let (place, aim) = match trade {
            Trade::MeanGroup => {
                let most = (1 + self.dice.below(LOSSES)) as f64 / LOSSES as f64;
                let place = entries.partition_point(|entry| entry.point.costs()[1] > most);
                (place.min(entries.len() - 1), Aim::Loss(most))
            }
            Trade::SmallestGroup { .. } => {
                let place = self.dice.below(entries.len());
                (place, Aim::Size(-entries[place].point.costs()[0] as u64))
            }
            Trade::FixedSize(size) => (0, Aim::Size(size)),
        };
        let width = NEAR.max(entries.len() / NEAR_SHARE);
        let near = (place + self.dice.below(2 * width + 1)).saturating_sub(width).min(entries.len() - 1);
        let encode = |at: usize| self.pool.layout.encode(self.pool.table, &entries[at].recoding);
        (encode(place), encode(near), aim)
    }

    /// The rungs of the ladder.
    fn rungs(&self, trade: Trade) -> Vec<Aim> {
        match trade {
            Trade::SmallestGroup { least, .. } => {
                let mut sizes = vec![self.pool.table.rows];
                while let Some(size) = sizes.last().copied().filter(|size| *size > least.max(1)) {
                    sizes.push(((size as f64 / SIZE_STEP) as u64).min(size - 1).max(least));
                }
                sizes.into_iter().map(Aim::Size).collect()
            }
            Trade::FixedSize(size) => vec![Aim::Size(size)],
            Trade::MeanGroup => (0..=LOSSES).rev().map(|rung| Aim::Loss(rung as f64 / LOSSES as f64)).collect(),
        }
    }

    /// The member of the archive that is best for an aim.
    fn best_for(&self, aim: Aim) -> Option<Genome> {
        let entries = self.archive.entries();
        let entry = match aim {
            Aim::Size(_) if entries.first().is_some_and(|entry| entry.point.costs().len() == 1) => entries.first(),
            Aim::Size(size) => {
                let reaching = entries.partition_point(|entry| entry.point.costs()[0] <= -(size as f64));
                entries[..reaching].last()
            }
            // Along the archive the mean group falls with the loss.
            Aim::Loss(most) => entries.get(entries.partition_point(|entry| entry.point.costs()[1] > most)),
            Aim::TradeOffs => None,
        };
        entry.map(|entry| self.pool.layout.encode(self.pool.table, &entry.recoding))
    }

    /// The members of the archive that may not have been moved yet, in its order, and what for: each for its own size, or those
    /// that are best for some loss for that and for all trade-offs.
    fn unmoved(&mut self, trade: Trade) -> Vec<(Genome, Aim)> {
        if trade == Trade::MeanGroup {
            let rungs = self.rungs(trade).into_iter();
            let best = rungs.filter_map(|aim| self.best_for(aim).map(|genome| (genome, aim)));
            return best.flat_map(|(genome, aim)| [(genome.clone(), aim), (genome, Aim::TradeOffs)]).collect();
        }
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.retain(|(point, _)| !self.archive.dominates(point));
        fresh.sort_by(|(a, left), (b, right)| a.costs()[0].total_cmp(&b.costs()[0]).then_with(|| left.cmp(right)));
        let size = |point: Point| match trade {
            Trade::FixedSize(size) => size,
            _ => -point.costs()[0] as u64,
        };
        fresh.into_iter().map(|(point, genome)| (genome, Aim::Size(size(point)))).collect()
    }

    /// Evaluates what some moves lead to.
    fn make(&mut self, moves: &ColumnMoves, wishes: &[Wish], limit: u64) -> Vec<Member> {
        let Some(mut better) = moves.better(self.pool, wishes, &self.archive) else {
            self.stopped = true;
            return Vec::new();
        };
        let mut room = limit - self.evaluated;
        better.retain(|genome| {
            let new = room > 0 && self.seen.insert(genome.fingerprint(), Vec::new()).is_none();
            room -= u64::from(new);
            new
        });
        self.evaluate(better)
    }
}

/// What a move is remembered by.
fn key(genome: &Genome, aim: Aim) -> u128 {
    let aim = match aim {
        Aim::Size(size) => size,
        Aim::Loss(most) => most.to_bits(),
        Aim::TradeOffs => 0,
    };
    genome.fingerprint() ^ u128::from(aim.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)) << 32
}
