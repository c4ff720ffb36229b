//! Questions about the nodes of a lattice, asked of the engine that holds the rows: how many groups, and how many of which
//! size. Distinct tuples are counted once, where the engine lets them be kept.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, Int32Array, RecordBatch};
use paretonym::data::{ColumnRequest, Part, Source};
use paretonym::engine::{Distant, DistantRequest, SizeClass, Watch};
use paretonym::error::{Error, Result};
use paretonym_sql::{Coded, Lent};

use super::DatabaseTable;
use super::coding::random;
use crate::hex::hex;

/// A table in a database that is asked about nodes.
pub(crate) struct DistantTable {
    table: DatabaseTable,
    request: DistantRequest,
    /// What stands behind WITH.
    with: String,
    /// The distinct tuples, and groups of them that the engine keeps: nodes are made from the fewest groups that are finer.
    views: Mutex<Vec<View>>,
    /// Per column, what becomes of each code at each level.
    levels: Vec<Lent>,
}

/// Groups of a node inside the engine, each by some code of its sets.
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
        let quasi: Vec<&ColumnRequest> = of(Part::Quasi).collect();
        let inside = of(Part::Attribute).map(|column| table.names.iter().position(|name| *name == column.name));
        let inside: Vec<usize> = inside.flatten().collect();
        let id = hex(&random::<6>()?);
        let mut columns = table.coded_columns(source, &quasi, watch)?;
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
        let groups =
            table.relation.number(&format!("{with}SELECT CAST(COUNT(*) AS BIGINT) FROM {tuples} AS t"), watch)?;
        let tuples = View { node: vec![0; request.levels.len()], groups, from: tuples };
        Ok(DistantTable { table, request: request.clone(), with, views: Mutex::new(vec![tuples]), levels })
    }

    /// The columns of a node that divide rows; one that shows a single set does not.
    fn dividing(&self, node: &[u32]) -> Vec<usize> {
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
        let codes: Vec<String> = (0..node.len()).map(|column| format!("MIN(t.s{column}) AS s{column}")).collect();
        let (joins, by) = self.joined(node, columns);
        let from = self.finer(node).from;
        let sql = format!(
            "{create} AS {}SELECT {}, CAST(SUM(t.n) AS BIGINT) AS n FROM {from} AS t{joins}{by}",
            self.with,
            codes.join(", ")
        );
        client.tell(&sql, watch)?;
        let groups = self.table.relation.number(&format!("SELECT CAST(COUNT(*) AS BIGINT) FROM {name}"), watch)?;
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        views.push(View { node: node.to_vec(), groups, from: name });
        Ok(Some(groups))
    }

    /// What looks the codes of some columns up, and what groups by the sets of a node.
    fn joined(&self, node: &[u32], columns: &[usize]) -> (String, String) {
        let join = |column: &usize| {
            format!(" INNER JOIN {} AS l{column} ON t.s{column} = l{column}.s", self.levels[*column].name)
        };
        let by: Vec<String> = columns.iter().map(|column| format!("l{column}.l{}", node[*column])).collect();
        let by = if by.is_empty() { String::new() } else { format!(" GROUP BY {}", by.join(", ")) };
        (columns.iter().map(join).collect(), by)
    }

    /// The groups of a node: their rows as `size`, and the values that cells of each dividing column cover.
    fn groups_of(&self, node: &[u32], columns: &[usize]) -> String {
        let covered = |column: &usize| format!(", MIN(l{column}.w{}) AS w{column}", node[*column]);
        let shown: String = columns.iter().map(covered).collect();
        let (joins, by) = self.joined(node, columns);
        format!("SELECT CAST(SUM(t.n) AS BIGINT) AS size{shown} FROM {} AS t{joins}{by}", self.finer(node).from)
    }
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

    fn profile(&self, node: &[u32], watch: &dyn Watch) -> Result<Vec<SizeClass>> {
        let columns = self.dividing(node);
        let sums: String =
            columns.iter().map(|column| format!(", CAST(SUM(size * w{column}) AS BIGINT) AS c{column}")).collect();
        let sql = format!(
            "{}SELECT size, CAST(COUNT(*) AS BIGINT) AS g{sums} FROM ({}) AS groups GROUP BY size",
            self.with,
            self.groups_of(node, &columns)
        );
        let mut classes = Vec::new();
        let mut answer = self.table.relation.numbers(&sql, watch)?;
        while let Some((_, numbers)) = answer.next_numbers()? {
            let (sizes, counts) = (&numbers[0], &numbers[1]);
            for (row, (size, groups)) in sizes.iter().zip(counts).enumerate() {
                let (size, groups) = (*size as u64, *groups as u64);
                // Columns that show a single set cover the same everywhere.
                let covered = |column: usize| match columns.iter().position(|own| *own == column) {
                    Some(at) => numbers[2 + at][row] as u64,
                    None => size * groups * u64::from(self.request.levels[column][node[column] as usize][0].covered),
                };
                classes.push(SizeClass { size, groups, covered: (0..node.len()).map(covered).collect() });
            }
        }
        Ok(classes)
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
