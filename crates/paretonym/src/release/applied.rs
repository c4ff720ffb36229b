//! What one solution of a front makes of a table, without releasing it: its groups, what its sets are called, and what it
//! shows for given rows.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::Arc;

use super::column::ReleasedColumn;
use super::table::kept_rows_by_leaf;
use super::{incomplete_rows, text_leaves};
use crate::catalog;
use crate::compare::Coded;
use crate::error::{Error, Result};
use crate::front::FrontFile;
use crate::group::{FrequencyTable, Grouping, Kept, Needs, Suppressed, Workspace, group_regions};
use crate::recode::{ColumnSets, Recoding, Regions, ShownRegions};
use crate::study::Study;

/// A solution, applied to the study's table and measured anew.
pub struct AppliedSolution<'a> {
    study: &'a Study,
    table: &'a FrequencyTable,
    means: Means<'a>,
    /// Its groups.
    pub grouping: Grouping,
    /// Which of them are suppressed.
    pub suppressed: Suppressed,
}

/// What decides on the sets of a row.
enum Means<'a> {
    /// One recoding for the whole table.
    TableWide(Recoding),
    /// The boxes of the solution at this place.
    Local(&'a Regions, usize),
}

impl<'a> AppliedSolution<'a> {
    /// Of the solution with this number. `regions` are the boxes beside the front, where it is one of local recodings.
    pub fn new(
        study: &'a Study,
        table: &'a FrequencyTable,
        front: &FrontFile,
        regions: Option<&'a Regions>,
        id: u32,
    ) -> Result<Self> {
        let at = front.solutions.iter().position(|solution| solution.id == id).ok_or_else(|| {
            Error::study(format!("the front has no solution {id}; it has 1 to {}", front.solutions.len()))
        })?;
        let solution = &front.solutions[at];
        let problem = catalog::problem(&study.search, table)?;
        let (means, grouping) = match regions {
            Some(regions) if !regions.fits(&table.columns) => {
                return Err(Error::study(
                    "the boxes beside the front do not belong to the study's table; explore again",
                ));
            }
            Some(regions) => (Means::Local(regions, at), group_regions(table, regions, at, Needs::ALL).0),
            None => {
                let recoding = solution.recoding.read(&table.columns)?;
                let mut grouping = Grouping::default();
                Workspace::default().group(table, &table.tuples, &recoding, Needs::ALL, &mut grouping);
                (Means::TableWide(recoding), grouping)
            }
        };
        let gone = |group: usize| problem.suppresses(&solution.cutoff, grouping.groups.view(group));
        let suppressed = Suppressed::by(&grouping, gone);
        Ok(AppliedSolution { study, table, means, grouping, suppressed })
    }

