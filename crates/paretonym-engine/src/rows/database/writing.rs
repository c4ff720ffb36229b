//! The writing pass over a table in a database: the engine recodes and writes, from lists of what each of its values shows.

use std::collections::HashSet;

use arrow_array::Array;
use paretonym::data::{OnMissing, Source};
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym::release::{Fate, KeptGroups, SavedRecoding};
use paretonym_sql::{Recoded, RecodedColumn};

use super::DatabaseTable;
use crate::rows::cells::Cells;
use crate::rows::missing::MissingCells;
use crate::rows::write::recoder::{ABSENT, Lookup, Recoder, UNKNOWN};

/// Cells of a column as the engine writes them, none for a null, each with the number of its set and what it shows.
type ShownCells = Vec<(Option<String>, i32, String)>;

impl DatabaseTable {
    /// What the engine needs to write a release.
    pub fn recoded(
        &self,
        source: &Source,
        saved: &SavedRecoding,
        kept: &KeptGroups,
        fates: &[Fate],
        watch: &dyn Watch,
    ) -> Result<Recoded<'_>> {
        let mut columns = Vec::new();
        let mut missing = Vec::new();
        for (position, fate) in fates.iter().enumerate() {
            match fate {
                Fate::Drop => {}
                Fate::Token => {
                    return Err(Error::study(
                        "tokens cannot be made inside a database; release to a file (-o FILE), or leave identities out",
                    ));
                }
                Fate::Keep => columns.push(RecodedColumn::Kept(position)),
                Fate::KeepUsed => {
                    columns.push(RecodedColumn::Kept(position));
                    if source.on_missing == OnMissing::DropRow {
                        missing.push((position, self.missing_cells(position, source, watch)?));
                    }
                }
                Fate::Recode(quasi) => {
                    let lookup = Lookup::new(&saved.columns[*quasi]);
                    let texts = saved.columns[*quasi].shown_texts();
                    let sets = self.shown_cells(position, source, &lookup, &texts, watch)?;
                    columns.push(RecodedColumn::Sets { position, sets });
                }
            }
        }
        let order = fates.iter().filter_map(|fate| match fate {
            Fate::Recode(quasi) => Some(*quasi),
            _ => None,
        });
        let order: Vec<usize> = order.collect();
        let groups = kept.groups(saved.columns.len());
        let kept = groups.map(|sets| order.iter().map(|quasi| sets[*quasi] as i32).collect());
        Ok(Recoded { relation: &self.relation, columns, kept: kept.collect(), missing })
    }

    /// What every cell of a recoded column shows. Cells that the recoding does not know, or that are missing, show nothing.
    fn shown_cells(
        &self,
        position: usize,
        source: &Source,
        lookup: &Lookup,
        texts: &[String],
        watch: &dyn Watch,
    ) -> Result<ShownCells> {
        let mut recoder = Recoder::new(lookup, source.cell_rule(), false, false);
        let mut shown = Vec::new();
        let mut values = self.relation.texts(position, watch)?;
        while let Some((column, cells)) = values.next()? {
            let read = self.cells(std::slice::from_ref(&column))?;
            let mut sets = vec![0; column.len()];
            recoder.fill(&read[0], &mut sets, 0, 1);
            let known = sets.into_iter().zip(cells).filter(|(set, _)| *set != ABSENT && *set != UNKNOWN);
            shown.extend(known.map(|(set, cell)| (cell, set as i32, texts[set as usize].clone())));
        }
        // Cells that differ may be one text to the engine, such as two kinds of zero; a row must not be found twice.
        let mut met = HashSet::new();
        shown.retain(|(cell, ..)| met.insert(cell.clone()));
        Ok(shown)
    }

    /// The cells of a column that mean "missing".
    pub(super) fn missing_cells(
        &self,
        position: usize,
        source: &Source,
        watch: &dyn Watch,
    ) -> Result<Vec<Option<String>>> {
        let missing = MissingCells::new(source.cell_rule(), false);
        let mut found = Vec::new();
        let mut values = self.relation.texts(position, watch)?;
        while let Some((column, cells)) = values.next()? {
            let read: Vec<Cells> = self.cells(std::slice::from_ref(&column))?;
            let mut absent = vec![false; column.len()];
            missing.mark(&read[0], &mut absent);
            found.extend(cells.into_iter().zip(absent).filter(|(_, absent)| *absent).map(|(cell, _)| cell));
        }
        Ok(found)
    }
}
