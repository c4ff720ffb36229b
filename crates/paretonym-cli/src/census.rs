//! The synthetic census behind `paretonym demo`: people who do not exist, with the dependences that make real tables
//! hard to anonymize.
//!
//! Order of the draws: region → age → sex → country of birth, education → activity → occupation → sector, and from
//! those marital status, household, income, diagnosis; the postcode lies in the region. Each arrow is a table of
//! integer weights below, so the result is the same on every machine. A row uses 16 numbers of one ChaCha8 stream:
//! row i depends on the seed and i alone, and a longer table begins with the shorter one.
//!
//! The length of this file is its tables: they belong beside the code that says what depends on what.

use std::io::{self, Write};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::preset::with_path;

/// The columns, in order.
const HEADER: &str = "person_id,age,sex,region,postcode,education,marital_status,work_class,occupation,\
                      household_size,country_of_birth,income_band,diagnosis_group\n";

const SEX: [&str; 2] = ["Male", "Female"];
const FEMALE: usize = 1;

/// Name, first two digits of its postcodes (province, region), kind of place, people.
const REGION: [(&str, [u8; 2], usize, u32); 12] = [
    ("Capital City", *b"10", CAPITAL, 190),
    ("Capital Suburbs", *b"11", CAPITAL, 125),
    ("Westmere", *b"12", TOWN, 85),
    ("Northport", *b"20", TOWN, 95),
    ("North Coast", *b"21", RURAL, 48),
    ("High Moors", *b"22", RURAL, 34),
    ("Lakeside", *b"30", TOWN, 88),
    ("Eastfield", *b"31", TOWN, 76),
    ("East Valley", *b"32", RURAL, 52),
    ("Southbank", *b"40", TOWN, 102),
    ("Vineyards", *b"41", RURAL, 57),
    ("South Shore", *b"42", RURAL, 48),
];
const CAPITAL: usize = 0;
const TOWN: usize = 1;
const RURAL: usize = 2;
const KINDS: usize = 3;

/// People aged 0, 10, 20, … 100 by kind of place: the young move to the capital, the old stay in the country.
const PYRAMID: [[u32; 11]; KINDS] = [
    [105, 98, 120, 165, 155, 135, 110, 80, 45, 14, 0],
    [98, 100, 108, 128, 130, 138, 128, 98, 56, 17, 0],
    [90, 98, 88, 104, 118, 146, 146, 118, 70, 21, 0],
];

/// From this age on, so many women in a thousand.
const WOMEN: [(u8, u32); 6] = [(0, 487), (20, 497), (50, 505), (65, 525), (75, 570), (85, 660)];

/// The home country, which is invented, and others with their shares of those born elsewhere.
const COUNTRY: [(&str, u32); 20] = [
    (HOME, 0),
    ("Germany", 115),
    ("Italy", 60),
    ("Poland", 105),
    ("Portugal", 48),
    ("Romania", 92),
    ("Ukraine", 74),
    ("United Kingdom", 52),
    ("Eritrea", 22),
    ("Morocco", 62),
    ("Nigeria", 30),
    ("Syria", 66),
    ("Turkey", 96),
    ("China", 34),
    ("India", 52),
    ("Philippines", 30),
    ("Vietnam", 24),
    ("Brazil", 28),
    ("Colombia", 16),
    ("United States", 20),
];
const HOME: &str = "Alderland";
/// From this age on, so many in a thousand born at home, by kind of place.
const BORN_AT_HOME: [(u8, [u32; KINDS]); 4] =
    [(0, [920, 960, 982]), (18, [790, 870, 945]), (30, [730, 845, 935]), (65, [860, 930, 970])];

/// Steps of education completed, in order.
const EDUCATION: [&str; 7] =
    ["No schooling", "Primary", "Lower secondary", "Upper secondary", "Vocational", "Bachelor", "Master or doctorate"];
