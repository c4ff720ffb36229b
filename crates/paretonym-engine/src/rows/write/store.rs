//! The cells of a column for some rows, in a form that can be put on a disk and taken back: rows that stay wait there until
//! their place in the release is known.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, LargeBinaryArray, LargeStringArray, make_array};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType};

use super::nested::Nested;

/// The length of a text that is not there.
pub(super) const NO_TEXT: u32 = u32::MAX;

/// The cells of one column.
pub(super) enum Store {
    /// Cells of one width: numbers of sets and of texts, and whatever else is equally long in all rows.
    Fixed { width: usize, bytes: Vec<u8>, absent: Option<Vec<bool>> },
    /// Cells of any length.
    Text { lengths: Vec<u32>, bytes: Vec<u8> },
    /// Lists, structures and the like.
    Nested(Nested),
}

/// Rows of a batch that are taken, and which of them show nothing but stars.
#[derive(Clone, Copy)]
pub(super) struct Picked<'a> {
    pub rows: &'a [u32],
    /// One per picked row; none where no row is a row of stars.
    pub stars: Option<&'a [bool]>,
}

impl Picked<'_> {
    /// Whether each picked row has no cell of an array.
    fn absent<'s>(&'s self, array: &'s dyn Array) -> impl Iterator<Item = bool> + 's {
        let star = move |at: usize| self.stars.is_some_and(|stars| stars[at]);
        self.rows.iter().enumerate().map(move |(at, row)| star(at) || array.is_null(*row as usize))
    }
}

impl Store {
    /// For cells of a type.
    pub fn of(data_type: &DataType) -> Self {
        use DataType::*;
        match (data_type, data_type.primitive_width()) {
            (_, Some(width)) => Store::fixed(width),
            (Boolean, _) => Store::fixed(1),
            (FixedSizeBinary(width), _) if *width > 0 => Store::fixed(*width as usize),
            (Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView, _) => Store::text(),
            _ => Store::Nested(Nested::new(data_type.clone())),
        }
    }

    /// For cells of so many bytes.
    pub fn fixed(width: usize) -> Self {
        Store::Fixed { width, bytes: Vec::new(), absent: None }
    }

    /// For texts.
    pub fn text() -> Self {
        Store::Text { lengths: Vec::new(), bytes: Vec::new() }
    }

    /// The bytes that it takes.
    pub fn size(&self) -> usize {
        match self {
            Store::Fixed { bytes, .. } => bytes.len(),
            Store::Text { lengths, bytes } => bytes.len() + 4 * lengths.len(),
            Store::Nested(nested) => nested.size(),
        }
    }

    /// Appends numbers, which must fit into its width.
    pub fn push_numbers(&mut self, numbers: impl Iterator<Item = u32>) {
        if let Store::Fixed { width, bytes, absent } = self {
            let before = bytes.len();
            bytes.reserve(numbers.size_hint().0 * *width);
            match width {
                1 => bytes.extend(numbers.map(|number| number as u8)),
                2 => numbers.for_each(|number| bytes.extend_from_slice(&(number as u16).to_le_bytes())),
                _ => numbers.for_each(|number| bytes.extend_from_slice(&number.to_le_bytes())),
            }
            if let Some(absent) = absent {
                absent.resize(absent.len() + (bytes.len() - before) / *width, false);
            }
        }
    }

    /// Appends picked cells of an array of the type that it was made for.
    pub fn push_array(&mut self, array: &ArrayRef, picked: Picked) -> Result<(), ArrowError> {
        match self {
            Store::Fixed { width, bytes, absent } => {
                let held = bytes.len() / *width;
                match array.as_boolean_opt() {
                    Some(flags) => bytes.extend(picked.rows.iter().map(|row| u8::from(flags.value(*row as usize)))),
                    None => {
                        let data = array.to_data();
                        gather(&data.buffers()[0].as_slice()[data.offset() * *width..], *width, picked.rows, bytes);
                    }
                }
                if array.null_count() > 0 || picked.stars.is_some() || absent.is_some() {
                    let absent = absent.get_or_insert_with(|| vec![false; held]);
                    absent.extend(picked.absent(array));
                    // What a row of stars hides is not put on a disk either.
                    let cells = bytes[held * *width..].chunks_exact_mut(*width);
                    let hidden = cells.zip(&absent[held..]).filter(|(_, absent)| **absent);
                    hidden.for_each(|(cell, _)| cell.fill(0));
                }
                Ok(())
            }
            Store::Text { .. } => self.push_texts(array, picked),
            Store::Nested(nested) => nested.push(array, picked),
        }
    }

    fn push_texts(&mut self, array: &ArrayRef, picked: Picked) -> Result<(), ArrowError> {
        macro_rules! push {
            ($texts:expr) => {{
                let texts = $texts;
                for (row, absent) in picked.rows.iter().zip(picked.absent(texts)) {
                    let cell: Option<&[u8]> = (!absent).then(|| texts.value(*row as usize).as_ref());
                    self.push_cell(cell)?;
                }
            }};
        }
        match array.data_type() {
            DataType::Utf8 => push!(array.as_string::<i32>()),
            DataType::LargeUtf8 => push!(array.as_string::<i64>()),
            DataType::Utf8View => push!(array.as_string_view()),
            DataType::Binary => push!(array.as_binary::<i32>()),
            DataType::LargeBinary => push!(array.as_binary::<i64>()),
            DataType::BinaryView => push!(array.as_binary_view()),
            other => return Err(ArrowError::InvalidArgumentError(format!("{other} is no text"))),
        }
        Ok(())
    }

