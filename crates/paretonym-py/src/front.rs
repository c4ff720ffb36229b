//! Fronts: in a folder, as the program keeps them, or in memory.

use std::path::{Path, PathBuf};
use std::time::Duration;

use paretonym::engine::Watch;
use paretonym::error::Result;
use paretonym::front::{FrontFile, Limits, choose};
use paretonym::recode::Regions;
use paretonym::study::{Study, count, run};
use paretonym_engine::folder::{self, OpenRun, claim, read_front, read_regions};
use paretonym_engine::outputs::Outputs;
use paretonym_engine::release::Found;
use paretonym_engine::{Embedded, release};
use pyo3::prelude::*;

use crate::errors::{garbled, raised};
use crate::release::{Released, options_of};
use crate::study::{study_of, text_of};
use crate::work::work;

/// A front, with the study that it was found for.
#[pyclass(frozen, module = "paretonym._native")]
pub struct Run {
    study: Study,
    front: FrontFile,
    regions: Option<Regions>,
    dir: Option<PathBuf>,
}

/// Runs a study, into a folder where one is named.
#[pyfunction]
#[pyo3(signature = (study, out, max_seconds, told = None))]
pub fn explore(
    py: Python<'_>,
    study: &str,
    out: Option<PathBuf>,
    max_seconds: Option<f64>,
    told: Option<Py<PyAny>>,
) -> PyResult<Run> {
    let study = study_of(study)?;
    study.validate().map_err(raised)?;
    let limit = max_seconds.map(Duration::try_from_secs_f64).transpose().map_err(garbled)?;
    if let Some(out) = &out {
        let mut outputs = Outputs::default();
        outputs.reads_study(&study);
        claim(out, &outputs).map_err(raised)?;
    }
    work(py, told, limit, |watch| match out {
        Some(dir) => {
            let front = folder::explore(&study, &dir, None, &[], watch)?.front;
            let regions = read_regions(&dir, &front)?;
            Ok(Run { study, front, regions, dir: Some(dir) })
        }
        None => {
            let found = run(&study, &Embedded, watch)?;
            Ok(Run { study, front: found.front, regions: found.regions, dir: None })
        }
    })
}

/// The front in a folder; its table is where `place` says, unless that is empty.
#[pyfunction]
pub fn load(dir: PathBuf, place: &str) -> PyResult<Run> {
    let OpenRun { dir, mut study, front, regions } = OpenRun::open(&dir).map_err(raised)?;
    if !place.is_empty() {
        study.data.locate(Path::new(place));
    }
    Ok(Run { study, front, regions, dir: Some(dir) })
}

/// A front from what [`Run::state`] gave; its table is where `place` says, unless that is empty.
#[pyfunction]
pub fn restore(study: &str, front: &str, regions: Option<&str>, dir: Option<PathBuf>, place: &str) -> PyResult<Run> {
    let mut study = study_of(study)?;
    if !place.is_empty() {
        study.data.locate(Path::new(place));
    }
    let front = FrontFile::from_json(front, "the front").map_err(raised)?;
    let regions = regions.map(|text| Regions::from_json(text, "the boxes")).transpose().map_err(raised)?;
    Ok(Run { study, front, regions, dir })
}

#[pymethods]
impl Run {
    /// front.json.
    #[getter]
    fn front(&self) -> PyResult<String> {
        text_of(&self.front)
    }

    /// The study, as it was run.
    #[getter]
    fn study(&self) -> PyResult<String> {
        text_of(&self.study)
    }

    /// The folder.
    #[getter]
    fn dir(&self) -> Option<PathBuf> {
        self.dir.clone()
    }

    /// All that a copy needs.
    fn state(&self) -> PyResult<(String, String, Option<String>, Option<PathBuf>)> {
        let regions = self.regions.as_ref().map(text_of).transpose()?;
        Ok((text_of(&self.study)?, text_of(&self.front)?, regions, self.dir.clone()))
    }

    /// report.html.
    fn report(&self) -> String {
        folder::report(&self.study, &self.front, &[])
    }

    /// The best solutions within limits, and what relaxing one would buy.
    fn choose(&self, limits: &str) -> PyResult<String> {
        let limits: Limits = serde_json::from_str(limits).map_err(garbled)?;
        text_of(&choose(&self.front, &limits).map_err(raised)?)
    }

    /// The same front with all its solutions measured.
    #[pyo3(signature = (told = None))]
    fn describe(&self, py: Python<'_>, told: Option<Py<PyAny>>) -> PyResult<Self> {
        work(py, told, None, |watch| self.described(watch))
    }

    /// Keeps the front in a folder, as the program does; its table is checked whenever the folder is used.
    fn save(&self, py: Python<'_>, dir: PathBuf) -> PyResult<Self> {
        let mut outputs = Outputs::default();
        outputs.reads_study(&self.study);
        claim(&dir, &outputs).map_err(raised)?;
        work(py, None, None, |_| {
            folder::keep(&dir, &self.study, &self.front, self.regions.as_ref())?;
            let page = folder::report(&self.study, &self.front, &[]);
            paretonym_engine::write_atomically(&dir.join(folder::REPORT), |file| file.write_all(page.as_bytes()))?;
            Ok(self.with(self.front.clone(), Some(dir)))
        })
    }

    /// Releases a solution, into a file where one is named, else in memory.
    #[pyo3(signature = (solution, out, options, told = None))]
    fn release(
        &self,
        py: Python<'_>,
        solution: u32,
        out: Option<PathBuf>,
        options: &str,
        told: Option<Py<PyAny>>,
    ) -> PyResult<Released> {
        let options = options_of(options)?;
        let target = out.map_or(release::Target::Memory, release::Target::File);
        let found =
            Found { dir: self.dir.as_deref(), study: &self.study, front: &self.front, regions: self.regions.as_ref() };
        let done = work(py, told, None, |watch| release::release_found(found, solution, &target, &options, watch))?;
        Ok(Released::new(done, self.dir.clone()))
    }
}

impl Run {
    fn with(&self, front: FrontFile, dir: Option<PathBuf>) -> Self {
        Run { study: self.study.clone(), front, regions: self.regions.clone(), dir }
    }

    fn described(&self, watch: &dyn Watch) -> Result<Self> {
        if let Some(dir) = &self.dir {
            folder::describe_rest(dir, &[], watch)?;
            return Ok(self.with(read_front(dir)?, Some(dir.clone())));
        }
        let mut front = self.front.clone();
        let table = count(&self.study, &Embedded, watch)?;
        paretonym::release::describe_rest(&self.study, &table, &mut front, self.regions.as_ref(), watch)?;
        Ok(self.with(front, None))
    }
}
