//! From cells of text to codes.

use std::collections::HashMap;

use crate::data::{ColumnRequest, Decimal, Dictionary, Encoding, MISSING, OnMissing, Source};
use crate::error::{Error, Result};

/// The codes of a row; none for one that is left out because of a missing cell.
pub(super) fn codes(coders: &mut [Coder], source: &Source, at: usize, row: &[String]) -> Result<Option<Vec<u32>>> {
    // A row that is left out may hold anything.
    let is_missing = |coder: &Coder| source.is_missing(row[coder.place].trim());
    if source.on_missing == OnMissing::DropRow && coders.iter().any(is_missing) {
        return Ok(None);
    }
    let mut codes = Vec::with_capacity(coders.len());
    for coder in coders {
        let cell = row[coder.place].trim();
        let refused = |problem: &str| Error::Value {
            place: source.place(),
            line: at as u64 + 1,
            column: coder.request.name.clone(),
            value: cell.to_owned(),
            problem: problem.to_owned(),
        };
        if source.is_missing(cell) {
            if source.on_missing == OnMissing::Error {
                return Err(refused("which means missing; correct it, or set on_missing"));
            }
            codes.push(MISSING);
            continue;
        }
        let unknown = refused("which is not among the values that it may have");
        codes.push(coder.code(cell).ok_or(unknown)?);
    }
    Ok(Some(codes))
}

/// Turns the cells of one column into codes.
pub(super) struct Coder<'a> {
    request: &'a ColumnRequest,
    place: usize,
    decimal: Decimal,
    /// The texts and the numbers that have a code, declared or met.
    texts: HashMap<String, u32>,
    numbers: HashMap<u64, u32>,
    /// Those that were met, by code.
    met_texts: Vec<String>,
    met_numbers: Vec<f64>,
}

impl<'a> Coder<'a> {
    pub(super) fn new(request: &'a ColumnRequest, place: usize, decimal: Decimal) -> Self {
        let (mut texts, mut numbers) = (HashMap::new(), HashMap::new());
        // A value that is declared twice keeps its first code.
        let mut declare = |labels: &[String], code: &dyn Fn(usize) -> u32| {
            for (at, label) in labels.iter().enumerate() {
                texts.entry(label.trim().to_owned()).or_insert(code(at));
            }
        };
        match &request.encoding {
            Encoding::Labels(labels) => declare(labels, &|at| at as u32),
            Encoding::Known { values: Dictionary::Text(labels), codes } => declare(labels, &|at| codes[at]),
            Encoding::Known { values: Dictionary::Numbers(values), codes } => {
                numbers.extend(values.iter().map(|value| key(*value)).zip(codes.iter().copied()));
            }
            _ => {}
        }
        Coder { request, place, decimal, texts, numbers, met_texts: Vec::new(), met_numbers: Vec::new() }
    }

    /// The code of a cell; none where the column's encoding has no place for it.
    pub(super) fn code(&mut self, cell: &str) -> Option<u32> {
        let number = || self.decimal.read(cell);
        match &self.request.encoding {
            Encoding::Known { values: Dictionary::Numbers(_), .. } => self.numbers.get(&key(number()?)).copied(),
            Encoding::Labels(_) | Encoding::Known { .. } => self.texts.get(cell).copied(),
            Encoding::Bins { edges, closed } => bin(edges, *closed, number()?),
            Encoding::Text => Some(match self.texts.get(cell) {
                Some(code) => *code,
                None => {
                    let code = self.met_texts.len() as u32;
                    self.met_texts.push(cell.to_owned());
                    self.texts.insert(cell.to_owned(), code);
                    code
                }
            }),
            Encoding::Numbers => {
                let number = number()?;
                Some(*self.numbers.entry(key(number)).or_insert_with(|| {
                    self.met_numbers.push(number + 0.0);
                    self.met_numbers.len() as u32 - 1
                }))
            }
        }
    }

    pub(super) fn dictionary(self) -> Dictionary {
        match self.request.encoding {
            Encoding::Text => Dictionary::Text(self.met_texts),
            Encoding::Numbers => Dictionary::Numbers(self.met_numbers),
            Encoding::Labels(_) | Encoding::Bins { .. } | Encoding::Known { .. } => Dictionary::Declared,
        }
    }
}

/// What equal numbers share: adding zero turns -0 into 0.
fn key(number: f64) -> u64 {
    (number + 0.0).to_bits()
}

/// The bin of a number.
pub(super) fn bin(edges: &[f64], closed: bool, number: f64) -> Option<u32> {
    let above = edges.partition_point(|edge| *edge <= number);
    if above == edges.len() {
        return (closed && edges.last() == Some(&number)).then(|| above as u32 - 2);
    }
    (above > 0).then(|| above as u32 - 1)
}
