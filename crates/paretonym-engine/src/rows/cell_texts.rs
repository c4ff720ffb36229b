//! What the cells of an Arrow column say as text: numbers in full, dates and times as ISO 8601 has them, decimals with all
//! their places. A value that has no text is an error, never a missing cell.

use std::borrow::Cow;
use std::fmt::Display;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions as time;
use arrow_array::timezone::Tz;
use arrow_array::types::*;
use arrow_array::{Array, ArrowNativeTypeOp, ArrowPrimitiveType, NullArray, StringArray, new_null_array};
use arrow_schema::{ArrowError, DataType, TimeUnit};
use chrono::{DateTime, NaiveDateTime, SecondsFormat, Utc};

use crate::hex::hex;

/// The cells of a column as texts; a null stays one.
pub(crate) fn cell_texts(array: &dyn Array) -> Result<StringArray, ArrowError> {
    use DataType::*;
    Ok(match array.data_type() {
        Null => new_null_array(&Utf8, array.len()).as_string::<i32>().clone(),
        Utf8 => array.as_string::<i32>().clone(),
        LargeUtf8 => array.as_string::<i64>().iter().collect(),
        Utf8View => array.as_string_view().iter().collect(),
        Boolean => shortest(array.as_boolean().iter()),
        Int8 => shortest(array.as_primitive::<Int8Type>().iter()),
        Int16 => shortest(array.as_primitive::<Int16Type>().iter()),
        Int32 => shortest(array.as_primitive::<Int32Type>().iter()),
        Int64 => shortest(array.as_primitive::<Int64Type>().iter()),
        UInt8 => shortest(array.as_primitive::<UInt8Type>().iter()),
        UInt16 => shortest(array.as_primitive::<UInt16Type>().iter()),
        UInt32 => shortest(array.as_primitive::<UInt32Type>().iter()),
        UInt64 => shortest(array.as_primitive::<UInt64Type>().iter()),
        Float16 => shortest(array.as_primitive::<Float16Type>().iter()),
        Float32 => floats(array.as_primitive::<Float32Type>().iter()),
        Float64 => floats(array.as_primitive::<Float64Type>().iter()),
        Decimal32(..) => decimals::<Decimal32Type>(array),
        Decimal64(..) => decimals::<Decimal64Type>(array),
        Decimal128(..) => decimals::<Decimal128Type>(array),
        Decimal256(..) => decimals::<Decimal256Type>(array),
        Binary => bytes(array.as_binary::<i32>().iter()),
        LargeBinary => bytes(array.as_binary::<i64>().iter()),
        BinaryView => bytes(array.as_binary_view().iter()),
        FixedSizeBinary(_) => array.as_fixed_size_binary().iter().map(|bytes| bytes.map(hex)).collect(),
        Dictionary(..) => dictionary(array)?,
        _ => return times(array),
    })
}

/// Dates, times and lengths of time.
fn times(array: &dyn Array) -> Result<StringArray, ArrowError> {
    use DataType::*;
    use TimeUnit::*;
    let debug = |value: Option<NaiveDateTime>| value.map(|value| format!("{value:?}"));
    match array.data_type() {
        Date32 => {
            let day = |value| time::date32_to_datetime(value).map(|value| format!("{:?}", value.date()));
            converted::<Date32Type>(array, day)
        }
        Date64 => converted::<Date64Type>(array, |value| debug(time::date64_to_datetime(value))),
        Time32(Second) => converted::<Time32SecondType>(array, |value| clock(time::time32s_to_time(value))),
        Time32(Millisecond) => converted::<Time32MillisecondType>(array, |value| clock(time::time32ms_to_time(value))),
        Time64(Microsecond) => converted::<Time64MicrosecondType>(array, |value| clock(time::time64us_to_time(value))),
        Time64(Nanosecond) => converted::<Time64NanosecondType>(array, |value| clock(time::time64ns_to_time(value))),
        Timestamp(unit, zone) => {
            // What is meant is a moment. Of a zone that is known by its name alone it is said in UTC.
            let offset = |zone: &Arc<str>| zone.parse::<Tz>().or_else(|_| "+00:00".parse());
            let zone: Option<Tz> = zone.as_ref().map(offset).transpose()?;
            let show = |at: Option<NaiveDateTime>| match zone {
                None => debug(at),
                Some(zone) => at.map(|at| {
                    let at = DateTime::<Utc>::from_naive_utc_and_offset(at, Utc).with_timezone(&zone);
                    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
                }),
            };
            match unit {
                Second => converted::<TimestampSecondType>(array, |at| show(time::timestamp_s_to_datetime(at))),
                Millisecond => {
                    converted::<TimestampMillisecondType>(array, |at| show(time::timestamp_ms_to_datetime(at)))
                }
                Microsecond => {
                    converted::<TimestampMicrosecondType>(array, |at| show(time::timestamp_us_to_datetime(at)))
                }
                Nanosecond => {
                    converted::<TimestampNanosecondType>(array, |at| show(time::timestamp_ns_to_datetime(at)))
                }
            }
        }
        Duration(Second) => {
            converted::<DurationSecondType>(array, |long| display(time::try_duration_s_to_duration(long)))
        }
        Duration(Millisecond) => {
            converted::<DurationMillisecondType>(array, |long| display(time::try_duration_ms_to_duration(long)))
        }
        Duration(Microsecond) => {
            converted::<DurationMicrosecondType>(array, |long| display(Some(time::duration_us_to_duration(long))))
        }
        Duration(Nanosecond) => {
            converted::<DurationNanosecondType>(array, |long| display(Some(time::duration_ns_to_duration(long))))
        }
        other => Err(ArrowError::CastError(format!("cells of the kind {other} have no text"))),
    }
}

