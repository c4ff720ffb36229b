//! Every comparator on every pair of releases: the content of `compare --json`.

use serde_json::{Map, Value, json};

use super::pairs::Pairs;
use super::{Comparators, Dominance, Matched, PropertyKind, Release};
use crate::error::Result;

/// One property of all releases.
#[derive(Clone, Debug)]
pub struct PropertyComparison {
    /// Which property it is.
    pub kind: PropertyKind,
    /// Per comparator its name and its index of each release against each other; no number (NaN) where it takes rows and
    /// these cannot be matched. Unary ones have the same index along a row.
    pub indices: Vec<(String, Vec<Vec<f64>>)>,
    /// What each of them looks at.
    pub(super) shapes: Vec<IndexShape>,
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

/// What an index looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexShape {
    /// Two releases, row by row.
    Pairs,
    /// One release, row by row.
    RowsAlone,
    /// One release as a whole.
    Alone,
}

/// All properties together.
#[derive(Clone, Debug)]
pub struct SetComparison {
    /// Per comparator its name and index of each release against each other.
    pub indices: Vec<(String, Vec<Vec<f64>>)>,
    /// Which of two releases each comparator prefers: 1 the row's, -1 the column's, 0 neither.
    pub preferred: Vec<(String, Vec<Vec<Option<i32>>>)>,
    /// The same for comparators that can be told in a word.
    pub in_words: Vec<(String, Vec<Vec<Option<i32>>>)>,
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
        let pairs = Pairs::of(releases)?;
        Ok(Comparison {
            releases: releases.iter().map(|release| release.name.clone()).collect(),
            matched: releases.iter().map(|release| release.matched).collect(),
            notes: releases.iter().flat_map(|release| &release.notes).cloned().collect(),
            rows: pairs.vectors(0, 0, 0).total(),
            properties: (0..pairs.properties()).map(|at| pairs.property(at, comparators)).collect(),
            sets: pairs.sets(comparators),
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
            for ((name, matrix), shape) in property.indices.iter().zip(&property.shapes) {
                let value = match shape {
                    IndexShape::RowsAlone => of_rows(json!(first_column(matrix))),
                    IndexShape::Alone => json!(first_column(matrix)),
                    IndexShape::Pairs => of_rows(told(matrix)),
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
            properties.insert(property.kind.name(), Value::Object(own));
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
