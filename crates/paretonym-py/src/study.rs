//! Studies, which Python holds as the JSON of their TOML.

use std::path::Path;

use paretonym::data::Source;
use paretonym::draft::draft_keeping;
use paretonym::study::Study;
use paretonym_engine::profile;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::{garbled, raised};
use crate::work::work;

/// A study from its JSON.
pub fn study_of(text: &str) -> PyResult<Study> {
    let study: Study = serde_json::from_str(text).map_err(garbled)?;
    study.data.check().map_err(raised)?;
    Ok(study)
}

/// The JSON of anything.
pub fn text_of(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(garbled)
}

/// A study of a table that nobody has described, what led to it, and what each column holds.
#[pyfunction]
#[pyo3(signature = (source, keep, told = None))]
pub fn draft(py: Python<'_>, source: &str, keep: Vec<String>, told: Option<Py<PyAny>>) -> PyResult<String> {
    let source: Source = serde_json::from_str(source).map_err(garbled)?;
    let found = work(py, told, None, |watch| profile(&source, watch))?;
    let draft = draft_keeping(&source, &found, &keep).map_err(raised)?;
    let study = Study::from_toml(&draft.text, "the draft").map_err(raised)?;
    let columns = found.columns.iter().zip(&study.columns).zip(&draft.reasons);
    let columns = columns.map(|((found, column), reason)| {
        json!({ "reason": reason, "shown": column.shown(), "min": found.min, "max": found.max })
    });
    let columns: Vec<Value> = columns.collect();
    let missing = draft.incomplete.map(|incomplete| incomplete.words());
    text_of(&json!({ "study": study, "columns": columns, "rows": found.rows, "missing": missing }))
}

/// A study from its TOML; paths in it are relative to a folder.
#[pyfunction]
pub fn study_from_toml(text: &str, place: &str, folder: &str) -> PyResult<String> {
    let mut study = Study::from_toml(text, place).map_err(raised)?;
    if !folder.is_empty() {
        study.resolve(Path::new(folder));
    }
    text_of(&study)
}

/// The study in a file.
#[pyfunction]
pub fn read_study(path: &str) -> PyResult<String> {
    text_of(&paretonym_engine::folder::read_study(Path::new(path)).map_err(raised)?)
}

/// The TOML of a study.
#[pyfunction]
pub fn study_to_toml(study: &str) -> PyResult<String> {
    toml::to_string_pretty(&study_of(study)?).map_err(garbled)
}

/// Checks what can be checked before the table is read; what a release would show of each column.
#[pyfunction]
pub fn check_study(study: &str) -> PyResult<Vec<String>> {
    let study = study_of(study)?;
    study.validate().map_err(raised)?;
    Ok(study.columns.iter().map(|column| column.shown()).collect())
}
