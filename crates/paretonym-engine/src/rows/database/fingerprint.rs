//! What tells that a table in a database has changed: its rows, the values of each quasi column with how often each occurs, and
//! how many values other columns have. What decides about a release is counted again besides.

use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use rayon::prelude::*;

use super::DatabaseTable;
use crate::rows::cells::Cells;

/// The sum of what `digest` makes of every value of the quasi columns with its count, and of the number of values of other
/// columns; and the number of all rows.
pub(crate) fn fingerprint(
    source: &Source,
    (quasi, others): (&[&str], &[&str]),
    digest: impl Fn(&[u8]) -> [u8; 32] + Sync,
    watch: &dyn Watch,
) -> Result<([u8; 32], u64)> {
    let table = DatabaseTable::open(source)?;
    let position = |name: &str| {
        table.names.iter().position(|own| own == name).ok_or_else(|| Error::UnknownColumn {
            name: name.to_owned(),
            place: source.place(),
            known: table.names.clone(),
        })
    };
    let rows = table.relation.count_rows(watch)?;
    let mut sum = lanes(digest(&rows.to_le_bytes()));
    for name in quasi {
        let mut answer = table.relation.grouped(&[position(name)?], watch)?;
        while let Some((arrays, times)) = answer.next()? {
            let cells = table.cells(&arrays)?;
            let own = |row: usize| lanes(digest(&bytes(name, &cells[0], row, times[row])));
            sum = add(sum, (0..times.len()).into_par_iter().map(own).reduce(|| [0; 4], add));
        }
    }
    for name in others {
        let groups = table.relation.grouping(&[position(name)?]);
        let values = table.relation.number(&format!("SELECT CAST(COUNT(*) AS BIGINT) FROM ({groups}) AS g"), watch)?;
        sum = add(sum, lanes(digest(&[name.as_bytes(), &values.to_le_bytes()].concat())));
    }
    let mut bytes = [0; 32];
    bytes.chunks_exact_mut(8).zip(sum).for_each(|(place, lane)| place.copy_from_slice(&lane.to_le_bytes()));
    Ok((bytes, rows))
}

/// A value of a column and its count, so that no two have the same bytes.
fn bytes(name: &str, cells: &Cells, row: usize, times: u64) -> Vec<u8> {
    let text = cells.show(row);
    let mut bytes = times.to_le_bytes().to_vec();
    bytes.extend((name.len() as u64).to_le_bytes());
    bytes.extend(name.as_bytes());
    bytes.push(u8::from(cells.is_null(row)));
    bytes.extend(text.as_bytes());
    bytes
}

fn lanes(digest: [u8; 32]) -> [u64; 4] {
    let lane = |at: usize| u64::from_le_bytes(digest[at * 8..at * 8 + 8].try_into().unwrap_or_default());
    [lane(0), lane(1), lane(2), lane(3)]
}

fn add(left: [u64; 4], right: [u64; 4]) -> [u64; 4] {
    std::array::from_fn(|at| left[at].wrapping_add(right[at]))
}
