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
    Memory::new(["age", "zip", "sex"].map(String::from).to_vec(), rows.collect())
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
        (search.problem, search.k) = ("single".into(), Some(5));
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
