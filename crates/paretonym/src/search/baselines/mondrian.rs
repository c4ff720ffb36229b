//! mondrian: local recoding by medians.

use super::{Asked, K_PARAMETER};
use crate::error::Result;
use crate::group::FrequencyTable;
use crate::measure::{CatalogEntry, Parameter, Takes};
use crate::problem::Problem;
use crate::recode::CellForm;
use crate::search::regions::split_table::SplitTable;
use crate::search::regions::{CELLS_PARAMETER, Placer, cell_form, judge};
use crate::search::{Found, Optimizer, OptimizerEntry, SearchRun};

/// Its line in the catalogue.
pub const ENTRY: OptimizerEntry = OptimizerEntry {
    entry: CatalogEntry {
        name: "mondrian",
        aliases: &[],
        summary: "baseline: local recoding by splitting at medians",
        parameters: &[
            K_PARAMETER,
            CELLS_PARAMETER,
            Parameter {
                name: "form",
                default: "strict",
                takes: Takes::OneOf(&["strict", "relaxed"]),
                summary: "strict, or relaxed: median values on both sides",
            },
        ],
        reference: "LeFevre et al. 2006",
    },
    make: |call| {
        let relaxed = call.choice("form", &[("strict", false), ("relaxed", true)])?;
        Ok(Box::new(Mondrian { asked: Asked::of(call)?, relaxed, cells: cell_form(call)? }))
    },
};

/// Local recoding by medians: the rows are split at the median of the column in which they spread widest, as long as
/// both halves have k rows.
///
/// Strict: all rows with one value go to one side. Relaxed: rows with the median value may go to either side, so that
/// halves are more even and regions may overlap; equal tuples stay together. Categorical columns are taken in the
/// order of their leaves. Nothing is suppressed.
///
/// A [baseline](crate::theory::baselines). [Reference](mod@crate::theory::references): LeFevre et al. 2006.
///
/// In the catalogue `mondrian`: [definition](crate::theory::definitions#mondrian).
pub struct Mondrian {
    /// What it is asked.
    pub asked: Asked,
    /// Whether rows with the median value may go to either side.
    pub relaxed: bool,
    /// What categorical cells show.
    pub cells: CellForm,
}

impl Optimizer for Mondrian {
    fn name(&self) -> &'static str {
        "mondrian"
    }

    fn recodes_locally(&self) -> bool {
        true
    }

    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found> {
        crate::search::regions::check_loss(problem, self.name())?;
        let weights = vec![1.0; table.columns.len()];
        let split_table = SplitTable::new(table, self.cells, &weights);
        let mut placer = Placer::new(&split_table, self.cells);
        let ks = self.asked.possible(table.rows);
        run.watch.phase("splitting", Some(ks.len() as u64));
        let (mut orders, mut solutions) = (Vec::new(), Vec::new());
        let mut complete = true;
        for (number, k) in ks.iter().enumerate() {
            if !complete {
                break;
            }
            let mut order: Vec<u32> = (0..table.tuples.len() as u32).collect();
            let (mut open, mut done) = (vec![(0, order.len())], Vec::new());
            while let Some((start, end)) = open.pop() {
                // After a stop, what was not split yet stays whole: a recoding too, only a coarser one.
                complete &= !run.watch.cancelled();
                let split = if complete { self.split(&split_table, &mut order[start..end], *k) } else { None };
                match split {
                    Some(left) => open.extend([(start + left, end), (start, start + left)]),
                    None => done.push((start as u32, end as u32)),
                }
            }
            let boxes = done.iter().map(|(start, end)| placer.add(number, &order, *start..*end));
            solutions.push(boxes.collect::<Vec<u32>>());
            orders.push(order);
            run.watch.advance(1);
        }
        // Only where rows with the median value may go either way do regions overlap.
        let disjoint = if self.relaxed { 0 } else { solutions.len() };
        let (archive, placed) = judge(table, problem, placer.finish(orders), &solutions, disjoint, run.watch);
        let evaluated = solutions.len() as u64;
        Ok(Found { archive, evaluated, complete, regions: Some(placed), ..Found::default() })
    }
}

impl Mondrian {
    /// Splits tuples at the median of the widest column that allows it; returns how many go left.
    fn split(&self, split_table: &SplitTable, members: &mut [u32], k: u64) -> Option<usize> {
        let rows = |tuple: &u32| split_table.table.tuples.rows.get(*tuple as usize);
        let all: u64 = members.iter().map(rows).sum();
        if all < 2 * k {
            return None;
        }
        let spread = |column: usize| {
            let codes = members.iter().map(|tuple| split_table.columns[column].codes[*tuple as usize]);
            let (low, high) = codes.fold((u32::MAX, 0), |(low, high), code| (low.min(code), high.max(code)));
            f64::from(high - low) / (split_table.table.columns[column].domain.len() as f64 - 1.0).max(1.0)
        };
        let mut columns: Vec<(f64, usize)> =
            (0..split_table.columns.len()).map(|column| (spread(column), column)).collect();
        columns.retain(|(spread, _)| *spread > 0.0);
        columns.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, column) in columns {
            let codes = &split_table.columns[column].codes;
            members.sort_by_key(|tuple| (codes[*tuple as usize], *tuple));
            // The place nearest to the middle where a cut is allowed and leaves k rows on both sides.
            let (mut before, mut best) = (0, None::<(u64, usize)>);
            for place in 1..members.len() {
                before += rows(&members[place - 1]);
                let apart = codes[members[place - 1] as usize] != codes[members[place] as usize];
                if (apart || self.relaxed) && before >= k && all - before >= k {
                    let distance = (2 * before).abs_diff(all);
                    if best.is_none_or(|(least, _)| distance < least) {
                        best = Some((distance, place));
                    }
                }
            }
            if let Some((_, place)) = best {
                return Some(place);
            }
        }
        None
    }
}