/// Numbers and truth values as they are written without further thought.
pub(crate) fn shortest<T: Display>(values: impl Iterator<Item = Option<T>>) -> StringArray {
    values.map(|value| value.map(|value| value.to_string())).collect()
}

fn display(value: Option<impl Display>) -> Option<String> {
    value.map(|value| value.to_string())
}

fn clock(value: Option<impl std::fmt::Debug>) -> Option<String> {
    value.map(|value| format!("{value:?}"))
}

/// The shortest text that reads back as the number; exponents without the plus that says nothing.
fn floats<T: zmij::Float>(values: impl Iterator<Item = Option<T>>) -> StringArray {
    let mut buffer = zmij::Buffer::new();
    values.map(|value| value.map(|value| buffer.format(value).replace('+', ""))).collect()
}

fn decimals<T: DecimalType>(array: &dyn Array) -> StringArray {
    let array = array.as_primitive::<T>();
    let (precision, scale) = (array.precision(), array.scale());
    array.iter().map(|value| value.map(|value| T::format_decimal(value, precision, scale))).collect()
}

/// Bytes that are text as they are; others in the notation of databases.
fn bytes<'a>(values: impl Iterator<Item = Option<&'a [u8]>>) -> StringArray {
    let text = |bytes: &'a [u8]| match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(format!("\\x{}", hex(bytes))),
    };
    values.map(|bytes| bytes.map(text)).collect()
}

/// A dictionary, unpacked.
fn dictionary(array: &dyn Array) -> Result<StringArray, ArrowError> {
    let dictionary = array.as_any_dictionary();
    let texts = cell_texts(dictionary.values().as_ref())?;
    if texts.is_empty() {
        return cell_texts(&NullArray::new(array.len()));
    }
    let keys = dictionary.normalized_keys();
    let cell = |row: usize| {
        let null = dictionary.keys().is_null(row) || texts.is_null(keys[row]);
        (!null).then(|| texts.value(keys[row]))
    };
    Ok((0..array.len()).map(cell).collect())
}

