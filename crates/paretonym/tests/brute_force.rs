//! The front of an exact search against a second, naive implementation of the definitions: point for point, for every
//! privacy model, loss, problem, rule of cut-offs and share of suppression.

#[path = "brute_force/naive/mod.rs"]
mod naive;
mod support;

use naive::{Naive, Node, Parts};
use paretonym::engine::Unwatched;
use paretonym::front::{FrontFile, Solution};
use paretonym::recode::WrittenColumn;
use paretonym::settings::{CutoffRule, OneOrMore, SearchSettings};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use support::{LOSS_FORMS, LossForm, NEEDS_NO_SENSITIVE, PRIVACY_FORMS, Sample, check, class_costs, samples, series};

/// Optimizers that promise the whole front.
const OPTIMIZERS: &[&str] = &["exhaustive", "exact"];

const ETAS: [f64; 5] = [0.0, 0.01, 0.1, 0.3, 1.0];

/// The pairs of model and loss are dealt out to this many series of tables, so that each series meets every model and
/// every loss and all series together meet every pair.
const SERIES: usize = 12;

/// A node with some groups suppressed.
struct Outcome<'a> {
    node: &'a Node,
    gone: Vec<bool>,
    /// The worst level that is left.
    level: f64,
    parts: Parts,
}

impl Outcome<'_> {
    fn suppressed(&self) -> usize {
        self.node.groups.iter().zip(&self.gone).filter(|(_, gone)| **gone).map(|(group, _)| group.len()).sum()
    }

    fn kept(&self) -> impl Iterator<Item = &Vec<usize>> {
        self.node.groups.iter().zip(&self.gone).filter(|(_, gone)| !**gone).map(|(group, _)| group)
    }

    /// The worst level of the kept groups in a model.
    fn worst(&self, naive: &Naive, model: &str) -> f64 {
        let levels = self.kept().map(|group| naive.level(model, group));
        if Naive::less_is_better(model) { levels.fold(0.0, f64::max) } else { levels.fold(f64::INFINITY, f64::min) }
    }
}

/// A table and all nodes of its lattice.
struct Case<'a> {
    sample: &'a Sample,
    naive: Naive,
    nodes: Vec<Node>,
}

