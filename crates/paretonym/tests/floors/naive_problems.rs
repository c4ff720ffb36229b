//! Every problem within floors, as plainly as the definitions say it: groups that miss a floor go first.

use paretonym::settings::{CutoffRule, OneOrMore, SearchSettings, WantedLevels};

use crate::naive::{self, Naive, Node};
use crate::support::{LossForm, Sample, class_costs};

/// What is asked of a table.
#[derive(Clone, Debug)]
pub struct Question {
    pub problem: &'static str,
    pub models: Vec<&'static str>,
    pub loss: LossForm,
    pub eta: f64,
    pub rule: CutoffRule,
    /// kl-safety: ordered rather than joint.
    pub ordered: bool,
    pub floors: &'static [(&'static str, f64)],
}

impl Question {
    pub fn settings(&self, sample: &Sample) -> SearchSettings {
        let side = |least: bool| -> WantedLevels {
            let own = self.floors.iter().filter(|(model, _)| Naive::less_is_better(model) != least);
            own.map(|(model, level)| ((*model).to_owned(), *level)).collect()
        };
        let settings = SearchSettings {
            problem: self.problem.into(),
            privacy: OneOrMore::More(self.models.iter().map(|model| (*model).to_owned()).collect()),
            loss: self.loss.name.into(),
            costs: if self.loss.costs { class_costs(&sample.classes()) } else { Vec::new() },
            eta: self.eta,
            cutoffs: self.rule,
            at_least: side(true),
            at_most: side(false),
            ..SearchSettings::default()
        };
        settings.with("k", 2).with("form", if self.ordered { "ordered" } else { "joint" })
    }

    /// The outcomes of a recoding: points as costs, and which groups are gone.
    pub fn outcomes(&self, naive: &Naive, node: &Node) -> Vec<(Vec<f64>, Vec<bool>)> {
        let cost = |model: &str, level: f64| if Naive::less_is_better(model) { level } else { -level };
        let of_groups = |model: &str| -> Vec<f64> {
            node.groups.iter().map(|group| cost(model, naive.level(model, group))).collect()
        };
        let missed = |model: &str, level: f64, group: &[usize]| {
            is_worse(cost(model, naive.level(model, group)), cost(model, level))
        };
        let misses = |group: &Vec<usize>| self.floors.iter().any(|(model, level)| missed(model, *level, group));
        let first: Vec<bool> = node.groups.iter().map(misses).collect();
        let costs: Vec<Vec<f64>> = self.models.iter().map(|model| of_groups(model)).collect();
        let judged = Judged { naive, node, costs, first };
        match self.problem {
            "zero-suppression" | "preference" if judged.first.contains(&true) => Vec::new(),
            "zero-suppression" => vec![(vec![judged.weighted(), self.parts(&judged, &judged.first).0], judged.first)],
            "preference" => vec![(self.wish(&judged), judged.first)],
            "any-suppression" => {
                let limit = judged.weighted();
                let gone = judged.without(|group| is_worse(judged.costs[0][group], limit));
                let sl = judged.rows(&gone) as f64 / naive.rows as f64;
                self.kept(&judged, gone, |kept, _| vec![limit, kept, sl])
            }
            "single" => {
                let gone = judged.without(|group| is_worse(judged.costs[0][group], -2.0));
                self.kept(&judged, gone, |kept, suppressed| vec![kept + suppressed])
            }
            "kl-safety" if !self.ordered => self.joint(&judged),
            _ => {
                // The model less desired first: k, unless the study says otherwise.
                let key = |group: usize| judged.costs.iter().map(|costs| costs[group]).collect::<Vec<f64>>();
                let mut all = judged.steps(naive::budget(self.eta, naive.rows), key);
                if self.rule == CutoffRule::Budget {
                    all.drain(..all.len().saturating_sub(1));
                }
                self.measured(&judged, all)
            }
        }
    }

    /// Loss of what is kept, and what suppressed rows pay.
    fn parts(&self, judged: &Judged, gone: &[bool]) -> (f64, f64) {
        let parts = judged.naive.loss(self.loss.name, self.loss.costs, judged.node, gone);
        (parts.kept, parts.suppressed)
    }

    fn kept(
        &self,
        judged: &Judged,
        gone: Vec<bool>,
        point: impl Fn(f64, f64) -> Vec<f64>,
    ) -> Vec<(Vec<f64>, Vec<bool>)> {
        if !gone.contains(&false) {
            return Vec::new();
        }
        let (kept, suppressed) = self.parts(judged, &gone);
        vec![(point(kept, suppressed), gone)]
    }

