//! Fronts within floors against a second, naive implementation of the definitions: the same points, recodings, alternatives
//! and proofs, for every problem, many models and losses, and all families of recodings that can be enumerated.

#[path = "floors/naive_problems.rs"]
mod naive_problems;

#[path = "brute_force/naive/mod.rs"]
mod naive;
mod support;

use naive::{Naive, Node};
use naive_problems::Question;
use paretonym::catalog;
use paretonym::engine::Unwatched;
use paretonym::front::FrontFile;
use paretonym::measure::Sense;
use paretonym::recode::{Family, WrittenColumn};
use paretonym::search::{Exact, Exhaustive, Optimizer, SearchRun};
use paretonym::settings::{CutoffRule, SearchSettings};
use paretonym::study::Study;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use support::{LOSS_FORMS, LossForm, Sample, check, samples, series};

const FLOORS: &[&[(&str, f64)]] = &[
    &[("k", 2.0)],
    &[("k", 4.0)],
    &[("distinct-l", 2.0)],
    &[("frequency-l", 2.0)],
    &[("entropy-l", 1.5)],
    &[("recursive-l", 2.0)],
    &[("t", 0.4)],
    &[("alpha", 0.7)],
    &[("p-sensitive(k=3)", 2.0)],
    &[("k", 2.0), ("t", 0.5)],
    &[("k", 3.0), ("distinct-l", 2.0)],
    &[("k", 2.0), ("frequency-l", 2.0), ("alpha", 0.8)],
    &[("k", 0.0)],
];

const MODELS: &[&str] = &["k", "distinct-l", "frequency-l", "entropy-l", "t", "recursive-l"];

/// One question per problem: which models, losses, budgets and floors go together changes with the number.
fn questions(number: usize) -> Vec<Question> {
    let loss = |at: usize| LOSS_FORMS[(number + at) % LOSS_FORMS.len()];
    let model = |at: usize| MODELS[(number + at) % MODELS.len()];
    let floors = |at: usize| FLOORS[(number + at) % FLOORS.len()];
    let eta = |at: usize| [0.0, 0.1, 0.3, 0.6][(number / 2 + at) % 4];
    let rule = |at: usize| [CutoffRule::All, CutoffRule::Budget][(number / 3 + at) % 2];
    let one = |problem, at: usize| Question {
        problem,
        models: vec![model(at)],
        loss: loss(at),
        eta: eta(at),
        rule: rule(at),
        ordered: false,
        floors: floors(3 * at),
    };
    let both = |at: usize| Question { models: vec!["k", MODELS[1 + (number + at) % 5]], ..one("kl-safety", at) };
    let plain = |name| LossForm { name, costs: false };
    vec![
        one("max-suppression", 0),
        one("max-suppression", 1),
        Question { models: vec!["k"], ..one("max-suppression", 2) },
        one("zero-suppression", 3),
        one("any-suppression", 4),
        Question { models: vec!["k"], ..one("single", 5) },
        Question { models: vec!["distinct-l"], ..one("single", 6) },
        both(7),
        Question { models: vec!["k", "distinct-l"], ..both(8) },
        Question { ordered: true, ..both(9) },
        Question { models: vec!["k"], loss: plain("weighted"), ..one("preference", 10) },
    ]
}

type Expected<'n> = Vec<(Vec<f64>, Vec<(&'n Node, Vec<bool>)>)>;

struct Case<'a> {
    sample: &'a Sample,
    naive: Naive,
    nodes: Vec<Node>,
    family: Family,
}

