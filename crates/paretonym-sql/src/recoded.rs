//! A table recoded by its engine: every value of a recoded column is looked up in a list, and rows of groups that do not stay
//! are left out or show stars. Nothing of it travels but the lists.

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, Int32Array, RecordBatch, StringArray};
use arrow_schema::ArrowError;
use paretonym::engine::{Unwatched, Watch};
use paretonym::error::{Error, Result};

use crate::client::Client;
use crate::dialect::{TokenMaker, marked};
use crate::lent::Lent;
use crate::mixed::write_mixed;
use crate::names::TableName;
use crate::relation::Relation;

/// The number of the set of a cell that is missing, where rows with such cells are left out.
const ABSENT: i32 = -1;

/// A cell as the engine writes it, none for a null, with the number of its set and the text that it shows, where that does not
/// depend on the region.
pub type ShownCell = (Option<String>, i32, Option<String>);

/// What a recoded table shows.
pub struct Recoded<'a> {
    /// The table.
    pub relation: &'a Relation,
    /// Its columns, in their order.
    pub columns: Vec<RecodedColumn>,
    /// The groups that stay: for each recoded column the number of its set in every group.
    pub kept: Vec<Vec<i32>>,
    /// Where what a group shows depends on its region: its texts.
    pub regions: Option<RegionTexts>,
    /// Cells that keep a row from being shown: the position of a column and its cells, none for a null.
    pub missing: Vec<(usize, Vec<Option<String>>)>,
    /// What rows of other groups show in recoded columns, and nothing in any other; none where they are left out.
    pub star: Option<String>,
    /// The outer key of tokens.
    pub outer_key: Vec<u8>,
    /// About how many rows it has.
    pub rows: u64,
}

/// One column of it.
pub enum RecodedColumn {
    /// As it is.
    Kept(usize),
    /// The text of the set of each cell; a row with any other cell is of no group that stays.
    Sets {
        /// Which column.
        position: usize,
        /// Cells as the engine writes them, none for a null, each with the number of its set and the text that it shows.
        sets: Vec<ShownCell>,
        /// Cells that keep a row from being shown.
        absent: Vec<Option<String>>,
    },
    /// A token for each value, which the engine makes.
    Token {
        /// Which column.
        position: usize,
        /// The inner key of its tokens.
        key: Vec<u8>,
    },
    /// A token for each value, made here; a null has none.
    Listed {
        /// Which column.
        position: usize,
        /// Values as the engine writes them, each with its token.
        tokens: Vec<(String, String)>,
    },
}

/// What regions show.
pub struct RegionTexts {
    /// The region of every group that stays.
    pub of: Vec<i32>,
    /// For each recoded column what every region shows.
    pub texts: Vec<Vec<String>>,
}

/// Everything that an engine is lent for a recoded table.
struct Lists {
    /// One for each column that is looked up in a list.
    columns: Vec<Lent>,
    groups: Lent,
    regions: Option<Lent>,
    keys: Option<Lent>,
}

impl Lists {
    fn all(&self) -> impl Iterator<Item = &Lent> {
        self.columns.iter().chain([&self.groups]).chain(&self.regions).chain(&self.keys)
    }
}

/// The parts of a query.
#[derive(Default)]
struct Parts {
    /// Cells of the table as they are looked up.
    cells: Vec<String>,
    shown: Vec<String>,
    joins: String,
    stays: Vec<String>,
}

