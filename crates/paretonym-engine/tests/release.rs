//! For random tables, studies and solutions: a naive count of the released file gives the k, l, t, row count and loss
//! that were claimed. Nothing here uses the library's groups; labels are read as a stranger would read them.

mod recount;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use paretonym::engine::Unwatched;
use paretonym::front::{FORMAT, FrontEntry, FrontFile, Outcome, Solution};
use paretonym::group::Grouping;
use paretonym::recode::{BreakBits, ColumnRecoding, QuasiColumn, Recoding, Regions};
use paretonym::release::{AppliedSolution, PublicRecoding, ReleaseTable, Shown, plan};
use paretonym::search::{Evaluator, FoundRecoding};
use paretonym::study::{Study, count, describe, run};
use paretonym::{catalog, release::Certificate};
use paretonym_engine::folder::{OpenRun, keep};
use paretonym_engine::release::private::PrivatePart;
use paretonym_engine::release::{ReleaseOptions, recoding_beside, release};
use paretonym_engine::{Embedded, read_columns};
use parquet::arrow::ArrowWriter;
use proptest::prelude::*;
use recount::{DISEASES, Recount, SCHOOLS};

const JOBS: [&str; 6] = ["nurse", "doctor", "clerk", "judge", "cook", "none"];
/// Two inner nodes; cook and none stay alone until the top.
const JOB_TREE: &str = "nurse;care;*\ndoctor;care;*\nclerk;office;*\njudge;office;*\ncook;cook;*\nnone;none;*\n";

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
    /// Lines of the study that say what every solution must reach.
    floors: &'static str,
    /// Table-wide recodings are drawn at random; local ones come from a search.
    optimizer: &'static str,
    cells: &'static str,
    /// Chooses recoding and outcome.
    choice: u64,
    stars: bool,
    median: bool,
    input: &'static str,
    format: &'static str,
}

fn cases() -> impl Strategy<Value = Case> {
    let person = (0u8..40, 0..JOBS.len(), 0..SCHOOLS.len(), 0..DISEASES.len());
    let problem = prop_oneof![
        4 => Just("max-suppression"),
        2 => Just("zero-suppression"),
        2 => Just("any-suppression"),
        2 => Just("kl-safety"),
        1 => Just("preference"),
        1 => Just("single"),
    ];
    let privacy = prop_oneof![Just("k"), Just("frequency-l"), Just("distinct-l"), Just("entropy-l"), Just("t")];
    let floors = prop_oneof![
        6 => Just(""),
        1 => Just("at_least = { k = 2 }\n"),
        1 => Just("at_least = { frequency-l = 2 }\n"),
        1 => Just("at_most = { t = 0.6 }\n"),
        1 => Just("at_least = { k = 3, distinct-l = 2 }\nat_most = { t = 0.8 }\n"),
    ];
    let optimizer = prop_oneof![
        4 => Just("exhaustive"),
        4 => Just("regions"),
        1 => Just("mondrian(k=3)"),
        1 => Just("mondrian(k=3, form=relaxed)"),
    ];
    (
        prop::collection::vec(person, 4..60),
        (
            prop_oneof![Just("levels"), Just("breaks")],
            prop_oneof![Just("levels"), Just("cuts")],
            prop_oneof![Just("levels"), Just("breaks")],
        ),
        (problem, privacy),
        (prop_oneof![Just(0.0), Just(0.1), Just(0.4)], floors),
        (optimizer, prop_oneof![Just("sets"), Just("nodes")]),
        any::<u64>(),
        any::<bool>(),
        any::<bool>(),
        (prop_oneof![Just("csv"), Just("parquet")], prop_oneof![Just("csv"), Just("tsv"), Just("parquet")]),
    )
        .prop_map(
            |(people, families, search, (eta, floors), (optimizer, cells), choice, stars, median, (input, format))| {
                Case {
                    people,
                    families: families.into(),
                    problem: search.0,
                    privacy: search.1,
                    eta,
                    floors,
                    optimizer,
                    cells,
                    choice,
                    stars,
                    median,
                    input,
                    format,
                }
            },
        )
}

