//! Groups: the same from the tuples, from the groups of a finer recoding, and from the rows counted by hand.

use std::collections::BTreeMap;

use paretonym::data::{Kind, Role};
use paretonym::group::{FrequencyTable, Grouping, Needs, Workspace};
use paretonym::recode::{BreakBits, ColumnRecoding, Recoding};
use paretonym::study::{ColumnSpec, Roles};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::Lattice;
use crate::support::{check, config, counted, samples};

/// Groups by the sets they show: rows, value counts per attribute, logarithms.
type Groups = BTreeMap<Vec<usize>, (u64, Vec<Vec<(u32, u64)>>, f64)>;

fn groups(table: &FrequencyTable, grouping: &Grouping) -> Groups {
    let shown = |group: usize| (0..table.columns.len()).map(|column| grouping.set(table, group, column)).collect();
    let values = |group: usize, at: usize| grouping.groups.attributes[at].of(group).iter().collect();
    let group = |group: usize| {
        let attributes = (0..grouping.groups.attributes.len()).map(|at| values(group, at)).collect();
        let logs = grouping.groups.leaf_logs.get(group).copied().unwrap_or_default();
        (shown(group), (grouping.groups.rows.get(group), attributes, logs))
    };
    let all: Groups = (0..grouping.len()).map(group).collect();
    assert_eq!(all.len(), grouping.len(), "two groups show the same");
    all
}

fn equal(left: &Groups, right: &Groups) -> TestCaseResult {
    prop_assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>());
    for (shown, (rows, attributes, logs)) in left {
        let (other_rows, other_attributes, other_logs) = &right[shown];
        prop_assert_eq!((rows, attributes), (other_rows, other_attributes));
        prop_assert!((logs - other_logs).abs() <= 1e-9 * logs.abs().max(1.0), "{logs} and {other_logs}");
    }
    Ok(())
}

#[test]
fn a_coarser_node_comes_from_the_groups_of_any_finer_one() {
    check(config(25), samples(3, 0..=2), |sample| {
        let lattice = Lattice::of(&sample);
        let (table, mut workspace, mut out) = (&lattice.table, Workspace::default(), Grouping::default());
        for (fine, from) in lattice.nodes.iter().zip(&lattice.groupings) {
            for (coarse, direct) in lattice.nodes.iter().zip(&lattice.groupings) {
                if fine.iter().zip(coarse).all(|(fine, coarse)| fine <= coarse) {
                    workspace.group(table, &from.groups, &Recoding::of_levels(coarse), Needs::ALL, &mut out);
                    equal(&groups(table, &out), &groups(table, direct))?;
                }
            }
        }
        Ok(())
    });
}

/// Rows of leaf numbers with a sensitive value each, in a table of some columns of as many leaves.
#[derive(Clone, Debug)]
struct Wide {
    leaves: usize,
    rows: Vec<Vec<usize>>,
    /// Where neighbours are separated, per column; and where they still are when recoded coarser.
    fine: Vec<Vec<bool>>,
    coarse: Vec<Vec<bool>>,
}

/// Few columns are counted by an array, more by hashed keys, and of the widest the keys do not fit into 64 bits.
fn wide() -> impl Strategy<Value = Wide> {
    let shape = prop_oneof![Just((3usize, 6usize)), Just((7, 40)), Just((16, 60))];
    (shape, 0.3f64..1.0, 0.05f64..1.0).prop_flat_map(|((columns, leaves), fine, coarse)| {
        let rows = prop::collection::vec(prop::collection::vec(0..leaves, columns), 2..=40);
        let flags =
            |share: f64| prop::collection::vec(prop::collection::vec(prop::bool::weighted(share), leaves - 1), columns);
        (rows, flags(fine), flags(coarse)).prop_map(move |(mut rows, fine, mask)| {
            // Some rows again, and some that differ in one column only.
            for at in 0..rows.len() / 2 {
                let mut row = rows[at].clone();
                row[at % columns] = (row[at % columns] + at % 3) % leaves;
                rows.push(row);
            }
            let both = |(fine, mask): (&Vec<bool>, &Vec<bool>)| fine.iter().zip(mask).map(|(a, b)| *a && *b).collect();
            let coarse = fine.iter().zip(&mask).map(both).collect();
            Wide { leaves, rows, fine, coarse }
        })
    })
}

