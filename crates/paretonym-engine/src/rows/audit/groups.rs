//! The groups of a file: distinct combinations of the quasi columns as they are written, each with its rows and the
//! counts of its sensitive values.

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use paretonym::data::{CellRule, Decimal, Encoding, MISSING, Source};
use paretonym::engine::Watch;
use paretonym::error::Result;

use super::{AuditRequest, Declared, Distance, SensitiveColumn};
use crate::rows::cells::Cells;
use crate::rows::coder::{Coder, INVALID};
use crate::rows::packed::pack;
use crate::rows::pairs::Pairs;
use crate::rows::pass::{Consumer, Fault};
use crate::rows::table::Table;

/// What a suppressed cell shows.
pub(super) const STAR: &str = "*";

/// The groups of a file, in the order of their cells.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// Per quasi column: the cells that occur, in order.
    pub(super) cells: Vec<Vec<String>>,
    /// Per group and quasi column: which cell it shows.
    pub(super) codes: Vec<u32>,
    /// Rows per group.
    pub(super) counts: Vec<u64>,
    /// The sensitive columns.
    pub(super) sensitive: Vec<Values>,
}

/// A sensitive column inside the groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// The values that occur, in order; positions in the declared domain where there is one.
    pub names: Vec<Value>,
    /// Group, value, rows; sorted.
    pub entries: Vec<(u32, u32, u64)>,
}

/// A value of a sensitive column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// As it is written.
    Text(String),
    /// A position in a declared domain.
    Leaf(u32),
}

impl Groups {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// All rows.
    pub fn rows(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The number of quasi columns.
    pub(super) fn width(&self) -> usize {
        self.cells.len()
    }

    /// The cells of a group and its rows.
    pub fn group(&self, index: usize) -> (Vec<&str>, u64) {
        let codes = &self.codes[index * self.width()..(index + 1) * self.width()];
        let cells = codes.iter().zip(&self.cells).map(|(code, cells)| cells[*code as usize].as_str());
        (cells.collect(), self.counts[index])
    }
}

/// Counts a file; the groups, and the rows left out because they show nothing.
pub(super) fn count(source: &Source, request: &AuditRequest, watch: &dyn Watch) -> Result<(Groups, u64)> {
    let table = Table::open(source)?;
    let names = request.quasi.iter().chain(request.sensitive.iter().map(|column| &column.name));
    let (projection, slots) = table.projection(names)?;
    let counter = |_| Counter::new(request, &slots);
    let counters = table.pass(&projection, (0..rayon::current_num_threads()).map(counter).collect(), watch)?;
    Ok(merge(counters, request))
}

/// One worker's count.
pub(super) struct Counter<'a> {
    slots: &'a [usize],
    /// Whether rows that show nothing are left out, with all that stands in them.
    ignore_suppressed: bool,
    suppressed: u64,
    quasi: Vec<Coder<'a>>,
    sensitive: Vec<(&'a SensitiveColumn, Coder<'a>)>,
    codes: Vec<u32>,
    values: Vec<u32>,
    /// Groups whose codes fit into one number.
    packed: HashMap<u64, u32, RandomState>,
    /// All other groups.
    wide: HashMap<Vec<u32>, u32, RandomState>,
    /// The codes of each group, one after the other.
    group_codes: Vec<u32>,
    counts: Vec<u64>,
    /// Per sensitive column: rows by group and value.
    tallies: Vec<Pairs>,
}

impl<'a> Counter<'a> {
    fn new(request: &'a AuditRequest, slots: &'a [usize]) -> Self {
        let coder = |encoding, missing| Coder::new(encoding, CellRule { missing, decimal: request.decimal }, true);
        let of_column = |column: &'a SensitiveColumn| match &column.distance {
            Distance::Declared(declared) => (column, coder(&declared.encoding, &declared.missing_cells)),
            _ => (column, coder(&Encoding::Text, &[])),
        };
        Counter {
            slots,
            ignore_suppressed: request.ignore_suppressed,
            suppressed: 0,
            quasi: request.quasi.iter().map(|_| coder(&Encoding::Text, &[])).collect(),
            sensitive: request.sensitive.iter().map(of_column).collect(),
            codes: Vec::new(),
            values: Vec::new(),
            packed: HashMap::default(),
            wide: HashMap::default(),
            group_codes: Vec::new(),
            counts: Vec::new(),
            tallies: vec![Pairs::new(None); request.sensitive.len()],
        }
    }

    /// Which of the coded rows show nothing but stars, or nothing at all.
    fn blank_rows(&self, rows: usize) -> Vec<bool> {
        if !self.ignore_suppressed {
            return vec![false; rows];
        }
        let blank: Vec<[Option<u32>; 2]> = self.quasi.iter().map(|coder| [coder.met(STAR), coder.met("")]).collect();
        let shows_nothing = |codes: &[u32]| codes.iter().zip(&blank).all(|(code, blank)| blank.contains(&Some(*code)));
        self.codes.chunks_exact(self.quasi.len()).take(rows).map(shows_nothing).collect()
    }
}

