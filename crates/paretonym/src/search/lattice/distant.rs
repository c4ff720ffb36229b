//! Nodes that are judged without their groups: by how many of them have which size.

use super::rollup::{Cutoffs, cutoffs_of};
use crate::data::Narrow;
use crate::engine::{SizeClass, Watch};
use crate::group::FrequencyTable;
use crate::measure::{Loss, Privacy};
use crate::problem::{Pieces, Problem, Scratch};

/// What a node can do whose groups are not here; none where nobody answers.
pub(in crate::search) fn judge_distant(
    table: &FrequencyTable,
    problem: &dyn Problem,
    node: &[u32],
    watch: &dyn Watch,
) -> Option<Cutoffs> {
    let classes = table.distant.as_ref()?.profile(node, watch)?;
    let pieces = SizeClasses::new(table, node, classes);
    Some(cutoffs_of(problem, &pieces, &mut Scratch::default(), || problem.sizes_rule_out(&pieces)))
}

/// Whether a node must be asked for.
pub(in crate::search) fn is_distant(table: &FrequencyTable, node: &[u32]) -> bool {
    table.distant.as_ref().is_some_and(|distant| !distant.is_here(node))
}

/// The groups of a node by size, as a problem judges them.
struct SizeClasses<'a> {
    table: &'a FrequencyTable,
    node: &'a [u32],
    classes: Vec<SizeClass>,
    rows: Narrow,
    sizes: Narrow,
}

impl<'a> SizeClasses<'a> {
    fn new(table: &'a FrequencyTable, node: &'a [u32], mut classes: Vec<SizeClass>) -> Self {
        // Engines answer in any order.
        classes.sort_by_key(|class| class.size);
        let rows = classes.iter().map(SizeClass::rows).collect();
        let sizes = classes.iter().map(|class| class.size).collect();
        SizeClasses { table, node, classes, rows, sizes }
    }
}

impl Pieces for SizeClasses<'_> {
    fn table(&self) -> &FrequencyTable {
        self.table
    }

    fn rows(&self) -> &Narrow {
        &self.rows
    }

    fn sizes(&self) -> &Narrow {
        &self.sizes
    }

    fn costs(&self, _place: usize, model: &dyn Privacy, out: &mut Vec<f64>) {
        // Only models that count rows get here.
        out.extend(self.classes.iter().map(|class| model.sense().cost(class.size as f64)));
    }

    fn add(&self, loss: &dyn Loss, pieces: &[u32], sums: &mut [f64]) {
        pieces.iter().for_each(|piece| loss.add_class(&self.classes[*piece as usize], self.node, sums));
    }

    fn add_all(&self, loss: &dyn Loss, sums: &mut [f64]) {
        self.classes.iter().for_each(|class| loss.add_class(class, self.node, sums));
    }
}
