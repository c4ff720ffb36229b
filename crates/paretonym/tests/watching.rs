//! Whoever watches a search sees its front grow, and changes nothing by looking.

mod support;

use std::sync::Mutex;

use paretonym::data::{Kind, Role};
use paretonym::engine::{Glimpse, Unwatched, Watch};
use paretonym::recode::Family;
use paretonym::settings::SearchSettings;
use paretonym::study::{ColumnSpec, Generated, Study, run};
use support::{Memory, study};

/// Looks whenever it may.
#[derive(Default)]
struct Curious(Mutex<Vec<Glimpse>>);

impl Watch for Curious {
    fn front(&self, look: &dyn Fn() -> Glimpse) {
        self.0.lock().unwrap().push(look());
    }
}

fn table() -> Memory {
    let rows = (0..400u32).map(|row| {
        let mixed = row.wrapping_mul(2_654_435_761) >> 9;
        vec![
            (mixed % 30).to_string(),
            (100 + mixed / 7 % 25).to_string(),
            ["x", "y"][(mixed / 3 % 2) as usize].to_owned(),
        ]
    });
    Memory::new(["age", "zip", "sex"], rows)
}

fn study_by(optimizer: &str) -> Study {
    let mut age = ColumnSpec::new("age", Role::Quasi);
    (age.kind, age.widths) = (Some(Kind::Numeric), Some(vec![5.0, 10.0]));
    let mut zip = ColumnSpec::new("zip", Role::Quasi);
    zip.hierarchy = Some(Generated::Prefix);
    let mut search = SearchSettings { optimizer: optimizer.into(), eta: 0.05, ..SearchSettings::default() };
    if matches!(optimizer, "nsga2" | "genitor") {
        // More recodings than one population holds.
        (age.recode, age.widths, search.evaluations) = (Some(Family::Breaks), None, Some(5_000));
    }
    if optimizer == "genitor" {
        search.problem = "single".into();
        search.set("k", 5);
    }
    study(vec![age, zip, ColumnSpec::new("sex", Role::Quasi)], search)
}

#[test]
fn looking_changes_nothing() {
    for optimizer in ["exhaustive", "exact", "poka", "nsga2", "genitor"] {
        let (study, table) = (study_by(optimizer), table());
        let curious = Curious::default();
        let watched = run(&study, &table, &curious).unwrap();
        let alone = run(&study, &table, &Unwatched).unwrap();
        assert_eq!(watched.front.solutions, alone.front.solutions, "{optimizer}");
        assert_eq!(watched.front.evaluated, alone.front.evaluated, "{optimizer}");

        let glimpses = curious.0.into_inner().unwrap();
        assert!(!glimpses.is_empty(), "{optimizer}");
        let names: Vec<&str> = watched.front.objectives.iter().map(|own| own.name.as_str()).collect();
        for glimpse in &glimpses {
            assert_eq!(glimpse.objectives.iter().map(|own| own.0.as_str()).collect::<Vec<_>>(), names);
            assert!(glimpse.hypervolume.is_none_or(|volume| (0.0..=1.0).contains(&volume)));
            // Whatever was seen is in the front, or something better is.
            for point in &glimpse.points {
                let reached = watched.front.solutions.iter().any(|solution| {
                    let pairs = solution.objectives.iter().zip(point).zip(&glimpse.objectives);
                    pairs.into_iter().all(|((end, seen), (_, larger))| if *larger { end >= seen } else { end <= seen })
                });
                assert!(reached, "{optimizer}: {point:?}");
            }
        }
        if let Some(last) = glimpses.iter().rfind(|glimpse| glimpse.whole) {
            assert!(last.evaluated <= Some(watched.front.evaluated), "{optimizer}");
            assert!(glimpses.windows(2).all(|pair| pair[0].evaluated <= pair[1].evaluated), "{optimizer}");
        }
    }
}

/// Stops when the solutions are being described, and makes that last.
#[derive(Default)]
struct Impatient {
    describing: std::sync::atomic::AtomicBool,
}

impl Watch for Impatient {
    fn phase(&self, name: &str, _steps: Option<u64>) {
        self.describing.store(name.starts_with("describing"), std::sync::atomic::Ordering::SeqCst);
    }

    fn advance(&self, _steps: u64) {
        if self.cancelled() {
            // Longer than whoever describes waits after a stop.
            std::thread::sleep(std::time::Duration::from_millis(800));
        }
    }

    fn cancelled(&self) -> bool {
        self.describing.load(std::sync::atomic::Ordering::SeqCst)
    }
}

#[test]
fn a_stop_while_solutions_are_described_keeps_the_front() {
    for optimizer in ["exact", "regions"] {
        let (mut study, table) = (study_by(optimizer), table());
        study.search.eta = 0.3;
        let whole = run(&study, &table, &Unwatched).unwrap().front;
        assert!(whole.solutions.len() > 8 && whole.solutions.iter().all(|own| own.described), "{optimizer}");
        let mut kept = None;
        let stopped = paretonym::study::run_keeping(&study, &table, &Impatient::default(), &mut |front, regions| {
            assert_eq!(regions.is_some(), optimizer == "regions");
            kept = Some(front.clone());
            Ok(())
        });
        let (stopped, kept) = (stopped.unwrap().front, kept.expect("it is shown before it is described"));
        assert!(kept.solutions.iter().all(|own| !own.described));
        let described = stopped.solutions.iter().filter(|own| own.described).count();
        assert!(described > 0 && described < whole.solutions.len(), "{optimizer}: {described}");
        assert!(stopped.notes.iter().any(|note| note.contains("were measured")), "{:?}", stopped.notes);
        assert_eq!(stopped.exact, whole.exact, "what was found is as good as it was");
        for ((own, first), full) in stopped.solutions.iter().zip(&kept.solutions).zip(&whole.solutions) {
            assert_eq!((own.id, &own.objectives, own.k), (full.id, &full.objectives, full.k), "{optimizer}");
            assert_eq!((&first.recoding, first.cutoff, first.loss), (&full.recoding, full.cutoff, full.loss));
            assert!(!own.described || own == full);
        }
        let limits = paretonym::front::Limits { max_loss: Some(0.5), ..Default::default() };
        let ids =
            |front| paretonym::front::choose(front, &limits).unwrap().best.iter().map(|own| own.id).collect::<Vec<_>>();
        assert_eq!(ids(&stopped), ids(&whole), "{optimizer}");
    }
}
