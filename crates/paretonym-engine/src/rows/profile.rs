//! A look at a table that nobody has described yet: one streaming pass over all of its columns, with memory bounded by
//! [`paretonym::data::PROFILE_VALUES`] values per column.

use paretonym::data::{ColumnProfile, Source, TableProfile};
use paretonym::draft::decimal_of;
use paretonym::engine::Watch;
use paretonym::error::Result;
use rayon::prelude::*;

use crate::rows::cells::Cells;
use crate::rows::file;
use crate::rows::pass::{Consumer, Fault};
use crate::rows::profiled_column::ProfiledColumn;
use crate::rows::table::{Table, TableFile};

/// Profiles every column of a table in one pass. Of a column that cannot be read, such as a list in a Parquet file, the
/// profile tells the name and the number of rows only. Where the numbers turn out to have decimal commas, and the source
/// does not say how they are written, a second pass reads them so.
pub fn profile(source: &Source, watch: &dyn Watch) -> Result<TableProfile> {
    let first = look(source, watch)?;
    if first.delimiter.is_none() || source.decimal == decimal_of(&first) {
        return Ok(first);
    }
    look(&Source { decimal: decimal_of(&first), ..source.clone() }, watch)
}

/// One pass, with numbers as the source says they are written.
fn look(source: &Source, watch: &dyn Watch) -> Result<TableProfile> {
    let table = Table::open(source)?;
    if let TableFile::Database(database) = &table.file {
        return database.profile(source, watch);
    }
    let projection: Vec<usize> = (0..table.names().len()).filter(|position| table.is_readable(*position)).collect();
    let columns = projection.iter().map(|position| ProfiledColumn::new(&table.names()[*position], source)).collect();
    // One consumer, which gets the rows in order: which values are met first must not be chance.
    let profiler = Profiler { columns, rows: 0 };
    let mut profilers = table.pass(&projection, vec![profiler], watch)?;
    let Some(Profiler { columns, rows }) = profilers.pop().filter(|profiler| profiler.rows > 0) else {
        return Err(file::table(table.path(), "holds no rows"));
    };
    let (delimiter, header) = match &table.file {
        TableFile::Text(text) => (Some(char::from(text.dialect.syntax.delimiter)), text.dialect.header),
        TableFile::Parquet(_) | TableFile::Database(_) | TableFile::Frame(_) => (None, true),
    };
    let mut columns: Vec<ColumnProfile> = columns.into_iter().map(ProfiledColumn::finish).collect();
    for (position, name) in table.names().iter().enumerate() {
        if projection.binary_search(&position).is_err() {
            let mut unread = ProfiledColumn::new(name, source).finish();
            unread.rows = rows;
            columns.insert(position, unread);
        }
    }
    Ok(TableProfile { rows, columns, delimiter, header, decimal: source.decimal })
}

struct Profiler<'a> {
    columns: Vec<ProfiledColumn<'a>>,
    rows: u64,
}

impl Consumer for Profiler<'_> {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        self.rows += rows as u64;
        self.columns.par_iter_mut().zip(cells).for_each(|(column, cells)| column.take(cells));
        Ok(())
    }
}
