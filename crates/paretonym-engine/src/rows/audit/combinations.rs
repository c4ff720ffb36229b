//! Which few columns make most rows unique: the answer to "which column must I coarsen?".

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
    let mut joined: HashMap<Vec<u32>, u64, RandomState> = HashMap::default();
    for (codes, rows) in groups.codes.chunks_exact(groups.width()).zip(&groups.counts) {
        let key: Vec<u32> = subset.iter().map(|column| codes[*column]).collect();
        *joined.entry(key).or_insert(0) += rows;
    }
    let unique = joined.values().filter(|rows| **rows == 1).count() as u64;
    Combination {
        columns: subset.iter().map(|column| names[*column].clone()).collect(),
        groups: joined.len() as u64,
        k: joined.values().min().copied().unwrap_or(0),
        unique_rows: unique,
        share_of_unique_rows: ratio(unique as f64, groups.rows() as f64),
    }
}
