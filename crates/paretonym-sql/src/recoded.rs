//! A table recoded by its engine: every value of a recoded column is looked up in a list, and rows of groups that do not stay
//! are left out. Nothing of it travels but the lists.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray};
use arrow_schema::ArrowError;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};

use crate::client::Client;
use crate::dialect::marked;
use crate::lent::Lent;
use crate::names::TableName;
use crate::relation::Relation;

/// A cell as the engine writes it, none for a null, with the number of its set and the text that it shows.
pub type ShownCell = (Option<String>, i32, String);

/// What a recoded table shows.
pub struct Recoded<'a> {
    /// The table.
    pub relation: &'a Relation,
    /// Its columns, in their order.
    pub columns: Vec<RecodedColumn>,
    /// The groups that stay: the number of the set of each recoded column.
    pub kept: Vec<Vec<i32>>,
    /// Cells that keep a row from being shown: the position of a column and its cells, none for a null.
    pub missing: Vec<(usize, Vec<Option<String>>)>,
}

/// One column of it.
pub enum RecodedColumn {
    /// As it is.
    Kept(usize),
    /// The text of the set of each cell; a row with any other cell is left out.
    Sets {
        /// Which column.
        position: usize,
        /// Cells as the engine writes them, none for a null, each with the number of its set and the text that it shows.
        sets: Vec<ShownCell>,
    },
}

impl Recoded<'_> {
    /// Makes a table of it, with rows in random order.
    pub fn write(&self, table: &TableName, id: &str, watch: &dyn Watch) -> Result<()> {
        let client = self.relation.client();
        let lent = self.lend(client, id, watch)?;
        let sql = format!("{} {}", client.dialect().made_by(table), self.query(&lent));
        client.tell(&sql, watch)
    }

    /// The lists of recoded columns, then that of the groups.
    fn lend(&self, client: &Client, id: &str, watch: &dyn Watch) -> Result<Vec<Lent>> {
        let mut lent = Vec::new();
        for (number, (_, sets)) in self.recoded().enumerate() {
            let keys: StringArray = sets.iter().map(|(cell, ..)| Some(key(cell.as_deref()))).collect();
            let numbers: Int32Array = sets.iter().map(|(_, set, _)| *set).collect();
            let texts: StringArray = sets.iter().map(|(.., text)| Some(text.as_str())).collect();
            let columns: [(&str, ArrayRef); 3] =
                [("v", Arc::new(keys)), ("s", Arc::new(numbers)), ("t", Arc::new(texts))];
            let list = RecordBatch::try_from_iter(columns).map_err(odd)?;
            lent.push(client.lend(&format!("paretonym_{id}_{number}"), list, watch)?);
        }
        let column = |at: usize| {
            let sets: Int32Array = self.kept.iter().map(|group| group[at]).collect();
            (format!("s{at}"), Arc::new(sets) as ArrayRef)
        };
        let list = RecordBatch::try_from_iter((0..self.recoded().count()).map(column)).map_err(odd)?;
        lent.push(client.lend(&format!("paretonym_{id}_groups"), list, watch)?);
        Ok(lent)
    }

    /// The query that gives its rows.
    fn query(&self, lent: &[Lent]) -> String {
        let dialect = self.relation.client().dialect();
        let mut cells: Vec<String> = Vec::new();
        let mut shown: Vec<String> = Vec::new();
        let mut joins = String::new();
        let mut number = 0;
        for column in &self.columns {
            let position = match column {
                RecodedColumn::Kept(position) | RecodedColumn::Sets { position, .. } => *position,
            };
            let name = dialect.quote(self.relation.name(position));
            match column {
                RecodedColumn::Kept(_) => {
                    cells.push(format!("{name} AS k{position}"));
                    shown.push(format!("src.k{position} AS {name}"));
                }
                RecodedColumn::Sets { .. } => {
                    cells.push(format!("{} AS v{number}", self.key_of(position)));
                    shown.push(format!("m{number}.t AS {name}"));
                    joins += &format!(" INNER JOIN {} AS m{number} ON src.v{number} = m{number}.v", lent[number].name);
                    number += 1;
                }
            }
        }
        let mut stays = Vec::new();
        for (at, (position, absent)) in self.missing.iter().enumerate() {
            cells.push(format!("{} AS x{at}", self.key_of(*position)));
            let keys: Vec<String> = absent.iter().map(|cell| dialect.literal(&key(cell.as_deref()))).collect();
            if !keys.is_empty() {
                stays.push(format!("src.x{at} NOT IN ({})", keys.join(", ")));
            }
        }
        if let Some(groups) = lent.last() {
            let same: Vec<String> = (0..number).map(|at| format!("g.s{at} = m{at}.s")).collect();
            joins += &format!(" INNER JOIN {} AS g ON {}", groups.name, same.join(" AND "));
        }
        let stays = if stays.is_empty() { String::new() } else { format!(" WHERE {}", stays.join(" AND ")) };
        let inline: Vec<&str> = lent.iter().filter_map(|list| list.inline.as_deref()).collect();
        let with = if inline.is_empty() { String::new() } else { format!("WITH {} ", inline.join(", ")) };
        format!(
            "{with}SELECT {} FROM (SELECT {} FROM {}) AS src{joins}{stays} ORDER BY {}",
            shown.join(", "),
            cells.join(", "),
            self.relation.from(),
            dialect.random()
        )
    }

    /// A cell as it is looked up.
    fn key_of(&self, position: usize) -> String {
        let cell = self.relation.cell(position);
        let text = self.relation.client().dialect().text(cell);
        marked(cell, &text)
    }

    fn recoded(&self) -> impl Iterator<Item = (usize, &[ShownCell])> {
        self.columns.iter().filter_map(|column| match column {
            RecodedColumn::Sets { position, sets } => Some((*position, sets.as_slice())),
            RecodedColumn::Kept(_) => None,
        })
    }
}

/// A cell, or that there is none, as one text: nulls are equal to nothing, not even to each other.
pub(crate) fn key(cell: Option<&str>) -> String {
    cell.map_or("n".to_owned(), |cell| format!("v{cell}"))
}

pub(crate) fn odd(error: ArrowError) -> Error {
    Error::internal(format!("a list for the database cannot be made: {error}"))
}
