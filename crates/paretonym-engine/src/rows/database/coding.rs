//! Counting codes where the rows are: the engine looks every cell up in a list of the codes that ours gave to its values, so
//! that what a cell means is decided here, and only groups of codes travel.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Float64Array};
use paretonym::data::{
    ColumnRequest, CountRequest, Counted, Dictionary, Encoding, MISSING, Narrow, OnMissing, Part, Source,
};
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym_sql::{Coded, CodedColumn};

use super::DatabaseTable;
use crate::hex::hex;
use crate::rows::cells::Cells;
use crate::rows::coder::{Coder, INVALID};
use crate::rows::merge::merge;
use crate::rows::pass::CountingConsumer;
use crate::rows::tally::Tally;

/// The code of a missing cell in a list: no other is negative.
const MISSING_CODE: i32 = -1;

impl DatabaseTable {
    /// Counts groups of declared codes. Attributes are asked for one by one beside them.
    pub fn count_codes(&self, source: &Source, request: &CountRequest, watch: &dyn Watch) -> Result<Counted> {
        let of = |part| request.columns.iter().filter(move |column| column.part == part);
        let quasi: Vec<&ColumnRequest> = of(Part::Quasi).collect();
        let attributes: Vec<&ColumnRequest> = of(Part::Attribute).collect();
        let positions = attributes.iter().map(|column| self.position(&column.name)).collect::<Result<Vec<usize>>>()?;
        let id = hex(&random::<6>()?);
        let columns = self.coded_columns(source, &quasi, watch)?;
        let missing = self.incomplete(source, &positions, watch)?;
        let coded = Coded::new(&self.relation, &columns, &missing, &positions, &id, watch)?;
        let mut counted: Option<Counted> = None;
        let each: Vec<Option<usize>> =
            if attributes.is_empty() { vec![None] } else { (0..attributes.len()).map(Some).collect() };
        for at in each {
            let attribute = at.map(|at| (attributes[at], (at, positions[at])));
            let own = self.count_beside(source, &coded, quasi.len(), attribute, watch)?;
            match &mut counted {
                None => counted = Some(own),
                Some(all) if all.tuples != own.tuples || all.counts != own.counts => {
                    return Err(Error::study("the table changes while it is counted; wait until it is complete"));
                }
                Some(all) => {
                    all.dictionaries.extend(own.dictionaries);
                    all.attributes.extend(own.attributes);
                }
            }
        }
        let mut counted = counted.ok_or_else(|| Error::internal("nothing was counted"))?;
        counted.dropped = self.relation.count_rows(watch)?.saturating_sub(counted.rows);
        // Dictionaries stand in the order of the request: those of codes are declared.
        let mut of_attributes = std::mem::take(&mut counted.dictionaries).into_iter();
        let dictionary = |column: &ColumnRequest| match column.part {
            Part::Quasi => Dictionary::Declared,
            Part::Attribute => of_attributes.next().unwrap_or(Dictionary::Declared),
        };
        counted.dictionaries = request.columns.iter().map(dictionary).collect();
        Ok(counted)
    }

    fn position(&self, name: &str) -> Result<usize> {
        self.names.iter().position(|own| own == name).ok_or_else(|| Error::UnknownColumn {
            name: name.to_owned(),
            place: self.relation.place().to_owned(),
            known: self.names.clone(),
        })
    }

    /// The codes of every value of some columns.
    pub(super) fn coded_columns(
        &self,
        source: &Source,
        columns: &[&ColumnRequest],
        watch: &dyn Watch,
    ) -> Result<Vec<CodedColumn>> {
        columns.iter().map(|column| self.coded_column(source, column, watch)).collect()
    }

    fn coded_column(&self, source: &Source, column: &ColumnRequest, watch: &dyn Watch) -> Result<CodedColumn> {
        let position = self.position(&column.name)?;
        let mut coder = Coder::new(&column.encoding, source.cell_rule(), false);
        let mut list: Vec<(Option<String>, i32)> = Vec::new();
        let mut values = self.relation.texts(position, watch)?;
        while let Some((cells, texts)) = values.next()? {
            let read = self.cells(std::slice::from_ref(&cells))?;
            let mut codes = vec![0; cells.len()];
            coder.fill(&read[0], codes.iter_mut());
            for (row, (code, text)) in codes.into_iter().zip(texts).enumerate() {
                match (code, source.on_missing) {
                    (MISSING, OnMissing::DropRow) => {}
                    // What was found in rows that count is known by now; any other value is in rows that do not.
                    (INVALID, OnMissing::DropRow) if matches!(column.encoding, Encoding::Known { .. }) => {}
                    (MISSING, OnMissing::Value) => list.push((text, MISSING_CODE)),
                    (MISSING, OnMissing::Error) | (INVALID, _) => {
                        let value = read[0].show(row);
                        let problem = match code {
                            MISSING => {
                                "which means missing; correct it, or set `on_missing` to \"drop-row\" or \"value\""
                                    .to_owned()
                            }
                            _ => coder.problem(&value),
                        };
                        return Err(Error::Table {
                            place: self.relation.place().to_owned(),
                            problem: format!("column {:?} holds {value:?}, {problem}", column.name),
                        });
                    }
                    (code, _) => list.push((text, code as i32)),
                }
            }
        }
        // Cells that differ may be one text to the engine, such as two kinds of zero; a row must not be found twice.
        let mut met = std::collections::HashSet::new();
        list.retain(|(cell, _)| met.insert(cell.clone()));
        Ok(CodedColumn { position, codes: list })
    }

