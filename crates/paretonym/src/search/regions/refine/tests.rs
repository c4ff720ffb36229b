//! Local search beside what looking at everything finds.

use std::collections::HashMap;

use super::*;
use crate::data::Kind;
use crate::engine::Unwatched;
use crate::recode::CellForm;
use crate::search::regions::bound::loss_bounds;
use crate::search::regions::tests::table;

/// The least loss of all partition trees whose leaves have `least` rows, as units of a bit each, or of all partitions.
struct Naive<'a> {
    split_table: &'a SplitTable<'a>,
    least: u64,
    known: HashMap<u32, f64>,
}

impl Naive<'_> {
    fn members(some: u32) -> impl Iterator<Item = usize> {
        (0..32).filter(move |at| some >> at & 1 == 1)
    }

    /// What some tuples lose as one box.
    fn alone(&self, some: u32) -> f64 {
        let rows: u64 = Naive::members(some).map(|at| self.split_table.rows[at]).sum();
        if rows < self.least {
            return f64::INFINITY;
        }
        let cells = self.split_table.columns.iter().enumerate().map(|(at, column)| {
            let mut leaves: Vec<u32> = Naive::members(some).map(|tuple| column.codes[tuple]).collect();
            leaves.sort_unstable();
            leaves.dedup();
            column.weight * f64::from(self.split_table.facts(at, &leaves).values - 1)
        });
        rows as f64 * cells.sum::<f64>()
    }

    fn best_tree(&mut self, some: u32) -> f64 {
        if let Some(known) = self.known.get(&some) {
            return *known;
        }
        let mut best = self.alone(some);
        for (at, column) in self.split_table.table.columns.iter().enumerate() {
            let ordered = column.domain.kind != Kind::Categorical;
            let sides = match ordered {
                true => (0..column.domain.len() as u32).map(|end| 0..end).collect::<Vec<_>>(),
                false => column.hierarchy.nodes().iter().map(|node| node.leaves.clone()).collect(),
            };
            for side in sides {
                let codes = &self.split_table.columns[at].codes;
                let inside = Naive::members(some).filter(|tuple| side.contains(&codes[*tuple]));
                let inside: u32 = inside.map(|tuple| 1 << tuple).sum();
                if inside != 0 && inside != some {
                    best = best.min(self.best_tree(inside) + self.best_tree(some & !inside));
                }
            }
        }
        self.known.insert(some, best);
        best
    }

    fn best_partition(&self, some: u32) -> f64 {
        if some == 0 {
            return 0.0;
        }
        let first = some & some.wrapping_neg();
        let (others, mut best) = (some ^ first, f64::INFINITY);
        let mut more = others;
        loop {
            let alone = self.alone(more | first);
            if alone < best {
                best = best.min(alone + self.best_partition(others & !more));
            }
            if more == 0 {
                return best;
            }
            more = (more - 1) & others;
        }
    }
}

/// Numbers that look drawn.
fn drawn(seed: u32) -> impl FnMut(u32) -> u32 {
    let mut state = u64::from(seed) * 2 + 1;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(below)) as u32
    }
}

/// The loss of what local search finds for one k.
fn loss(split_table: &SplitTable, naive: &Naive) -> f64 {
    let units = Units::of_tuples(split_table);
    let near = Near::new(&units, &Unwatched);
    let terms = Terms { units: &units, near: &near, least: naive.least, budget: 0, watch: &Unwatched };
    let found = improved(terms, 0);
    let mut tuples: Vec<u32> = found[0].clusters.concat();
    tuples.sort_unstable();
    assert!(tuples.iter().copied().eq(0..units.len() as u32), "every tuple in one cluster");
    found[0].clusters.iter().map(|cluster| naive.alone(cluster.iter().map(|tuple| 1 << tuple).sum())).sum()
}

#[test]
fn little_is_lost_beside_the_best_tree() {
    for (form, tuples) in [(CellForm::Sets, 10), (CellForm::Nodes, 10), (CellForm::Sets, 13), (CellForm::Nodes, 13)] {
        for least in [2, 3] {
            let (mut excess, mut count) = (0.0, 0.0);
            for seed in 0..6 {
                let mut next = drawn(seed);
                let cells = (0..tuples).map(|_| (next(90), next(40), next(7))).collect();
                let table = table(cells);
                let split_table = SplitTable::new(&table, form, &[0.4, 0.3, 0.3]);
                let mut naive = Naive { split_table: &split_table, least, known: HashMap::new() };
                let best = naive.best_tree((1 << table.tuples.len()) - 1);
                let found = loss(&split_table, &naive);
                assert!(found.is_finite(), "every cluster has {least} rows");
                if best > 0.0 {
                    excess += found / best - 1.0;
                    count += 1.0;
                }
            }
            assert!(excess / count <= 0.03, "{form:?}, {tuples} tuples, k = {least}: {}", excess / count);
        }
    }
}

#[test]
fn few_tuples_are_divided_in_the_best_way_and_no_bound_is_above_it() {
    for seed in 0..40 {
        let mut next = drawn(seed);
        let cells = (0..9).map(|_| (next(30), next(40), next(7))).collect();
        let table = table(cells);
        let form = [CellForm::Nodes, CellForm::Sets, CellForm::SetsOfAtMost(2)][seed as usize % 3];
        let split_table = SplitTable::new(&table, form, &[0.4, 0.3, 0.3]);
        let ks = [2, 3, 5];
        let bounds = loss_bounds(&Units::of_tuples(&split_table), &ks, 0, &Unwatched).expect("few tuples");
        let freed = loss_bounds(&Units::of_tuples(&split_table), &ks, 2, &Unwatched).expect("few tuples");
        for ((least, bound), freed) in ks.into_iter().zip(bounds).zip(freed) {
            let naive = Naive { split_table: &split_table, least, known: HashMap::new() };
            let best = naive.best_partition((1 << table.tuples.len()) - 1);
            assert!((loss(&split_table, &naive) - best).abs() < 1e-9, "seed {seed}, k = {least}");
            assert!(bound <= best / table.rows as f64 && freed <= bound, "seed {seed}, k = {least}: {bound}");
            assert!(bound > 0.0, "seed {seed}, k = {least}");
        }
    }
}

#[test]
fn what_is_left_out_fits_the_budget() {
    let mut next = drawn(3);
    let table = table((0..120).map(|_| (next(90), next(40), next(7))).collect());
    let split_table = SplitTable::new(&table, CellForm::Sets, &[0.4, 0.3, 0.3]);
    let rows = |tuples: &[u32]| tuples.iter().map(|tuple| split_table.rows[*tuple as usize]).sum::<u64>();
    let found = refined(&split_table, 3, 7, &Unwatched);
    assert!(found.iter().any(|one| !one.hidden.is_empty()));
    for Refined { clusters, hidden } in found {
        let mut all = [clusters.concat(), hidden.clone()].concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..table.tuples.len() as u32));
        assert!(rows(&hidden) <= 7 && clusters.iter().all(|cluster| rows(cluster) >= 3));
    }
}
