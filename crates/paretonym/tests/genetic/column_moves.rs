//! Column moves against all partitions of a column, each counted naively from the tuples.

use std::collections::BTreeMap;

use paretonym::front::Archive;
use paretonym::recode::ColumnSets;
use paretonym::search::genetic::{Aim, ColumnMoves, Wish};

use super::*;

/// What a recoding comes to when all groups below a size are suppressed.
struct Counted {
    loss: f64,
    lost: u64,
    squares: u64,
}

/// Every chromosome that differs from one in a single column at most.
fn partitions(layout: &Layout, genome: &Genome, column: usize) -> Vec<Genome> {
    let mut reached = vec![genome.clone()];
    let mut at = 0;
    while at < reached.len() {
        for step in layout.neighbours(&reached[at], false).into_iter().filter(|step| step.column == column) {
            let to = step.to(&reached[at]);
            if !reached.contains(&to) {
                reached.push(to);
            }
        }
        at += 1;
    }
    reached
}

/// Groups by sets of leaves, tuple by tuple, and adds up what the definitions say.
fn counted(table: &FrequencyTable, layout: &Layout, genome: &Genome, loss: &str, size: u64) -> Counted {
    let recoding = layout.decode(table, genome);
    let sets: Vec<ColumnSets> = (0..table.columns.len())
        .map(|column| {
            let mut sets = ColumnSets::default();
            recoding.columns[column].fill(&table.columns[column], &table.leaf_rows[column], &mut sets);
            sets
        })
        .collect();
    let mut groups: BTreeMap<Vec<u32>, (u64, BTreeMap<u32, u64>)> = BTreeMap::new();
    for tuple in 0..table.tuples.len() {
        let leaf = |column: usize| table.leaf(&table.tuples, tuple, column) as usize;
        let key: Vec<u32> = (0..sets.len()).map(|column| sets[column].set_of[leaf(column)]).collect();
        let group = groups.entry(key).or_default();
        group.0 += table.tuples.rows.get(tuple);
        for (value, count) in table.tuples.attributes[0].of(tuple).iter() {
            *group.1.entry(value).or_default() += count;
        }
    }
    let all = table.rows as f64;
    let mut counted = Counted { loss: 0.0, lost: 0, squares: 0 };
    for (key, (rows, classes)) in groups {
        counted.squares += rows * rows;
        let own = rows as f64;
        if rows < size {
            counted.lost += rows;
            counted.loss += if loss == "discernibility" { own * all } else { own / all };
            continue;
        }
        counted.loss += match loss {
            "discernibility" => own * own,
            "classification" => (rows - classes.values().max().unwrap()) as f64 / all,
            // Weights are those of the columns, as are equal shares where there are as many columns as the weight says.
            _ => {
                let cell = |(column, set): (usize, &u32)| {
                    let width = f64::from(sets[column].size(*set as usize) - 1);
                    let weight = if loss == "weighted" { table.columns[column].weight } else { 1.0 / key.len() as f64 };
                    weight * width / (table.columns[column].domain.len() - 1) as f64
                };
                own * key.iter().enumerate().map(cell).sum::<f64>() / all
            }
        };
    }
    counted
}

fn random_genome(layout: &Layout, dice: &mut Dice) -> Genome {
    let share = dice.share();
    layout.random(share, dice)
}

#[test]
fn the_best_partition_at_a_size_is_found() {
    let (mut found_some, mut none) = (0, 0);
    for (shape, seed) in [(Shape::Mixed, 1), (Shape::Cuts, 2), (Shape::Breaks, 3)] {
        let table = table_of(shape, seed);
        let layout = Layout::of(&table);
        let mut dice = Dice::new(seed);
        for (case, loss) in ["general", "weighted", "classification", "discernibility"].repeat(6).iter().enumerate() {
            let eta = [0.0, 0.02, 0.1, 0.4][case % 4];
            let settings = SearchSettings { loss: (*loss).into(), eta, ..settings("max-suppression") };
            let problem = catalog::problem(&settings, &table).unwrap();
            let pool = Pool::new(&table, problem.as_ref(), &layout, &Unwatched);
            let moves = ColumnMoves::of(&table, problem.as_ref()).expect("a sum over groups");
            let genome = random_genome(&layout, &mut dice);
            let size = 1 + dice.below([3, 20, 200][case % 3]) as u64;
            let wish = Wish { genome: genome.clone(), aims: vec![Aim::Size(size)] };
            let budget = (eta * table.rows as f64 + 1e-9) as u64;
            let found = moves.better(&pool, &[wish], &Archive::new()).unwrap();
            for column in 0..layout.segments.len() {
                let least = partitions(&layout, &genome, column)
                    .iter()
                    .map(|own| counted(&table, &layout, own, loss, size))
                    .filter(|counted| counted.lost <= budget)
                    .map(|counted| counted.loss)
                    .fold(f64::INFINITY, f64::min);
                // One that stays as it is is not told.
                let bits = layout.segments[column].bits.clone();
                let own = found.iter().find(|to| bits.clone().any(|bit| to.get(bit) != genome.get(bit)));
                let counted = counted(&table, &layout, own.unwrap_or(&genome), loss, size);
                if least.is_infinite() {
                    assert!(own.is_none(), "{shape:?} {loss} {size}: nothing fits in column {column}");
                    none += 1;
                    continue;
                }
                assert!(counted.lost <= budget, "{shape:?} {loss} k = {size}, column {column}: {}", counted.lost);
                assert!(
                    (counted.loss - least).abs() <= 1e-9 * least.max(1.0),
                    "{shape:?} {loss} eta {eta} k = {size}, column {column}: {} found, {least} exists",
                    counted.loss
                );
                found_some += 1;
            }
        }
    }
    assert!(found_some > 100 && none > 20, "{found_some} found, {none} where nothing fits");
}

