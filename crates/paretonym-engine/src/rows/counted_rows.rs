//! Lines of a file that each stand for many rows: a column says for how many.

use paretonym::data::{Decimal, format_number};

use crate::rows::cells::Cells;
use crate::rows::pass::{Consumer, CountingConsumer, Fault};

/// Hands lines to a consumer that counts, with how often each occurs.
pub(crate) struct CountedRows<'a> {
    consumer: &'a mut dyn CountingConsumer,
    /// Where the cells of the pass are that the consumer wants, and where the counts are.
    slots: (Vec<usize>, usize),
}

impl<'a> CountedRows<'a> {
    /// For a consumer of some columns.
    pub fn new(consumer: &'a mut dyn CountingConsumer, slots: &(Vec<usize>, usize)) -> Self {
        CountedRows { consumer, slots: slots.clone() }
    }

    /// A pass over some columns and the column of counts, both in ascending order, and where in it they are.
    pub fn widen(projection: &[usize], counts: usize) -> (Vec<usize>, (Vec<usize>, usize)) {
        let mut wider = projection.to_vec();
        wider.push(counts);
        wider.sort_unstable();
        wider.dedup();
        let slot = |position: &usize| wider.partition_point(|own| own < position);
        let slots = (projection.iter().map(slot).collect(), slot(&counts));
        (wider, slots)
    }
}

impl Consumer for CountedRows<'_> {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        let (wanted, counts) = &self.slots;
        let times = (0..rows).map(|row| times(&cells[*counts], row)).collect::<Result<Vec<u64>, Fault>>()?;
        let cells: Vec<Cells> = wanted.iter().map(|slot| cells[*slot].clone()).collect();
        self.consumer.take_counted(&cells, &times)
    }

    fn part(&mut self, number: usize) {
        self.consumer.part(number);
    }
}

/// How often a line occurs: a whole number above 0 that every program writes the same way.
fn times(cells: &Cells, row: usize) -> Result<u64, Fault> {
    const MOST: f64 = 1e12;
    let value = cells.show(row);
    let number = Decimal::Point.read(&value).filter(|number| number.fract() == 0.0 && (1.0..MOST).contains(number));
    number.map(|number| number as u64).ok_or_else(|| Fault {
        row,
        column: paretonym::data::COUNTS.to_owned(),
        value,
        problem: format!("which is not a number of rows, from 1 to {}", format_number(MOST)),
        too_many: None,
    })
}