    /// Appends one text.
    pub fn push_cell(&mut self, cell: Option<&[u8]>) -> Result<(), ArrowError> {
        let Store::Text { lengths, bytes } = self else { return Ok(()) };
        let Some(cell) = cell else {
            lengths.push(NO_TEXT);
            return Ok(());
        };
        let length = u32::try_from(cell.len()).ok().filter(|length| *length != NO_TEXT);
        lengths.push(length.ok_or_else(|| ArrowError::InvalidArgumentError("a cell of 4 GiB".to_owned()))?);
        bytes.extend_from_slice(cell);
        Ok(())
    }

    /// Appends the texts of another store.
    pub fn append_texts(&mut self, others: Store) {
        if let (Store::Text { lengths, bytes }, Store::Text { lengths: other_lengths, bytes: other_bytes }) =
            (self, others)
        {
            lengths.extend(other_lengths);
            bytes.extend(other_bytes);
        }
    }

    /// Where each text starts; nothing for other cells.
    pub fn starts(&self) -> Vec<usize> {
        let Store::Text { lengths, .. } = self else { return Vec::new() };
        let mut start = 0;
        let next = lengths.iter().map(|length| {
            let here = start;
            start += if *length == NO_TEXT { 0 } else { *length as usize };
            here
        });
        next.collect()
    }

    /// Texts in an order, one behind the other.
    pub fn texts_in_order(&self, order: &[u32]) -> Vec<u8> {
        let Store::Text { lengths, bytes } = self else { return Vec::new() };
        let starts = self.starts();
        let mut out = Vec::with_capacity(bytes.len());
        order.iter().for_each(|row| out.extend_from_slice(cell(*row, lengths, &starts, bytes)));
        out
    }

    /// Numbers in an order.
    pub fn numbers_in_order(&self, order: &[u32]) -> Vec<u32> {
        let Store::Fixed { width, bytes, .. } = self else { return Vec::new() };
        let rows = order.iter().map(|row| *row as usize);
        match width {
            1 => rows.map(|row| u32::from(bytes[row])).collect(),
            2 => {
                let (numbers, _) = bytes.as_chunks::<2>();
                rows.map(|row| u32::from(u16::from_le_bytes(numbers[row]))).collect()
            }
            _ => {
                let (numbers, _) = bytes.as_chunks::<4>();
                rows.map(|row| u32::from_le_bytes(numbers[row])).collect()
            }
        }
    }

    /// The cells in an order, as an array: of the type itself, but for texts, whose ends may need large numbers.
    pub fn array(&self, data_type: &DataType, order: &[u32]) -> Result<ArrayRef, ArrowError> {
        let nulls = |absent: &[bool]| NullBuffer::from_iter(order.iter().map(|row| !absent[*row as usize]));
        match self {
            Store::Fixed { width, bytes, absent } => {
                let mut cells = Vec::with_capacity(order.len() * width);
                gather(bytes, *width, order, &mut cells);
                let nulls = absent.as_deref().map(nulls);
                if *data_type == DataType::Boolean {
                    return Ok(Arc::new(BooleanArray::new(cells.iter().map(|cell| *cell == 1).collect(), nulls)));
                }
                let data = ArrayData::builder(data_type.clone()).len(order.len()).nulls(nulls);
                Ok(make_array(data.add_buffer(Buffer::from_vec(cells)).align_buffers(true).build()?))
            }
            Store::Text { lengths, .. } => {
                let length = |row: &u32| Some(lengths[*row as usize]).filter(|length| *length != NO_TEXT).unwrap_or(0);
                let mut end = 0i64;
                let ends = order.iter().map(|row| {
                    end += i64::from(length(row));
                    end
                });
                let ends = OffsetBuffer::new(ScalarBuffer::from_iter([0].into_iter().chain(ends)));
                let absent: Vec<bool> = lengths.iter().map(|length| *length == NO_TEXT).collect();
                let nulls = absent.contains(&true).then(|| nulls(&absent));
                let cells = Buffer::from_vec(self.texts_in_order(order));
                Ok(match is_binary(data_type) {
                    true => Arc::new(LargeBinaryArray::try_new(ends, cells, nulls)?),
                    false => Arc::new(LargeStringArray::try_new(ends, cells, nulls)?),
                })
            }
            Store::Nested(nested) => nested.array(order),
        }
    }
}

/// Whether cells are bytes of any length that need not be text.
fn is_binary(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

/// A text.
pub(super) fn cell<'a>(row: u32, lengths: &[u32], starts: &[usize], bytes: &'a [u8]) -> &'a [u8] {
    let row = row as usize;
    if lengths[row] == NO_TEXT { &[] } else { &bytes[starts[row]..starts[row] + lengths[row] as usize] }
}

/// Appends cells of one width.
pub(super) fn gather(cells: &[u8], width: usize, rows: &[u32], out: &mut Vec<u8>) {
    match width {
        1 => out.extend(rows.iter().map(|row| cells[*row as usize])),
        2 => gather_of::<2>(cells, rows, out),
        4 => gather_of::<4>(cells, rows, out),
        8 => gather_of::<8>(cells, rows, out),
        16 => gather_of::<16>(cells, rows, out),
        _ => rows.iter().for_each(|row| {
            let start = *row as usize * width;
            out.extend_from_slice(&cells[start..start + width]);
        }),
    }
}

fn gather_of<const WIDTH: usize>(cells: &[u8], rows: &[u32], out: &mut Vec<u8>) {
    let (cells, _) = cells.as_chunks::<WIDTH>();
    let start = out.len();
    out.resize(start + rows.len() * WIDTH, 0);
    let (places, _) = out[start..].as_chunks_mut::<WIDTH>();
    places.iter_mut().zip(rows).for_each(|(place, row)| *place = cells[*row as usize]);
}