#[test]
fn mean_groups_are_as_large_as_a_loss_allows() {
    for (shape, seed) in [(Shape::Mixed, 4), (Shape::Cuts, 5), (Shape::Breaks, 6)] {
        let table = table_of(shape, seed);
        let layout = Layout::of(&table);
        let mut dice = Dice::new(seed);
        let problem = catalog::problem(&settings("zero-suppression"), &table).unwrap();
        let pool = Pool::new(&table, problem.as_ref(), &layout, &Unwatched);
        let moves = ColumnMoves::of(&table, problem.as_ref()).expect("a sum over groups");
        for _ in 0..8 {
            let genome = random_genome(&layout, &mut dice);
            let own = counted(&table, &layout, &genome, "general", 1);
            let most = own.loss + 0.1 * dice.share();
            let better = |aim| {
                let wish = Wish { genome: genome.clone(), aims: vec![aim] };
                let mut found = moves.better(&pool, &[wish], &Archive::new()).unwrap();
                found.push(genome.clone());
                found.iter().map(|own| counted(&table, &layout, own, "general", 1)).collect::<Vec<_>>()
            };
            let (within, hull) = (better(Aim::Loss(most)), better(Aim::TradeOffs));
            let all: Vec<Counted> = (0..layout.segments.len())
                .flat_map(|column| partitions(&layout, &genome, column))
                .map(|own| counted(&table, &layout, &own, "general", 1))
                .collect();
            let largest =
                |some: &[Counted]| some.iter().filter(|own| own.loss <= most + 1e-12).map(|own| own.squares).max();
            assert_eq!(largest(&within), largest(&all), "{shape:?}: mean group within {most}");
            for power in 0..12 {
                let price = 10f64.powi(-power) / table.rows as f64;
                let least = |some: &[Counted]| {
                    some.iter().map(|own| own.loss - price * own.squares as f64).fold(f64::INFINITY, f64::min)
                };
                assert!((least(&hull) - least(&all)).abs() < 1e-9, "{shape:?}: for price {price}");
            }
        }
    }
}

/// The move needs a sum over groups and levels that are numbers of rows.
#[test]
fn other_losses_and_models_have_no_column_move() {
    let table = table(1);
    let moves = |settings: SearchSettings| {
        let problem = catalog::problem(&settings, &table).unwrap();
        ColumnMoves::of(&table, problem.as_ref()).is_some()
    };
    assert!(moves(settings("max-suppression")) && moves(settings("zero-suppression")));
    assert!(moves(settings("single").with("k", 3)));
    for loss in ["average-class", "classification(suppressed=group)", "entropy"] {
        assert!(!moves(SearchSettings { loss: loss.into(), ..settings("max-suppression") }), "{loss}");
    }
    let models = SearchSettings { privacy: OneOrMore::One("distinct-l".into()), ..settings("max-suppression") };
    assert!(!moves(models));
    assert!(!moves(settings("any-suppression")) && !moves(settings("preference")));
}

/// At its end a search has moved every column of every point of its archive.
#[test]
fn no_column_of_what_is_found_can_be_moved() {
    for (shape, seed) in [(Shape::Mixed, 7), (Shape::Breaks, 8)] {
        let table = table_of(shape, seed);
        let layout = Layout::of(&table);
        let settings = SearchSettings { evaluations: Some(1_500), ..settings("max-suppression") };
        let problem = catalog::problem(&settings, &table).unwrap();
        let pool = Pool::new(&table, problem.as_ref(), &layout, &Unwatched);
        let moves = ColumnMoves::of(&table, problem.as_ref()).unwrap();
        for seed in 1..=3 {
            let found = search(&table, problem.as_ref(), &settings, seed);
            assert!(!found.exact && found.evaluated <= 1_500 && found.evaluated >= 1_400, "{}", found.evaluated);
            let mut archive = Archive::new();
            for entry in found.archive.entries() {
                let outcome = paretonym::front::Outcome { point: entry.point, cutoff: entry.cutoff };
                archive.insert(&outcome, entry.recoding.table_wide().unwrap());
            }
            for entry in archive.entries() {
                let genome = layout.encode(&table, &entry.recoding);
                let wish = Wish { genome, aims: vec![Aim::Size(-entry.point.costs()[0] as u64)] };
                let better = moves.better(&pool, &[wish], &archive).unwrap();
                assert!(better.is_empty(), "{shape:?} seed {seed}: {:?} can be bettered", entry.point);
            }
        }
    }
}
