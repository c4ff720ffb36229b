//! What tells that a table in a database has changed: the distinct rows of the columns that a study uses, and how often each
//! occurs, in whatever order they come.

use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use rayon::prelude::*;

use super::DatabaseTable;
use crate::rows::cells::Cells;

/// The sum of what `digest` makes of every distinct row with its count, and the number of all rows.
pub(crate) fn fingerprint(
    source: &Source,
    columns: &[&str],
    digest: impl Fn(&[u8]) -> [u8; 32] + Sync,
    watch: &dyn Watch,
) -> Result<([u8; 32], u64)> {
    let table = DatabaseTable::open(source)?;
    let position = |name: &&str| {
        table.names.iter().position(|own| own == name).ok_or_else(|| Error::UnknownColumn {
            name: (*name).to_owned(),
            place: source.place(),
            known: table.names.clone(),
        })
    };
    let mut positions = columns.iter().map(position).collect::<Result<Vec<usize>>>()?;
    positions.sort_unstable();
    positions.dedup();
    let (mut sum, mut rows) = ([0u64; 4], 0u64);
    let mut answer = table.relation.grouped(&positions, watch)?;
    while let Some((arrays, times)) = answer.next()? {
        let cells = table.cells(&arrays)?;
        let own = |row: usize| lanes(digest(&bytes(&cells, row, times[row])));
        let batch = (0..times.len()).into_par_iter().map(own).reduce(|| [0; 4], add);
        sum = add(sum, batch);
        rows += times.iter().sum::<u64>();
    }
    let mut bytes = [0; 32];
    bytes.chunks_exact_mut(8).zip(sum).for_each(|(place, lane)| place.copy_from_slice(&lane.to_le_bytes()));
    Ok((bytes, rows))
}

/// A row and its count, so that no two rows have the same bytes.
fn bytes(cells: &[Cells], row: usize, times: u64) -> Vec<u8> {
    let mut bytes = times.to_le_bytes().to_vec();
    for column in cells {
        let text = column.show(row);
        bytes.push(u8::from(column.is_null(row)));
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes
}

fn lanes(digest: [u8; 32]) -> [u64; 4] {
    let lane = |at: usize| u64::from_le_bytes(digest[at * 8..at * 8 + 8].try_into().unwrap_or_default());
    [lane(0), lane(1), lane(2), lane(3)]
}

fn add(left: [u64; 4], right: [u64; 4]) -> [u64; 4] {
    std::array::from_fn(|at| left[at].wrapping_add(right[at]))
}
