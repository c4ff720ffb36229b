//! Local recoding: a partition of the tuples into boxes, each of which shows its own set in every column.
//!
//! The boxes of one solution are disjoint (but see [`RegionSolution::exceptions`]), so that a tuple lies in at most one of
//! them, and every tuple of the table lies in one. Solutions of one front share most of their boxes, and boxes share most of their sets: both are stored once.

use std::collections::HashMap;
use std::hash::BuildHasher;

use serde::{Deserialize, Serialize};

use super::label::interval_of_leaves;
use super::{BoxIndex, QuasiColumn};
use crate::data::Kind;

/// How a categorical cell shows the region that it lies in. Ordered columns always show an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellForm {
    /// The lowest taxonomy node above the values that occur in the region.
    #[default]
    Nodes,
    /// The set of values that occur in the region.
    Sets,
    /// That set, or the node where it would name more values than this.
    SetsOfAtMost(u32),
}

impl CellForm {
    /// Whether a cell stands for just the leaves that occur in its region, so that no two regions look the same.
    pub fn is_exact(self, columns: &[QuasiColumn]) -> bool {
        self == CellForm::Sets && columns.iter().all(|column| column.domain.interval_level == 0)
    }
}

/// A run of leaves, both ends included.
pub type LeafRun = (u32, u32);

/// A set of leaves that some box shows in a column.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RegionSet {
    /// What a cell of the release holds.
    pub label: String,
    /// The leaves that lie in the region.
    pub leaves: Vec<LeafRun>,
    /// The leaves that the label stands for, where these are more: a taxonomy node covers its whole subtree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<LeafRun>,
}

impl RegionSet {
    /// The set that covers some leaves of a column, which must ascend.
    pub fn covering(column: &QuasiColumn, leaves: &[u32], form: CellForm) -> Self {
        let (low, high) = (leaves[0], leaves[leaves.len() - 1]);
        if column.domain.kind != Kind::Categorical {
            let run = interval_run(column, low, high);
            // An interval is named by its ends; the last leaf but one is an end too where the last one is missing cells.
            let mut ends = vec![low as usize, (high as usize).saturating_sub(1).max(low as usize), high as usize];
            ends.dedup();
            let label = interval_of_leaves(column, &ends);
            let node = (run != (low, high)).then_some(run);
            return RegionSet { label, leaves: vec![(low, high)], node };
        }
        let mut runs: Vec<LeafRun> = Vec::new();
        for &leaf in leaves {
            match runs.last_mut() {
                Some(run) if run.1 + 1 == leaf => run.1 = leaf,
                _ => runs.push((leaf, leaf)),
            }
        }
        let as_node = match form {
            CellForm::Nodes => true,
            CellForm::Sets => false,
            CellForm::SetsOfAtMost(most) => leaves.len() > most as usize,
        };
        if as_node {
            let node = &column.hierarchy.nodes()[lowest_node(column, low, high)];
            let run = (node.leaves.start, node.leaves.end - 1);
            return RegionSet { label: node.label.clone(), leaves: runs, node: Some(run) };
        }
        let labels = &column.domain.labels;
        let label = match leaves.len() {
            1 => labels[low as usize].clone(),
            all if all == labels.len() => "*".to_owned(),
            _ => {
                let names: Vec<&str> = leaves.iter().map(|leaf| labels[*leaf as usize].as_str()).collect();
                format!("{{{}}}", names.join(", "))
            }
        };
        RegionSet { label, leaves: runs, node: None }
    }

    /// The runs of leaves that the label stands for.
    pub fn shown(&self) -> &[LeafRun] {
        self.node.as_ref().map_or(&self.leaves, std::slice::from_ref)
    }

    /// How many values of its column the label stands for.
    pub fn values(&self, column: &QuasiColumn) -> u32 {
        self.shown().iter().map(|(first, last)| column.domain.values(*first as usize, *last as usize + 1)).sum()
    }

    /// Whether a leaf lies in the region.
    pub fn holds(&self, leaf: u32) -> bool {
        self.leaves.iter().any(|(first, last)| (*first..=*last).contains(&leaf))
    }
}

/// The leaves that an ordered cell stands for which covers those from `low` to `high`: just these, or, where the ends of
/// an interval are sets of a level, all leaves of the first and the last set.
pub fn interval_run(column: &QuasiColumn, low: u32, high: u32) -> LeafRun {
    let level = column.domain.interval_level;
    if level == 0 || low == high {
        return (low, high);
    }
    let set_of = &column.hierarchy.level(level).set_of;
    let (first, last) = (set_of[low as usize], set_of[high as usize]);
    let start = set_of.partition_point(|set| *set < first);
    let end = set_of.partition_point(|set| *set <= last);
    (start as u32, end as u32 - 1)
}

