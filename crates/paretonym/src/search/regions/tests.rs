//! Trees are the same however they are grown.

use proptest::prelude::*;

use super::forest::Ground;
use super::ladder::Floor;
use super::lines::{AnyLines, Lines};
use super::split_table::SplitTable;
use super::tree::{NONE, Tree};
use crate::data::{Domain, Kind};
use crate::engine::{Unwatched, Watch};
use crate::group::FrequencyTable;
use crate::recode::{CellForm, Family, QuasiColumn};
use crate::taxonomy::{Hierarchy, Level};

fn column(name: &str, kind: Kind, leaves: usize) -> QuasiColumn {
    let labels: Vec<String> = (0..leaves).map(|leaf| format!("v{leaf:03}")).collect();
    let level = |size: usize| Level {
        set_of: (0..leaves).map(|leaf| (leaf / size) as u32).collect(),
        labels: (0..leaves.div_ceil(size)).map(|set| format!("{size} {set}")).collect(),
    };
    QuasiColumn {
        name: name.into(),
        domain: Domain::of_labels(kind, labels.clone()),
        hierarchy: Hierarchy::from_partitions(name, &labels, vec![level(3), level(12)]).unwrap(),
        family: Family::Levels,
        weight: 0.5,
    }
}

pub(super) fn table(mut cells: Vec<(u32, u32, u32)>) -> FrequencyTable {
    let columns =
        vec![column("a", Kind::Categorical, 90), column("b", Kind::Ordinal, 40), column("c", Kind::Categorical, 7)];
    cells.sort_unstable();
    cells.dedup();
    let leaves: Vec<u32> = cells.iter().flat_map(|(a, b, c)| [*a, *b, *c]).collect();
    let counts: Vec<u64> = cells.iter().map(|(a, b, _)| u64::from(1 + (a + b) % 3)).collect();
    FrequencyTable::new(columns, Vec::new(), &leaves, &counts, &[], 0).unwrap()
}

/// Stands for a model: the share of a group that has the larger half of the leaves of the second column.
fn costs(split_table: &SplitTable, tuples: &[u32]) -> Vec<f64> {
    let high = tuples.iter().filter(|tuple| split_table.columns[1].codes[**tuple as usize] >= 20).count();
    vec![(high as f64 / tuples.len() as f64 - 0.5).abs()]
}

fn grow(split_table: &SplitTable, floors: &[Floor], counting: bool, watch: &dyn Watch) -> Vec<Tree> {
    let costs = |tuples: &[u32]| costs(split_table, tuples);
    let forest = Ground { split_table, costs: &costs, watch, counting }.grow(floors);
    (0..floors.len()).map(|at| forest.tree(at)).collect()
}

fn floors() -> Vec<Floor> {
    let mut floors: Vec<Floor> = [2, 3, 4, 6, 9, 20, 1].into_iter().map(Floor::of_rows).collect();
    let inside = [vec![0.4], vec![0.2, 0.4], vec![0.1, 0.2, 0.4], vec![0.3], vec![0.0]];
    floors.extend(inside.map(|tiers| Floor { rows: 1, tiers: tiers.into_iter().map(|limit| vec![limit]).collect() }));
    floors
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_forest_is_its_trees(
        cells in prop::collection::vec((0u32..90, 0u32..40, 0u32..7), 2..160),
        form in 0usize..3,
    ) {
        let table = table(cells);
        let form = [CellForm::Nodes, CellForm::Sets, CellForm::SetsOfAtMost(2)][form];
        let mut split_table = SplitTable::new(&table, form, &[0.4, 0.3, 0.3]);
        let floors = floors();
        let together = grow(&split_table, &floors, false, &Unwatched);
        prop_assert_eq!(&grow(&split_table, &floors, true, &Unwatched), &together, "values can be counted");
        for (floor, tree) in floors.iter().zip(&together) {
            let alone = grow(&split_table, std::slice::from_ref(floor), false, &Unwatched);
            prop_assert_eq!(&alone[0], tree, "{:?}", floor);
            for node in tree.nodes.iter().filter(|node| node.children[0] != NONE) {
                for half in node.children.map(|child| tree.nodes[child as usize]) {
                    let members = &tree.order[half.start as usize..half.end as usize];
                    let rows: u64 = members.iter().map(|tuple| table.tuples.rows.get(*tuple as usize)).sum();
                    prop_assert!(half.rows == rows && rows >= floor.rows);
                    let limit = floor.tiers.last().map_or(f64::INFINITY, |limits| limits[0] + 1e-6);
                    prop_assert!(costs(&split_table, members)[0] <= limit);
                }
            }
        }
        let codes: Vec<&[u32]> = split_table.columns.iter().map(|column| column.codes.as_slice()).collect();
        split_table.lines = AnyLines::Wide(Lines::new(&codes));
        prop_assert_eq!(&grow(&split_table, &floors, false, &Unwatched), &together, "codes can be wide");
    }
}

/// Has had enough after so many questions.
struct Impatient(std::sync::atomic::AtomicI64);

impl Watch for Impatient {
    fn cancelled(&self) -> bool {
        self.0.fetch_sub(1, std::sync::atomic::Ordering::SeqCst) <= 0
    }
}

#[test]
fn a_stop_is_heard_between_two_splits_of_one_node() {
    let table = table((0..400).map(|row| (row * 37 % 90, row * 11 % 40, row % 7)).collect());
    let split_table = SplitTable::new(&table, CellForm::Nodes, &[0.4, 0.3, 0.3]);
    let looked = std::sync::atomic::AtomicUsize::new(0);
    let hopeless = |_: &[u32]| {
        looked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        vec![1.0]
    };
    let floors = [Floor { rows: 1, tiers: vec![vec![0.5]] }];
    let watch = Impatient(4.into());
    let forest = Ground { split_table: &split_table, costs: &hopeless, watch: &watch, counting: false }.grow(&floors);
    assert_eq!(forest.tree(0).nodes.len(), 1);
    assert_eq!(looked.into_inner(), 6, "two halves of each of three splits");
}