    /// What it keeps.
    pub fn kept(&self) -> Kept<'_> {
        Kept { table: self.table, grouping: &self.grouping, suppressed: &self.suppressed }
    }

    /// What a release calls the sets of each column; none for local recodings.
    pub fn set_labels(&self) -> Result<Option<Vec<Vec<String>>>> {
        let Means::TableWide(recoding) = &self.means else { return Ok(None) };
        let kept = self.kept();
        let labels = |at: usize| {
            let column = ReleasedColumn::new(self.study, self.table, at, kept_rows_by_leaf(&kept, at))?;
            Ok(column.set_names(&recoding.columns[at], &self.grouping.columns[at]).labels)
        };
        (0..self.table.columns.len()).map(labels).collect::<Result<_>>().map(Some)
    }

    /// What it shows for rows of the table in the quasi columns, and which of the rows it shows at all. `columns` holds the
    /// rows as they stand in the file, in all columns that the study uses. The work grows with these rows, not with the
    /// table.
    pub fn rows<C: Borrow<Coded>>(&self, columns: &[C]) -> Result<(Vec<Coded>, Vec<bool>)> {
        let table = self.table;
        let named = |name: &String| columns.iter().map(Borrow::borrow).find(|column| column.name == *name);
        let quasi = table.columns.iter().map(|column| {
            named(&column.name).ok_or_else(|| Error::internal(format!("the rows lack the column {:?}", column.name)))
        });
        let quasi = quasi.collect::<Result<Vec<&Coded>>>()?;
        let inside: Vec<&Coded> = table.attributes.iter().filter_map(|one| named(&one.name)).collect();
        let incomplete = incomplete_rows(&self.study.data, &inside);
        let leaves_of = table.columns.iter().zip(&quasi);
        let leaves_of = leaves_of.map(|(own, column)| text_leaves(&self.study.data, &own.domain, column));
        let leaves_of: Vec<Vec<Option<u32>>> = leaves_of.collect();
        let labels = self.labels()?;

        let rows = quasi.first().map_or(0, |column| column.codes.len());
        let mut present = vec![false; rows];
        let mut shown: Vec<Texts> = quasi.iter().map(|_| Texts::default()).collect();
        let mut codes = vec![vec![0; rows]; quasi.len()];
        for row in (0..rows).filter(|row| !incomplete.get(*row).is_some_and(|gone| *gone)) {
            let leaves = quasi.iter().zip(&leaves_of).map(|(column, leaves)| leaves[column.codes[row] as usize]);
            let Some(leaves) = leaves.collect::<Option<Vec<u32>>>().filter(|leaves| self.keeps(leaves)) else {
                continue;
            };
            let Some(texts) = labels.of(&leaves) else { continue };
            present[row] = true;
            for (at, text) in texts.into_iter().enumerate() {
                codes[at][row] = shown[at].code(text);
            }
        }
        let columns = quasi.iter().zip(codes).zip(shown);
        let columns = columns.map(|((own, codes), shown)| Coded { name: own.name.clone(), codes, texts: shown.list });
        Ok((columns.collect(), present))
    }

    /// Whether rows with these values are in the table, and in a group that stays.
    fn keeps(&self, leaves: &[u32]) -> bool {
        let tuple = self.table.position(leaves);
        tuple.is_some_and(|tuple| !self.suppressed.groups[self.grouping.group_of[tuple] as usize])
    }

    /// What it shows for tuples.
    fn labels(&self) -> Result<Labels<'_>> {
        Ok(match &self.means {
            Means::Local(regions, at) => Labels::Local(Box::new(regions.shown(*at))),
            Means::TableWide(_) => Labels::TableWide(self.set_labels()?.unwrap_or_default(), &self.grouping.columns),
        })
    }

    /// Which rows are left out because a value is missing in a column that the study uses.
    pub fn incomplete_rows(&self, columns: &[Coded]) -> Vec<bool> {
        let quasi = self.table.columns.iter().map(|column| &column.name);
        let used: Vec<&String> = quasi.chain(self.table.attributes.iter().map(|one| &one.name)).collect();
        let used: Vec<&Coded> = columns.iter().filter(|column| used.contains(&&column.name)).collect();
        incomplete_rows(&self.study.data, &used)
    }
}

/// What a solution shows for a tuple of leaves.
enum Labels<'s> {
    /// Per column the names of its sets, and the set of each leaf.
    TableWide(Vec<Vec<String>>, &'s [Arc<ColumnSets>]),
    Local(Box<ShownRegions<'s>>),
}

impl Labels<'_> {
    /// One label per column; none where a local recoding shows nothing.
    fn of(&self, leaves: &[u32]) -> Option<Vec<&str>> {
        match self {
            Labels::Local(regions) => regions.labels(leaves),
            Labels::TableWide(names, sets) => {
                let columns = names.iter().zip(*sets).zip(leaves);
                Some(
                    columns.map(|((names, sets), leaf)| names[sets.set_of[*leaf as usize] as usize].as_str()).collect(),
                )
            }
        }
    }
}

/// Texts in the order in which they are met.
#[derive(Default)]
struct Texts {
    list: Vec<String>,
    known: HashMap<String, u32>,
}

impl Texts {
    fn code(&mut self, text: &str) -> u32 {
        if let Some(code) = self.known.get(text) {
            return *code;
        }
        let code = self.list.len() as u32;
        self.list.push(text.to_owned());
        self.known.insert(text.to_owned(), code);
        code
    }
}
