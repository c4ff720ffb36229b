//! A column of a Parquet file whose cells are numbers of known values: the values that occur become the list at its start,
//! and the rows positions in it. The library would find out by a look at every value what is known here before.
//!
//! Only values that occur are listed, in the order in which the released rows show them: neither the values of rows that are
//! left out nor the order of the table can be seen.

use parquet::basic::{Compression, Encoding, PageType};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, PageEncodingStats};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::runs::{write_positions, write_presence};
use crate::rows::write::texts::{KnownTexts, NO_TEXT};

/// Rows per page.
const PAGE: usize = 1 << 15;

/// Longer texts are not put into statistics.
const LONGEST: usize = 64;

/// The values of a column, by number.
#[derive(Clone, Copy)]
pub(super) enum Values<'a> {
    Labels(&'a [String]),
    /// The number behind the last one stands for no value.
    Whole(&'a [i64]),
    /// The number behind the last one stands for no value.
    Real(&'a [f64]),
    Known(&'a KnownTexts),
}

/// A column of a row group, as it stands in the file.
pub(in crate::rows::write) struct EncodedColumn {
    pub bytes: Vec<u8>,
    pub close: ColumnCloseResult,
}

impl Values<'_> {
    /// The numbers of values are below this, but for that of no value.
    fn count(&self) -> usize {
        match self {
            Values::Labels(labels) => labels.len(),
            Values::Whole(numbers) => numbers.len(),
            Values::Real(numbers) => numbers.len(),
            Values::Known(_) => NO_TEXT as usize,
        }
    }

    /// Appends a value as a list of values has it.
    fn write(&self, value: u32, list: &mut Vec<u8>) {
        let mut text = |text: &str| {
            list.extend_from_slice(&(text.len() as u32).to_le_bytes());
            list.extend_from_slice(text.as_bytes());
        };
        match self {
            Values::Labels(labels) => text(&labels[value as usize]),
            Values::Known(texts) => text(texts.get(value)),
            Values::Whole(numbers) => list.extend_from_slice(&numbers[value as usize].to_le_bytes()),
            Values::Real(numbers) => list.extend_from_slice(&numbers[value as usize].to_le_bytes()),
        }
    }

    /// The least and the greatest of the values that occur.
    fn statistics(&self, used: &[u32], nulls: u64) -> Statistics {
        let nulls = Some(nulls);
        let texts = |text: &dyn Fn(u32) -> String| {
            let mut texts: Vec<String> = used.iter().map(|value| text(*value)).collect();
            texts.sort_unstable();
            let short = texts.iter().all(|text| text.len() <= LONGEST);
            let bytes = |text: Option<&String>| text.filter(|_| short).map(|text| text.as_str().into());
            Statistics::byte_array(bytes(texts.first()), bytes(texts.last()), None, nulls, false)
        };
        match self {
            Values::Labels(labels) => texts(&|value| labels[value as usize].clone()),
            Values::Known(known) => texts(&|value| known.get(value).to_owned()),
            Values::Whole(numbers) => {
                let numbers = || used.iter().map(|value| numbers[*value as usize]);
                Statistics::int64(numbers().min(), numbers().max(), None, nulls, false)
            }
            Values::Real(numbers) => {
                let numbers = || used.iter().map(|value| numbers[*value as usize]);
                // Numbers without an order have none, and either zero may be meant by the other.
                let ordered = numbers().all(|number| !number.is_nan());
                let least = numbers().min_by(f64::total_cmp).filter(|_| ordered);
                let greatest = numbers().max_by(f64::total_cmp).filter(|_| ordered);
                let least = least.map(|number| if number == 0.0 { -0.0 } else { number });
                let greatest = greatest.map(|number| if number == 0.0 { 0.0 } else { number });
                Statistics::double(least, greatest, None, nulls, false)
            }
        }
    }
}

/// Sums over the pages of a column.
#[derive(Default)]
struct Sizes {
    plain: usize,
    compressed: usize,
}

impl Sizes {
    fn add(&mut self, page: &PageWriteSpec) {
        self.plain += page.uncompressed_size;
        self.compressed += page.compressed_size;
    }
}

/// Encodes a column, which must be one that may lack values, from the numbers of its cells.
pub(super) fn encode(column: &ColumnDescPtr, values: Values, numbers: &[u32]) -> Result<EncodedColumn> {
    let (used, positions) = listed(values, numbers);
    let nulls = (numbers.len() - positions.len()) as u64;
    let mut sink = TrackedWrite::new(Vec::new());
    let mut pages = SerializedPageWriter::new(&mut sink);
    let mut sizes = Sizes::default();
    let mut list_offset = None;
    if !used.is_empty() {
        let mut list = Vec::new();
        used.iter().for_each(|value| values.write(*value, &mut list));
        let page = pages.write_page(list_page(&list, used.len())?)?;
        sizes.add(&page);
        list_offset = Some(page.offset as i64);
    }
    let encoding = if used.is_empty() { Encoding::PLAIN } else { Encoding::RLE_DICTIONARY };
    let width = (usize::BITS - used.len().saturating_sub(1).leading_zeros()).max(1);
    let (mut data_offset, mut count, mut rest) = (None, 0, positions.as_slice());
    for rows in numbers.chunks(PAGE) {
        let present = rows.iter().filter(|number| (**number as usize) < values.count()).count();
        let (positions, behind) = rest.split_at(present);
        rest = behind;
        let mut plain = Vec::with_capacity(rows.len() * width as usize / 8 + rows.len() / 8 + 64);
        write_presence(rows, values.count(), present, &mut plain);
        if !used.is_empty() {
            plain.push(width as u8);
            write_positions(positions, width, used.len() == 1, &mut plain);
        }
        let page = pages.write_page(data_page(&plain, rows.len(), encoding)?)?;
        sizes.add(&page);
        data_offset.get_or_insert(page.offset as i64);
        count += 1;
    }
    let bytes = sink.into_inner()?;
    let kinds = [(PageType::DICTIONARY_PAGE, Encoding::PLAIN, 1), (PageType::DATA_PAGE, encoding, count)];
    let kinds = kinds.into_iter().skip(usize::from(used.is_empty()));
    let kinds = kinds.map(|(page_type, encoding, count)| PageEncodingStats { page_type, encoding, count });
    let metadata = ColumnChunkMetaData::builder(column.clone())
        .set_compression(Compression::SNAPPY)
        .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, encoding])
        .set_page_encoding_stats(kinds.collect())
        .set_total_compressed_size(sizes.compressed as i64)
        .set_total_uncompressed_size(sizes.plain as i64)
        .set_num_values(numbers.len() as i64)
        .set_data_page_offset(data_offset.unwrap_or(0))
        .set_dictionary_page_offset(list_offset)
        .set_statistics(values.statistics(&used, nulls))
        .build()?;
    let close = ColumnCloseResult {
        bytes_written: bytes.len() as u64,
        rows_written: numbers.len() as u64,
        metadata,
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    };
    Ok(EncodedColumn { bytes, close })
}

