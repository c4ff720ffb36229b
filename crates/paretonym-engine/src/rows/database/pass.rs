//! Passes over a table in a database: rows as they come, or distinct rows with how often each occurs.

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, SchemaRef};
use paretonym::engine::{Unwatched, Watch};
use paretonym::error::{Error, Result};
use rayon::prelude::*;

use super::DatabaseTable;
use crate::rows::cell_texts::cell_texts;
use crate::rows::cells::Cells;
use crate::rows::pass::{Consumer, CountingConsumer, Fault};

impl DatabaseTable {
    /// Hands all rows to the consumers, as [`Table::pass`](crate::rows::table::Table::pass) does.
    pub fn pass(&self, projection: &[usize], consumers: &mut [&mut dyn Consumer], watch: &dyn Watch) -> Result<()> {
        let take =
            |consumer: &mut &mut dyn Consumer, cells: &[Cells], rows: usize, _: &[u64]| consumer.take(cells, rows);
        self.hand_out(self.relation.rows(projection, watch)?, consumers, take, watch)
    }

    /// Hands some rows, whichever come first, to a consumer.
    pub fn first_pass(&self, projection: &[usize], rows: usize, consumer: &mut dyn Consumer) -> Result<()> {
        let take =
            |consumer: &mut &mut dyn Consumer, cells: &[Cells], rows: usize, _: &[u64]| consumer.take(cells, rows);
        let answer = self.relation.first_rows(projection, rows, &Unwatched)?;
        self.hand_out(answer, &mut [consumer], take, &Unwatched)
    }

    /// Hands the distinct rows of some columns to the consumers, each with how often it occurs.
    pub fn counting_pass(
        &self,
        projection: &[usize],
        consumers: &mut [&mut dyn CountingConsumer],
        watch: &dyn Watch,
    ) -> Result<()> {
        self.hand_out_counted(self.relation.grouped(projection, watch)?, consumers, watch)
    }

    /// Hands out distinct rows with how often each occurs.
    pub(super) fn hand_out_counted(
        &self,
        answer: paretonym_sql::Cells,
        consumers: &mut [&mut dyn CountingConsumer],
        watch: &dyn Watch,
    ) -> Result<()> {
        let take = |consumer: &mut &mut dyn CountingConsumer, cells: &[Cells], _: usize, times: &[u64]| {
            consumer.take_counted(cells, times)
        };
        self.hand_out(answer, consumers, take, watch)
    }

    fn hand_out<C: Send>(
        &self,
        mut answer: paretonym_sql::Cells,
        consumers: &mut [C],
        take: impl Fn(&mut C, &[Cells], usize, &[u64]) -> Result<(), Fault> + Sync,
        watch: &dyn Watch,
    ) -> Result<()> {
        watch.phase(&format!("asking {}", self.relation.place()), None);
        let mut row = 0;
        let mut ended = false;
        while !ended {
            // As many batches as there are consumers, side by side.
            let mut some = Vec::with_capacity(consumers.len());
            while some.len() < consumers.len() {
                let Some(batch) = answer.next()? else {
                    ended = true;
                    break;
                };
                some.push(batch);
            }
            if watch.cancelled() {
                return Err(Error::Cancelled);
            }
            let taken: Vec<Result<(), Trouble>> = consumers
                .par_iter_mut()
                .zip(&some)
                .map(|(consumer, (columns, times))| {
                    let cells = self.cells(columns).map_err(Trouble::Column)?;
                    take(consumer, &cells, rows_of(columns), times).map_err(Trouble::Cell)
                })
                .collect();
            for (taken, (columns, _)) in taken.into_iter().zip(&some) {
                taken.map_err(|trouble| match trouble {
                    Trouble::Column(error) => error,
                    Trouble::Cell(fault) => fault.into_error(&self.path, row + 1),
                })?;
                row += rows_of(columns) as u64;
                watch.advance(rows_of(columns) as u64);
            }
        }
        Ok(())
    }

    pub(super) fn cells(&self, columns: &[ArrayRef]) -> Result<Vec<Cells<'static>>> {
        let read = |column: &ArrayRef| Cells::from_arrow(column);
        let said = |error: ArrowError| Error::Table {
            place: self.relation.place().to_owned(),
            problem: format!("cannot be read: {error}"),
        };
        columns.iter().map(read).collect::<Result<Vec<_>, _>>().map_err(said)
    }

    /// Hands all rows to workers, as Arrow holds them and in the types of a schema.
    pub fn scan<W: Send>(
        &self,
        projection: &[usize],
        schema: &SchemaRef,
        mut workers: Vec<W>,
        take: impl Fn(&mut W, usize, &RecordBatch) -> Result<()> + Sync,
        watch: &dyn Watch,
    ) -> Result<Vec<W>> {
        let mut answer = self.relation.rows(projection, watch)?;
        let expected = projection.iter().map(|at| schema.field(*at).clone()).collect::<Vec<_>>();
        let expected = std::sync::Arc::new(arrow_schema::Schema::new(expected));
        let mut part = 0;
        let mut ended = false;
        while !ended {
            let mut some = Vec::with_capacity(workers.len());
            while some.len() < workers.len() {
                let Some((columns, _)) = answer.next()? else {
                    ended = true;
                    break;
                };
                some.push(self.batch(&expected, columns)?);
            }
            let work = |((number, worker), batch): ((usize, &mut W), &RecordBatch)| take(worker, part + number, batch);
            workers.par_iter_mut().enumerate().zip(&some).map(work).collect::<Result<Vec<()>>>()?;
            part += some.len();
            some.iter().for_each(|batch| watch.advance(batch.num_rows() as u64));
        }
        Ok(workers)
    }

    /// A batch in the types that were announced. Drivers may change their minds where a batch has no value.
    fn batch(&self, schema: &SchemaRef, columns: Vec<ArrayRef>) -> Result<RecordBatch> {
        let odd = |error: ArrowError| Error::Table {
            place: self.relation.place().to_owned(),
            problem: format!("cannot be read: {error}"),
        };
        let fit = |(column, field): (ArrayRef, &std::sync::Arc<arrow_schema::Field>)| {
            let text = field.data_type() == &arrow_schema::DataType::Utf8 && column.data_type() != field.data_type();
            match text {
                true => cell_texts(column.as_ref()).map(|texts| std::sync::Arc::new(texts) as ArrayRef),
                false => Ok(column),
            }
        };
        let columns = columns.into_iter().zip(schema.fields()).map(fit).collect::<Result<Vec<_>, _>>().map_err(odd)?;
        RecordBatch::try_new(std::sync::Arc::clone(schema), columns).map_err(odd)
    }
}

/// What may go wrong with a batch.
enum Trouble {
    Column(Error),
    Cell(Fault),
}

fn rows_of(columns: &[ArrayRef]) -> usize {
    columns.first().map_or(0, |column| column.len())
}
