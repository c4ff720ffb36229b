//! Whose row is which: rows of a release are found in the original by an identifier or by private keys.

use std::collections::HashMap;
use std::path::Path;

use paretonym::compare::Coded;
use paretonym::error::{Error, Result};

/// The row of each identifier.
pub(super) fn places<'a>(ids: &'a Coded, path: &Path) -> Result<HashMap<&'a str, usize>> {
    let mut rows = HashMap::with_capacity(ids.codes.len());
    for (row, code) in ids.codes.iter().enumerate() {
        let text = ids.texts[*code as usize].as_str();
        if rows.insert(text, row).is_some() {
            return Err(Error::Table {
                place: path.display().to_string(),
                problem: format!("{:?} occurs twice in column {:?}, which cannot tell rows apart then", text, ids.name),
            });
        }
    }
    Ok(rows)
}

/// The original's row of each row of a release, by its identifier. A row that shows nothing may show no identifier either.
pub(super) fn rows_by_id(
    own: &Coded,
    starred: &[bool],
    rows_of: &HashMap<&str, usize>,
    path: &Path,
) -> Result<Vec<Option<usize>>> {
    let is_blank = |code: u32| matches!(own.texts[code as usize].as_str(), "" | "*");
    let nameless = |row: usize| starred[row] && is_blank(own.codes[row]);
    let named = (0..own.codes.len()).filter(|row| !nameless(*row)).map(|row| own.codes[row]);
    places(&Coded { codes: named.collect(), ..own.clone() }, path)?;
    let place = |row: usize| {
        if nameless(row) {
            return Ok(None);
        }
        let text = own.texts[own.codes[row] as usize].as_str();
        let missing = || Error::Table {
            place: path.display().to_string(),
            problem: format!("the original has no row whose {:?} is {text:?}", own.name),
        };
        rows_of.get(text).copied().map(Some).ok_or_else(missing)
    };
    (0..own.codes.len()).map(place).collect()
}

/// The original's row of each row of a release of ours, by its private keys.
pub(super) fn rows_by_key(keys: &[u64], rows: usize, of_original: usize, path: &Path) -> Result<Vec<Option<usize>>> {
    let mut seen = vec![false; of_original];
    let fits = |key: &u64| {
        let row = usize::try_from(*key).ok().filter(|row| *row < of_original)?;
        (!std::mem::replace(&mut seen[row], true)).then_some(Some(row))
    };
    let to: Option<Vec<Option<usize>>> = keys.iter().map(fits).collect();
    to.filter(|to| to.len() == rows).ok_or_else(|| Error::Table {
        place: path.display().to_string(),
        problem: "its private row keys are of another release or of another table; release the solution again"
            .to_owned(),
    })
}

/// Puts the cells of a release into the order of the original's rows; tells which rows it has.
pub(super) fn placed(cells: &mut [Coded], to: &[Option<usize>], rows: usize) -> Vec<bool> {
    let mut present = vec![false; rows];
    to.iter().flatten().for_each(|row| present[*row] = true);
    for column in cells {
        let mut codes = vec![0; rows];
        to.iter()
            .zip(&column.codes)
            .filter_map(|(row, code)| Some(((*row)?, *code)))
            .for_each(|(row, code)| codes[row] = code);
        column.codes = codes;
    }
    present
}