/// From this age on, people by education: each cohort has learned longer than the one before.
const EDUCATION_BY_AGE: [(u8, [u32; 7]); 12] = [
    (0, [1, 0, 0, 0, 0, 0, 0]),
    (11, [30, 70, 0, 0, 0, 0, 0]),
    (13, [2, 98, 0, 0, 0, 0, 0]),
    (16, [1, 14, 70, 15, 0, 0, 0]),
    (19, [1, 4, 21, 69, 5, 0, 0]),
    (22, [1, 3, 14, 54, 12, 16, 0]),
    (25, [1, 3, 10, 36, 14, 22, 14]),
    (30, [1, 4, 10, 34, 14, 19, 18]),
    (40, [1, 5, 14, 39, 15, 14, 12]),
    (55, [2, 9, 21, 40, 13, 8, 7]),
    (70, [3, 19, 27, 33, 9, 5, 4]),
    (80, [6, 31, 27, 25, 6, 3, 2]),
];
/// Percent of that, by kind of place.
const EDUCATION_BY_KIND: [[u32; 7]; KINDS] =
    [[90, 85, 85, 85, 90, 150, 185], [100; 7], [110, 115, 115, 112, 105, 70, 50]];

/// What a person does, before the sector of those who work is known.
const WORKS: usize = 0;
const UNEMPLOYED: usize = 1;
const RETIRED: usize = 3;
const WORK_CLASS: [&str; 9] = [
    "Private sector",
    "Public sector",
    "Self-employed",
    "Family business",
    "Unemployed",
    "Student",
    "Retired",
    "Not active",
    "Child",
];
/// Where the activities begin in [`WORK_CLASS`], less one for those who work.
const NOT_WORKING: usize = 3;
const CHILD: usize = 8;
const ADULT_AGE: u8 = 16;
/// From this age on: works, unemployed, student, retired, not active.
const ACTIVITY: [(u8, [u32; 5]); 9] = [
    (0, [0, 0, 1, 0, 0]),
    (ADULT_AGE, [8, 3, 86, 0, 3]),
    (19, [44, 9, 40, 0, 7]),
    (25, [80, 7, 4, 0, 9]),
    (35, [84, 5, 1, 1, 9]),
    (50, [78, 5, 0, 4, 13]),
    (60, [45, 4, 0, 38, 13]),
    (67, [8, 0, 0, 87, 5]),
    (75, [1, 0, 0, 96, 3]),
];
/// Percent of that: up to lower secondary, up to vocational, above; then men and women.
const ACTIVITY_BY_SCHOOLING: [[u32; 5]; 3] = [[72, 170, 100, 110, 180], [100; 5], [110, 60, 100, 85, 55]];
const ACTIVITY_BY_SEX: [[u32; 5]; 2] = [[105, 105, 95, 100, 50], [95, 95, 105, 100, 160]];

/// Name, women in a hundred, pay on a scale from 0 to 6, and the sectors (private, public, own, family) of each
/// occupation; the first is for those who have none.
const OCCUPATION: [(&str, u32, i32, [u32; 4]); 15] = [
    ("No occupation", 50, 0, [1, 0, 0, 0]),
    ("Managers", 38, 6, [68, 16, 16, 0]),
    ("Doctors", 52, 5, [30, 45, 25, 0]),
    ("Engineers and IT specialists", 22, 5, [76, 14, 10, 0]),
    ("Teachers", 70, 3, [17, 80, 3, 0]),
    ("Legal and finance specialists", 48, 5, [62, 18, 20, 0]),
    ("Nurses and carers", 82, 2, [42, 54, 4, 0]),
    ("Technicians", 28, 3, [74, 18, 8, 0]),
    ("Clerks", 66, 2, [64, 33, 2, 1]),
    ("Sales workers", 58, 1, [82, 0, 16, 2]),
    ("Hospitality and personal services", 58, 1, [72, 6, 20, 2]),
    ("Farmers and foresters", 30, 1, [24, 2, 58, 16]),
    ("Construction and crafts", 8, 2, [74, 4, 21, 1]),
    ("Drivers and machine operators", 12, 2, [82, 8, 10, 0]),
    ("Cleaners and labourers", 52, 1, [76, 15, 8, 1]),
];
const FARMERS: usize = 11;
/// Percent of farmers by kind of place.
const FARMING: [u32; KINDS] = [6, 50, 260];
/// Workers with each education by occupation, without the first.
const OCCUPATION_BY_EDUCATION: [[u32; 14]; 7] = [
    [1, 0, 0, 0, 0, 2, 0, 1, 8, 14, 14, 16, 18, 40],
    [2, 0, 0, 0, 0, 4, 1, 3, 12, 16, 12, 18, 20, 30],
    [3, 0, 0, 0, 0, 8, 3, 7, 16, 17, 8, 18, 18, 16],
    [6, 0, 2, 1, 2, 10, 8, 17, 18, 12, 5, 18, 12, 5],
    [8, 0, 6, 5, 5, 20, 20, 12, 9, 6, 4, 12, 3, 1],
    [16, 0, 17, 20, 14, 10, 8, 9, 6, 3, 2, 2, 1, 1],
    [20, 13, 20, 18, 18, 2, 4, 4, 2, 1, 1, 1, 0, 0],
];