impl Case<'_> {
    fn study(&self, settings: SearchSettings) -> Study {
        let mut study = self.sample.study(settings);
        study.columns[..self.sample.quasi.len()].iter_mut().for_each(|column| column.recode = Some(self.family));
        study
    }

    fn expected(&self, question: &Question) -> Expected<'_> {
        let outcomes = self.nodes.iter().flat_map(|node| {
            let own = question.outcomes(&self.naive, node).into_iter();
            own.map(move |(point, gone)| (point, (node, gone)))
        });
        naive::front(outcomes.collect())
    }

    /// The front of an optimizer; none where it says that there is none.
    fn found(&self, question: &Question, optimizer: &str) -> Option<FrontFile> {
        let study = self.study(SearchSettings { optimizer: optimizer.into(), ..question.settings(self.sample) });
        match paretonym::study::run(&study, &self.sample.engine(), &Unwatched) {
            Ok(found) => Some(found.front),
            Err(error) => {
                assert!(error.to_string().contains("no recoding that was evaluated keeps"), "{question:?}: {error}");
                None
            }
        }
    }

    fn check(&self, question: &Question) -> TestCaseResult {
        // A k that the table cannot hold is refused.
        let rows = self.naive.rows as f64;
        if question.floors.iter().any(|(model, level)| *model == "k" && *level > rows) {
            return Ok(());
        }
        let expected = self.expected(question);
        for optimizer in ["exhaustive", "exact"] {
            let found = self.found(question, optimizer);
            self.compare(found.as_ref(), &expected)
                .map_err(|failure| TestCaseError::fail(format!("{optimizer} {question:?}\n{failure}")))?;
        }
        Ok(())
    }

    fn compare(&self, found: Option<&FrontFile>, expected: &Expected) -> TestCaseResult {
        let Some(found) = found else {
            prop_assert!(
                expected.is_empty(),
                "nothing found of {:?}",
                expected.iter().map(|own| &own.0).collect::<Vec<_>>()
            );
            return Ok(());
        };
        prop_assert!(found.exact && found.complete);
        prop_assert_eq!(found.space, Some(self.nodes.len() as u64));
        let points = || (costs(found), expected.iter().map(|(point, _)| point).collect::<Vec<_>>());
        prop_assert_eq!(found.solutions.len(), expected.len(), "{:?}", points());
        for ((solution, own), (point, reached)) in found.solutions.iter().zip(costs(found)).zip(expected) {
            prop_assert!(near(&own, point), "{:?} and {:?}", own, point);
            prop_assert_eq!(solution.alternatives + 1, reached.len() as u64, "alternatives of {:?}", point);
            let levels = levels(solution.recoding.columns());
            let mut same = reached.iter().filter(|(node, _)| levels.as_ref().is_none_or(|own| *own == node.levels));
            // Of a recoding all that is suppressed, and the measures of what is not.
            let fits = |(node, gone): &(&Node, Vec<bool>)| {
                let rows = |wanted: bool| {
                    node.groups.iter().zip(gone).filter(move |(_, own)| **own == wanted).map(|(group, _)| group.len())
                };
                let kept: Vec<usize> = rows(false).collect();
                (solution.suppressed, solution.groups, solution.k)
                    == (Some(rows(true).sum::<usize>() as u64), kept.len() as u64, *kept.iter().min().unwrap() as u64)
            };
            prop_assert!(same.any(fits), "{:?} at {:?}", solution, point);
        }
        Ok(())
    }

    /// Whatever other optimizers find is an outcome of its recoding, within the floors.
    fn check_heuristic(&self, question: &Question, optimizer: &str) -> TestCaseResult {
        let Some(found) = self.found(question, optimizer) else { return Ok(()) };
        for (solution, own) in found.solutions.iter().zip(costs(&found)) {
            let levels = levels(solution.recoding.columns()).unwrap();
            let node = self.nodes.iter().find(|node| node.levels == levels).unwrap();
            let known = question.outcomes(&self.naive, node);
            prop_assert!(known.iter().any(|(point, _)| near(&own, point)), "{optimizer} {question:?}: {own:?}");
        }
        Ok(())
    }
}

fn costs(found: &FrontFile) -> Vec<Vec<f64>> {
    let cost = |(value, sense): (&f64, Sense)| sense.cost(*value);
    let senses = || found.objectives.iter().map(|objective| objective.sense);
    found.solutions.iter().map(|own| own.objectives.iter().zip(senses()).map(cost).collect()).collect()
}

fn near(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(1.0))
}

/// The levels of a recoding, where it is one of levels.
fn levels(columns: &[(String, WrittenColumn)]) -> Option<Vec<usize>> {
    let level = |(_, column): &(String, WrittenColumn)| match column {
        WrittenColumn::Level(level) => Some(*level as usize),
        _ => None,
    };
    columns.iter().map(level).collect()
}

#[test]
fn fronts_of_levels_equal_the_naive_front() {
    for number in 0..60 {
        check(series(4, 300 + number), samples(3, 1..=2), |sample| {
            let naive = Naive::new(&sample);
            let case = Case { sample: &sample, nodes: naive.nodes(), naive, family: Family::Levels };
            questions(number as usize).iter().try_for_each(|question| case.check(question))
        });
    }
}

