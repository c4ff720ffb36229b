//! From level to level of a front: which losses are hunted for, how near the bounds must come, and what is proven in the end.

use rayon::prelude::*;

use super::ground::Ground;
use super::hunt::{Caught, Hunt};
use super::{SLACK, limit};
use crate::front::Archive;
use crate::search::SearchRun;

/// One pass over the front after the other. What can be proven quickly is, before the rest is brought closer.
const PASSES: [Pass; 6] = [
    Pass { within: 0.3, hurried: false },
    Pass { within: 0.1, hurried: false },
    Pass { within: 0.05, hurried: false },
    Pass { within: 0.0, hurried: true },
    Pass { within: 0.02, hurried: false },
    Pass { within: 0.0, hurried: false },
];
/// Hunts that go on side by side. The number does not depend on the threads.
const TOGETHER: usize = 8;
/// A hunt may take this part of what is left, in a hurry that, and in any case so many spans.
const SHARE: u64 = 16;
const HURRIED_SHARE: u64 = 256;
const LEAST_ALLOWANCE: u64 = 64;
/// A bound serves all levels whose loss it comes near enough to; this part of the share is left for the hunt itself.
const ROOM: f64 = 0.6;
/// Hunts that were cut short are kept while they take no more memory, in bytes.
const MOST_KEPT: usize = 1 << 28;

/// A pass over the front.
#[derive(Clone, Copy)]
struct Pass {
    /// The share of the loss that may be left open.
    within: f64,
    /// Whether hunts that take long are left for later.
    hurried: bool,
}

/// What is known so far.
pub(super) struct Ladder<'g, 'a> {
    ground: &'g Ground<'a>,
    run: &'g SearchRun<'g>,
    pub archive: Archive,
    /// Spans and recodings looked at.
    pub evaluated: u64,
    /// Evaluations that are left.
    left: u64,
    /// For a level, what everything that reaches it loses at least, in rows.
    bounds: Vec<(u64, f64)>,
    unfinished: Vec<Hunt>,
}

impl<'g, 'a> Ladder<'g, 'a> {
    pub fn new(ground: &'g Ground<'a>, run: &'g SearchRun<'g>, archive: Archive, evaluated: u64, left: u64) -> Self {
        Ladder { ground, run, archive, evaluated, left, bounds: Vec::new(), unfinished: Vec::new() }
    }

    /// Whether the front was proven.
    pub fn climb(&mut self) -> bool {
        self.run.watch.phase("proving the front", Some(self.left));
        for pass in PASSES {
            self.unfinished.clear();
            let mut again = true;
            while again {
                let tasks = self.tasks(pass.within);
                again = !pass.hurried && !tasks.is_empty();
                for some in tasks.chunks(TOGETHER) {
                    if self.left == 0 || self.run.watch.cancelled() {
                        return false;
                    }
                    self.hunt(some, pass);
                }
            }
        }
        true
    }

    /// Levels and losses, in rows: what reaches the level and loses less is to be found or ruled out. The most private come
    /// first, because they take least.
    fn tasks(&self, within: f64) -> Vec<(u64, f64)> {
        let rows = self.ground.table.rows as f64;
        let points: Vec<(u64, f64)> = self.points().collect();
        let (mut tasks, mut at, mut below) = (Vec::new(), 0, 0);
        while let Some(&(level, loss)) = points.get(at) {
            let wanted = below + 1;
            if self.bound_at(wanted) >= limit(loss, within) * rows {
                (at, below) = (at + 1, level);
                continue;
            }
            // The last point that the same hunt can serve.
            let served = |(_, other): &(u64, f64)| limit(*other, within) <= loss * (1.0 - ROOM * within);
            let last =
                if within == 0.0 { at } else { at + points[at..].iter().take_while(|point| served(point)).count() - 1 };
            tasks.push((wanted, limit(points[last].1, within) * rows));
            (at, below) = (last + 1, points[last].0);
        }
        tasks.reverse();
        tasks
    }