impl Consumer for Counter<'_> {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        let (width, extra) = (self.quasi.len(), self.sensitive.len());
        self.codes.resize(rows * width, 0);
        self.values.resize(rows * extra, 0);
        for (at, coder) in self.quasi.iter_mut().enumerate() {
            coder.fill(&cells[self.slots[at]], &mut self.codes, at, width);
        }
        let blank = self.blank_rows(rows);
        for (at, (column, coder)) in self.sensitive.iter_mut().enumerate() {
            let cells = &cells[self.slots[width + at]];
            coder.fill(cells, &mut self.values, at, extra);
            // A row that shows nothing may hold anything else, such as an empty cell among numbers.
            let invalid = |(row, value): (usize, &u32)| (*value == INVALID && !blank[row]).then_some(row);
            if let Some(row) = self.values.iter().skip(at).step_by(extra).take(rows).enumerate().find_map(invalid) {
                let value = cells.show(row);
                return Err(Fault { row, column: column.name.clone(), problem: coder.problem(&value), value });
            }
        }
        for (row, blank) in blank.into_iter().enumerate() {
            if blank {
                self.suppressed += 1;
                continue;
            }
            let codes = &self.codes[row * width..(row + 1) * width];
            let next = self.counts.len() as u32;
            let group = match pack(codes) {
                Some(number) => *self.packed.entry(number).or_insert(next),
                None => *self.wide.entry_ref(codes).or_insert(next),
            };
            if group == next {
                self.group_codes.extend_from_slice(codes);
                self.counts.push(0);
            }
            self.counts[group as usize] += 1;
            for (tally, value) in self.tallies.iter_mut().zip(&self.values[row * extra..(row + 1) * extra]) {
                tally.add(group, *value);
            }
        }
        Ok(())
    }
}

/// Joins the counts of all workers; their codes are their own, the cells are what they share.
fn merge(counters: Vec<Counter>, request: &AuditRequest) -> (Groups, u64) {
    let width = request.quasi.len();
    let extra = request.sensitive.len();
    let mut columns: Vec<HashMap<String, u32, RandomState>> = vec![HashMap::default(); width];
    let mut joined: HashMap<Vec<u32>, u32, RandomState> = HashMap::default();
    let mut counts: Vec<u64> = Vec::new();
    let mut suppressed = 0;
    let mut names: Vec<Vec<Value>> = vec![Vec::new(); extra];
    let mut known: Vec<HashMap<String, u32, RandomState>> = vec![HashMap::default(); extra];
    let mut tallies: Vec<HashMap<(u32, u32), u64, RandomState>> = vec![HashMap::default(); extra];
    for counter in counters {
        suppressed += counter.suppressed;
        let translations: Vec<Vec<u32>> = counter
            .quasi
            .into_iter()
            .zip(&mut columns)
            .map(|(coder, column)| {
                let (texts, _) = coder.into_dictionary();
                let ids = 0..texts.len() as u32;
                ids.map(|id| {
                    let next = column.len() as u32;
                    *column.entry_ref(texts.get(id)).or_insert(next)
                })
                .collect()
            })
            .collect();
        let mut group_of = vec![0; counter.counts.len()];
        for (group, codes) in counter.group_codes.chunks_exact(width).enumerate() {
            let codes: Vec<u32> = codes.iter().zip(&translations).map(|(code, to)| to[*code as usize]).collect();
            let next = counts.len() as u32;
            let id = *joined.entry(codes).or_insert(next);
            if id == next {
                counts.push(0);
            }
            counts[id as usize] += counter.counts[group];
            group_of[group] = id;
        }
        for (at, ((column, coder), tally)) in counter.sensitive.into_iter().zip(counter.tallies).enumerate() {
            let (texts, numbers) = coder.into_dictionary();
            let mut translated: HashMap<u32, u32, RandomState> = HashMap::default();
            for (group, code, rows) in tally.into_entries() {
                let value = *translated.entry(code).or_insert_with(|| {
                    let value = match &column.distance {
                        Distance::Declared(declared) => Value::Leaf(leaf(declared, code, &texts, &numbers)),
                        _ => Value::Text(texts.get(code).to_owned()),
                    };
                    let key = match &value {
                        Value::Text(text) => text.clone(),
                        Value::Leaf(leaf) => leaf.to_string(),
                    };
                    let next = names[at].len() as u32;
                    let id = *known[at].entry(key).or_insert(next);
                    if id == next {
                        names[at].push(value);
                    }
                    id
                });
                *tallies[at].entry((group_of[group as usize], value)).or_insert(0) += rows;
            }
        }
    }
    (arrange(columns, joined, counts, names, tallies, request.decimal), suppressed)
}

