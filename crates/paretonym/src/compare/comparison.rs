//! Every comparator on every pair of releases: the content of `compare --json`.

use serde_json::{Map, Value, json};

use super::{Comparators, Dominance, Rank, Release, Vectors, dominance, dominance_of_sets};
use crate::error::{Error, Result};
use crate::front::round;

/// One property of all releases.
#[derive(Clone, Debug)]
pub struct PropertyComparison {
    /// The property.
    pub name: String,
    /// Per comparator its name and its index of each release against each other. Unary ones have the same index along a
    /// row.
    pub indices: Vec<(String, Vec<Vec<f64>>)>,
    /// Comparators that look at one release alone.
    unary: Vec<bool>,
    /// How each release stands to each other.
    pub dominance: Vec<Vec<Dominance>>,
    /// Per release against each other: the share of rows that are strictly better off.
    pub better: Vec<Vec<f64>>,
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
    pub preferred: Vec<(String, Vec<Vec<i32>>)>,
    /// How each release stands to each other in all properties.
    pub dominance: Vec<Vec<Dominance>>,
}

/// The comparison of several releases of one table.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The releases' names.
    pub releases: Vec<String>,
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
        let matrix = |entry: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
            // Adding zero turns -0, the sum of nothing, into 0.
            (0..count).map(|i| (0..count).map(|j| round(entry(i, j)) + 0.0).collect()).collect()
        };
        let mut properties = Vec::new();
        for (at, property) in first.properties.iter().enumerate() {
            // Distances of several releases need one wished-for vector: the best of all of them.
            let wished: Vec<f64> = (0..property.values.len())
                .map(|row| releases.iter().map(|release| release.properties[at].values[row]).fold(f64::MIN, f64::max))
                .collect();
            let ideal = Rank { wished, tolerance: 0.0 };
            let (mut indices, mut unary, mut notes) = (Vec::new(), Vec::new(), Vec::new());
            for comparator in &comparators.single {
                let plain_rank = comparator.name() == "rank" && !comparator.is_unary();
                let comparator = if plain_rank { &ideal } else { comparator.as_ref() };
                indices.push((comparator.name(), matrix(&|i, j| comparator.index(pair(at, i, j)))));
                unary.push(comparator.is_unary());
                notes.extend(comparator.note(pair(at, 0, 1)));
            }
            properties.push(PropertyComparison {
                name: property.name.clone(),
                indices,
                unary,
                dominance: (0..count).map(|i| (0..count).map(|j| dominance(pair(at, i, j))).collect()).collect(),
                better: matrix(&|i, j| {
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
            indices: comparators.sets.iter().map(|one| (one.name(), matrix(&|i, j| one.index(&all(i, j))))).collect(),
            preferred: comparators
                .sets
                .iter()
                .map(|one| {
                    let prefers = |i: usize, j: usize| one.prefers(&all(i, j)) as i32;
                    (one.name(), (0..count).map(|i| (0..count).map(|j| prefers(i, j)).collect()).collect())
                })
                .collect(),
            dominance: (0..count).map(|i| (0..count).map(|j| dominance_of_sets(&all(i, j))).collect()).collect(),
        };
        let rows = pair(0, 0, 0).total();
        Ok(Comparison {
            releases: releases.iter().map(|release| release.name.clone()).collect(),
            rows,
            properties,
            sets,
        })
    }

    /// As `compare --json` prints it: matrices are releases × releases, entry [i][j] = index of i against j.
    pub fn to_json(&self) -> Value {
        let properties: Map<String, Value> = self
            .properties
            .iter()
            .map(|property| {
                let mut own = Map::new();
                for ((name, matrix), unary) in property.indices.iter().zip(&property.unary) {
                    let value = if *unary {
                        json!(matrix.iter().map(|row| row[0]).collect::<Vec<f64>>())
                    } else {
                        json!(matrix)
                    };
                    own.insert(name.clone(), value);
                }
                own.insert("dominance".into(), json!(property.dominance));
                own.insert("better".into(), json!(property.better));
                own.insert("mean".into(), json!(property.means));
                if !property.notes.is_empty() {
                    own.insert("notes".into(), json!(property.notes));
                }
                (property.name.clone(), Value::Object(own))
            })
            .collect();
        let mut sets: Map<String, Value> =
            self.sets.indices.iter().map(|(name, matrix)| (name.clone(), json!(matrix))).collect();
        sets.insert("dominance".into(), json!(self.sets.dominance));
        let preferred: Map<String, Value> =
            self.sets.preferred.iter().map(|(name, matrix)| (name.clone(), json!(matrix))).collect();
        sets.insert("preferred".into(), Value::Object(preferred));
        json!({ "releases": self.releases, "rows": self.rows, "properties": properties, "sets": sets })
    }
}
