//! Nodes that are judged without their groups: by how many of them are alike in what levels depend on.

use super::rollup::{Cutoffs, cutoffs_of};
use crate::data::{Distribution, Narrow};
use crate::engine::{LooksAt, SizeClass, Watch};
use crate::group::{FrequencyTable, Tuples};
use crate::measure::{Loss, Privacy};
use crate::problem::{Pieces, Problem, Scratch};

/// What a node can do whose groups are not here; none where nobody answers.
pub(in crate::search) fn judge_distant(
    table: &FrequencyTable,
    problem: &dyn Problem,
    node: &[u32],
    watch: &dyn Watch,
) -> Option<Cutoffs> {
    let looks_at = problem.looks_at();
    let classes = table.distant.as_ref()?.profile(node, looks_at, watch)?;
    let pieces = SizeClasses::new(table, node, looks_at, classes);
    Some(cutoffs_of(problem, &pieces, &mut Scratch::default(), || problem.pieces_rule_out(&pieces)))
}

/// Whether a node must be asked for.
pub(in crate::search) fn is_distant(table: &FrequencyTable, node: &[u32]) -> bool {
    table.distant.as_ref().is_some_and(|distant| !distant.is_here(node))
}

/// The groups of a node by classes, as a problem judges them.
struct SizeClasses<'a> {
    table: &'a FrequencyTable,
    node: &'a [u32],
    classes: Vec<SizeClass>,
    rows: Narrow,
    /// One group of each class.
    examples: Tuples,
}

impl<'a> SizeClasses<'a> {
    fn new(table: &'a FrequencyTable, node: &'a [u32], looks_at: LooksAt, mut classes: Vec<SizeClass>) -> Self {
        // Engines answer in any order.
        classes.sort_by(|one, other| (one.size, &one.counts).cmp(&(other.size, &other.counts)));
        let rows = classes.iter().map(SizeClass::rows).collect();
        let sizes = classes.iter().map(|class| class.size).collect();
        let mut attributes = Vec::new();
        if looks_at > LooksAt::Rows {
            let asked: Vec<usize> = table.sensitive().collect();
            let column = |at: usize| asked.iter().position(|own| *own == at);
            attributes.extend((0..table.attributes.len()).map(|at| examples(&classes, column(at))));
        }
        let examples = Tuples { rows: sizes, attributes, ..Tuples::default() };
        SizeClasses { table, node, classes, rows, examples }
    }
}

/// The values of one column in a group of each class; which values they are matters to nobody.
fn examples(classes: &[SizeClass], column: Option<usize>) -> Distribution {
    let mut found = Distribution::empty();
    for class in classes {
        let counts = column.map_or(&[][..], |column| &class.counts[column]);
        counts.iter().enumerate().for_each(|(value, count)| found.push(value as u32, *count));
        found.end_group();
    }
    found
}

impl Pieces for SizeClasses<'_> {
    fn table(&self) -> &FrequencyTable {
        self.table
    }

    fn rows(&self) -> &Narrow {
        &self.rows
    }

    fn sizes(&self) -> &Narrow {
        &self.examples.rows
    }

    fn costs(&self, _place: usize, model: &dyn Privacy, out: &mut Vec<f64>) {
        out.extend((0..self.classes.len()).map(|class| model.cost(self.examples.view(class))));
    }

    fn add(&self, loss: &dyn Loss, pieces: &[u32], sums: &mut [f64]) {
        pieces.iter().for_each(|piece| loss.add_class(&self.classes[*piece as usize], self.node, sums));
    }

    fn add_all(&self, loss: &dyn Loss, sums: &mut [f64]) {
        self.classes.iter().for_each(|class| loss.add_class(class, self.node, sums));
    }
}
