//! The local search: all neighbours of archive members, then of what missed the archive by least.

use super::state::Search;
use crate::front::{MAX_OBJECTIVES, Point};
use crate::search::genetic::{Genome, Member, Move};

/// Of so many of them that missed it by least, one is chosen.
pub(super) const CHOICE: usize = 512;

impl Search<'_> {
    /// Evaluates all neighbours of archive members that were not polished yet, until the quota is spent; where there are
    /// no more such members, the neighbours of whatever missed the archive by least.
    pub(super) fn polish(&mut self, quota: usize) -> Vec<Member> {
        let (layout, table) = (self.pool.layout, self.pool.table);
        let mut waiting: Vec<Genome> = Vec::new();
        for entry in self.archive.entries() {
            let genome = layout.encode(table, &entry.recoding);
            if waiting.last() != Some(&genome) && !self.polished.contains(&genome.fingerprint()) {
                waiting.push(genome);
            }
        }
        let (mut lists, mut spent): (Vec<(Genome, Vec<Move>)>, usize) = (Vec::new(), 0);
        while spent < quota {
            let genome = match waiting.len() {
                0 => match self.take_near() {
                    Some(genome) => genome,
                    None => break,
                },
                count => waiting.swap_remove(self.dice.below(count)),
            };
            if !self.polished.insert(genome.fingerprint()) {
                continue;
            }
            let mut moves = layout.neighbours(&genome, true);
            moves.retain(|step| self.seen.insert(step.to(&genome).fingerprint(), Vec::new()).is_none());
            spent += moves.len();
            lists.push((genome, moves));
        }
        self.trim(&mut lists, spent.saturating_sub(quota));
        let judged = self.pool.neighbours(&lists, &self.archive);
        let (mut newcomers, before) = (Vec::new(), self.evaluated);
        for ((genome, moves), judged) in lists.into_iter().zip(judged) {
            let Some(judged) = judged else {
                self.stopped = true;
                break;
            };
            for (step, judged) in moves.into_iter().zip(judged) {
                self.evaluated += 1;
                let to = step.to(&genome);
                if self.absorb(&to, &judged) {
                    newcomers.push(Member::new(to, judged.ranked));
                }
            }
        }
        self.learn(1, newcomers.len(), (self.evaluated - before) as usize);
        newcomers
    }

    /// Takes back the last moves, which the quota does not allow; their list is polished another time.
    fn trim(&mut self, lists: &mut [(Genome, Vec<Move>)], mut excess: usize) {
        if let Some((genome, moves)) = lists.last_mut() {
            if excess > 0 {
                self.polished.remove(&genome.fingerprint());
            }
            while excess > 0
                && let Some(step) = moves.pop()
            {
                self.seen.remove(&step.to(genome).fingerprint());
                excess -= 1;
            }
        }
    }

    /// One of the recodings that missed the archive by least.
    fn take_near(&mut self) -> Option<Genome> {
        let place = self.dice.below(self.near.len().clamp(1, CHOICE));
        let chosen = self.near.iter().nth(place)?.clone();
        self.near.remove(&chosen);
        Some(chosen.1)
    }

    /// How far the best of some points lies behind the front: how much it would have to gain in every objective.
    pub(super) fn distance(&self, points: &[Point]) -> f64 {
        let dimensions = points.first().map_or(0, |point| point.costs().len());
        let behind = |point: &Point| {
            let unit = self.scale.unit(point);
            let gap = |other: &[f64; MAX_OBJECTIVES]| {
                (0..dimensions).map(|side| unit[side] - other[side]).fold(f64::INFINITY, f64::min)
            };
            // Along a front of two objectives one cost rises and the other falls, so that the largest gap lies where the
            // two sides of it meet.
            let near = match (dimensions, unit[0] - unit[1]) {
                (2, lead) if lead.is_finite() => {
                    let met = self.front.partition_point(|other| unit[0] - other[0] >= unit[1] - other[1]);
                    met.saturating_sub(1)..(met + 1).min(self.front.len())
                }
                _ => 0..self.front.len(),
            };
            self.front[near].iter().map(gap).fold(0.0, f64::max)
        };
        points.iter().map(behind).fold(f64::INFINITY, f64::min)
    }
}
