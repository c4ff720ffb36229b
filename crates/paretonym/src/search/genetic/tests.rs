//! Laws of the operators, on random trees and random chromosomes.

use proptest::prelude::*;

use super::*;
use crate::data::{Domain, Kind};
use crate::group::{FrequencyTable, Grouping, Needs, Workspace};
use crate::recode::{Family, QuasiColumn};
use crate::taxonomy::{Hierarchy, Level};

/// A column with a random tree: levels are made by joining random neighbours.
fn column(name: usize, leaves: usize, family: Family, dice: &mut Dice) -> QuasiColumn {
    let labels: Vec<String> = (0..leaves).map(|leaf| format!("v{leaf}")).collect();
    let mut levels: Vec<Level> = Vec::new();
    let mut below: Vec<u32> = (0..leaves as u32).collect();
    for level in 0..3 {
        let mut set_of = vec![0u32; leaves];
        for leaf in 1..leaves {
            let apart = below[leaf] != below[leaf - 1] && dice.chance(0.6);
            set_of[leaf] = set_of[leaf - 1] + u32::from(apart);
        }
        let sets = set_of[leaves - 1] + 1;
        if sets == 1 {
            break;
        }
        below.clone_from(&set_of);
        levels.push(Level { set_of, labels: (0..sets).map(|set| format!("{level}-{set}")).collect() });
    }
    let hierarchy = Hierarchy::from_partitions("test", &labels, levels).unwrap();
    let domain = Domain::of_labels(Kind::Categorical, labels);
    QuasiColumn { name: format!("c{name}"), domain, hierarchy, family, weight: 0.25 }
}

/// A table of four columns of the three families.
fn table(seed: u64) -> FrequencyTable {
    let mut dice = Dice::new(seed);
    let families = [Family::Cuts, Family::Breaks, Family::Levels, Family::Cuts];
    let columns: Vec<QuasiColumn> = families
        .into_iter()
        .enumerate()
        .map(|(at, family)| {
            let leaves = 2 + dice.below(11);
            column(at, leaves, family, &mut dice)
        })
        .collect();
    let mut tuples: Vec<Vec<u32>> =
        (0..60).map(|_| columns.iter().map(|column| dice.below(column.domain.len()) as u32).collect()).collect();
    tuples.sort();
    tuples.dedup();
    let counts: Vec<u64> = tuples.iter().map(|_| 1 + dice.below(5) as u64).collect();
    FrequencyTable::new(columns, Vec::new(), &tuples.concat(), &counts, &[], 0).unwrap()
}

fn sizes(table: &FrequencyTable, layout: &Layout, genome: &Genome) -> Vec<u64> {
    let mut grouping = Grouping::default();
    let recoding = layout.decode(table, genome);
    Workspace::default().group(table, &table.tuples, &recoding, Needs::default(), &mut grouping);
    let mut sizes: Vec<u64> = grouping.groups.rows.iter().collect();
    sizes.sort_unstable();
    sizes
}

/// All chromosomes that are valid, for layouts of few bits.
fn all_valid(layout: &Layout) -> Vec<Genome> {
    let genomes = (0u64..1 << layout.bits).map(|pattern| {
        let mut genome = Genome::zeros(layout.bits);
        (0..layout.bits).for_each(|bit| genome.set(bit, pattern >> bit & 1 == 1));
        genome
    });
    genomes.filter(|genome| layout.is_valid(genome)).collect()
}

