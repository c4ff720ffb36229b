//! What is measured of releases, whoever made them, and the catalogue of measures.

use std::path::PathBuf;

use paretonym::catalog as entries;
use paretonym::compare::{Comparators, Comparison, verdict};
use paretonym::data::Source;
use paretonym_engine::audit::{AuditRequest, Distance, SensitiveColumn, audit as audit_table};
use paretonym_engine::compare::Files;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::{StudyError, garbled, raised};
use crate::study::text_of;
use crate::work::work;

/// Measures a table: a place, as sources name it.
#[pyfunction]
#[pyo3(signature = (place, quasi, sensitive, options, told = None))]
pub fn audit(
    py: Python<'_>,
    place: &str,
    quasi: Vec<String>,
    sensitive: Vec<String>,
    options: &str,
    told: Option<Py<PyAny>>,
) -> PyResult<String> {
    let wish: Value = serde_json::from_str(options).map_err(garbled)?;
    if quasi.is_empty() {
        return Err(StudyError::new_err(
            "name the columns by which a person can be found, such as quasi=[\"age\", \"zip\"]",
        ));
    }
    let mut request = AuditRequest::of(quasi);
    request.sensitive =
        sensitive.into_iter().map(|name| SensitiveColumn { name, distance: Distance::Guessed }).collect();
    request.ignore_suppressed = wish["ignore_suppressed"].as_bool().unwrap_or_default();
    request.threshold = wish["threshold"].as_f64().unwrap_or(request.threshold);
    request.combinations = wish["combinations"].as_u64().unwrap_or(3) as usize;
    request.below = wish["below"].as_u64();
    request.population = wish["population"].as_str().map(Source::at);
    let source = Source::at(place);
    let audited = work(py, told, None, |watch| audit_table(&source, &request, watch))?;
    text_of(&audited.audit)
}

/// Compares releases of a table: places, as sources name them.
#[pyfunction]
#[pyo3(signature = (original, releases, quasi, sensitive, id, front, told = None))]
#[allow(clippy::too_many_arguments)]
pub fn compare(
    py: Python<'_>,
    original: &str,
    releases: Vec<PathBuf>,
    quasi: Vec<String>,
    sensitive: Vec<String>,
    id: Option<String>,
    front: Option<PathBuf>,
    told: Option<Py<PyAny>>,
) -> PyResult<String> {
    if releases.len() < 2 || quasi.is_empty() {
        let advice = "name the original, at least two releases of it, and the columns that they recode: \
                      compare(people, one, other, quasi=[\"age\", \"zip\"])";
        return Err(StudyError::new_err(advice));
    }
    let original = Source::at(original);
    let files = Files {
        original: &original,
        releases: &releases,
        quasi: &quasi,
        sensitive: &sensitive,
        id: id.as_deref(),
        front: front.as_deref(),
    };
    let (read, audits) = work(py, told, None, |watch| {
        let read = files.read(watch)?;
        let matched = read.iter().all(|release| release.matched.is_some());
        let audits = if matched { Vec::new() } else { files.audits(watch)? };
        Ok((read, audits))
    })?;
    let comparison = Comparison::new(&read, &Comparators::default()).map_err(raised)?;
    let mut told = comparison.to_json();
    told["verdict"] = json!(verdict(&comparison));
    told["notes"] = json!(read.iter().flat_map(|release| &release.notes).collect::<Vec<_>>());
    if !audits.is_empty() {
        told["audits"] = json!(audits);
    }
    text_of(&told)
}

/// Every measure, problem and optimizer; or the page of one of them.
#[pyfunction]
#[pyo3(signature = (name = None))]
pub fn catalog(name: Option<&str>) -> PyResult<String> {
    match name {
        None => text_of(&entries::to_json()),
        Some(name) => text_of(&entries::page(name).map_err(raised)?.to_json()),
    }
}
