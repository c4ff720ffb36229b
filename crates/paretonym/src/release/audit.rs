//! What an audit finds in a file. The engine counts; these are the results, named as `audit --json` prints them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What one file gives away, measured on its rows alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Audit {
    /// Rows that were measured.
    pub rows: u64,
    /// Rows that show nothing but stars and were left out of every other number.
    pub suppressed_rows: u64,
    /// Groups: distinct combinations of the quasi columns.
    pub groups: u64,
    /// Size of the smallest group.
    pub k: u64,
    /// Rows per group.
    pub average_group: f64,
    /// Mean over rows of the size of their group.
    pub weighted_k: f64,
    /// Spread of the group sizes (S1).
    pub necd: f64,
    /// l-diversity by sensitive column.
    pub l: Option<BTreeMap<String, Diversity>>,
    /// t-closeness by sensitive column; the reference is the file itself.
    pub t: Option<BTreeMap<String, f64>>,
    /// t-closeness by sensitive column against the original table, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t_original: Option<BTreeMap<String, f64>>,
    /// How the distance of t was measured: nominal, ordered or tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t_distance: Option<BTreeMap<String, String>>,
    /// (alpha,k): the largest share of one sensitive value in a group, by sensitive column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<BTreeMap<String, f64>>,
    /// Re-identification risks.
    pub risk: Risk,
    /// Sum over groups of the squared size.
    pub discernibility: f64,
    /// How many groups and rows there are of which size.
    pub group_sizes: Vec<SizeClass>,
    /// Which few columns make most rows unique, worst first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub combinations: Vec<Combination>,
    /// Rows in groups smaller than a wanted k, where asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<Below>,
}

/// The forms of l-diversity of one sensitive column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Diversity {
    /// floor(group size / count of the most frequent value).
    pub frequency: u64,
    /// Distinct values; also the p of p-sensitive k-anonymity.
    pub distinct: u64,
    /// exp of the entropy.
    pub entropy: f64,
    /// The largest l with r_1 < c (r_l + ... + r_m).
    pub recursive: u64,
    /// The c of the recursive form.
    pub c: f64,
}

/// How likely a person is found in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Risk {
    /// The largest risk of a row: 1 / size of the smallest group.
    pub highest: f64,
    /// The mean risk over rows: groups / rows.
    pub average: f64,
    /// Share of rows that are alone in their group.
    pub share_of_unique_rows: f64,
    /// The risk above which a row counts as exposed.
    pub threshold: f64,
    /// Share of rows whose risk is above the threshold.
    pub share_over_threshold: f64,
    /// The attacker knows that the person is in the file.
    pub prosecutor: Attack,
    /// The attacker does not know that; group sizes are those of the population, where one was given.
    pub journalist: Attack,
    /// The share of rows that an attacker who matches all of them against the population gets right.
    pub marketer: f64,
    /// Rows of the population file, where one was given; otherwise the file is its own population.
    pub population: Option<u64>,
}

/// One kind of attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Attack {
    /// The largest risk of a row.
    pub highest: f64,
    /// The mean risk over rows.
    pub average: f64,
    /// Share of rows whose risk is above the threshold.
    pub share_over_threshold: f64,
}

/// Groups of similar size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeClass {
    /// The smallest size of the class.
    pub from: u64,
    /// The largest size of the class; none for the last.
    pub to: Option<u64>,
    /// Groups.
    pub groups: u64,
    /// Rows in them.
    pub rows: u64,
}

/// What a few columns give away together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Combination {
    /// The columns.
    pub columns: Vec<String>,
    /// Distinct combinations of their values.
    pub groups: u64,
    /// Size of the smallest group.
    pub k: u64,
    /// Rows that these columns alone make unique.
    pub unique_rows: u64,
    /// The same as a share of all rows.
    pub share_of_unique_rows: f64,
}

/// Rows in groups smaller than a wanted k.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Below {
    /// The wanted k.
    pub k: u64,
    /// The rows, counted from 1; a line of names is not a row.
    pub rows: Vec<u64>,
}