/// The position of a coded cell in a declared domain.
fn leaf(declared: &Declared, code: u32, texts: &crate::rows::interner::Interner, numbers: &[f64]) -> u32 {
    if code == MISSING {
        return declared.missing.unwrap_or(MISSING);
    }
    match &declared.encoding {
        Encoding::Labels(_) | Encoding::Bins { .. } | Encoding::Known { .. } => code,
        Encoding::Numbers => {
            let number = numbers[code as usize];
            let at = declared.numbers.partition_point(|own| *own < number);
            if declared.numbers.get(at) == Some(&number) { at as u32 } else { MISSING }
        }
        Encoding::Text => {
            let text = texts.get(code);
            declared.labels.iter().position(|own| own == text).map_or(MISSING, |at| at as u32)
        }
    }
}

/// Puts cells, groups and values into an order that does not depend on who counted what.
fn arrange(
    columns: Vec<HashMap<String, u32, RandomState>>,
    joined: HashMap<Vec<u32>, u32, RandomState>,
    counts: Vec<u64>,
    names: Vec<Vec<Value>>,
    tallies: Vec<HashMap<(u32, u32), u64, RandomState>>,
    decimal: Decimal,
) -> Groups {
    let mut cells = Vec::new();
    let mut ranks: Vec<Vec<u32>> = Vec::new();
    for column in columns {
        let mut sorted: Vec<(String, u32)> = column.into_iter().collect();
        sorted.sort_unstable();
        let mut rank = vec![0; sorted.len()];
        sorted.iter().enumerate().for_each(|(place, (_, code))| rank[*code as usize] = place as u32);
        cells.push(sorted.into_iter().map(|(text, _)| text).collect::<Vec<String>>());
        ranks.push(rank);
    }
    let mut ordered: Vec<(Vec<u32>, u32)> = Vec::with_capacity(counts.len());
    for (codes, group) in joined {
        let codes: Vec<u32> = codes.iter().zip(&ranks).map(|(code, rank)| rank[*code as usize]).collect();
        ordered.push((codes, group));
    }
    ordered.sort_unstable();
    let mut place = vec![0; counts.len()];
    ordered.iter().enumerate().for_each(|(at, (_, group))| place[*group as usize] = at as u32);
    let sensitive = names
        .into_iter()
        .zip(tallies)
        .map(|(names, tally)| {
            let mut order: Vec<usize> = (0..names.len()).collect();
            order.sort_by(|a, b| compare(&names[*a], &names[*b], decimal));
            let mut rank = vec![0; order.len()];
            order.iter().enumerate().for_each(|(at, value)| rank[*value] = at as u32);
            let mut entries: Vec<(u32, u32, u64)> = tally
                .into_iter()
                .map(|((group, value), rows)| (place[group as usize], rank[value as usize], rows))
                .collect();
            entries.sort_unstable();
            Values { names: order.into_iter().map(|at| names[at].clone()).collect(), entries }
        })
        .collect();
    let counts = ordered.iter().map(|(_, group)| counts[*group as usize]).collect();
    let codes = ordered.into_iter().flat_map(|(codes, _)| codes).collect();
    Groups { cells, codes, counts, sensitive }
}

/// Numbers by size, everything else by text.
fn compare(left: &Value, right: &Value, decimal: Decimal) -> std::cmp::Ordering {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => match (decimal.read(left), decimal.read(right)) {
            (Some(a), Some(b)) => a.total_cmp(&b).then_with(|| left.cmp(right)),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => left.cmp(right),
        },
        (Value::Leaf(left), Value::Leaf(right)) => left.cmp(right),
        (Value::Text(_), Value::Leaf(_)) => std::cmp::Ordering::Less,
        (Value::Leaf(_), Value::Text(_)) => std::cmp::Ordering::Greater,
    }
}
