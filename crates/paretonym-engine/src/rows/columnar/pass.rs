//! A pass over Parquet files: each row group goes to one of the consumers.

use std::fs::File;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_schema::ArrowError;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use rayon::prelude::*;

use super::file::ParquetFile;
use super::{ParquetTable, sound};
use crate::rows::cells::Cells;
use crate::rows::file;
use crate::rows::pass::{Consumer, Trouble, earliest};

/// Rows per batch.
const BATCH: usize = 8192;

impl ParquetTable {
    /// Hands all rows to the consumers, one of which works on each thread that is free; the columns of `projection`,
    /// which must ascend.
    pub fn pass(&self, projection: &[usize], consumers: &mut [&mut dyn Consumer], watch: &dyn Watch) -> Result<()> {
        self.files.iter().try_for_each(|own| check_readable(own, projection))?;
        watch.phase(&file::reading(&self.path, self.files.len()), Some(self.rows));
        let next = AtomicUsize::new(0);
        // As in text: groups before a faulty one must still be looked at, those behind it need not.
        let faulty = AtomicUsize::new(usize::MAX);
        let troubles: Vec<Option<Trouble>> = consumers
            .par_iter_mut()
            .with_max_len(1)
            .map(|consumer| {
                loop {
                    let group = next.fetch_add(1, Ordering::Relaxed);
                    if group >= self.groups.len() || group > faulty.load(Ordering::Relaxed) {
                        return None;
                    }
                    if let Err(trouble) = self.read(group, projection, *consumer, &faulty, watch) {
                        faulty.fetch_min(group, Ordering::Relaxed);
                        return Some(trouble);
                    }
                }
            })
            .collect();
        earliest(troubles).map_or(Ok(()), Err)
    }

    /// Hands the rows of one row group to a consumer.
    fn read(
        &self,
        part: usize,
        projection: &[usize],
        consumer: &mut dyn Consumer,
        faulty: &AtomicUsize,
        watch: &dyn Watch,
    ) -> Result<(), Trouble> {
        let (number, group) = self.groups[part];
        let own = &self.files[number];
        let nowhere = |error| Trouble { file: number, line: u64::MAX, error };
        let mut row = own.before[group];
        consumer.part(part);
        let file: File = file::open(&own.path).map_err(nowhere)?;
        let arrangement = own.arrangement(projection);
        let mask = ProjectionMask::roots(own.metadata.parquet_schema(), arrangement.roots.iter().copied());
        let damaged = |error: &dyn std::fmt::Display, row: u64| {
            let error =
                Error::Table { place: file::at_row(&own.path, row + 1), problem: format!("cannot be read: {error}") };
            Trouble { file: number, line: row + 1, error }
        };
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, own.metadata.clone())
            .with_projection(mask)
            .with_row_groups(vec![group])
            .with_batch_size(BATCH);
        let mut batches = sound(|| reader.build()).map_err(|error| damaged(&error, row))?;
        loop {
            let next = sound(|| {
                let Some(batch) = batches.next().transpose()? else { return Ok(None) };
                let named = batch.columns().iter().zip(batch.schema_ref().fields());
                let cells = named.map(|(column, field)| {
                    let said = |error| ArrowError::CastError(format!("column {:?}: {error}", field.name()));
                    Cells::from_arrow(column).map_err(said)
                });
                let cells = cells.collect::<Result<Vec<_>, _>>()?;
                Ok::<_, ArrowError>(Some((batch.num_rows(), arrangement.sorted(cells))))
            });
            let Some((rows, cells)) = next.map_err(|error| damaged(&error, row))? else { return Ok(()) };
            if watch.cancelled() {
                return Err(nowhere(Error::Cancelled));
            }
            if faulty.load(Ordering::Relaxed) < part {
                return Ok(());
            }
            consumer.take(&cells, rows).map_err(|fault| {
                let line = row + fault.row as u64 + 1;
                Trouble { file: number, line, error: fault.into_error(&own.path, line) }
            })?;
            row += rows as u64;
            watch.advance(rows as u64);
        }
    }
}

/// Refuses columns whose cells cannot be read.
fn check_readable(own: &ParquetFile, projection: &[usize]) -> Result<()> {
    let Some(column) = projection.iter().find(|column| !own.is_readable(**column)) else { return Ok(()) };
    let field = own.field(*column);
    let (name, kind) = (field.name(), field.data_type());
    let problem = format!(
        "column {name:?} holds {kind}; only texts, numbers, truth values, dates and times can be \
         read: leave the column out, or convert it"
    );
    Err(file::table(&own.path, problem))
}
