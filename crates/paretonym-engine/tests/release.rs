//! For random tables, studies and solutions: a naive count of the released file gives the k, l, t, row count and loss
//! that were claimed. Nothing here uses the library's groups; labels are read as a stranger would read them.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use paretonym::engine::Unwatched;
use paretonym::front::{FORMAT, FrontEntry, FrontFile, Outcome};
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
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
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
        prop_oneof![Just(0.0), Just(0.1), Just(0.4)],
        (optimizer, prop_oneof![Just("sets"), Just("nodes")]),
        any::<u64>(),
        any::<bool>(),
        any::<bool>(),
        (prop_oneof![Just("csv"), Just("parquet")], prop_oneof![Just("csv"), Just("tsv"), Just("parquet")]),
    )
        .prop_map(|(people, families, search, eta, (optimizer, cells), choice, stars, median, (input, format))| {
            Case {
                people,
                families: families.into(),
                problem: search.0,
                privacy: search.1,
                eta,
                optimizer,
                cells,
                choice,
                stars,
                median,
                input,
                format,
            }
        })
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

/// The names and the rows of a release; a null of Parquet is an empty cell.
fn read(path: &Path, format: &str) -> (Vec<String>, Vec<Vec<String>>) {
    if format == "parquet" {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
        let names = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
        let mut rows = Vec::new();
        for batch in reader.build().unwrap() {
            let batch = batch.unwrap();
            let texts: Vec<StringArray> = batch
                .columns()
                .iter()
                .map(|column| cast(column, &DataType::Utf8).unwrap().as_string::<i32>().clone())
                .collect();
            let cell =
                |texts: &StringArray, row: usize| if texts.is_null(row) { "" } else { texts.value(row) }.to_owned();
            rows.extend((0..batch.num_rows()).map(|row| texts.iter().map(|texts| cell(texts, row)).collect()));
        }
        return (names, rows);
    }
    let delimiter = if format == "csv" { b',' } else { b'\t' };
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_path(path).unwrap();
    let names = reader.headers().unwrap().iter().map(str::to_owned).collect();
    (names, reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect())
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
         [search]\nproblem = {:?}\nprivacy = {privacy}\neta = {}\noptimizer = {:?}\ncells = {:?}\nk = 2\n",
        case.input, case.problem, case.eta, case.optimizer, case.cells
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
        warnings: Vec::new(),
        objectives: problem.objectives(),
        solutions: describe(&table, problem.as_ref(), &[entry]).unwrap(),
    })
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
        2 if label.starts_with('[') => {
            let ends: Vec<&str> = label.trim_matches(['[', ']']).split(", ").collect();
            let place = |name: &str| SCHOOLS.iter().position(|school| *school == name).unwrap() as f64;
            place(ends[1]) - place(ends[0]) + 1.0
        }
        1 if label == "care" || label == "office" => 2.0,
        _ => 1.0,
    };
    (size, domain)
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
    let released = match release(&run, id, &out, &options, &Unwatched) {
        Ok(released) => released,
        // Rows of stars beside groups of stars, medians that join groups of overlapping regions, or nothing left at all:
        // refused, and nothing is written.
        Err(error) => {
            let joined = error.to_string().contains("same median") && regions.is_some() && case.median;
            assert!(error.to_string().contains("only stars") || solution.groups == 0 || joined, "{error}");
            assert!(!out.exists());
            return;
        }
    };
    let certificate: Certificate = released.exact;
    let public = released.certificate;

    let (names, rows) = read(&out, case.format);
    assert_eq!(names, ["age", "job", "school", "disease"]);
    let star = |row: &&Vec<String>| case.stars && row[..3].iter().all(|cell| cell == "*" || cell.is_empty());
    let stars = rows.iter().filter(star).count();
    let kept: Vec<&Vec<String>> = rows.iter().filter(|row| !star(row)).collect();
    let all = case.people.len();
    assert_eq!(kept.len() as u64, all as u64 - solution.suppressed.unwrap());
    assert_eq!(stars as u64, if case.stars { solution.suppressed.unwrap() } else { 0 });
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
            let label =
                if column == 0 && case.median { &numbers[&cell.parse::<f64>().unwrap().to_string()] } else { cell };
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
    // What everybody is told is never better than the truth.
    let told = public.t.unwrap()["disease"];
    assert!(told >= t - 1e-9 && told < t + 0.01 + 1e-9, "{told} for {t}");
    assert!(public.gl >= certificate.gl - 1e-9 && public.sl >= certificate.sl - 1e-9);

    // Which row of the table each row of the release is: kept cells are those of that row.
    let id = PublicRecoding::id_in(&std::fs::read_to_string(recoding_beside(&out)).unwrap(), "x").unwrap().unwrap();
    let numbers = PrivatePart::find(&id, &out, Some(&run.dir)).unwrap().rows().unwrap();
    assert_eq!(numbers.len(), rows.len());
    for (row, number) in rows.iter().zip(&numbers).filter(|(row, _)| !star(row)) {
        assert_eq!(row[3], DISEASES[case.people[*number as usize].3]);
    }

    // What is shown of rows without a release is what the release shows of them.
    let table = count(&study, &Embedded, &Unwatched).unwrap();
    let applied = AppliedSolution::new(&study, &table, &front, regions.as_ref(), solution.id).unwrap();
    let (cells, present) = applied.rows(&read_columns(&study.data, &names, &Unwatched).unwrap()).unwrap();
    assert_eq!(present.iter().filter(|shown| **shown).count(), kept.len());
    for (row, number) in rows.iter().zip(&numbers).filter(|(row, _)| !star(row)) {
        assert!(present[*number as usize]);
        let shown = cells.iter().map(|column| &column.texts[column.codes[*number as usize] as usize]);
        // The boxes of a local recoding may be called by fewer values in a release, and numbers by their medians.
        if regions.is_none() && !case.median {
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
    let groups = made(&ReleaseTable::of_groups(&study, solution, &Embedded, &Unwatched).unwrap().unwrap());
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
