//! The synthetic census behind `paretonym demo`: people who do not exist, with the dependences that make real tables
//! hard to anonymize.
//!
//! Order of the draws: region → age → sex → country of birth, education → activity → occupation → sector, and from
//! those marital status, household, income, diagnosis; the postcode lies in the region. Each arrow is a table of
//! integer weights in `tables.rs`, so the result is the same on every machine. A row uses 16 numbers of one ChaCha8 stream:
//! row i depends on the seed and i alone, and a longer table begins with the shorter one.

mod person;
mod tables;

use std::io::{self, Write};
use std::path::Path;

use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::folders::folder::with_path;
use crate::write_atomically;
use person::{Census, DRAWS, Person};
use tables::{COUNTRY, DIAGNOSIS, EDUCATION, HEADER, INCOME, MARITAL, OCCUPATION, REGION, SEX, WORK_CLASS};

/// Writes a table of so many people as a file, as [`write_census`] does.
pub fn write_census_file(rows: u64, seed: u64, path: &Path, watch: &dyn Watch) -> Result<()> {
    let written = write_atomically(path, |out| write_census(rows, seed, &mut Watched { out, watch }));
    if watch.cancelled() { Err(Error::Cancelled) } else { written }
}

/// Writes until the user has had enough.
struct Watched<'a> {
    out: &'a mut dyn Write,
    watch: &'a dyn Watch,
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.watch.cancelled() { Err(io::Error::other("stopped")) } else { self.out.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a table of so many people with a header. The same seed gives the same bytes, and a table with more rows
/// begins with the rows of a smaller one.
pub fn write_census(rows: u64, seed: u64, out: &mut dyn Write) -> io::Result<()> {
    const CHUNK: usize = 1 << 16;
    let census = Census::new();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut text = Vec::with_capacity(CHUNK + 1024);
    text.extend_from_slice(HEADER.as_bytes());
    for row in 0..rows {
        push_row(&mut text, row + 1, &census.person(&next_draws(&mut rng)));
        if text.len() >= CHUNK {
            out.write_all(&text)?;
            text.clear();
        }
    }
    out.write_all(&text)?;
    out.flush()
}

fn next_draws(rng: &mut ChaCha8Rng) -> [u32; DRAWS] {
    std::array::from_fn(|_| rng.next_u32())
}

fn push_row(text: &mut Vec<u8>, id: u64, person: &Person) {
    push_number(text, id);
    text.push(b',');
    push_number(text, person.age.into());
    let cells: [&[u8]; 7] = [
        SEX[person.sex].as_bytes(),
        REGION[person.region].0.as_bytes(),
        &person.postcode,
        EDUCATION[person.education].as_bytes(),
        MARITAL[person.marital].as_bytes(),
        WORK_CLASS[person.work_class].as_bytes(),
        OCCUPATION[person.occupation].0.as_bytes(),
    ];
    for cell in cells {
        text.push(b',');
        text.extend_from_slice(cell);
    }
    text.push(b',');
    push_number(text, person.household as u64);
    for cell in [COUNTRY[person.country].0, INCOME[person.income], DIAGNOSIS[person.diagnosis]] {
        text.push(b',');
        text.extend_from_slice(cell.as_bytes());
    }
    text.push(b'\n');
}

fn push_number(text: &mut Vec<u8>, number: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    let mut rest = number;
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[start..]);
}

/// A study of the table, to be written into the folder that `data_file` is relative to.
pub fn census_study(data_file: &str) -> String {
    with_path(include_str!("study.toml"), data_file)
}

#[cfg(test)]
mod tests {
    use super::tables::{ADULT_AGE, CAPITAL, CHILD, FEMALE, HOME, RURAL, TOWN};
    use super::*;

    /// Positions in [`EDUCATION`].
    const BACHELOR: usize = 5;
    const MASTER: usize = 6;

