//! Counts the table of a study: plans the columns, asks the engine, and puts the answer into a frequency table.

use super::plan::{ColumnPlan, Finished};
use super::{ColumnSpec, Study};
use crate::data::{
    CountRequest, Counted, Distribution, Kind, MISSING, Narrow, OnMissing, OtherColumns, Part, Role, Source,
};
use crate::engine::{Engine, Watch};
use crate::error::{Error, Result};
use crate::group::{Attribute, FrequencyTable, LeafCounts};
use crate::recode::QuasiColumn;

/// Reads and counts the table of a study, where it has no more distinct tuples than may come here.
pub fn count(study: &Study, engine: &dyn Engine, watch: &dyn Watch) -> Result<FrequencyTable> {
    count_at_most(study, study.data.most_tuples(), engine, watch)
}

/// The same, with a limit to the distinct tuples, or none.
pub(super) fn count_at_most(
    study: &Study,
    at_most: Option<u64>,
    engine: &dyn Engine,
    watch: &dyn Watch,
) -> Result<FrequencyTable> {
    study.validate()?;
    check_columns(study, &engine.columns(&study.data)?)?;

    let quasi: Vec<&ColumnSpec> = study.columns.iter().filter(|column| column.role.has(Role::Quasi)).collect();
    let inside = |column: &&ColumnSpec| column.role.has(Role::Sensitive) || column.role.has(Role::Target);
    let attributes: Vec<&ColumnSpec> = study.columns.iter().filter(inside).collect();

    let all: Vec<&ColumnSpec> = quasi.iter().chain(&attributes).copied().collect();
    let mut quasi_plans = ColumnPlan::all(&all, &study.data, engine, watch)?;
    let attribute_plans = quasi_plans.split_off(quasi.len());

    let requests = quasi_plans.iter().map(|plan| plan.request(Part::Quasi));
    let requests = requests.chain(attribute_plans.iter().map(|plan| plan.request(Part::Attribute)));
    let counted =
        engine.count(&study.data, &CountRequest { columns: requests.collect(), at_most, part: None }, watch)?;
    if counted.rows < 2 {
        return Err(Error::Table {
            place: study.data.place(),
            problem: format!(
                "only {} row left after dropping {} with missing values; nobody can hide in a table of one row",
                counted.rows, counted.dropped
            ),
        });
    }

    let quasi_done = finish(quasi_plans, &counted, 0, |column| has_missing(&counted.tuples[column]), &study.data)?;
    let first = quasi_done.len();
    let seen = |column: usize| has_missing(&counted.attributes[column - first].values);
    let attributes_done = finish(attribute_plans, &counted, first, seen, &study.data)?;

    let counts = LeafCounts {
        leaves: counted.tuples.into_iter().zip(&quasi_done).map(|(codes, done)| leaves(codes, done)).collect(),
        rows: counted.counts,
        attributes: counted
            .attributes
            .into_iter()
            .zip(&attributes_done)
            .map(|(own, done)| by_leaf(own, done))
            .collect(),
    };
    let columns = quasi_columns(&quasi, quasi_done)?;
    let attributes = attributes.iter().zip(attributes_done).map(|(spec, done)| attribute(spec, done, study));
    FrequencyTable::of_counts(columns, attributes.collect::<Result<_>>()?, counts, counted.dropped)
}

/// The leaf behind each code of a column.
fn leaves(codes: Narrow, done: &Finished) -> Narrow {
    if done.keeps_codes() {
        return codes;
    }
    let mut leaves = Narrow::up_to(done.domain.len() as u64);
    leaves.reserve_exact(codes.len());
    codes.iter().for_each(|code| leaves.push(u64::from(done.leaf(code as u32))));
    leaves
}

/// Value counts by leaf, where they were by code. Several codes may share a leaf.
pub(super) fn by_leaf(codes: Distribution, done: &Finished) -> Distribution {
    if done.keeps_codes() {
        return codes;
    }
    let mut leaves = Distribution {
        values: Narrow::up_to(done.domain.len() as u64),
        counts: codes.counts.alike(),
        ..Distribution::empty()
    };
    leaves.offsets.reserve_exact(codes.offsets.len());
    leaves.values.reserve_exact(codes.values.len());
    leaves.counts.reserve_exact(codes.counts.len());
    let mut held: Vec<(u32, u64)> = Vec::new();
    for tuple in 0..codes.offsets.len() - 1 {
        held.extend(codes.of(tuple).iter().map(|(code, count)| (done.leaf(code), count)));
        leaves.push_group(&mut held);
        held.clear();
    }
    leaves
}

