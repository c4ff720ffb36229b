//! Comparing solutions of a front with each other, and with releases of other tools.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use paretonym::compare::{Comparators, Comparison, Property, Release, verdict};
use paretonym_engine::compare::{solutions, solutions_and_files};
use paretonym_engine::folder::OpenRun;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::body;
use super::runs::front_of;
use super::solution::counted_run;
use crate::App;
use crate::answer::{Json, Refusal};
use crate::desk::compute;

/// The most points of a curve.
const CURVE_POINTS: usize = 400;

/// What is to be compared.
#[derive(Deserialize)]
pub struct CompareWish {
    #[serde(default)]
    solutions: Vec<u32>,
    #[serde(default)]
    files: Vec<String>,
    /// The column that tells rows apart, where a file left rows out or changed their order.
    id: Option<String>,
}

/// Releases side by side.
#[derive(Serialize)]
pub struct Compared {
    /// As `compare --json` prints it.
    comparison: Value,
    verdict: Vec<String>,
    /// Per property the sorted values of each release, thinned out.
    curves: BTreeMap<String, Vec<Curve>>,
}

/// The values of a release.
#[derive(Serialize)]
pub struct Curve {
    release: String,
    values: Vec<f64>,
}

/// `POST /api/runs/RUN/compare`
pub async fn compare(
    State(app): State<Arc<App>>,
    Path(run): Path<String>,
    body: Body,
) -> Result<impl IntoResponse, Refusal> {
    let wish: CompareWish = body::json(body).await?;
    compute(app, move |app, watch| {
        let dir = app.folder.run(&run)?;
        front_of(app, &dir)?;
        let files = wish.files.iter().map(|name| app.folder.table(name)).collect::<Result<Vec<PathBuf>, Refusal>>()?;
        let counted = counted_run(app, &dir, watch)?;
        let run = OpenRun::open(&dir)?;
        let (table, id) = (&counted.table, wish.id.as_deref());
        let releases = match files.is_empty() {
            true => solutions(&run, table, &wish.solutions, watch)?,
            false => solutions_and_files(&run, table, &wish.solutions, &files, id, watch)?,
        };
        let comparison = Comparison::new(&releases, &Comparators::default())?;
        Ok(Json(Compared {
            comparison: comparison.to_json(),
            verdict: verdict(&comparison),
            curves: curves(&releases),
        }))
    })
    .await
}

fn curves(releases: &[Release]) -> BTreeMap<String, Vec<Curve>> {
    let mut curves = BTreeMap::new();
    let properties = releases.first().map_or(&[][..], |first| &first.properties);
    // What depends on the row has no value where rows could not be matched.
    let is_known = |at: usize| releases.iter().all(|one| one.properties[at].values.iter().all(|value| !value.is_nan()));
    for (at, property) in properties.iter().enumerate().filter(|(at, _)| is_known(*at)) {
        let of = |release: &Release| Curve { release: release.name.clone(), values: curve(&release.properties[at]) };
        curves.insert(property.kind.name(), releases.iter().map(of).collect());
    }
    curves
}

/// Values at even steps along the sorted rows, the smallest and the largest among them.
fn curve(property: &Property) -> Vec<f64> {
    let rows = |at: usize| property.rows.as_ref().map_or(1, |rows| rows[at]);
    let mut values: Vec<(f64, u64)> =
        property.values.iter().enumerate().map(|(at, value)| (*value, rows(at))).collect();
    values.sort_by(|one, two| one.0.total_cmp(&two.0));
    let total: u64 = values.iter().map(|(_, rows)| rows).sum();
    let points = usize::try_from(total).unwrap_or(CURVE_POINTS).min(CURVE_POINTS);
    let mut curve = Vec::with_capacity(points);
    let (mut at, mut end) = (0, values.first().map_or(0, |(_, rows)| *rows));
    for point in 0..points {
        let row = if points > 1 { point as u64 * (total - 1) / (points as u64 - 1) } else { 0 };
        while end <= row {
            at += 1;
            end += values[at].1;
        }
        curve.push(values[at].0);
    }
    curve
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_both_ends() {
        let property = |values: Vec<f64>, rows: Option<Vec<u64>>| Property {
            kind: paretonym::compare::PropertyKind::GroupSize,
            values,
            rows,
        };
        assert_eq!(curve(&property(vec![3.0, 1.0, 2.0], None)), [1.0, 2.0, 3.0]);
        assert_eq!(curve(&property(vec![3.0, 1.0], Some(vec![1, 3]))), [1.0, 1.0, 1.0, 3.0]);
        let long = curve(&property((0..10_000).map(f64::from).collect(), None));
        assert_eq!((long.len(), long[0], long[CURVE_POINTS - 1]), (CURVE_POINTS, 0.0, 9_999.0));
        assert!(curve(&property(Vec::new(), None)).is_empty());
    }
}
