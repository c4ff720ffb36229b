//! A scan of Parquet files: rows as arrow holds them, of any type, each row group by one of several workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use rayon::prelude::*;

use super::file::{Arrangement, ParquetFile};
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
        watch.phase(&file::reading(&self.path, self.files.len()), Some(self.rows));
        let ways = self.files.iter().map(|own| Way::new(own, projection, schema)).collect::<Result<Vec<Way>>>()?;
        let next = AtomicUsize::new(0);
        // As in a pass: groups before a faulty one must still be looked at, those behind it need not.
        let faulty = AtomicUsize::new(usize::MAX);
        let worked: Vec<(W, Option<(usize, Error)>)> = workers
            .into_par_iter()
            .with_max_len(1)
            .map(|mut worker| {
                loop {
                    let group = next.fetch_add(1, Ordering::Relaxed);
                    if group >= self.groups.len() || group > faulty.load(Ordering::Relaxed) {
                        return (worker, None);
                    }
                    let mut take = |batch: &RecordBatch| take(&mut worker, group, batch);
                    let (number, own) = self.groups[group];
                    if let Err(error) = ways[number].scan_group(own, &mut take, watch) {
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
}

/// How one of the files is scanned.
struct Way<'a> {
    own: &'a ParquetFile,
    metadata: ArrowReaderMetadata,
    arrangement: Arrangement,
}

impl<'a> Way<'a> {
    fn new(own: &'a ParquetFile, projection: &[usize], schema: &Schema) -> Result<Self> {
        let options = ArrowReaderOptions::new().with_schema(Arc::new(own.schema_like(schema)));
        let metadata = sound(|| ArrowReaderMetadata::try_new(Arc::clone(own.metadata.metadata()), options));
        let metadata = metadata.map_err(|problem| damaged(own, &problem))?;
        Ok(Way { own, metadata, arrangement: own.arrangement(projection) })
    }

    fn scan_group(
        &self,
        group: usize,
        take: &mut dyn FnMut(&RecordBatch) -> Result<()>,
        watch: &dyn Watch,
    ) -> Result<()> {
        let roots = self.arrangement.roots.iter().copied();
        let mask = ProjectionMask::roots(self.metadata.parquet_schema(), roots);
        let file = file::open(&self.own.path)?;
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
            .with_projection(mask)
            .with_row_groups(vec![group])
            .with_batch_size(BATCH);
        let mut batches = sound(|| reader.build()).map_err(|problem| damaged(self.own, &problem))?;
        loop {
            if watch.cancelled() {
                return Err(Error::Cancelled);
            }
            let next = || match (batches.next().transpose()?, &self.arrangement.slots) {
                (Some(batch), Some(slots)) => batch.project(slots).map(Some),
                (batch, _) => Ok(batch),
            };
            let batch = sound(next).map_err(|problem| damaged(self.own, &problem))?;
            let Some(batch) = batch else { return Ok(()) };
            take(&batch)?;
            watch.advance(batch.num_rows() as u64);
        }
    }
}

fn damaged(own: &ParquetFile, problem: &str) -> Error {
    file::table(&own.path, format!("cannot be read: {problem}"))
}