impl Recoded<'_> {
    /// Makes a table of it, with rows in random order.
    pub fn write(&self, table: &TableName, id: &str, watch: &dyn Watch) -> Result<()> {
        let client = self.relation.client();
        let lists = self.lend(client, id, watch)?;
        let names: Vec<String> = self.columns.iter().map(|column| self.quoted(column)).collect();
        let written = write_mixed(client, (&self.query(&lists), &names), self.rows, table, watch);
        if let Some(keys) = &lists.keys {
            // It would go with the connection, and is not needed for so long.
            let forgotten = client.tell(&format!("DROP TABLE {}", keys.name), &Unwatched);
            if written.is_ok() {
                forgotten?;
            }
        }
        written
    }

    /// Lends the lists. None of them holds a row, and the keys stand in no query.
    fn lend(&self, client: &Client, id: &str, watch: &dyn Watch) -> Result<Lists> {
        let lend = |name: &str, list: RecordBatch| client.lend(&format!("paretonym_{id}_{name}"), list, watch);
        let mut columns = Vec::new();
        for column in &self.columns {
            let list = match column {
                RecodedColumn::Sets { sets, absent, .. } => list_of_sets(sets, absent)?,
                RecodedColumn::Listed { tokens, .. } => {
                    let keys: StringArray = tokens.iter().map(|(cell, _)| Some(key(Some(cell)))).collect();
                    let tokens: StringArray = tokens.iter().map(|(_, token)| Some(token.as_str())).collect();
                    list([("v".to_owned(), Arc::new(keys) as ArrayRef), ("t".to_owned(), Arc::new(tokens))])?
                }
                RecodedColumn::Kept(_) | RecodedColumn::Token { .. } => continue,
            };
            columns.push(lend(&columns.len().to_string(), list)?);
        }
        let numbers = |numbers: &Vec<i32>| Arc::new(Int32Array::from(numbers.clone())) as ArrayRef;
        let of = self.regions.iter().map(|regions| ("r".to_owned(), numbers(&regions.of)));
        let sets = self.kept.iter().enumerate().map(|(at, sets)| (format!("s{at}"), numbers(sets)));
        let groups = lend("groups", list(sets.chain(of))?)?;
        let regions = self.regions.as_ref().map(|regions| lend("regions", list_of_regions(regions)?)).transpose()?;
        let mut inner = self.columns.iter().filter_map(|column| match column {
            RecodedColumn::Token { key, .. } => Some(key),
            _ => None,
        });
        let keys = [&self.outer_key].into_iter().chain(inner.by_ref()).collect::<Vec<_>>();
        let has_tokens = keys.len() > 1;
        let bytes = |(at, key): (usize, &Vec<u8>)| {
            (format!("b{at}"), Arc::new(BinaryArray::from(vec![key.as_slice()])) as ArrayRef)
        };
        let keys = has_tokens.then(|| lend("keys", list(keys.into_iter().enumerate().map(bytes))?)).transpose()?;
        if let Some(Lent { inline: Some(_), .. }) = keys {
            return Err(Error::internal("a key would stand in the text of a query"));
        }
        Ok(Lists { columns, groups, regions, keys })
    }

    /// The query that gives its rows, in no order.
    fn query(&self, lists: &Lists) -> String {
        let join = if self.star.is_some() { "LEFT JOIN" } else { "INNER JOIN" };
        let mut parts = Parts::default();
        self.join_groups(lists, join, &mut parts);
        self.show_columns(lists, &mut parts);
        let dialect = self.relation.client().dialect();
        for (at, (position, absent)) in self.missing.iter().enumerate().filter(|(_, (_, absent))| !absent.is_empty()) {
            parts.cells.push(format!("{} AS x{at}", self.key_of(*position)));
            let keys: Vec<String> = absent.iter().map(|cell| dialect.literal(&key(cell.as_deref()))).collect();
            parts.stays.push(format!("src.x{at} NOT IN ({})", keys.join(", ")));
        }
        let Parts { cells, shown, joins, stays } = parts;
        let stays = if stays.is_empty() { String::new() } else { format!(" WHERE {}", stays.join(" AND ")) };
        let inline: Vec<&str> = lists.all().filter_map(|list| list.inline.as_deref()).collect();
        let with = if inline.is_empty() { String::new() } else { format!("WITH {} ", inline.join(", ")) };
        format!(
            "{with}SELECT {} FROM (SELECT {} FROM {}) AS src{joins}{stays}",
            shown.join(", "),
            cells.join(", "),
            self.relation.from(),
        )
    }

    /// Looks up the cells of recoded columns, and the group that they make.
    fn join_groups(&self, lists: &Lists, join: &str, parts: &mut Parts) {
        let (mut number, mut same) = (0, Vec::new());
        for (at, column) in self.columns.iter().filter(|column| column.is_listed()).enumerate() {
            let RecodedColumn::Sets { position, absent, .. } = column else { continue };
            parts.cells.push(format!("{} AS v{at}", self.key_of(*position)));
            parts.joins += &format!(" {join} {} AS m{at} ON src.v{at} = m{at}.v", lists.columns[at].name);
            same.push(format!("g.s{number} = m{at}.s"));
            if !absent.is_empty() {
                parts.stays.push(format!("(m{at}.s IS NULL OR m{at}.s <> {ABSENT})"));
            }
            number += 1;
        }
        parts.joins += &format!(" {join} {} AS g ON {}", lists.groups.name, same.join(" AND "));
        if let Some(regions) = &lists.regions {
            parts.joins += &format!(" {join} {} AS r ON r.r = g.r", regions.name);
        }
    }

    /// What each column shows.
    fn show_columns(&self, lists: &Lists, parts: &mut Parts) {
        let dialect = self.relation.client().dialect();
        let (mut recoded, mut listed, mut keyed) = (0, 0, 0);
        for column in &self.columns {
            let mut star = "NULL".to_owned();
            let text = match column {
                RecodedColumn::Kept(position) => {
                    parts.cells.push(format!("{} AS k{position}", self.quoted(column)));
                    format!("src.k{position}")
                }
                RecodedColumn::Sets { .. } => {
                    star = self.star.as_ref().map_or(star, |text| dialect.literal(text));
                    recoded += 1;
                    match self.regions {
                        Some(_) => format!("r.t{}", recoded - 1),
                        None => format!("m{listed}.t"),
                    }
                }
                RecodedColumn::Listed { position, .. } => {
                    parts.cells.push(format!("{} AS v{listed}", self.key_of(*position)));
                    let list = &lists.columns[listed].name;
                    parts.joins += &format!(" LEFT JOIN {list} AS m{listed} ON src.v{listed} = m{listed}.v");
                    format!("m{listed}.t")
                }
                RecodedColumn::Token { position, .. } => {
                    keyed += 1;
                    parts.cells.push(format!("{} AS i{keyed}", dialect.text(self.relation.cell(*position))));
                    let TokenMaker::Engine(token) = dialect.tokens() else { continue };
                    token("keys.b0", &format!("keys.b{keyed}"), &format!("src.i{keyed}"))
                }
            };
            listed += usize::from(column.is_listed());
            let text = match self.star {
                Some(_) => format!("CASE WHEN g.s0 IS NULL THEN {star} ELSE {text} END"),
                None => text,
            };
            parts.shown.push(format!("{text} AS {}", self.quoted(column)));
        }
        if let Some(keys) = &lists.keys {
            parts.joins += &format!(" CROSS JOIN {} AS keys", keys.name);
        }
    }

    /// A cell as it is looked up.
    fn key_of(&self, position: usize) -> String {
        let cell = self.relation.cell(position);
        let text = self.relation.client().dialect().text(cell);
        marked(cell, &text)
    }

    /// The name of a column.
    fn quoted(&self, column: &RecodedColumn) -> String {
        self.relation.client().dialect().quote(self.relation.name(column.position()))
    }
}

