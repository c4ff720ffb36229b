//! What a release claims, and what an audit of the written file must find.

use serde::{Deserialize, Serialize};

use super::Audit;
use crate::catalog;
use crate::front::Solution;
use crate::measure::{Call, Diversity};

/// Losses and distances that were added up in another order differ in their last digits.
const TOLERANCE: f64 = 1e-9;

/// What is said of a release before it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// Rows in the file.
    pub rows: u64,
    /// Rows left out because their groups are too small.
    pub suppressed: u64,
    /// Groups.
    pub groups: u64,
    /// Size of the smallest group.
    pub k: u64,
    /// The least l over the sensitive columns.
    pub l: Option<f64>,
    /// The form of l-diversity that `l` is in, as the catalogue spells it.
    pub l_form: Option<String>,
    /// The largest t over the sensitive columns, against the original table.
    pub t: Option<f64>,
    /// General loss of the kept rows.
    pub gl: f64,
    /// Share of suppressed rows.
    pub sl: f64,
}

/// A number that does not come out as claimed.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What it is.
    pub what: &'static str,
    /// What was claimed.
    pub claimed: f64,
    /// What was measured.
    pub measured: f64,
}

impl Claim {
    /// What a solution of a front says of the table that it was found for.
    pub fn of(solution: &Solution, rows: u64, privacy: &[String]) -> Self {
        let suppressed = solution.suppressed.unwrap_or_default();
        Claim {
            rows: rows - suppressed,
            suppressed,
            groups: solution.groups,
            k: solution.k,
            l: solution.l,
            l_form: solution.l.map(|_| catalog::diversity(privacy).0.to_owned()),
            t: solution.t,
            gl: solution.gl,
            sl: solution.sl,
        }
    }

    /// The c that the recursive form of l-diversity needs.
    pub fn recursive_c(&self) -> f64 {
        let call = self.l_form.as_deref().and_then(|form| Call::parse(form).ok());
        call.and_then(|call| call.number("c", 2.0).ok()).unwrap_or(2.0)
    }

    /// Where two claims differ.
    pub fn differences(&self, other: &Claim) -> Vec<Difference> {
        let pairs = [
            ("rows", self.rows as f64, other.rows as f64),
            ("suppressed rows", self.suppressed as f64, other.suppressed as f64),
            ("groups", self.groups as f64, other.groups as f64),
            ("k", self.k as f64, other.k as f64),
            ("l", self.l.unwrap_or(0.0), other.l.unwrap_or(0.0)),
            ("t", self.t.unwrap_or(0.0), other.t.unwrap_or(0.0)),
            ("general loss", self.gl, other.gl),
        ];
        let far = |claimed: f64, measured: f64| {
            (claimed - measured).abs() > TOLERANCE * claimed.abs().max(measured.abs()).max(1.0)
        };
        pairs
            .into_iter()
            .filter(|(_, claimed, measured)| far(*claimed, *measured))
            .map(|(what, claimed, measured)| Difference { what, claimed, measured })
            .collect()
    }

    /// What an audit found, in the terms of this claim. `gl` is the loss of the labels in the file, and `suppressed`
    /// the rows that were not written.
    pub fn measured(&self, audit: &Audit, suppressed: u64, gl: f64) -> Claim {
        let form = catalog::diversity(&self.l_form).1;
        let l = audit.l.iter().flatten().map(|(_, l)| match form {
            Diversity::Distinct => l.distinct as f64,
            Diversity::Entropy => l.entropy,
            Diversity::Recursive => l.recursive as f64,
            Diversity::Frequency => l.frequency as f64,
        });
        let t = audit.t_original.iter().flatten().map(|(_, t)| *t);
        let rows = audit.rows + suppressed;
        Claim {
            rows: audit.rows,
            suppressed,
            groups: audit.groups,
            k: audit.k,
            l: self.l.map(|_| l.fold(f64::INFINITY, f64::min)),
            l_form: self.l_form.clone(),
            t: self.t.map(|_| t.fold(0.0, f64::max)),
            gl,
            sl: suppressed as f64 / rows.max(1) as f64,
        }
    }
}
