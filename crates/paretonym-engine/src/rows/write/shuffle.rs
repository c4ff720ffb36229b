//! Rows in random order with bounded memory: each row goes into one of several buckets at random, and each bucket is
//! shuffled on its own. Together that is a shuffle of all rows, as if each had been given a random key and the keys had
//! been sorted.
//!
//! Buckets that do not fit into memory are files without a name inside the release's working folder: they hold recoded
//! rows only, and vanish with the process, however it ends.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{RecordBatch, UInt32Array};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A bucket of about this many bytes is shuffled at once.
const BUCKET: u64 = 48 << 20;

/// The most buckets, which are as many open files.
const MOST: u64 = 512;

/// Takes rows in any order and gives them back in random order.
pub(crate) struct Shuffle {
    schema: SchemaRef,
    random: ChaCha8Rng,
    buckets: Vec<Bucket>,
}

enum Bucket {
    Memory(Vec<RecordBatch>),
    File(Box<StreamWriter<BufWriter<File>>>),
}

impl Shuffle {
    /// For rows of about `bytes` bytes in all.
    pub fn new(schema: SchemaRef, seed: [u8; 32], bytes: u64, folder: &Path) -> Result<Self, ArrowError> {
        let count = bytes.div_ceil(BUCKET).clamp(1, MOST).next_power_of_two();
        let buckets = match count {
            1 => vec![Bucket::Memory(Vec::new())],
            _ => (0..count).map(|_| file_bucket(&schema, folder)).collect::<Result<_, _>>()?,
        };
        Ok(Shuffle { schema, random: ChaCha8Rng::from_seed(seed), buckets })
    }

    /// Where each of `rows` selected rows goes: the rows in the order of their buckets, and where each bucket's end is.
    pub fn scatter(&mut self, rows: &[u32]) -> (Vec<u32>, Vec<usize>) {
        let count = self.buckets.len();
        if count == 1 {
            return (rows.to_vec(), vec![rows.len()]);
        }
        let mask = count as u32 - 1;
        let chosen: Vec<u32> = rows.iter().map(|_| self.random.next_u32() & mask).collect();
        let mut ends = vec![0; count];
        chosen.iter().for_each(|bucket| ends[*bucket as usize] += 1);
        let mut start = 0;
        for end in &mut ends {
            start += *end;
            *end = start - *end;
        }
        let mut order = vec![0; rows.len()];
        for (row, bucket) in rows.iter().zip(&chosen) {
            let place = &mut ends[*bucket as usize];
            order[*place] = *row;
            *place += 1;
        }
        (order, ends)
    }

    /// Takes rows that lie in the order of their buckets.
    pub fn put(&mut self, batch: &RecordBatch, ends: &[usize]) -> Result<(), ArrowError> {
        let mut start = 0;
        for (bucket, &end) in self.buckets.iter_mut().zip(ends) {
            if end > start {
                match bucket {
                    Bucket::Memory(batches) => batches.push(batch.clone()),
                    Bucket::File(writer) => writer.write(&batch.slice(start, end - start))?,
                }
            }
            start = end;
        }
        Ok(())
    }

    /// Hands out the buckets, each shuffled.
    pub fn drain<E: From<ArrowError>>(mut self, mut take: impl FnMut(RecordBatch) -> Result<(), E>) -> Result<(), E> {
        for bucket in std::mem::take(&mut self.buckets) {
            let batches = match bucket {
                Bucket::Memory(batches) => batches,
                Bucket::File(writer) => {
                    let mut file = writer_file(*writer)?;
                    file.rewind().map_err(failed)?;
                    StreamReader::try_new(BufReader::with_capacity(1 << 20, file), None)?.collect::<Result<_, _>>()?
                }
            };
            let whole = concat_batches(&self.schema, &batches)?;
            drop(batches);
            if whole.num_rows() == 0 {
                continue;
            }
            let mut order: Vec<u32> = (0..whole.num_rows() as u32).collect();
            order.shuffle(&mut self.random);
            take(take_record_batch(&whole, &UInt32Array::from(order))?)?;
        }
        Ok(())
    }
}

fn file_bucket(schema: &SchemaRef, folder: &Path) -> Result<Bucket, ArrowError> {
    let file = tempfile::tempfile_in(folder).map_err(failed)?;
    let buffer = BufWriter::with_capacity(1 << 16, file);
    Ok(Bucket::File(Box::new(StreamWriter::try_new(buffer, &Arc::clone(schema))?)))
}

fn writer_file(mut writer: StreamWriter<BufWriter<File>>) -> Result<File, ArrowError> {
    writer.finish()?;
    writer.into_inner()?.into_inner().map_err(|error| failed(error.into_error()))
}

fn failed(error: io::Error) -> ArrowError {
    ArrowError::IoError(error.to_string(), error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;
    use arrow_array::types::UInt32Type;
    use arrow_schema::{DataType, Field, Schema};

    fn shuffled(rows: u32, bytes: u64, seed: u8) -> Vec<u32> {
        let folder = tempfile::tempdir().unwrap();
        let schema = Arc::new(Schema::new(vec![Field::new("row", DataType::UInt32, false)]));
        let mut shuffle = Shuffle::new(Arc::clone(&schema), [seed; 32], bytes, folder.path()).unwrap();
        for part in (0..rows).collect::<Vec<u32>>().chunks(1000) {
            let (order, ends) = shuffle.scatter(part);
            let batch = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(UInt32Array::from(order))]).unwrap();
            shuffle.put(&batch, &ends).unwrap();
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "buckets have no name");
        let mut out = Vec::new();
        let take = |batch: RecordBatch| {
            out.extend_from_slice(batch.column(0).as_primitive::<UInt32Type>().values());
            Ok::<(), ArrowError>(())
        };
        shuffle.drain(take).unwrap();
        out
    }

    #[test]
    fn every_row_comes_back_once_and_elsewhere() {
        for bytes in [1, 10 * BUCKET] {
            let out = shuffled(10_000, bytes, 7);
            assert_eq!(out, shuffled(10_000, bytes, 7));
            assert_ne!(out, shuffled(10_000, bytes, 8));
            let stayed = out.iter().enumerate().filter(|(at, row)| *at == **row as usize).count();
            assert!(stayed < 20, "{stayed} rows stayed where they were");
            let mut sorted = out;
            sorted.sort_unstable();
            assert_eq!(sorted, (0..10_000).collect::<Vec<u32>>());
        }
    }
}
