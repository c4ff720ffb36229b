//! A study that looks at nothing finer than some levels of its columns: its table is counted by their sets, however many distinct
//! tuples there are below.

use super::Study;
use super::assemble::attribute;
use super::coarse::leaf_counts;
use super::known::KnownColumns;
use crate::catalog;
use crate::data::Role;
use crate::engine::{Engine, Watch};
use crate::error::{Error, Result};
use crate::group::{FrequencyTable, LeafCounts};
use crate::problem::Problem;
use crate::recode::{CoarserColumn, QuasiColumn, of_whole_columns};
use crate::search::{Found, FoundRecoding, Optimizer, SearchRun};
use crate::settings::SearchSettings;

/// A table by columns whose leaves are the finest sets that a study looks at: what is searched.
pub(super) struct FinestSets {
    table: FrequencyTable,
    columns: Vec<CoarserColumn>,
}

impl FinestSets {
    /// Searches it. What is found is said of the whole columns.
    pub fn search(
        &self,
        settings: &SearchSettings,
        problem: &dyn Problem,
        optimizer: &dyn Optimizer,
        run: &SearchRun,
    ) -> Result<Found> {
        check(problem, optimizer)?;
        let own = catalog::problem(settings, &self.table)?;
        let found = optimizer.search(&self.table, own.as_ref(), run)?;
        let whole = |recoding: FoundRecoding| match recoding {
            FoundRecoding::TableWide(recoding) => FoundRecoding::TableWide(of_whole_columns(&self.columns, &recoding)),
            local => local,
        };
        Ok(Found { archive: found.archive.map(whole), ..found })
    }
}

impl Study {
    /// Whether there are values that no recoding shows.
    pub fn starts_above_values(&self) -> bool {
        self.columns.iter().any(|column| column.finest.is_some_and(|level| level > 0))
    }
}

/// Counts the table of a study by the finest sets that it looks at: by its own columns, each tuple with some leaf of each of its
/// sets, and by these sets.
pub(super) fn count_finest(
    study: &Study,
    engine: &dyn Engine,
    watch: &dyn Watch,
) -> Result<(FrequencyTable, FinestSets)> {
    let known = KnownColumns::count(study, engine, watch)?;
    let specs = study.columns.iter().filter(|column| column.role.has(Role::Quasi));
    let level = |(column, spec): (&QuasiColumn, &super::ColumnSpec)| {
        let (level, height) = (spec.finest.unwrap_or(0), column.hierarchy.height() as u32);
        match level <= height {
            true => Ok(CoarserColumn::new(column, level)),
            false => Err(Error::study(format!(
                "column {:?}: finest = {level}, and its levels go from 0 to {height}",
                column.name
            ))),
        }
    };
    let columns = known.columns.iter().zip(specs).map(level).collect::<Result<Vec<CoarserColumn>>>()?;
    let sets: Vec<_> = columns.iter().map(|column| column.sets.clone()).collect();
    let by_sets = known.by_sets(&sets).chain(known.by_values[columns.len()..].iter().cloned()).collect();
    let most = study.data.most_tuples();
    let counted = known.count_again_at_most(study, by_sets, most, engine, watch).map_err(|error| match error {
        Error::TooManyTuples(most) => Error::study(format!(
            "the table has more than {most} distinct tuples at the levels that `finest` sets; set higher ones, or allow more \
             with --groups-at-most"
        )),
        other => other,
    })?;
    let counts = leaf_counts(&counted, &known, &sets);
    let leaves = counts.leaves.iter().zip(&sets);
    let searched = LeafCounts {
        leaves: leaves.map(|(leaves, sets)| leaves.iter().map(|leaf| sets.set_of[leaf as usize]).collect()).collect(),
        rows: counts.rows.clone(),
        attributes: counts.attributes.clone(),
    };
    let KnownColumns { columns: own, attributes, leaf_rows, .. } = known;
    let attributes = attributes.into_iter().map(|(spec, done)| attribute(spec, done, study));
    let attributes = attributes.collect::<Result<Vec<_>>>()?;
    let coarser = columns.iter().map(|column| column.column.clone()).collect();
    let table = FrequencyTable::of_counts(coarser, attributes.clone(), searched, counted.dropped)?;
    let whole = FrequencyTable::of_coarse(own, attributes, counts, counted.dropped, leaf_rows)?;
    Ok((whole, FinestSets { table, columns }))
}

/// Refuses what cannot be found without the values below.
fn check(problem: &dyn Problem, optimizer: &dyn Optimizer) -> Result<()> {
    let refused = |what: String| {
        Err(Error::study(format!(
            "{what} needs the values themselves, and this study looks at nothing finer than the levels that `finest` sets; \
             take these out, or choose another"
        )))
    };
    if optimizer.recodes_locally() {
        return refused(format!("the optimizer {}", optimizer.name()));
    }
    if problem.needs().leaf_logs || problem.loss().levels_only() {
        return refused(format!("the loss {}", problem.loss().name()));
    }
    Ok(())
}
