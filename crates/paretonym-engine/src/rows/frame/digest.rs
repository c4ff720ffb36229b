//! What a table in memory holds, as bytes for somebody who digests them: the same for the same cells in the same batches, and in
//! few bytes, since texts that repeat are told once.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use paretonym::error::{Error, Result};

use super::Frame;
use super::pass::positions;
use super::texts::positions_of;

impl Frame {
    /// Hands all that it holds to somebody who digests it, part by part.
    pub(crate) fn each_part(&self, mut take: impl FnMut(&[u8])) -> Result<()> {
        let mut bytes = Vec::new();
        for field in self.schema.fields() {
            told(field.name().as_bytes(), &mut bytes);
            told(field.data_type().to_string().as_bytes(), &mut bytes);
        }
        take(&bytes);
        let odd = |error: ArrowError| Error::Table {
            place: self.source().place(),
            problem: format!("cannot be digested: {error}"),
        };
        for listed in self.listed.iter().flatten().flatten() {
            bytes.clear();
            listed.iter().for_each(|text| told(text.unwrap_or_default().as_bytes(), &mut bytes));
            take(&bytes);
        }
        for (batch, first, rows, _) in &self.parts {
            for (at, column) in self.batches[*batch].columns().iter().enumerate() {
                bytes.clear();
                bytes.extend_from_slice(&(*rows as u64).to_le_bytes());
                let column = column.slice(*first, *rows);
                self.column_bytes(*batch, at, &column, &mut bytes).map_err(odd)?;
                take(&bytes);
            }
        }
        Ok(())
    }

    /// The cells of a column as bytes.
    fn column_bytes(&self, batch: usize, at: usize, column: &ArrayRef, bytes: &mut Vec<u8>) -> Result<(), ArrowError> {
        if let Some(nulls) = column.nulls().filter(|nulls| nulls.null_count() > 0) {
            bytes.extend(nulls.iter().map(u8::from));
        }
        if self.listed[batch][at].is_some() {
            let keys = positions(column)?;
            keys.iter().for_each(|key| bytes.extend_from_slice(&key.unwrap_or_default().to_le_bytes()));
            return Ok(());
        }
        if let Some((keys, texts)) = positions_of(column) {
            texts.iter().for_each(|text| told(text.unwrap_or_default().as_bytes(), bytes));
            match texts.len() {
                ..=0xff => bytes.extend(keys.values().iter().map(|key| *key as u8)),
                0x100..=0xffff => {
                    keys.values().iter().for_each(|key| bytes.extend_from_slice(&(*key as u16).to_le_bytes()));
                }
                _ => keys.values().iter().for_each(|key| bytes.extend_from_slice(&key.to_le_bytes())),
            }
            return Ok(());
        }
        match column.data_type().primitive_width() {
            Some(width) => {
                let data = column.to_data();
                let cells = &data.buffers()[0].as_slice()[data.offset() * width..];
                let before = bytes.len();
                bytes.extend_from_slice(&cells[..column.len() * width]);
                // What stands below a null is nobody's choice.
                if let Some(nulls) = column.nulls().filter(|nulls| nulls.null_count() > 0) {
                    let own = bytes[before..].chunks_exact_mut(width).zip(nulls);
                    own.filter(|(_, valid)| !valid).for_each(|(cell, _)| cell.fill(0));
                }
                Ok(())
            }
            // Whatever else there is, as Arrow sends it.
            None => {
                let field = Field::new("", DataType::clone(column.data_type()), true);
                let schema = Arc::new(Schema::new(vec![field]));
                let mut writer = StreamWriter::try_new(&mut *bytes, &schema)?;
                writer.write(&RecordBatch::try_new(schema, vec![Arc::clone(column)])?)?;
                writer.finish()
            }
        }
    }
}

/// A text behind its length.
fn told(text: &[u8], bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
    bytes.extend_from_slice(text);
}
