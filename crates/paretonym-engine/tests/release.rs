//! For random tables, studies and solutions: a naive count of the released file gives the k, l, t, row count and loss
//! that were claimed. Nothing here uses the library's groups; labels are read as a stranger would read them.

use std::collections::BTreeMap;
use std::path::Path;

use paretonym::engine::Unwatched;
use paretonym::front::{Entry, FORMAT, FrontFile, Outcome};
use paretonym::group::Grouping;
use paretonym::recode::{BreakBits, ColumnRecoding, QuasiColumn, Recoding};
use paretonym::release::Shown;
use paretonym::search::Evaluator;
use paretonym::study::{Study, count, describe};
use paretonym::{catalog, release::Certificate};
use paretonym_engine::Embedded;
use paretonym_engine::release::{ReleaseOptions, release};
use proptest::prelude::*;

const JOBS: [&str; 6] = ["nurse", "doctor", "clerk", "judge", "cook", "none"];
/// Two inner nodes; cook and none stay alone until the top.
const JOB_TREE: &str = "nurse;care;*\ndoctor;care;*\nclerk;office;*\njudge;office;*\ncook;cook;*\nnone;none;*\n";
const SCHOOLS: [&str; 5] = ["none", "primary", "middle", "high", "university"];
const DISEASES: [&str; 4] = ["flu", "cold", "gout", "asthma, \"bad\""];

/// One person: age, job, school, disease.
type Person = (u8, usize, usize, usize);

#[derive(Clone, Debug)]
struct Case {
    people: Vec<Person>,
    /// How each column may be recoded.
    families: [&'static str; 3],
    problem: &'static str,
    privacy: &'static str,
    eta: f64,
    /// Chooses recoding and outcome.
    choice: u64,
    stars: bool,
    median: bool,
    format: &'static str,
}

fn cases() -> impl Strategy<Value = Case> {
    let person = (0u8..40, 0..JOBS.len(), 0..SCHOOLS.len(), 0..DISEASES.len());
    let problem = prop_oneof![Just("max-suppression"), Just("zero-suppression"), Just("any-suppression")];
    let privacy = prop_oneof![Just("k"), Just("frequency-l"), Just("distinct-l"), Just("entropy-l"), Just("t")];
    (
        prop::collection::vec(person, 4..60),
        (
            prop_oneof![Just("levels"), Just("breaks")],
            prop_oneof![Just("levels"), Just("cuts")],
            prop_oneof![Just("levels"), Just("breaks")],
        ),
        problem,
        privacy,
        prop_oneof![Just(0.0), Just(0.1), Just(0.4)],
        any::<u64>(),
        any::<bool>(),
        any::<bool>(),
        prop_oneof![Just("csv"), Just("tsv")],
    )
        .prop_map(|(people, (age, job, school), problem, privacy, eta, choice, stars, median, format)| Case {
            people,
            families: [age, job, school],
            problem,
            privacy,
            eta,
            choice,
            stars,
            median,
            format,
        })
}

fn study(case: &Case, folder: &Path) -> Study {
    let mut text = "who,age,job,school,disease\n".to_owned();
    for (row, (age, job, school, disease)) in case.people.iter().enumerate() {
        let disease = DISEASES[*disease].replace('"', "\"\"");
        text += &format!("p{row},{age},{},{},\"{disease}\"\n", JOBS[*job], SCHOOLS[*school]);
    }
    std::fs::write(folder.join("in.csv"), text).unwrap();
    std::fs::write(folder.join("job.csv"), JOB_TREE).unwrap();
    let [age, job, school] = case.families;
    let groups = if age == "levels" { "groups = [2, 4]\n" } else { "" };
    let study = format!(
        "[data]\npath = \"in.csv\"\n\
         [[columns]]\nname = \"who\"\nrole = \"identifying\"\n\
         [[columns]]\nname = \"age\"\nrole = \"quasi\"\nrange = [0, 40]\ngranularity = 5\nrecode = {age:?}\n{groups}\
         [[columns]]\nname = \"job\"\nrole = \"quasi\"\ntaxonomy = \"job.csv\"\nrecode = {job:?}\n\
         [[columns]]\nname = \"school\"\nrole = \"quasi\"\norder = {SCHOOLS:?}\nrecode = {school:?}\n\
         [[columns]]\nname = \"disease\"\nrole = \"sensitive\"\n\
         [search]\nproblem = {:?}\nprivacy = {:?}\neta = {}\n",
        case.problem, case.privacy, case.eta
    );
    let mut study = Study::from_toml(&study, "study.toml").unwrap();
    study.resolve(folder);
    study
}

/// Numbers from a number, enough for a few choices.
struct Choice(u64);

impl Choice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % count as u64) as usize
    }
}

