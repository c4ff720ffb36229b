//! Counts the groups of one recoding of a table, without counting its distinct tuples first: these may be millions where
//! the groups are few. One pass finds the values of each column; the next one counts by the sets that they go to.

use super::assemble::{attribute, by_leaf, check_columns, finish, quasi_columns};
use super::plan::{ColumnPlan, Finished};
use super::{ColumnSpec, Study};
use crate::data::{
    AttributeCount, ColumnRequest, CountRequest, Counted, Dictionary, Distribution, Encoding, MISSING, Part, Role,
};
use crate::engine::{Engine, Watch};
use crate::error::{Error, Result};
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
    study.validate()?;
    check_columns(study, &engine.columns(&study.data)?)?;
    let quasi: Vec<&ColumnSpec> = study.columns.iter().filter(|column| column.role.has(Role::Quasi)).collect();
    let inside = |column: &&ColumnSpec| column.role.has(Role::Sensitive) || column.role.has(Role::Target);
    let attributes: Vec<&ColumnSpec> = study.columns.iter().filter(inside).collect();
    let specs: Vec<&ColumnSpec> = quasi.iter().chain(&attributes).copied().collect();
    let plans = ColumnPlan::all(&specs, &study.data, engine, watch)?;
    let requests: Vec<ColumnRequest> = plans.iter().map(|plan| plan.request(Part::Attribute)).collect();
    let first =
        engine.count(&study.data, &CountRequest { columns: requests.clone(), at_most: None, part: None }, watch)?;

    let seen = |column: usize| first.attributes[column].values.iter().any(|value| value == u64::from(MISSING));
    let mut done = finish(plans, &first, 0, seen, &study.data)?;
    let attributes_done = done.split_off(quasi.len());
    let encodings: Vec<Encoding> =
        requests.iter().zip(&first.dictionaries).map(|(request, values)| known(&request.encoding, values)).collect();
    let leaf_of: Vec<LeafOf> = done.iter().map(LeafOf::new).collect();
    let columns = quasi_columns(&quasi, done)?;
    let Some(recoding) = recode(&columns)? else { return Ok(None) };
    let sets: Vec<ColumnSets> = columns
        .iter()
        .zip(&recoding.columns)
        .map(|(column, recoded)| {
            let mut sets = ColumnSets::default();
            recoded.fill(column, &vec![0; column.domain.len()], &mut sets);
            sets
        })
        .collect();

    let by_sets = (0..quasi.len()).map(|at| ColumnRequest {
        part: Part::Quasi,
        encoding: joined(&encodings[at], |code| sets[at].set_of[leaf_of[at].leaf(code) as usize]),
        ..requests[at].clone()
    });
    let by_values = requests.iter().zip(&encodings);
    let by_values =
        by_values.map(|(request, encoding)| ColumnRequest { encoding: encoding.clone(), ..request.clone() });
    let request = CountRequest { columns: by_sets.chain(by_values).collect(), at_most: None, part: None };
    let counted = engine.count(&study.data, &request, watch)?;
    if (counted.rows, counted.dropped) != (first.rows, first.dropped) {
        return Err(Error::study("the table changes while it is read; wait until it is complete"));
    }
    assemble(study, (columns, &leaf_of, &sets), (&attributes, attributes_done), &counted).map(Some)
}

/// The leaf behind each code of a column.
pub(super) struct LeafOf {
    codes: Vec<u32>,
    missing: Option<u32>,
}

impl LeafOf {
    pub fn new(done: &Finished) -> Self {
        LeafOf { codes: done.leaf_of.clone(), missing: done.domain.missing }
    }

    /// The leaf of missing cells, where there is one.
    pub fn missing(&self) -> Option<u32> {
        self.missing
    }

    pub fn leaf(&self, code: u32) -> u32 {
        if code == MISSING { self.missing.expect("it was seen") } else { self.codes[code as usize] }
    }
}

/// The same codes for values that are known by now.
pub(super) fn known(encoding: &Encoding, values: &Dictionary) -> Encoding {
    let codes = |count: usize| (0..count as u32).collect();
    match values {
        Dictionary::Declared => encoding.clone(),
        Dictionary::Text(texts) => Encoding::Known { values: values.clone(), codes: codes(texts.len()) },
        Dictionary::Numbers(numbers) => Encoding::Known { values: values.clone(), codes: codes(numbers.len()) },
    }
}

/// Codes of sets in place of those of values.
pub(super) fn joined(encoding: &Encoding, set_of: impl Fn(u32) -> u32) -> Encoding {
    match encoding {
        Encoding::Labels(labels) => Encoding::Known {
            values: Dictionary::Text(labels.clone()),
            codes: (0..labels.len() as u32).map(set_of).collect(),
        },
        Encoding::Known { values, codes } => {
            Encoding::Known { values: values.clone(), codes: codes.iter().map(|code| set_of(*code)).collect() }
        }
        // Sets are runs of bins, so that some of the edges are theirs.
        Encoding::Bins { edges, closed } => {
            let last = edges.len() - 1;
            let border = |at: &usize| *at == 0 || *at == last || set_of(*at as u32 - 1) != set_of(*at as u32);
            Encoding::Bins { edges: (0..=last).filter(border).map(|at| edges[at]).collect(), closed: *closed }
        }
        Encoding::Text | Encoding::Numbers => encoding.clone(),
    }
}

fn assemble(
    study: &Study,
    (columns, leaf_of, sets): (Vec<QuasiColumn>, &[LeafOf], &[ColumnSets]),
    (specs, done): (&[&ColumnSpec], Vec<Finished>),
    counted: &Counted,
) -> Result<CountedGroups> {
    let width = columns.len();
    let leaves = counted.tuples.iter().zip(leaf_of).zip(sets).map(|((codes, own), sets)| {
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
    let mut leaf_counts: Vec<Vec<AttributeCount>> = of_leaves.iter().zip(leaf_of).map(of_leaf).collect();
    let counts = LeafCounts {
        leaves: leaves.collect(),
        rows: counted.counts.clone(),
        attributes: of_attributes.iter().zip(&done).map(|(values, own)| by_leaf(values.clone(), own)).collect(),
    };
    let attributes = specs.iter().zip(done).map(|(spec, done)| attribute(spec, done, study));
    let table = FrequencyTable::of_groups(
        columns,
        attributes.collect::<Result<_>>()?,
        counts,
        counted.dropped,
        &mut leaf_counts,
    )?;
    Ok(CountedGroups { table, leaves: leaf_counts })
}
