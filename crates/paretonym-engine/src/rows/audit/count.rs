//! Counts the groups of a file: one pass, each worker with a count of its own, joined in the order of the cells.

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use paretonym::data::{CellRule, Encoding, Source};
use paretonym::engine::Watch;
use paretonym::error::Result;

use super::groups::{Groups, STAR};
use super::join::join;
use super::{AuditRequest, Distance, SensitiveColumn};
use crate::rows::cells::Cells;
use crate::rows::coder::{Coder, INVALID};
use crate::rows::packed::pack;
use crate::rows::pairs::Pairs;
use crate::rows::pass::{Consumer, Fault};
use crate::rows::table::Table;

/// Counts a file; the groups, and the rows left out because they show nothing.
pub(super) fn count(source: &Source, request: &AuditRequest, watch: &dyn Watch) -> Result<(Groups, u64)> {
    let table = Table::open(source)?;
    let names = request.quasi.iter().chain(request.sensitive.iter().map(|column| &column.name));
    let (projection, slots) = table.projection(names)?;
    let counter = |_| Counter::new(request, &slots);
    let counters = table.pass(&projection, (0..rayon::current_num_threads()).map(counter).collect(), watch)?;
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
    pub codes: Vec<u32>,
    pub values: Vec<u32>,
    /// Groups whose codes fit into one number.
    pub packed: HashMap<u64, u32, RandomState>,
    /// All other groups.
    pub wide: HashMap<Vec<u32>, u32, RandomState>,
    /// The codes of each group, one after the other.
    pub group_codes: Vec<u32>,
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
            codes: Vec::new(),
            values: Vec::new(),
            packed: HashMap::default(),
            wide: HashMap::default(),
            group_codes: Vec::new(),
            counts: Vec::new(),
            tallies: vec![Pairs::new(None); request.sensitive.len()],
        }
    }

    /// Which of the coded rows show nothing but stars, or nothing at all.
    fn blank_rows(&self, rows: usize) -> Vec<bool> {
        if !self.ignore_suppressed {
            return vec![false; rows];
        }
        let blank: Vec<[Option<u32>; 2]> = self.quasi.iter().map(|coder| [coder.met(STAR), coder.met("")]).collect();
        let shows_nothing = |codes: &[u32]| codes.iter().zip(&blank).all(|(code, blank)| blank.contains(&Some(*code)));
        self.codes.chunks_exact(self.quasi.len()).take(rows).map(shows_nothing).collect()
    }
}

impl Consumer for Counter<'_> {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        let (width, extra) = (self.quasi.len(), self.sensitive.len());
        self.codes.resize(rows * width, 0);
        self.values.resize(rows * extra, 0);
        for (at, coder) in self.quasi.iter_mut().enumerate() {
            coder.fill(&cells[self.slots[at]], &mut self.codes, at, width);
        }
        let blank = self.blank_rows(rows);
        for (at, (column, coder)) in self.sensitive.iter_mut().enumerate() {
            let cells = &cells[self.slots[width + at]];
            coder.fill(cells, &mut self.values, at, extra);
            // A row that shows nothing may hold anything else, such as an empty cell among numbers.
            let invalid = |(row, value): (usize, &u32)| (*value == INVALID && !blank[row]).then_some(row);
            if let Some(row) = self.values.iter().skip(at).step_by(extra).take(rows).enumerate().find_map(invalid) {
                let value = cells.show(row);
                return Err(Fault { row, column: column.name.clone(), problem: coder.problem(&value), value });
            }
        }
        for (row, blank) in blank.into_iter().enumerate() {
            if blank {
                self.suppressed += 1;
                continue;
            }
            let codes = &self.codes[row * width..(row + 1) * width];
            let next = self.counts.len() as u32;
            let group = match pack(codes) {
                Some(number) => *self.packed.entry(number).or_insert(next),
                None => *self.wide.entry_ref(codes).or_insert(next),
            };
            if group == next {
                self.group_codes.extend_from_slice(codes);
                self.counts.push(0);
            }
            self.counts[group as usize] += 1;
            for (tally, value) in self.tallies.iter_mut().zip(&self.values[row * extra..(row + 1) * extra]) {
                tally.add(group, *value);
            }
        }
        Ok(())
    }
}