impl Case<'_> {
    fn outcome<'n>(&self, model: &str, loss: LossForm, node: &'n Node, gone: Vec<bool>) -> Outcome<'n> {
        let parts = self.naive.loss(loss.name, loss.costs, node, &gone);
        let mut outcome = Outcome { node, gone, level: 0.0, parts };
        outcome.level = outcome.worst(&self.naive, model);
        outcome
    }

    /// The level as a cost.
    fn cost(model: &str, level: f64) -> f64 {
        if Naive::less_is_better(model) { level } else { -level }
    }

    fn settings(&self, problem: &str, model: &str, loss: LossForm, eta: f64, cutoffs: CutoffRule) -> SearchSettings {
        SearchSettings {
            problem: problem.into(),
            eta,
            cutoffs,
            privacy: OneOrMore::One(model.into()),
            loss: loss.name.into(),
            costs: if loss.costs { class_costs(&self.sample.classes()) } else { Vec::new() },
            ..SearchSettings::default()
        }
    }

    /// Problems 1 and 3, and problem 2 under both rules and all shares.
    fn check(&self, model: &str, loss: LossForm) -> TestCaseResult {
        let naive = &self.naive;
        let weighted = |node: &Node| Self::cost(model, naive.weighted_level(model, &node.groups));
        let expect = |settings: SearchSettings, points: Vec<(Vec<f64>, &Outcome)>| {
            self.compare(&settings, model, loss, &naive::front(points))
        };

        // Every node at every cut-off, from none on.
        let cutoffs = |node: &Node| naive.cutoffs(model, &node.groups, naive.rows - 1).into_iter();
        let outcomes: Vec<Vec<Outcome>> = self
            .nodes
            .iter()
            .map(|node| cutoffs(node).map(|gone| self.outcome(model, loss, node, gone)).collect())
            .collect();

        let unsuppressed = outcomes.iter().map(|cutoffs| &cutoffs[0]);
        let points = unsuppressed.map(|outcome| (vec![weighted(outcome.node), outcome.parts.kept], outcome));
        expect(self.settings("zero-suppression", model, loss, 0.0, CutoffRule::All), points.collect())?;

        for eta in ETAS {
            let budget = naive::budget(eta, naive.rows);
            for rule in [CutoffRule::All, CutoffRule::Budget] {
                let fitting = outcomes.iter().flat_map(|cutoffs| {
                    let count = cutoffs.iter().filter(|outcome| outcome.suppressed() <= budget).count();
                    let first = if rule == CutoffRule::Budget { count - 1 } else { 0 };
                    &cutoffs[first..count]
                });
                let points = fitting.map(|outcome| {
                    let total = outcome.parts.kept + outcome.parts.suppressed;
                    (vec![Self::cost(model, outcome.level), total], outcome)
                });
                expect(self.settings("max-suppression", model, loss, eta, rule), points.collect())?;
            }
        }

        let rid_of_the_worse = self.nodes.iter().map(|node| {
            let limit = weighted(node);
            let level = |group: &Vec<usize>| Self::cost(model, naive.level(model, group));
            let gone = node.groups.iter().map(|group| level(group) > limit + 1e-12).collect();
            (limit, self.outcome(model, loss, node, gone))
        });
        let rid_of_the_worse: Vec<(f64, Outcome)> = rid_of_the_worse.collect();
        let points = rid_of_the_worse.iter().map(|(limit, outcome)| {
            let sl = outcome.suppressed() as f64 / naive.rows as f64;
            (vec![*limit, outcome.parts.kept, sl], outcome)
        });
        expect(self.settings("any-suppression", model, loss, 0.0, CutoffRule::All), points.collect())
    }

    fn compare(
        &self,
        settings: &SearchSettings,
        model: &str,
        loss: LossForm,
        expected: &[(Vec<f64>, Vec<&Outcome>)],
    ) -> TestCaseResult {
        for optimizer in OPTIMIZERS {
            let settings = SearchSettings { optimizer: (*optimizer).into(), ..settings.clone() };
            let study = self.sample.study(settings.clone());
            let found = paretonym::study::run(&study, &self.sample.engine(), &Unwatched).unwrap().front;
            self.compare_with(&found, model, loss, expected)
                .map_err(|failure| TestCaseError::fail(format!("{settings:?}\n{failure}")))?;
        }
        Ok(())
    }

    fn compare_with(
        &self,
        found: &FrontFile,
        model: &str,
        loss: LossForm,
        expected: &[(Vec<f64>, Vec<&Outcome>)],
    ) -> TestCaseResult {
        prop_assert!(found.exact && found.complete);
        prop_assert_eq!(found.space, Some(self.nodes.len() as u64));
        prop_assert_eq!(found.rows, self.naive.rows as u64);
        let vectors = || expected.iter().map(|(vector, _)| vector);
        let objectives: Vec<&[f64]> = found.solutions.iter().map(|solution| solution.objectives.as_slice()).collect();
        prop_assert_eq!(objectives.len(), expected.len(), "{:?} and {:?}", objectives, vectors().collect::<Vec<_>>());
        for (solution, (vector, outcomes)) in found.solutions.iter().zip(expected) {
            let costs = solution
                .objectives
                .iter()
                .enumerate()
                .map(|(at, value)| if at == 0 { Self::cost(model, *value) } else { *value });
            for (cost, expected) in costs.zip(vector) {
                prop_assert!((cost - expected).abs() < 1e-9, "{:?} and {:?}", solution.objectives, vector);
            }
            prop_assert_eq!(solution.alternatives + 1, outcomes.len() as u64, "alternatives of {:?}", vector);
            let level = |(_, column): &(String, WrittenColumn)| match column {
                WrittenColumn::Level(level) => *level as usize,
                other => panic!("{other:?} is no level"),
            };
            let levels: Vec<usize> = solution.recoding.columns().iter().map(level).collect();
            let outcome = outcomes.iter().find(|outcome| outcome.node.levels == levels);
            prop_assert!(outcome.is_some(), "{levels:?} does not reach {vector:?}");
            self.compare_numbers(solution, model, loss, outcome.unwrap())?;
        }
        Ok(())
    }

    /// The other numbers of a solution.
    fn compare_numbers(&self, found: &Solution, model: &str, loss: LossForm, own: &Outcome) -> TestCaseResult {
        let naive = &self.naive;
        let sizes: Vec<usize> = own.kept().map(Vec::len).collect();
        let (k, largest) = (*sizes.iter().min().unwrap(), *sizes.iter().max().unwrap());
        prop_assert_eq!(found.privacy.len(), 1);
        prop_assert_eq!(found.k, k as u64);
        prop_assert_eq!(found.groups, sizes.len() as u64);
        prop_assert_eq!(found.suppressed, Some(own.suppressed() as u64));

        let general = if loss.name.starts_with("general") { loss.name } else { "general" };
        let mut numbers = vec![
            ("loss", found.loss, own.parts.kept + own.parts.suppressed),
            ("gl", found.gl, naive.loss(general, false, own.node, &own.gone).kept),
            ("sl", found.sl, own.suppressed() as f64 / naive.rows as f64),
            ("weighted_k", found.weighted_k, naive.weighted_level("k", &own.node.groups)),
            ("necd", found.necd, (largest - k) as f64 / (naive.rows - 1) as f64),
            ("privacy", found.privacy[0], own.level),
        ];
        if self.sample.sensitive.is_empty() {
            prop_assert_eq!((found.l, found.t), (None, None));
        } else {
            let plain = model.split('(').next().unwrap();
            let l = if plain.ends_with("-l") { model } else { "frequency-l" };
            numbers.push(("l", found.l.unwrap(), own.worst(naive, l)));
            numbers.push(("t", found.t.unwrap(), own.worst(naive, "t")));
        }
        for (name, found, expected) in numbers {
            prop_assert!((found - expected).abs() < 1e-9, "{name} is {found}, not {expected}");
        }
        Ok(())
    }
}

