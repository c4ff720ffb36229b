//! A release as Parquet: row groups are encoded apart from each other and written one after the other. A release in memory has
//! the same columns, and batches in place of row groups.

use std::fs::File;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use bytes::Bytes;
use paretonym::data::format_number;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, ColumnPath};

use super::pages::{EncodedColumn, Values, encode};
use super::{OutputColumn, STAR, Shown};
use crate::rows::write::store::{Picked, Store};
use crate::rows::write::texts::{KnownTexts, NO_TEXT, SharedTexts, TextNumbers};

/// Rows per row group of a Parquet file, more or less.
pub(crate) const ROW_GROUP: usize = 1 << 18;

/// What the sets of a column show.
enum SetValues {
    Labels(Vec<String>),
    Whole(Vec<i64>),
    Real(Vec<f64>),
}

/// A column of the file, and how its cells wait until they are written.
enum Column<T> {
    /// Numbers of sets.
    Sets(String, SetValues),
    /// Numbers of texts, as long as there are few of them.
    Texts(T, Field),
    /// Cells as they are.
    Cells(Field),
}

/// The columns of a file whose rows are being collected.
pub(crate) struct ParquetSheet {
    columns: Vec<Column<SharedTexts>>,
    target: Target,
}

/// Makes row groups.
pub(crate) struct ParquetEncoder {
    columns: Vec<Column<KnownTexts>>,
    target: Target,
}

/// Where row groups go.
enum Target {
    /// Into a file, with its columns; nested ones have several.
    File(Vec<ColumnDescPtr>, ArrowRowGroupWriterFactory),
    /// Nowhere: they stay in memory.
    Memory,
}

/// A row group that is to be appended.
pub(crate) enum RowGroup {
    Leaves(Vec<EncodedLeaf>),
    Batch(RecordBatch),
}

/// A column of a row group, or a part of one that is nested.
pub(crate) enum EncodedLeaf {
    Ours(EncodedColumn),
    Arrow(ArrowColumnChunk),
}

/// Begins a file.
pub(super) fn begin(file: File, columns: &[OutputColumn]) -> Result<(ParquetSheet, SerializedFileWriter<File>)> {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        // Pages of rows in random order hold about the same values: an index of them helps nobody.
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true);
    for column in columns {
        if let OutputColumn::Cells { field, listed: false } = column {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(field.name().as_str()), false);
        }
    }
    let (schema, columns) = made(columns);
    let writer = ArrowWriter::try_new(file, schema, Some(properties.build()))?;
    let (writer, factory) = writer.into_serialized_writer()?;
    let leaves = writer.schema_descr().columns().to_vec();
    Ok((ParquetSheet { columns, target: Target::File(leaves, factory) }, writer))
}

/// Begins a table in memory, with the schema that it has as long as it holds no rows.
pub(super) fn begin_in_memory(columns: &[OutputColumn]) -> (ParquetSheet, SchemaRef) {
    let (schema, columns) = made(columns);
    (ParquetSheet { columns, target: Target::Memory }, schema)
}

fn made(columns: &[OutputColumn]) -> (SchemaRef, Vec<Column<SharedTexts>>) {
    let column = |column: &OutputColumn| match column {
        OutputColumn::Cells { field, .. } => {
            let field = field.clone().with_nullable(true);
            (field.clone(), Column::Cells(field))
        }
        OutputColumn::Texts(field) => {
            let field = field.clone().with_nullable(true);
            (field.clone(), Column::Texts(SharedTexts::default(), field))
        }
        OutputColumn::Sets { name, shown, numeric } => {
            let values = SetValues::new(shown, *numeric);
            (Field::new(name, values.data_type(), true), Column::Sets(name.clone(), values))
        }
    };
    let (fields, made): (Vec<Field>, Vec<Column<SharedTexts>>) = columns.iter().map(column).unzip();
    (Arc::new(Schema::new(fields)), made)
}

/// Appends a row group.
pub(super) fn append(writer: &mut SerializedFileWriter<File>, group: RowGroup) -> Result<()> {
    let RowGroup::Leaves(leaves) = group else {
        return Err(ParquetError::General("rows of another target".to_owned()));
    };
    let mut into = writer.next_row_group()?;
    for leaf in leaves {
        match leaf {
            EncodedLeaf::Ours(EncodedColumn { bytes, close }) => into.append_column(&Bytes::from(bytes), close)?,
            EncodedLeaf::Arrow(chunk) => chunk.append_to_row_group(&mut into)?,
        }
    }
    into.close()?;
    Ok(())
}

