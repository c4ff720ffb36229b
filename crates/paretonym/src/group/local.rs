//! Groups of a local recoding: each has its own set in every column.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::{Distribution, FrequencyTable, Grouping, Needs, Tuples};
use crate::data::Narrow;
use crate::recode::{LeafRun, Regions};

/// What the measures need to know of a set that a group shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetFacts {
    /// Values that the shown label stands for.
    pub values: u32,
    /// The first and the last of their leaves.
    pub span: LeafRun,
    /// Rows of the original table with one of these leaves.
    pub rows: u64,
}

/// What each group of a local recoding shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalSets {
    width: usize,
    /// Group after group, one entry per quasi column.
    facts: Vec<SetFacts>,
}

impl LocalSets {
    /// From the facts of group after group, `width` columns each.
    pub fn new(width: usize, facts: Vec<SetFacts>) -> Self {
        LocalSets { width, facts }
    }

    /// The number of values that a group shows in a column.
    pub fn values(&self, group: usize, column: usize) -> u32 {
        self.facts[group * self.width + column].values
    }

    /// The first and the last leaf that a group shows in a column.
    pub fn span(&self, group: usize, column: usize) -> LeafRun {
        self.facts[group * self.width + column].span
    }

    /// Rows of the original table with a leaf that a group shows in a column.
    pub fn rows(&self, group: usize, column: usize) -> u64 {
        self.facts[group * self.width + column].rows
    }
}

/// Groups made of listed tuples of a table. Lists may overlap: each is a group of its own.
pub fn gather<'a>(table: &FrequencyTable, lists: impl Iterator<Item = &'a [u32]> + Clone, needs: Needs) -> Tuples {
    let from = &table.tuples;
    let fused = from.fused.iter().map(Narrow::alike).collect();
    let mut groups = Tuples { fused, rows: from.rows.alike(), ..Tuples::default() };
    let logs = if needs.leaf_logs { table.leaf_logs() } else { &[] };
    for list in lists.clone() {
        groups.rows.push(list.iter().map(|tuple| from.rows.get(*tuple as usize)).sum());
        for (to, codes) in groups.fused.iter_mut().zip(&from.fused) {
            to.push(list.first().map_or(0, |tuple| codes.get(*tuple as usize)));
        }
        if needs.leaf_logs {
            groups.leaf_logs.push(list.iter().map(|tuple| logs[*tuple as usize]).sum());
        }
    }
    if needs.attributes {
        let attributes = from.attributes.iter().zip(&table.attributes);
        groups.attributes =
            attributes.map(|(counts, attribute)| tally(counts, attribute.domain.len(), lists.clone())).collect();
    }
    groups
}

/// The value counts of each list of tuples.
fn tally<'a>(from: &Distribution, values: usize, lists: impl Iterator<Item = &'a [u32]> + Clone) -> Distribution {
    let mut to = Distribution::empty();
    let held = |tuple: &u32| from.of(*tuple as usize).len();
    let entries: usize = lists.clone().map(|list| list.iter().map(held).sum::<usize>()).sum();
    // Counters for all values are worth their memory where there is more to count than there are values.
    let mut tally = vec![0u64; if entries < values { 0 } else { values }];
    let mut met: Vec<(u32, u64)> = Vec::new();
    for list in lists {
        for &tuple in list {
            for (value, count) in from.of(tuple as usize).iter() {
                match tally.get_mut(value as usize) {
                    Some(tally) => {
                        if *tally == 0 {
                            met.push((value, 0));
                        }
                        *tally += count;
                    }
                    None => met.push((value, count)),
                }
            }
        }
        met.sort_unstable();
        for same in met.chunk_by(|left, right| left.0 == right.0) {
            let value = same[0].0;
            let count = match tally.get_mut(value as usize) {
                Some(tally) => std::mem::take(tally),
                None => same.iter().map(|(_, count)| count).sum(),
            };
            to.push(value, count);
        }
        met.clear();
        to.end_group();
    }
    to
}

/// Local recodings together with the tuples of each box, so that their groups need no look-up.
#[derive(Clone, Debug)]
pub struct PlacedRegions {
    /// The recodings.
    pub regions: Regions,
    /// Orders of the table's tuples in which each box is one range.
    orders: Vec<Vec<u32>>,
    /// The order and the range of each box.
    places: Vec<(u32, Range<u32>)>,
}

impl PlacedRegions {
    /// The range of each box among the orders must be known.
    pub fn new(regions: Regions, orders: Vec<Vec<u32>>, places: Vec<(u32, Range<u32>)>) -> Self {
        debug_assert_eq!(regions.boxes.len(), places.len());
        PlacedRegions { regions, orders, places }
    }

    /// Forgets what no solution shows, and names what is left.
    pub fn tidy(&mut self, table: &FrequencyTable) {
        let left = self.regions.forget_unused();
        self.places = left.into_iter().map(|at| self.places[at as usize].clone()).collect();
        self.regions.name_sets(&table.columns);
    }

    /// The tuples of a box.
    pub fn members(&self, region: u32) -> &[u32] {
        let (order, range) = &self.places[region as usize];
        &self.orders[*order as usize][range.start as usize..range.end as usize]
    }

