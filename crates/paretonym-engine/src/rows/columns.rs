//! Whole columns, row by row: what comparing files needs. Memory grows with the rows, four bytes a cell.

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
pub(crate) struct Rows {
    pub slots: Vec<usize>,
    pub columns: Vec<WholeColumn>,
}

/// A column that is read as a whole.
#[derive(Default)]
pub(crate) struct WholeColumn {
    texts: Interner,
    pub codes: Vec<u32>,
}

impl WholeColumn {
    /// The column under its name.
    pub fn finish(self, name: &str) -> Coded {
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
                    Cells::Slices(cells) => column.texts.intern(cells.at(cells.spans[row]).trim()),
                    Cells::Text(texts) if texts.is_valid(row) => column.texts.intern(texts.value(row).trim()),
                    other => column.texts.intern(&other.show(row)),
                };
                column.codes.push(code);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paretonym::engine::Unwatched;

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
