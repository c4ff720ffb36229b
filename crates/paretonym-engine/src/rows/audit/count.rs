//! Counts the groups of a file: one pass, each worker with a count of its own, joined in the order of the cells.

use paretonym::data::{CellRule, Encoding, Source};
use paretonym::engine::Watch;
use paretonym::error::Result;

use super::groups::{Groups, STAR};
use super::join::join;
use super::{AuditRequest, Distance, SensitiveColumn};
use crate::rows::cells::Cells;
use crate::rows::coder::{Coder, INVALID};
use crate::rows::pairs::Pairs;
use crate::rows::pass::{Consumer, CountingConsumer, Fault};
use crate::rows::table::Table;
use crate::rows::tuple_numbers::TupleNumbers;

/// Counts a file; the groups, and the rows left out because they show nothing.
pub(super) fn count(source: &Source, request: &AuditRequest, watch: &dyn Watch) -> Result<(Groups, u64)> {
    let table = Table::open(source)?;
    let names = request.quasi.iter().chain(request.sensitive.iter().map(|column| &column.name));
    let (projection, slots) = table.projection(names)?;
    let counter = |_| Counter::new(request, &slots);
    let counters = table.counting_pass(&projection, (0..rayon::current_num_threads()).map(counter).collect(), watch)?;
    Ok(join(counters, request))
}

/// One worker's count.
pub(super) struct Counter<'a> {
    pub slots: &'a [usize],
    /// Whether rows that show nothing are left out, with all that stands in them.
    pub ignore_suppressed: bool,
    pub suppressed: u64,
    pub quasi: Vec<Coder<'a>>,
    pub sensitive: Vec<(&'a SensitiveColumn, Coder<'a>)>,
    /// The codes of a batch, column by column.
    codes: Vec<Vec<u32>>,
    values: Vec<Vec<u32>>,
    pub groups: TupleNumbers,
    /// The group of each row of a batch.
    numbers: Vec<u32>,
    pub counts: Vec<u64>,
    /// Per sensitive column: rows by group and value.
    pub tallies: Vec<Pairs>,
}

impl<'a> Counter<'a> {
    fn new(request: &'a AuditRequest, slots: &'a [usize]) -> Self {
        let coder = |encoding, missing| Coder::new(encoding, CellRule { missing, decimal: request.decimal }, true);
        let of_column = |column: &'a SensitiveColumn| match &column.distance {
            Distance::Declared(declared) => (column, coder(&declared.encoding, &declared.missing_cells)),
            _ => (column, coder(&Encoding::Text, &[])),
        };
        Counter {
            slots,
            ignore_suppressed: request.ignore_suppressed,
            suppressed: 0,
            quasi: request.quasi.iter().map(|_| coder(&Encoding::Text, &[])).collect(),
            sensitive: request.sensitive.iter().map(of_column).collect(),
            codes: vec![Vec::new(); request.quasi.len()],
            values: vec![Vec::new(); request.sensitive.len()],
            groups: TupleNumbers::new(request.quasi.iter().map(|_| None)),
            numbers: Vec::new(),
            counts: Vec::new(),
            tallies: vec![Pairs::new(None); request.sensitive.len()],
        }
    }

    /// Which of the coded rows show something, where that is asked and some do not.
    fn telling_rows(&self, rows: usize) -> Option<Vec<bool>> {
        let mut blank = vec![self.ignore_suppressed; rows];
        for (coder, codes) in self.quasi.iter().zip(&self.codes).filter(|_| self.ignore_suppressed) {
            let nothing = [coder.met(STAR), coder.met("")];
            blank.iter_mut().zip(codes).for_each(|(blank, code)| *blank &= nothing.contains(&Some(*code)));
        }
        blank.contains(&true).then(|| blank.into_iter().map(|blank| !blank).collect())
    }
}

impl Consumer for Counter<'_> {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        self.code(cells, rows, None)?;
        self.numbers.iter().for_each(|group| self.counts[*group as usize] += 1);
        for (tally, values) in self.tallies.iter_mut().zip(&self.values) {
            self.numbers.iter().zip(values).for_each(|(group, value)| tally.add(*group, *value));
        }
        Ok(())
    }
}

impl CountingConsumer for Counter<'_> {
    fn take_counted(&mut self, cells: &[Cells], times: &[u64]) -> Result<(), Fault> {
        let mut times = times.to_vec();
        self.code(cells, times.len(), Some(&mut times))?;
        self.numbers.iter().zip(&times).for_each(|(group, times)| self.counts[*group as usize] += times);
        for (tally, values) in self.tallies.iter_mut().zip(&self.values) {
            let counted = self.numbers.iter().zip(values).zip(&times);
            counted.for_each(|((group, value), times)| tally.add_many(*group, *value, *times));
        }
        Ok(())
    }
}

impl Counter<'_> {
    /// Codes the cells of a batch and numbers the groups of the rows that show something; the times of others go.
    fn code(&mut self, cells: &[Cells], rows: usize, times: Option<&mut Vec<u64>>) -> Result<(), Fault> {
        let width = self.quasi.len();
        for (at, (coder, codes)) in self.quasi.iter_mut().zip(&mut self.codes).enumerate() {
            codes.resize(rows, 0);
            coder.fill(&cells[self.slots[at]], codes.iter_mut());
        }
        let telling = self.telling_rows(rows);
        for (at, ((column, coder), values)) in self.sensitive.iter_mut().zip(&mut self.values).enumerate() {
            let cells = &cells[self.slots[width + at]];
            values.resize(rows, 0);
            coder.fill(cells, values.iter_mut());
            // A row that shows nothing may hold anything else, such as an empty cell among numbers.
            let tells = |row: usize| telling.as_ref().is_none_or(|telling| telling[row]);
            if let Some(row) = (0..rows).find(|row| values[*row] == INVALID && tells(*row)) {
                let value = cells.show(row);
                let problem = coder.problem(&value);
                return Err(Fault { row, column: column.name.clone(), problem, value, too_many: None });
            }
        }
        let mut left = rows;
        if let Some(telling) = telling {
            for codes in self.codes.iter_mut().chain(&mut self.values) {
                let mut tells = telling.iter();
                codes.retain(|_| tells.next().is_none_or(|tells| *tells));
            }
            left = telling.iter().filter(|tells| **tells).count();
            self.suppressed += match times {
                None => (rows - left) as u64,
                Some(times) => {
                    let (gone, mut tells) = (times.iter().sum::<u64>(), telling.iter());
                    times.retain(|_| tells.next().is_none_or(|tells| *tells));
                    gone - times.iter().sum::<u64>()
                }
            };
        }
        self.groups.number(&self.codes, left, &mut self.numbers);
        self.counts.resize(self.groups.len(), 0);
        Ok(())
    }
}