    /// The groups of some boxes, which must make a recoding, and the group of each box.
    pub fn group(&self, table: &FrequencyTable, boxes: &[u32], needs: Needs) -> (Grouping, Vec<u32>) {
        let lists: Vec<&[u32]> = boxes.iter().map(|region| self.members(*region)).collect();
        make(table, &self.regions, boxes, &lists, needs)
    }
}

/// The groups of one local recoding, as stored in regions.json, on a table with the same domains. Tuples that lie in no
/// box (a later table may have some) form a last group that shows nothing; whether there is one is the second result.
pub fn group_regions(table: &FrequencyTable, regions: &Regions, solution: usize, needs: Needs) -> (Grouping, bool) {
    let shown = regions.shown(solution);
    let own = &regions.solutions[solution].boxes;
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); own.len() + 1];
    let mut leaves = vec![0; table.columns.len()];
    for tuple in 0..table.tuples.len() {
        leaves.iter_mut().enumerate().for_each(|(column, leaf)| *leaf = table.leaf(&table.tuples, tuple, column));
        lists[shown.position(&leaves).unwrap_or(own.len())].push(tuple as u32);
    }
    let homeless = lists.pop().filter(|list| !list.is_empty());
    let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
    let (mut grouping, _) = make(table, regions, own, &lists, needs);
    if let Some(list) = &homeless {
        let all = table.columns.iter().map(|column| {
            let leaves = column.domain.len() as u32;
            SetFacts { values: column.domain.size(), span: (0, leaves - 1), rows: table.rows }
        });
        grouping.local.get_or_insert_default().facts.extend(all);
        let extra = gather(table, std::iter::once(list.as_slice()), needs);
        append(Tuples::alone(&mut grouping.groups), &extra);
        if needs.group_of {
            let group = grouping.groups.len() as u32 - 1;
            list.iter().for_each(|tuple| grouping.group_of[*tuple as usize] = group);
        }
    }
    (grouping, homeless.is_some())
}

/// Adds one group to others.
fn append(groups: &mut Tuples, extra: &Tuples) {
    groups.rows.extend_from(&extra.rows);
    groups.leaf_logs.extend(&extra.leaf_logs);
    groups.fused.iter_mut().zip(&extra.fused).for_each(|(to, from)| to.extend_from(from));
    for (to, from) in groups.attributes.iter_mut().zip(&extra.attributes) {
        to.values.extend_from(&from.values);
        to.counts.extend_from(&from.counts);
        to.end_group();
    }
}

/// Groups from boxes and their tuples. Boxes without tuples make no group; boxes that show the same labels make one.
fn make(
    table: &FrequencyTable,
    regions: &Regions,
    boxes: &[u32],
    lists: &[&[u32]],
    needs: Needs,
) -> (Grouping, Vec<u32>) {
    let width = table.columns.len();
    let exact = regions.cells.is_exact(&table.columns);
    // Regions below one taxonomy node can lie beside each other and look the same: in a release they are one group.
    // They are told apart by the leaves that they show: two nodes of a tree may have one name.
    let mut known: HashMap<Vec<&[LeafRun]>, u32> = HashMap::new();
    let mut same: HashMap<&[u32], u32> = HashMap::new();
    let mut merged: Vec<Vec<u32>> = Vec::new();
    let mut first: Vec<usize> = Vec::new();
    let mut group_of_box = vec![u32::MAX; boxes.len()];
    for (at, list) in lists.iter().enumerate() {
        if list.is_empty() {
            continue;
        }
        let next = first.len() as u32;
        let group = if exact {
            *same.entry(&regions.boxes[boxes[at] as usize].sets).or_insert(next)
        } else {
            let shown = (0..width).map(|column| regions.set(boxes[at], column).shown()).collect();
            *known.entry(shown).or_insert(next)
        };
        if group == next {
            first.push(at);
            merged.push(Vec::new());
        }
        merged[group as usize].extend_from_slice(list);
        group_of_box[at] = group;
    }
    let groups = gather(table, merged.iter().map(Vec::as_slice), needs);
    let mut facts = Vec::with_capacity(first.len() * width);
    // Rows of the table before each leaf, so that a long run of leaves costs no more than a short one.
    let rows_before: Vec<Vec<u64>> = table.leaf_rows.iter().map(|rows| running(rows)).collect();
    for &at in &first {
        for (column, before) in rows_before.iter().enumerate() {
            let set = regions.set(boxes[at], column);
            let runs = set.shown();
            facts.push(SetFacts {
                values: set.values(&table.columns[column]),
                span: (runs[0].0, runs[runs.len() - 1].1),
                rows: runs.iter().map(|(first, last)| before[*last as usize + 1] - before[*first as usize]).sum(),
            });
        }
    }
    let mut group_of = Vec::new();
    if needs.group_of {
        group_of = vec![u32::MAX; table.tuples.len()];
        for (list, &group) in lists.iter().zip(&group_of_box) {
            list.iter().for_each(|tuple| group_of[*tuple as usize] = group);
        }
    }
    let grouping = Grouping {
        columns: Vec::new(),
        levels: vec![None; width],
        groups: Arc::new(groups),
        group_of,
        local: Some(LocalSets::new(width, facts)),
    };
    (grouping, group_of_box)
}

/// The sums before each place, and of everything behind the last one.
fn running(rows: &[u64]) -> Vec<u64> {
    let sums = rows.iter().scan(0, |sum, rows| {
        *sum += rows;
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}
