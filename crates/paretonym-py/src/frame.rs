//! Tables in memory.

use std::sync::Arc;

use paretonym::compare::Coded;
use paretonym::data::Source;
use paretonym::engine::Engine;
use paretonym_engine::folder::frame_digest;
use paretonym_engine::{Embedded, read_columns};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::capsules::{lent, taken};
use crate::errors::raised;
use crate::work::work;

/// A table in memory, which speaks the Arrow PyCapsule interface.
#[pyclass(frozen, module = "paretonym._native")]
pub struct Frame(pub Arc<paretonym_engine::Frame>);

#[pymethods]
impl Frame {
    /// The table behind a capsule.
    #[new]
    fn new(capsule: &Bound<'_, PyCapsule>) -> PyResult<Self> {
        let (schema, batches) = taken(capsule)?;
        paretonym_engine::Frame::new(schema, batches).map(Frame).map_err(raised)
    }

    /// What a source calls it.
    #[getter]
    fn place(&self) -> String {
        self.0.source().place()
    }

    /// The number of its rows.
    #[getter]
    fn rows(&self) -> u64 {
        self.0.rows()
    }

    /// The names of its columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The PyCapsule interface of Arrow.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        lent(py, Arc::clone(self.0.schema()), self.0.batches().to_vec())
    }

    /// A digest of all that it holds, by a key.
    fn digest(&self, py: Python<'_>, key: &str) -> PyResult<String> {
        let frame = Arc::clone(&self.0);
        py.detach(|| frame_digest(&frame, key)).map_err(raised)
    }
}

/// The table at a place, read into memory.
#[pyfunction]
pub fn read_frame(py: Python<'_>, place: &str) -> PyResult<Frame> {
    work(py, None, None, |watch| paretonym_engine::Frame::read(&Source::at(place), watch)).map(Frame)
}

/// The cells of a small table as texts, column by column.
#[pyfunction]
pub fn texts(py: Python<'_>, place: &str) -> PyResult<Vec<Vec<String>>> {
    let source = Source::at(place);
    let columns = work(py, None, None, |watch| read_columns(&source, &Embedded.columns(&source)?, watch))?;
    let texts = |column: &Coded| column.codes.iter().map(|code| column.texts[*code as usize].clone()).collect();
    Ok(columns.iter().map(texts).collect())
}
