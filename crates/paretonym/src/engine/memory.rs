//! An engine without files: rows of text that a program holds itself.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::{Engine, Watch};
use crate::data::{
    AttributeCount, ColumnRequest, CountRequest, Counted, Decimal, Dictionary, Encoding, MISSING, OnMissing, Part,
    Repeats, Source,
};
use crate::error::{Error, Result};

/// A table in memory: names of columns and rows of text, and small texts in place of the files beside a study.
///
/// The simplest engine there is, for programs that hold their rows themselves, for examples and for tests. It keeps every
/// cell, and counts on one thread; the engine of the crate `paretonym-engine` reads files in memory that does not grow with
/// their rows.
///
/// ```
/// use paretonym::data::Source;
/// use paretonym::engine::{Engine, Memory};
///
/// let table = Memory::new(["age", "town"], [["34", "Bern"], ["35", "Thun"]]).with_file("town.csv", "Bern;*\nThun;*");
/// assert_eq!(table.columns(&Source::at("memory"))?, ["age", "town"]);
/// assert_eq!(table.read_text("town.csv".as_ref())?, "Bern;*\nThun;*");
/// # Ok::<(), paretonym::error::Error>(())
/// ```
///
/// The front page of this crate shows a whole study of such a table.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    files: HashMap<PathBuf, String>,
}

impl Memory {
    /// From the names of the columns and the cells, row by row. Cells are trimmed when they are read. A row with too few or
    /// too many cells is an error of whatever reads the table first.
    pub fn new<Row>(columns: impl IntoIterator<Item = impl Into<String>>, rows: impl IntoIterator<Item = Row>) -> Self
    where
        Row: IntoIterator<Item: Into<String>>,
    {
        let cells = |row: Row| row.into_iter().map(Into::into).collect();
        Memory {
            columns: columns.into_iter().map(Into::into).collect(),
            rows: rows.into_iter().map(cells).collect(),
            files: HashMap::new(),
        }
    }

    /// The same with a text that the study refers to by its path, such as a taxonomy.
    #[must_use]
    pub fn with_file(mut self, path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        self.files.insert(path.into(), text.into());
        self
    }

    /// The position of a column, once every row is known to have it.
    fn place(&self, source: &Source, name: &str) -> Result<usize> {
        let place = || source.path.display().to_string();
        let width = self.columns.len();
        if let Some(at) = self.rows.iter().position(|row| row.len() != width) {
            let problem = format!("row {} has {} cells, and there are {width} columns", at + 1, self.rows[at].len());
            return Err(Error::Table { place: place(), problem });
        }
        let unknown = || Error::UnknownColumn { name: name.to_owned(), place: place(), known: self.columns.clone() };
        self.columns.iter().position(|own| own == name).ok_or_else(unknown)
    }
}

impl Engine for Memory {
    fn read_text(&self, path: &Path) -> Result<String> {
        let missing = || Error::study(format!("there is no file {} beside the table in memory", path.display()));
        self.files.get(path).cloned().ok_or_else(missing)
    }

    fn columns(&self, _: &Source) -> Result<Vec<String>> {
        Ok(self.columns.clone())
    }

    fn count(&self, source: &Source, request: &CountRequest, watch: &dyn Watch) -> Result<Counted> {
        watch.phase("counting", Some(self.rows.len() as u64));
        let coder = |column| Ok(Coder::new(column, self.place(source, &column.name)?, source.decimal));
        let mut coders = request.columns.iter().map(coder).collect::<Result<Vec<Coder>>>()?;
        let mut tally = Tally::new(request);
        for (at, row) in self.rows.iter().enumerate() {
            match codes(&mut coders, source, at, row)? {
                Some(codes) => tally.add(&codes),
                None => tally.dropped += 1,
            }
            watch.advance(1);
        }
        Ok(tally.counted(coders.into_iter().map(Coder::dictionary).collect()))
    }

