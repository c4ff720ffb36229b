//! Questions about the nodes of a lattice, asked of the engine that holds the rows: how many groups, and how many of which
//! kind. Distinct tuples are counted once, where the engine lets them be kept.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, Int32Array, RecordBatch};
use paretonym::data::{ColumnRequest, Part, Source};
use paretonym::engine::{Distant, DistantRequest, LooksAt, SizeClass, Watch};
use paretonym::error::{Error, Result};
use paretonym_sql::{Coded, Lent};

use super::DatabaseTable;
use super::coding::random;
use crate::hex::hex;

/// A table in a database that is asked about nodes.
pub(crate) struct DistantTable {
    pub(super) table: DatabaseTable,
    pub(super) request: DistantRequest,
    /// What stands behind WITH.
    pub(super) with: String,
    /// The distinct tuples, and groups of them that the engine keeps: nodes are made from the fewest groups that are finer.
    views: Mutex<Vec<View>>,
    /// Per column, what becomes of each code at each level.
    levels: Vec<Lent>,
}

/// Groups of a node inside the engine, each by some code of its sets; where levels depend on sensitive columns, each once for
/// every combination of their values, whose codes stand behind those of the sets.
#[derive(Clone)]
struct View {
    node: Vec<u32>,
    groups: u64,
    /// What stands behind FROM.
    from: String,
}

impl DistantTable {
    /// Codes the rows, and counts the distinct tuples where they are.
    pub fn prepare(source: &Source, request: &DistantRequest, watch: &dyn Watch) -> Result<Self> {
        let table = DatabaseTable::open(source)?;
        watch.phase("counting in the database", None);
        let of = |part| request.count.columns.iter().filter(move |column| column.part == part);
        let attributes: Vec<&ColumnRequest> = of(Part::Attribute).collect();
        let sensitive = request.sensitive.iter().map(|at| attributes[*at]);
        let coded: Vec<&ColumnRequest> = of(Part::Quasi).chain(sensitive).collect();
        let inside = of(Part::Attribute).map(|column| table.names.iter().position(|name| *name == column.name));
        let inside: Vec<usize> = inside.flatten().collect();
        let id = hex(&random::<6>()?);
        let mut columns = table.coded_columns(source, &coded, watch)?;
        for (column, levels) in columns.iter_mut().zip(&request.levels) {
            // The last code is that of a missing cell.
            let missing = levels[0].len() as i32 - 1;
            column.codes.iter_mut().filter(|(_, code)| *code < 0).for_each(|(_, code)| *code = missing);
        }
        let missing = table.incomplete(source, &inside, watch)?;
        let coded = Coded::new(&table.relation, &columns, &missing, &[], &id, watch)?;
        let (with, tuples) = coded.tuples(&format!("paretonym_{id}_tuples"), watch)?;
        drop(coded);
        let mut levels = Vec::new();
        for (number, own) in request.levels.iter().enumerate() {
            let list = RecordBatch::try_from_iter(level_list(own))
                .map_err(|error| Error::internal(format!("a list for the database cannot be made: {error}")))?;
            levels.push(table.relation.client().lend(&format!("paretonym_{id}_levels_{number}"), list, watch)?);
        }
        let inline = levels.iter().filter_map(|list| list.inline.clone()).collect::<Vec<_>>().join(", ");
        let with = match (with.is_empty(), inline.is_empty()) {
            (_, true) => with,
            (true, false) => format!("WITH {inline} "),
            (false, false) => format!("{}, {inline} ", with.trim_end()),
        };
        let codes: Vec<String> = (0..request.levels.len()).map(|column| format!("t.s{column}")).collect();
        let counted = match request.sensitive.is_empty() {
            true => format!("{tuples} AS t"),
            false => format!("(SELECT 1 AS one FROM {tuples} AS t GROUP BY {}) AS tuples", codes.join(", ")),
        };
        let groups = table.relation.number(&format!("{with}SELECT CAST(COUNT(*) AS BIGINT) FROM {counted}"), watch)?;
        let tuples = View { node: vec![0; request.levels.len()], groups, from: tuples };
        Ok(DistantTable { table, request: request.clone(), with, views: Mutex::new(vec![tuples]), levels })
    }

    /// The columns of a node that divide rows; one that shows a single set does not.
    pub(super) fn dividing(&self, node: &[u32]) -> Vec<usize> {
        (0..node.len()).filter(|column| !self.request.is_one_set(*column, node[*column])).collect()
    }

    /// The fewest groups that are kept and finer than a node.
    fn finer(&self, node: &[u32]) -> View {
        let views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        let is_finer = |view: &&View| view.node.iter().zip(node).all(|(own, level)| own <= level);
        views.iter().filter(is_finer).min_by_key(|view| view.groups).unwrap_or(&views[0]).clone()
    }