fn breaks(flags: &[Vec<bool>]) -> Recoding {
    let column = |flags: &Vec<bool>| ColumnRecoding::Breaks(BreakBits::from_flags(flags.iter().copied()));
    Recoding { columns: flags.iter().map(column).collect() }
}

impl Wide {
    fn table(&self) -> FrequencyTable {
        let label = |leaf: usize| toml::Value::String(leaf.to_string());
        let mut columns: Vec<ColumnSpec> = (0..self.fine.len())
            .map(|at| ColumnSpec {
                order: Some((0..self.leaves).map(label).collect()),
                ..ColumnSpec::new(&format!("q{at}"), Role::Quasi)
            })
            .collect();
        columns.push(ColumnSpec { kind: Some(Kind::Numeric), ..ColumnSpec::new("s", Role::Sensitive) });
        columns.last_mut().unwrap().role = Roles::More(vec![Role::Sensitive, Role::Target]);
        let cells: Vec<Vec<String>> = self
            .rows
            .iter()
            .enumerate()
            .map(|(at, row)| row.iter().chain([&(at % 3)]).map(ToString::to_string).collect())
            .collect();
        let rows: Vec<Vec<&str>> = cells.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        counted(columns, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// Counted by hand: the sets that each row shows.
    fn by_hand(&self, flags: &[Vec<bool>]) -> BTreeMap<Vec<usize>, (u64, BTreeMap<u32, u64>)> {
        let mut groups: BTreeMap<Vec<usize>, (u64, BTreeMap<u32, u64>)> = BTreeMap::new();
        for (at, row) in self.rows.iter().enumerate() {
            let set = |(leaf, flags): (&usize, &Vec<bool>)| flags[..*leaf].iter().filter(|flag| **flag).count();
            let group = groups.entry(row.iter().zip(flags).map(set).collect()).or_default();
            group.0 += 1;
            *group.1.entry(at as u32 % 3).or_default() += 1;
        }
        groups
    }
}

#[test]
fn wide_tables_group_as_counted_by_hand() {
    check(config(150), wide(), |wide| {
        let table = wide.table();
        let (mut workspace, mut fine, mut coarse) = (Workspace::default(), Grouping::default(), Grouping::default());
        workspace.group(&table, &table.tuples, &breaks(&wide.fine), Needs::ALL, &mut fine);
        workspace.group(&table, &table.tuples, &breaks(&wide.coarse), Needs::ALL, &mut coarse);
        for (flags, grouping) in [(&wide.fine, &fine), (&wide.coarse, &coarse)] {
            let own: BTreeMap<Vec<usize>, (u64, BTreeMap<u32, u64>)> = groups(&table, grouping)
                .into_iter()
                .map(|(shown, (rows, values, _))| (shown, (rows, values[0].iter().copied().collect())))
                .collect();
            prop_assert_eq!(own, wide.by_hand(flags));
            for tuple in 0..table.tuples.len() {
                let group = grouping.group_of[tuple] as usize;
                for column in 0..table.columns.len() {
                    let leaf = table.leaf(&table.tuples, tuple, column) as usize;
                    let set = grouping.columns[column].set_of[leaf] as usize;
                    prop_assert_eq!(grouping.set(&table, group, column), set);
                }
            }
        }
        let expected = groups(&table, &coarse);
        let mut again = Grouping::default();
        workspace.group(&table, &fine.groups, &breaks(&wide.coarse), Needs::ALL, &mut again);
        equal(&groups(&table, &again), &expected)?;
        // Who asks for less gets the same groups.
        workspace.group(&table, &fine.groups, &breaks(&wide.coarse), Needs::default(), &mut again);
        let rows = |groups: Groups| groups.into_iter().map(|(shown, (rows, _, _))| (shown, rows)).collect::<Vec<_>>();
        prop_assert_eq!(rows(groups(&table, &again)), rows(expected));
        Ok(())
    });
}