fn check_sample(sample: &Sample, wanted: impl Fn(usize, usize) -> bool) -> TestCaseResult {
    let naive = Naive::new(sample);
    let case = Case { sample, nodes: naive.nodes(), naive };
    for (model_at, model) in PRIVACY_FORMS.iter().enumerate() {
        for (loss_at, loss) in LOSS_FORMS.iter().enumerate() {
            if wanted(model_at, loss_at) {
                case.check(model, *loss)?;
            }
        }
    }
    Ok(())
}

#[test]
fn exact_fronts_equal_the_naive_front() {
    for number in 0..SERIES {
        check(series(3, number as u64), samples(4, 1..=2), |sample| {
            check_sample(&sample, |model, loss| (model + loss) % SERIES == number)
        });
    }
}

#[test]
fn exact_fronts_without_sensitive_columns_equal_the_naive_front() {
    check(series(6, 100), samples(3, 0..=0), |sample| {
        check_sample(&sample, |model, _| NEEDS_NO_SENSITIVE.contains(&PRIVACY_FORMS[model]))
    });
}

/// Nothing is lost, whatever is done to a table whose rows are equal, and nothing is gained.
#[test]
fn exact_fronts_of_equal_rows_equal_the_naive_front() {
    let declared = |sample: &Sample| sample.quasi.iter().all(|column| !column.written.takes_what_occurs());
    let equal = samples(3, 1..=1).prop_filter("the study declares the values", declared).prop_map(|mut sample| {
        let (first, columns) = (sample.rows[0].clone(), sample.quasi.len());
        sample.rows.iter_mut().for_each(|row| row[..columns].clone_from_slice(&first[..columns]));
        sample
    });
    check(series(24, 200), equal, |sample| check_sample(&sample, |model, _| PRIVACY_FORMS[model] == "k"));
}

#[test]
fn the_forms_cover_the_catalogue() {
    let plain = |form: &str| form.split('(').next().unwrap().to_owned();
    for entry in paretonym::catalog::PRIVACY {
        assert!(PRIVACY_FORMS.iter().any(|form| plain(form) == entry.entry.name), "{}", entry.entry.name);
    }
    for entry in paretonym::catalog::LOSSES {
        assert!(LOSS_FORMS.iter().any(|form| plain(form.name) == entry.entry.name), "{}", entry.entry.name);
    }
}