    fn table(rows: u64, seed: u64) -> String {
        let mut bytes = Vec::new();
        write_census(rows, seed, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn people(count: usize) -> Vec<Person> {
        let census = Census::new();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        (0..count).map(|_| census.person(&next_draws(&mut rng))).collect()
    }

    /// The share of those with a property among those with another.
    fn share(people: &[Person], among: impl Fn(&Person) -> bool, has: impl Fn(&Person) -> bool) -> f64 {
        let among: Vec<&Person> = people.iter().filter(|person| among(person)).collect();
        among.iter().filter(|person| has(person)).count() as f64 / among.len() as f64
    }

    #[test]
    fn the_same_seed_gives_the_same_table_and_a_longer_one_begins_with_it() {
        assert_eq!(table(500, 7), table(500, 7));
        assert_ne!(table(500, 7), table(500, 8));
        assert!(table(2_000, 7).starts_with(&table(500, 7)));
        assert_eq!(table(0, 7), HEADER);
    }

    #[test]
    fn a_row_can_be_found_without_the_rows_before_it() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        rng.set_word_pos(499 * DRAWS as u128);
        let mut line = Vec::new();
        push_row(&mut line, 500, &Census::new().person(&next_draws(&mut rng)));
        assert!(table(500, 7).as_bytes().ends_with(&line));
    }

    #[test]
    fn every_line_has_all_cells() {
        let table = table(5_000, 1);
        assert_eq!(table.lines().count(), 5_001);
        for line in table.lines() {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells.len(), 13, "{line}");
            assert!(cells.iter().all(|cell| !cell.is_empty() && *cell == cell.trim() && !cell.contains('"')), "{line}");
        }
    }

    #[test]
    fn shares_are_those_of_a_country() {
        let people = people(50_000);
        let all = |_: &Person| true;
        let within = |low: f64, share: f64, high: f64| assert!(low < share && share < high, "{share}");
        within(0.80, share(&people, all, |p| COUNTRY[p.country].0 == HOME), 0.92);
        within(0.49, share(&people, all, |p| p.sex == FEMALE), 0.53);
        within(0.14, share(&people, all, |p| p.age < 18), 0.24);
        within(0.13, share(&people, all, |p| p.age >= 67), 0.24);
        within(0.60, share(&people, |p| (25..60).contains(&p.age), |p| p.work_class < 4), 0.90);
        within(0.55, share(&people, |p| p.age >= 85 && p.sex == FEMALE, |p| MARITAL[p.marital] == "Widowed"), 0.85);
    }

    #[test]
    fn columns_depend_on_each_other() {
        let people = people(50_000);
        let rich = |education: usize| share(&people, |p| p.age >= 30 && p.education == education, |p| p.income >= 3);
        assert!((3..=MASTER).all(|step| rich(step) > rich(step - 1)), "income rises with education");
        let studied =
            |kind: usize| share(&people, |p| p.age >= 25 && REGION[p.region].2 == kind, |p| p.education >= BACHELOR);
        assert!(studied(CAPITAL) > studied(TOWN) && studied(TOWN) > studied(RURAL));
        let ill = |from: u8| share(&people, |p| (from..from + 15).contains(&p.age), |p| p.diagnosis > 0);
        assert!(ill(75) > ill(45) && ill(45) > ill(15));
        let women = |occupation: usize| share(&people, |p| p.occupation == occupation, |p| p.sex == FEMALE);
        assert!(women(6) > 0.7 && women(12) < 0.2, "nurses and construction workers");
    }

    #[test]
    fn no_person_is_impossible() {
        for p in people(50_000) {
            let name = OCCUPATION[p.occupation].0;
            assert!(p.age >= 18 || (p.marital == 0 && p.education <= 3), "a child of {} with a past", p.age);
            assert!(p.age >= ADULT_AGE || (p.work_class == CHILD && p.occupation == 0 && p.income == 0));
            assert!(name != "Doctors" || (p.education == MASTER && p.age >= 25), "a doctor aged {}", p.age);
            let in_labour_force = p.work_class <= 4;
            assert_eq!(in_labour_force, p.occupation > 0, "{} as {name}", WORK_CLASS[p.work_class]);
            assert_eq!(p.postcode[..2], REGION[p.region].1);
        }
    }

    #[test]
    fn the_study_names_what_the_table_has() {
        let study = census_study("a \"b\".csv");
        assert!(study.contains(r#"path = "a \"b\".csv""#));
        let values = EDUCATION.iter().chain(&MARITAL).chain(&INCOME).copied();
        let named = OCCUPATION.iter().map(|row| row.0).chain(COUNTRY.iter().map(|row| row.0));
        for value in values.chain(named) {
            assert!(study.contains(&format!("\"{value}\"")), "{value}");
        }
        let columns: Vec<&str> = HEADER.trim().split(',').collect();
        for line in study.lines().filter(|line| line.starts_with("name = ")) {
            assert!(columns.contains(&line.split('"').nth(1).unwrap()), "{line}");
        }
    }
}
