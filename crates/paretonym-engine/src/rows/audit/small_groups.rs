//! The rows in groups smaller than a wanted k, by number: a second pass, since a group's size is known only after the
//! first.

use foldhash::fast::RandomState;
use hashbrown::HashSet;
use paretonym::data::{CellRule, Decimal, Encoding, Source};
use paretonym::engine::Watch;
use paretonym::error::Result;
use paretonym::release::Below;

use super::AuditRequest;
use super::groups::Groups;
use crate::rows::cells::Cells;
use crate::rows::coder::Coder;
use crate::rows::pass::{Consumer, Fault};
use crate::rows::table::Table;

/// The numbers of the rows in groups of fewer than `k` rows.
pub(super) fn rows_below(
    source: &Source,
    request: &AuditRequest,
    groups: &Groups,
    k: u64,
    watch: &dyn Watch,
) -> Result<Below> {
    let table = Table::open(source)?;
    let (projection, slots) = table.projection(request.quasi.iter())?;
    let small = (0..groups.len()).map(|at| groups.group(at)).filter(|(_, rows)| *rows < k).map(|(cells, _)| cells);
    // Coders that have met the cells in the order of the groups' own lists number them alike.
    let coders = groups.cells.iter().map(|cells| {
        let mut coder = Coder::new(&Encoding::Text, CellRule { missing: &[], decimal: Decimal::Point }, true);
        coder.meet(cells.iter().map(String::as_str));
        coder
    });
    let mut lister = Lister {
        slots: &slots,
        coders: coders.collect(),
        small: HashSet::default(),
        codes: Vec::new(),
        row: 0,
        found: Vec::new(),
    };
    let code = |cells: &[String], cell: &str| cells.binary_search_by(|own| own.as_str().cmp(cell)).unwrap_or(0) as u32;
    for cells in small {
        lister.small.insert(cells.iter().zip(&groups.cells).map(|(cell, all)| code(all, cell)).collect());
    }
    // One consumer gets the rows in order, so that it can count them.
    let listers = table.pass(&projection, vec![lister], watch)?;
    Ok(Below { k, rows: listers.into_iter().flat_map(|lister| lister.found).collect() })
}

struct Lister<'a> {
    slots: &'a [usize],
    coders: Vec<Coder<'a>>,
    small: HashSet<Box<[u32]>, RandomState>,
    codes: Vec<u32>,
    row: u64,
    found: Vec<u64>,
}

impl Consumer for Lister<'_> {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        let width = self.coders.len();
        self.codes.resize(rows * width, 0);
        for (at, coder) in self.coders.iter_mut().enumerate() {
            coder.fill(&cells[self.slots[at]], self.codes.iter_mut().skip(at).step_by(width));
        }
        for codes in self.codes.chunks_exact(width).take(rows) {
            self.row += 1;
            if self.small.contains(codes) {
                self.found.push(self.row);
            }
        }
        Ok(())
    }
}
