//! One solution from near: what each column shows, how large the groups are, and the first rows before and after.

use std::collections::BTreeMap;
use std::path::Path as FilePath;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::IntoResponse;
use paretonym::compare::Coded;
use paretonym::engine::Watch;
use paretonym::error::Error;
use paretonym::group::FrequencyTable;
use paretonym::loss::{NumericForm, cell_loss};
use paretonym::recode::{ColumnSets, QuasiColumn};
use paretonym::release::{AppliedSolution, Fate, fates};
use paretonym::study::{Study, count};
use paretonym_engine::folder::{OpenRun, STUDY, check_inputs, read_regions};
use paretonym_engine::{Embedded, first_rows};
use serde_json::{Value, json};

use super::runs::front_of;
use super::tree;
use crate::App;
use crate::answer::{Json, Refusal};
use crate::desk::compute;

/// Rows that are shown before and after.
const ROWS: usize = 10;
/// A set with more values is told by its first and last one.
const LISTED_LEAVES: usize = 200;

/// A run's study with its table, counted.
pub struct CountedRun {
    /// The study.
    pub study: Study,
    /// Its table.
    pub table: FrequencyTable,
}

/// The counted table of a run; counted again when the study or the data has changed.
fn counted_run(app: &App, dir: &FilePath, watch: &dyn Watch) -> Result<Arc<CountedRun>, Error> {
    let file = dir.join(STUDY);
    let study = OpenRun::study(dir)?;
    let data = study.data.path.clone();
    app.counted.get(&[&file, &data], || {
        check_inputs(dir, &study, watch)?;
        let table = count(&study, &Embedded, watch)?;
        Ok(CountedRun { study, table })
    })
}

/// `GET /api/runs/RUN/solutions/ID`
pub async fn details(
    State(app): State<Arc<App>>,
    Path((run, id)): Path<(String, String)>,
) -> Result<impl IntoResponse, Refusal> {
    let id: u32 = id.parse().map_err(|_| Refusal::wrong("a solution is named by its number"))?;
    compute(app, move |app, watch| {
        let dir = app.folder.run(&run)?;
        let front = front_of(app, &dir)?;
        if !front.solutions.iter().any(|solution| solution.id == id) {
            return Err(Refusal::not_found(format!("the front has no solution {id}")));
        }
        let counted = counted_run(app, &dir, watch)?;
        let regions = read_regions(&dir, &front)?;
        let recoded = AppliedSolution::new(&counted.study, &counted.table, &front, regions.as_ref(), id)?;
        Ok(Json(json!({
            "id": id,
            "columns": columns(&counted.study, &counted.table, &recoded)?,
            "sizes": sizes(&recoded),
            "rows": rows(&counted.study, &recoded)?,
        })))
    })
    .await
}

/// Per size of a kept group: the size, how many groups have it, and how many rows they hold.
fn sizes(recoded: &AppliedSolution) -> Vec<(u64, u64, u64)> {
    let mut groups: BTreeMap<u64, u64> = BTreeMap::new();
    for group in recoded.kept().groups() {
        *groups.entry(u64::from(recoded.grouping.groups.rows[group])).or_default() += 1;
    }
    groups.into_iter().map(|(size, groups)| (size, groups, size * groups)).collect()
}

fn columns(study: &Study, table: &FrequencyTable, recoded: &AppliedSolution) -> Result<Vec<Value>, Refusal> {
    let form = NumericForm::of_study(&study.search.loss);
    let labels = recoded.set_labels()?;
    let columns = table.columns.iter().enumerate().map(|(at, column)| {
        let mut value = json!({
            "name": column.name,
            "kind": column.domain.kind,
            "weight": column.weight,
            "leaves": column.domain.labels,
        });
        if let Some(labels) = &labels {
            let sets = &recoded.grouping.columns[at];
            let rows = kept_rows(table, recoded, at, sets);
            value["loss"] = json!(mean_cell_loss(column, sets, &rows, table.rows, form));
            value["sets"] = sets_json(column, sets, &labels[at], &rows);
            value["tree"] = json!(drawn_tree(column, sets));
        }
        value
    });
    Ok(columns.collect())
}

