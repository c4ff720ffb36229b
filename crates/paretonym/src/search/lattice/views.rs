//! Roll-up: groupings of fine nodes, kept so that coarser nodes are made from their groups rather than from the tuples.
//!
//! A view groups by the levels of the first columns alone, those with most values first, and leaves the others as they are.
//! It is made the second time it would have been of use, from the next finer view, so that a view is never paid for that one
//! node alone needed. Which views there are depends on the nodes asked for and not on the threads.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::lending::{Buffers, Lender};
use crate::group::{Distribution, FrequencyTable, Grouping, Needs, Tuples};
use crate::recode::Recoding;

/// Views of fewer groups than this are cheap to go through: none is made from them.
const SMALL: usize = 1024;
/// Views hold together at most a share of the memory of the table, or so many bytes where that is more.
const MOST_BYTES: usize = 12 << 20;
/// A view of so many groups must have a third of them at most to be worth its room.
const LARGE: usize = 1 << 20;

/// Views made side by side, and those of many groups. The numbers do not depend on the threads.
const SIDE_BY_SIDE: usize = 8;
const LARGE_SIDE_BY_SIDE: usize = 2;

/// The views of one search.
pub(crate) struct Views<'a> {
    table: &'a FrequencyTable,
    /// What is known of each group.
    needs: Needs,
    lender: Lender,
    /// The columns, most values first.
    order: Vec<usize>,
    /// By the levels of the first columns in that order, without the zeros at the end.
    kept: HashMap<Vec<u32>, View>,
    asked: HashMap<Vec<u32>, u32>,
    /// Views that turned out to be too large, or hardly smaller than what they are made from: they are not worth their room.
    hopeless: HashSet<Vec<u32>>,
    /// What all views may take, and about how many groups that is.
    most_bytes: usize,
    most_groups: usize,
    /// What they take.
    bytes: usize,
    clock: u64,
}

struct View {
    grouping: Arc<Grouping>,
    used: u64,
}

/// Where a node is grouped from.
#[derive(Clone)]
pub(crate) enum RollupSource {
    /// The tuples of the table.
    Table,
    /// The groups of a finer node.
    View(Arc<Grouping>),
}

impl RollupSource {
    /// What is grouped.
    pub fn tuples<'b>(&'b self, table: &'b FrequencyTable) -> &'b Arc<Tuples> {
        match self {
            RollupSource::Table => &table.tuples,
            RollupSource::View(grouping) => &grouping.groups,
        }
    }
}

impl<'a> Views<'a> {
    /// None yet. They take so many tenths of the memory of the table at most.
    pub fn new(table: &'a FrequencyTable, needs: Needs, tenths: usize) -> Self {
        let mut order: Vec<usize> = (0..table.columns.len()).collect();
        order.sort_by_key(|column| (Reverse(table.columns[*column].domain.len()), *column));
        let tuples = table.tuples.as_ref();
        let most_bytes = MOST_BYTES.max(tuples.bytes() / 10 * tenths);
        // Groups hold at least what tuples do, of what is needed.
        let unneeded = tuples.attributes.iter().filter(|_| !needs.attributes).map(Distribution::bytes);
        let bytes = tuples.bytes() - unneeded.sum::<usize>();
        Views {
            table,
            needs: Needs { group_of: false, ..needs },
            lender: Lender::default(),
            order,
            kept: HashMap::new(),
            asked: HashMap::new(),
            hopeless: HashSet::new(),
            most_bytes,
            most_groups: most_bytes / (bytes / tuples.len().max(1)).max(1),
            bytes: 0,
            clock: 0,
        }
    }

    /// The levels of a node in the order in which columns are rolled up: nodes close to each other in the order of these
    /// lists are made from the same views.
    pub fn in_order(&self, node: &[u32]) -> Vec<u32> {
        self.order.iter().map(|column| node[*column]).collect()
    }

