//! Bounds on what nodes of the lattice can reach, from coarser nodes that were evaluated. Why they hold:
//! docs/theory/exact.md.

use super::rollup::Cutoffs;
use crate::front::{Archive, MAX_OBJECTIVES, Outcome, Point};

/// Losses closer than this may be equal: a node is skipped only when it is worse by more.
const SLACK: f64 = 1e-11;

/// What is known of all outcomes of a node and of every finer node, from the coarser nodes evaluated.
#[derive(Clone, Debug, Default)]
pub struct Ceiling {
    /// The least cost in each privacy objective.
    pub best: Vec<f64>,
    /// With one privacy objective: to reach this cost or less, suppression adds at least this much to the loss with
    /// nothing suppressed. Costs fall, extras grow.
    pub steps: Vec<(f64, f64)>,
    /// What suppression adds to the loss at least, whatever is reached: groups that miss a floor go before all others.
    /// Infinite where nothing can be reached.
    pub least: f64,
}

impl Ceiling {
    /// Where nothing is known, with so many privacy objectives.
    pub fn open(width: usize) -> Self {
        Ceiling { best: vec![f64::NEG_INFINITY; width], ..Ceiling::default() }
    }

    /// Where nothing can be reached.
    pub fn closed(width: usize) -> Self {
        Ceiling { best: vec![f64::INFINITY; width], steps: Vec::new(), least: f64::INFINITY }
    }

    /// Whether nothing can be reached.
    pub fn is_closed(&self) -> bool {
        self.least == f64::INFINITY
    }

    /// From all cut-offs of an evaluated node, none first, of a problem with or without floors.
    pub fn of_cutoffs(cutoffs: &Cutoffs, width: usize, floored: bool) -> Self {
        let (outcomes, floor) = (&cutoffs.all, cutoffs.unsuppressed);
        if cutoffs.ruled_out {
            return Ceiling::closed(width);
        }
        let Some(first) = outcomes.first() else { return Ceiling::open(width) };
        let beyond = |outcome: &Outcome| (outcome.point.costs()[width] - floor - SLACK).max(0.0);
        let least = |objective: usize| outcomes.iter().map(move |outcome| outcome.point.costs()[objective]);
        let best = (0..width).map(|objective| least(objective).fold(f64::INFINITY, f64::min)).collect();
        let mut steps = Vec::new();
        if width == 1 {
            // Beyond the cost of the cut-off before, at least this cut-off is needed. Rounding must not make the extra
            // larger than it is.
            let pairs = outcomes.windows(2);
            steps.extend(pairs.map(|pair| (pair[0].point.costs()[0], beyond(&pair[1]))));
        }
        Ceiling { best, steps, least: if floored { beyond(first) } else { 0.0 } }
    }

    /// The extra loss of reaching a cost.
    pub fn extra(&self, cost: f64) -> f64 {
        let step = self.steps.iter().rev().find(|(before, _)| cost < *before);
        step.map_or(0.0, |(_, extra)| *extra).max(self.least)
    }

    /// The extra loss of reaching some costs, as far as is known; infinite where they cannot be reached.
    pub fn extra_for(&self, target: &[f64]) -> f64 {
        match !self.is_closed() && self.best.iter().zip(target).all(|(best, wanted)| best <= wanted) {
            true => self.extra(target[0]),
            false => f64::INFINITY,
        }
    }

    /// The same in about so many steps. What is left out only makes the bound weaker.
    pub fn thinned(mut self, most: usize) -> Self {
        let Some((_, largest)) = self.steps.last().copied().filter(|_| self.steps.len() > most) else { return self };
        let (mut last, share) = (f64::NEG_INFINITY, largest / most as f64);
        self.steps.retain(|(_, extra)| {
            let keep = *extra >= last + share;
            last = if keep { *extra } else { last };
            keep
        });
        self.steps.shrink_to_fit();
        self
    }

