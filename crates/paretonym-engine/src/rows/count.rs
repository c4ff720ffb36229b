//! The counting pass: distinct tuples with counts, whatever the format and the number of threads.

use paretonym::data::{ColumnRequest, CountRequest, Counted, Encoding, Part, Source};
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};

use crate::rows::file;
use crate::rows::merge::merge;
use crate::rows::pass::as_counting;
use crate::rows::table::{Table, TableFile};
use crate::rows::tally::{Tallied, Tally};

/// Counts a table.
pub(crate) fn count(source: &Source, request: &CountRequest, watch: &dyn Watch) -> Result<Counted> {
    count_table(&Table::open(source)?, source, request, watch)
}

fn count_table(table: &Table, source: &Source, request: &CountRequest, watch: &dyn Watch) -> Result<Counted> {
    if let TableFile::Database(database) = &table.file
        && is_coded(request)
    {
        return database.count_codes(source, request, watch);
    }
    let (projection, slots) = table.projection(request.columns.iter().map(|column| &column.name))?;
    let tally = |_| Tally::new(source, request, &slots, table.null_is_empty());
    let mut tallies: Vec<Tally> = (0..rayon::current_num_threads()).map(tally).collect();
    if let TableFile::Database(database) = &table.file {
        database.counting_pass_at_most(&projection, &mut as_counting(&mut tallies), request.at_most, watch)?;
    } else {
        tallies = table.counting_pass(&projection, tallies, watch)?;
    }
    let counted = merge(tallies.into_iter().map(Tally::finish).collect::<Vec<Tallied>>(), request);
    if let Some(most) = request.at_most.filter(|most| counted.counts.len() as u64 > *most) {
        return Err(Error::TooManyTuples(most));
    }
    match (counted.rows, counted.dropped) {
        // A part may hold nothing.
        _ if request.part.is_some() => Ok(counted),
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

/// Whether a database is to count codes rather than values: where all codes of tuples are declared, and values are asked for
/// beside them or alone.
fn is_coded(request: &CountRequest) -> bool {
    let of = |part| request.columns.iter().filter(move |column| column.part == part);
    let declared = of(Part::Quasi).all(|column| !matches!(column.encoding, Encoding::Text | Encoding::Numbers));
    let joined = |column: &ColumnRequest| matches!(&column.encoding, Encoding::Known { .. });
    let alone = of(Part::Quasi).next().is_none() && request.columns.len() > 1;
    alone || (declared && of(Part::Quasi).any(joined))
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let request = CountRequest { columns, at_most: None, part: None };
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
