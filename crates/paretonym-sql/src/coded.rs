//! A table coded by its engine: every cell is looked up in a list of codes, and groups of codes are counted where the rows are.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray};
use paretonym::engine::Watch;
use paretonym::error::Result;

use crate::dialect::marked;
use crate::lent::Lent;
use crate::recoded::{key, odd};
use crate::relation::{Cells, Relation};

/// The cells of a column, as the engine writes them and none for a null, each with its code.
pub struct CodedColumn {
    /// Which column.
    pub position: usize,
    /// Cells and codes. A row with any other cell is not counted.
    pub codes: Vec<(Option<String>, i32)>,
}

/// A table whose quasi columns are coded.
pub struct Coded<'a> {
    relation: &'a Relation,
    /// What stands behind FROM, with all that decides which rows count.
    from: String,
    with: String,
    width: usize,
    _lent: Vec<Lent>,
}

impl<'a> Coded<'a> {
    /// Lends the lists. `missing` are cells that keep a row from being counted: the position of a column, and its cells.
    /// `attributes` are columns whose cells can be asked for beside the codes, as they are.
    pub fn new(
        relation: &'a Relation,
        columns: &[CodedColumn],
        missing: &[(usize, Vec<Option<String>>)],
        attributes: &[usize],
        id: &str,
        watch: &dyn Watch,
    ) -> Result<Self> {
        let dialect = relation.client().dialect();
        let key_of = |position: usize| marked(relation.cell(position), &dialect.text(relation.cell(position)));
        let mut cells: Vec<String> = Vec::new();
        let (mut joins, mut lent) = (String::new(), Vec::new());
        for (number, column) in columns.iter().enumerate() {
            let keys: StringArray = column.codes.iter().map(|(cell, _)| Some(key(cell.as_deref()))).collect();
            let codes: Int32Array = column.codes.iter().map(|(_, code)| *code).collect();
            let list: [(&str, ArrayRef); 2] = [("v", Arc::new(keys)), ("s", Arc::new(codes))];
            let list = RecordBatch::try_from_iter(list).map_err(odd)?;
            lent.push(relation.client().lend(&format!("paretonym_{id}_{number}"), list, watch)?);
            cells.push(format!("{} AS v{number}", key_of(column.position)));
            joins += &format!(" INNER JOIN {} AS m{number} ON src.v{number} = m{number}.v", lent[number].name);
        }
        cells.extend(
            attributes.iter().enumerate().map(|(at, position)| format!("{} AS a{at}", relation.cell(*position))),
        );
        let mut stays = Vec::new();
        for (at, (position, absent)) in missing.iter().enumerate().filter(|(_, (_, absent))| !absent.is_empty()) {
            cells.push(format!("{} AS x{at}", key_of(*position)));
            let keys: Vec<String> = absent.iter().map(|cell| dialect.literal(&key(cell.as_deref()))).collect();
            stays.push(format!("src.x{at} NOT IN ({})", keys.join(", ")));
        }
        let stays = if stays.is_empty() { String::new() } else { format!(" WHERE {}", stays.join(" AND ")) };
        // A query must select something.
        let cells = if cells.is_empty() { "1 AS one".to_owned() } else { cells.join(", ") };
        let from = format!("(SELECT {cells} FROM {}) AS src{joins}{stays}", relation.from());
        let inline: Vec<&str> = lent.iter().filter_map(|list| list.inline.as_deref()).collect();
        let with = if inline.is_empty() { String::new() } else { format!("WITH {} ", inline.join(", ")) };
        Ok(Coded { relation, from, with, width: columns.len(), _lent: lent })
    }

    /// The rows that count.
    pub fn rows(&self, watch: &dyn Watch) -> Result<u64> {
        self.relation.number(&format!("{}SELECT CAST(COUNT(*) AS BIGINT) FROM {}", self.with, self.from), watch)
    }

    /// The groups of codes, each with its rows in the last column; with an attribute, by its cells, too, which stand before
    /// the codes.
    pub fn groups<'w>(&self, attribute: Option<(usize, usize)>, watch: &'w dyn Watch) -> Result<(Cells<'w>, usize)> {
        let dialect = self.relation.client().dialect();
        let codes: Vec<String> = (0..self.width).map(|at| format!("m{at}.s")).collect();
        let mut shown: Vec<String> = codes.iter().enumerate().map(|(at, code)| format!("{code} AS s{at}")).collect();
        let mut by = codes;
        if let Some((at, _)) = attribute {
            let cell = format!("src.a{at}");
            shown.insert(0, format!("{} AS a{at}", dialect.handed_out(&cell)));
            by.push(cell);
        }
        shown.push("CAST(COUNT(*) AS BIGINT) AS n".to_owned());
        let by = if by.is_empty() { String::new() } else { format!(" GROUP BY {}", by.join(", ")) };
        let sql = format!("{}SELECT {} FROM {}{by}", self.with, shown.join(", "), self.from);
        let positions: Vec<usize> = attribute.iter().map(|(_, position)| *position).collect();
        Ok((self.relation.ask(&sql, &positions, watch)?, self.width))
    }

    /// Its distinct tuples with their counts as a table of the connection, or, where the engine makes none, as a part of a
    /// query; what must stand behind WITH, and what behind FROM. Columns are `s0` and so on, and `n`.
    pub fn tuples(&self, name: &str, watch: &dyn Watch) -> Result<(String, String)> {
        let client = self.relation.client();
        let codes: Vec<String> = (0..self.width).map(|at| format!("m{at}.s")).collect();
        let shown: Vec<String> = codes.iter().enumerate().map(|(at, code)| format!("{code} AS s{at}")).collect();
        let select = format!(
            "SELECT {}, CAST(COUNT(*) AS BIGINT) AS n FROM {} GROUP BY {}",
            shown.join(", "),
            self.from,
            codes.join(", ")
        );
        let quoted = client.dialect().quote(name);
        match client.dialect().temporary(&quoted) {
            Some(create) => {
                client.tell(&format!("{create} AS {}{select}", self.with), watch)?;
                Ok((String::new(), quoted))
            }
            None => Ok((self.with.clone(), format!("({select})"))),
        }
    }
}
