//! The cells of one column in one batch, in the few forms that the coders know.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, Float64Array, Int32Array, Int64Array, StringArray};
use arrow_schema::{ArrowError, DataType};
use paretonym::data::format_number;

use crate::rows::cell_texts::{cell_texts, shortest};

/// A column of a batch. In a text file a null is an empty cell, elsewhere it is a missing one.
#[derive(Clone, Debug)]
pub(crate) enum Cells<'a> {
    /// Parts of a text; an empty one is what a null is elsewhere.
    Slices(TextCells<'a>),
    /// Texts as they stand in the file.
    Text(StringArray),
    /// Positions in a short list of texts.
    Dictionary(Int32Array, StringArray),
    /// Whole numbers.
    Integers(Int64Array),
    /// Numbers.
    Floats(Float64Array),
}

/// The cells of a column of a text table, where they stand in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextCells<'a> {
    /// UTF-8, and so is each of the parts.
    pub bytes: &'a [u8],
    /// The parts, one for each row.
    pub spans: &'a [Span],
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// Its first byte.
    pub start: u32,
    /// Just behind its last byte.
    pub end: u32,
}

impl<'a> TextCells<'a> {
    /// The text of a part.
    pub fn at(&self, span: Span) -> &'a str {
        let bytes = &self.bytes[span.start as usize..span.end as usize];
        std::str::from_utf8(bytes).expect("blocks are checked before they are cut, at separators")
    }

    /// All cells.
    pub fn iter(&self) -> impl Iterator<Item = &'a str> {
        self.spans.iter().map(|span| self.at(*span))
    }

    /// All cells as an array; empty ones are null.
    pub fn to_array(self) -> StringArray {
        self.iter().map(|text| (!text.is_empty()).then_some(text)).collect()
    }
}

impl Cells<'_> {
    /// A column of a Parquet file or of a database. Numbers stay numbers; dates, decimals and the like become texts.
    pub fn from_arrow(array: &ArrayRef) -> Result<Self, ArrowError> {
        use DataType::*;
        Ok(match array.data_type() {
            Dictionary(key, value) if **key == Int32 && **value == Utf8 => {
                let dictionary = array.as_dictionary::<Int32Type>();
                Cells::Dictionary(dictionary.keys().clone(), dictionary.values().as_string::<i32>().clone())
            }
            Int8 => whole::<Int8Type>(array),
            Int16 => whole::<Int16Type>(array),
            Int32 => whole::<Int32Type>(array),
            Int64 => Cells::Integers(array.as_primitive::<Int64Type>().clone()),
            UInt8 => whole::<UInt8Type>(array),
            UInt16 => whole::<UInt16Type>(array),
            UInt32 => whole::<UInt32Type>(array),
            Float64 => Cells::Floats(array.as_primitive::<Float64Type>().clone()),
            // Widening would turn 0.1 into 0.10000000149011612; the shortest text keeps what was meant.
            Float32 => Cells::Text(shortest(array.as_primitive::<Float32Type>().iter())),
            _ => Cells::Text(cell_texts(array.as_ref())?),
        })
    }

    /// A cell as an error shows it: trimmed, and empty where it is null.
    pub fn show(&self, row: usize) -> String {
        let text = |texts: &StringArray, row: usize| match texts.is_null(row) {
            true => String::new(),
            false => texts.value(row).trim().to_owned(),
        };
        match self {
            Cells::Slices(cells) => cells.at(cells.spans[row]).trim().to_owned(),
            Cells::Text(texts) => text(texts, row),
            Cells::Dictionary(keys, _) if keys.is_null(row) => String::new(),
            Cells::Dictionary(keys, texts) => text(texts, keys.value(row) as usize),
            Cells::Integers(integers) if integers.is_null(row) => String::new(),
            Cells::Integers(integers) => integers.value(row).to_string(),
            Cells::Floats(floats) if floats.is_null(row) => String::new(),
            Cells::Floats(floats) => format_number(floats.value(row)),
        }
    }
}

/// Whether a column of this type can be read at all.
pub(crate) fn is_readable(data_type: &DataType) -> bool {
    !data_type.is_nested() && !matches!(data_type, DataType::Interval(_))
}

/// Whole numbers of any width.
fn whole<T: ArrowPrimitiveType>(array: &ArrayRef) -> Cells<'static>
where
    i64: From<T::Native>,
{
    Cells::Integers(array.as_primitive::<T>().unary(i64::from))
}
