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
    /// For numeric columns the interval of each leaf, `low <= x < high`; `low == high` for a single number; infinite where
    /// it has no end. A leaf that stands for "missing" has NaN bounds.
    pub bounds: Option<Vec<(f64, f64)>>,
    /// The leaf that stands for "missing", where there is one; it is the last. Its label alone does not tell: a value may
    /// read the same.
    pub missing: Option<u32>,
    /// What lies within the leaves, where they are bins that were made from the values of the data: then a leaf is more
    /// than one value, and showing it loses something.
    pub within: Option<Within>,
    /// The level of the column's hierarchy whose names are the ends of an interval of leaves; 0 where the leaves' own
    /// names are. Dates end at months, so that an interval does not tell the days of two persons.
    pub interval_level: usize,
}

/// The values of the data that lie within each leaf of a domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Within {
    /// Distinct values in the leaves before each leaf, and in all of them at the end.
    before: Vec<u32>,
    /// The mean over the rows of each leaf of ln(rows with their value / rows of the leaf).
    log_shares: Vec<f64>,
    /// The smallest and the largest value.
    extent: (f64, f64),
}

/// The name of an interval of numbers: `[low, high)`, or `[low, high]` where its upper end belongs to it, or `< high`
/// and `>= low` where it has no end.
pub fn interval_label(low: f64, high: f64, closed: bool) -> String {
    let number = super::format_number;
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("[{}, {}{}", number(low), number(high), if closed { ']' } else { ')' }),
        (false, true) => format!("< {}", number(high)),
        (true, false) => format!(">= {}", number(low)),
        (false, false) => "*".to_owned(),
    }
}

impl Domain {
    /// Names, ordered or not.
    pub fn of_labels(kind: Kind, labels: Vec<String>) -> Self {
        Domain { kind, labels, bounds: None, missing: None, within: None, interval_level: 0 }
    }

    /// Single numbers, which must be sorted.
    pub fn of_numbers(values: &[f64]) -> Self {
        Domain {
            kind: Kind::Numeric,
            labels: values.iter().map(|value| super::format_number(*value)).collect(),
            bounds: Some(values.iter().map(|value| (*value, *value)).collect()),
            missing: None,
            within: None,
            interval_level: 0,
        }
    }

    /// Bins between sorted edges: leaf i is `[edges[i], edges[i + 1])`.
    pub fn of_bins(edges: &[f64]) -> Self {
        let bounds: Vec<(f64, f64)> = edges.windows(2).map(|edge| (edge[0], edge[1])).collect();
        Domain {
            kind: Kind::Numeric,
            labels: bounds.iter().map(|(low, high)| interval_label(*low, *high, false)).collect(),
            bounds: Some(bounds),
            missing: None,
            within: None,
            interval_level: 0,
        }
    }

    /// Bins without an end below the first and above the last of some sorted edges, made for the distinct `values` of the
    /// data, which come ascending with their rows.
    pub fn of_values_between(edges: &[f64], values: &[(f64, u64)]) -> Self {
        let open: Vec<f64> =
            [f64::NEG_INFINITY].into_iter().chain(edges.iter().copied()).chain([f64::INFINITY]).collect();
        let mut domain = Domain::of_bins(&open);
        let place = |edge: f64| values.partition_point(|(value, _)| *value < edge);
        let ends: Vec<usize> = open.iter().map(|edge| place(*edge)).collect();
        let log_share = |ends: &[usize]| {
            let own = &values[ends[0]..ends[1]];
            let rows: u64 = own.iter().map(|(_, rows)| rows).sum();
            let logs = own.iter().filter(|(_, rows)| *rows > 0).map(|(_, rows)| *rows as f64 * (*rows as f64).ln());
            if rows > 0 { logs.sum::<f64>() / rows as f64 - (rows as f64).ln() } else { 0.0 }
        };
        let log_shares = ends.windows(2).map(log_share).collect();
        // A bin that holds no value of the data can still be shown, and counts as one.
        let mut before = vec![0u32];
        before.extend(ends.windows(2).scan(0, |sum, ends| {
            *sum += (ends[1] - ends[0]).max(1) as u32;
            Some(*sum)
        }));
        let end = |at: Option<&(f64, u64)>| at.map_or(0.0, |(value, _)| *value);
        domain.within = Some(Within { before, log_shares, extent: (end(values.first()), end(values.last())) });
        domain
    }

