//! What is known of a release of our own: what its labels cost, how its sensitive values lie, and whose row is which.

use std::collections::HashMap;
use std::path::Path;

use paretonym::compare::{Coded, starred};
use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym::release::{SavedColumn, SavedRecoding};
use paretonym::study::Study;

use super::original::ReadOriginal;
use crate::folders::folder::inputs::table_digest;
use crate::folders::folder::key::{Key, same};
use crate::folders::release::private::PrivatePart;
use crate::rows::frame::Frame;

/// A release that `release` or `reapply` wrote.
pub(super) struct Ours {
    columns: Vec<LabelCosts>,
    /// The original's row of each row.
    pub rows: Option<Vec<u64>>,
    /// The study behind it, as far as it is known.
    pub study: Option<Study>,
    /// Suppressed rows were left out.
    pub dropped: bool,
}

/// What the cells of a column cost, by what they show.
struct LabelCosts {
    name: String,
    losses: HashMap<String, f64>,
}

impl Ours {
    /// Of a release of a table, by the files beside it and its private part. None where it is no release of ours, or none
    /// whose private part can be found.
    pub fn beside(
        release: &Path,
        original: &mut ReadOriginal,
        front: Option<&Path>,
        watch: &dyn Watch,
    ) -> Result<Option<Self>> {
        let source = Source::at(release);
        if source.frame.is_some() {
            let frame = Frame::of(&source)?;
            let Some(origin) = frame.origin() else { return Ok(None) };
            let digest = table_digest(&Source::at(&original.place), &Key::read(&origin.seal.0)?, watch)?.0;
            let ours = same(&digest, &origin.seal.1);
            return Ok(ours.then(|| Ours::new(&origin.saved, origin.rows(), origin.dropped)));
        }
        let Some(part) = PrivatePart::of_release(release, front)? else { return Ok(None) };
        if !part.is_of(release, watch)? {
            // Somebody changed it, so that nothing is known of it.
            return Ok(None);
        }
        if !part.is_of_table(original.sha256(watch)?)? {
            return Err(Error::Table {
                place: original.place.clone(),
                problem: format!(
                    "this is not the table that {} was released from: it has changed, or is another one",
                    release.display()
                ),
            });
        }
        Ok(Some(Ours::new(&part.recoding()?, part.rows()?, !part.keeps_stars()?)))
    }

    fn new(saved: &SavedRecoding, rows: Vec<u64>, dropped: bool) -> Self {
        let column = |column: &SavedColumn| LabelCosts {
            name: column.name.clone(),
            losses: column.shown_texts().into_iter().zip(column.sets.iter().map(|set| set.loss)).collect(),
        };
        let columns = saved.columns.iter().map(column).collect();
        Ours { columns, rows: Some(rows), dropped, study: Some(saved.study.clone()) }
    }

    /// What the cells of each column cost, by what they show. None where the release shows what the recoding lacks, so that
    /// the files do not belong together.
    pub fn losses(&self, cells: &[Coded]) -> Option<Vec<HashMap<String, f64>>> {
        let suppressed = starred(cells);
        let of_column = |cells: &Coded| {
            let column = self.columns.iter().find(|column| column.name == cells.name)?;
            let mut stay = cells.codes.iter().zip(&suppressed).filter(|(_, suppressed)| !**suppressed);
            let known = stay.all(|(code, _)| column.losses.contains_key(&cells.texts[*code as usize]));
            known.then(|| column.losses.clone())
        };
        cells.iter().map(of_column).collect()
    }
}
