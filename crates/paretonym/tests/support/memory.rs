//! A table in memory: the simplest thing that counts.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use paretonym::data::{
    AttributeCount, ColumnRequest, CountRequest, Counted, Dictionary, Encoding, MISSING, OnMissing, Part, Source,
};
use paretonym::engine::{Engine, Watch};
use paretonym::error::{Error, Result};

/// Rows of text and the files beside them.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Cells, row by row.
    pub rows: Vec<Vec<String>>,
    /// Small files, such as taxonomies.
    pub files: HashMap<PathBuf, String>,
}

impl Memory {
    /// A table without files beside it.
    pub fn new(columns: Vec<String>, rows: Vec<Vec<String>>) -> Self {
        Memory { columns, rows, files: HashMap::new() }
    }
}

/// The values of one column met so far.
enum Seen {
    Declared,
    Text(Vec<String>),
    Numbers(Vec<f64>),
}

fn position_or_push<T: PartialEq>(values: &mut Vec<T>, value: T) -> u32 {
    let found = values.iter().position(|own| *own == value);
    found.unwrap_or_else(|| {
        values.push(value);
        values.len() - 1
    }) as u32
}

/// The code of a cell; none where the column's encoding has no place for it.
fn code(column: &ColumnRequest, seen: &mut Seen, cell: &str) -> Option<u32> {
    let number = || cell.parse::<f64>().ok().filter(|number| number.is_finite());
    match (&column.encoding, seen) {
        (Encoding::Labels(labels), _) => labels.iter().position(|label| label == cell).map(|at| at as u32),
        (Encoding::Bins { edges, closed }, _) => {
            let number = number()?;
            let last = edges.len() - 2;
            let inside = |bin: &usize| edges[*bin] <= number && number < edges[bin + 1];
            let bin = (0..=last).find(inside).or((*closed && number == edges[last + 1]).then_some(last));
            bin.map(|bin| bin as u32)
        }
        (Encoding::Known { values, codes }, _) => {
            let place = match values {
                Dictionary::Text(texts) => texts.iter().position(|own| own == cell),
                Dictionary::Numbers(numbers) => {
                    number().and_then(|number| numbers.iter().position(|own| *own == number))
                }
                Dictionary::Declared => None,
            };
            place.map(|at| codes[at])
        }
        (Encoding::Text, Seen::Text(texts)) => Some(position_or_push(texts, cell.to_owned())),
        (Encoding::Numbers, Seen::Numbers(numbers)) => number().map(|number| position_or_push(numbers, number)),
        _ => None,
    }
}

impl Engine for Memory {
    fn read_text(&self, path: &Path) -> Result<String> {
        let missing = || Error::study(format!("there is no file {}", path.display()));
        self.files.get(path).cloned().ok_or_else(missing)
    }

    fn columns(&self, _: &Source) -> Result<Vec<String>> {
        Ok(self.columns.clone())
    }

    fn count(&self, source: &Source, request: &CountRequest, _: &dyn Watch) -> Result<Counted> {
        let place = |name: &str| self.columns.iter().position(|own| own == name).expect("the study was checked");
        let places: Vec<usize> = request.columns.iter().map(|column| place(&column.name)).collect();
        let mut seen: Vec<Seen> = request
            .columns
            .iter()
            .map(|column| match column.encoding {
                Encoding::Labels(_) | Encoding::Bins { .. } | Encoding::Known { .. } => Seen::Declared,
                Encoding::Text => Seen::Text(Vec::new()),
                Encoding::Numbers => Seen::Numbers(Vec::new()),
            })
            .collect();
        let (mut rows, mut dropped) = (0, 0);
        let mut tuples: Vec<(Vec<u32>, u64)> = Vec::new();
        let mut tuple_of: HashMap<Vec<u32>, usize> = HashMap::new();
        let inside: Vec<usize> = (0..places.len()).filter(|at| request.columns[*at].part == Part::Attribute).collect();
        let mut attributes: Vec<BTreeMap<(u32, u32), u64>> = vec![BTreeMap::new(); inside.len()];
        for (line, row) in self.rows.iter().enumerate() {
            let missing = |at: &&usize| source.is_missing(&row[**at]);
            if source.on_missing == OnMissing::DropRow && places.iter().any(|at| missing(&at)) {
                dropped += 1;
                continue;
            }
            let mut codes = Vec::new();
            for ((column, at), seen) in request.columns.iter().zip(&places).zip(&mut seen) {
                let cell = row[*at].trim();
                let code = if missing(&at) && source.on_missing == OnMissing::Value {
                    Some(MISSING)
                } else {
                    code(column, seen, cell)
                };
                codes.push(code.ok_or_else(|| Error::Value {
                    place: "memory".into(),
                    line: line as u64 + 1,
                    column: column.name.clone(),
                    value: cell.to_owned(),
                    problem: "which is not among its values".into(),
                })?);
            }
            rows += 1;
            let quasi = (0..codes.len()).filter(|at| request.columns[*at].part == Part::Quasi);
            let quasi: Vec<u32> = quasi.map(|at| codes[at]).collect();
            let tuple = *tuple_of.entry(quasi.clone()).or_insert_with(|| {
                tuples.push((quasi, 0));
                tuples.len() - 1
            });
            tuples[tuple].1 += 1;
            for (counts, at) in attributes.iter_mut().zip(&inside) {
                *counts.entry((tuple as u32, codes[*at])).or_default() += 1;
            }
        }
        let entries = |counts: BTreeMap<(u32, u32), u64>| {
            counts.into_iter().map(|((tuple, value), count)| AttributeCount { tuple, value, count }).collect()
        };
        Ok(Counted {
            rows,
            dropped,
            dictionaries: seen
                .into_iter()
                .map(|seen| match seen {
                    Seen::Declared => Dictionary::Declared,
                    Seen::Text(texts) => Dictionary::Text(texts),
                    Seen::Numbers(numbers) => Dictionary::Numbers(numbers),
                })
                .collect(),
            counts: tuples.iter().map(|(_, count)| *count).collect(),
            tuples: tuples.into_iter().flat_map(|(codes, _)| codes).collect(),
            attributes: attributes.into_iter().map(entries).collect(),
        })
    }
}