impl ParquetSheet {
    /// Room for the rows of a chunk.
    pub fn stores(&self) -> Vec<Store> {
        self.columns.iter().map(|column| column.store()).collect()
    }

    /// What a worker needs for collecting rows.
    pub fn appender<'a>(&'a self) -> Vec<Option<TextNumbers<'a>>> {
        let numbers = |column: &'a Column<SharedTexts>| match column {
            Column::Texts(texts, _) => Some(TextNumbers::new(texts)),
            _ => None,
        };
        self.columns.iter().map(numbers).collect()
    }

    /// When all rows are collected.
    pub fn into_encoder(self) -> ParquetEncoder {
        let known = |column: Column<SharedTexts>| match column {
            Column::Texts(texts, field) => Column::Texts(texts.into_known(), field),
            Column::Sets(name, values) => Column::Sets(name, values),
            Column::Cells(field) => Column::Cells(field),
        };
        let columns = self.columns.into_iter().map(known).collect();
        ParquetEncoder { columns, target: self.target }
    }
}

/// Collects picked rows of a batch.
pub(super) fn collect(
    numbers: &mut [Option<TextNumbers>],
    shown: &[Shown],
    picked: Picked,
    stores: &mut [Store],
) -> Result<(), ArrowError> {
    for ((shown, numbers), store) in shown.iter().zip(numbers).zip(stores) {
        match (shown, numbers) {
            (Shown::Sets(sets), _) => store.push_numbers(sets.of(picked)),
            (Shown::Texts(keys, texts), Some(numbers)) => numbers.push(store, (keys, texts), picked)?,
            (Shown::Cells(array), _) => store.push_array(array, picked)?,
            (Shown::Texts(..), None) => {
                return Err(ArrowError::InvalidArgumentError(
                    "texts came by number, and were not expected to".to_owned(),
                ));
            }
        }
    }
    Ok(())
}

impl ParquetEncoder {
    /// Room for the rows of a bucket.
    pub fn stores(&self) -> Vec<Store> {
        self.columns.iter().map(|column| column.store()).collect()
    }

    /// Takes rows back that were put aside.
    pub fn read(&self, stores: &mut [Store], rows: usize, from: &mut &[u8]) -> Result<(), ArrowError> {
        for (column, store) in self.columns.iter().zip(stores) {
            match column {
                // Some were put aside as numbers before there were too many of them.
                Column::Texts(texts, _) if !texts.all && !Store::text().is_next(from) => {
                    let mut numbers = Store::fixed(2);
                    numbers.read(rows, from)?;
                    texts.unpack(&mut numbers)?;
                    store.append_texts(numbers);
                }
                _ => store.read(rows, from)?,
            }
        }
        Ok(())
    }

    /// Row groups of the rows in an order.
    pub fn encode(&self, stores: &[Store], order: &[u32]) -> Result<Vec<RowGroup>, ArrowError> {
        // Buckets differ in size; a row group that is somewhat larger than others does no harm.
        let groups = order.len().div_ceil(ROW_GROUP + ROW_GROUP / 2);
        let rows = order.len().div_ceil(groups.max(1)).max(1);
        order.chunks(rows).map(|order| self.row_group(stores, order)).collect()
    }

    fn row_group(&self, stores: &[Store], order: &[u32]) -> Result<RowGroup, ArrowError> {
        let Target::File(descriptions, factory) = &self.target else {
            return self.batch(stores, order).map(RowGroup::Batch);
        };
        let mut writers = factory.create_column_writers(0)?.into_iter();
        let mut leaves = Vec::new();
        for (column, store) in self.columns.iter().zip(stores) {
            let ours = |values: Values| {
                let leaf = encode(&descriptions[leaves.len()], values, &store.numbers_in_order(order))?;
                Ok::<_, ArrowError>(EncodedLeaf::Ours(leaf))
            };
            match column {
                Column::Sets(_, values) => {
                    writers.next();
                    leaves.push(ours(values.by_number())?);
                }
                Column::Texts(texts, _) if texts.all => {
                    writers.next();
                    leaves.push(ours(Values::Known(texts))?);
                }
                Column::Texts(_, field) | Column::Cells(field) => {
                    let array = store.array(field.data_type(), order)?;
                    let field = field.clone().with_data_type(array.data_type().clone());
                    for leaf in compute_leaves(&field, &array)? {
                        let writer = writers.next();
                        let fewer = || ArrowError::InvalidArgumentError("a column has too many parts".to_owned());
                        let mut writer = writer.ok_or_else(fewer)?;
                        writer.write(&leaf)?;
                        leaves.push(EncodedLeaf::Arrow(writer.close()?));
                    }
                }
            }
        }
        Ok(RowGroup::Leaves(leaves))
    }

