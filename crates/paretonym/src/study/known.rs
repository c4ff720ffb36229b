//! What one pass tells of the columns of a table before any tuple is counted: their values, and so their domains and trees.

use super::assemble::{check_columns, finish, quasi_columns};
use super::plan::{ColumnPlan, Finished};
use super::{ColumnSpec, Study};
use crate::data::{ColumnRequest, CountRequest, Counted, Dictionary, Distribution, Encoding, MISSING, Part, Role};
use crate::engine::{Engine, Watch};
use crate::error::{Error, Result};
use crate::recode::{ColumnSets, QuasiColumn};

/// Columns whose values are known.
pub(super) struct KnownColumns<'a> {
    /// The quasi columns.
    pub columns: Vec<QuasiColumn>,
    /// Rows of each leaf of each quasi column.
    pub leaf_rows: Vec<Vec<u64>>,
    /// The leaf of each code of each quasi column.
    pub leaf_of: Vec<LeafOf>,
    /// The sensitive and target columns, and what is known of them.
    pub attributes: Vec<(&'a ColumnSpec, Finished)>,
    /// All of them as they are asked for by values, each with a code of its own: quasi columns first.
    pub by_values: Vec<ColumnRequest>,
    rows: (u64, u64),
}

impl<'a> KnownColumns<'a> {
    /// One pass over the table of a study.
    pub fn count(study: &'a Study, engine: &dyn Engine, watch: &dyn Watch) -> Result<Self> {
        study.validate()?;
        check_columns(study, &engine.columns(&study.data)?)?;
        let quasi: Vec<&ColumnSpec> = study.columns.iter().filter(|column| column.role.has(Role::Quasi)).collect();
        let inside = |column: &&ColumnSpec| column.role.has(Role::Sensitive) || column.role.has(Role::Target);
        let inside: Vec<&ColumnSpec> = study.columns.iter().filter(inside).collect();
        let specs: Vec<&ColumnSpec> = quasi.iter().chain(&inside).copied().collect();
        let plans = ColumnPlan::all(&specs, &study.data, engine, watch)?;
        let requests: Vec<ColumnRequest> = plans.iter().map(|plan| plan.request(Part::Attribute)).collect();
        let request = CountRequest { columns: requests.clone(), ..CountRequest::default() };
        let first = engine.count(&study.data, &request, watch)?;
        let seen = |column: usize| first.attributes[column].values.iter().any(|value| value == u64::from(MISSING));
        let mut done = finish(plans, &first, 0, seen, &study.data)?;
        let attributes = inside.into_iter().zip(done.split_off(quasi.len())).collect();
        let known = |(request, values): (ColumnRequest, &Dictionary)| ColumnRequest {
            encoding: known(&request.encoding, values),
            ..request
        };
        let leaf_rows = first.attributes.iter().zip(&done).map(|(values, done)| rows_by_leaf(values, done)).collect();
        Ok(KnownColumns {
            leaf_rows,
            leaf_of: done.iter().map(LeafOf::new).collect(),
            columns: quasi_columns(&quasi, done)?,
            attributes,
            by_values: requests.into_iter().zip(&first.dictionaries).map(known).collect(),
            rows: (first.rows, first.dropped),
        })
    }

    /// The quasi columns as they are asked for by sets.
    pub fn by_sets<'s>(&'s self, sets: &'s [ColumnSets]) -> impl Iterator<Item = ColumnRequest> + 's {
        let columns = self.by_values.iter().zip(sets).zip(&self.leaf_of);
        columns.map(|((request, sets), leaf_of)| ColumnRequest {
            part: Part::Quasi,
            encoding: request.encoding.joined(|code| sets.set_of[leaf_of.leaf(code) as usize]),
            ..request.clone()
        })
    }

    /// Counts what is asked for next; the rows must be those of the first pass.
    pub fn count_again(
        &self,
        study: &Study,
        columns: Vec<ColumnRequest>,
        engine: &dyn Engine,
        watch: &dyn Watch,
    ) -> Result<Counted> {
        self.count_again_at_most(study, columns, None, engine, watch)
    }

    /// The same, with a limit to the distinct tuples, or none.
    pub fn count_again_at_most(
        &self,
        study: &Study,
        columns: Vec<ColumnRequest>,
        at_most: Option<u64>,
        engine: &dyn Engine,
        watch: &dyn Watch,
    ) -> Result<Counted> {
        let request = CountRequest { columns, at_most, part: None };
        let counted = engine.count(&study.data, &request, watch)?;
        match (counted.rows, counted.dropped) == self.rows {
            true => Ok(counted),
            false => Err(Error::study("the table changes while it is read; wait until it is complete")),
        }
    }
}

/// The leaf behind each code of a column.
pub(super) struct LeafOf {
    codes: Vec<u32>,
    /// The leaf of missing cells, where there is one.
    pub missing: Option<u32>,
}

impl LeafOf {
    fn new(done: &Finished) -> Self {
        LeafOf { codes: done.leaf_of.clone(), missing: done.domain.missing }
    }

    pub fn leaf(&self, code: u32) -> u32 {
        if code == MISSING { self.missing.expect("it was seen") } else { self.codes[code as usize] }
    }
}

/// The same codes for values that are known by now.
fn known(encoding: &Encoding, values: &Dictionary) -> Encoding {
    let codes = |count: usize| (0..count as u32).collect();
    match values {
        Dictionary::Declared => encoding.clone(),
        Dictionary::Text(texts) => Encoding::Known { values: values.clone(), codes: codes(texts.len()) },
        Dictionary::Numbers(numbers) => Encoding::Known { values: values.clone(), codes: codes(numbers.len()) },
    }
}

fn rows_by_leaf(values: &Distribution, done: &Finished) -> Vec<u64> {
    let mut rows = vec![0; done.domain.len()];
    values.entries().for_each(|entry| rows[done.leaf(entry.value) as usize] += entry.count);
    rows
}
