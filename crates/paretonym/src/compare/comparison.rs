//! Every comparator on every pair of releases: the content of `compare --json`.

use serde_json::{Map, Value, json};

use super::{Comparators, Dominance, Matched, Property, Rank, Release, Vectors, dominance, dominance_of_sets};
use crate::error::{Error, Result};
use crate::front::round;

/// One property of all releases.
#[derive(Clone, Debug)]
pub struct PropertyComparison {
    /// The property.
    pub name: String,
    /// Per comparator its name and its index of each release against each other; no number (NaN) where it takes rows and
    /// these cannot be matched. Unary ones have the same index along a row.
    pub indices: Vec<(String, Vec<Vec<f64>>)>,
    /// Comparators that look at one release alone.
    unary: Vec<bool>,
    /// How each release stands to each other; none where their rows cannot be matched.
    pub dominance: Vec<Vec<Option<Dominance>>>,
    /// Per release against each other: the share of rows that are strictly better off.
    pub better: Vec<Vec<f64>>,
    /// The indices of the values in rising order, from the worst off to the best off, where some rows cannot be matched.
    pub sorted: Vec<(String, Vec<Vec<f64>>)>,
    /// What to know of the indices.
    pub notes: Vec<String>,
    /// Mean value of each release.
    pub means: Vec<f64>,
}

/// All properties together.
#[derive(Clone, Debug)]
pub struct SetComparison {
    /// Per comparator its name and index of each release against each other.
    pub indices: Vec<(String, Vec<Vec<f64>>)>,
    /// Which of two releases each comparator prefers: 1 the row's, -1 the column's, 0 neither.
    pub preferred: Vec<(String, Vec<Vec<Option<i32>>>)>,
    /// How each release stands to each other in all properties.
    pub dominance: Vec<Vec<Option<Dominance>>>,
}

/// The comparison of several releases of one table.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The releases' names.
    pub releases: Vec<String>,
    /// How the rows of each were matched with the original's.
    pub matched: Vec<Option<Matched>>,
    /// What to know of the releases.
    pub notes: Vec<String>,
    /// Rows of the table.
    pub rows: f64,
    /// Property by property.
    pub properties: Vec<PropertyComparison>,
    /// All together.
    pub sets: SetComparison,
}