    fn repeats(&self, source: &Source, columns: &[String], _: &dyn Watch) -> Result<Vec<Option<Repeats>>> {
        let repeats = |name: &String| {
            let place = self.place(source, name)?;
            let mut times: HashMap<&str, u64> = HashMap::new();
            let cells = self.rows.iter().map(|row| row[place].trim()).filter(|cell| !source.is_missing(cell));
            cells.for_each(|cell| *times.entry(cell).or_default() += 1);
            Ok(Some(Repeats {
                cells: times.values().sum(),
                distinct: times.len() as u64,
                once: times.values().filter(|times| **times == 1).count() as u64,
            }))
        };
        columns.iter().map(repeats).collect()
    }
}

/// The codes of a row; none for one that is left out because of a missing cell.
fn codes(coders: &mut [Coder], source: &Source, at: usize, row: &[String]) -> Result<Option<Vec<u32>>> {
    let mut codes = Vec::with_capacity(coders.len());
    let mut missing = false;
    for coder in coders {
        let cell = row[coder.place].trim();
        let refused = |problem: &str| Error::Value {
            place: source.path.display().to_string(),
            line: at as u64 + 1,
            column: coder.request.name.clone(),
            value: cell.to_owned(),
            problem: problem.to_owned(),
        };
        if source.is_missing(cell) {
            if source.on_missing == OnMissing::Error {
                return Err(refused("which means missing; correct it, or set on_missing"));
            }
            missing = true;
            codes.push(MISSING);
            continue;
        }
        let unknown = refused("which is not among the values that it may have");
        codes.push(coder.code(cell).ok_or(unknown)?);
    }
    Ok((!missing || source.on_missing == OnMissing::Value).then_some(codes))
}

