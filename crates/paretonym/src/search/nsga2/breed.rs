//! Offspring: as the papers make it, and ours.

use super::state::Search;
use crate::search::genetic::{Crossover, Genome};

/// Share of parents that come from the archive.
const FROM_ARCHIVE: f64 = 0.5;

impl Search<'_> {
    /// Children as the papers make them: duplicates and all.
    pub(super) fn papers_offspring(&mut self, wanted: usize) -> Vec<Genome> {
        let (plan, layout) = (self.plan, self.pool.layout);
        let mut children = Vec::with_capacity(wanted + 1);
        while children.len() < wanted {
            let a = &self.population.tournament(self.pool.problem, &mut self.dice).genome;
            let b = &self.population.tournament(self.pool.problem, &mut self.dice).genome;
            let pair = match self.dice.chance(plan.crossover) {
                true => layout.cross(plan.kind, a, b, &mut self.dice),
                false => [a.clone(), b.clone()],
            };
            for mut child in pair {
                layout.flip_breaks(&mut child, plan.mutation, &mut self.dice);
                children.push(child);
            }
        }
        children.truncate(wanted);
        children
    }

    /// Children that were never evaluated before.
    pub(super) fn offspring(&mut self, wanted: usize) -> Vec<Genome> {
        let (plan, layout) = (self.plan, self.pool.layout);
        let mut children = Vec::with_capacity(wanted + 1);
        let mut tries = 0;
        while children.len() < wanted && tries < 10 * wanted {
            tries += 1;
            let (a, b) = (self.parent(), self.parent());
            let kinds = [Crossover::EachColumn, Crossover::Once, Crossover::WholeColumns];
            let mut pair = match self.dice.chance(plan.crossover) {
                true => layout.cross(kinds[self.dice.below(kinds.len())], &a, &b, &mut self.dice),
                false => [a, b],
            };
            // When a search has nearly seen everything near its members, strangers come in.
            if tries > 5 * wanted {
                let share = self.dice.share();
                pair[0] = layout.random(share, &mut self.dice);
            }
            for mut child in pair {
                for column in 0..layout.segments.len() {
                    if self.dice.chance(plan.mutation) {
                        layout.step(column, &mut child, &mut self.dice);
                    }
                }
                if children.len() < wanted && !self.seen.contains_key(&child.fingerprint()) {
                    self.seen.insert(child.fingerprint(), Vec::new());
                    children.push(child);
                }
            }
        }
        children
    }

    fn parent(&mut self) -> Genome {
        if self.dice.chance(FROM_ARCHIVE) {
            let entries = self.archive.entries();
            if !entries.is_empty() {
                let entry = &entries[self.dice.below(entries.len())];
                return self.pool.layout.encode(self.pool.table, &entry.recoding);
            }
        }
        self.population.tournament(self.pool.problem, &mut self.dice).genome.clone()
    }
}