    /// How many values lie in the leaves from `first` to before `end`. A leaf is one value unless it is a bin of the
    /// data's own values.
    pub fn values(&self, first: usize, end: usize) -> u32 {
        match &self.within {
            Some(within) => within.before[end] - within.before[first],
            None => (end - first) as u32,
        }
    }

    /// How many values there are.
    pub fn size(&self) -> u32 {
        self.values(0, self.len())
    }

    /// What is added to ln(rows of a leaf) for the mean over its rows of ln(rows of their value).
    pub fn log_share(&self, leaf: usize) -> f64 {
        self.within.as_ref().map_or(0.0, |within| within.log_shares[leaf])
    }

    /// The bounds of some leaves, with the ends of the data in place of what is open; none where a leaf has no place on the
    /// line, or the values are no numbers.
    pub fn span(&self, first: usize, end: usize) -> Option<(f64, f64)> {
        let bounds = self.bounds.as_ref()?[first..end].iter().filter(|(low, _)| !low.is_nan());
        let (low, high) =
            bounds.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), own| (low.min(own.0), high.max(own.1)));
        let (least, most) = self.within.as_ref().map_or((low, high), |within| within.extent);
        (low <= high).then(|| (if low.is_finite() { low } else { least }, if high.is_finite() { high } else { most }))
    }

    /// A number that stands for a leaf: itself, the middle of a bin, or the end of one that has only one.
    pub fn middle(&self, leaf: usize) -> Option<f64> {
        let (low, high) = *self.bounds.as_ref()?.get(leaf)?;
        match (low.is_finite(), high.is_finite()) {
            (true, true) => Some((low + high) / 2.0),
            (true, false) => Some(low),
            (false, true) => Some(high),
            (false, false) => None,
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

    /// Runs of leaves as leaves of their own, each with all values of its run: `first` is the first leaf of each run, and the
    /// number of leaves at the end.
    pub fn joined(&self, first: &[u32], labels: &[String]) -> Self {
        let runs = || first.windows(2).map(|ends| (ends[0] as usize, ends[1] as usize));
        let span = |(start, end)| self.span(start, end).unwrap_or((f64::NAN, f64::NAN));
        let alone = |leaf: u32| runs().position(|run| run == (leaf as usize, leaf as usize + 1));
        let ends = self.span(0, self.len()).unwrap_or_default();
        Domain {
            kind: self.kind,
            labels: labels.to_vec(),
            bounds: self.bounds.as_ref().map(|_| runs().map(span).collect()),
            missing: self.missing.and_then(alone).map(|run| run as u32),
            within: Some(Within {
                before: first.iter().map(|leaf| self.values(0, *leaf as usize)).collect(),
                // What rows have which value of a run is not known of groups that show the run.
                log_shares: vec![0.0; labels.len()],
                extent: self.within.as_ref().map_or(ends, |within| within.extent),
            }),
            interval_level: 0,
        }
    }

    /// Adds a leaf for "missing" at the end.
    pub fn push_missing(&mut self, label: &str) {
        self.missing = Some(self.labels.len() as u32);
        self.labels.push(label.to_owned());
        if let Some(bounds) = &mut self.bounds {
            bounds.push((f64::NAN, f64::NAN));
        }
        if let Some(within) = &mut self.within {
            within.before.push(within.before.last().copied().unwrap_or_default() + 1);
            within.log_shares.push(0.0);
        }
    }
}
