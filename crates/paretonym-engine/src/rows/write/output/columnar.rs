//! A release as Parquet.

use std::fs::File;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use arrow_select::take::take;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::{OutputColumn, STAR};

/// Rows per row group of a Parquet file.
const ROW_GROUP: usize = 1 << 18;

/// A Parquet file that is being written.
pub(crate) struct ParquetOutput {
    writer: ArrowWriter<File>,
    schema: SchemaRef,
    /// What the sets of each column show; none for cells as they come.
    columns: Vec<Option<ArrayRef>>,
}

impl ParquetOutput {
    /// Begins a file.
    pub fn new(file: File, columns: &[OutputColumn]) -> Result<Self, ArrowError> {
        let mut fields = Vec::new();
        let mut shown = Vec::new();
        for column in columns {
            match column {
                OutputColumn::Cells(field) => {
                    fields.push(field.clone().with_nullable(true));
                    shown.push(None);
                }
                OutputColumn::Sets { name, shown: texts, numeric } => {
                    let values = values(texts, *numeric);
                    fields.push(Field::new(name, values.data_type().clone(), true));
                    shown.push(Some(values));
                }
            }
        }
        let schema = Arc::new(Schema::new(fields));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .build();
        let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties))?;
        Ok(ParquetOutput { writer, schema, columns: shown })
    }

    /// Appends rows.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let arrays = batch.columns().iter().zip(&self.columns).map(|(array, shown)| match shown {
            Some(values) => take(values, array.as_primitive::<UInt32Type>(), None),
            None => Ok(Arc::clone(array)),
        });
        let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
        Ok(self.writer.write(&RecordBatch::try_new(Arc::clone(&self.schema), arrays)?)?)
    }

    /// Ends the file.
    pub fn finish(self) -> Result<File, ArrowError> {
        Ok(self.writer.into_inner()?)
    }
}

/// What the sets show, as numbers where all of it is numbers and was before, and what a suppressed cell shows.
fn values(texts: &[String], numeric: bool) -> ArrayRef {
    let whole: Option<Vec<i64>> = texts.iter().map(|text| text.parse().ok()).collect();
    let real: Option<Vec<f64>> = texts.iter().map(|text| text.parse().ok()).collect();
    match (whole, real) {
        (Some(whole), _) if numeric => Arc::new(Int64Array::from_iter(whole.into_iter().map(Some).chain([None]))),
        (None, Some(real)) if numeric => Arc::new(Float64Array::from_iter(real.into_iter().map(Some).chain([None]))),
        _ => Arc::new(StringArray::from_iter_values(texts.iter().map(String::as_str).chain([STAR]))),
    }
}
