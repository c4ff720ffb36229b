//! Losses: lower bounds, monotonicity, range, and that the score is the mean of the rows.

use paretonym::catalog;
use paretonym::group::{Grouping, Suppressed};
use paretonym::measure::{Privacy, Sense, loss_parts};
use proptest::prelude::*;

use super::{Lattice, kept, losses, models, suppressions};
use crate::support::{LossForm, check, config, samples};

const SLACK: f64 = 1e-9;

/// What docs/definitions.md says of lower bounds.
fn claims_nothing(form: LossForm) -> bool {
    form.name == "average-class"
}

#[test]
fn lower_bounds_are_claimed_where_the_definitions_give_them() {
    check(config(1), samples(2, 0..=0), |sample| {
        for (form, loss) in losses(&sample, &sample.table()) {
            prop_assert_eq!(loss.bounded_below(), !claims_nothing(form), "{:?}", form);
            prop_assert_eq!(loss.sense(), Sense::Min);
        }
        Ok(())
    });
    for entry in catalog::LOSSES {
        assert_eq!(entry.bounded_below, entry.entry.name != "average-class", "{}", entry.entry.name);
    }
}

#[test]
fn the_unsuppressed_loss_is_a_lower_bound_and_never_falls() {
    check(config(50), samples(4, 0..=1), |sample| {
        let lattice = Lattice::of(&sample);
        let models = models(&lattice.table);
        let models: Vec<&dyn Privacy> = models.iter().map(|(_, model)| model.as_ref()).collect();
        let ways: Vec<Vec<Suppressed>> =
            lattice.groupings.iter().map(|grouping| suppressions(grouping, &models)).collect();
        for (form, loss) in losses(&sample, &lattice.table) {
            if !loss.bounded_below() {
                continue;
            }
            let score =
                |node: usize, suppressed| loss.score(&kept(&lattice.table, &lattice.groupings[node], suppressed));
            // The first way suppresses nothing.
            let bounds: Vec<f64> = (0..lattice.nodes.len()).map(|node| score(node, &ways[node][0])).collect();
            for (node, ways) in ways.iter().enumerate() {
                for suppressed in ways {
                    let loss = score(node, suppressed);
                    let gone = suppressed.rows;
                    prop_assert!(bounds[node] <= loss + SLACK, "{form:?} at {:?}, {gone} rows", lattice.nodes[node]);
                }
            }
            for (below, above) in lattice.steps() {
                let nodes = (&lattice.nodes[below], &lattice.nodes[above]);
                prop_assert!(bounds[below] <= bounds[above] + SLACK, "{form:?} from {:?} to {:?}", nodes.0, nodes.1);
            }
        }
        Ok(())
    });
}

/// The third fact of docs/theory/exact.md: what suppressing some rows costs extra never grows when generalizing, and further
/// rows never make it less.
#[test]
fn suppressing_costs_a_finer_recoding_at_least_as_much_extra() {
    check(config(50), samples(4, 0..=1), |sample| {
        let lattice = Lattice::of(&sample);
        let models = models(&lattice.table);
        let models: Vec<&dyn Privacy> = models.iter().map(|(_, model)| model.as_ref()).collect();
        for (form, loss) in losses(&sample, &lattice.table) {
            if !loss.bounded_below() {
                continue;
            }
            let score = |node: usize, suppressed: &Suppressed| {
                loss.score(&kept(&lattice.table, &lattice.groupings[node], suppressed))
            };
            for (below, above) in lattice.steps() {
                let (fine, coarse) = (&lattice.groupings[below], &lattice.groupings[above]);
                for gone in suppressions(coarse, &models) {
                    // The same rows, and one group more.
                    let tuples = fine.group_of.iter().zip(&coarse.group_of);
                    let mut same = vec![false; fine.len()];
                    tuples.for_each(|(own, other)| same[*own as usize] = gone.groups[*other as usize]);
                    let first_kept = same.iter().position(|gone| !gone);
                    let same_rows = Suppressed::by(fine, |group| same[group]);
                    let more_rows = Suppressed::by(fine, |group| same[group] || Some(group) == first_kept);
                    let nothing = |grouping: &Grouping| Suppressed::none(grouping.len());
                    let extra_above = score(above, &gone) - score(above, &nothing(coarse));
                    let extra = score(below, &same_rows) - score(below, &nothing(fine));
                    let more = score(below, &more_rows) - score(below, &nothing(fine));
                    let scale = SLACK * score(above, &gone).abs().max(1.0);
                    let nodes = (&lattice.nodes[below], &lattice.nodes[above]);
                    prop_assert!(extra_above <= extra + scale, "{form:?} from {nodes:?}: {extra_above} and {extra}");
                    prop_assert!(extra <= more + scale, "{form:?} from {nodes:?}: {extra} and {more}");
                }
            }
        }
        Ok(())
    });
}