/// Kept rows of each set of a column.
fn kept_rows(table: &FrequencyTable, recoded: &AppliedSolution, column: usize, sets: &ColumnSets) -> Vec<u64> {
    let mut rows = vec![0; sets.len()];
    for group in recoded.kept().groups() {
        let set = recoded.grouping.set(table, group, column);
        rows[set] += u64::from(recoded.grouping.groups.rows[group]);
    }
    rows
}

/// The column's part in GL: the sum of the losses of its kept cells over all rows. GL is the mean of it over the columns.
fn mean_cell_loss(column: &QuasiColumn, sets: &ColumnSets, rows: &[u64], all: u64, form: NumericForm) -> f64 {
    let run = |set: usize| (sets.first[set], sets.first[set + 1] - 1);
    let lost = |set: usize| cell_loss(column, &[run(set)], form) * rows[set] as f64;
    (0..sets.len()).map(lost).sum::<f64>() / all as f64
}

fn sets_json(column: &QuasiColumn, sets: &ColumnSets, labels: &[String], rows: &[u64]) -> Value {
    let set = |set: usize| {
        let (first, end) = (sets.first[set], sets.first[set + 1]);
        let mut value = json!({ "label": labels[set], "first": first, "last": end - 1, "count": rows[set] });
        if (end - first) as usize <= LISTED_LEAVES {
            value["leaves"] = json!(&column.domain.labels[first as usize..end as usize]);
        }
        value
    };
    (0..sets.len()).map(set).collect()
}

/// The tree with the nodes marked that are shown. A set of a break is not a node: then nothing is marked.
fn drawn_tree(column: &QuasiColumn, sets: &ColumnSets) -> Option<Value> {
    let nodes = column.hierarchy.nodes();
    let is_set = |at: usize| {
        let leaves = &nodes[at].leaves;
        let set = sets.set_of[leaves.start as usize] as usize;
        (sets.first[set], sets.first[set + 1]) == (leaves.start, leaves.end)
    };
    // Of nodes with the same leaves, the one nearest to the root.
    let shown = |at: usize| is_set(at) && !nodes[at].parent.is_some_and(|parent| is_set(parent as usize));
    tree::drawn_with(&column.hierarchy, &shown)
}

/// The first rows of the table and what a release shows for them: null for a row that is not released, and for a cell of
/// a column that is left out. Rows that a missing value keeps out are marked: they are not suppressed.
fn rows(study: &Study, recoded: &AppliedSolution) -> Result<Value, Refusal> {
    let columns = first_rows(&study.data, ROWS)?;
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let (shown, present) = recoded.rows(&columns)?;
    let recoded_names: Vec<&str> = shown.iter().map(|column| column.name.as_str()).collect();
    let fates = fates(study, &names, &recoded_names, false)?;
    let cell = |column: &Coded, row: usize| json!(column.texts[column.codes[row] as usize]);
    let before: Vec<Vec<Value>> =
        (0..present.len()).map(|row| columns.iter().map(|column| cell(column, row)).collect()).collect();
    let after = (0..present.len()).map(|row| match present[row] {
        false => Value::Null,
        true => columns
            .iter()
            .zip(&fates)
            .map(|(column, fate)| match fate {
                Fate::Recode(at) => cell(&shown[*at], row),
                Fate::Drop | Fate::Token => Value::Null,
                Fate::Keep | Fate::KeepUsed => cell(column, row),
            })
            .collect(),
    });
    let after: Vec<Value> = after.collect();
    Ok(json!({ "columns": names, "before": before, "after": after, "incomplete": recoded.incomplete_rows(&columns) }))
}
