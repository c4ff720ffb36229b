//! A table of any kind, opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use paretonym::data::{Decimal, Source};
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use rayon::prelude::*;

use crate::rows::columnar::ParquetTable;
use crate::rows::counted_rows::CountedRows;
use crate::rows::database::DatabaseTable;
use crate::rows::file;
use crate::rows::format::{Format, format};
use crate::rows::frame::Frame;
use crate::rows::listing::Listing;
use crate::rows::pass::{Consumer, CountingConsumer, as_consumers, as_counting};
use crate::rows::text::TextTable;
use crate::rows::text::files::Unread;

/// A table whose columns are known.
pub(crate) struct Table {
    path: PathBuf,
    pub file: TableFile,
    /// The column that says how often each row occurs, where there is one.
    counts: Option<usize>,
}

/// The files of a table, by their format.
pub(crate) enum TableFile {
    /// CSV, TSV and their kin.
    Text(TextTable),
    /// Parquet.
    Parquet(ParquetTable),
    /// No file, but a table in a database.
    Database(DatabaseTable),
    /// No file either, but a table in memory.
    Frame(Arc<Frame>),
}

/// Opens the files of a table, all of which have one format.
fn open_files(source: &Source) -> Result<TableFile> {
    let listing = Listing::of(&source.path)?;
    let formats: Vec<Result<Option<Format>>> = listing.files().par_iter().map(|path| format(path)).collect();
    let formats: Vec<Option<Format>> = formats.into_iter().collect::<Result<_>>()?;
    // Empty files hold no rows, and nothing that could contradict the others.
    let files = listing.files().iter().zip(formats).filter_map(|(path, format)| Some((path, format?)));
    let files: Vec<(&PathBuf, Format)> = files.collect();
    let Some(&(first, kind)) = files.first() else {
        let problem =
            if listing.is_file() { "is an empty file: it holds no rows" } else { "holds no rows: its files are empty" };
        return Err(file::table(&source.path, problem));
    };
    let is_parquet = |format: Format| format == Format::Parquet;
    if let Some((other, format)) = files.iter().find(|(_, format)| is_parquet(*format) != is_parquet(kind)) {
        let name = |format| if is_parquet(format) { "Parquet" } else { "text" };
        let problem = format!(
            "is {}, and {} is {}; all files of a table need one format: name those of one kind, as in people/*.csv",
            name(*format),
            first.display(),
            name(kind)
        );
        return Err(file::table(other, problem));
    }
    if !is_parquet(kind) {
        let unread = |(path, format): &(&PathBuf, Format)| match format {
            Format::Text { gzip, tabs } => Some(Unread { path: (*path).clone(), gzip: *gzip, tabs: *tabs }),
            Format::Parquet => None,
        };
        let files: Vec<Unread> = files.iter().filter_map(unread).collect();
        return TextTable::open(source, &files).map(TableFile::Text);
    }
    if source.decimal != Decimal::Point {
        return Err(file::table(&source.path, "numbers in a Parquet file are no text; remove `decimal`"));
    }
    let files: Vec<&PathBuf> = files.iter().map(|(path, _)| *path).collect();
    ParquetTable::open(source, &files).map(TableFile::Parquet)
}

/// Finds a table in memory.
fn open_frame(source: &Source) -> Result<TableFile> {
    source.check()?;
    let frame = Frame::of(source)?;
    match frame.rows() {
        0 => Err(file::table(&source.name(), "holds no rows")),
        _ => Ok(TableFile::Frame(frame)),
    }
}

impl Table {
    /// Finds out what a source is and what its columns are called.
    pub fn open(source: &Source) -> Result<Self> {
        if source.database.is_some() {
            let table = DatabaseTable::open(source)?;
            return Ok(Table { path: source.place().into(), file: TableFile::Database(table), counts: None });
        }
        let file = match source.frame {
            Some(_) => open_frame(source)?,
            None => open_files(source)?,
        };
        let mut table = Table { path: source.name(), file, counts: None };
        table.counts = source.counts.as_ref().map(|name| table.position(name)).transpose()?;
        Ok(table)
    }