    /// Every pair of limits that fits the budget.
    fn joint(&self, judged: &Judged) -> Vec<(Vec<f64>, Vec<bool>)> {
        let budget = naive::budget(self.eta, judged.naive.rows);
        let mut limits: Vec<Vec<f64>> = vec![Vec::new()];
        for costs in &judged.costs {
            let own = costs.iter().chain([&f64::INFINITY]);
            limits =
                limits.iter().flat_map(|some| own.clone().map(move |limit| [&some[..], &[*limit]].concat())).collect();
        }
        let gone = limits.iter().map(|limits| {
            judged.without(|group| judged.costs.iter().zip(limits).any(|(costs, limit)| is_worse(costs[group], *limit)))
        });
        let fitting = gone.filter(|gone| judged.rows(gone) <= budget && gone.contains(&false)).collect();
        self.measured(judged, fitting)
    }

    /// Levels measured on what stays, and the whole loss; a point that is reached twice is one.
    fn measured(&self, judged: &Judged, all: Vec<Vec<bool>>) -> Vec<(Vec<f64>, Vec<bool>)> {
        let mut found: Vec<(Vec<f64>, Vec<bool>)> = Vec::new();
        for gone in all {
            let worst = |costs: &Vec<f64>| {
                let kept = costs.iter().zip(&gone).filter(|(_, gone)| !**gone);
                kept.map(|(cost, _)| *cost).fold(f64::NEG_INFINITY, f64::max)
            };
            let mut point: Vec<f64> = judged.costs.iter().map(worst).collect();
            let (kept, suppressed) = self.parts(judged, &gone);
            point.push(kept + suppressed);
            let same = |other: &(Vec<f64>, Vec<bool>)| other.0.iter().zip(&point).all(|(a, b)| (a - b).abs() <= 1e-9);
            if self.problem != "kl-safety" || !found.iter().any(same) {
                found.push((point, gone));
            }
        }
        found
    }

    /// S1's achievement and shortfall, at what the study wishes for unless it says otherwise.
    fn wish(&self, judged: &Judged) -> Vec<f64> {
        let sizes = judged.node.groups.iter().map(Vec::len);
        let spread = sizes.clone().max().unwrap() - sizes.min().unwrap();
        let necd = spread as f64 / (judged.naive.rows - 1) as f64;
        let (loss, e) = (self.parts(judged, &judged.first).0, 1e-6);
        let (low, high) = (1.0 / (0.2 + e), 1.0 / (1.0 + e));
        let weight = low / (low + high);
        let worst = judged.costs[0].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        vec![f64::max(weight * (loss + e), (1.0 - weight) * (necd + e)), worst + 5.0]
    }
}

fn is_worse(cost: f64, limit: f64) -> bool {
    cost > limit + 1e-12 * limit.abs().max(1.0)
}

/// A recoding with the costs of its groups in each model, and which of them miss a floor.
struct Judged<'a> {
    naive: &'a Naive,
    node: &'a Node,
    costs: Vec<Vec<f64>>,
    first: Vec<bool>,
}

impl Judged<'_> {
    /// What is gone with some groups more.
    fn without(&self, more: impl Fn(usize) -> bool) -> Vec<bool> {
        self.first.iter().enumerate().map(|(group, first)| *first || more(group)).collect()
    }

    fn rows(&self, gone: &[bool]) -> usize {
        self.node.groups.iter().zip(gone).filter(|(_, gone)| **gone).map(|(group, _)| group.len()).sum()
    }

    /// The mean over rows of their group's level, before anything is suppressed.
    fn weighted(&self) -> f64 {
        let sum = self.node.groups.iter().zip(&self.costs[0]).map(|(group, cost)| group.len() as f64 * cost);
        sum.sum::<f64>() / self.naive.rows as f64
    }

    /// From what misses a floor on, class after class, the worst first, as long as the rows fit.
    fn steps(&self, budget: usize, key: impl Fn(usize) -> Vec<f64>) -> Vec<Vec<bool>> {
        let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-12 * a.abs().max(1.0));
        let worse = |a: &[f64], b: &[f64]| {
            let differs = a.iter().zip(b).find(|(a, b)| (*a - *b).abs() > 1e-12 * a.abs().max(1.0));
            differs.is_some_and(|(a, b)| a > b)
        };
        let keys: Vec<Vec<f64>> = (0..self.first.len()).map(key).collect();
        let (mut gone, mut all) = (self.first.clone(), Vec::new());
        while self.rows(&gone) <= budget && gone.contains(&false) {
            all.push(gone.clone());
            let left = || (0..gone.len()).filter(|group| !gone[*group]);
            let worst = left().find(|group| !left().any(|other| worse(&keys[other], &keys[*group]))).unwrap();
            let class: Vec<usize> = left().filter(|group| same(&keys[*group], &keys[worst])).collect();
            class.into_iter().for_each(|group| gone[group] = true);
        }
        all
    }
}
