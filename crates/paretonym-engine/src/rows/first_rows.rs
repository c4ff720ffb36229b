//! The first rows of a table, without reading the rest.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use paretonym::compare::Coded;
use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};

use crate::rows::cells::Cells;
use crate::rows::columns::{Rows, WholeColumn};
use crate::rows::pass::{Consumer, Fault};
use crate::rows::table::{Table, TableFile};

/// The first rows of a table, all columns, without reading the rest.
pub fn first_rows(source: &Source, rows: usize) -> Result<Vec<Coded>> {
    let table = Table::open(source)?;
    let readable: Vec<usize> = (0..table.names().len()).filter(|position| table.is_readable(*position)).collect();
    let columns = readable.iter().map(|_| WholeColumn::default()).collect();
    let taken = Mutex::new(Rows { slots: (0..readable.len()).collect(), columns });
    if let TableFile::Database(database) = &table.file {
        let mut taken = taken.into_inner().unwrap_or_else(PoisonError::into_inner);
        database.first_pass(&readable, rows, &mut taken)?;
        let Rows { columns, .. } = taken;
        return Ok(columns.into_iter().zip(readable).map(|(column, at)| column.finish(&table.names()[at])).collect());
    }
    let first = First { taken: &taken, rows, enough: AtomicBool::new(false) };
    match table.pass(&readable, vec![&first], &first) {
        Err(Error::Cancelled) if first.cancelled() => {}
        other => drop(other?),
    }
    let Rows { columns, .. } = taken.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(columns.into_iter().zip(readable).map(|(column, at)| column.finish(&table.names()[at])).collect())
}

/// Takes rows until there are enough of them, and stops the pass then.
struct First<'a> {
    taken: &'a Mutex<Rows>,
    rows: usize,
    enough: AtomicBool,
}

impl Consumer for &First<'_> {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let have = taken.columns.first().map_or(0, |column| column.codes.len());
        taken.take(cells, rows.min(self.rows.saturating_sub(have)))?;
        self.enough.store(have + rows >= self.rows, Ordering::Relaxed);
        Ok(())
    }
}

impl Watch for First<'_> {
    fn cancelled(&self) -> bool {
        self.enough.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rows_of_a_long_table() {
        let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        let lines: String = (0..100_000).map(|row| format!("{row},x{}\n", row % 3)).collect();
        std::fs::write(file.path(), format!("a,b\n{lines}")).unwrap();
        for rows in [1, 10, 100_000, 200_000] {
            let columns = first_rows(&Source::at(file.path()), rows).unwrap();
            let texts: Vec<&str> =
                columns[0].codes.iter().map(|code| columns[0].texts[*code as usize].as_str()).collect();
            assert_eq!(texts.len(), rows.min(100_000));
            assert!(texts.iter().enumerate().all(|(row, text)| *text == row.to_string()));
            assert_eq!((columns[1].name.as_str(), columns[1].codes.len()), ("b", texts.len()));
        }
    }
}
