//! Tables in and out by the PyCapsule interface of Arrow, without a copy: streams of batches behind pointers that a capsule
//! holds. The only unsafe code of the workspace is here. (`pyo3-arrow` does the same, and brings a second calendar and casts
//! that nobody else here needs, which would be built into the program as well.)

use std::ffi::CStr;

use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::DataError;

/// What a capsule of a stream is called.
const STREAM: &CStr = c"arrow_array_stream";

/// The batches behind a capsule, which is empty then.
pub fn taken(capsule: &Bound<'_, PyCapsule>) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a stream of Arrow's C interface as long as it lives, which is longer than this call;
    // what is moved out of it leaves a stream behind that is marked as released.
    #[allow(unsafe_code)]
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
    let unreadable = |error: ArrowError| DataError::new_err(format!("the table cannot be read: {error}"));
    // Whoever makes the batches may need the interpreter for that.
    let read = capsule.py().detach(|| {
        let reader = ArrowArrayStreamReader::try_new(stream)?;
        let schema = reader.schema();
        let batches = reader.collect::<Result<Vec<RecordBatch>, ArrowError>>()?;
        Ok((schema, batches))
    });
    read.map_err(unreadable)
}

/// A capsule of a stream of batches.
pub fn lent<'py>(py: Python<'py>, schema: SchemaRef, batches: Vec<RecordBatch>) -> PyResult<Bound<'py, PyCapsule>> {
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), STREAM)
}