/// Writes the table as Parquet, ages as numbers.
fn write_parquet(people: &[Person], path: &Path) {
    let texts = |text: &dyn Fn(&Person) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(people.iter().map(text)))
    };
    let who: ArrayRef = Arc::new(StringArray::from_iter_values((0..people.len()).map(|row| format!("p{row}"))));
    let age: ArrayRef = Arc::new(Int64Array::from_iter_values(people.iter().map(|person| i64::from(person.0))));
    let columns = [
        ("who", who),
        ("age", age),
        ("job", texts(&|person| JOBS[person.1].to_owned())),
        ("school", texts(&|person| SCHOOLS[person.2].to_owned())),
        ("disease", texts(&|person| DISEASES[person.3].to_owned())),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn study(case: &Case, folder: &Path) -> Study {
    let mut text = "who,age,job,school,disease\n".to_owned();
    for (row, (age, job, school, disease)) in case.people.iter().enumerate() {
        let disease = DISEASES[*disease].replace('"', "\"\"");
        text += &format!("p{row},{age},{},{},\"{disease}\"\n", JOBS[*job], SCHOOLS[*school]);
    }
    match case.input {
        "csv" => std::fs::write(folder.join("in.csv"), text).unwrap(),
        _ => write_parquet(&case.people, &folder.join("in.parquet")),
    }
    std::fs::write(folder.join("job.csv"), JOB_TREE).unwrap();
    let [age, job, school] = case.families;
    let groups = if age == "levels" { "groups = [2, 4]\n" } else { "" };
    let privacy = match case.problem {
        "kl-safety" if case.privacy != "k" => format!("[\"k\", {:?}]", case.privacy),
        // These fix or wish for a least level, and t is better the less it is.
        "single" | "preference" if case.privacy == "t" => "\"k\"".to_owned(),
        _ => format!("{:?}", case.privacy),
    };
    let study = format!(
        "[data]\npath = \"in.{}\"\n\
         [[columns]]\nname = \"who\"\nrole = \"identifying\"\n\
         [[columns]]\nname = \"age\"\nrole = \"quasi\"\nrange = [0, 40]\ngranularity = 5\nrecode = {age:?}\n{groups}\
         [[columns]]\nname = \"job\"\nrole = \"quasi\"\ntaxonomy = \"job.csv\"\nrecode = {job:?}\n\
         [[columns]]\nname = \"school\"\nrole = \"quasi\"\norder = {SCHOOLS:?}\nrecode = {school:?}\n\
         [[columns]]\nname = \"disease\"\nrole = \"sensitive\"\n\
         [search]\nproblem = {:?}\nprivacy = {privacy}\neta = {}\noptimizer = {:?}\ncells = {:?}\nk = 2\n{}",
        case.input, case.problem, case.eta, case.optimizer, case.cells, case.floors
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

/// A front and one of its solutions; none where there is no recoding at all.
fn front(case: &Case, study: &Study) -> Option<(FrontFile, Option<Regions>, u32)> {
    if case.optimizer == "exhaustive" {
        return random_front(case, study).map(|front| (front, None, 1));
    }
    match run(study, &Embedded, &Unwatched) {
        Ok(found) => {
            let solution = Choice(case.choice).below(found.front.solutions.len()) as u32 + 1;
            Some((found.front, found.regions, solution))
        }
        Err(error) => {
            assert!(error.to_string().contains("no recoding"), "{error}");
            None
        }
    }
}

/// A front of one solution: a random recoding at a random cut-off.
fn random_front(case: &Case, study: &Study) -> Option<FrontFile> {
    let table = count(study, &Embedded, &Unwatched).unwrap();
    let problem = catalog::problem(&study.search, &table).unwrap();
    let mut choice = Choice(case.choice);
    let recoding = Recoding { columns: table.columns.iter().map(|column| recoding(column, &mut choice)).collect() };
    let mut evaluator = Evaluator::new(&table, problem.as_ref());
    let mut grouping = Grouping::default();
    evaluator.group(&table.tuples, &recoding, &mut grouping);
    let mut outcomes: Vec<Outcome> = Vec::new();
    evaluator.judge(&grouping, &mut |outcome| outcomes.push(outcome));
    if outcomes.is_empty() {
        return None;
    }
    let Outcome { point, cutoff } = outcomes[choice.below(outcomes.len())];
    let entry = FrontEntry { point, cutoff, recoding: FoundRecoding::TableWide(recoding), alternatives: 0 };
    Some(FrontFile {
        format: FORMAT.to_owned(),
        problem: problem.name().to_owned(),
        optimizer: "exhaustive".to_owned(),
        privacy: problem.models().iter().map(|model| model.name()).collect(),
        loss: problem.loss().name(),
        eta: None,
        cutoffs: None,
        at_least: study.search.at_least.clone(),
        at_most: study.search.at_most.clone(),
        rows: table.rows,
        dropped: table.dropped,
        distinct: table.tuples.len() as u64,
        evaluated: 1,
        space: None,
        exact: false,
        complete: true,
        seed: 1,
        seconds: 0.0,
        moved: None,
        notes: Vec::new(),
        warnings: Vec::new(),
        objectives: problem.objectives(),
        solutions: describe(&table, problem.as_ref(), &[entry]).unwrap(),
    })
}

fn check(case: &Case) {
    let folder = tempfile::tempdir().unwrap();
    let study = study(case, folder.path());
    let Some((front, regions, id)) = front(case, &study) else { return };
    let solution = &front.solutions[id as usize - 1];
    let out = folder.path().join("out").with_extension(case.format);
    let options = ReleaseOptions {
        stars: case.stars,
        shown: if case.median { Shown::Median } else { Shown::Labels },
        allow_k1: true,
        ..ReleaseOptions::default()
    };
    let run = folder.path().join("front");
    keep(&run, &study, &front, regions.as_ref()).unwrap();
    let run = OpenRun::open(&run).unwrap();
    match release(&run, id, &out, &options, &Unwatched) {
        Ok(released) => {
            let recount = Recount::of(&out, case.format, case.stars, case.median);
            check_groups(case, &recount, solution, &released.exact);
            check_protection(case, &recount, solution, &released.exact, &released.certificate);
            check_row_keys(case, &recount, &out, &run, solution);
        }
        // Rows of stars beside groups of stars, medians that join groups of overlapping regions, or nothing left at all:
        // refused, and nothing is written.
        Err(error) => {
            let joined = error.to_string().contains("same median") && regions.is_some() && case.median;
            assert!(error.to_string().contains("only stars") || solution.groups == 0 || joined, "{error}");
            assert!(!out.exists());
        }
    }
}

fn close(claimed: f64, found: f64) {
    assert!((claimed - found).abs() < 1e-9, "claimed {claimed}, found {found}");
}

/// Rows, groups and loss.
fn check_groups(case: &Case, recount: &Recount, solution: &Solution, certificate: &Certificate) {
    let all = case.people.len();
    let kept = recount.kept().count();
    assert_eq!(kept as u64, all as u64 - solution.suppressed.unwrap());
    assert_eq!((recount.rows.len() - kept) as u64, if case.stars { solution.suppressed.unwrap() } else { 0 });
    assert_eq!(certificate.output.rows, recount.rows.len() as u64);

    let groups = recount.groups();
    assert_eq!(groups.len() as u64, solution.groups);
    assert_eq!(groups.values().map(Vec::len).min(), Some(solution.k as usize));
    assert_eq!(certificate.k, solution.k);
    let lost = recount.lost() / (3.0 * all as f64);
    close(solution.gl, lost);
    close(certificate.gl, lost);
}

/// What protects the diseases, and what everybody is told of it.
fn check_protection(
    case: &Case,
    recount: &Recount,
    solution: &Solution,
    certificate: &Certificate,
    public: &Certificate,
) {
    let original: Vec<&str> = case.people.iter().map(|person| DISEASES[person.3]).collect();
    let (l, t) = recount.l_and_t(case.privacy, &original);
    close(solution.l.unwrap(), l);
    close(solution.t.unwrap(), t);
    // No group that is in the file misses a floor of the study.
    let frequency = recount.l_and_t("frequency-l", &original).0;
    let distinct = recount.l_and_t("distinct-l", &original).0;
    let smallest = recount.groups().values().map(Vec::len).min().unwrap();
    assert!(!case.floors.contains("k = 2") || smallest >= 2);
    assert!(!case.floors.contains("frequency-l = 2") || frequency >= 2.0);
    assert!(!case.floors.contains("k = 3") || (smallest >= 3 && distinct >= 2.0));
    assert!(!case.floors.contains("t = 0.6") || t <= 0.6 + 1e-9);
    assert!(!case.floors.contains("t = 0.8") || t <= 0.8 + 1e-9);
    close(certificate.t.as_ref().unwrap()["disease"], t);
    // What everybody is told is never better than the truth.
    let told = public.t.as_ref().unwrap()["disease"];
    assert!(told >= t - 1e-9 && told < t + 0.01 + 1e-9, "{told} for {t}");
    assert!(public.gl >= certificate.gl - 1e-9 && public.sl >= certificate.sl - 1e-9);
}

/// Which row of the table each row of the release is: kept cells are those of that row.
fn check_row_keys(case: &Case, recount: &Recount, out: &Path, run: &OpenRun, solution: &Solution) {
    let id = PublicRecoding::id_in(&std::fs::read_to_string(recoding_beside(out)).unwrap(), "x").unwrap().unwrap();
    let numbers = PrivatePart::find(&id, out, Some(&run.dir)).unwrap().rows().unwrap();
    assert_eq!(numbers.len(), recount.rows.len());
    for (row, number) in recount.rows.iter().zip(&numbers).filter(|(row, _)| !recount.is_star(row)) {
        assert_eq!(row[3], DISEASES[case.people[*number as usize].3]);
    }
    check_shown_rows(case, recount, &numbers, run, solution);
}

/// What is shown of rows without a release is what the release shows of them.
fn check_shown_rows(case: &Case, recount: &Recount, numbers: &[u64], run: &OpenRun, solution: &Solution) {
    let names = ["age", "job", "school", "disease"].map(str::to_owned);
    let table = run.count(&Unwatched).unwrap();
    let applied = AppliedSolution::new(&run.study, &table, &run.front, run.regions.as_ref(), solution.id).unwrap();
    let (cells, present) = applied.rows(&read_columns(&run.study.data, &names, &Unwatched).unwrap()).unwrap();
    let kept = recount.rows.iter().zip(numbers).filter(|(row, _)| !recount.is_star(row));
    assert_eq!(present.iter().filter(|shown| **shown).count(), kept.clone().count());
    for (row, number) in kept {
        assert!(present[*number as usize]);
        let shown = cells.iter().map(|column| &column.texts[column.codes[*number as usize] as usize]);
        // The boxes of a local recoding may be called by fewer values in a release, and numbers by their medians.
        if run.regions.is_none() && !case.median {
            assert!(shown.eq(&row[..3]), "{row:?}");
        }
    }
}

/// Whether groups or tuples were counted makes no difference.
fn check_counts(case: &Case) {
    let case = Case { optimizer: "exhaustive", ..case.clone() };
    let folder = tempfile::tempdir().unwrap();
    let study = study(&case, folder.path());
    let Some((front, ..)) = front(&case, &study) else { return };
    let solution = &front.solutions[0];
    let shown = if case.median { Shown::Median } else { Shown::Labels };
    let made = |counted: &ReleaseTable| plan(&study, counted, &front, solution, None, shown).unwrap();
    let tuples = made(&ReleaseTable::of_tuples(&study, &Embedded, &Unwatched).unwrap());
    let groups = made(&ReleaseTable::of_groups(&study, solution, false, &Embedded, &Unwatched).unwrap().unwrap());
    assert_eq!(tuples.saved, groups.saved);
    // Labels need no plan.
    let table = count(&study, &Embedded, &Unwatched).unwrap();
    let labels =
        AppliedSolution::new(&study, &table, &front, None, solution.id).unwrap().set_labels().unwrap().unwrap();
    let planned = tuples.saved.columns.iter().map(|column| column.sets.iter().map(|set| &set.label));
    assert!(labels.iter().zip(planned).all(|(own, planned)| own.iter().eq(planned)), "{labels:?}");
    for tuple in 0..table.tuples.len() {
        let leaves: Vec<u32> = (0..3).map(|column| table.leaf(&table.tuples, tuple, column)).collect();
        assert_eq!(table.position(&leaves), Some(tuple));
    }
    assert_eq!(table.position(&[u32::MAX >> 12; 3]), None);
    assert_eq!(tuples.claim, groups.claim);
    assert_eq!(tuples.kept.len(), groups.kept.len());
    assert_eq!(tuples.losses.keys().collect::<Vec<_>>(), groups.losses.keys().collect::<Vec<_>>());
    for (name, loss) in &tuples.losses {
        assert!((loss - groups.losses[name]).abs() < 1e-9, "{name}: {loss} and {}", groups.losses[name]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_release_holds_what_it_claims(case in cases()) {
        check(&case);
    }

    #[test]
    fn counting_groups_is_counting_tuples(case in cases()) {
        check_counts(&case);
    }
}