    /// Adds what another node tells.
    pub fn tighten(&mut self, other: &Ceiling) {
        if self.best.is_empty() {
            self.clone_from(other);
            return;
        }
        self.best.iter_mut().zip(&other.best).for_each(|(own, other)| *own = own.max(*other));
        self.least = self.least.max(other.least);
        if other.steps.is_empty() {
            return;
        }
        // Both lists fall in cost: one walk takes the larger cost next, with the larger extra of what was passed.
        let (own, others) = (&self.steps, &other.steps);
        let mut merged: Vec<(f64, f64)> = Vec::with_capacity(own.len() + others.len());
        let (mut at, mut beside, mut least, mut last) = (0, 0, 0.0f64, 0.0f64);
        while at < own.len() || beside < others.len() {
            let next = |steps: &[(f64, f64)], at: usize| steps.get(at).map_or(f64::NEG_INFINITY, |step| step.0);
            let cost = next(own, at).max(next(others, beside));
            for (steps, at) in [(own, &mut at), (others, &mut beside)] {
                while let Some((_, extra)) = steps.get(*at).filter(|step| step.0 == cost) {
                    least = least.max(*extra);
                    *at += 1;
                }
            }
            if merged.is_empty() || least > last {
                merged.push((cost, least));
                last = least;
            }
        }
        self.steps = merged;
    }

    /// Whether an archive holds, for everything that a node with this floor could reach, something at least as private
    /// with less loss. Where losses are free of rounding (`whole`), something more private with the same loss will do too.
    pub fn is_beaten(&self, floor: f64, archive: &Archive, whole: bool) -> bool {
        let beaten = |privacy: &[f64], loss: f64| {
            let mut costs = [0.0; MAX_OBJECTIVES];
            costs[..privacy.len()].copy_from_slice(privacy);
            costs[privacy.len()] = loss;
            let costs = &mut costs[..=privacy.len()];
            if whole && archive.dominates(&Point::new(costs)) {
                return true;
            }
            costs[privacy.len()] -= SLACK * loss.abs().max(1.0);
            archive.beats(costs)
        };
        if self.is_closed() || beaten(&self.best, floor + self.least) {
            return true;
        }
        if self.steps.is_empty() {
            return false;
        }
        // In each stretch of costs the most private end has the least to fear; the extra is that of the stretch.
        let ends = self.steps.iter().map(|step| step.0).chain([self.best[0]]);
        let extras = [0.0].into_iter().chain(self.steps.iter().map(|step| step.1));
        let mut stretches = ends.zip(extras);
        stretches.all(|(end, extra)| beaten(&[end.max(self.best[0])], floor + extra.max(self.least)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ceilings_keep_the_stronger_of_two_bounds() {
        // To get beyond k = 2 (cost -2) costs 0.1 more; beyond k = 5, 0.3; and the other: beyond 3, 0.2.
        let mut ceiling = Ceiling { best: vec![-9.0], steps: vec![(-2.0, 0.1), (-5.0, 0.3)], least: 0.0 };
        ceiling.tighten(&Ceiling { best: vec![-7.0], steps: vec![(-3.0, 0.2)], least: 0.0 });
        assert_eq!(ceiling.best, [-7.0]);
        assert_eq!(ceiling.extra(-2.0), 0.0);
        assert_eq!(ceiling.extra(-3.0), 0.1);
        assert_eq!(ceiling.extra(-4.0), 0.2);
        assert_eq!(ceiling.extra(-6.0), 0.3);
        // Whatever is reached takes the suppression of what misses a floor.
        ceiling.tighten(&Ceiling { best: vec![-8.0], steps: Vec::new(), least: 0.15 });
        assert_eq!((ceiling.extra(-1.0), ceiling.extra(-3.0), ceiling.extra(-4.0)), (0.15, 0.15, 0.2));
        assert_eq!((ceiling.extra_for(&[-7.0]), ceiling.extra_for(&[-8.0])), (0.3, f64::INFINITY));
        ceiling.tighten(&Ceiling::closed(1));
        assert!(ceiling.is_closed() && ceiling.extra_for(&[f64::INFINITY]).is_infinite());
        assert!(ceiling.is_beaten(0.0, &Archive::new(), false));
    }
}
