//! Counts the groups of one recoding of a table, without counting its distinct tuples first: these may be millions where
//! the groups are few. One pass finds the values of each column; the next one counts by the sets that they go to.

use super::Study;
use super::assemble::{attribute, by_leaf};
use super::known::{KnownColumns, LeafOf};
use crate::data::{AttributeCount, Counted, Distribution, MISSING};
use crate::engine::{Engine, Watch};
use crate::error::Result;
use crate::group::{FrequencyTable, LeafCounts};
use crate::recode::{ColumnSets, QuasiColumn, Recoding};

/// The groups of a recoding.
pub struct CountedGroups {
    /// One tuple per group; the recoding makes of it what it makes of the table.
    pub table: FrequencyTable,
    /// Per quasi column: rows of each group (a tuple of the table) by leaf.
    pub leaves: Vec<Vec<AttributeCount>>,
}

/// Counts the groups of the recoding that `recode` gives for the columns of the study's table. None where it gives none.
pub fn count_groups(
    study: &Study,
    recode: impl FnOnce(&[QuasiColumn]) -> Result<Option<Recoding>>,
    engine: &dyn Engine,
    watch: &dyn Watch,
) -> Result<Option<CountedGroups>> {
    let known = KnownColumns::count(study, engine, watch)?;
    let Some(recoding) = recode(&known.columns)? else { return Ok(None) };
    let sets: Vec<ColumnSets> = known
        .columns
        .iter()
        .zip(&recoding.columns)
        .map(|(column, recoded)| {
            let mut sets = ColumnSets::default();
            recoded.fill(column, &vec![0; column.domain.len()], &mut sets);
            sets
        })
        .collect();

    let request = known.by_sets(&sets).chain(known.by_values.iter().cloned()).collect();
    let counted = known.count_again(study, request, engine, watch)?;
    assemble(study, known, &sets, &counted).map(Some)
}

fn assemble(study: &Study, known: KnownColumns, sets: &[ColumnSets], counted: &Counted) -> Result<CountedGroups> {
    let KnownColumns { columns, leaf_of, attributes, .. } = known;
    let width = columns.len();
    let leaves = counted.tuples.iter().zip(&leaf_of).zip(sets).map(|((codes, own), sets)| {
        let leaf = |code: u64| match code as u32 {
            MISSING => own.leaf(MISSING),
            set => sets.first[set as usize],
        };
        codes.iter().map(leaf).collect()
    });
    let (of_leaves, of_attributes) = counted.attributes.split_at(width);
    let of_leaf = |(values, own): (&Distribution, &LeafOf)| -> Vec<AttributeCount> {
        values.entries().map(|entry| AttributeCount { value: own.leaf(entry.value), ..entry }).collect()
    };
    let mut leaf_counts: Vec<Vec<AttributeCount>> = of_leaves.iter().zip(&leaf_of).map(of_leaf).collect();
    let counts = LeafCounts {
        leaves: leaves.collect(),
        rows: counted.counts.clone(),
        attributes: of_attributes
            .iter()
            .zip(&attributes)
            .map(|(values, (_, own))| by_leaf(values.clone(), own))
            .collect(),
    };
    let attributes = attributes.into_iter().map(|(spec, done)| attribute(spec, done, study));
    let table = FrequencyTable::of_groups(
        columns,
        attributes.collect::<Result<_>>()?,
        counts,
        counted.dropped,
        &mut leaf_counts,
    )?;
    Ok(CountedGroups { table, leaves: leaf_counts })
}
