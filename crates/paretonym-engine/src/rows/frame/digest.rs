//! What a table in memory holds, as checksums for somebody who digests them: the same for the same cells in the same batches.
//!
//! A table in memory is a gigabyte where its file is a hundred megabytes, and is digested whenever it is released: its cells go
//! through a quick hash that follows a secret seed, and only what that gives through a digest.

use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericStringArray, OffsetSizeTrait, RecordBatch};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use foldhash::quality::FixedState;
use paretonym::error::{Error, Result};

use super::Frame;
use super::pass::positions;
use super::texts::positions_of;

/// Views of this length or less hold their texts.
const INLINE: u32 = 12;

impl Frame {
    /// Hands names and types, and a checksum of each column of each part, to somebody who digests them.
    pub(crate) fn each_part(&self, seed: u64, mut take: impl FnMut(&[u8])) -> Result<()> {
        for field in self.schema.fields() {
            for text in [field.name().as_str(), &field.data_type().to_string()] {
                take(&(text.len() as u64).to_le_bytes());
                take(text.as_bytes());
            }
        }
        let state = FixedState::with_seed(seed);
        let odd = |error: ArrowError| Error::Table {
            place: self.source().place(),
            problem: format!("cannot be digested: {error}"),
        };
        for listed in self.listed.iter().flatten().flatten() {
            let mut sum = state.build_hasher();
            add_texts(listed, &mut sum);
            take(&sum.finish().to_le_bytes());
        }
        for (batch, first, rows, _) in &self.parts {
            take(&(*rows as u64).to_le_bytes());
            for (at, column) in self.batches[*batch].columns().iter().enumerate() {
                let mut sum = state.build_hasher();
                let listed = self.listed[*batch][at].is_some();
                add_column(&column.slice(*first, *rows), listed, &state, &mut sum).map_err(odd)?;
                take(&sum.finish().to_le_bytes());
            }
        }
        Ok(())
    }
}

/// Adds the cells of a column to a sum; where it is a dictionary of texts, which were added before, their positions.
fn add_column(column: &ArrayRef, listed: bool, state: &FixedState, sum: &mut impl Hasher) -> Result<(), ArrowError> {
    let nulls = column.nulls().filter(|nulls| nulls.null_count() > 0);
    if let Some(nulls) = nulls {
        sum.write(&nulls.iter().map(u8::from).collect::<Vec<u8>>());
    }
    match column.data_type() {
        _ if listed => {
            let keys = positions(column)?;
            sum.write(&keys.iter().flat_map(|key| key.unwrap_or_default().to_le_bytes()).collect::<Vec<u8>>());
        }
        DataType::Utf8 => add_texts(column.as_string::<i32>(), sum),
        DataType::LargeUtf8 => add_texts(column.as_string::<i64>(), sum),
        DataType::Utf8View => add_views(column, state, sum),
        kind => match kind.primitive_width() {
            Some(width) => {
                let data = column.to_data();
                let start = data.offset() * width;
                let cells = &data.buffers()[0].as_slice()[start..start + column.len() * width];
                match nulls {
                    None => sum.write(cells),
                    // What stands below a null is nobody's choice.
                    Some(nulls) => {
                        let known = cells.chunks_exact(width).zip(nulls).filter(|(_, valid)| *valid);
                        sum.write(&known.flat_map(|(cell, _)| cell).copied().collect::<Vec<u8>>());
                    }
                }
            }
            // Whatever else there is, as Arrow sends it.
            None => {
                let schema = Arc::new(Schema::new(vec![Field::new("", kind.clone(), true)]));
                let mut bytes = Vec::new();
                let mut writer = StreamWriter::try_new(&mut bytes, &schema)?;
                writer.write(&RecordBatch::try_new(schema, vec![Arc::clone(column)])?)?;
                writer.finish()?;
                drop(writer);
                sum.write(&bytes);
            }
        },
    }
    Ok(())
}

/// Adds texts that lie one behind the other, and where each ends.
fn add_texts<O: OffsetSizeTrait>(texts: &GenericStringArray<O>, sum: &mut impl Hasher) {
    let ends = texts.value_offsets();
    let (first, last) = (ends[0].as_usize(), ends[ends.len() - 1].as_usize());
    let lengths = ends.windows(2).flat_map(|pair| ((pair[1].as_usize() - pair[0].as_usize()) as u32).to_le_bytes());
    sum.write(&lengths.collect::<Vec<u8>>());
    sum.write(&texts.value_data()[first..last]);
}

/// Adds texts that lie anywhere: as views, where these hold all of them, or each by a sum of its own, which is made once for
/// texts that repeat.
fn add_views(column: &ArrayRef, state: &FixedState, sum: &mut impl Hasher) {
    let texts = column.as_string_view();
    let views = texts.views();
    if texts.null_count() == 0 && views.iter().all(|view| *view as u32 <= INLINE) {
        return sum.write(views.inner().as_slice());
    }
    let Some((keys, list)) = positions_of(column) else { return };
    let sums: Vec<[u8; 8]> = list.iter().flatten().map(|text| state.hash_one(text).to_le_bytes()).collect();
    let mut bytes = Vec::with_capacity(8 * column.len());
    match keys.null_count() {
        0 => keys.values().iter().for_each(|key| bytes.extend_from_slice(&sums[*key as usize])),
        _ => keys.iter().flatten().for_each(|key| bytes.extend_from_slice(&sums[key as usize])),
    }
    sum.write(&bytes);
}
