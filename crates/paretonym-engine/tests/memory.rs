//! The most memory in use while a large table is counted, searched and described, by its distinct tuples. A test of its own:
//! whatever else ran in the process would count, too.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use paretonym::engine::Unwatched;
use paretonym::study::{Study, run};
use paretonym_engine::Embedded;

const ROWS: usize = 1_500_000;

/// Bytes that a distinct tuple may take. It takes about 50; what the allocator does not give back varies.
const MOST: u64 = 75;

/// Beside the tuples: blocks of text, counters of a fixed size.
const BESIDE: u64 = 24 << 20;

const STUDY: &str = r#"
    [data]
    path = "FILE"

    [[columns]]
    name = "age"
    role = "quasi"
    kind = "numeric"
    widths = [5, 10, 20]

    [[columns]]
    name = "postcode"
    role = "quasi"
    hierarchy = "prefix"

    [[columns]]
    name = "job"
    role = "quasi"

    [[columns]]
    name = "education"
    role = "quasi"
    kind = "ordinal"
    order = ["0", "1", "2", "3", "4", "5", "6"]
    groups = [2, 4]

    [[columns]]
    name = "country"
    role = "quasi"

    [[columns]]
    name = "sex"
    role = "quasi"

    [[columns]]
    name = "income"
    role = "sensitive"
    kind = "ordinal"
    order = ["0", "1", "2", "3", "4"]

    [[columns]]
    name = "illness"
    role = "sensitive"

    [search]
    problem = "max-suppression"
    eta = 0.02
    optimizer = "exact"
"#;

/// People who mostly live in a few places and come from a few countries, so that some tuples are common and most are rare.
fn write_people(path: &Path) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    writeln!(file, "age,postcode,job,education,country,sex,income,illness").unwrap();
    let mut state = 11u64;
    let mut below = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    for _ in 0..ROWS {
        let (age, job, education, sex) = (18 + below(70), below(15), below(7), below(2));
        let (places, countries) = (1 + below(1_000), 1 + below(20));
        let (postcode, country) = (10_000 + 10 * below(places), below(countries));
        let (income, illness) = (below(5), below(12));
        writeln!(file, "{age},{postcode},job {job},{education},land {country},{sex},{income},illness {illness}")
            .unwrap();
    }
    file.flush().unwrap();
}

/// The most memory that the process has had so far; none where the system does not tell.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[test]
fn exploring_takes_few_bytes_a_tuple() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    write_people(&path);
    let Some(before) = peak() else {
        eprintln!("this system does not tell the most memory in use: nothing was tested");
        return;
    };
    let study = Study::from_toml(&STUDY.replace("FILE", &path.display().to_string()), "study").unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let found = pool.install(|| run(&study, &Embedded, &Unwatched)).unwrap();
    let taken = peak().unwrap() - before;
    let tuples = found.front.distinct;
    assert!(tuples > 1_000_000, "{tuples} distinct tuples");
    assert!(found.front.solutions.iter().all(|solution| solution.described));
    let each = taken.saturating_sub(BESIDE) / tuples;
    eprintln!("{tuples} distinct tuples, {} MiB, {each} bytes a tuple", taken >> 20);
    assert!(each <= MOST, "{each} bytes for each of {tuples} distinct tuples");
}
