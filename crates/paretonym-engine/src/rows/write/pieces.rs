//! The cells of a column on the disk, and back.

use arrow_schema::ArrowError;

use super::store::{NO_TEXT, Store, cell, gather};

/// What the first byte says of the cells behind it.
const ALL_PRESENT: u8 = 0;
const WITH_ABSENT: u8 = 1;
const TEXTS: u8 = 2;
const NESTED: u8 = 3;

impl Store {
    /// Writes the cells of some rows behind others; `starts` are those of [`Store::starts`].
    pub fn write(&self, rows: &[u32], starts: &[usize], out: &mut Vec<u8>) -> Result<(), ArrowError> {
        match self {
            Store::Fixed { width, bytes, absent } => {
                let absent = absent.as_ref().filter(|absent| rows.iter().any(|row| absent[*row as usize]));
                out.push(if absent.is_some() { WITH_ABSENT } else { ALL_PRESENT });
                gather(bytes, *width, rows, out);
                out.extend(absent.iter().flat_map(|absent| rows.iter().map(|row| u8::from(absent[*row as usize]))));
            }
            Store::Text { lengths, bytes } => {
                out.push(TEXTS);
                rows.iter().for_each(|row| out.extend_from_slice(&lengths[*row as usize].to_le_bytes()));
                rows.iter().for_each(|row| out.extend_from_slice(cell(*row, lengths, starts, bytes)));
            }
            Store::Nested(nested) => {
                out.push(NESTED);
                nested.write(rows, out)?;
            }
        }
        Ok(())
    }

    /// Takes back the cells of some rows, which were written by a store of the same kind.
    pub fn read(&mut self, rows: usize, from: &mut &[u8]) -> Result<(), ArrowError> {
        let kind = part(from, 1)?[0];
        match (self, kind) {
            (Store::Fixed { width, bytes, absent }, ALL_PRESENT | WITH_ABSENT) => {
                let held = bytes.len() / *width;
                bytes.extend_from_slice(part(from, rows * *width)?);
                if kind == WITH_ABSENT {
                    let absent = absent.get_or_insert_with(|| vec![false; held]);
                    absent.extend(part(from, rows)?.iter().map(|absent| *absent == 1));
                } else if let Some(absent) = absent {
                    absent.resize(held + rows, false);
                }
            }
            (Store::Text { lengths, bytes }, TEXTS) => {
                let (read, _) = part(from, rows * 4)?.as_chunks::<4>();
                let before = lengths.len();
                lengths.extend(read.iter().map(|length| u32::from_le_bytes(*length)));
                let all = lengths[before..].iter().filter(|length| **length != NO_TEXT).map(|length| *length as usize);
                bytes.extend_from_slice(part(from, all.sum())?);
            }
            (Store::Nested(nested), NESTED) => nested.read(from)?,
            _ => return Err(broken()),
        }
        Ok(())
    }

    /// Whether what was written next is of this kind.
    pub fn is_next(&self, from: &[u8]) -> bool {
        matches!((self, from.first()), (Store::Text { .. }, Some(&TEXTS)))
    }
}

/// The next bytes of what was written.
pub(super) fn part<'a>(from: &mut &'a [u8], length: usize) -> Result<&'a [u8], ArrowError> {
    let (part, rest) = from.split_at_checked(length).ok_or_else(broken)?;
    *from = rest;
    Ok(part)
}

fn broken() -> ArrowError {
    ArrowError::InvalidArgumentError("rows that were put aside came back otherwise".to_owned())
}