/// The lowest node of a column's tree above two leaves.
pub fn lowest_node(column: &QuasiColumn, low: u32, high: u32) -> usize {
    let nodes = column.hierarchy.nodes();
    let mut at = 0;
    loop {
        // Children lie in the order of their leaves, and cover all of them.
        let children = &nodes[at].children;
        let place = children.partition_point(|child| nodes[*child as usize].leaves.end <= low);
        match children.get(place).map(|child| *child as usize) {
            Some(child) if nodes[child].leaves.contains(&high) => at = child,
            _ => return at,
        }
    }
}

/// One box: what it shows, as positions among the sets of each column, and how many rows of the table it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegionBox {
    /// Rows of the table that lie in it.
    pub rows: u64,
    /// One set per quasi column.
    pub sets: Vec<u32>,
}

/// The boxes of one solution.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegionSolution {
    /// All its boxes, ascending.
    pub boxes: Vec<u32>,
    /// Those of them that are not released.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressed: Vec<u32>,
    /// Where boxes overlap (relaxed Mondrian): tuples that lie in another box than the first that covers them, as leaf
    /// codes and box.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<(Vec<u32>, u32)>,
}

/// The sets that the boxes show in one column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegionColumn {
    /// The column's name in the table.
    pub name: String,
    /// The sets.
    pub sets: Vec<RegionSet>,
}

/// All local recodings of a front. What regions.json holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Regions {
    /// [`REGIONS_FORMAT`].
    pub format: String,
    /// How categorical cells are shown.
    pub cells: CellForm,
    /// The sets of each quasi column.
    pub columns: Vec<RegionColumn>,
    /// The boxes of all solutions.
    pub boxes: Vec<RegionBox>,
    /// One entry per solution of the front, in its order.
    pub solutions: Vec<RegionSolution>,
}

/// The value of `format` in regions.json.
pub const REGIONS_FORMAT: &str = "paretonym-regions/1";

impl Regions {
    /// Without boxes.
    pub fn new(columns: &[QuasiColumn], cells: CellForm) -> Self {
        let columns = columns.iter().map(|column| RegionColumn { name: column.name.clone(), sets: Vec::new() });
        let format = REGIONS_FORMAT.to_owned();
        Regions { format, cells, columns: columns.collect(), boxes: Vec::new(), solutions: Vec::new() }
    }

    /// The set that a box shows in a column.
    pub fn set(&self, region: u32, column: usize) -> &RegionSet {
        &self.columns[column].sets[self.boxes[region as usize].sets[column] as usize]
    }

    /// Whether all numbers in it make sense for a table with these columns: what is read from a file may be of another.
    pub fn fits(&self, columns: &[QuasiColumn]) -> bool {
        let within = |own: &RegionColumn, column: &QuasiColumn| {
            let run = |(first, last): &LeafRun| first <= last && (*last as usize) < column.domain.len();
            let fine = |set: &RegionSet| !set.leaves.is_empty() && set.leaves.iter().chain(&set.node).all(run);
            own.name == column.name && own.sets.iter().all(fine)
        };
        let places = |one: &RegionBox| {
            let known = |(set, own): (&u32, &RegionColumn)| (*set as usize) < own.sets.len();
            one.sets.len() == columns.len() && one.sets.iter().zip(&self.columns).all(known)
        };
        let boxes = |one: &RegionSolution| one.boxes.iter().all(|at| (*at as usize) < self.boxes.len());
        self.columns.len() == columns.len()
            && self.columns.iter().zip(columns).all(|(own, column)| within(own, column))
            && self.boxes.iter().all(places)
            && self.solutions.iter().all(boxes)
    }

    /// Finds the boxes of one solution by tuples.
    pub fn shown(&self, solution: usize) -> ShownRegions<'_> {
        ShownRegions::new(self, solution)
    }
}

/// One solution, ready to be asked for tuples.
pub struct ShownRegions<'a> {
    regions: &'a Regions,
    boxes: &'a [u32],
    /// Per position in `boxes`.
    suppressed: Vec<bool>,
    index: BoxIndex,
    exceptions: HashMap<&'a [u32], usize>,
}

impl<'a> ShownRegions<'a> {
    fn new(regions: &'a Regions, solution: usize) -> Self {
        let own = &regions.solutions[solution];
        let runs = |at: usize, column: usize| regions.set(own.boxes[at], column).leaves.as_slice();
        let index = BoxIndex::new(regions.columns.len(), own.boxes.len(), runs);
        let gone: std::collections::BTreeSet<u32> = own.suppressed.iter().copied().collect();
        let suppressed = own.boxes.iter().map(|region| gone.contains(region)).collect();
        let place = |region: &u32| own.boxes.binary_search(region).unwrap_or_default();
        let exceptions = own.exceptions.iter().map(|(leaves, region)| (leaves.as_slice(), place(region))).collect();
        ShownRegions { regions, boxes: &own.boxes, suppressed, index, exceptions }
    }