/// Checks that every column of the study is in the table, and every column of the table in the study.
pub fn check_columns(study: &Study, names: &[String]) -> Result<()> {
    let place = study.data.place();
    // Counts are of the columns that are counted, and of no others.
    let needed = |column: &&ColumnSpec| study.data.counts.is_none() || column.is_counted();
    if let Some(column) = study.columns.iter().filter(needed).find(|column| !names.contains(&column.name)) {
        return Err(Error::UnknownColumn { name: column.name.clone(), place, known: names.to_vec() });
    }
    let forgotten: Vec<&str> = names
        .iter()
        .filter(|name| !study.columns.iter().any(|column| column.name == **name))
        .filter(|name| study.data.counts.as_ref() != Some(*name))
        .map(String::as_str)
        .collect();
    if study.data.other_columns == OtherColumns::Error && !forgotten.is_empty() {
        return Err(Error::study(format!(
            "{place} has columns that the study does not name: {}; describe them, or set [data] other_columns = \"insensitive\" or \"drop\"",
            forgotten.join(", ")
        )));
    }
    Ok(())
}

fn has_missing(codes: &Narrow) -> bool {
    codes.iter().any(|code| code == u64::from(MISSING))
}

/// Finishes the plans of consecutive columns of the request, the first being number `first`.
pub(super) fn finish(
    plans: Vec<ColumnPlan>,
    counted: &Counted,
    first: usize,
    has_missing: impl Fn(usize) -> bool,
    source: &Source,
) -> Result<Vec<Finished>> {
    let columns = plans.into_iter().enumerate();
    columns.map(|(at, plan)| plan.finish(&counted.dictionaries[first + at], source, has_missing(first + at))).collect()
}

/// The quasi columns with weights that sum to 1.
pub(super) fn quasi_columns(specs: &[&ColumnSpec], done: Vec<Finished>) -> Result<Vec<QuasiColumn>> {
    // Weights are relative. Taken as shares of the largest, their sum cannot run over.
    let largest = specs.iter().map(|spec| spec.weight.unwrap_or(1.0)).fold(0.0, f64::max);
    let weight = |spec: &ColumnSpec| spec.weight.unwrap_or(1.0) / largest;
    let total: f64 = specs.iter().map(|spec| weight(spec)).sum();
    if largest <= 0.0 {
        return Err(Error::study("the weights of the quasi columns are all 0; give at least one a weight above 0"));
    }
    let columns = specs.iter().zip(done).map(|(spec, done)| {
        if done.domain.len() == 1 {
            return Err(Error::study(format!(
                "quasi column {:?} has the single value {:?}, so there is nothing to recode; set role = \"insensitive\"",
                spec.name, done.domain.labels[0]
            )));
        }
        Ok(QuasiColumn {
            name: spec.name.clone(),
            domain: done.domain,
            hierarchy: done.hierarchy,
            family: spec.recode.unwrap_or_default(),
            weight: weight(spec) / total,
        })
    });
    columns.collect()
}

/// A sensitive or target column.
pub(super) fn attribute(spec: &ColumnSpec, done: Finished, study: &Study) -> Result<Attribute> {
    let target = spec.role.has(Role::Target);
    let unplaced = done.domain.bounds.iter().flatten().any(|(low, _)| low.is_nan());
    if target && unplaced && spec.kind() == Kind::Numeric && study.data.on_missing == OnMissing::Value {
        return Err(Error::study(format!(
            "the numeric target {:?} has missing values, which have no place among numbers; set [data] on_missing = \"drop-row\"",
            spec.name
        )));
    }
    Ok(Attribute {
        name: spec.name.clone(),
        sensitive: spec.role.has(Role::Sensitive),
        target,
        domain: done.domain,
        hierarchy: done.has_tree.then_some(done.hierarchy),
        totals: Vec::new(),
    })
}
