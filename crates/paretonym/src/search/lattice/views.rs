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
use crate::group::{FrequencyTable, Grouping, Needs, Tuples};
use crate::recode::Recoding;

/// Views of fewer groups than this are cheap to go through: none is made from them.
const SMALL: usize = 1024;
/// Views hold together at most this share of the tuples of the table, and this many groups beside.
const MOST_SHARE: usize = 4;
const MOST_BESIDE: usize = 1 << 20;

/// Views made side by side. The number does not depend on the threads.
const SIDE_BY_SIDE: usize = 8;

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
    /// Views of large groupings that turned out to be hardly smaller: they are not worth their room.
    hopeless: HashSet<Vec<u32>>,
    groups: usize,
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
    pub fn tuples<'b>(&'b self, table: &'b FrequencyTable) -> &'b Tuples {
        match self {
            RollupSource::Table => &table.tuples,
            RollupSource::View(grouping) => &grouping.groups,
        }
    }
}

impl<'a> Views<'a> {
    /// None yet.
    pub fn new(table: &'a FrequencyTable, needs: Needs) -> Self {
        let mut order: Vec<usize> = (0..table.columns.len()).collect();
        order.sort_by_key(|column| (Reverse(table.columns[*column].domain.len()), *column));
        Views {
            table,
            needs: Needs { group_of: false, ..needs },
            lender: Lender::default(),
            order,
            kept: HashMap::new(),
            asked: HashMap::new(),
            hopeless: HashSet::new(),
            groups: 0,
            clock: 0,
        }
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
                    ended[at] = true;
                    continue;
                }
                if missing.iter().all(|(other, _)| *other != key) {
                    missing.push((key.clone(), sources[at].clone()));
                }
                waiting.push((at, key));
            }
            self.make(missing);
            for (at, key) in waiting {
                if let Some(view) = self.kept.get(&key) {
                    sources[at] = RollupSource::View(Arc::clone(&view.grouping));
                }
            }
        }
        self.forget();
        sources
    }

    /// Does some work with buffers that others have done with.
    pub fn lend<R>(&self, work: impl FnOnce(&mut Buffers) -> R) -> R {
        self.lender.lend(work)
    }

    /// Makes views, each from a finer one.
    fn make(&mut self, missing: Vec<(Vec<u32>, RollupSource)>) {
        let (table, order, needs, lender) = (self.table, &self.order, self.needs, &self.lender);
        for some in missing.chunks(SIDE_BY_SIDE) {
            let made: Vec<Grouping> = some
                .par_iter()
                .map(|(key, source)| {
                    let mut levels = vec![0; order.len()];
                    order.iter().zip(key).for_each(|(column, level)| levels[*column] = *level);
                    let mut grouping = Grouping::default();
                    let recoding = Recoding::of_levels(&levels);
                    let from = source.tuples(table);
                    lender.lend(|own| own.workspace.group(table, from, &recoding, needs, &mut grouping));
                    // Only the groups are rolled up; which tuple went where would double the memory.
                    grouping.group_of = Vec::new();
                    grouping
                })
                .collect();
            for ((key, source), grouping) in some.iter().zip(made) {
                let before = source.tuples(table).len();
                if before > MOST_BESIDE && 2 * grouping.len() > before {
                    self.hopeless.insert(key.clone());
                    continue;
                }
                self.groups += grouping.len();
                self.kept.insert(key.clone(), View { grouping: Arc::new(grouping), used: self.clock });
            }
        }
    }

    /// Lets go of the views that were not used for longest, until the others fit.
    fn forget(&mut self) {
        let most = self.table.tuples.len() / MOST_SHARE + MOST_BESIDE;
        if self.groups <= most {
            return;
        }
        let mut ages: Vec<(u64, Vec<u32>)> = self.kept.iter().map(|(key, view)| (view.used, key.clone())).collect();
        ages.sort();
        for (_, key) in ages {
            if self.groups <= most {
                return;
            }
            let view = self.kept.remove(&key).expect("it is kept");
            self.groups -= view.grouping.len();
            self.asked.remove(&key);
        }
    }
}