    /// Where the table is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        match &self.file {
            TableFile::Text(table) => &table.dialect.names,
            TableFile::Parquet(table) => &table.names,
            TableFile::Database(table) => &table.names,
            TableFile::Frame(table) => table.names(),
        }
    }

    /// The names of the columns, for keeps.
    pub fn into_names(self) -> Vec<String> {
        match self.file {
            TableFile::Text(table) => table.dialect.names,
            TableFile::Parquet(table) => table.names,
            TableFile::Database(table) => table.names,
            TableFile::Frame(table) => table.names().to_vec(),
        }
    }

    /// Whether a null is an empty cell, as in text, or a missing one.
    pub fn null_is_empty(&self) -> bool {
        matches!(self.file, TableFile::Text(_))
    }

    /// Whether the cells of a column can be read.
    pub fn is_readable(&self, position: usize) -> bool {
        match &self.file {
            TableFile::Text(_) => true,
            TableFile::Parquet(table) => table.is_readable(position),
            TableFile::Database(table) => table.is_readable(position),
            TableFile::Frame(table) => table.is_readable(position),
        }
    }

    /// The position of a column.
    pub fn position(&self, name: &str) -> Result<usize> {
        self.names().iter().position(|other| other == name).ok_or_else(|| Error::UnknownColumn {
            name: name.to_owned(),
            place: self.path.display().to_string(),
            known: self.names().to_vec(),
        })
    }

    /// About how many bytes so many rows of the table take in memory.
    pub fn estimated_bytes(&self, rows: u64) -> Result<u64> {
        match &self.file {
            TableFile::Text(table) => table.estimated_bytes(),
            TableFile::Parquet(table) => Ok(table.estimated_bytes()),
            TableFile::Frame(table) => Ok(table.estimated_bytes()),
            TableFile::Database(table) => Ok(rows.saturating_mul(16 * table.names.len() as u64)),
        }
    }

    /// The positions of some columns in ascending order, as a pass wants them, and where in it each column is.
    pub fn projection<'n>(&self, names: impl Iterator<Item = &'n String>) -> Result<(Vec<usize>, Vec<usize>)> {
        let positions = names.map(|name| self.position(name)).collect::<Result<Vec<_>>>()?;
        let mut projection = positions.clone();
        projection.sort_unstable();
        projection.dedup();
        let slots = positions.iter().map(|position| projection.partition_point(|p| p < position)).collect();
        Ok((projection, slots))
    }

    /// Hands all rows to the consumers: each batch to one of them, on any thread; to a single one in order. Only the
    /// columns of `projection`, which must ascend.
    pub fn pass<C: Consumer>(&self, projection: &[usize], mut consumers: Vec<C>, watch: &dyn Watch) -> Result<Vec<C>> {
        self.hand_out(projection, &mut as_consumers(&mut consumers), watch)?;
        Ok(consumers)
    }

    /// Batches are large, so that a pass is compiled once, and not once for each kind of consumer.
    fn hand_out(&self, projection: &[usize], consumers: &mut [&mut dyn Consumer], watch: &dyn Watch) -> Result<()> {
        match &self.file {
            TableFile::Text(table) => table.pass(projection, consumers, watch),
            TableFile::Parquet(table) => table.pass(projection, consumers, watch),
            TableFile::Database(table) => table.pass(projection, consumers, watch),
            TableFile::Frame(table) => table.pass(projection, consumers, watch),
        }
    }

    /// The same for consumers that count: what a database counted comes as counts.
    pub fn counting_pass<C: CountingConsumer>(
        &self,
        projection: &[usize],
        mut consumers: Vec<C>,
        watch: &dyn Watch,
    ) -> Result<Vec<C>> {
        match (&self.file, self.counts) {
            (TableFile::Database(table), _) => {
                table.counting_pass(projection, &mut as_counting(&mut consumers), watch)?;
            }
            (_, None) => self.hand_out(projection, &mut as_consumers(&mut consumers), watch)?,
            (_, Some(counts)) => {
                let (wider, slots) = CountedRows::widen(projection, counts);
                let counting = as_counting(&mut consumers);
                let mut counting: Vec<CountedRows> =
                    counting.into_iter().map(|consumer| CountedRows::new(consumer, &slots)).collect();
                self.hand_out(&wider, &mut as_consumers(&mut counting), watch)?;
            }
        }
        Ok(consumers)
    }
}