    /// For each of some nodes, the smallest grouping known to be finer. Makes new views where they pay.
    pub fn sources(&mut self, nodes: &[&[u32]]) -> Vec<RollupSource> {
        self.clock += 1;
        let mut sources = vec![RollupSource::Table; nodes.len()];
        let mut ended = vec![false; nodes.len()];
        // The whole node is no view of its own, so the last column is left out.
        for depth in 1..self.order.len() {
            let column = self.order[depth - 1];
            let mut missing: Vec<(Vec<u32>, RollupSource)> = Vec::new();
            let mut waiting: Vec<(usize, Vec<u32>)> = Vec::new();
            let mut once: Vec<(usize, Vec<u32>)> = Vec::new();
            for (at, node) in nodes.iter().enumerate() {
                if ended[at] || node[column] == 0 {
                    continue;
                }
                if sources[at].tuples(self.table).len() < SMALL {
                    ended[at] = true;
                    continue;
                }
                let key: Vec<u32> = self.order[..depth].iter().map(|column| node[*column]).collect();
                if let Some(view) = self.kept.get_mut(&key) {
                    view.used = self.clock;
                    sources[at] = RollupSource::View(Arc::clone(&view.grouping));
                    continue;
                }
                if self.hopeless.contains(&key) {
                    continue;
                }
                let asked = self.asked.entry(key.clone()).or_default();
                *asked += 1;
                if *asked < 2 {
                    once.push((at, key));
                    continue;
                }
                if missing.iter().all(|(other, _)| *other != key) {
                    missing.push((key.clone(), sources[at].clone()));
                }
                waiting.push((at, key));
            }
            // What another of the nodes asked for, too, is of use to the first that did.
            for (at, key) in once {
                match missing.iter().any(|(other, _)| *other == key) {
                    true => waiting.push((at, key)),
                    false => ended[at] = true,
                }
            }
            self.make(missing);
            for (at, key) in waiting {
                if let Some(view) = self.kept.get(&key) {
                    sources[at] = RollupSource::View(Arc::clone(&view.grouping));
                }
            }
        }
        self.forget(u64::MAX, 0);
        sources
    }

    /// Does some work with buffers that others have done with.
    pub fn lend<R>(&self, work: impl FnOnce(&mut Buffers) -> R) -> R {
        self.lender.lend(work)
    }

    /// Makes views, each from a finer one.
    fn make(&mut self, missing: Vec<(Vec<u32>, RollupSource)>) {
        let large = missing.iter().any(|(_, source)| source.tuples(self.table).len() > LARGE);
        for some in missing.chunks(if large { LARGE_SIDE_BY_SIDE } else { SIDE_BY_SIDE }) {
            if large {
                // Others go before and not after: at no time is there more than fits.
                self.forget(self.clock, self.most_bytes / (2 * LARGE_SIDE_BY_SIDE) * some.len());
            }
            let made: Vec<Option<Grouping>> = some.par_iter().map(|(key, source)| self.view(key, source)).collect();
            for ((key, _), grouping) in some.iter().zip(made) {
                let Some(grouping) = grouping else {
                    self.hopeless.insert(key.clone());
                    continue;
                };
                self.bytes += grouping.groups.bytes();
                self.kept.insert(key.clone(), View { grouping: Arc::new(grouping), used: self.clock });
            }
            // What is in use goes last.
            self.forget(self.clock, 0);
        }
    }

    /// One view, unless it has too many groups.
    fn view(&self, key: &[u32], source: &RollupSource) -> Option<Grouping> {
        let mut levels = vec![0; self.order.len()];
        self.order.iter().zip(key).for_each(|(column, level)| levels[*column] = *level);
        let (recoding, from) = (Recoding::of_levels(&levels), source.tuples(self.table));
        let most = if from.len() > LARGE { from.len() / 3 } else { usize::MAX }.min(self.most_groups);
        // A list that grows leaves holes in memory wherever it was; the lent one does not have to.
        self.lender.lend(|Buffers { workspace, grouping, .. }| {
            let few = workspace.group_at_most(most, self.table, from, &recoding, self.needs, grouping);
            let mut view = few.then(|| grouping.clone())?;
            if !Arc::ptr_eq(&view.groups, from) {
                view.groups = Arc::new(view.groups.as_ref().clone());
            }
            Some(view)
        })
    }

    /// Lets go of the views that were not used for longest, until the others fit with so many bytes more, but of none used at
    /// a time or later.
    fn forget(&mut self, before: u64, more: usize) {
        if self.bytes + more <= self.most_bytes {
            return;
        }
        let unused = self.kept.iter().filter(|(_, view)| view.used < before);
        let mut ages: Vec<(u64, Vec<u32>)> = unused.map(|(key, view)| (view.used, key.clone())).collect();
        ages.sort();
        for (_, key) in ages {
            if self.bytes + more <= self.most_bytes {
                return;
            }
            let view = self.kept.remove(&key).expect("it is kept");
            self.bytes -= view.grouping.groups.bytes();
            self.asked.remove(&key);
        }
    }
}
