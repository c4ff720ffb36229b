//! A scan of a Parquet file: rows as arrow holds them, of any type, each row group by one of several workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use rayon::prelude::*;

use super::{ParquetTable, sound};
use crate::rows::file;

/// Rows per batch: few enough to stay close while they are looked at column after column.
const BATCH: usize = 8192;

impl ParquetTable {
    /// Hands all rows to workers, one of which works on each thread that is free, together with the number of their row
    /// group; the columns of `projection` of a schema that [`ParquetTable::fields`] made.
    pub fn scan<W: Send>(
        &self,
        projection: &[usize],
        schema: &Arc<Schema>,
        workers: Vec<W>,
        take: impl Fn(&mut W, usize, &RecordBatch) -> Result<()> + Sync,
        watch: &dyn Watch,
    ) -> Result<Vec<W>> {
        watch.phase(&format!("reading {}", file::file_name(&self.path)), Some(self.rows));
        let options = ArrowReaderOptions::new().with_schema(Arc::clone(schema));
        let metadata = sound(|| ArrowReaderMetadata::try_new(Arc::clone(self.metadata.metadata()), options));
        let metadata = metadata.map_err(|problem| self.damaged(&problem))?;
        let next = AtomicUsize::new(0);
        // As in a pass: groups before a faulty one must still be looked at, those behind it need not.
        let faulty = AtomicUsize::new(usize::MAX);
        let worked: Vec<(W, Option<(usize, Error)>)> = workers
            .into_par_iter()
            .with_max_len(1)
            .map(|mut worker| {
                loop {
                    let group = next.fetch_add(1, Ordering::Relaxed);
                    if group >= self.before.len() || group > faulty.load(Ordering::Relaxed) {
                        return (worker, None);
                    }
                    let mut take = |batch: &RecordBatch| take(&mut worker, group, batch);
                    if let Err(error) = self.scan_group(&metadata, group, projection, &mut take, watch) {
                        faulty.fetch_min(group, Ordering::Relaxed);
                        return (worker, Some((group, error)));
                    }
                }
            })
            .collect();
        let (workers, troubles): (Vec<W>, Vec<Option<(usize, Error)>>) = worked.into_iter().unzip();
        match troubles.into_iter().flatten().min_by_key(|(group, _)| *group) {
            Some((_, error)) => Err(error),
            None => Ok(workers),
        }
    }

    fn scan_group(
        &self,
        metadata: &ArrowReaderMetadata,
        group: usize,
        projection: &[usize],
        take: &mut dyn FnMut(&RecordBatch) -> Result<()>,
        watch: &dyn Watch,
    ) -> Result<()> {
        let mask = ProjectionMask::roots(metadata.parquet_schema(), projection.iter().copied());
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file::open(&self.path)?, metadata.clone())
            .with_projection(mask)
            .with_row_groups(vec![group])
            .with_batch_size(BATCH);
        let mut batches = sound(|| reader.build()).map_err(|problem| self.damaged(&problem))?;
        loop {
            if watch.cancelled() {
                return Err(Error::Cancelled);
            }
            let batch = sound(|| batches.next().transpose()).map_err(|problem| self.damaged(&problem))?;
            let Some(batch) = batch else { return Ok(()) };
            take(&batch)?;
            watch.advance(batch.num_rows() as u64);
        }
    }

    fn damaged(&self, problem: &str) -> Error {
        file::table(&self.path, format!("cannot be read: {problem}"))
    }
}
