//! What one solution of a front makes of a table, without writing it: its groups, and what it shows for given rows.

use std::collections::HashMap;

use paretonym::catalog;
use paretonym::compare::Coded;
use paretonym::data::{Domain, OnMissing};
use paretonym::error::{Error, Result};
use paretonym::front::{FrontFile, Solution};
use paretonym::group::{FrequencyTable, Grouping, Kept, Needs, Suppressed, Workspace, group_regions};
use paretonym::recode::{Recoding, Regions};
use paretonym::release::{ReleaseTable, Shown, plan};
use paretonym::study::Study;

/// A solution, measured anew on the study's table.
pub struct Recoded<'a> {
    study: &'a Study,
    table: &'a FrequencyTable,
    front: &'a FrontFile,
    regions: Option<&'a Regions>,
    at: usize,
    /// The recoding, where it holds for the whole table.
    pub recoding: Option<Recoding>,
    /// Its groups.
    pub grouping: Grouping,
    /// Which of them are suppressed.
    pub suppressed: Suppressed,
}

impl<'a> Recoded<'a> {
    /// Of the solution with this number. `regions` are the boxes beside the front, where it is one of local recodings.
    pub fn new(
        study: &'a Study,
        table: &'a FrequencyTable,
        front: &'a FrontFile,
        regions: Option<&'a Regions>,
        id: u32,
    ) -> Result<Self> {
        let at = front.solutions.iter().position(|solution| solution.id == id).ok_or_else(|| {
            Error::study(format!("the front has no solution {id}; it has 1 to {}", front.solutions.len()))
        })?;
        let solution = &front.solutions[at];
        let problem = catalog::problem(&study.search, table)?;
        let mut recoding = None;
        let grouping = match regions {
            Some(regions) if !regions.fits(&table.columns) => {
                return Err(Error::study(
                    "the boxes beside the front do not belong to the study's table; explore again",
                ));
            }
            Some(regions) => group_regions(table, regions, at, Needs::ALL).0,
            None => {
                let mut grouping = Grouping::default();
                let table_wide = recoding.insert(solution.recoding.read(&table.columns)?);
                Workspace::default().group(table, &table.tuples, table_wide, Needs::ALL, &mut grouping);
                grouping
            }
        };
        let gone = |group: usize| problem.suppresses(&solution.cutoff, grouping.groups.view(group));
        let suppressed = Suppressed::by(&grouping, gone);
        Ok(Recoded { study, table, front, regions, at, recoding, grouping, suppressed })
    }