    /// The cells of some columns that mean "missing", where rows with such cells do not count.
    pub(super) fn incomplete(
        &self,
        source: &Source,
        positions: &[usize],
        watch: &dyn Watch,
    ) -> Result<Vec<(usize, Vec<Option<String>>)>> {
        let mut positions = positions.to_vec();
        positions.sort_unstable();
        positions.dedup();
        positions.retain(|_| source.on_missing == OnMissing::DropRow);
        positions.into_iter().map(|at| Ok((at, self.missing_cells(at, source, watch)?))).collect()
    }

    /// Groups of codes with the values of one attribute.
    fn count_beside(
        &self,
        source: &Source,
        coded: &Coded,
        width: usize,
        attribute: Option<(&ColumnRequest, (usize, usize))>,
        watch: &dyn Watch,
    ) -> Result<Counted> {
        // Codes are counted as the numbers that they are, then read back.
        let code = |at: usize| ColumnRequest { name: format!("s{at}"), part: Part::Quasi, encoding: Encoding::Numbers };
        let mut columns: Vec<ColumnRequest> = (0..width).map(code).collect();
        columns.extend(attribute.map(|(column, _)| column.clone()));
        let request = CountRequest { columns, at_most: None, part: None };
        let (slots, plain): (Vec<usize>, Source) = ((0..request.columns.len()).collect(), codes_source(source));
        let mut tally = Tally::new(&plain, &request, &slots, false);
        let beside = no_sign(source);
        let (mut answer, _) = coded.groups(attribute.map(|(_, at)| at), watch)?;
        while let Some((cells, numbers)) = answer.next_numbers()? {
            let (times, codes) = numbers.split_last().ok_or_else(|| Error::internal("an answer without counts"))?;
            let floats = |codes: &Vec<i64>| codes.iter().map(|code| *code as f64 + beside).collect::<Float64Array>();
            let codes = codes.iter().map(|codes| Arc::new(floats(codes)) as ArrayRef);
            let arrays: Vec<ArrayRef> = codes.chain(cells).collect();
            let times: Vec<u64> = times.iter().map(|times| *times as u64).collect();
            let cells: Vec<Cells> = self.cells(&arrays)?;
            tally.take_counted(&cells, &times).map_err(|fault| fault.into_error(self.relation.place().as_ref(), 0))?;
            watch.advance(times.len() as u64);
        }
        let mut counted = merge(vec![tally.finish()], &request);
        for (codes, dictionary) in counted.tuples.iter_mut().zip(&counted.dictionaries) {
            let Dictionary::Numbers(numbers) = dictionary else { continue };
            let read = |code: u64| match numbers[code as usize] {
                number if number < 0.0 => u64::from(MISSING),
                number => number as u64,
            };
            *codes = codes.iter().map(read).collect::<Narrow>();
        }
        counted.dictionaries.drain(..width);
        Ok(counted)
    }
}

/// What codes are moved by, so that none is taken for a number that means "missing".
fn no_sign(source: &Source) -> f64 {
    let signs: Vec<f64> = source.missing.iter().filter_map(|sign| source.decimal.read(sign.trim())).collect();
    let halves = (1..=20).map(|power| 0.5f64.powi(power));
    halves.into_iter().find(|half| signs.iter().all(|sign| (sign - half).fract() != 0.0)).unwrap_or(0.5)
}

/// What is missing in an attribute is a value by now: rows that do not count were left out where they are.
fn codes_source(source: &Source) -> Source {
    let on_missing = if source.on_missing == OnMissing::DropRow { OnMissing::Value } else { source.on_missing };
    Source { on_missing, ..source.clone() }
}

/// Random bytes for names that nobody else uses.
pub(super) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| Error::internal(format!("no random numbers: {error}")))?;
    Ok(bytes)
}