    /// Has the engine keep the groups of a node, where it keeps tables; how many there are.
    fn keep(&self, node: &[u32], columns: &[usize], watch: &dyn Watch) -> Result<Option<u64>> {
        let client = self.table.relation.client();
        let name = client.dialect().quote(&format!("paretonym_{}_groups", hex(&random::<6>()?)));
        let Some(create) = client.dialect().temporary(&name) else { return Ok(None) };
        let inside: Vec<String> = self.sensitive().map(|column| format!("t.s{column}")).collect();
        let codes = (0..node.len()).map(|column| format!("MIN(t.s{column}) AS s{column}"));
        let codes: Vec<String> =
            codes.chain(self.sensitive().map(|column| format!("t.s{column} AS s{column}"))).collect();
        let joins = self.joins(columns);
        let sets = self.sets(node, columns);
        let by = grouped_by(sets.iter().chain(&inside));
        let from = self.finer(node).from;
        let sql = format!(
            "{create} AS {}SELECT {}, CAST(SUM(t.n) AS BIGINT) AS n FROM {from} AS t{joins}{by}",
            self.with,
            codes.join(", ")
        );
        client.tell(&sql, watch)?;
        let counted = match inside.is_empty() {
            true => name.clone(),
            false => format!("(SELECT 1 AS one FROM {name} AS t{joins}{}) AS groups", grouped_by(&sets)),
        };
        let with = if inside.is_empty() { "" } else { &self.with };
        let groups =
            self.table.relation.number(&format!("{with}SELECT CAST(COUNT(*) AS BIGINT) FROM {counted}"), watch)?;
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        views.push(View { node: node.to_vec(), groups, from: name });
        Ok(Some(groups))
    }

    /// The columns of codes of sensitive values.
    pub(super) fn sensitive(&self) -> std::ops::Range<usize> {
        let quasi = self.request.levels.len();
        quasi..quasi + self.request.sensitive.len()
    }

    /// What looks the codes of some columns up.
    fn joins(&self, columns: &[usize]) -> String {
        let join = |column: &usize| {
            format!(" INNER JOIN {} AS l{column} ON t.s{column} = l{column}.s", self.levels[*column].name)
        };
        columns.iter().map(join).collect()
    }

    /// The sets of some columns at a node.
    fn sets(&self, node: &[u32], columns: &[usize]) -> Vec<String> {
        columns.iter().map(|column| format!("l{column}.l{}", node[*column])).collect()
    }

    /// The groups of a node: their rows as `size`, and the values that cells of each dividing column cover.
    pub(super) fn groups_of(&self, node: &[u32], columns: &[usize]) -> String {
        let covered: String = columns.iter().map(|column| covered(node, *column)).collect();
        let (joins, by) = (self.joins(columns), grouped_by(&self.sets(node, columns)));
        format!("SELECT CAST(SUM(t.n) AS BIGINT) AS size{covered} FROM {} AS t{joins}{by}", self.finer(node).from)
    }

    /// The groups of a node, each once for every value of a sensitive column: their sets, what these cover, and the rows as `n`.
    pub(super) fn valued_groups(&self, node: &[u32], columns: &[usize], sensitive: usize) -> String {
        let sets = self.sets(node, columns);
        let shown: String = columns.iter().zip(&sets).map(|(column, set)| format!("{set} AS g{column}, ")).collect();
        let covered: String = columns.iter().map(|column| covered(node, *column)).collect();
        let value = format!("t.s{sensitive}");
        let (joins, by) = (self.joins(columns), grouped_by(sets.iter().chain([&value])));
        format!("SELECT {shown}CAST(SUM(t.n) AS BIGINT) AS n{covered} FROM {} AS t{joins}{by}", self.finer(node).from)
    }
}

/// What cells of a dividing column cover in a group.
fn covered(node: &[u32], column: usize) -> String {
    format!(", MIN(l{column}.w{}) AS w{column}", node[column])
}

/// What groups by some columns; without any, all is one group.
pub(super) fn grouped_by<'a>(columns: impl IntoIterator<Item = &'a String>) -> String {
    let columns: Vec<&str> = columns.into_iter().map(String::as_str).collect();
    if columns.is_empty() { String::new() } else { format!(" GROUP BY {}", columns.join(", ")) }
}

impl Distant for DistantTable {
    fn groups(&self, node: &[u32], watch: &dyn Watch) -> Result<u64> {
        let known = self.finer(node);
        if known.node == node {
            return Ok(known.groups);
        }
        if let Some(groups) = self.keep(node, &self.dividing(node), watch)? {
            return Ok(groups);
        }
        let groups = self.groups_of(node, &self.dividing(node));
        let sql = format!("{}SELECT CAST(COUNT(*) AS BIGINT) FROM ({groups}) AS g", self.with);
        self.table.relation.number(&sql, watch)
    }

    fn profile(&self, node: &[u32], looks_at: LooksAt, watch: &dyn Watch) -> Result<Vec<SizeClass>> {
        self.classes(node, looks_at, watch)
    }
}

/// Codes, and for each level their sets and what these cover.
fn level_list(levels: &[Vec<paretonym::engine::LevelCode>]) -> Vec<(String, ArrayRef)> {
    let codes: Int32Array = (0..levels[0].len() as i32).collect();
    let mut list: Vec<(String, ArrayRef)> = vec![("s".to_owned(), Arc::new(codes))];
    for (level, codes) in levels.iter().enumerate() {
        let sets: Int32Array = codes.iter().map(|code| code.set as i32).collect();
        let covered: Int32Array = codes.iter().map(|code| code.covered as i32).collect();
        list.push((format!("l{level}"), Arc::new(sets)));
        list.push((format!("w{level}"), Arc::new(covered)));
    }
    list
}
