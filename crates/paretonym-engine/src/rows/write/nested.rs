//! Cells that hold other cells, such as lists: they stay arrays, and go to the disk in the form that arrow has for that.

use arrow_array::{Array, ArrayRef, RecordBatch, UInt32Array, new_empty_array};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use arrow_select::concat::concat;
use arrow_select::take::take;
use std::sync::Arc;

use super::pieces::part;
use super::store::Picked;

/// Cells of a nested type.
pub(super) struct Nested {
    data_type: DataType,
    arrays: Vec<ArrayRef>,
}

impl Nested {
    pub fn new(data_type: DataType) -> Self {
        Nested { data_type, arrays: Vec::new() }
    }

    pub fn size(&self) -> usize {
        self.arrays.iter().map(|array| array.get_buffer_memory_size()).sum()
    }

    /// Appends picked cells.
    pub fn push(&mut self, array: &ArrayRef, picked: Picked) -> Result<(), ArrowError> {
        let star = |at: usize| picked.stars.is_some_and(|stars| stars[at]);
        let rows = picked.rows.iter().enumerate().map(|(at, row)| (!star(at)).then_some(*row));
        self.arrays.push(take(array, &rows.collect::<UInt32Array>(), None)?);
        Ok(())
    }

    /// Cells in an order.
    pub fn array(&self, order: &[u32]) -> Result<ArrayRef, ArrowError> {
        let arrays: Vec<&dyn Array> = self.arrays.iter().map(AsRef::as_ref).collect();
        let whole = if arrays.is_empty() { new_empty_array(&self.data_type) } else { concat(&arrays)? };
        take(&whole, &UInt32Array::from(order.to_vec()), None)
    }

    /// Writes the cells of some rows behind their length.
    pub fn write(&self, rows: &[u32], out: &mut Vec<u8>) -> Result<(), ArrowError> {
        let schema = Arc::new(Schema::new(vec![Field::new("cells", self.data_type.clone(), true)]));
        let batch = RecordBatch::try_new(Arc::clone(&schema), vec![self.array(rows)?])?;
        let mut writer = StreamWriter::try_new(Vec::new(), &schema)?;
        writer.write(&batch)?;
        let bytes = writer.into_inner()?;
        out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        out.extend_from_slice(&bytes);
        Ok(())
    }

    /// Takes back what was written.
    pub fn read(&mut self, from: &mut &[u8]) -> Result<(), ArrowError> {
        let length = part(from, 8)?.first_chunk::<8>().map_or(0, |length| u64::from_le_bytes(*length));
        for batch in StreamReader::try_new(part(from, length as usize)?, None)? {
            self.arrays.extend(batch?.columns().iter().cloned());
        }
        Ok(())
    }
}
