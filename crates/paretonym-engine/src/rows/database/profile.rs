//! A look at a table in a database that nobody has described yet: the most frequent values of each column, with their counts.

use paretonym::data::{ColumnProfile, Source, TableProfile};
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};

use super::DatabaseTable;
use crate::rows::cells::Cells;
use crate::rows::profiled_column::ProfiledColumn;

/// Values of a column that are looked at, the most frequent first. What a column is shows in fewer.
const VALUES: usize = 100_000;

impl DatabaseTable {
    /// Profiles every column. Of one with very many values the most frequent are looked at; that the others are of the same
    /// kind is taken for granted, and a draft is there to be read.
    pub fn profile(&self, source: &Source, watch: &dyn Watch) -> Result<TableProfile> {
        let rows = self.relation.count_rows(watch)?;
        if rows == 0 {
            return Err(Error::Table { place: self.relation.place().to_owned(), problem: "holds no rows".to_owned() });
        }
        watch.phase(&format!("asking {}", self.relation.place()), Some(self.names.len() as u64));
        let mut columns = Vec::new();
        for position in 0..self.names.len() {
            columns.push(self.profile_column(position, rows, source, watch)?);
            watch.advance(1);
        }
        Ok(TableProfile { rows, columns, delimiter: None, header: true, decimal: source.decimal })
    }

    fn profile_column(&self, at: usize, rows: u64, source: &Source, watch: &dyn Watch) -> Result<ColumnProfile> {
        let mut column = ProfiledColumn::new(&self.names[at], source);
        if !self.is_readable(at) {
            return Ok(ColumnProfile { rows, ..column.finish() });
        }
        let mut values = self.relation.values(at, VALUES + 1, watch)?;
        let mut met = 0;
        while let Some((cells, times)) = values.next()? {
            let cells = Cells::from_arrow(&cells[0]).map_err(|error| Error::Table {
                place: self.relation.place().to_owned(),
                problem: format!("column {:?} cannot be read: {error}", self.names[at]),
            })?;
            column.take_counted(&cells, &times);
            met += times.len();
        }
        let mut profile = column.finish();
        if met > VALUES {
            profile.more_values = true;
            spread(&mut profile, rows);
        }
        Ok(profile)
    }
}

/// What was found of the most frequent values, as if it were so of all.
fn spread(profile: &mut ColumnProfile, rows: u64) {
    let seen = profile.rows.max(1);
    // All or nothing stays all or nothing.
    let spread = |count: &mut u64| *count = (u128::from(*count) * u128::from(rows) / u128::from(seen)) as u64;
    let own = [&mut profile.missing, &mut profile.numbers, &mut profile.integers, &mut profile.comma_numbers];
    own.into_iter().for_each(spread);
    [&mut profile.comma_groups, &mut profile.point_numbers].into_iter().for_each(spread);
    profile.dates.iter_mut().for_each(spread);
    profile.rows = rows;
}
