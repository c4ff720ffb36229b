//! One solution from near: what each column shows, how large the groups are, and the first rows before and after.

use std::collections::BTreeMap;
use std::path::Path as FilePath;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::IntoResponse;
use paretonym::compare::Coded;
use paretonym::data::Kind;
use paretonym::engine::Watch;
use paretonym::error::Error;
use paretonym::group::FrequencyTable;
use paretonym::loss::{NumericForm, column_loss};
use paretonym::recode::{ColumnSets, QuasiColumn};
use paretonym::release::{AppliedSolution, Fate, fates};
use paretonym::study::{Study, count};
use paretonym_engine::folder::{OpenRun, STUDY, check_inputs, read_regions};
use paretonym_engine::{Embedded, first_rows, table_files};
use serde::Serialize;

use super::runs::front_of;
use super::tree::Tree;
use crate::App;
use crate::answer::{Json, Refusal};
use crate::desk::compute;

/// Rows that are shown before and after.
const ROWS: usize = 10;
/// A set with more values is told by its first and last one.
const LISTED_LEAVES: usize = 200;

/// A solution from near.
#[derive(Serialize)]
pub struct SolutionDetails {
    id: u32,
    columns: Vec<SolutionColumn>,
    /// Per size of a kept group: the size, how many groups have it, and how many rows they hold.
    sizes: Vec<(u64, u64, u64)>,
    rows: FirstRows,
}

/// What becomes of a column.
#[derive(Serialize)]
pub struct SolutionColumn {
    name: String,
    kind: Kind,
    weight: f64,
    leaves: Vec<String>,
    /// Not there where each region shows sets of its own.
    #[serde(flatten)]
    shown: Option<ColumnShown>,
}

/// What a release shows of a column.
#[derive(Serialize)]
pub struct ColumnShown {
    /// The column's part in GL.
    loss: f64,
    sets: Vec<ColumnSet>,
    /// Not there where it is too large to be drawn.
    tree: Option<Tree>,
}

/// One of the sets that are shown, by the positions of its first and last leaf.
#[derive(Serialize)]
pub struct ColumnSet {
    label: String,
    first: u32,
    last: u32,
    /// Its kept rows.
    count: u64,
    /// Not there where they are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    leaves: Option<Vec<String>>,
}

/// The first rows of the table and what a release shows for them.
#[derive(Serialize)]
pub struct FirstRows {
    columns: Vec<String>,
    before: Vec<Vec<Option<String>>>,
    /// Null for a row that is not released, and for a cell of a column that is left out.
    after: Vec<Option<Vec<Option<String>>>>,
    /// Rows that a missing value keeps out: they are not suppressed.
    incomplete: Vec<bool>,
}

/// A run's study with its table, counted.
pub struct CountedRun {
    /// The study.
    pub study: Study,
    /// Its table.
    pub table: FrequencyTable,
}

/// The counted table of a run; counted again when the study or the data has changed.
pub(super) fn counted_run(app: &App, dir: &FilePath, watch: &dyn Watch) -> Result<Arc<CountedRun>, Error> {
    let file = dir.join(STUDY);
    let study = OpenRun::study(dir)?;
    let tables = match study.data.is_in_files() {
        true => table_files(&study.data)?,
        false => vec![study.data.name()],
    };
    let files: Vec<&FilePath> = [file.as_path()].into_iter().chain(tables.iter().map(|path| path.as_path())).collect();
    app.counted.get(&files, || {
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
        Ok(Json(SolutionDetails {
            id,
            columns: columns(&counted.study, &counted.table, &recoded)?,
            sizes: sizes(&recoded),
            rows: rows(&counted.study, &recoded)?,
        }))
    })
    .await
}

fn sizes(recoded: &AppliedSolution) -> Vec<(u64, u64, u64)> {
    let mut groups: BTreeMap<u64, u64> = BTreeMap::new();
    for group in recoded.kept().groups() {
        *groups.entry(recoded.grouping.groups.rows.get(group)).or_default() += 1;
    }
    groups.into_iter().map(|(size, groups)| (size, groups, size * groups)).collect()
}

