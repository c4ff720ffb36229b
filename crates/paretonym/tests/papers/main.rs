//! The worked examples of the papers. Each assertion names its table, figure or equation.
//!
//! S0 is Dewri et al., JCS 2011; S1 their preference-based search; S3 POkA, CIKM 2009; S4 Iyengar, KDD 2002.

mod adult;
mod s0;
mod s1;
mod s3;
mod s4;
#[path = "../support/mod.rs"]
mod support;

use paretonym::group::{FrequencyTable, Grouping, Kept, Suppressed};
use paretonym::measure::{LossParts, loss_parts};
use paretonym::recode::{BreakBits, ColumnRecoding};
use paretonym::settings::SearchSettings;

/// Equal but for rounding.
fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-12, "{what}: {found}, not {expected}");
}

/// The two parts of a loss.
fn loss(name: &str, table: &FrequencyTable, grouping: &Grouping, suppressed: &Suppressed) -> LossParts {
    let loss = paretonym::catalog::loss(name, table, &SearchSettings::default()).unwrap();
    loss_parts(loss.as_ref(), &Kept { table, grouping, suppressed })
}

/// Runs of a column's leaves, separated in front of the named leaves.
fn runs(table: &FrequencyTable, column: usize, starts: &[&str]) -> ColumnRecoding {
    let labels = &table.columns[column].domain.labels;
    assert!(starts.iter().all(|start| labels.iter().any(|label| label == start)), "{starts:?} in {labels:?}");
    ColumnRecoding::Breaks(BreakBits::from_flags(labels[1..].iter().map(|label| starts.contains(&label.as_str()))))
}
