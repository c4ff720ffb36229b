//! The writing pass over a table in a database: the engine recodes and writes, from lists of what each of its values shows.

use std::collections::HashSet;

use arrow_array::Array;
use paretonym::data::{OnMissing, Source};
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym::release::{Fate, KeptGroups, SavedColumn, SavedRecoding};
use paretonym_sql::{Recoded, RecodedColumn, RegionTexts, TokenMaker};

use super::DatabaseTable;
use crate::rows::cells::Cells;
use crate::rows::missing::MissingCells;
use crate::rows::write::output::STAR;
use crate::rows::write::recoder::{ABSENT, Lookup, Recoder, UNKNOWN};
use crate::rows::write::tokens::Tokens;

/// Everything that decides what a release inside of a database looks like.
pub(crate) struct WritingThere<'a> {
    pub source: &'a Source,
    pub saved: &'a SavedRecoding,
    pub kept: &'a KeptGroups,
    /// One per column of the table.
    pub fates: &'a [Fate],
    /// Suppressed rows stay as rows of stars.
    pub stars: bool,
    pub token_key: [u8; 32],
    /// The rows that are expected to be written.
    pub rows: u64,
}

impl DatabaseTable {
    /// What the engine needs to write a release.
    pub fn recoded(&self, writing: &WritingThere, watch: &dyn Watch) -> Result<Recoded<'_>> {
        let WritingThere { source, saved, kept, fates, stars, token_key, rows } = writing;
        let mut columns = Vec::new();
        let mut missing = Vec::new();
        for (position, fate) in fates.iter().enumerate() {
            match fate {
                Fate::Drop => {}
                Fate::Token => columns.push(self.tokens(position, token_key, watch)?),
                Fate::Keep => columns.push(RecodedColumn::Kept(position)),
                Fate::KeepUsed => {
                    columns.push(RecodedColumn::Kept(position));
                    if source.on_missing == OnMissing::DropRow {
                        missing.push((position, self.missing_cells(position, source, watch)?));
                    }
                }
                Fate::Recode(quasi) => {
                    let local = saved.regions.is_some();
                    columns.push(self.shown_cells(position, source, &saved.columns[*quasi], (local, *stars), watch)?);
                }
            }
        }
        let order = fates.iter().filter_map(|fate| match fate {
            Fate::Recode(quasi) => Some(*quasi),
            _ => None,
        });
        let (kept, regions) = groups(saved, kept, &order.collect::<Vec<usize>>());
        let star = stars.then(|| STAR.to_owned());
        let outer_key = Tokens::outer(token_key);
        Ok(Recoded { relation: &self.relation, columns, kept, regions, missing, star, outer_key, rows: *rows })
    }

    /// The tokens of a column: made by the engine, or here where the engine is a part of this process and cannot.
    fn tokens(&self, position: usize, key: &[u8; 32], watch: &dyn Watch) -> Result<RecodedColumn> {
        let name = &self.names[position];
        match self.relation.client().dialect().tokens() {
            TokenMaker::Engine(_) => Ok(RecodedColumn::Token { position, key: Tokens::inner(key, name) }),
            TokenMaker::Here => {
                let maker = Tokens::new(key, name);
                let (mut tokens, mut met) = (Vec::new(), HashSet::new());
                let mut values = self.relation.texts(position, watch)?;
                while let Some((column, cells)) = values.next()? {
                    let read = self.cells(std::slice::from_ref(&column))?;
                    let own = maker.of(&read[0], column.len());
                    let own = own.iter().zip(cells).filter_map(|(token, cell)| Some((cell?, token?.to_owned())));
                    tokens.extend(own.filter(|(cell, _)| met.insert(cell.clone())));
                }
                Ok(RecodedColumn::Listed { position, tokens })
            }
            TokenMaker::Nobody => Err(no_tokens()),
        }
    }

    /// What every cell of a recoded column shows. Cells that the recoding does not know show nothing, and neither do those that
    /// are missing; where suppressed rows stay, it matters which is which.
    fn shown_cells(
        &self,
        position: usize,
        source: &Source,
        column: &SavedColumn,
        (local, stars): (bool, bool),
        watch: &dyn Watch,
    ) -> Result<RecodedColumn> {
        let (lookup, texts) = (Lookup::new(column), column.shown_texts());
        let mut recoder = Recoder::new(&lookup, source.cell_rule(), false, false);
        let (mut sets, mut absent) = (Vec::new(), Vec::new());
        // Cells that differ may be one text to the engine, such as two kinds of zero; a row must not be found twice.
        let mut met = HashSet::new();
        let mut values = self.relation.texts(position, watch)?;
        while let Some((column, cells)) = values.next()? {
            let read = self.cells(std::slice::from_ref(&column))?;
            let mut codes = vec![0; column.len()];
            recoder.fill(&read[0], &mut codes, 0, 1);
            for (code, cell) in codes.into_iter().zip(cells).filter(|(_, cell)| met.insert(cell.clone())) {
                match code {
                    UNKNOWN => {}
                    ABSENT if stars && source.on_missing == OnMissing::DropRow => absent.push(cell),
                    ABSENT => {}
                    code => sets.push((cell, code as i32, (!local).then(|| texts[code as usize].clone()))),
                }
            }
        }
        Ok(RecodedColumn::Sets { position, sets, absent })
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

/// The groups that stay, column by column in this order of quasi columns, and, where the recoding is local, the region of each and
/// what it shows.
fn groups(saved: &SavedRecoding, kept: &KeptGroups, order: &[usize]) -> (Vec<Vec<i32>>, Option<RegionTexts>) {
    let width = saved.columns.len();
    let mut columns: Vec<Vec<i32>> = vec![Vec::new(); order.len()];
    let mut add = |codes: &[u32]| {
        order.iter().zip(&mut columns).for_each(|(quasi, column)| column.push(codes[*quasi] as i32));
    };
    if saved.regions.is_none() {
        kept.groups(width).for_each(|sets| add(&sets));
        return (columns, None);
    }
    let of = kept.local_tuples(width).map(|(codes, region)| {
        add(&codes);
        region as i32
    });
    let of = of.collect();
    let shown: Vec<Vec<String>> = order.iter().map(|quasi| saved.columns[*quasi].shown_texts()).collect();
    let text = |quasi: usize, texts: &Vec<String>| {
        kept.local_groups(width).map(|sets| texts[sets[quasi] as usize].clone()).collect::<Vec<String>>()
    };
    let texts = order.iter().zip(&shown).map(|(quasi, shown)| text(*quasi, shown)).collect();
    (columns, Some(RegionTexts { of, texts }))
}

/// The refusal to write a key into a query.
pub(crate) fn no_tokens() -> Error {
    Error::study(
        "this engine can be told the key of the tokens only in the text of a query, which its logs may keep; release to a file \
         (-o FILE), or without --tokens",
    )
}