    /// The position, among the boxes of the solution, of the one that a tuple lies in.
    pub fn position(&self, leaves: &[u32]) -> Option<usize> {
        self.exceptions.get(leaves).copied().or_else(|| self.index.first(leaves))
    }

    /// One label per quasi column; none where the tuple is suppressed, or lies in no box of the recoding (as a tuple of
    /// a later table may).
    pub fn labels(&self, leaves: &[u32]) -> Option<Vec<&str>> {
        let at = self.position(leaves).filter(|at| !self.suppressed[*at])?;
        let columns = 0..self.regions.columns.len();
        Some(columns.map(|column| self.regions.set(self.boxes[at], column).label.as_str()).collect())
    }
}

/// Collects sets so that each is stored once. A set may have thousands of runs, so that it is known by a hash of them.
pub struct SetCollector {
    known: Vec<HashMap<u64, Vec<u32>>>,
}

impl SetCollector {
    /// For so many columns.
    pub fn new(columns: usize) -> Self {
        SetCollector { known: vec![HashMap::new(); columns] }
    }

    /// The position of a set among those of its column.
    pub fn position(&mut self, regions: &mut Regions, column: usize, set: RegionSet) -> u32 {
        let sets = &mut regions.columns[column].sets;
        let alike = self.known[column].entry(foldhash::fast::FixedState::default().hash_one(&set)).or_default();
        if let Some(known) = alike.iter().find(|at| sets[**at as usize] == set) {
            return *known;
        }
        alike.push(sets.len() as u32);
        sets.push(set);
        sets.len() as u32 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Domain;
    use crate::recode::Family;
    use crate::taxonomy::{Hierarchy, Level};

    fn column(kind: Kind) -> QuasiColumn {
        let labels: Vec<String> = ["a", "b", "c", "d"].map(String::from).to_vec();
        let pairs = Level { set_of: vec![0, 0, 1, 1], labels: vec!["ab".into(), "cd".into()] };
        QuasiColumn {
            name: "x".into(),
            domain: Domain::of_labels(kind, labels.clone()),
            hierarchy: Hierarchy::from_partitions("x", &labels, vec![pairs]).unwrap(),
            family: Family::Cuts,
            weight: 1.0,
        }
    }

    #[test]
    fn what_a_cell_shows() {
        let (names, steps) = (column(Kind::Categorical), column(Kind::Ordinal));
        let set = RegionSet::covering(&names, &[0, 3], CellForm::Sets);
        assert_eq!((set.label.as_str(), set.values(&names), set.holds(1)), ("{a, d}", 2, false));
        let node = RegionSet::covering(&names, &[0, 3], CellForm::Nodes);
        assert_eq!((node.label.as_str(), node.values(&names), node.holds(1)), ("*", 4, false));
        assert_eq!(RegionSet::covering(&names, &[2, 3], CellForm::Nodes).label, "cd");
        assert_eq!(RegionSet::covering(&names, &[0, 1, 2, 3], CellForm::Sets).label, "*");
        let run = RegionSet::covering(&steps, &[0, 2], CellForm::Nodes);
        assert_eq!((run.label.as_str(), run.values(&steps), run.holds(1)), ("[a, c]", 3, true));
    }

    #[test]
    fn tuples_find_their_box() {
        let columns = [column(Kind::Categorical), column(Kind::Ordinal)];
        let mut regions = Regions::new(&columns, CellForm::Sets);
        let mut sets = SetCollector::new(2);
        for leaves in [[vec![0, 3], vec![0, 1]], [vec![0, 3], vec![2, 3]], [vec![1], vec![0, 3]]] {
            let own = (0..2).map(|c| RegionSet::covering(&columns[c], &leaves[c], CellForm::Sets));
            let own: Vec<RegionSet> = own.collect();
            let sets = own.into_iter().enumerate().map(|(c, set)| sets.position(&mut regions, c, set)).collect();
            regions.boxes.push(RegionBox { rows: 1, sets });
        }
        assert_eq!(regions.columns[0].sets.len(), 2, "{{a, d}} is stored once");
        regions.solutions.push(RegionSolution { boxes: vec![0, 1, 2], suppressed: vec![2], exceptions: Vec::new() });
        let shown = regions.shown(0);
        assert_eq!(shown.labels(&[3, 1]), Some(vec!["{a, d}", "[a, b]"]));
        assert_eq!(shown.labels(&[0, 3]), Some(vec!["{a, d}", "[c, d]"]));
        assert_eq!(shown.position(&[1, 1]), Some(2));
        assert_eq!(shown.labels(&[1, 1]), None, "suppressed");
        assert_eq!(shown.labels(&[2, 0]), None, "in no box");
    }
}
