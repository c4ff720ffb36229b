//! The certificate of a release: where it comes from, how it was made, and what the written file was measured to hold.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Audit, Claim, Diversity, Risk, SizeClass};
use crate::catalog;
use crate::data::OnMissing;
use crate::settings::CutoffRule;
use crate::study::{ColumnSpec, Roles, Study};

/// The value of `format` in a certificate.
pub const CERTIFICATE_FORMAT: &str = "paretonym-certificate/2";

/// Everything that a publisher signs, for everybody to read. It holds no row and no value of the table; what compares the
/// release with rows that are not in it is rounded up ([`Certificate::rounded`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// [`CERTIFICATE_FORMAT`].
    pub format: String,
    /// The random id of the release, under which its private part is kept.
    pub id: String,
    /// The program and its version.
    pub program: String,
    /// When it was made, in UTC.
    pub created: String,
    /// The original table.
    pub input: InputFacts,
    /// The release.
    pub output: FileFacts,
    /// Where what is under "Measured" was counted, where that was not in a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<String>,
    /// Rows of the input that are not in the release because of a missing value.
    pub dropped_for_missing: u64,
    /// Rows of the input that are not in the release because their groups are too small.
    pub suppressed: u64,
    /// Both together, as a share of all rows of the input.
    pub left_out: f64,
    /// What became of suppressed rows: dropped, or star.
    pub suppressed_rows: String,
    /// random, or kept.
    pub row_order: String,
    /// What happened to each column of the input.
    pub columns: Vec<ColumnFate>,
    /// The number of the solution in its front.
    pub solution: u32,
    /// The seed of the search.
    pub seed: u64,

    /// Size of the smallest group.
    pub k: u64,
    /// Mean over released rows of the size of their group.
    pub weighted_k: f64,
    /// l-diversity by sensitive column.
    pub l: Option<BTreeMap<String, Diversity>>,
    /// t-closeness by sensitive column, against the original table.
    pub t: Option<BTreeMap<String, f64>>,
    /// t-closeness by sensitive column, against the release itself: what anybody can measure.
    pub t_in_release: Option<BTreeMap<String, f64>>,
    /// Spread of the group sizes.
    pub necd: f64,
    /// General loss of the released rows.
    pub gl: f64,
    /// Share of suppressed rows.
    pub sl: f64,
    /// Re-identification risks.
    pub risk: Risk,
    /// How many groups and rows there are of which size.
    pub group_sizes: Vec<SizeClass>,

    /// Every loss that the table allows, as the search worked it out; these are not measured on the written file.
    pub losses: BTreeMap<String, f64>,
    /// In what ways the release tells more than its k says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Where the release repeats a saved recoding on a later table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reapplied: Option<Reapplied>,
    /// What the publisher decided: roles, problem, measures and limits.
    pub study: Commitments,
}

/// The original table, as its owner can check it and nobody else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFacts {
    /// `hmac-sha256:` and the HMAC of the file in hexadecimal digits; its key is kept in the private part of the release.
    /// Without the key it confirms no guess about a row.
    pub digest: String,
}

/// What a study decides before it looks at the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Commitments {
    /// The columns and their roles.
    pub columns: Vec<CommittedColumn>,
    /// What happened to rows with missing values.
    pub on_missing: OnMissing,
    /// The formulation.
    pub problem: String,
    /// The privacy models.
    pub privacy: Vec<String>,
    /// The loss.
    pub loss: String,
    /// The largest share of rows that might be suppressed.
    pub eta: f64,
    /// Which cut-offs were outcomes.
    pub cutoffs: CutoffRule,
    /// Levels that every solution had to have at least, by privacy model.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub at_least: BTreeMap<String, f64>,
    /// Levels that every solution had to have at most, by privacy model.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub at_most: BTreeMap<String, f64>,
    /// The optimizer.
    pub optimizer: String,
    /// single: the k that had to hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
}

/// A column and its roles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommittedColumn {
    /// Its name.
    pub name: String,
    /// Its role, or several.
    pub role: Roles,
}

impl Commitments {
    /// Of a study: nothing that comes from the data, and no path.
    pub fn of(study: &Study) -> Self {
        let search = &study.search;
        let column = |column: &ColumnSpec| CommittedColumn { name: column.name.clone(), role: column.role.clone() };
        Commitments {
            columns: study.columns.iter().map(column).collect(),
            on_missing: study.data.on_missing,
            problem: search.problem.clone(),
            privacy: search.privacy.list().into_iter().map(str::to_owned).collect(),
            loss: search.loss.clone(),
            eta: search.eta,
            cutoffs: search.cutoffs,
            at_least: search.at_least.clone(),
            at_most: search.at_most.clone(),
            optimizer: search.optimizer.clone(),
            k: catalog::problem_parameter(search, "k").and_then(|k| k.parse().ok()),
        }
    }
}

/// A file, as anybody can check it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Its name, without the folder.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
    /// Its rows.
    pub rows: u64,
}

/// What happened to a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnFate {
    /// Its name.
    pub name: String,
    /// dropped, token, recoded or kept.
    pub fate: String,
}

/// A saved recoding on a later table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reapplied {
    /// The file that holds the recoding.
    pub recoding: String,
    /// The k that was enforced.
    pub enforced_k: u64,
    /// Rows with a value that the recoding does not know, suppressed for it.
    pub unknown_rows: u64,
    /// Distinct values that went to the nearest known one, by column.
    pub moved_values: BTreeMap<String, u64>,
    /// Rows in no region of a local recoding, that show the nearest one.
    #[serde(default)]
    pub moved_rows: u64,
    /// The best that a search on the later table itself found, for comparison.
    pub fresh: Option<Fresh>,
    /// Why there is no such comparison, where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_fresh: Option<String>,
    /// What a search that failed said, for the publisher alone: it may name files and values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// The least loss at the enforced k that a search on the later table itself found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fresh {
    /// The optimizer.
    pub optimizer: String,
    /// Whether that is proven to be the optimum.
    pub exact: bool,
    /// Size of the smallest group.
    pub k: u64,
    /// General loss of the kept rows.
    pub gl: f64,
    /// Share of suppressed rows.
    pub sl: f64,
    /// General loss, suppressed rows included.
    pub loss: f64,
    /// The loss of the repeated recoding divided by it.
    pub ratio: f64,
}

impl Certificate {
    /// Takes over what an audit of the written file measured.
    pub fn measured(&mut self, audit: &Audit, measured: &Claim) {
        self.k = audit.k;
        self.weighted_k = audit.weighted_k;
        self.l.clone_from(&audit.l);
        self.t.clone_from(&audit.t_original);
        self.t_in_release.clone_from(&audit.t);
        self.necd = audit.necd;
        self.gl = measured.gl;
        self.sl = measured.sl;
        self.risk = audit.risk;
        self.group_sizes.clone_from(&audit.group_sizes);
    }
}
