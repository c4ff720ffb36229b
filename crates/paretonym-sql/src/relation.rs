//! A table of a database, or what a query gives: its columns, and the few questions that are asked of it.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use paretonym::data::Source;
use paretonym::engine::{Unwatched, Watch};
use paretonym::error::{Error, Result};

use crate::answer::Answer;
use crate::client::Client;
use crate::connections::Connection;
use crate::dialect::{ColumnFacts, Dialect, unmarked};
use crate::names::TableName;
use crate::statements::check_query;

/// What the column of counts is called in an answer.
pub const COUNT: &str = "n";

/// A table whose columns are known.
pub struct Relation {
    client: Client,
    place: String,
    table: Option<TableName>,
    /// What stands behind FROM.
    from: String,
    columns: Vec<Column>,
}

struct Column {
    name: String,
    /// How it is asked for.
    cell: String,
    /// As it comes then.
    field: Field,
}

impl Relation {
    /// Connects, and finds out which columns there are.
    pub fn open(source: &Source) -> Result<Self> {
        let connection = Connection::of(source)?;
        let from = from(source, connection.dialect)?;
        let client = Client::connect(&connection)?;
        for greeting in connection.dialect.greetings() {
            client.tell(greeting, &Unwatched)?;
        }
        let table = source.table.as_deref().map(TableName::read).transpose()?;
        let mut relation = Relation { client, place: source.place(), table, from, columns: Vec::new() };
        relation.columns = relation.describe()?;
        Ok(relation)
    }

    /// What it is called in messages.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The connection that it is asked through.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The name of a column.
    pub fn name(&self, position: usize) -> &str {
        &self.columns[position].name
    }

    /// How a column is asked for.
    pub(crate) fn cell(&self, position: usize) -> &str {
        &self.columns[position].cell
    }

    /// The table by its name; none where it is a query.
    pub fn table(&self) -> Option<&TableName> {
        self.table.as_ref()
    }

    /// Whether there is a table of a name.
    pub fn exists(&self, table: &TableName) -> bool {
        let sql = format!("SELECT * FROM {} WHERE 1 = 0", table.quoted(self.client.dialect()));
        self.client.ask_all(&sql, &Unwatched).is_ok()
    }

    /// The names of the tables beside one, where the engine can be asked; none otherwise.
    pub fn tables_beside(&self, table: &TableName) -> Result<Vec<String>> {
        let Some(sql) = self.client.dialect().tables_beside(table) else { return Ok(Vec::new()) };
        let batches = self.client.ask_all(&sql, &Unwatched)?;
        let names = batches.iter().filter_map(|batch| batch.column(0).as_string_opt::<i32>());
        Ok(names.flat_map(|names| names.iter().flatten().map(str::to_owned).collect::<Vec<String>>()).collect())
    }

    /// A column as its cells come.
    pub fn field(&self, position: usize) -> &Field {
        &self.columns[position].field
    }

    /// Some columns as they are asked for, `c0`, `c1` and so on.
    pub fn cells(&self, positions: &[usize]) -> String {
        let cell = |(number, at): (usize, &usize)| format!("{} AS c{number}", self.columns[*at].cell);
        positions.iter().enumerate().map(cell).collect::<Vec<_>>().join(", ")
    }

    /// What stands behind FROM.
    pub fn from(&self) -> &str {
        &self.from
    }