const MARITAL: [&str; 6] = ["Never married", "Married", "Registered partnership", "Separated", "Divorced", "Widowed"];
/// From this age on, men and women by marital status.
const MARITAL_BY_AGE: [(u8, [[u32; 6]; 2]); 10] = [
    (0, [[1, 0, 0, 0, 0, 0]; 2]),
    (18, [[985, 11, 4, 0, 0, 0], [965, 26, 8, 1, 0, 0]]),
    (23, [[880, 90, 25, 3, 2, 0], [800, 155, 33, 6, 6, 0]]),
    (28, [[560, 365, 45, 12, 18, 0], [455, 450, 50, 16, 28, 1]]),
    (35, [[320, 545, 45, 22, 66, 2], [240, 595, 45, 28, 86, 6]]),
    (45, [[190, 615, 32, 30, 126, 7], [140, 600, 32, 34, 170, 24]]),
    (55, [[120, 665, 20, 24, 150, 21], [85, 600, 18, 25, 190, 82]]),
    (65, [[75, 725, 10, 14, 116, 60], [55, 560, 9, 14, 142, 220]]),
    (75, [[50, 715, 4, 8, 63, 160], [50, 385, 3, 7, 85, 470]]),
    (85, [[40, 560, 1, 4, 35, 360], [60, 165, 1, 3, 46, 725]]),
];

/// From this age on, people alone and in a couple by the size of their household, 1 to 8.
const HOUSEHOLD: [(u8, [[u32; 8]; 2]); 5] = [
    (0, [[0, 60, 210, 380, 210, 90, 30, 20]; 2]),
    (18, [[210, 200, 210, 230, 100, 35, 10, 5], [15, 430, 280, 200, 55, 15, 3, 2]]),
    (30, [[560, 240, 120, 55, 17, 5, 2, 1], [8, 220, 250, 340, 126, 38, 11, 7]]),
    (55, [[640, 240, 80, 28, 8, 2, 1, 1], [10, 640, 220, 95, 25, 6, 2, 2]]),
    (65, [[800, 145, 40, 11, 3, 1, 0, 0], [12, 870, 80, 26, 8, 2, 1, 1]]),
];

/// Yearly income in order.
const INCOME: [&str; 5] = ["under 10k", "10k-25k", "25k-45k", "45k-80k", "over 80k"];
/// The scores of a person's income run from 0 to this; see [`Census::income_score`].
const TOP_SCORE: i32 = 10;

const DIAGNOSIS: [&str; 8] = [
    "No diagnosis",
    "Cardiovascular",
    "Respiratory",
    "Metabolic",
    "Musculoskeletal",
    "Mental health",
    "Cancer",
    "Injury",
];
/// From this age on, people by diagnosis; percent of that for men and women.
const DIAGNOSIS_BY_AGE: [(u8, [u32; 8]); 6] = [
    (0, [820, 3, 95, 6, 8, 18, 2, 48]),
    (15, [760, 8, 50, 14, 35, 78, 4, 51]),
    (30, [690, 28, 42, 36, 80, 80, 10, 34]),
    (45, [530, 100, 48, 92, 125, 64, 24, 17]),
    (60, [370, 215, 62, 140, 125, 38, 42, 18]),
    (75, [235, 330, 75, 150, 110, 36, 50, 34]),
];
const DIAGNOSIS_BY_SEX: [[u32; 8]; 2] = [[100, 115, 100, 105, 88, 76, 102, 130], [100, 85, 100, 95, 112, 124, 98, 70]];

/// District, area and street digits of a postcode within its region, with weights.
const DISTRICTS: [(u8, u32); 6] = [(b'0', 30), (b'1', 22), (b'2', 18), (b'4', 14), (b'5', 10), (b'7', 6)];
const AREAS: [(u8, u32); 3] = [(b'1', 45), (b'4', 33), (b'7', 22)];
const STREETS: [(u8, u32); 4] = [(b'0', 34), (b'3', 28), (b'5', 22), (b'9', 16)];