    /// The rows in an order, as a batch.
    fn batch(&self, stores: &[Store], order: &[u32]) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<(String, ArrayRef, bool)> = Vec::new();
        for (column, store) in self.columns.iter().zip(stores) {
            let (name, array) = match column {
                Column::Sets(name, values) => (name, values.array(&store.numbers_in_order(order))),
                Column::Texts(texts, field) if texts.all => {
                    let text = |number: u32| (number != NO_TEXT).then(|| texts.get(number));
                    let texts: StringArray = store.numbers_in_order(order).into_iter().map(text).collect();
                    (field.name(), Arc::new(texts) as ArrayRef)
                }
                Column::Texts(_, field) | Column::Cells(field) => {
                    (field.name(), store.array(field.data_type(), order)?)
                }
            };
            columns.push((name.clone(), array, true));
        }
        RecordBatch::try_from_iter_with_nullable(columns)
    }
}

impl Column<SharedTexts> {
    fn store(&self) -> Store {
        match self {
            Column::Texts(..) => Store::fixed(2),
            Column::Sets(_, values) => values.store(),
            Column::Cells(field) => Store::of(field.data_type()),
        }
    }
}

impl Column<KnownTexts> {
    fn store(&self) -> Store {
        match self {
            Column::Texts(texts, _) if texts.all => Store::fixed(2),
            Column::Texts(..) => Store::text(),
            Column::Sets(_, values) => values.store(),
            Column::Cells(field) => Store::of(field.data_type()),
        }
    }
}

impl SetValues {
    /// What the sets show, as numbers where all of it was numbers before and reads the same as numbers, and what a suppressed
    /// cell shows.
    fn new(texts: &[Option<String>], numeric: bool) -> Self {
        let whole = |text: &Option<String>| match text {
            None => Some(0),
            Some(text) => text.parse().ok().filter(|number: &i64| number.to_string() == *text),
        };
        let real = |text: &Option<String>| match text {
            None => Some(0.0),
            Some(text) => text.parse().ok().filter(|number| format_number(*number) == *text),
        };
        let whole: Option<Vec<i64>> = texts.iter().map(whole).collect();
        let real: Option<Vec<f64>> = texts.iter().map(real).collect();
        match (whole, real) {
            (Some(whole), _) if numeric => SetValues::Whole(whole),
            (None, Some(real)) if numeric => SetValues::Real(real),
            _ => SetValues::Labels(
                texts.iter().map(|text| text.clone().unwrap_or_default()).chain([STAR.to_owned()]).collect(),
            ),
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            SetValues::Labels(_) => DataType::Utf8,
            SetValues::Whole(_) => DataType::Int64,
            SetValues::Real(_) => DataType::Float64,
        }
    }

    /// What sets show, by their numbers.
    fn array(&self, numbers: &[u32]) -> ArrayRef {
        let numbers = numbers.iter().map(|number| *number as usize);
        match self {
            SetValues::Labels(labels) => {
                Arc::new(numbers.map(|number| labels.get(number).map(String::as_str)).collect::<StringArray>())
            }
            SetValues::Whole(own) => Arc::new(numbers.map(|number| own.get(number).copied()).collect::<Int64Array>()),
            SetValues::Real(own) => Arc::new(numbers.map(|number| own.get(number).copied()).collect::<Float64Array>()),
        }
    }

    fn by_number(&self) -> Values<'_> {
        match self {
            SetValues::Labels(labels) => Values::Labels(labels),
            SetValues::Whole(numbers) => Values::Whole(numbers),
            SetValues::Real(numbers) => Values::Real(numbers),
        }
    }

    /// Room for the numbers of all sets and of no set.
    fn store(&self) -> Store {
        let most = match self {
            SetValues::Labels(labels) => labels.len(),
            SetValues::Whole(numbers) => numbers.len(),
            SetValues::Real(numbers) => numbers.len(),
        };
        Store::fixed(match most {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            _ => 4,
        })
    }
}