fn recoding(column: &QuasiColumn, choice: &mut Choice) -> ColumnRecoding {
    match column.family.name() {
        "levels" => ColumnRecoding::Level(choice.below(column.hierarchy.height() + 1) as u32),
        "breaks" => {
            ColumnRecoding::Breaks(BreakBits::from_flags((1..column.domain.len()).map(|_| choice.below(2) == 0)))
        }
        _ => {
            let nodes = column.hierarchy.nodes();
            let (mut open, mut shown) = (vec![0u32], Vec::new());
            while let Some(node) = open.pop() {
                let children = &nodes[node as usize].children;
                if children.is_empty() || choice.below(2) == 0 {
                    shown.push(node);
                } else {
                    open.extend(children.iter().rev());
                }
            }
            ColumnRecoding::Cut(shown)
        }
    }
}

/// A front of one solution: a random recoding at a random cut-off.
fn front(case: &Case, study: &Study) -> FrontFile {
    let table = count(study, &Embedded, &Unwatched).unwrap();
    let problem = catalog::problem(&study.search, &table).unwrap();
    let mut choice = Choice(case.choice);
    let recoding = Recoding { columns: table.columns.iter().map(|column| recoding(column, &mut choice)).collect() };
    let mut evaluator = Evaluator::new(&table, problem.as_ref());
    let mut grouping = Grouping::default();
    evaluator.group(&table.tuples, &recoding, &mut grouping);
    let mut outcomes: Vec<Outcome> = Vec::new();
    evaluator.judge(&grouping, &mut |outcome| outcomes.push(outcome));
    let Outcome { point, cutoff } = outcomes[choice.below(outcomes.len())];
    let entry = Entry { point, cutoff, recoding, alternatives: 0 };
    FrontFile {
        format: FORMAT.to_owned(),
        problem: problem.name().to_owned(),
        optimizer: "exhaustive".to_owned(),
        privacy: problem.models().iter().map(|model| model.name()).collect(),
        loss: problem.loss().name(),
        eta: None,
        cutoffs: None,
        rows: table.rows,
        dropped: table.dropped,
        distinct: table.tuples.len() as u64,
        evaluated: 1,
        space: None,
        exact: false,
        complete: true,
        seed: 1,
        seconds: 0.0,
        notes: Vec::new(),
        objectives: problem.objectives(),
        solutions: describe(&table, problem.as_ref(), &[entry]).unwrap(),
    }
}

/// How many values a label covers, and how many there are.
fn covered(column: usize, label: &str) -> (f64, f64) {
    let domain = [8.0, 6.0, 5.0][column];
    if label == "*" {
        return (domain, domain);
    }
    let size = match column {
        // An interval of 5-year bins.
        0 => {
            let ends: Vec<f64> = label.trim_matches(['[', ')']).split(", ").map(|end| end.parse().unwrap()).collect();
            (ends[1] - ends[0]) / 5.0
        }
        _ if label.starts_with('{') => label.split(", ").count() as f64,
        1 if label == "care" || label == "office" => 2.0,
        _ => 1.0,
    };
    (size, domain)
}

