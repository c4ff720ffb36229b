//! A table in files, read into memory as a whole.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};

use super::Frame;
use crate::rows::cells::Cells;
use crate::rows::columnar::described::bare;
use crate::rows::pass::{Consumer, Fault};
use crate::rows::table::{Table, TableFile};

impl Frame {
    /// Reads a table: Parquet with its types, text as texts.
    pub fn read(source: &Source, watch: &dyn Watch) -> Result<Arc<Self>> {
        let table = Table::open(source)?;
        let all: Vec<usize> = (0..table.names().len()).collect();
        if let TableFile::Frame(frame) = &table.file {
            return Ok(Arc::clone(frame));
        }
        if let TableFile::Parquet(parquet) = &table.file {
            let fields: Vec<Field> = parquet.fields(|_| true).iter().map(bare).collect();
            let schema = Arc::new(Schema::new(fields));
            let take = |batches: &mut Vec<RecordBatch>, _: usize, batch: &RecordBatch| {
                batches.push(batch.clone());
                Ok(())
            };
            let read = parquet.scan(&all, &schema, vec![Vec::new()], take, watch)?;
            let batches: Vec<RecordBatch> = read.into_iter().flatten().collect();
            let schema = batches.first().map_or(schema, RecordBatch::schema);
            return Frame::new(schema, batches);
        }
        let text = |name: &String| Field::new(name, DataType::Utf8, true);
        let schema: SchemaRef = Arc::new(Schema::new(table.names().iter().map(text).collect::<Vec<Field>>()));
        let texts = Texts { schema: Arc::clone(&schema), batches: Vec::new(), odd: None };
        let read = table.pass(&all, vec![texts], watch)?;
        let (mut batches, mut odd) = (Vec::new(), None);
        for texts in read {
            batches.extend(texts.batches);
            odd = odd.or(texts.odd);
        }
        match odd {
            Some(error) => Err(Error::internal(format!("texts make no table: {error}"))),
            None => Frame::new(schema, batches),
        }
    }
}

/// Takes cells as texts.
struct Texts {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    odd: Option<ArrowError>,
}

impl Consumer for Texts {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        let text = |cells: &Cells| {
            let cell = |row: usize| Some(cells.show(row)).filter(|text| !text.is_empty());
            Arc::new((0..rows).map(cell).collect::<StringArray>()) as ArrayRef
        };
        match RecordBatch::try_new(Arc::clone(&self.schema), cells.iter().map(text).collect()) {
            Ok(batch) => self.batches.push(batch),
            Err(error) => self.odd = Some(error),
        }
        Ok(())
    }
}
