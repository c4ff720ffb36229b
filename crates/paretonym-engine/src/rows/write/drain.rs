//! From rows that were put aside to the release: buckets are taken back, brought into their order and encoded side by side,
//! and written one after the other.

use std::io::Write;
use std::ops::Range;

use arrow_schema::ArrowError;
use paretonym::engine::Watch;

use super::output::{Batches, Encoded, Encoder, Output, ROW_GROUP};
use super::pieces::part;
use super::shuffle::Order;
use super::spill::Spilled;
use super::turns::in_turn;

/// Why writing ended early.
pub(super) enum Interrupted {
    /// The user has had enough.
    Cancelled,
    Failed(ArrowError),
}

impl From<ArrowError> for Interrupted {
    fn from(error: ArrowError) -> Self {
        Interrupted::Failed(error)
    }
}

/// Rows that are written together.
enum Piece {
    /// A bucket of all chunks.
    Bucket(usize),
    /// Rows of neighbouring chunks, where the order is that of the table: some of the first chunk may belong to the piece
    /// before, and some of the last to the next. All pieces have the same number of rows, so that they do not tell where
    /// rows were left out.
    Neighbours { chunks: Range<usize>, skip: usize, rows: usize },
}

/// Writes all rows: into the release, and the number of each in the table into a place of its own.
pub(super) fn drain(
    spilled: &Spilled,
    order: &Order,
    encoder: &Encoder,
    (mut output, numbers): (Output, &mut (dyn Write + Send)),
    watch: &dyn Watch,
) -> Result<Option<Batches>, Interrupted> {
    let rows = spilled.chunks.iter().flat_map(|chunk| &chunk.buckets).map(|(rows, _)| u64::from(*rows));
    watch.phase("writing", Some(rows.sum()));
    let pieces = pieces(spilled, order);
    let make = |piece: usize| {
        if watch.cancelled() {
            return Err(Interrupted::Cancelled);
        }
        Ok(make(spilled, order, encoder, &pieces[piece])?)
    };
    in_turn(pieces.len(), make, |(rows, row_numbers): (Option<Encoded>, Vec<u8>)| {
        if watch.cancelled() {
            return Err(Interrupted::Cancelled);
        }
        rows.map_or(Ok(()), |rows| output.put(rows))?;
        numbers.write_all(&row_numbers).map_err(ArrowError::from)?;
        watch.advance(row_numbers.len() as u64 / 8);
        Ok(())
    })?;
    Ok(output.finish()?)
}

fn pieces(spilled: &Spilled, order: &Order) -> Vec<Piece> {
    if order.is_random() {
        return (0..order.buckets).map(Piece::Bucket).collect();
    }
    let rows_of = |chunk: usize| spilled.chunks[chunk].buckets[0].0 as usize;
    let mut left: usize = (0..spilled.chunks.len()).map(rows_of).sum();
    let mut pieces = Vec::new();
    let (mut first, mut skip) = (0, 0);
    while left > 0 {
        let rows = left.min(ROW_GROUP);
        let (mut end, mut behind) = (first, skip + rows);
        while behind > rows_of(end) {
            behind -= rows_of(end);
            end += 1;
        }
        pieces.push(Piece::Neighbours { chunks: first..end + 1, skip, rows });
        (first, skip) = (end, behind);
        left -= rows;
    }
    pieces
}

/// The rows of a piece as they stand in the file, if there are any, and their numbers.
fn make(
    spilled: &Spilled,
    order: &Order,
    encoder: &Encoder,
    piece: &Piece,
) -> Result<(Option<Encoded>, Vec<u8>), ArrowError> {
    let (chunks, bucket) = match piece {
        Piece::Bucket(bucket) => (0..spilled.chunks.len(), *bucket),
        Piece::Neighbours { chunks, .. } => (chunks.clone(), 0),
    };
    let mut stores = encoder.stores();
    let mut numbers: Vec<u64> = Vec::new();
    let mut bytes = Vec::new();
    for chunk in chunks {
        let rows = spilled.chunks[chunk].buckets[bucket].0 as usize;
        if rows == 0 {
            continue;
        }
        spilled.take(chunk, bucket, &mut bytes).map_err(ArrowError::from)?;
        let mut from = bytes.as_slice();
        encoder.read(&mut stores, rows, &mut from)?;
        let (own, _) = part(&mut from, rows * 4)?.as_chunks::<4>();
        numbers.extend(own.iter().map(|row| spilled.first_rows[chunk] + u64::from(u32::from_le_bytes(*row))));
    }
    drop(bytes);
    if numbers.is_empty() {
        return Ok((None, Vec::new()));
    }
    let order = match piece {
        Piece::Bucket(bucket) => order.shuffle(*bucket, numbers.len()),
        Piece::Neighbours { skip, rows, .. } => (*skip as u32..(skip + rows) as u32).collect(),
    };
    let encoded = encoder.encode(&stores, &order)?;
    let mut row_numbers = Vec::with_capacity(order.len() * 8);
    order.iter().for_each(|row| row_numbers.extend_from_slice(&numbers[*row as usize].to_le_bytes()));
    Ok((Some(encoded), row_numbers))
}