/// Numbers of the stream that a row uses; three are spare, so that a new column need not change the old ones.
const DRAWS: usize = 16;
const OLDEST: u8 = 99;

/// A distribution over a few codes: chooses the code whose slice of the 32-bit numbers a draw falls into.
struct Pick(Vec<u64>);

impl Pick {
    fn new(weights: impl IntoIterator<Item = u32>) -> Self {
        let mut sum = 0;
        let mut add = |weight| {
            sum += u64::from(weight);
            sum
        };
        let sums: Vec<u64> = weights.into_iter().map(&mut add).collect();
        assert!(sum > 0, "a distribution needs a weight");
        Pick(sums.into_iter().map(|part| (part << 32) / sum).collect())
    }

    fn of(&self, draw: u32) -> usize {
        self.0.partition_point(|&end| end <= u64::from(draw))
    }
}

/// Multiplies weights by percents.
fn scaled<const N: usize>(weights: [u32; N], percents: [u32; N]) -> [u32; N] {
    std::array::from_fn(|i| weights[i] * percents[i])
}

/// The last row of a table whose rows say from which age on they hold.
fn at_age<T: Copy>(table: &[(u8, T)], age: u8) -> T {
    table[table.partition_point(|(from, _)| *from <= age) - 1].1
}

/// One person, by codes.
struct Person {
    region: usize,
    age: u8,
    sex: usize,
    country: usize,
    education: usize,
    work_class: usize,
    occupation: usize,
    marital: usize,
    household: usize,
    income: usize,
    diagnosis: usize,
    postcode: [u8; 5],
}

/// All tables, made ready for drawing.
struct Census {
    region: Pick,
    age: Vec<Pick>,
    sex: Vec<Pick>,
    country: Vec<Pick>,
    education: Vec<Pick>,
    activity: Vec<Pick>,
    occupation: Vec<Pick>,
    sector: Vec<Pick>,
    marital: Vec<Pick>,
    household: Vec<Pick>,
    income: Vec<Pick>,
    diagnosis: Vec<Pick>,
    postcode: Pick,
    postcode_digits: Vec<[u8; 3]>,
}

impl Census {
    fn new() -> Self {
        let ages = || 0..=OLDEST;
        // Every `Vec` has the inner index run fastest: see `person` for how they are looked up.
        let by_age = |one: &dyn Fn(u8, usize) -> Pick, others: usize| -> Vec<Pick> {
            ages().flat_map(|age| (0..others).map(move |other| (age, other))).map(|(age, i)| one(age, i)).collect()
        };
        let pyramid = |kind: usize| {
            Pick::new(ages().map(|age| {
                let (decade, year) = (usize::from(age / 10), u32::from(age % 10));
                PYRAMID[kind][decade] * (10 - year) + PYRAMID[kind][decade + 1] * year
            }))
        };
        let country = |age, kind: usize| {
            let home = at_age(&BORN_AT_HOME, age)[kind];
            let abroad: u32 = COUNTRY.iter().map(|(_, share)| share).sum();
            Pick::new(
                COUNTRY.iter().map(|&(name, share)| if name == HOME { home * abroad } else { (1000 - home) * share }),
            )
        };
        let activity = |age, schooling_and_sex: usize| {
            let weights = scaled(at_age(&ACTIVITY, age), ACTIVITY_BY_SCHOOLING[schooling_and_sex / 2]);
            Pick::new(scaled(weights, ACTIVITY_BY_SEX[schooling_and_sex % 2]))
        };
        let occupation = |education: usize, sex: usize, kind: usize| {
            Pick::new((0..OCCUPATION.len()).map(|code| match code {
                0 => 0,
                _ => {
                    let women = OCCUPATION[code].1;
                    let of_sex = if sex == FEMALE { women } else { 100 - women };
                    let of_place = if code == FARMERS { FARMING[kind] } else { 100 };
                    OCCUPATION_BY_EDUCATION[education][code - 1] * of_sex * of_place
                }
            }))
        };
        // Bands are 5 apart on a scale of twice the score; most people are in the nearest band.
        let income = |score: i32| {
            Pick::new((0..INCOME.len() as i32).map(|band| {
                let distance = 5 * band - 2 * score;
                (1_000_000 / (9 + distance * distance).pow(2)) as u32
            }))
        };
        let mut digits = Vec::new();
        let mut people = Vec::new();
        for (district, in_district) in DISTRICTS {
            for (area, in_area) in AREAS {
                for (street, in_street) in STREETS {
                    digits.push([district, area, street]);
                    people.push(in_district * in_area * in_street);
                }
            }
        }
        Census {
            region: Pick::new(REGION.iter().map(|region| region.3)),
            age: (0..KINDS).map(pyramid).collect(),
            sex: by_age(&|age, _| Pick::new([1000 - at_age(&WOMEN, age), at_age(&WOMEN, age)]), 1),
            country: by_age(&country, KINDS),
            education: by_age(
                &|age, kind| Pick::new(scaled(at_age(&EDUCATION_BY_AGE, age), EDUCATION_BY_KIND[kind])),
                KINDS,
            ),
            activity: by_age(&activity, 6),
            occupation: (0..EDUCATION.len() * 2 * KINDS)
                .map(|i| occupation(i / (2 * KINDS), i / KINDS % 2, i % KINDS))
                .collect(),
            sector: OCCUPATION.iter().map(|occupation| Pick::new(occupation.3)).collect(),
            marital: by_age(&|age, sex| Pick::new(at_age(&MARITAL_BY_AGE, age)[sex]), 2),
            household: by_age(&|age, couple| Pick::new(at_age(&HOUSEHOLD, age)[couple]), 2),
            income: (0..=TOP_SCORE).map(income).collect(),
            diagnosis: by_age(&|age, sex| Pick::new(scaled(at_age(&DIAGNOSIS_BY_AGE, age), DIAGNOSIS_BY_SEX[sex])), 2),
            postcode: Pick::new(people),
            postcode_digits: digits,
        }
    }