impl RecodedColumn {
    fn position(&self) -> usize {
        match self {
            RecodedColumn::Kept(position)
            | RecodedColumn::Sets { position, .. }
            | RecodedColumn::Token { position, .. }
            | RecodedColumn::Listed { position, .. } => *position,
        }
    }

    /// Whether its cells are looked up in a list.
    fn is_listed(&self) -> bool {
        matches!(self, RecodedColumn::Sets { .. } | RecodedColumn::Listed { .. })
    }
}

fn list_of_sets(sets: &[ShownCell], absent: &[Option<String>]) -> Result<RecordBatch> {
    let cells = sets.iter().map(|(cell, ..)| cell).chain(absent);
    let keys: StringArray = cells.map(|cell| Some(key(cell.as_deref()))).collect();
    let gone = || absent.iter().map(|_| ABSENT);
    let numbers: Int32Array = sets.iter().map(|(_, set, _)| *set).chain(gone()).map(Some).collect();
    let texts = sets.iter().map(|(.., text)| text.as_deref()).chain(absent.iter().map(|_| None));
    let texts: StringArray = texts.collect();
    let columns: [(&str, ArrayRef); 3] = [("v", Arc::new(keys)), ("s", Arc::new(numbers)), ("t", Arc::new(texts))];
    list(columns.map(|(name, column)| (name.to_owned(), column)))
}

fn list_of_regions(regions: &RegionTexts) -> Result<RecordBatch> {
    let count = regions.texts.first().map_or(0, Vec::len) as i32;
    let numbers: ArrayRef = Arc::new(Int32Array::from_iter_values(0..count));
    let texts = regions.texts.iter().enumerate().map(|(at, texts)| {
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values(texts));
        (format!("t{at}"), texts)
    });
    list([("r".to_owned(), numbers)].into_iter().chain(texts))
}

fn list(columns: impl IntoIterator<Item = (String, ArrayRef)>) -> Result<RecordBatch> {
    RecordBatch::try_from_iter(columns).map_err(odd)
}

/// A cell, or that there is none, as one text: nulls are equal to nothing, not even to each other.
pub(crate) fn key(cell: Option<&str>) -> String {
    cell.map_or("n".to_owned(), |cell| format!("v{cell}"))
}

pub(crate) fn odd(error: ArrowError) -> Error {
    Error::internal(format!("a list for the database cannot be made: {error}"))
}