fn check(case: &Case) {
    let folder = tempfile::tempdir().unwrap();
    let study = study(case, folder.path());
    let front = front(case, &study);
    let solution = &front.solutions[0];
    let out = folder.path().join("out").with_extension(case.format);
    let options = ReleaseOptions {
        stars: case.stars,
        shown: if case.median { Shown::Median } else { Shown::Labels },
        ..ReleaseOptions::default()
    };
    let released = match release(&study, &front, None, 1, &out, &options, &Unwatched) {
        Ok(released) => released,
        // Rows of stars beside groups of stars, or nothing left at all: refused, and nothing is written.
        Err(error) => {
            assert!(error.to_string().contains("only stars") || solution.groups == 0, "{error}");
            assert!(!out.exists());
            return;
        }
    };
    let certificate: Certificate = released.certificate;

    let delimiter = if case.format == "csv" { b',' } else { b'\t' };
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_path(&out).unwrap();
    assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), ["age", "job", "school", "disease"]);
    let rows: Vec<Vec<String>> = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    let star = |row: &&Vec<String>| case.stars && row[..3].iter().all(|cell| cell == "*");
    let stars = rows.iter().filter(star).count();
    let kept: Vec<&Vec<String>> = rows.iter().filter(|row| !star(row)).collect();
    let all = case.people.len();
    assert_eq!(kept.len() as u64, all as u64 - solution.suppressed);
    assert_eq!(stars as u64, if case.stars { solution.suppressed } else { 0 });
    assert_eq!(certificate.output.rows, rows.len() as u64);

    // Which numbers stand for which intervals is in the recoding.
    let numbers: BTreeMap<String, String> = {
        let text = std::fs::read_to_string(format!("{}.recoding.json", out.display())).unwrap();
        let saved: serde_json::Value = serde_json::from_str(&text).unwrap();
        let sets = saved["columns"][0]["sets"].as_array().unwrap().iter();
        let pairs =
            sets.filter_map(|set| Some((set["median"].as_f64()?.to_string(), set["label"].as_str()?.to_owned())));
        pairs.collect()
    };
    let mut groups: BTreeMap<&[String], Vec<&str>> = BTreeMap::new();
    let mut lost = 0.0;
    for row in &kept {
        groups.entry(&row[..3]).or_default().push(&row[3]);
        for (column, cell) in row[..3].iter().enumerate() {
            let label = if column == 0 && case.median { &numbers[cell] } else { cell };
            let (size, domain) = covered(column, label);
            lost += (size - 1.0) / (domain - 1.0);
        }
    }
    let close = |claimed: f64, found: f64| assert!((claimed - found).abs() < 1e-9, "claimed {claimed}, found {found}");
    assert_eq!(groups.len() as u64, solution.groups);
    assert_eq!(groups.values().map(Vec::len).min(), Some(solution.k as usize));
    assert_eq!(certificate.k, solution.k);
    close(solution.gl, lost / (3.0 * all as f64));
    close(certificate.gl, lost / (3.0 * all as f64));

    let shares = |values: &[&str]| -> Vec<f64> {
        let share = |name: &&str| values.iter().filter(|value| *value == name).count() as f64 / values.len() as f64;
        DISEASES.iter().map(share).collect()
    };
    let original: Vec<&str> = case.people.iter().map(|person| DISEASES[person.3]).collect();
    let reference = shares(&original);
    let (mut l, mut t) = (f64::INFINITY, 0.0f64);
    for values in groups.values() {
        let own = shares(values);
        let most = own.iter().copied().fold(0.0, f64::max);
        l = l.min(match case.privacy {
            "distinct-l" => own.iter().filter(|share| **share > 0.0).count() as f64,
            "entropy-l" => own.iter().filter(|share| **share > 0.0).map(|share| -share * share.ln()).sum::<f64>().exp(),
            _ => (1.0 / most + 1e-9).floor(),
        });
        t = t.max(own.iter().zip(&reference).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0);
    }
    close(solution.l.unwrap(), l);
    close(solution.t.unwrap(), t);
    close(certificate.t.unwrap()["disease"], t);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_release_holds_what_it_claims(case in cases()) {
        check(&case);
    }
}