    /// All rows, some columns, in the order of the engine.
    pub fn rows<'w>(&self, positions: &[usize], watch: &'w dyn Watch) -> Result<Cells<'w>> {
        let sql = self.all_rows(positions);
        self.ask(&sql, positions, watch)
    }

    /// Some rows, whichever come first.
    pub fn first_rows<'w>(&self, positions: &[usize], most: usize, watch: &'w dyn Watch) -> Result<Cells<'w>> {
        let sql = format!("{} LIMIT {most}", self.all_rows(positions));
        self.ask(&sql, positions, watch)
    }

    /// The distinct combinations of some columns, each with its rows in the last column.
    pub fn grouped<'w>(&self, positions: &[usize], watch: &'w dyn Watch) -> Result<Cells<'w>> {
        self.ask(&self.grouping(positions), positions, watch)
    }

    /// Counts distinct combinations into a table of the connection, where the engine makes such; what stands for it behind
    /// FROM. It goes with the connection.
    pub fn keep_grouped(&self, positions: &[usize], id: &str, watch: &dyn Watch) -> Result<Option<String>> {
        let dialect = self.client.dialect();
        let name = dialect.quote(&format!("paretonym_{id}_tuples"));
        let Some(create) = dialect.temporary(&name) else { return Ok(None) };
        let names: Vec<String> = (0..positions.len()).map(|number| format!("c{number}")).collect();
        let names = names.join(", ");
        let sql = format!(
            "{create} AS SELECT {names}, CAST(COUNT(*) AS BIGINT) AS {COUNT} FROM (SELECT {} FROM {}) AS cells GROUP BY {names}",
            self.cells(positions),
            self.from
        );
        match self.client.tell(&sql, watch) {
            Ok(()) => Ok(Some(name)),
            Err(Error::Cancelled) => Err(Error::Cancelled),
            // Whoever may only read makes no tables; the question can be asked without. Should nobody answer any more, it fails.
            Err(_) => Ok(None),
        }
    }

    /// What was kept of distinct combinations.
    pub fn kept<'w>(&self, kept: &str, positions: &[usize], watch: &'w dyn Watch) -> Result<Cells<'w>> {
        let sql = format!("SELECT {}, {COUNT} FROM {kept}", self.handed_out(positions.len()));
        self.ask(&sql, positions, watch)
    }

    /// The values of a column as they come, each with what it is as a text of the engine, none for a null.
    pub fn texts<'w>(&self, position: usize, watch: &'w dyn Watch) -> Result<Texts<'w>> {
        let text = self.client.dialect().text("c0");
        let cells = self.cells(&[position]);
        let (shown, text) = (self.handed_out(1), self.client.dialect().handed_out(&text));
        let sql = format!("SELECT {shown}, {text} AS c1 FROM (SELECT {cells} FROM {}) AS cells GROUP BY c0", self.from);
        Ok(Texts { cells: self.ask(&sql, &[position], watch)? })
    }

    /// The values of a column with their rows, the most frequent first, at most so many.
    pub fn values<'w>(&self, position: usize, most: usize, watch: &'w dyn Watch) -> Result<Cells<'w>> {
        let sql = format!("{} ORDER BY {COUNT} DESC, c0 LIMIT {most}", self.grouping(&[position]));
        self.ask(&sql, &[position], watch)
    }

    fn all_rows(&self, positions: &[usize]) -> String {
        let shown = self.handed_out(positions.len());
        format!("SELECT {shown} FROM (SELECT {} FROM {}) AS cells", self.cells(positions), self.from)
    }

    /// The cells `c0`, `c1` and so on at the end of a query.
    fn handed_out(&self, columns: usize) -> String {
        let cell = |number: usize| {
            let name = format!("c{number}");
            let cell = self.client.dialect().handed_out(&name);
            if cell == name { name } else { format!("{cell} AS {name}") }
        };
        (0..columns).map(cell).collect::<Vec<_>>().join(", ")
    }

    /// The question for distinct combinations.
    pub fn grouping(&self, positions: &[usize]) -> String {
        let names: Vec<String> = (0..positions.len()).map(|number| format!("c{number}")).collect();
        let shown = self.handed_out(positions.len());
        let names = names.join(", ");
        format!(
            "SELECT {shown}, CAST(COUNT(*) AS BIGINT) AS {COUNT} FROM (SELECT {} FROM {}) AS cells GROUP BY {names}",
            self.cells(positions),
            self.from
        )
    }

    /// The rows of the table.
    pub fn count_rows(&self, watch: &dyn Watch) -> Result<u64> {
        self.number(&format!("SELECT CAST(COUNT(*) AS BIGINT) FROM {}", self.from), watch)
    }

    /// An answer of some texts and of whole numbers behind them. The texts must be handed out as cells are.
    pub fn texts_and_numbers<'w>(&self, sql: &str, texts: usize, watch: &'w dyn Watch) -> Result<Cells<'w>> {
        let names = (0..texts).map(|at| format!("x{at}")).collect();
        let marked = self.client.dialect().all_texts();
        Ok(Cells {
            answer: self.client.ask(sql, watch)?,
            texts: vec![true; texts],
            marked,
            names,
            place: self.place.clone(),
        })
    }

    /// An answer of whole numbers alone.
    pub fn numbers<'w>(&self, sql: &str, watch: &'w dyn Watch) -> Result<Cells<'w>> {
        self.ask(sql, &[], watch)
    }

    /// The only number in an answer.
    pub fn number(&self, sql: &str, watch: &dyn Watch) -> Result<u64> {
        let batches = self.client.ask_all(sql, watch)?;
        let first = batches.iter().find(|batch| batch.num_rows() > 0).map(|batch| counts(batch.column(0)));
        first.transpose()?.and_then(|numbers| numbers.first().copied()).ok_or_else(|| self.odd("no number"))
    }

    /// Asks for cells of some columns, which come first, and for numbers behind them.
    pub(crate) fn ask<'w>(&self, sql: &str, positions: &[usize], watch: &'w dyn Watch) -> Result<Cells<'w>> {
        let answer = self.client.ask(sql, watch)?;
        let texts = positions.iter().map(|at| self.columns[*at].field.data_type() == &DataType::Utf8).collect();
        let names = positions.iter().map(|at| self.columns[*at].name.clone()).collect();
        let marked = self.client.dialect().all_texts();
        Ok(Cells { answer, texts, marked, names, place: self.place.clone() })
    }

    /// The columns, as they are and as they will be asked for.
    fn describe(&self) -> Result<Vec<Column>> {
        let dialect = self.client.dialect();
        let schema = self.schema(&format!("SELECT * FROM {} WHERE 1 = 0", self.from))?;
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        let quoted: Vec<String> = names.iter().map(|name| dialect.quote(name)).collect();
        let kinds = self.kinds(&quoted)?;
        let cells: Vec<String> = (0..names.len())
            .map(|at| {
                let kind = kinds.get(at).and_then(|kind| kind.as_deref());
                dialect.cell(&ColumnFacts { quoted: &quoted[at], field: schema.field(at), kind })
            })
            .collect();
        let fields = match dialect.all_texts() {
            true => names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect(),
            false => {
                let asked: Vec<String> =
                    cells.iter().enumerate().map(|(number, cell)| format!("{cell} AS c{number}")).collect();
                let come = self.schema(&format!("SELECT {} FROM {} WHERE 1 = 0", asked.join(", "), self.from))?;
                let named = |(field, name): (&Arc<Field>, &String)| Field::new(name, field.data_type().clone(), true);
                come.fields().iter().zip(&names).map(named).collect::<Vec<Field>>()
            }
        };
        let columns = names.into_iter().zip(cells).zip(fields);
        Ok(columns.map(|((name, cell), field)| Column { name, cell, field }).collect())
    }

    fn schema(&self, sql: &str) -> Result<Arc<Schema>> {
        // Whatever is wrong with the first question is wrong with the table or the query that it asks for.
        let asked = self.client.ask(sql, &Unwatched).map_err(|error| match error {
            Error::Database(problem) | Error::Study(problem) if !problem.contains("connection is lost") => {
                Error::study(format!("{}: there is no such table, or it cannot be read: {problem}", self.place))
            }
            other => other,
        });
        let mut answer = asked?;
        let schema = Arc::clone(answer.schema());
        while answer.next_batch()?.is_some() {}
        Ok(schema)
    }

    /// What the engine calls the types of columns, where it is to be asked.
    fn kinds(&self, quoted: &[String]) -> Result<Vec<Option<String>>> {
        let dialect = self.client.dialect();
        let Some(asked) = quoted.iter().map(|name| dialect.kind_of(name)).collect::<Option<Vec<String>>>() else {
            return Ok(vec![None; quoted.len()]);
        };
        // A row without values beside no row at all: nothing of the table or the query is looked at, and an empty one has types, too.
        let none = format!("(SELECT * FROM {} WHERE 1 = 0) AS none", self.from);
        let sql = format!("SELECT {} FROM (SELECT 1 AS one) AS one LEFT JOIN {none} ON 1 = 1", asked.join(", "));
        let batches = self.client.ask_all(&sql, &Unwatched)?;
        let Some(batch) = batches.iter().find(|batch| batch.num_rows() > 0) else {
            return Ok(vec![None; quoted.len()]);
        };
        let kind = |column: &ArrayRef| column.as_string_opt::<i32>().map(|kinds| kinds.value(0).to_owned());
        Ok(batch.columns().iter().map(kind).collect())
    }

    fn odd(&self, what: &str) -> Error {
        Error::Database(format!("{}: the engine answers with {what}", self.place))
    }
}

