//! Whole columns, row by row: what comparing files needs. Memory grows with the rows, four bytes a cell.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use arrow_array::Array;
use paretonym::compare::Coded;
use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};

use crate::rows::cells::Cells;
use crate::rows::interner::Interner;
use crate::rows::pass::{Consumer, Fault};
use crate::rows::table::Table;

/// Reads columns of a table in the order of its rows. Cells are trimmed; empty and missing cells are texts of their own.
pub fn read_columns(source: &Source, names: &[String], watch: &dyn Watch) -> Result<Vec<Coded>> {
    let table = Table::open(source)?;
    let (projection, slots) = table.projection(names.iter())?;
    let columns = names.iter().map(|_| WholeColumn::default()).collect();
    let done = table.pass(&projection, vec![Rows { slots, columns }], watch)?;
    let columns = done.into_iter().flat_map(|rows| rows.columns).zip(names);
    Ok(columns.map(|(column, name)| column.finish(name)).collect())
}

/// The same for those of the columns that can be read: one pass for all of them, or, where that fails, one for each.
pub(crate) fn readable_columns(source: &Source, names: &[String], watch: &dyn Watch) -> Result<Vec<Option<Coded>>> {
    let some = |read: Result<Vec<Coded>>| match read {
        Err(Error::Cancelled) => Err(Error::Cancelled),
        read => Ok(read.ok()),
    };
    if let Some(columns) = some(read_columns(source, names, watch))? {
        return Ok(columns.into_iter().map(Some).collect());
    }
    let one = |name: &String| {
        Ok(some(read_columns(source, std::slice::from_ref(name), watch))?.and_then(|mut one| one.pop()))
    };
    names.iter().map(one).collect()
}

/// Takes all rows in order.
struct Rows {
    slots: Vec<usize>,
    columns: Vec<WholeColumn>,
}

#[derive(Default)]
struct WholeColumn {
    texts: Interner,
    codes: Vec<u32>,
}

impl WholeColumn {
    fn finish(self, name: &str) -> Coded {
        let texts = (0..self.texts.len() as u32).map(|code| self.texts.get(code).to_owned()).collect();
        Coded { name: name.to_owned(), codes: self.codes, texts }
    }
}

impl Consumer for Rows {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        for (column, slot) in self.columns.iter_mut().zip(&self.slots) {
            let cells = &cells[*slot];
            for row in 0..rows {
                let code = match cells {
                    Cells::Text(texts) if texts.is_valid(row) => column.texts.intern(texts.value(row).trim()),
                    other => column.texts.intern(&other.show(row)),
                };
                column.codes.push(code);
            }
        }
        Ok(())
    }
}

/// The first rows of a table, all columns, without reading the rest.
pub fn first_rows(source: &Source, rows: usize) -> Result<Vec<Coded>> {
    let table = Table::open(source)?;
    let readable: Vec<usize> = (0..table.names().len()).filter(|position| table.is_readable(*position)).collect();
    let columns = readable.iter().map(|_| WholeColumn::default()).collect();
    let taken = Mutex::new(Rows { slots: (0..readable.len()).collect(), columns });
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
    use paretonym::engine::Unwatched;

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

    #[test]
    fn columns_in_row_order() {
        let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        std::fs::write(file.path(), "a,b,c\n1, x ,p\n2,y,q\n1,x,p\n").unwrap();
        let names = ["c".to_owned(), "b".to_owned()];
        let columns = read_columns(&Source::at(file.path()), &names, &Unwatched).unwrap();
        assert_eq!(
            (columns[0].codes.as_slice(), columns[1].codes.as_slice()),
            ([0, 1, 0].as_slice(), [0, 1, 0].as_slice())
        );
        assert_eq!((columns[0].texts.join("|"), columns[1].texts.join("|")), ("p|q".into(), "x|y".into()));
    }
}