/// Turns the cells of one column into codes.
struct Coder<'a> {
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
    fn new(request: &'a ColumnRequest, place: usize, decimal: Decimal) -> Self {
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
    fn code(&mut self, cell: &str) -> Option<u32> {
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

    fn dictionary(self) -> Dictionary {
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
fn bin(edges: &[f64], closed: bool, number: f64) -> Option<u32> {
    let above = edges.partition_point(|edge| *edge <= number);
    if above == edges.len() {
        return (closed && edges.last() == Some(&number)).then(|| above as u32 - 2);
    }
    (above > 0).then(|| above as u32 - 1)
}

/// Counts rows by their codes.
struct Tally {
    quasi: Vec<usize>,
    attributes: Vec<usize>,
    rows: u64,
    dropped: u64,
    tuple_of: HashMap<Vec<u32>, u32>,
    tuples: Vec<u32>,
    counts: Vec<u64>,
    /// Per attribute column: rows by tuple and value.
    values: Vec<BTreeMap<(u32, u32), u64>>,
}

impl Tally {
    fn new(request: &CountRequest) -> Self {
        let part =
            |part: Part| (0..request.columns.len()).filter(move |at| request.columns[*at].part == part).collect();
        let attributes: Vec<usize> = part(Part::Attribute);
        Tally {
            quasi: part(Part::Quasi),
            values: vec![BTreeMap::new(); attributes.len()],
            attributes,
            rows: 0,
            dropped: 0,
            tuple_of: HashMap::new(),
            tuples: Vec::new(),
            counts: Vec::new(),
        }
    }

    fn add(&mut self, codes: &[u32]) {
        self.rows += 1;
        let own: Vec<u32> = self.quasi.iter().map(|at| codes[*at]).collect();
        let next = self.counts.len() as u32;
        let tuple = *self.tuple_of.entry(own).or_insert_with_key(|own| {
            self.tuples.extend(own);
            self.counts.push(0);
            next
        });
        self.counts[tuple as usize] += 1;
        for (values, at) in self.values.iter_mut().zip(&self.attributes) {
            *values.entry((tuple, codes[*at])).or_default() += 1;
        }
    }

    fn counted(self, dictionaries: Vec<Dictionary>) -> Counted {
        let entry = |((tuple, value), count)| AttributeCount { tuple, value, count };
        Counted {
            rows: self.rows,
            dropped: self.dropped,
            dictionaries,
            tuples: self.tuples,
            counts: self.counts,
            attributes: self.values.into_iter().map(|values| values.into_iter().map(entry).collect()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Unwatched;

    fn asked(name: &str, part: Part, encoding: Encoding) -> ColumnRequest {
        ColumnRequest { name: name.to_owned(), part, encoding }
    }

    #[test]
    fn rows_are_counted_by_tuple_and_value() {
        let table = Memory::new(
            ["age", "town", "illness"],
            [["5", "b", "flu"], ["5.0", "a", "flu"], ["12", "b", "?"], [" 5 ", "b", "cold"]],
        );
        let mut source = Source::at("memory");
        source.missing = vec!["?".to_owned()];
        let bins = Encoding::Bins { edges: vec![0.0, 10.0, 20.0], closed: false };
        let labels = Encoding::Labels(vec!["a".to_owned(), "b".to_owned()]);
        let request = CountRequest {
            columns: vec![
                asked("age", Part::Quasi, bins),
                asked("town", Part::Quasi, labels),
                asked("illness", Part::Attribute, Encoding::Text),
            ],
        };
        let counted = table.count(&source, &request, &Unwatched).unwrap();
        assert_eq!((counted.rows, counted.dropped), (3, 1));
        assert_eq!((counted.tuples, counted.counts), (vec![0, 1, 0, 0], vec![2, 1]));
        assert_eq!(counted.dictionaries[2], Dictionary::Text(vec!["flu".to_owned(), "cold".to_owned()]));
        assert_eq!(counted.attributes[0].len(), 3);

        source.on_missing = OnMissing::Value;
        let counted = table.count(&source, &request, &Unwatched).unwrap();
        assert_eq!((counted.rows, counted.dropped), (4, 0));
        assert!(counted.attributes[0].iter().any(|entry| entry.value == MISSING));
        source.on_missing = OnMissing::Error;
        assert!(table.count(&source, &request, &Unwatched).unwrap_err().to_string().contains("line 3"));
    }

    #[test]
    fn bins_are_half_open_and_equal_numbers_share_a_code() {
        let bins = |closed| [-0.1, 0.0, 5.0, 9.9, 10.0, 10.1].map(|number| bin(&[0.0, 5.0, 10.0], closed, number));
        assert_eq!(bins(false), [None, Some(0), Some(1), Some(1), None, None]);
        assert_eq!(bins(true), [None, Some(0), Some(1), Some(1), Some(1), None]);
        let request = asked("x", Part::Quasi, Encoding::Numbers);
        let mut coder = Coder::new(&request, 0, Decimal::Point);
        assert_eq!(
            ["5", "5.0", "-0", "0", "x"].map(|cell| coder.code(cell)),
            [Some(0), Some(0), Some(1), Some(1), None]
        );
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let source = Source::at("memory");
        let request = CountRequest { columns: vec![asked("town", Part::Quasi, Encoding::Numbers)] };
        let error = |table: Memory| table.count(&source, &request, &Unwatched).unwrap_err().to_string();
        assert!(error(Memory::new(["town"], [["Bern"]])).contains("line 1: column \"town\" holds \"Bern\""));
        assert!(error(Memory::new(["town", "age"], [["1"]])).contains("row 1 has 1 cells"));
        assert!(error(Memory::new(["towm"], [["1"]])).contains("did you mean \"towm\""));
    }

    #[test]
    fn repeated_values_are_counted() {
        let table = Memory::new(["x"], [["a"], ["b"], [" a"], [""]]);
        let repeats = table.repeats(&Source::at("memory"), &["x".to_owned()], &Unwatched).unwrap();
        assert_eq!(repeats, [Some(Repeats { cells: 3, distinct: 2, once: 1 })]);
    }
}