#[test]
fn what_columns_add_can_be_added_up_where_a_loss_says_so() {
    check(config(50), samples(4, 0..=0), |sample| {
        let lattice = Lattice::of(&sample);
        let place = |node: Vec<u32>| lattice.nodes.iter().position(|own| *own == node).expect("a node");
        for (form, loss) in losses(&sample, &lattice.table) {
            prop_assert_eq!(loss.is_supermodular(), form.name == "discernibility");
            if !loss.is_supermodular() {
                continue;
            }
            let nothing = |node: usize| Suppressed::none(lattice.groupings[node].len());
            let score = |node| loss.score(&kept(&lattice.table, &lattice.groupings[node], &nothing(node)));
            let scores: Vec<f64> = (0..lattice.nodes.len()).map(score).collect();
            for (a, one) in lattice.nodes.iter().enumerate() {
                for (b, other) in lattice.nodes.iter().enumerate().skip(a) {
                    let join = place(one.iter().zip(other).map(|(a, b)| *a.max(b)).collect());
                    let meet = place(one.iter().zip(other).map(|(a, b)| *a.min(b)).collect());
                    prop_assert!(scores[join] + scores[meet] >= scores[a] + scores[b], "{one:?} and {other:?}");
                }
            }
        }
        Ok(())
    });
}

#[test]
fn the_score_is_the_summary_of_the_rows() {
    check(config(40), samples(3, 0..=1), |sample| {
        let lattice = Lattice::of(&sample);
        let table = &lattice.table;
        let models = models(table);
        let models: Vec<&dyn Privacy> = models.iter().map(|(_, model)| model.as_ref()).collect();
        let rows = table.rows as f64;
        for (grouping, node) in lattice.groupings.iter().zip(&lattice.nodes) {
            for suppressed in suppressions(grouping, &models) {
                if suppressed.rows == table.rows {
                    continue;
                }
                let kept = kept(table, grouping, &suppressed);
                for (form, loss) in losses(&sample, table) {
                    let place = format!("{form:?} at {node:?} without {} rows", suppressed.rows);
                    let score = loss.score(&kept);
                    let (mut sum, mut seen, mut values) = (0.0, 0, Vec::new());
                    loss.vector(&kept).for_each(table, |_, rows, value| {
                        sum += rows as f64 * value;
                        seen += rows;
                        values.push(value);
                    });
                    prop_assert_eq!(seen, table.rows, "{}", place);
                    let summary = match form.name {
                        "discernibility" => sum,
                        "average-class" => {
                            prop_assert!(values.iter().all(|value| *value == values[0]), "{place}");
                            values[0]
                        }
                        _ => sum / rows,
                    };
                    prop_assert!((score - summary).abs() < SLACK, "{place}: {score}, not {summary}");
                    prop_assert_eq!(loss_parts(loss.as_ref(), &kept).total(), score, "{}", place);
                    let share = if form.name == "discernibility" { score / (rows * rows) } else { score };
                    let most = if form.name == "average-class" { f64::INFINITY } else { 1.0 };
                    prop_assert!((-SLACK..=most + SLACK).contains(&share), "{place}: {share}");
                }
            }
        }
        Ok(())
    });
}

/// A suppressed row always pays the maximum: 1 of what is normalized, n of discernibility.
#[test]
fn suppressed_rows_pay_the_maximum() {
    check(config(40), samples(3, 0..=0), |sample| {
        let lattice = Lattice::of(&sample);
        let table = &lattice.table;
        for grouping in &lattice.groupings {
            let suppressed = Suppressed::by(grouping, |group| group % 2 == 0);
            for (form, loss) in losses(&sample, table) {
                let maximum = match form.name {
                    "general" | "general(numeric=interval)" | "weighted" | "weighted(numeric=interval)" => 1.0,
                    "classification" | "precision" => 1.0,
                    "discernibility" => table.rows as f64,
                    // The others charge a suppressed row by its own value, or as a group.
                    _ => continue,
                };
                let vector = loss.vector(&kept(table, grouping, &suppressed));
                let mut paid = Vec::new();
                vector.for_each(table, |tuple, _, value| {
                    if suppressed.groups[grouping.group_of[tuple] as usize] {
                        paid.push(value);
                    }
                });
                prop_assert!(paid.iter().all(|value| *value == maximum), "{form:?}: {paid:?}");
            }
        }
        Ok(())
    });
}
