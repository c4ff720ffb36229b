//! The counting pass: distinct tuples with counts, whatever the format and the number of threads.

use paretonym::data::{CountRequest, Counted, Part, Source};
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};

use crate::rows::file;
use crate::rows::merge::merge;
use crate::rows::table::{Table, TableFile};
use crate::rows::tally::{Tallied, Tally};

/// Counts a table.
pub(crate) fn count(source: &Source, request: &CountRequest, watch: &dyn Watch) -> Result<Counted> {
    count_table(&Table::open(source)?, source, request, watch)
}

fn count_table(table: &Table, source: &Source, request: &CountRequest, watch: &dyn Watch) -> Result<Counted> {
    if let TableFile::Database(_) = &table.file
        && request.columns.len() > 1
        && request.columns.iter().all(|column| column.part == Part::Attribute)
    {
        return count_apart(table, source, request, watch);
    }
    let (projection, slots) = table.projection(request.columns.iter().map(|column| &column.name))?;
    let tally = |_| Tally::new(source, request, &slots, table.null_is_empty());
    let tallies = table.counting_pass(&projection, (0..rayon::current_num_threads()).map(tally).collect(), watch)?;
    let counted = merge(tallies.into_iter().map(Tally::finish).collect::<Vec<Tallied>>(), request);
    match (counted.rows, counted.dropped) {
        (0, 0) => Err(file::table(table.path(), "holds no rows")),
        (0, dropped) => Err(file::table(
            table.path(),
            format!(
                "no rows are left: all {dropped} rows have a missing value in a column that the study uses and were \
                 dropped; set `on_missing = \"value\"`, or correct `missing`"
            ),
        )),
        _ => Ok(counted),
    }
}

/// Columns that are counted beside each other and not together: a database is asked for each by itself.
fn count_apart(table: &Table, source: &Source, request: &CountRequest, watch: &dyn Watch) -> Result<Counted> {
    let mut all: Option<Counted> = None;
    for column in &request.columns {
        let one = CountRequest { columns: vec![column.clone()] };
        let own = count_table(table, source, &one, watch)?;
        match &mut all {
            None => all = Some(own),
            Some(all) => {
                all.dictionaries.extend(own.dictionaries);
                all.attributes.extend(own.attributes);
            }
        }
    }
    all.ok_or_else(|| Error::internal("no column was to be counted"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use paretonym::data::{ColumnRequest, Encoding};
    use paretonym::engine::Unwatched;

    #[test]
    fn block_borders_do_not_show() {
        let text = "name,size,note\n\"a\nb\",5\" pipe,\"say \"\"\"\"\"\nx,\"\"\"\",y\r\n\n\
                    \"a\nb\",5\" pipe,\"say \"\"\"\"\"\nlast,,\"\n\"";
        let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let mut source = Source::at(file.path());
        source.missing = Vec::new();
        let column = |name: &str, part| ColumnRequest { name: name.into(), part, encoding: Encoding::Text };
        let columns = vec![column("name", Part::Quasi), column("size", Part::Quasi), column("note", Part::Attribute)];
        let request = CountRequest { columns };
        let whole = count(&source, &request, &Unwatched).unwrap();
        assert_eq!(whole.rows, 4);
        assert_eq!(whole.counts, [2, 1, 1]);
        for size in 1..text.len() {
            let mut table = Table::open(&source).unwrap();
            let TableFile::Text(inner) = &mut table.file else { unreachable!() };
            inner.block = size;
            assert_eq!(count_table(&table, &source, &request, &Unwatched).unwrap(), whole, "blocks of {size}");
        }
    }
}
