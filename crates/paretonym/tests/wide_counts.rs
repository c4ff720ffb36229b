//! Tables of more than 2^32 rows: every row of a small table stands for 2^32 of them, so that each group has that many
//! times the rows and loses the same share.

mod support;

use std::path::Path;

use paretonym::data::{CountRequest, Counted, Distribution, Narrow, Source};
use paretonym::engine::{Engine, Unwatched, Watch};
use paretonym::error::Result;
use paretonym::front::{FrontFile, Solution};
use paretonym::settings::{OneOrMore, SearchSettings};
use proptest::prelude::*;
use support::{Memory, Sample, check, config, samples};

const TIMES: u64 = 1 << 32;

/// A table in memory whose rows count many times.
struct Many(Memory);

fn times(counts: &Narrow) -> Narrow {
    counts.iter().map(|count| count * TIMES).collect()
}

impl Engine for Many {
    fn read_text(&self, path: &Path) -> Result<String> {
        self.0.read_text(path)
    }

    fn columns(&self, source: &Source) -> Result<Vec<String>> {
        self.0.columns(source)
    }

    fn count(&self, source: &Source, request: &CountRequest, watch: &dyn Watch) -> Result<Counted> {
        let counted = self.0.count(source, request, watch)?;
        let many = |held: &Distribution| Distribution { counts: times(&held.counts), ..held.clone() };
        Ok(Counted {
            rows: counted.rows * TIMES,
            counts: times(&counted.counts),
            attributes: counted.attributes.iter().map(many).collect(),
            ..counted
        })
    }
}

fn explore(sample: &Sample, engine: &dyn Engine, search: SearchSettings) -> FrontFile {
    paretonym::study::run(&sample.study(search), engine, &Unwatched).unwrap().front
}

fn settings(problem: &str, privacy: &str, loss: &str, optimizer: &str, eta: f64) -> SearchSettings {
    SearchSettings {
        problem: problem.into(),
        privacy: OneOrMore::One(privacy.into()),
        loss: loss.into(),
        optimizer: optimizer.into(),
        eta,
        ..SearchSettings::default()
    }
}

#[test]
fn a_front_of_many_rows_is_that_of_few() {
    check(config(40), (samples(3, 1..=2), 0.0f64..0.5), |(sample, eta)| {
        for (privacy, loss) in [("k", "general"), ("k", "entropy"), ("t", "general"), ("frequency-l", "general")] {
            for optimizer in ["exact", "exhaustive"] {
                let own = || settings("max-suppression", privacy, loss, optimizer, eta);
                let few = explore(&sample, &sample.engine(), own());
                let many = explore(&sample, &Many(sample.engine()), own());
                prop_assert_eq!(many.rows, few.rows * TIMES);
                prop_assert_eq!(many.solutions.len(), few.solutions.len(), "{} {} {}", privacy, loss, optimizer);
                for (many, few) in many.solutions.iter().zip(&few.solutions) {
                    same(many, few)?;
                }
            }
        }
        Ok(())
    });
}

fn same(many: &Solution, few: &Solution) -> std::result::Result<(), TestCaseError> {
    prop_assert_eq!(&many.recoding, &few.recoding);
    prop_assert_eq!(many.k, few.k * TIMES);
    prop_assert_eq!(many.suppressed, few.suppressed.map(|rows| rows * TIMES));
    prop_assert_eq!(many.groups, few.groups);
    prop_assert_eq!(many.one_valued, few.one_valued * TIMES);
    let near = |many: f64, few: f64| (many - few).abs() <= 1e-9 * few.abs().max(1.0);
    prop_assert!(near(many.loss, few.loss) && near(many.gl, few.gl) && near(many.sl, few.sl));
    prop_assert!(near(many.l.unwrap_or_default(), few.l.unwrap_or_default()));
    prop_assert!(near(many.t.unwrap_or_default(), few.t.unwrap_or_default()));
    prop_assert!(near(many.weighted_k / TIMES as f64, few.weighted_k));
    Ok(())
}

#[test]
fn other_searches_count_as_far() {
    check(config(12), samples(3, 0..=1), |sample| {
        for optimizer in ["regions", "nsga2", "mondrian"] {
            let front = explore(
                &sample,
                &Many(sample.engine()),
                SearchSettings {
                    evaluations: (optimizer == "nsga2").then_some(200),
                    ..settings("max-suppression", "k", "general", optimizer, 0.2)
                },
            );
            prop_assert!(!front.solutions.is_empty());
            for solution in &front.solutions {
                prop_assert!(solution.k > 0 && solution.k <= front.rows && solution.k % TIMES == 0, "{}", solution.k);
                let gone = solution.suppressed.unwrap_or_default();
                prop_assert!(gone as f64 <= 0.2 * front.rows as f64 && gone % TIMES == 0, "{gone}");
                prop_assert!((0.0..=1.0).contains(&solution.loss), "{}", solution.loss);
            }
        }
        Ok(())
    });
}
