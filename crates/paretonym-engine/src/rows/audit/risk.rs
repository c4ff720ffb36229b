//! How likely it is that a person is found: by an attacker who knows that the person is in the file (prosecutor), by
//! one who knows only that the person belongs to the population (journalist), and by one who matches everybody
//! (marketer). Without a population file the three see the same groups.

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use paretonym::release::{Attack, Risk, SizeClass};

use super::groups::Groups;
use super::ratio;

/// Where classes of group sizes begin.
const CLASSES: [u64; 14] = [1, 2, 3, 5, 10, 15, 20, 25, 50, 100, 250, 1_000, 5_000, 10_000];

/// All risks of a file.
pub(super) fn risk(groups: &Groups, population: Option<&Groups>, threshold: f64) -> Risk {
    let prosecutor = attack(groups, &groups.counts, threshold);
    let journalist = match population {
        Some(population) => attack(groups, &sizes_in(groups, population), threshold),
        None => prosecutor,
    };
    let unique = groups.counts.iter().filter(|count| **count == 1).count();
    Risk {
        highest: prosecutor.highest,
        average: prosecutor.average,
        share_of_unique_rows: ratio(unique as f64, groups.rows() as f64),
        threshold,
        share_over_threshold: prosecutor.share_over_threshold,
        prosecutor,
        journalist,
        marketer: journalist.average,
        population: population.map(Groups::rows),
    }
}

/// The risk of each row is 1 / size of its group, as the attacker sees it.
fn attack(groups: &Groups, sizes: &[u64], threshold: f64) -> Attack {
    let rows = groups.rows() as f64;
    let smallest = sizes.iter().min().copied().unwrap_or(0);
    let found: f64 = groups.counts.iter().zip(sizes).map(|(rows, size)| *rows as f64 / *size as f64).sum();
    let over: u64 =
        groups.counts.iter().zip(sizes).filter(|(_, size)| 1.0 / **size as f64 > threshold).map(|(rows, _)| rows).sum();
    Attack {
        highest: ratio(1.0, smallest as f64),
        average: ratio(found, rows),
        share_over_threshold: ratio(over as f64, rows),
    }
}

/// How many people of the population look like each group; a group cannot be smaller there than in the file.
fn sizes_in(groups: &Groups, population: &Groups) -> Vec<u64> {
    let index: HashMap<Vec<&str>, u64, RandomState> = (0..population.len()).map(|at| population.group(at)).collect();
    let size = |at: usize| {
        let (cells, own) = groups.group(at);
        index.get(&cells).copied().unwrap_or(0).max(own)
    };
    (0..groups.len()).map(size).collect()
}

/// How many groups and rows there are of which size; empty classes are left out.
pub(super) fn sizes(groups: &Groups) -> Vec<SizeClass> {
    let classes = CLASSES.iter().enumerate().map(|(at, from)| {
        let next = CLASSES.get(at + 1);
        let inside = |count: &&u64| **count >= *from && next.is_none_or(|next| *count < next);
        let (groups, rows) =
            groups.counts.iter().filter(inside).fold((0, 0), |(groups, rows), count| (groups + 1, rows + count));
        SizeClass { from: *from, to: next.map(|next| next - 1), groups, rows }
    });
    classes.filter(|class| class.groups > 0).collect()
}
