//! Releases, and recodings that are used again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use paretonym::release::{Enforce, SavedRecoding, Shown, Unknown};
use paretonym_engine::release::private::find_recoding;
use paretonym_engine::release::{self, ReapplyOptions, ReleaseOptions};
use pyo3::prelude::*;
use serde_json::Value;

use crate::errors::{StudyError, garbled, raised};
use crate::frame::{Frame, read_frame};
use crate::study::text_of;
use crate::work::work;

/// A release that was written, measured and certified.
#[pyclass(frozen, module = "paretonym._native")]
pub struct Released {
    done: release::Released,
    /// The folder of the run, where another release of the recoding keeps its private part.
    home: Option<PathBuf>,
}

impl Released {
    pub fn new(done: release::Released, home: Option<PathBuf>) -> Self {
        Released { done, home }
    }
}

#[pymethods]
impl Released {
    /// The certificate, for everybody.
    #[getter]
    fn certificate(&self) -> PyResult<String> {
        text_of(&self.done.certificate)
    }

    /// The same without rounding, for the publisher.
    #[getter]
    fn exact(&self) -> PyResult<String> {
        text_of(&self.done.exact)
    }

    /// The release, where it is in memory.
    #[getter]
    fn frame(&self) -> Option<Frame> {
        self.done.frame.as_ref().map(|frame| Frame(Arc::clone(frame)))
    }

    /// The release as a table that others can look at; none where the folder of its run keeps what is known of it.
    fn lent(&self, py: Python<'_>) -> PyResult<Option<Frame>> {
        let (Some(origin), Some(path)) = (&self.done.origin, self.done.files.last()) else { return Ok(self.frame()) };
        let frame = read_frame(py, &path.to_string_lossy())?;
        frame.0.remember(origin);
        Ok(Some(frame))
    }

    /// The public files, the release last.
    #[getter]
    fn files(&self) -> Vec<PathBuf> {
        self.done.files.clone()
    }

    /// The folder of the private part.
    #[getter]
    fn private(&self) -> Option<PathBuf> {
        self.done.private.clone()
    }

    /// The folder of the run that it came from.
    #[getter]
    fn home(&self) -> Option<PathBuf> {
        self.home.clone()
    }

    /// The quasi columns.
    #[getter]
    fn quasi(&self) -> Vec<String> {
        self.done.saved.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// The whole recoding, which is private.
    fn recoding(&self) -> PyResult<String> {
        text_of(&self.done.saved)
    }
}

/// What a release looks like.
pub fn options_of(text: &str) -> PyResult<ReleaseOptions> {
    let wish: Value = serde_json::from_str(text).map_err(garbled)?;
    let yes = |name: &str| wish[name].as_bool().unwrap_or_default();
    let default = ReleaseOptions::default();
    Ok(ReleaseOptions {
        tokens: yes("tokens"),
        stars: yes("stars"),
        keep_order: yes("keep_order"),
        shown: if yes("median") { Shown::Median } else { Shown::Labels },
        seed: wish["seed"].as_u64(),
        threshold: wish["threshold"].as_f64().unwrap_or(default.threshold),
        force: yes("force"),
        allow_k1: yes("allow_k1"),
    })
}

/// The recoding of a release on a later table: a place, as sources name it.
#[pyfunction]
#[pyo3(signature = (recoding, home, place, out, options, told = None))]
pub fn reapply(
    py: Python<'_>,
    recoding: &str,
    home: Option<PathBuf>,
    place: &str,
    out: Option<PathBuf>,
    options: &str,
    told: Option<Py<PyAny>>,
) -> PyResult<Released> {
    let saved = SavedRecoding::from_json(recoding, "the recoding").map_err(raised)?;
    again(py, (saved, home), "an earlier release", place, out, options, told)
}

/// The same for the recoding beside a release in a file, whose private part is in the folder `front` or is looked for.
#[pyfunction]
#[pyo3(signature = (recoding, front, place, out, options, told = None))]
pub fn reapply_file(
    py: Python<'_>,
    recoding: PathBuf,
    front: Option<PathBuf>,
    place: &str,
    out: Option<PathBuf>,
    options: &str,
    told: Option<Py<PyAny>>,
) -> PyResult<Released> {
    let (saved, home) = find_recoding(&recoding, front.as_deref()).map_err(raised)?;
    let name = recoding.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    again(py, (saved, Some(home)), &name, place, out, options, told)
}

fn again(
    py: Python<'_>,
    (saved, home): (SavedRecoding, Option<PathBuf>),
    name: &str,
    place: &str,
    out: Option<PathBuf>,
    options: &str,
    told: Option<Py<PyAny>>,
) -> PyResult<Released> {
    let wish: Value = serde_json::from_str(options).map_err(garbled)?;
    let options = options_of(options)?;
    let again = ReapplyOptions {
        enforce: Enforce { k: wish["k"].as_u64().unwrap_or(saved.k), l: wish["l"].as_f64(), t: wish["t"].as_f64() },
        unknown: match wish["unknown"].as_str() {
            None | Some("error") => Unknown::Error,
            Some("nearest") => Unknown::Nearest,
            Some("suppress") => Unknown::Suppress,
            Some(other) => {
                let known = "choose one of: error, nearest, suppress";
                return Err(StudyError::new_err(format!("there is no way {other:?} to treat unknown values; {known}")));
            }
        },
        fresh: wish["fresh"].as_bool().unwrap_or_default(),
    };
    let done = work(py, told, None, |watch| {
        release::release_again(
            (&saved, home.as_deref()),
            name,
            Path::new(place),
            out.as_deref(),
            &again,
            &options,
            watch,
        )
    })?;
    Ok(Released::new(done, home))
}