impl Comparison {
    /// Compares releases of the same rows.
    pub fn new(releases: &[Release], comparators: &Comparators) -> Result<Self> {
        let [first, rest @ ..] = releases else { return Err(Error::study("there is nothing to compare")) };
        if rest.is_empty() {
            return Err(Error::study("a comparison needs at least two releases"));
        }
        for release in rest {
            let same = release.properties.len() == first.properties.len()
                && release.properties.iter().zip(&first.properties).all(|(own, other)| {
                    own.name == other.name && own.values.len() == other.values.len() && own.rows == other.rows
                });
            if !same {
                return Err(Error::study(format!("{} and {} are not of the same rows", first.name, release.name)));
            }
        }
        let count = releases.len();
        let pair = |property: usize, i: usize, j: usize| {
            let own = &releases[i].properties[property];
            Vectors { one: &own.values, other: &releases[j].properties[property].values, rows: own.rows.as_deref() }
        };
        let matched = |i: usize, j: usize| releases[i].matched.is_some() && releases[j].matched.is_some();
        let matrix = |entry: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
            // Adding zero turns -0, the sum of nothing, into 0.
            (0..count).map(|i| (0..count).map(|j| round(entry(i, j)) + 0.0).collect()).collect()
        };
        // An index of rows has no value where nobody knows which row is whose.
        let row_wise =
            |entry: &dyn Fn(usize, usize) -> f64| matrix(&|i, j| if matched(i, j) { entry(i, j) } else { f64::NAN });
        let all_matched = releases.iter().all(|release| release.matched.is_some());
        let mut properties = Vec::new();
        for (at, property) in first.properties.iter().enumerate() {
            // Distances of several releases need one wished-for vector: the best of all of them.
            let wished: Vec<f64> = (0..property.values.len())
                .map(|row| {
                    let values = releases.iter().filter(|release| release.matched.is_some());
                    values.map(|release| release.properties[at].values[row]).fold(f64::MIN, f64::max)
                })
                .collect();
            let ideal = Rank { wished, tolerance: 0.0 };
            let (mut indices, mut unary, mut notes) = (Vec::new(), Vec::new(), Vec::new());
            for comparator in &comparators.single {
                let plain_rank = comparator.name() == "rank" && !comparator.is_unary();
                let comparator = if plain_rank { &ideal } else { comparator.as_ref() };
                let index = |i: usize, j: usize| comparator.index(pair(at, i, j));
                // A wished-for vector is one of rows; other unary indices do not ask whose a value is.
                let of_rows = !comparator.is_unary() || comparator.name() == "rank";
                indices.push((comparator.name(), if of_rows { row_wise(&index) } else { matrix(&index) }));
                unary.push(comparator.is_unary());
                notes.extend(comparator.note(pair(at, 0, 1)).filter(|_| matched(0, 1)));
            }
            let mut sorted = Vec::new();
            if !all_matched {
                notes.push(UNMATCHED.to_owned());
                let values: Vec<Vec<f64>> = releases.iter().map(|release| rising(&release.properties[at])).collect();
                if values.iter().flatten().all(|value| !value.is_nan()) {
                    let pairwise = comparators.single.iter().filter(|one| !one.is_unary() && one.name() != "rank");
                    sorted.extend(
                        pairwise.map(|one| {
                            (one.name(), matrix(&|i, j| one.index(Vectors::of_rows(&values[i], &values[j]))))
                        }),
                    );
                }
            }
            properties.push(PropertyComparison {
                name: property.name.clone(),
                indices,
                unary,
                dominance: (0..count)
                    .map(|i| (0..count).map(|j| matched(i, j).then(|| dominance(pair(at, i, j)))).collect())
                    .collect(),
                sorted,
                better: row_wise(&|i, j| {
                    let vectors = pair(at, i, j);
                    vectors.each().filter(|(one, other, _)| one > other).map(|(_, _, rows)| rows).sum::<f64>()
                        / vectors.total()
                }),
                notes,
                means: (0..count)
                    .map(|i| {
                        let vectors = pair(at, i, i);
                        round(vectors.each().map(|(one, _, rows)| rows * one).sum::<f64>() / vectors.total())
                    })
                    .collect(),
            });
        }
        let all = |i: usize, j: usize| (0..first.properties.len()).map(|at| pair(at, i, j)).collect::<Vec<Vectors>>();
        let sets = SetComparison {
            indices: comparators.sets.iter().map(|one| (one.name(), row_wise(&|i, j| one.index(&all(i, j))))).collect(),
            preferred: comparators
                .sets
                .iter()
                .map(|one| {
                    let prefers = |i: usize, j: usize| matched(i, j).then(|| one.prefers(&all(i, j)) as i32);
                    (one.name(), (0..count).map(|i| (0..count).map(|j| prefers(i, j)).collect()).collect())
                })
                .collect(),
            dominance: (0..count)
                .map(|i| (0..count).map(|j| matched(i, j).then(|| dominance_of_sets(&all(i, j)))).collect())
                .collect(),
        };
        let rows = pair(0, 0, 0).total();
        Ok(Comparison {
            releases: releases.iter().map(|release| release.name.clone()).collect(),
            matched: releases.iter().map(|release| release.matched).collect(),
            notes: releases.iter().flat_map(|release| &release.notes).cloned().collect(),
            rows,
            properties,
            sets,
        })
    }

    /// Whether the rows of two different releases, at least, could be matched.
    fn any_pair(&self) -> bool {
        self.matched.iter().flatten().count() > 1
    }

    /// As `compare --json` prints it: matrices are releases × releases, entry `[i][j]` = index of i against j. What cannot
    /// be told because rows could not be matched is null.
    pub fn to_json(&self) -> Value {
        let of_rows = |value: Value| if self.any_pair() { value } else { Value::Null };
        // Numbers that are none are written as null.
        let told = |matrix: &Vec<Vec<f64>>| match matrix.iter().flatten().all(|value| value.is_nan()) {
            true => Value::Null,
            false => json!(matrix),
        };
        let mut properties = Map::new();
        for property in &self.properties {
            let mut own = Map::new();
            for ((name, matrix), unary) in property.indices.iter().zip(&property.unary) {
                let value = match unary {
                    // The wished-for vector is one of rows.
                    true if name == "rank" => of_rows(json!(first_column(matrix))),
                    true => json!(first_column(matrix)),
                    false => of_rows(told(matrix)),
                };
                own.insert(name.clone(), value);
            }
            own.insert("dominance".into(), of_rows(json!(property.dominance)));
            own.insert("better".into(), of_rows(told(&property.better)));
            own.insert("mean".into(), json!(property.means));
            if !property.sorted.is_empty() {
                let sorted = property.sorted.iter().map(|(name, matrix)| (name.clone(), json!(matrix)));
                own.insert("sorted".into(), Value::Object(sorted.collect()));
            }
            if !property.notes.is_empty() {
                own.insert("notes".into(), json!(property.notes));
            }
            properties.insert(property.name.clone(), Value::Object(own));
        }
        let mut sets: Map<String, Value> =
            self.sets.indices.iter().map(|(name, matrix)| (name.clone(), of_rows(told(matrix)))).collect();
        sets.insert("dominance".into(), of_rows(json!(self.sets.dominance)));
        let preferred: Map<String, Value> =
            self.sets.preferred.iter().map(|(name, matrix)| (name.clone(), json!(matrix))).collect();
        sets.insert("preferred".into(), of_rows(Value::Object(preferred)));
        let mut all = json!({
            "releases": self.releases, "matched": self.matched, "rows": self.rows, "properties": properties, "sets": sets
        });
        if !self.notes.is_empty() {
            all["notes"] = json!(self.notes);
        }
        all
    }
}

fn first_column(matrix: &[Vec<f64>]) -> Vec<f64> {
    matrix.iter().map(|row| row[0]).collect()
}

/// What to know of properties where some rows could not be matched.
const UNMATCHED: &str = "rows of some release could not be matched, so that indices of rows are left out; `sorted` compares the values in \
     rising order, the worst-off row with the worst-off row";

/// The values of a property in rising order, one per row.
fn rising(property: &Property) -> Vec<f64> {
    let rows = |at: usize| property.rows.as_ref().map_or(1, |rows| rows[at] as usize);
    let mut values: Vec<f64> =
        property.values.iter().enumerate().flat_map(|(at, value)| std::iter::repeat_n(*value, rows(at))).collect();
    values.sort_by(f64::total_cmp);
    values
}
