//! Whole columns, row by row: what comparing files needs. Memory grows with the rows, four bytes a cell.

use arrow_array::Array;
use paretonym::compare::Coded;
use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::Result;

use crate::cells::Cells;
use crate::interner::Interner;
use crate::pass::{Consumer, Fault};
use crate::table::Table;

/// Reads columns of a table in the order of its rows. Cells are trimmed; empty and missing cells are texts of their own.
pub fn read_columns(source: &Source, names: &[String], watch: &dyn Watch) -> Result<Vec<Coded>> {
    let table = Table::open(source)?;
    let positions = names.iter().map(|name| table.position(name)).collect::<Result<Vec<usize>>>()?;
    let mut projection = positions.clone();
    projection.sort_unstable();
    projection.dedup();
    let slots = positions.iter().map(|position| projection.partition_point(|p| p < position)).collect();
    let columns = names.iter().map(|_| Column::default()).collect();
    let done = table.pass(&projection, vec![Rows { slots, columns }], watch)?;
    let columns = done.into_iter().flat_map(|rows| rows.columns).zip(names);
    Ok(columns
        .map(|(column, name)| {
            let texts = (0..column.texts.len() as u32).map(|code| column.texts.get(code).to_owned()).collect();
            Coded { name: name.clone(), codes: column.codes, texts }
        })
        .collect())
}

/// Takes all rows in order.
struct Rows {
    slots: Vec<usize>,
    columns: Vec<Column>,
}

#[derive(Default)]
struct Column {
    texts: Interner,
    codes: Vec<u32>,
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
