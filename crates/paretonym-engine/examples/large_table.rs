//! Makes a large Parquet table with a study for it, and does the least that must be done with a table: what counting and
//! releasing are timed against.
//!
//! ```text
//! large_table generate 10000000 people.parquet 50   # fifty postcodes; and people.toml beside it
//! large_table copy people.parquet copy.parquet      # read and write through arrow-rs, nothing else
//! large_table scan people.parquet age,sex           # decode columns through arrow-rs, nothing else
//! large_table lines people.csv                      # read a text and count its lines, nothing else
//! ```

use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int32Array, Int64Array, RecordBatch, RecordBatchReader, StringArray};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const STUDY: &str = r#"[data]
path = "{path}"

[[columns]]
name = "person"
role = "identifying"

[[columns]]
name = "age"
role = "quasi"
kind = "numeric"
recode = "levels"
widths = [5, 10, 20]

[[columns]]
name = "sex"
role = "quasi"
recode = "levels"

[[columns]]
name = "postcode"
role = "quasi"
recode = "levels"
hierarchy = "prefix"

[[columns]]
name = "education"
role = "quasi"
recode = "levels"

[[columns]]
name = "status"
role = "quasi"
recode = "levels"

[[columns]]
name = "diagnosis"
role = "sensitive"

[[columns]]
name = "income"
role = "insensitive"

[[columns]]
name = "score"
role = "insensitive"

[[columns]]
name = "remark"
role = "insensitive"

[search]
problem = "max-suppression"
eta = 0.01
optimizer = "exhaustive"
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["generate", rows, path, postcodes] => generate(rows.parse()?, Path::new(path), postcodes.parse()?),
        ["copy", from, to] => copy(Path::new(from), Path::new(to)),
        ["scan", from, columns] => scan(Path::new(from), columns.split(',')),
        ["lines", from] => lines(Path::new(from)),
        _ => {
            Err("usage: large_table generate ROWS FILE POSTCODES | copy FROM TO | scan FROM COLUMNS | lines FROM"
                .into())
        }
    }
}

fn properties() -> WriterProperties {
    WriterProperties::builder().set_compression(Compression::SNAPPY).set_max_row_group_row_count(Some(1 << 18)).build()
}

fn batch(first: i64, rows: i64, postcodes: u32, random: &mut ChaCha8Rng) -> Result<RecordBatch, Box<dyn Error>> {
    let mut draw = |count: u32| (0..rows).map(|_| random.next_u32() % count).collect::<Vec<u32>>();
    let names = |codes: Vec<u32>, stem: &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(codes.into_iter().map(|code| format!("{stem} {code}"))))
    };
    let skewed: Vec<u32> = draw(40).into_iter().zip(draw(25)).map(|(a, b)| a + b).collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("person", Arc::new(Int64Array::from_iter_values(first..first + rows))),
        ("age", Arc::new(Int32Array::from_iter_values(skewed.iter().map(|age| 18 + *age as i32)))),
        ("sex", names(draw(2), "sex")),
        (
            "postcode",
            Arc::new(StringArray::from_iter_values(
                draw(postcodes).iter().map(|code| format!("{:05}", 10_000 + code * 17)),
            )),
        ),
        ("education", names(draw(8), "education")),
        ("status", names(draw(5), "status")),
        ("diagnosis", names(draw(30), "diagnosis")),
        ("income", Arc::new(Int64Array::from_iter_values(draw(90_000).iter().map(|income| i64::from(*income))))),
        ("score", Arc::new(Float64Array::from_iter_values(draw(1_000_000).iter().map(|n| f64::from(*n) / 7.0)))),
        ("remark", names(draw(1_000), "a remark with the number")),
    ];
    Ok(RecordBatch::try_from_iter(columns)?)
}

fn generate(rows: i64, path: &Path, postcodes: u32) -> Result<(), Box<dyn Error>> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut writer = None;
    let mut first = 0;
    while first < rows {
        let batch = batch(first, (rows - first).min(1 << 16), postcodes, &mut random)?;
        first += batch.num_rows() as i64;
        if writer.is_none() {
            writer = Some(ArrowWriter::try_new(File::create(path)?, batch.schema(), Some(properties()))?);
        }
        if let Some(writer) = &mut writer {
            writer.write(&batch)?;
        }
    }
    if let Some(writer) = writer {
        writer.close()?;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    std::fs::write(path.with_extension("toml"), STUDY.replace("{path}", &name))?;
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(from)?)?.with_batch_size(1 << 16).build()?;
    let mut writer = ArrowWriter::try_new(File::create(to)?, reader.schema(), Some(properties()))?;
    for batch in reader {
        writer.write(&batch?)?;
    }
    writer.close()?;
    Ok(())
}

fn scan<'a>(from: &Path, columns: impl Iterator<Item = &'a str>) -> Result<(), Box<dyn Error>> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(from)?)?.with_batch_size(1 << 16);
    let wanted = ProjectionMask::columns(builder.parquet_schema(), columns);
    let mut rows = 0;
    for batch in builder.with_projection(wanted).build()? {
        rows += batch?.num_rows();
    }
    println!("{rows}");
    Ok(())
}

fn lines(from: &Path) -> Result<(), Box<dyn Error>> {
    let (mut file, mut block, mut lines) = (File::open(from)?, vec![0; 1 << 20], 0);
    loop {
        let read = file.read(&mut block)?;
        if read == 0 {
            println!("{lines}");
            return Ok(());
        }
        lines += memchr::memchr_iter(b'\n', &block[..read]).count();
    }
}
