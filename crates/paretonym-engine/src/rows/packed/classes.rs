//! The groups of a node by their sizes, counted as they come.

use std::collections::BTreeMap;

use paretonym::engine::{DistantRequest, SizeClass};

use super::groups::NodeGroups;
use super::packing::Packing;

/// Sizes that are found by their number rather than looked up.
const SMALL: usize = 256;

/// The groups of a node, and how many there are.
pub(crate) struct SizeClasses {
    pub classes: Vec<SizeClass>,
    pub groups: u64,
}

/// Counts the groups of a node by their sizes.
pub(super) struct Classes<'a> {
    groups: &'a NodeGroups<'a>,
    /// Per column and set: the values that it covers beside its own, and one of its leaves as it lies in a packed tuple.
    sets: Vec<Vec<(u32, u64)>>,
    /// Per size: groups, and per column the values that their rows cover.
    small: Vec<(u64, Vec<u64>)>,
    large: BTreeMap<u64, (u64, Vec<u64>)>,
}

impl<'a> Classes<'a> {
    pub fn new(groups: &'a NodeGroups<'a>, packing: &Packing, request: &DistantRequest, node: &[u32]) -> Self {
        let sets = packing.columns.iter().zip(&request.levels).zip(node).map(|((column, levels), level)| {
            let codes = &levels[*level as usize];
            let mut found = vec![(0, 0); codes.iter().map(|code| code.set as usize + 1).max().unwrap_or(0)];
            for (own, code) in levels[0].iter().zip(codes) {
                found[code.set as usize] = (code.covered, column.bits_of(own.set));
            }
            found
        });
        let small = vec![(0, vec![0; node.len()]); SMALL];
        Classes { groups, sets: sets.collect(), small, large: BTreeMap::new() }
    }

    /// Takes a group; the packed tuple that stands for it.
    pub fn add(&mut self, group: (u32, u64), rows: u64) -> u64 {
        let columns = self.sets.len();
        let (groups, covered) = match self.small.get_mut(rows as usize) {
            Some(class) => class,
            None => self.large.entry(rows).or_insert_with(|| (0, vec![0; columns])),
        };
        *groups += 1;
        let mut key = 0;
        for (column, (sum, sets)) in covered.iter_mut().zip(&self.sets).enumerate() {
            let (beside, bits) = sets[self.groups.set(column, group) as usize];
            *sum += rows * u64::from(beside);
            key |= bits;
        }
        key
    }

    /// In the order of sizes.
    pub fn finish(self) -> SizeClasses {
        let small = self.small.into_iter().enumerate().map(|(size, class)| (size as u64, class));
        let all = small.chain(self.large).filter(|(_, (groups, _))| *groups > 0);
        let classes: Vec<SizeClass> =
            all.map(|(size, (groups, covered))| SizeClass { size, groups, covered, counts: Vec::new() }).collect();
        SizeClasses { groups: classes.iter().map(|class| class.groups).sum(), classes }
    }
}