fn columns(study: &Study, table: &FrequencyTable, recoded: &AppliedSolution) -> Result<Vec<SolutionColumn>, Refusal> {
    let form = NumericForm::of_study(&study.search.loss);
    let labels = recoded.set_labels()?;
    let columns = table.columns.iter().enumerate().map(|(at, column)| {
        let shown = labels.as_ref().map(|labels| {
            let sets = &recoded.grouping.columns[at];
            let rows = kept_rows(table, recoded, at, sets);
            ColumnShown {
                loss: column_loss(column, sets, &rows, table.rows, form),
                sets: column_sets(column, sets, &labels[at], &rows),
                tree: drawn_tree(column, sets),
            }
        });
        SolutionColumn {
            name: column.name.clone(),
            kind: column.domain.kind,
            weight: column.weight,
            leaves: column.domain.labels.clone(),
            shown,
        }
    });
    Ok(columns.collect())
}

/// Kept rows of each set of a column.
fn kept_rows(table: &FrequencyTable, recoded: &AppliedSolution, column: usize, sets: &ColumnSets) -> Vec<u64> {
    let mut rows = vec![0; sets.len()];
    for group in recoded.kept().groups() {
        let set = recoded.grouping.set(table, group, column);
        rows[set] += recoded.grouping.groups.rows.get(group);
    }
    rows
}

fn column_sets(column: &QuasiColumn, sets: &ColumnSets, labels: &[String], rows: &[u64]) -> Vec<ColumnSet> {
    let set = |set: usize| {
        let (first, end) = (sets.first[set], sets.first[set + 1]);
        let listed = (end - first) as usize <= LISTED_LEAVES;
        let leaves = listed.then(|| column.domain.labels[first as usize..end as usize].to_vec());
        ColumnSet { label: labels[set].clone(), first, last: end - 1, count: rows[set], leaves }
    };
    (0..sets.len()).map(set).collect()
}

/// The tree with the nodes marked that are shown. A set of a break is not a node: then nothing is marked.
fn drawn_tree(column: &QuasiColumn, sets: &ColumnSets) -> Option<Tree> {
    let nodes = column.hierarchy.nodes();
    let is_set = |at: usize| {
        let leaves = &nodes[at].leaves;
        let set = sets.set_of[leaves.start as usize] as usize;
        (sets.first[set], sets.first[set + 1]) == (leaves.start, leaves.end)
    };
    // Of nodes with the same leaves, the one nearest to the root.
    let shown = |at: usize| is_set(at) && !nodes[at].parent.is_some_and(|parent| is_set(parent as usize));
    Tree::drawn_with(&column.hierarchy, &shown)
}

fn rows(study: &Study, recoded: &AppliedSolution) -> Result<FirstRows, Refusal> {
    let columns = first_rows(&study.data, ROWS)?;
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let (shown, present) = recoded.rows(&columns)?;
    let recoded_names: Vec<&str> = shown.iter().map(|column| column.name.as_str()).collect();
    let fates = fates(study, &names, &recoded_names, false)?;
    let cell = |column: &Coded, row: usize| Some(column.texts[column.codes[row] as usize].clone());
    let before = (0..present.len()).map(|row| columns.iter().map(|column| cell(column, row)).collect());
    let released = |row: usize, column: &Coded, fate: &Fate| match fate {
        Fate::Recode(at) => cell(&shown[*at], row),
        Fate::Drop | Fate::Token => None,
        Fate::Keep | Fate::KeepUsed => cell(column, row),
    };
    let after = present.iter().enumerate().map(|(row, present)| {
        present.then(|| columns.iter().zip(&fates).map(|(column, fate)| released(row, column, fate)).collect())
    });
    let (before, after) = (before.collect(), after.collect());
    Ok(FirstRows { columns: names, before, after, incomplete: recoded.incomplete_rows(&columns) })
}