/// What stands behind FROM for a source.
fn from(source: &Source, dialect: Dialect) -> Result<String> {
    match (&source.table, &source.query) {
        (Some(table), None) => Ok(TableName::read(table)?.quoted(dialect)),
        (None, Some(query)) => {
            check_query(query)?;
            Ok(format!("({}) AS asked", query.trim()))
        }
        _ => Err(Error::study("a database needs `table` or `query`, and not both: say which rows are meant")),
    }
}

/// Columns of cells, and columns of whole numbers behind them.
pub type CellsAndNumbers = (Vec<ArrayRef>, Vec<Vec<i64>>);

/// Cells of an answer, column by column.
pub struct Cells<'w> {
    answer: Answer<'w>,
    /// Which columns are texts, whatever a batch without a value in one takes it for.
    texts: Vec<bool>,
    /// Whether nulls come as texts.
    marked: bool,
    names: Vec<String>,
    place: String,
}

impl Cells<'_> {
    /// The next rows: the columns that were asked for, and how often each occurs where that was asked for, too.
    #[expect(clippy::should_implement_trait, reason = "an error ends it, which an iterator would not say")]
    pub fn next(&mut self) -> Result<Option<(Vec<ArrayRef>, Vec<u64>)>> {
        loop {
            let Some(batch) = self.answer.next_batch()? else { return Ok(None) };
            if batch.num_rows() == 0 {
                continue;
            }
            return Ok(Some((self.columns(&batch)?, self.counts(&batch)?)));
        }
    }

    /// The next rows: the columns that were asked for, and the whole numbers behind them, column by column.
    pub fn next_numbers(&mut self) -> Result<Option<CellsAndNumbers>> {
        loop {
            let Some(batch) = self.answer.next_batch()? else { return Ok(None) };
            if batch.num_rows() == 0 {
                continue;
            }
            let numbers = (self.texts.len()..batch.num_columns()).map(|at| whole_numbers(batch.column(at)));
            return Ok(Some((self.columns(&batch)?, numbers.collect::<Result<_>>()?)));
        }
    }

    fn columns(&self, batch: &RecordBatch) -> Result<Vec<ArrayRef>> {
        let of = |(at, texts): (usize, &bool)| {
            let column = batch.column(at);
            check_text(column).map_err(|()| Error::Table {
                place: self.place.clone(),
                problem: format!(
                    "column {:?} holds text that is not UTF-8; cast it to bytes in a query",
                    self.names[at]
                ),
            })?;
            if self.marked {
                return read_marks(column).map(|texts| Arc::new(texts) as ArrayRef);
            }
            // Of a column without a value some drivers say that it holds numbers.
            let empty = *texts && column.data_type() != &DataType::Utf8 && column.null_count() == column.len();
            Ok(match empty || column.data_type() == &DataType::Null {
                true => Arc::new(StringArray::new_null(column.len())),
                false => Arc::clone(column),
            })
        };
        self.texts.iter().enumerate().map(of).collect()
    }

    fn counts(&self, batch: &RecordBatch) -> Result<Vec<u64>> {
        if batch.num_columns() == self.texts.len() {
            return Ok(Vec::new());
        }
        counts(batch.column(self.texts.len()))
    }
}