proptest! {
    #[test]
    fn every_operator_keeps_chromosomes_valid(seed: u64, share in 0.0f64..=1.0) {
        let table = table(seed);
        let layout = Layout::of(&table);
        let mut dice = Dice::new(seed ^ 1);
        let (a, b) = (layout.random(share, &mut dice), layout.random(1.0 - share, &mut dice));
        prop_assert!(layout.is_valid(&a) && layout.is_valid(&b));
        for genome in layout.spread(20, &mut dice) {
            prop_assert!(layout.is_valid(&genome));
        }
        for kind in [Crossover::EachColumn, Crossover::Once, Crossover::WholeColumns] {
            for child in layout.cross(kind, &a, &b, &mut dice) {
                prop_assert!(layout.is_valid(&child), "{kind:?}");
            }
        }
        for neighbour in layout.neighbours(&a, true) {
            prop_assert!(layout.is_valid(&neighbour.to(&a)));
            prop_assert!(neighbour.to(&a) != a);
            prop_assert!(!neighbour.merges || neighbour.to(&a).is_coarser(&a));
        }
        let mut mutant = a.clone();
        layout.flip_breaks(&mut mutant, share, &mut dice);
        prop_assert!(layout.is_valid(&mutant));
        for column in 0..layout.segments.len() {
            let before = mutant.clone();
            layout.step(column, &mut mutant, &mut dice);
            prop_assert!(layout.is_valid(&mutant) && mutant != before);
        }
        layout.flip_all(&mut mutant, share, &mut dice);
        layout.repair(&mut mutant);
        prop_assert!(layout.is_valid(&mutant));
    }

    #[test]
    fn a_valid_chromosome_needs_no_repair_and_survives_decoding(seed: u64, share in 0.0f64..=1.0) {
        let table = table(seed);
        let layout = Layout::of(&table);
        let genome = layout.random(share, &mut Dice::new(seed ^ 2));
        let mut repaired = genome.clone();
        layout.repair(&mut repaired);
        prop_assert_eq!(&repaired, &genome);
        prop_assert_eq!(layout.encode(&table, &layout.decode(&table, &genome)), genome);
    }

    /// Grouping what is already grouped gives what grouping the tuples gives.
    #[test]
    fn coarser_chromosomes_roll_up(seed: u64, share in 0.0f64..=1.0) {
        let table = table(seed);
        let layout = Layout::of(&table);
        let genome = layout.random(share, &mut Dice::new(seed ^ 3));
        let (mut workspace, mut fine, mut coarse) = (Workspace::default(), Grouping::default(), Grouping::default());
        workspace.group(&table, &table.tuples, &layout.decode(&table, &genome), Needs::default(), &mut fine);
        for neighbour in layout.neighbours(&genome, false).into_iter().filter(|neighbour| neighbour.merges) {
            let recoding = layout.decode(&table, &neighbour.to(&genome));
            workspace.group(&table, &fine.groups, &recoding, Needs::default(), &mut coarse);
            let mut rolled: Vec<u64> = coarse.groups.rows.iter().collect();
            rolled.sort_unstable();
            prop_assert_eq!(rolled, sizes(&table, &layout, &neighbour.to(&genome)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Counting, repair and the neighbourhood against all patterns of a small tree.
    #[test]
    fn small_trees_by_enumeration(seed: u64) {
        let mut dice = Dice::new(seed);
        let columns = vec![column(0, 2 + dice.below(8), Family::Cuts, &mut dice), column(1, 3, Family::Levels, &mut dice)];
        let table = FrequencyTable::new(columns, Vec::new(), &[0, 0, 1, 1], &[2, 3], &[], 0).unwrap();
        let layout = Layout::of(&table);
        let valid = all_valid(&layout);
        prop_assert_eq!(layout.size(), Some(valid.len() as u64));
        let distance = |a: &Genome, b: &Genome| (0..layout.bits).filter(|bit| a.get(*bit) != b.get(*bit)).count();
        for _ in 0..20 {
            let mut genome = Genome::zeros(layout.bits);
            (0..layout.bits).for_each(|bit| genome.set(bit, dice.chance(0.5)));
            // A level is the nearest by its number of ones; only cuts are compared bit by bit.
            layout.segments[1].repair(&mut genome);
            let mut repaired = genome.clone();
            layout.repair(&mut repaired);
            let nearest = valid.iter().map(|other| distance(other, &genome)).min().unwrap();
            prop_assert_eq!(distance(&repaired, &genome), nearest);
        }
        // From everything joined, steps lead to every recoding.
        let mut reached = vec![Genome::zeros(layout.bits)];
        let mut at = 0;
        while at < reached.len() {
            let next = layout.neighbours(&reached[at], false).into_iter().map(|neighbour| neighbour.to(&reached[at]));
            let new: Vec<Genome> = next.filter(|genome| !reached.contains(genome)).collect();
            reached.extend(new);
            at += 1;
        }
        prop_assert_eq!(reached.len(), valid.len());
    }
}
