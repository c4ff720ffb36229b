//! The cells of one column in one batch, in the few forms that the coders know.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float16Type, Float32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int32Array, Int64Array, StringArray};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, DataType};
use paretonym::data::format_number;

/// A column of a batch. In a text file a null is an empty cell, in a Parquet file it is a missing one.
#[derive(Debug)]
pub(crate) enum Cells {
    /// Texts as they stand in the file.
    Text(StringArray),
    /// Positions in a short list of texts.
    Dictionary(Int32Array, StringArray),
    /// Whole numbers.
    Integers(Int64Array),
    /// Numbers.
    Floats(Float64Array),
}

impl Cells {
    /// A column of a Parquet file. Numbers stay numbers; dates, decimals and the like become the text that arrow
    /// writes for them.
    pub fn from_parquet(array: &ArrayRef) -> Result<Self, ArrowError> {
        use DataType::*;
        Ok(match array.data_type() {
            Utf8 => Cells::Text(array.as_string::<i32>().clone()),
            Dictionary(key, value) if **key == Int32 && **value == Utf8 => {
                let dictionary = array.as_dictionary::<Int32Type>();
                Cells::Dictionary(dictionary.keys().clone(), dictionary.values().as_string::<i32>().clone())
            }
            Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 => {
                Cells::Integers(cast(array, &Int64)?.as_primitive::<Int64Type>().clone())
            }
            Float64 => Cells::Floats(array.as_primitive::<Float64Type>().clone()),
            // Widening would turn 0.1 into 0.10000000149011612; the shortest text keeps what was meant.
            Float32 => Cells::Text(shortest(array.as_primitive::<Float32Type>().iter())),
            Float16 => Cells::Text(shortest(array.as_primitive::<Float16Type>().iter())),
            _ => Cells::Text(cast(array, &Utf8)?.as_string::<i32>().clone()),
        })
    }

    /// A cell as an error shows it: trimmed, and empty where it is null.
    pub fn show(&self, row: usize) -> String {
        let text = |texts: &StringArray, row: usize| match texts.is_null(row) {
            true => String::new(),
            false => texts.value(row).trim().to_owned(),
        };
        match self {
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

fn shortest<T: std::fmt::Display>(values: impl Iterator<Item = Option<T>>) -> StringArray {
    values.map(|value| value.map(|value| value.to_string())).collect()
}

fn cast(array: &ArrayRef, to: &DataType) -> Result<ArrayRef, ArrowError> {
    // Strict: a value that cannot be converted must not turn into a missing one.
    cast_with_options(array, to, &CastOptions { safe: false, ..Default::default() })
}