    /// The person that these numbers stand for.
    fn person(&self, draws: &[u32; DRAWS]) -> Person {
        let region = self.region.of(draws[0]);
        let (_, [province, in_province], kind, _) = REGION[region];
        let age = self.age[kind].of(draws[1]) as u8;
        let years = usize::from(age);
        let sex = self.sex[years].of(draws[2]);
        let country = self.country[years * KINDS + kind].of(draws[3]);
        let education = self.education[years * KINDS + kind].of(draws[4]);

        let schooling = [0, 0, 0, 1, 1, 2, 2][education];
        let activity = self.activity[years * 6 + schooling * 2 + sex].of(draws[5]);
        let occupation = match activity {
            WORKS | UNEMPLOYED => self.occupation[(education * 2 + sex) * KINDS + kind].of(draws[6]),
            _ => 0,
        };
        let work_class = match activity {
            _ if age < ADULT_AGE => CHILD,
            WORKS => self.sector[occupation].of(draws[7]),
            _ => NOT_WORKING + activity,
        };

        let marital = self.marital[years * 2 + sex].of(draws[8]);
        let couple = usize::from(marital == 1 || marital == 2);
        let [district, area, street] = self.postcode_digits[self.postcode.of(draws[12])];
        Person {
            region,
            age,
            sex,
            country,
            education,
            work_class,
            occupation,
            marital,
            household: 1 + self.household[years * 2 + couple].of(draws[9]),
            income: match age {
                0..ADULT_AGE => 0,
                _ => self.income[Census::income_score(age, education, activity, occupation)].of(draws[10]),
            },
            diagnosis: self.diagnosis[years * 2 + sex].of(draws[11]),
            postcode: [province, in_province, district, area, street],
        }
    }

    /// How much a person earns on a scale from 0 to [`TOP_SCORE`].
    fn income_score(age: u8, education: usize, activity: usize, occupation: usize) -> usize {
        let learned = [0, 0, 0, 1, 1, 2, 3][education];
        let experience = at_age(&[(0, -2), (25, 0), (35, 1)], age);
        let score = match activity {
            WORKS => OCCUPATION[occupation].2 + learned + experience,
            RETIRED => 2 + learned,
            UNEMPLOYED => 1,
            _ => 0,
        };
        score.clamp(0, TOP_SCORE) as usize
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
    with_path(include_str!("preset/census.toml"), data_file)
}

#[cfg(test)]
mod tests {
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
