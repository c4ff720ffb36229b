//! Tables in databases. Whoever counts is handed distinct rows with how often each occurs, counted where they live; rows
//! themselves come only to whoever writes or compares them.

mod classes;
mod coding;
mod distant;
mod fingerprint;
mod pass;
mod profile;
mod writing;

pub(crate) use distant::DistantTable;
pub(crate) use fingerprint::fingerprint;
pub(crate) use writing::{WritingThere, no_tokens};

use std::path::PathBuf;

use arrow_schema::Field;
use paretonym::data::{Repeats, Source};
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym_sql::Relation;

use self::coding::random;

use crate::hex::hex;
use crate::rows::cells::is_readable;
use crate::rows::pass::CountingConsumer;
use crate::rows::text::dialect::check_names;

/// Columns of more cells are looked at in part where it matters only how often values repeat.
const MANY_CELLS: u64 = 1 << 22;

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

    /// Counts distinct tuples where they are, and hands them out unless there are more of them than are wanted. They are counted
    /// once, where the engine can keep them meanwhile.
    pub fn counting_pass_at_most(
        &self,
        projection: &[usize],
        consumers: &mut [&mut dyn CountingConsumer],
        at_most: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<()> {
        let relation = &self.relation;
        let Some(most) = at_most.filter(|_| !projection.is_empty()) else {
            return self.counting_pass(projection, consumers, watch);
        };
        if relation.count_rows(watch)? <= most {
            return self.counting_pass(projection, consumers, watch);
        }
        watch.phase(&format!("counting in {}", relation.place()), None);
        let Some(kept) = relation.keep_grouped(projection, &hex(&random::<6>()?), watch)? else {
            let sql = format!("SELECT CAST(COUNT(*) AS BIGINT) FROM ({}) AS tuples", relation.grouping(projection));
            if relation.number(&sql, watch)? > most {
                return Err(Error::TooManyTuples(most));
            }
            return self.counting_pass(projection, consumers, watch);
        };
        if relation.number(&format!("SELECT CAST(COUNT(*) AS BIGINT) FROM {kept}"), watch)? > most {
            relation.client().tell(&format!("DROP TABLE {kept}"), watch)?;
            return Err(Error::TooManyTuples(most));
        }
        self.hand_out_counted(relation.kept(&kept, projection, watch)?, consumers, watch)
    }

    /// Whether the cells of a column can be read.
    pub fn is_readable(&self, position: usize) -> bool {
        is_readable(self.relation.field(position).data_type())
    }

    /// The columns as they come.
    pub fn fields(&self) -> Vec<Field> {
        (0..self.names.len()).map(|at| self.relation.field(at).clone()).collect()
    }

    /// How often the values of a column repeat, counted by the engine: a cell that means "missing" does not count. Of a long
    /// table, where the engine can tell which, one in 64 values is looked at.
    pub fn repeats(&self, position: usize, source: &Source, watch: &dyn Watch) -> Result<Repeats> {
        let dialect = self.relation.client().dialect();
        let is_text = !self.relation.field(position).data_type().is_numeric();
        let signs = source.missing.iter().filter(|sign| is_text || source.decimal.read(sign.trim()).is_some());
        let signs: Vec<String> = signs.map(|sign| dialect.literal(sign.trim())).collect();
        let mut stays = vec!["c0 IS NOT NULL".to_owned()];
        if !signs.is_empty() {
            stays.push(format!("TRIM({}) NOT IN ({})", dialect.text("c0"), signs.join(", ")));
        }
        let cells = format!("(SELECT {} FROM {}) AS cells", self.relation.cells(&[position]), self.relation.from());
        let count = format!("SELECT CAST(COUNT(*) AS BIGINT) FROM {cells} WHERE {}", stays.join(" AND "));
        let all = self.relation.number(&count, watch)?;
        let bucket = dialect.bucket("c0").filter(|_| all > MANY_CELLS);
        let scale = if bucket.is_some() { 64 } else { 1 };
        stays.extend(bucket.map(|bucket| format!("{bucket} = 0")));
        let sql = format!(
            "SELECT CAST(COUNT(*) AS BIGINT) AS d, CAST(COALESCE(SUM(CASE WHEN n = 1 THEN 1 ELSE 0 END), 0) AS BIGINT) AS o \
             FROM (SELECT COUNT(*) AS n FROM {cells} WHERE {} GROUP BY c0) AS g",
            stays.join(" AND ")
        );
        let mut answer = self.relation.numbers(&sql, watch)?;
        let numbers = answer.next_numbers()?.map(|(_, numbers)| numbers).unwrap_or_default();
        let number = |at: usize| numbers.get(at).and_then(|column| column.first()).map_or(0, |number| *number as u64);
        Ok(Repeats { cells: all, distinct: (number(0) * scale).min(all), once: (number(1) * scale).min(all) })
    }
}
