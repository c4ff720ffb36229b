//! Which few columns make most rows unique: the answer to "which column must I coarsen?".

use std::hash::Hash;

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym::release::Combination;
use rayon::prelude::*;

use super::groups::Groups;
use super::ratio;

/// The most combinations that are looked at.
const MOST: u64 = 100_000;

/// Refuses to look at more combinations than anybody would wait for.
pub(super) fn check(columns: usize, most: usize) -> Result<()> {
    let (mut all, mut own) = (0u64, 1u64);
    for size in 1..=most.min(columns) as u64 {
        own = own.saturating_mul(columns as u64 - size + 1) / size;
        all = all.saturating_add(own);
        if all > MOST {
            return Err(Error::study(format!(
                "{columns} columns have more than {MOST} combinations of up to {most}; combine at most {}",
                size - 1
            )));
        }
    }
    Ok(())
}

/// All combinations of up to `most` columns, those that make most rows unique first; among equals the fewest columns.
pub(super) fn combinations(
    groups: &Groups,
    names: &[String],
    most: usize,
    watch: &dyn Watch,
) -> Result<Vec<Combination>> {
    let mut subsets: Vec<Vec<usize>> = Vec::new();
    for size in 1..=most.min(names.len()) {
        choose(names.len(), size, 0, &mut Vec::new(), &mut subsets);
    }
    let judged = subsets.par_iter().map(|subset| match watch.cancelled() {
        true => Err(Error::Cancelled),
        false => Ok(judge(groups, names, subset)),
    });
    let mut found = judged.collect::<Result<Vec<Combination>>>()?;
    // A stable sort: among equals the order of the subsets stays.
    found.sort_by_key(|one| (std::cmp::Reverse(one.unique_rows), one.columns.len(), one.k));
    Ok(found)
}

fn choose(columns: usize, size: usize, from: usize, taken: &mut Vec<usize>, subsets: &mut Vec<Vec<usize>>) {
    if taken.len() == size {
        subsets.push(taken.clone());
        return;
    }
    for column in from..columns {
        taken.push(column);
        choose(columns, size, column + 1, taken, subsets);
        taken.pop();
    }
}

fn judge(groups: &Groups, names: &[String], subset: &[usize]) -> Combination {
    let joined = join(groups, subset);
    let unique = joined.iter().filter(|rows| **rows == 1).count() as u64;
    Combination {
        columns: subset.iter().map(|column| names[*column].clone()).collect(),
        groups: joined.len() as u64,
        k: joined.iter().min().copied().unwrap_or(0),
        unique_rows: unique,
        share_of_unique_rows: ratio(unique as f64, groups.rows() as f64),
    }
}

/// The rows of each group of some of the columns.
fn join(groups: &Groups, subset: &[usize]) -> Vec<u64> {
    let size = |column: &usize| groups.cells[*column].len() as u64;
    // The place of a group among all that there could be.
    let place = |codes: &[u32]| subset.iter().fold(0, |place, column| place * size(column) + u64::from(codes[*column]));
    let places = subset.iter().try_fold(1u64, |places, column| places.checked_mul(size(column)));
    match places {
        Some(places) if places <= 4 * groups.len() as u64 => {
            let mut rows_at = vec![0; places as usize];
            groups.each(|codes, rows| rows_at[place(codes) as usize] += rows);
            rows_at.into_iter().filter(|rows| *rows > 0).collect()
        }
        Some(_) => join_by(groups, place),
        None => join_by(groups, |codes| subset.iter().map(|column| codes[*column]).collect::<Vec<u32>>()),
    }
}

fn join_by<K: Eq + Hash>(groups: &Groups, key: impl Fn(&[u32]) -> K) -> Vec<u64> {
    let mut joined: HashMap<K, u64, RandomState> = HashMap::default();
    groups.each(|codes, rows| *joined.entry(key(codes)).or_insert(0) += rows);
    joined.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of few cells, of so many that places are numbers of a hash table, and of more than numbers can tell.
    #[test]
    fn groups_are_joined_alike_however_many_cells_there_are() {
        for cells in [3, 1000, 1 << 16] {
            let cell = |place: u32| place.to_string();
            let columns: Vec<Vec<String>> = vec![(0..cells).map(cell).collect(); 5];
            let tuples = [[0, 1, 2, 0, 1], [0, 1, 2, 0, 2], [2, 1, 2, 0, 1], [2, 2, 2, 2, 2], [0, 1, 1, 0, 1]];
            let groups =
                Groups { cells: columns, codes: tuples.concat(), counts: vec![1, 2, 1, 4, 1], ..Groups::default() };
            let joined = |subset: &[usize]| {
                let mut rows = join(&groups, subset);
                rows.sort_unstable();
                rows
            };
            assert_eq!(joined(&[0]), [4, 5]);
            assert_eq!(joined(&[1, 4]), [2, 3, 4]);
            assert_eq!(joined(&[0, 1, 2, 3, 4]), [1, 1, 1, 2, 4]);
        }
    }
}
