//! Comparing solutions of a front with each other, and with releases of other tools.

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use paretonym::compare::{Comparators, Comparison, Property, Release, verdict};
use paretonym_engine::compare::{solutions, solutions_and_files};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::body;
use super::runs::front_of;
use crate::App;
use crate::answer::{Json, Refusal};
use crate::desk::compute;

/// The most points of a curve.
const CURVE_POINTS: usize = 400;

/// What is to be compared.
#[derive(Deserialize)]
pub struct Wish {
    #[serde(default)]
    solutions: Vec<u32>,
    #[serde(default)]
    files: Vec<String>,
    /// The column that tells rows apart, where a file left rows out or changed their order.
    id: Option<String>,
}

/// `POST /api/runs/RUN/compare`
pub async fn compare(
    State(app): State<Arc<App>>,
    Path(run): Path<String>,
    body: Body,
) -> Result<impl IntoResponse, Refusal> {
    let wish: Wish = body::json(body).await?;
    compute(app, move |app, watch| {
        let dir = app.folder.run(&run)?;
        front_of(app, &dir)?;
        let files = wish.files.iter().map(|name| app.folder.table(name)).collect::<Result<Vec<PathBuf>, Refusal>>()?;
        let releases = match files.is_empty() {
            true => solutions(&dir, &wish.solutions, watch)?,
            false => solutions_and_files(&dir, &wish.solutions, &files, wish.id.as_deref(), watch)?,
        };
        let comparison = Comparison::new(&releases, &Comparators::default())?;
        Ok(Json(json!({
            "comparison": comparison.to_json(),
            "verdict": verdict(&comparison),
            "curves": curves(&releases),
        })))
    })
    .await
}

/// Per property the sorted values of each release, thinned out.
fn curves(releases: &[Release]) -> Value {
    let mut curves = Map::new();
    let properties = releases.first().map_or(&[][..], |first| &first.properties);
    // What depends on the row has no value where rows could not be matched.
    let is_known = |at: usize| releases.iter().all(|one| one.properties[at].values.iter().all(|value| !value.is_nan()));
    for (at, property) in properties.iter().enumerate().filter(|(at, _)| is_known(*at)) {
        let of = |release: &Release| json!({ "release": release.name, "values": curve(&release.properties[at]) });
        curves.insert(property.name.clone(), releases.iter().map(of).collect());
    }
    Value::Object(curves)
}

/// Values at even steps along the sorted rows, the smallest and the largest among them.
fn curve(property: &Property) -> Vec<f64> {
    let rows = |at: usize| property.rows.as_ref().map_or(1, |rows| u64::from(rows[at]));
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
        let property = |values: Vec<f64>, rows: Option<Vec<u32>>| Property { name: "x".to_owned(), values, rows };
        assert_eq!(curve(&property(vec![3.0, 1.0, 2.0], None)), [1.0, 2.0, 3.0]);
        assert_eq!(curve(&property(vec![3.0, 1.0], Some(vec![1, 3]))), [1.0, 1.0, 1.0, 3.0]);
        let long = curve(&property((0..10_000).map(f64::from).collect(), None));
        assert_eq!((long.len(), long[0], long[CURVE_POINTS - 1]), (CURVE_POINTS, 0.0, 9_999.0));
        assert!(curve(&property(Vec::new(), None)).is_empty());
    }
}
