//! The ordered list of values that a column may take.

use serde::{Deserialize, Serialize};

/// How the values of a column relate to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Numbers.
    Numeric,
    /// Names with an order.
    Ordinal,
    /// Names without an order.
    #[default]
    Categorical,
}

/// The ordered leaf values of one column. A recoding joins runs of neighbouring leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// How the leaves relate.
    pub kind: Kind,
    /// The name of each leaf, in order.
    pub labels: Vec<String>,
    /// For numeric columns the interval of each leaf, `low <= x < high`; `low == high` for a single number. A leaf
    /// that stands for "missing" has NaN bounds.
    pub bounds: Option<Vec<(f64, f64)>>,
    /// The leaf that stands for "missing", where there is one. Its label alone does not tell: a value may read the same.
    pub missing: Option<u32>,
}

impl Domain {
    /// Names, ordered or not.
    pub fn of_labels(kind: Kind, labels: Vec<String>) -> Self {
        Domain { kind, labels, bounds: None, missing: None }
    }

    /// Single numbers, which must be sorted.
    pub fn of_numbers(values: &[f64]) -> Self {
        Domain {
            kind: Kind::Numeric,
            labels: values.iter().map(|value| super::format_number(*value)).collect(),
            bounds: Some(values.iter().map(|value| (*value, *value)).collect()),
            missing: None,
        }
    }

    /// Bins between sorted edges: leaf i is `[edges[i], edges[i + 1])`.
    pub fn of_bins(edges: &[f64]) -> Self {
        let bounds: Vec<(f64, f64)> = edges.windows(2).map(|edge| (edge[0], edge[1])).collect();
        let number = super::format_number;
        Domain {
            kind: Kind::Numeric,
            labels: bounds.iter().map(|(low, high)| format!("[{}, {})", number(*low), number(*high))).collect(),
            bounds: Some(bounds),
            missing: None,
        }
    }

    /// The number of leaves.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is no leaf at all.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Adds a leaf for "missing" at the end.
    pub fn push_missing(&mut self, label: &str) {
        self.missing = Some(self.labels.len() as u32);
        self.labels.push(label.to_owned());
        if let Some(bounds) = &mut self.bounds {
            bounds.push((f64::NAN, f64::NAN));
        }
    }
}