/// Cuts and breaks are worked out from a skeleton of recodings.
#[test]
fn fronts_of_cuts_and_breaks_equal_the_naive_front() {
    for number in 0..36 {
        let cuts = number % 2 == 0;
        check(series(1, 400 + number), samples(2, 1..=2), |sample| {
            let mut naive = Naive::new(&sample);
            prop_assume!(naive.columns.iter().all(|column| column.leaves() <= 6));
            naive.columns.iter_mut().for_each(|column| column.take_partitions(cuts));
            let family = if cuts { Family::Cuts } else { Family::Breaks };
            let case = Case { sample: &sample, nodes: naive.nodes(), naive, family };
            let mut all = questions(number as usize);
            // The height of a level is not defined here.
            all.retain(|question| question.loss.name != "precision");
            all.iter().try_for_each(|question| case.check(question))
        });
    }
}

/// Lattices as if they were too large to enumerate, whole and stopped early: bounds refer to what the floors leave.
#[test]
fn fronts_of_wide_lattices_equal_those_of_all_nodes() {
    let never = Exact { enumerable: 0 };
    for number in 0..40usize {
        check(series(6, 500 + number as u64), samples(4, 1..=1), |sample| {
            let table = sample.table();
            for question in questions(number) {
                let Ok(problem) = catalog::problem(&question.settings(&sample), &table) else { continue };
                if problem.prunable().is_err() {
                    continue;
                }
                let run = |evaluations| SearchRun { seed: 1, evaluations, watch: &Unwatched };
                let truth = Exhaustive.search(&table, problem.as_ref(), &run(None)).unwrap();
                let all = truth.archive.entries();
                for evaluations in [None, Some(2), Some(12)] {
                    for exact in [&never, &Exact::default()] {
                        let found = exact.search(&table, problem.as_ref(), &run(evaluations)).unwrap();
                        let own = found.archive.entries();
                        if found.exact {
                            prop_assert_eq!(own.len(), all.len(), "{:?}", question);
                            let same = own.iter().zip(all).all(|(a, b)| {
                                near(a.point.costs(), b.point.costs())
                                    && ((&a.recoding, a.alternatives) == (&b.recoding, b.alternatives)
                                        || !found.complete)
                            });
                            prop_assert!(same, "{:?}", question);
                            continue;
                        }
                        prop_assert!(evaluations.is_some() || question.problem == "kl-safety", "{:?}", question);
                        prop_assert_eq!(found.bounds.len(), own.len());
                        for (own, bound) in own.iter().zip(&found.bounds) {
                            let (loss, privacy) = own.point.costs().split_last().unwrap();
                            let private =
                                all.iter().filter(|entry| entry.point.costs().iter().zip(privacy).all(|(a, b)| a <= b));
                            let least =
                                private.map(|entry| *entry.point.costs().last().unwrap()).fold(f64::INFINITY, f64::min);
                            let slack = 1e-9 * least.abs().max(1.0);
                            prop_assert!(
                                *bound <= least + slack && *loss >= least - slack,
                                "{:?}: {} above {}",
                                question,
                                bound,
                                least
                            );
                        }
                    }
                }
            }
            Ok(())
        });
    }
}

#[test]
fn heuristics_stay_within_floors() {
    for number in 0..30 {
        check(series(1, 600 + number), samples(3, 1..=1), |sample| {
            let naive = Naive::new(&sample);
            let case = Case { sample: &sample, nodes: naive.nodes(), naive, family: Family::Levels };
            let rows = case.naive.rows as f64;
            for question in questions(number as usize) {
                if question.floors.iter().any(|(model, level)| *model == "k" && *level > rows) {
                    continue;
                }
                for optimizer in
                    ["nsga2(population=6, generations=3)", "datafly(k=2/5)", "samarati(k=2/5)", "incognito(k=3)"]
                {
                    case.check_heuristic(&question, optimizer)?;
                }
                if question.problem == "max-suppression" {
                    case.check_heuristic(&question, "poka")?;
                }
                if question.problem == "single" {
                    case.check_heuristic(&question, "genitor(population=8)")?;
                }
            }
            Ok(())
        });
    }
}