/// The values that occur, in the order in which they do, and the position of each cell that has one among them.
fn listed(values: Values, numbers: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut used = Vec::new();
    let mut place = vec![u32::MAX; values.count()];
    let positions = numbers.iter().filter_map(|number| {
        let place = place.get_mut(*number as usize)?;
        if *place == u32::MAX {
            *place = used.len() as u32;
            used.push(*number);
        }
        Some(*place)
    });
    let positions = positions.collect();
    (used, positions)
}

fn list_page(list: &[u8], values: usize) -> Result<CompressedPage> {
    let buf = compressed(list)?.into();
    let page = Page::DictionaryPage { buf, num_values: values as u32, encoding: Encoding::PLAIN, is_sorted: false };
    Ok(CompressedPage::new(page, list.len()))
}

fn data_page(plain: &[u8], rows: usize, encoding: Encoding) -> Result<CompressedPage> {
    let page = Page::DataPage {
        buf: compressed(plain)?.into(),
        num_values: rows as u32,
        encoding,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    };
    Ok(CompressedPage::new(page, plain.len()))
}

fn compressed(plain: &[u8]) -> Result<Vec<u8>> {
    let done = snap::raw::Encoder::new().compress_vec(plain);
    done.map_err(|error| ParquetError::External(Box::new(error)))
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int64Type};
    use arrow_array::{Array, ArrayRef};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::metadata::ParquetMetaData;
    use proptest::prelude::*;

    use super::super::{OutputColumn, OutputFormat, SetNumbers, Shown, begin};
    use crate::rows::write::store::Picked;

    /// Writes the sets of one column and reads them with the library; its arrays and what the file says of itself.
    fn there_and_back(shown: &[String], numeric: bool, numbers: &[u32]) -> (Vec<ArrayRef>, ParquetMetaData) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let columns =
            [OutputColumn::Sets { name: "a".to_owned(), shown: shown.iter().cloned().map(Some).collect(), numeric }];
        let (sheet, mut output) = begin(file.reopen().unwrap(), OutputFormat::Parquet, b',', &columns).unwrap();
        let rows: Vec<u32> = (0..numbers.len() as u32).collect();
        let sets = Shown::Sets(SetNumbers { table: numbers, column: 0, width: 1, star: shown.len() as u32 });
        let mut stores = sheet.stores();
        sheet.collector().collect(&[sets], Picked { rows: &rows, stars: None }, &mut stores).unwrap();
        output.put(sheet.into_encoder().encode(&stores, &rows).unwrap()).unwrap();
        output.finish().unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(file.path()).unwrap()).unwrap();
        let metadata = reader.metadata().as_ref().clone();
        (reader.build().unwrap().map(|batch| batch.unwrap().column(0).clone()).collect(), metadata)
    }

    proptest! {
        #[test]
        fn labels_are_read_back(count in 1..600usize, rows in prop::collection::vec(any::<u32>(), 1..300)) {
            let shown: Vec<String> = (0..count).map(|set| format!("set {set}")).collect();
            let numbers: Vec<u32> = rows.iter().map(|row| row % (count as u32 + 1)).collect();
            let (arrays, metadata) = there_and_back(&shown, false, &numbers);
            let read: Vec<&str> = arrays.iter().flat_map(|array| array.as_string::<i32>()).map(Option::unwrap).collect();
            let expected: Vec<&str> =
                numbers.iter().map(|set| shown.get(*set as usize).map_or("*", String::as_str)).collect();
            prop_assert_eq!(&read, &expected);
            let statistics = metadata.row_group(0).column(0).statistics().unwrap();
            prop_assert_eq!(statistics.min_bytes_opt(), expected.iter().min().map(|text| text.as_bytes()));
            prop_assert_eq!(statistics.max_bytes_opt(), expected.iter().max().map(|text| text.as_bytes()));
        }

        #[test]
        fn numbers_and_gaps_are_read_back(count in 1..20i64, rows in prop::collection::vec(any::<u32>(), 1..300)) {
            let shown: Vec<String> = (0..count).map(|set| (set * 7 - 20).to_string()).collect();
            let numbers: Vec<u32> = rows.iter().map(|row| row % (count as u32 + 1)).collect();
            let (arrays, metadata) = there_and_back(&shown, true, &numbers);
            let read: Vec<Option<i64>> =
                arrays.iter().flat_map(|array| array.as_primitive::<Int64Type>()).collect();
            let expected: Vec<Option<i64>> =
                numbers.iter().map(|set| (i64::from(*set) < count).then_some(i64::from(*set) * 7 - 20)).collect();
            prop_assert_eq!(&read, &expected);
            let gaps = expected.iter().filter(|number| number.is_none()).count() as u64;
            prop_assert_eq!(metadata.row_group(0).column(0).statistics().unwrap().null_count_opt(), Some(gaps));
        }
    }

    #[test]
    fn many_pages_one_value_and_no_value() {
        let shown = ["0.5", "-2", "3.25"].map(str::to_owned);
        let rows = 2 * super::PAGE as u32 + 77;
        let real = |set: u32| [Some(0.5), Some(-2.0), Some(3.25), None][set as usize];
        let cases: [&dyn Fn(u32) -> u32; 4] = [&|row| row.wrapping_mul(row) % 4, &|row| row / 1000 % 3, &|_| 2, &|_| 3];
        for case in cases {
            let numbers: Vec<u32> = (0..rows).map(case).collect();
            let (arrays, metadata) = there_and_back(&shown, true, &numbers);
            let read = arrays.iter().flat_map(|array| array.as_primitive::<Float64Type>());
            assert!(read.eq(numbers.iter().map(|set| real(*set))));
            assert!(arrays.iter().map(|array| array.len()).sum::<usize>() == rows as usize);
            let unused = metadata.row_group(0).column(0).dictionary_page_offset().is_none();
            assert_eq!(unused, numbers.iter().all(|set| *set == 3));
        }
    }

    /// A value of suppressed rows must not be found in the file, nor in what the order of the values says.
    #[test]
    fn only_values_that_occur_are_listed_in_the_order_of_the_rows() {
        let shown = ["aaa", "hidden", "zzz"].map(str::to_owned);
        let values = super::Values::Labels(&shown);
        assert_eq!(super::listed(values, &[2, 0, 2, 2]), (vec![2, 0], vec![0, 1, 0, 0]));
    }
}