/// Texts that tell nulls from what are none.
fn read_marks(column: &ArrayRef) -> Result<StringArray> {
    let odd = || Error::Database(format!("a text comes as {}", column.data_type()));
    let texts = column.as_string_opt::<i32>().ok_or_else(odd)?;
    Ok(texts.iter().map(|text| text.and_then(unmarked)).collect())
}

/// The values of a column, and their texts.
pub struct Texts<'w> {
    cells: Cells<'w>,
}

impl Texts<'_> {
    /// The next ones.
    pub fn next(&mut self) -> Result<Option<(ArrayRef, Vec<Option<String>>)>> {
        loop {
            let Some(batch) = self.cells.answer.next_batch()? else { return Ok(None) };
            if batch.num_rows() == 0 {
                continue;
            }
            let column = self.cells.columns(&batch)?.swap_remove(0);
            let texts = batch.column(1);
            check_text(texts)
                .map_err(|()| Error::Database("the engine answers with text that is not UTF-8".to_owned()))?;
            let texts = match texts.data_type() {
                _ if self.cells.marked => read_marks(texts)?.iter().map(|text| text.map(str::to_owned)).collect(),
                DataType::Utf8 => texts.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect(),
                DataType::LargeUtf8 => texts.as_string::<i64>().iter().map(|text| text.map(str::to_owned)).collect(),
                DataType::Utf8View => texts.as_string_view().iter().map(|text| text.map(str::to_owned)).collect(),
                _ if texts.null_count() == texts.len() => vec![None; texts.len()],
                other => return Err(Error::Database(format!("a text comes as {other}"))),
            };
            return Ok(Some((column, texts)));
        }
    }
}