    /// Levels and losses of the front, the least private first.
    fn points(&self) -> impl Iterator<Item = (u64, f64)> + '_ {
        self.archive.entries().iter().rev().map(|entry| {
            let costs = entry.point.costs();
            (-costs[0] as u64, costs[1])
        })
    }

    /// Goes on with some hunts, side by side.
    fn hunt(&mut self, tasks: &[(u64, f64)], Pass { within, hurried }: Pass) {
        let share = if hurried { HURRIED_SHARE } else { SHARE };
        let tasks = &tasks[..tasks.len().min(usize::try_from(self.left).unwrap_or(usize::MAX))];
        let allowance = (self.left / share).max(LEAST_ALLOWANCE).min((self.left / TOGETHER as u64).max(1));
        let begin = |(wanted, limit): &(u64, f64)| {
            let kept = self.unfinished.iter().position(|hunt| hunt.wanted == *wanted && hunt.limit >= *limit);
            let mut hunt = match kept {
                Some(at) => self.unfinished.swap_remove(at),
                None => Hunt::new(self.ground, *wanted, *limit),
            };
            hunt.limit = *limit;
            hunt
        };
        let mut hunts: Vec<Hunt> = tasks.iter().map(begin).collect();
        let (ground, archive) = (self.ground, &self.archive);
        let caught: Vec<Caught> =
            hunts.par_iter_mut().map(|hunt| hunt.go_on(ground, archive, allowance, within)).collect();
        for (hunt, caught) in hunts.into_iter().zip(caught) {
            self.left = self.left.saturating_sub(caught.evaluations);
            self.evaluated += caught.evaluations;
            for (genome, judged) in &caught.evaluated {
                let recoding = ground.layout.decode(ground.table, genome);
                judged.outcomes.iter().for_each(|outcome| self.archive.insert(outcome, &recoding));
            }
            self.bounds.push((hunt.wanted, hunt.bound()));
            let kept: usize = self.unfinished.iter().map(Hunt::bytes).sum();
            if !hunt.is_over() && kept + hunt.bytes() <= MOST_KEPT {
                self.unfinished.push(hunt);
            }
        }
        self.tidy();
        self.run.watch.note(&format!("{} points, each within {} % so far", self.archive.entries().len(), self.open()));
        self.run.show(ground.table, ground.problem, &self.archive, self.evaluated);
    }

    /// Drops bounds that others imply.
    fn tidy(&mut self) {
        self.bounds.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        let mut most = f64::NEG_INFINITY;
        self.bounds.retain(|(_, bound)| {
            let stronger = *bound > most;
            most = most.max(*bound);
            stronger
        });
    }

    /// What everything that reaches a level loses at least, in rows.
    fn bound_at(&self, level: u64) -> f64 {
        let weaker = self.bounds.iter().filter(|(wanted, _)| *wanted <= level);
        weaker.map(|(_, bound)| *bound).fold(0.0, f64::max)
    }

    /// The largest gap of a point, as a whole percentage, rounded up.
    fn open(&self) -> u64 {
        let gap = |(point, bound): (f64, f64)| if point > 0.0 { 1.0 - bound / point } else { 0.0 };
        let gaps = self.points().map(|(_, loss)| loss).zip(self.bounds_of_front().into_iter().rev()).map(gap);
        (100.0 * gaps.fold(0.0, f64::max) - 1e-6).ceil() as u64
    }

    /// For each point of the front, in its order, what anything as private loses at least.
    pub fn bounds_of_front(&self) -> Vec<f64> {
        let rows = self.ground.table.rows as f64;
        let bound = |(level, loss): (u64, f64)| match self.bound_at(level) / rows {
            // What is proven but for rounding is proven.
            bound if bound >= loss - 2.0 * SLACK => loss,
            bound => bound,
        };
        let mut bounds: Vec<f64> = self.points().map(bound).collect();
        bounds.reverse();
        bounds
    }

    /// How it ended, in words.
    pub fn told(&self, proven: bool) -> String {
        if proven {
            return "The front is proven by branch and bound; not every recoding that ties with a solution was met."
                .to_owned();
        }
        format!(
            "Not proven: each solution has a lower bound of the loss, {} % below it or less. More evaluations bring them closer.",
            self.open()
        )
    }
}