    /// The solution.
    pub fn solution(&self) -> &'a Solution {
        &self.front.solutions[self.at]
    }

    /// What it keeps.
    pub fn kept(&self) -> Kept<'_> {
        Kept { table: self.table, grouping: &self.grouping, suppressed: &self.suppressed }
    }

    /// What a release calls the sets of each column; none for local recodings.
    pub fn set_labels(&self) -> Result<Option<Vec<Vec<String>>>> {
        if self.regions.is_some() {
            return Ok(None);
        }
        let counted = ReleaseTable::of_counted(self.table.clone());
        let plan = plan(self.study, &counted, self.front, self.solution(), None, Shown::Labels)?;
        let labels = |column: paretonym::release::SavedColumn| column.sets.into_iter().map(|set| set.label).collect();
        Ok(Some(plan.saved.columns.into_iter().map(labels).collect()))
    }

    /// What it shows for rows of the table in the quasi columns, and which of the rows it shows at all. `columns` holds the
    /// rows as they stand in the file, in all columns that the study uses.
    pub fn rows(&self, columns: &[Coded]) -> Result<(Vec<Coded>, Vec<bool>)> {
        let width = self.table.columns.len();
        let named = |name: &String| columns.iter().find(|column| column.name == *name);
        let quasi = self.table.columns.iter().map(|column| {
            named(&column.name).ok_or_else(|| Error::study(format!("the rows lack the column {:?}", column.name)))
        });
        let quasi = quasi.collect::<Result<Vec<&Coded>>>()?;
        let incomplete = self.incomplete(self.table.attributes.iter().filter_map(|one| named(&one.name)));
        let leaves: Vec<Vec<Option<u32>>> = (0..width).map(|column| self.leaves(column, quasi[column])).collect();
        let labels = self.set_labels()?;
        let regions = self.regions.map(|regions| regions.shown(self.at));
        let tuples: HashMap<Vec<u32>, usize> = (0..self.table.tuples.len())
            .map(|tuple| ((0..width).map(|c| self.table.leaf(&self.table.tuples, tuple, c)).collect(), tuple))
            .collect();

        let rows = quasi.first().map_or(0, |column| column.codes.len());
        let mut present = vec![false; rows];
        let name = |column: usize| self.table.columns[column].name.clone();
        let mut shown: Vec<Coded> =
            (0..width).map(|c| Coded { name: name(c), codes: vec![0; rows], texts: Vec::new() }).collect();
        let mut known: Vec<HashMap<String, u32>> = vec![HashMap::new(); width];
        for row in (0..rows).filter(|row| !incomplete.get(*row).is_some_and(|gone| *gone)) {
            let own: Option<Vec<u32>> = (0..width).map(|c| leaves[c][quasi[c].codes[row] as usize]).collect();
            let Some((own, tuple)) = own.and_then(|own| tuples.get(&own).map(|tuple| (own, *tuple))) else { continue };
            if self.suppressed.groups[self.grouping.group_of[tuple] as usize] {
                continue;
            }
            let texts: Vec<String> = match (&labels, &regions) {
                (Some(labels), _) => own
                    .iter()
                    .enumerate()
                    .map(|(c, leaf)| labels[c][self.grouping.columns[c].set_of[*leaf as usize] as usize].clone())
                    .collect(),
                (None, Some(regions)) => match regions.labels(&own) {
                    Some(labels) => labels.into_iter().map(str::to_owned).collect(),
                    None => continue,
                },
                (None, None) => continue,
            };
            present[row] = true;
            for (column, text) in texts.into_iter().enumerate() {
                let next = known[column].len() as u32;
                shown[column].codes[row] = *known[column].entry(text).or_insert(next);
            }
        }
        for (column, known) in shown.iter_mut().zip(known) {
            let mut texts: Vec<(String, u32)> = known.into_iter().collect();
            texts.sort_by_key(|(_, code)| *code);
            column.texts = texts.into_iter().map(|(text, _)| text).collect();
        }
        Ok((shown, present))
    }

    /// Which rows are left out because a value is missing in a column that the study uses.
    pub fn incomplete_rows(&self, columns: &[Coded]) -> Vec<bool> {
        let quasi = self.table.columns.iter().map(|column| &column.name);
        let used: Vec<&String> = quasi.chain(self.table.attributes.iter().map(|one| &one.name)).collect();
        let mut gone = self.incomplete(columns.iter().filter(|column| used.contains(&&column.name)));
        gone.resize(columns.first().map_or(0, |column| column.codes.len()), false);
        gone
    }

    /// The rows that are left out because of a missing value in one of these columns.
    fn incomplete<'c>(&self, columns: impl Iterator<Item = &'c Coded>) -> Vec<bool> {
        let mut gone = Vec::new();
        for column in columns.filter(|_| self.study.data.on_missing == OnMissing::DropRow) {
            let missing: Vec<bool> = column.texts.iter().map(|text| self.is_missing(text)).collect();
            gone.resize(column.codes.len(), false);
            gone.iter_mut().zip(&column.codes).for_each(|(gone, code)| *gone |= missing[*code as usize]);
        }
        gone
    }

    fn is_missing(&self, text: &str) -> bool {
        self.study.data.means_missing(text)
    }

    /// The leaf of each text of a column; none for a missing cell whose row is left out, and for what the study lacks.
    fn leaves(&self, column: usize, coded: &Coded) -> Vec<Option<u32>> {
        text_leaves(self.study, &self.table.columns[column].domain, coded)
    }
}

/// The leaf of each text of a column in its domain; none for a missing cell whose row is left out, and for what the domain
/// lacks.
pub(crate) fn text_leaves(study: &Study, domain: &Domain, coded: &Coded) -> Vec<Option<u32>> {
    let data = &study.data;
    let position: HashMap<&str, u32> =
        domain.labels.iter().enumerate().map(|(leaf, label)| (label.as_str(), leaf as u32)).collect();
    let leaf = |text: &String| {
        if data.means_missing(text) {
            return domain.missing.filter(|_| data.on_missing == OnMissing::Value);
        }
        number_leaf(domain, data.decimal.read(text)).or_else(|| position.get(text.as_str()).copied())
    };
    coded.texts.iter().map(leaf).collect()
}

/// The leaf that a number lies in.
fn number_leaf(domain: &Domain, number: Option<f64>) -> Option<u32> {
    let bounds = domain.bounds.as_ref()?;
    let number = number?;
    let last = bounds.iter().rposition(|(low, _)| !low.is_nan())?;
    // The leaf of a missing value is the last one and has no bounds.
    let at = bounds[..=last].partition_point(|(low, _)| *low <= number).checked_sub(1)?;
    let (low, high) = bounds[at];
    let inside = number < high || (low == high && number == low);
    inside.then_some(at as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use paretonym::data::Decimal;

    #[test]
    fn numbers_find_their_leaf() {
        let mut bins = Domain::of_bins(&[0.0, 5.0, 10.0]);
        bins.push_missing("?");
        let leaf = |text: &str| number_leaf(&bins, Decimal::Point.read(text));
        assert_eq!((leaf("0"), leaf("4.9"), leaf("5")), (Some(0), Some(0), Some(1)));
        assert_eq!((leaf("10"), leaf("-1"), leaf("x")), (None, None, None));
        let open = Domain::of_values_between(&[5.0], &[(1.0, 1), (9.0, 1)]);
        assert_eq!((number_leaf(&open, Some(-7.0)), number_leaf(&open, Some(1e9))), (Some(0), Some(1)));
        let numbers = Domain::of_numbers(&[1.0, 2.5]);
        let leaf = |text: &str| number_leaf(&numbers, Decimal::Point.read(text));
        assert_eq!((leaf("1.0"), leaf("2.5"), leaf("2"), leaf("3")), (Some(0), Some(1), None, None));
    }
}
