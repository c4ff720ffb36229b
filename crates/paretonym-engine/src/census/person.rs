//! One person of the synthetic census: how the tables of weights hang together.

use super::tables::*;

/// Numbers of the stream that a row uses; three are spare, so that a new column need not change the old ones.
pub(super) const DRAWS: usize = 16;
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
pub(super) struct Person {
    pub region: usize,
    pub age: u8,
    pub sex: usize,
    pub country: usize,
    pub education: usize,
    pub work_class: usize,
    pub occupation: usize,
    pub marital: usize,
    pub household: usize,
    pub income: usize,
    pub diagnosis: usize,
    pub postcode: [u8; 5],
}

/// All tables, made ready for drawing.
pub(super) struct Census {
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
    pub fn new() -> Self {
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
    pub fn person(&self, draws: &[u32; DRAWS]) -> Person {
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
