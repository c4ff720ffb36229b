//! An engine without files: rows of text that a program holds itself.

mod coder;
mod tally;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use self::coder::{Coder, codes};
use self::tally::Tally;
use super::{Engine, Watch};
use crate::data::{CountRequest, Counted, Repeats, Source};
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
        let place = || source.place();
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

#[cfg(test)]
mod tests {
    use super::coder::bin;
    use super::*;
    use crate::data::{ColumnRequest, Decimal, Dictionary, Encoding, MISSING, OnMissing, Part};
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
            at_most: None,
            part: None,
        };
        let counted = table.count(&source, &request, &Unwatched).unwrap();
        assert_eq!((counted.rows, counted.dropped), (3, 1));
        assert_eq!(counted.tuples, [[0, 0], [1, 0]]);
        assert_eq!(counted.counts, [2, 1]);
        assert_eq!(counted.dictionaries[2], Dictionary::Text(vec!["flu".to_owned(), "cold".to_owned()]));
        assert_eq!(counted.attributes[0].values.len(), 3);

        source.on_missing = OnMissing::Value;
        let counted = table.count(&source, &request, &Unwatched).unwrap();
        assert_eq!((counted.rows, counted.dropped), (4, 0));
        assert!(counted.attributes[0].entries().any(|entry| entry.value == MISSING));
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
        let request =
            CountRequest { columns: vec![asked("town", Part::Quasi, Encoding::Numbers)], at_most: None, part: None };
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
