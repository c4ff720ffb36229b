//! Tables in databases. Whoever counts is handed distinct rows with how often each occurs, counted where they live; rows
//! themselves come only to whoever writes or compares them.

mod coding;
mod distant;
mod fingerprint;
mod pass;
mod profile;
mod writing;

pub(crate) use distant::DistantTable;
pub(crate) use fingerprint::fingerprint;

use std::path::PathBuf;

use arrow_schema::Field;
use paretonym::data::{ColumnRequest, CountRequest, Repeats, Source};
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym_sql::Relation;

use crate::rows::cells::is_readable;
use crate::rows::text::dialect::check_names;

/// A table in a database.
pub(crate) struct DatabaseTable {
    pub names: Vec<String>,
    pub relation: Relation,
    /// What stands for its path in messages.
    path: PathBuf,
}

impl DatabaseTable {
    /// Connects, and finds out which columns there are.
    pub fn open(source: &Source) -> Result<Self> {
        source.check()?;
        let relation = Relation::open(source)?;
        let names: Vec<String> = relation.names().map(str::to_owned).collect();
        check_names(&names, relation.place())?;
        let path = PathBuf::from(relation.place());
        Ok(DatabaseTable { names, relation, path })
    }

    /// Refuses a count of more distinct tuples than are wanted, before they come.
    pub fn check_tuples(&self, request: &CountRequest, watch: &dyn Watch) -> Result<()> {
        let Some(most) = request.at_most else { return Ok(()) };
        if self.relation.count_rows(watch)? <= most {
            return Ok(());
        }
        let position = |column: &ColumnRequest| self.names.iter().position(|name| *name == column.name);
        let mut positions: Vec<usize> = request.columns.iter().filter_map(position).collect();
        positions.sort_unstable();
        positions.dedup();
        let sql = format!("SELECT CAST(COUNT(*) AS BIGINT) FROM ({}) AS tuples", self.relation.grouping(&positions));
        if self.relation.number(&sql, watch)? > most { Err(Error::TooManyTuples(most)) } else { Ok(()) }
    }

    /// Whether the cells of a column can be read.
    pub fn is_readable(&self, position: usize) -> bool {
        is_readable(self.relation.field(position).data_type())
    }

    /// The columns as they come.
    pub fn fields(&self) -> Vec<Field> {
        (0..self.names.len()).map(|at| self.relation.field(at).clone()).collect()
    }

    /// How often the values of a column repeat, counted by the engine: a cell that means "missing" does not count.
    pub fn repeats(&self, position: usize, source: &Source, watch: &dyn Watch) -> Result<Repeats> {
        let dialect = self.relation.client().dialect();
        let text = format!("TRIM({})", dialect.text("c0"));
        let signs: Vec<String> = source.missing.iter().map(|sign| dialect.literal(sign.trim())).collect();
        let signs = if signs.is_empty() { String::new() } else { format!(" AND {text} NOT IN ({})", signs.join(", ")) };
        let cells = self.relation.cells(&[position]);
        let from = self.relation.from();
        let groups = format!(
            "(SELECT COUNT(*) AS n FROM (SELECT {cells} FROM {from}) AS cells WHERE c0 IS NOT NULL{signs} GROUP BY c0) AS g"
        );
        let ask = |what: &str| {
            let sql = format!("SELECT CAST(COALESCE({what}, 0) AS BIGINT) FROM {groups}");
            self.relation.number(&sql, watch)
        };
        let (cells, distinct) = (ask("SUM(n)")?, ask("COUNT(*)")?);
        Ok(Repeats { cells, distinct, once: ask("SUM(CASE WHEN n = 1 THEN 1 ELSE 0 END)")? })
    }
}