/// Whole numbers that cannot be negative.
fn counts(column: &ArrayRef) -> Result<Vec<u64>> {
    let odd = || Error::Database("a count comes that is below zero".to_owned());
    whole_numbers(column)?.into_iter().map(|number| u64::try_from(number).map_err(|_| odd())).collect()
}

/// Whole numbers, in whatever form an engine has them.
fn whole_numbers(column: &ArrayRef) -> Result<Vec<i64>> {
    let odd = || Error::Database(format!("a count comes as {}, which is no number", column.data_type()));
    match column.data_type() {
        _ if column.null_count() > 0 => Err(odd()),
        DataType::Int64 => Ok(column.as_primitive::<Int64Type>().values().to_vec()),
        DataType::Int32 => {
            Ok(column.as_primitive::<Int32Type>().values().iter().map(|number| i64::from(*number)).collect())
        }
        DataType::UInt64 => {
            let numbers = column.as_primitive::<UInt64Type>().values();
            numbers.iter().map(|number| i64::try_from(*number).map_err(|_| odd())).collect()
        }
        DataType::Utf8 => {
            let texts = column.as_string::<i32>();
            texts.iter().map(|text| text.and_then(|text| text.parse().ok()).ok_or_else(odd)).collect()
        }
        _ => Err(odd()),
    }
}

/// Drivers are trusted with much, but not with what a text may hold: nobody checks it on the way.
fn check_text(column: &ArrayRef) -> Result<(), ()> {
    match column.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Dictionary(..) => {
            column.to_data().validate_full().map_err(|_| ())
        }
        _ => Ok(()),
    }
}
