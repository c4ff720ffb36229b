//! Small Parquet files of all types and packings that the program reads, for the corpus.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int8Array,
    Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray, UInt32Array,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};

/// Nine rows with nulls among them.
fn rows() -> Result<RecordBatch> {
    let texts = [
        Some("a"),
        None,
        Some("bb"),
        Some(""),
        Some("ä"),
        Some("a"),
        Some("*"),
        Some("a"),
        Some("long enough to stay"),
    ];
    let dictionary: DictionaryArray<Int32Type> = texts.into_iter().collect();
    let columns: [(&str, ArrayRef); 11] = [
        ("text", Arc::new(StringArray::from_iter(texts))),
        ("dictionary", Arc::new(dictionary)),
        ("whole", Arc::new(Int64Array::from_iter((0..9).map(|n| (n != 3).then_some(n * n * 1_000_003))))),
        ("small", Arc::new(Int8Array::from_iter_values(-4..5))),
        ("natural", Arc::new(UInt32Array::from_iter_values(0..9))),
        ("real", Arc::new(Float64Array::from_iter((0..9).map(|n| (n != 5).then_some(f64::from(n) / 7.0))))),
        ("short", Arc::new(Float32Array::from_iter_values((0..9).map(|n| n as f32 / 3.0)))),
        ("truth", Arc::new(BooleanArray::from_iter((0..9).map(|n| (n != 1).then_some(n % 2 == 0))))),
        ("day", Arc::new(Date32Array::from_iter_values((0..9).map(|n| n * 365)))),
        ("time", Arc::new(TimestampMicrosecondArray::from_iter_values((0..9).map(|n| n * 86_400_000_000)))),
        ("money", Arc::new(Decimal128Array::from_iter_values((0..9).map(|n| n * 199)))),
    ];
    Ok(RecordBatch::try_from_iter(columns)?)
}

/// Writes the files.
pub fn write_tables(folder: &Path) -> Result<()> {
    let rows = rows()?;
    let packings = [
        ("plain", Compression::UNCOMPRESSED),
        ("snappy", Compression::SNAPPY),
        ("gzip", Compression::GZIP(GzipLevel::default())),
        ("zstd", Compression::ZSTD(ZstdLevel::default())),
        ("lz4", Compression::LZ4_RAW),
    ];
    for (at, (name, packing)) in packings.into_iter().enumerate() {
        let version = if at % 2 == 0 { WriterVersion::PARQUET_1_0 } else { WriterVersion::PARQUET_2_0 };
        let properties = WriterProperties::builder()
            .set_compression(packing)
            .set_writer_version(version)
            .set_dictionary_enabled(at != 0)
            .set_max_row_group_row_count(Some(if at == 2 { 4 } else { 100 }))
            .build();
        let file = File::create(folder.join(format!("{name}.parquet")))?;
        let mut writer = ArrowWriter::try_new(file, rows.schema(), Some(properties))?;
        writer.write(&rows)?;
        writer.close()?;
    }
    Ok(())
}
