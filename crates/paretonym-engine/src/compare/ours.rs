//! What is known of a release of our own: what its labels cost, how its sensitive values lie, and whose row is which.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use paretonym::compare::{Coded, starred};
use paretonym::data::OnMissing;
use paretonym::error::Result;
use paretonym::study::Study;
use serde_json::Value;

use crate::folder::{STUDY, read_study};
use crate::release::private;

/// A release that `release` or `reapply` wrote.
pub(super) struct Ours {
    columns: Vec<Column>,
    /// The original's row of each row.
    pub rows: Option<Vec<u64>>,
    /// The study behind it, as far as it is known.
    pub study: Option<Study>,
    /// Suppressed rows were left out.
    pub dropped: bool,
}

/// A column and what its cells cost, by what they show.
struct Column {
    name: String,
    losses: HashMap<String, f64>,
}

impl Column {
    /// From a recoding, whatever else it holds.
    fn read(value: &Value) -> Option<Self> {
        let medians = value["shown"] == "median";
        let loss = |set: &Value| {
            let text = match set["median"].as_f64().filter(|_| medians) {
                Some(median) => paretonym::data::format_number(median),
                None => set["label"].as_str()?.to_owned(),
            };
            Some((text, set["loss"].as_f64()?))
        };
        let losses = value["sets"].as_array()?.iter().map(loss).collect::<Option<HashMap<String, f64>>>()?;
        Some(Column { name: value["name"].as_str()?.to_owned(), losses })
    }
}

impl Ours {
    /// Of a release, by the files beside it and its private part. None where it is no release of ours.
    pub fn beside(release: &Path, front: Option<&Path>) -> Result<Option<Self>> {
        let beside = |ending: &str| {
            let mut name = release.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        let public = beside(".recoding.json");
        let part = private::find(&public, front)?;
        let own = part.as_ref().map(|part| part.folder().join("recoding.json"));
        // The private recoding tells more.
        let Some((columns, mut value)) = own.iter().chain([&public]).find_map(|path| {
            let value: Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
            let columns = value["columns"].as_array()?.iter().map(Column::read).collect::<Option<Vec<Column>>>()?;
            Some((columns, value))
        }) else {
            return Ok(None);
        };
        let certificate: Option<Value> =
            std::fs::read_to_string(beside(".certificate.json")).ok().and_then(|text| serde_json::from_str(&text).ok());
        let study = match front {
            Some(dir) => Some(read_study(&dir.join(STUDY))?),
            None => serde_json::from_value(value["study"].take()).ok(),
        };
        Ok(Some(Ours {
            columns,
            rows: part.map(|part| part.rows()).transpose()?,
            study,
            dropped: certificate.is_some_and(|one| one["suppressed_rows"] == "dropped"),
        }))
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

/// Which rows a study leaves out because of missing values in the columns that it uses.
pub(super) fn incomplete(study: &Study, columns: &[&Coded]) -> Vec<bool> {
    let rows = columns.first().map_or(0, |column| column.codes.len());
    let mut gone = vec![false; rows];
    for column in columns.iter().filter(|_| study.data.on_missing == OnMissing::DropRow) {
        let missing = |text: &String| study.data.missing.iter().any(|missing| missing.trim() == text);
        let missing: Vec<bool> = column.texts.iter().map(missing).collect();
        gone.iter_mut().zip(&column.codes).for_each(|(gone, code)| *gone |= missing[*code as usize]);
    }
    gone
}
