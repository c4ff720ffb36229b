//! Fronts: nothing in them is dominated, nothing outside beats them, they are sorted, and alternatives are counted.

use std::collections::BTreeSet;

use paretonym::catalog;
use paretonym::engine::Unwatched;
use paretonym::front::{FrontEntry, Outcome, Point};
use paretonym::measure::Sense;
use paretonym::recode::Recoding;
use paretonym::search::{Evaluator, FoundRecoding, SearchRun};
use paretonym::settings::{CutoffRule, OneOrMore, SearchSettings};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::Lattice;
use crate::support::{LOSS_FORMS, PRIVACY_FORMS, Sample, check, class_costs, samples, series};

/// What a front must be, given every outcome of every recoding.
fn check_front(entries: &[FrontEntry<FoundRecoding>], outcomes: &[(Outcome, Recoding)]) -> TestCaseResult {
    for pair in entries.windows(2) {
        let costs = |entry: &FrontEntry<FoundRecoding>| entry.point.costs().to_vec();
        prop_assert!(costs(&pair[0]) < costs(&pair[1]), "{:?} before {:?}", pair[0].point, pair[1].point);
    }
    for entry in entries {
        let dominating = outcomes.iter().find(|(outcome, _)| outcome.point.dominates(&entry.point));
        prop_assert!(dominating.is_none(), "{:?} is dominated by {:?}", entry.point, dominating);
        let same = outcomes.iter().filter(|(outcome, _)| outcome.point == entry.point);
        let recodings: BTreeSet<&Recoding> = same.map(|(_, recoding)| recoding).collect();
        prop_assert!(
            entry.recoding.table_wide().is_some_and(|own| recodings.contains(own)),
            "{:?} does not reach {:?}",
            entry.recoding,
            entry.point
        );
        prop_assert_eq!(entry.alternatives + 1, recodings.len() as u64, "alternatives of {:?}", entry.point);
    }
    let covered = |point: &Point| entries.iter().any(|entry| entry.point.covers(point));
    let lost = outcomes.iter().find(|(outcome, _)| !covered(&outcome.point));
    prop_assert!(lost.is_none(), "{:?} is better than the front", lost);
    Ok(())
}

fn check_settings(sample: &Sample, lattice: &Lattice, settings: &SearchSettings) -> TestCaseResult {
    let table = &lattice.table;
    let problem = catalog::problem(settings, table).unwrap();
    let mut evaluator = Evaluator::new(table, problem.as_ref());
    let mut outcomes = Vec::new();
    for (node, grouping) in lattice.nodes.iter().zip(&lattice.groupings) {
        evaluator.judge(grouping, &mut |outcome| outcomes.push((outcome, Recoding::of_levels(node))));
    }
    let run = SearchRun { seed: 1, evaluations: None, watch: &Unwatched };
    let found = catalog::optimizer(settings).unwrap().search(table, problem.as_ref(), &run).unwrap();
    prop_assert!(found.exact && found.complete);
    prop_assert_eq!((found.evaluated, found.space), (lattice.nodes.len() as u64, Some(lattice.nodes.len() as u64)));
    check_front(found.archive.entries(), &outcomes)?;

    // The same as a study's front, where objectives have their own senses.
    let front = paretonym::study::run(&sample.study(settings.clone()), &sample.engine(), &Unwatched).unwrap().front;
    prop_assert_eq!(front.solutions.len(), found.archive.entries().len());
    let first = |at: usize| front.solutions[at].objectives[0];
    for at in 1..front.solutions.len() {
        let better_first = match front.objectives[0].sense {
            Sense::Max => first(at - 1) >= first(at),
            Sense::Min => first(at - 1) <= first(at),
        };
        prop_assert!(better_first, "{} before {}", first(at - 1), first(at));
    }
    for (at, solution) in front.solutions.iter().enumerate() {
        prop_assert_eq!(solution.id as usize, at + 1);
    }
    Ok(())
}

#[test]
fn fronts_hold_what_nothing_dominates() {
    // The formulations that need no settings of their own; the others have tests of their own.
    let own_settings = ["kl-safety", "preference", "single"];
    let problems = catalog::PROBLEMS.iter().filter(|problem| !own_settings.contains(&problem.entry.name));
    for (number, problem) in problems.enumerate() {
        check(series(12, number as u64), samples(4, 1..=2), |sample| {
            let lattice = Lattice::of(&sample);
            for (at, loss) in LOSS_FORMS.iter().enumerate() {
                for (model_at, model) in PRIVACY_FORMS.iter().enumerate() {
                    // A third of the pairs, another one for each length of table.
                    if (at + model_at + sample.rows.len()) % 3 > 0 {
                        continue;
                    }
                    let settings = SearchSettings {
                        problem: problem.entry.name.into(),
                        privacy: OneOrMore::One((*model).into()),
                        loss: loss.name.into(),
                        costs: if loss.costs { class_costs(&sample.classes()) } else { Vec::new() },
                        eta: [0.0, 0.1, 0.4][at % 3],
                        cutoffs: if model_at % 2 == 0 { CutoffRule::All } else { CutoffRule::Budget },
                        ..SearchSettings::default()
                    };
                    check_settings(&sample, &lattice, &settings)
                        .map_err(|failure| TestCaseError::fail(format!("{settings:?}\n{failure}")))?;
                }
            }
            Ok(())
        });
    }
}