/// Values of which some have no text, such as days beyond all calendars.
fn converted<T: ArrowPrimitiveType>(
    array: &dyn Array,
    show: impl Fn(T::Native) -> Option<String>,
) -> Result<StringArray, ArrowError>
where
    T::Native: ArrowNativeTypeOp,
{
    let beyond = |value: T::Native| {
        ArrowError::CastError(format!("the value {value:?} is beyond what {} can say", array.data_type()))
    };
    let text = |value: T::Native| show(value).ok_or_else(|| beyond(value));
    array.as_primitive::<T>().iter().map(|value| value.map(text).transpose()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::*;
    use arrow_cast::{CastOptions, cast_with_options};
    use proptest::prelude::*;

    /// The texts that arrow itself writes, which were written before: a release must not change with the library.
    fn of_arrow(array: &ArrayRef) -> Result<StringArray, ArrowError> {
        let strict = CastOptions { safe: false, ..CastOptions::default() };
        let texts = cast_with_options(array, &DataType::Utf8, &strict)?.as_string::<i32>().clone();
        // What arrow says of lengths of time that it cannot write.
        match texts.iter().flatten().any(|text| text == "<invalid>") {
            true => Err(ArrowError::CastError("invalid".to_owned())),
            false => Ok(texts),
        }
    }

    fn arrays(numbers: &[Option<i64>], reals: &[Option<f64>]) -> Vec<ArrayRef> {
        let narrow = || numbers.iter().map(|number| number.map(|number| number as i32));
        let whole = || numbers.iter().copied();
        let texts = || numbers.iter().map(|number| number.map(|number| format!("é{number}")));
        let decimal = whole().map(|number| number.map(i128::from));
        let bytes = texts().map(|text| text.map(String::into_bytes));
        vec![
            Arc::new(BooleanArray::from_iter(numbers.iter().map(|number| number.map(|number| number % 2 == 0)))),
            Arc::new(Int32Array::from_iter(narrow())),
            Arc::new(UInt64Array::from_iter(whole().map(|number| number.map(|number| number as u64)))),
            Arc::new(Float64Array::from_iter(reals.iter().copied())),
            Arc::new(Float32Array::from_iter(reals.iter().map(|real| real.map(|real| real as f32)))),
            Arc::new(Decimal128Array::from_iter(decimal).with_precision_and_scale(38, 3).unwrap()),
            Arc::new(Decimal64Array::from_iter(whole()).with_precision_and_scale(18, -2).unwrap()),
            Arc::new(Date32Array::from_iter(narrow())),
            Arc::new(Date64Array::from_iter(whole())),
            Arc::new(Time32SecondArray::from_iter(narrow())),
            Arc::new(Time64NanosecondArray::from_iter(whole())),
            Arc::new(TimestampSecondArray::from_iter(whole())),
            Arc::new(TimestampMicrosecondArray::from_iter(whole()).with_timezone("+05:30")),
            Arc::new(TimestampNanosecondArray::from_iter(whole()).with_timezone("+00:00")),
            Arc::new(DurationSecondArray::from_iter(whole())),
            Arc::new(DurationMicrosecondArray::from_iter(whole())),
            Arc::new(StringViewArray::from_iter(texts())),
            Arc::new(LargeStringArray::from_iter(texts())),
            Arc::new(BinaryArray::from_iter(bytes)),
            Arc::new(
                texts().collect::<Vec<_>>().iter().map(|text| text.as_deref()).collect::<DictionaryArray<Int8Type>>(),
            ),
            Arc::new(NullArray::new(numbers.len())),
        ]
    }

    proptest! {
        #[test]
        fn texts_are_those_of_arrow(
            numbers in prop::collection::vec(
                prop::option::weighted(0.9, prop_oneof![-5i64..100_000, any::<i64>(), 0i64..4_000_000_000_000]), 0..8),
            reals in prop::collection::vec(
                prop::option::weighted(0.9, prop_oneof![any::<f64>(), -100.0..100.0f64, Just(1e16), Just(5.0), Just(1e-5)]), 0..8),
        ) {
            for array in arrays(&numbers, &reals) {
                match (cell_texts(array.as_ref()), of_arrow(&array)) {
                    (Ok(own), Ok(arrow)) => prop_assert_eq!(own, arrow, "{}", array.data_type()),
                    (own, arrow) => prop_assert_eq!(own.is_err(), arrow.is_err(), "{} {:?}", array.data_type(), own),
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_numbers() {
        let said = |array: &dyn Array| {
            cell_texts(array).unwrap().iter().map(|text| text.unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(said(&BinaryArray::from_vec(vec![b"\xff\x00", b"ff", b""])), ["\\xff00", "ff", ""]);
        assert_eq!(said(&FixedSizeBinaryArray::try_from_iter([[1u8, 0xab], *b"ab"].iter()).unwrap()), ["01ab", "6162"]);
    }

    #[test]
    fn moments_of_named_zones_are_said_in_utc() {
        for zone in ["UTC", "Etc/UTC", "Europe/Berlin", "+00:00"] {
            let at = TimestampSecondArray::from(vec![86_399]).with_timezone(zone);
            assert_eq!(cell_texts(&at).unwrap().value(0), "1970-01-01T23:59:59Z", "{zone}");
        }
        let at = TimestampSecondArray::from(vec![86_399]).with_timezone("+05:30");
        assert_eq!(cell_texts(&at).unwrap().value(0), "1970-01-02T05:29:59+05:30");
    }
}
