//! The runs of leaves that the partitions of a column are made of.

use std::ops::Range;

use crate::group::FrequencyTable;
use crate::measure::Loss;
use crate::recode::Family;

/// Columns of more runs than this are left alone: a domain of thousands of values has millions of them.
const MOST_RUNS: usize = 1 << 16;

/// The runs of leaves that a column may show, and what a kept row pays for showing each.
#[derive(Clone, Debug)]
pub struct Runs {
    /// Where the runs from each leaf on begin in the lists below; one more at the end.
    starts: Vec<u32>,
    /// The leaf behind each run; from one leaf on, shorter runs first.
    pub(super) ends: Vec<u32>,
    /// What a kept row pays for the column.
    pub(super) cells: Vec<f64>,
    /// Where partitions are levels: the runs of each, the leaves first. Otherwise any runs that follow each other.
    pub(super) levels: Vec<Vec<u32>>,
}

impl Runs {
    /// Those of a quasi column; none where there are too many.
    pub fn of(table: &FrequencyTable, column: usize, loss: &dyn Loss) -> Option<Self> {
        let quasi = &table.columns[column];
        let leaves = quasi.domain.len();
        let mut ranges: Vec<Range<u32>> = match quasi.family {
            Family::Breaks if leaves * (leaves + 1) / 2 > MOST_RUNS => return None,
            Family::Breaks => {
                (0..leaves as u32).flat_map(|start| (start + 1..=leaves as u32).map(move |end| start..end)).collect()
            }
            Family::Cuts | Family::Levels => quasi.hierarchy.nodes().iter().map(|node| node.leaves.clone()).collect(),
        };
        if ranges.len() > MOST_RUNS {
            return None;
        }
        ranges.sort_by_key(|range| (range.start, range.end));
        ranges.dedup();
        let mut starts = vec![0u32; leaves + 1];
        ranges.iter().for_each(|range| starts[range.start as usize + 1] += 1);
        (0..leaves).for_each(|leaf| starts[leaf + 1] += starts[leaf]);
        let place = |range: &Range<u32>| {
            let found = ranges.binary_search_by_key(&(range.start, range.end), |own| (own.start, own.end));
            found.expect("the sets of levels are nodes") as u32
        };
        let levels = match quasi.family {
            Family::Levels => {
                let sets = table.levels[column].iter();
                sets.map(|sets| sets.first.windows(2).map(|pair| place(&(pair[0]..pair[1]))).collect()).collect()
            }
            Family::Cuts | Family::Breaks => Vec::new(),
        };
        let cell = |range: &Range<u32>| loss.cell(table, column, range.start as usize..range.end as usize);
        Some(Runs {
            starts,
            cells: ranges.iter().map(cell).collect(),
            ends: ranges.iter().map(|range| range.end).collect(),
            levels,
        })
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of runs.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The runs from a leaf on, shorter ones first.
    #[inline]
    pub(super) fn from(&self, leaf: usize) -> Range<usize> {
        self.starts[leaf] as usize..self.starts[leaf + 1] as usize
    }
}
