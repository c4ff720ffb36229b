//! The table of a release: its distinct tuples, or just its groups where the recoding is known to make few of them.

use crate::data::AttributeCount;
use crate::engine::{Engine, Watch};
use crate::error::Result;
use crate::front::{FrontFile, Solution};
use crate::group::{FrequencyTable, Kept};
use crate::recode::QuasiColumn;
use crate::study::{CountedGroups, Study, count, count_groups};

/// The most counters, groups times values, for which groups are counted rather than tuples.
const COUNTERS: u64 = 1 << 23;

/// Fewer distinct tuples are as fast to count as groups, in one pass instead of two.
const FEW: u64 = 1 << 17;

/// A counted table.
pub struct ReleaseTable {
    /// Its tuples; where groups were counted, one for each of them.
    pub table: FrequencyTable,
    /// Rows of each group by leaf, per column, where groups were counted.
    leaves: Option<Vec<Vec<AttributeCount>>>,
}

impl ReleaseTable {
    /// Counts the study's table for the release of a solution, the faster way.
    pub fn count(
        study: &Study,
        front: &FrontFile,
        solution: &Solution,
        engine: &dyn Engine,
        watch: &dyn Watch,
    ) -> Result<Self> {
        // Tuples that were too many to come for the front are so for a release; of a front that never looked at them, nobody
        // knows how many there are.
        let too_many = study.data.most_tuples().is_some_and(|most| front.distinct > most);
        let must = too_many || study.starts_above_values();
        let groups = match front.distinct > FEW || must {
            true => ReleaseTable::of_groups(study, solution, must, engine, watch)?,
            false => None,
        };
        groups.map_or_else(|| ReleaseTable::of_tuples(study, engine, watch), Ok)
    }

    /// Counts distinct tuples.
    pub fn of_tuples(study: &Study, engine: &dyn Engine, watch: &dyn Watch) -> Result<Self> {
        Ok(ReleaseTable { table: count(study, engine, watch)?, leaves: None })
    }

    /// Counts the groups of a solution; none where they are too many, unless it must be, or the recoding is local.
    pub fn of_groups(
        study: &Study,
        solution: &Solution,
        must: bool,
        engine: &dyn Engine,
        watch: &dyn Watch,
    ) -> Result<Option<Self>> {
        if solution.recoding.is_local() {
            return Ok(None);
        }
        let recode = |columns: &[QuasiColumn]| {
            let values: u64 = columns.iter().map(|column| column.domain.len() as u64).sum();
            // Of a solution that was not measured, nobody knows how many there are.
            let few = solution.described && solution.groups.saturating_mul(values) <= COUNTERS;
            if few || must { solution.recoding.read(columns).map(Some) } else { Ok(None) }
        };
        let counted = count_groups(study, recode, engine, watch)?;
        Ok(counted.map(|CountedGroups { table, leaves }| ReleaseTable { table, leaves: Some(leaves) }))
    }

    /// Rows of each leaf of a column that stay.
    pub(super) fn kept_rows(&self, kept: &Kept, column: usize) -> Vec<u64> {
        let Some(leaves) = &self.leaves else { return kept_rows_by_leaf(kept, column) };
        let mut rows = vec![0; kept.table.columns[column].domain.len()];
        let stay = leaves[column].iter().filter(|entry| stays(kept, entry.tuple as usize));
        stay.for_each(|entry| rows[entry.value as usize] += entry.count);
        rows
    }
}

/// Rows of each leaf of a column that stay, of a table of distinct tuples.
pub(super) fn kept_rows_by_leaf(kept: &Kept, column: usize) -> Vec<u64> {
    let table = kept.table;
    let mut rows = vec![0; table.columns[column].domain.len()];
    for tuple in (0..table.tuples.len()).filter(|tuple| stays(kept, *tuple)) {
        rows[table.leaf(&table.tuples, tuple, column) as usize] += table.tuples.rows.get(tuple);
    }
    rows
}

fn stays(kept: &Kept, tuple: usize) -> bool {
    !kept.suppressed.groups[kept.grouping.group_of[tuple] as usize]
}
