//! Do the rows of a release stand in the order of the original? A file of another tool does not say. Position may be trusted
//! only where nothing speaks against it: a label that cannot cover the value at its place, a kept cell that belongs to
//! another row, or labels that fit their places no better than they would in a random order.

use std::collections::HashMap;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::Coded;
use super::labels::{covers, is_star, same_value};

/// Rows that the comparison with random orders looks at.
const SAMPLE: usize = 2_000;
/// Random orders that it tries.
const ORDERS: usize = 199;
/// Fewer rows fit well by chance more often.
const FEW_ROWS: usize = 50;

/// What speaks against the rows of a release being those of the original in their order, in words that hold no cell.
/// Columns are those that both have, the original's and the release's side by side, of equally many rows.
pub fn contradiction(original: &[Coded], shown: &[Coded]) -> Option<String> {
    let pairs = || original.iter().zip(shown);
    let misplaced = pairs().find_map(|(hidden, shown)| {
        let row = misplaced(hidden, shown)?;
        Some(format!("row {} of column {:?} shows what the original has in other rows", row + 1, shown.name))
    });
    misplaced.or_else(|| {
        let unreadable: Vec<(&Coded, &Coded)> = pairs().filter(|(hidden, shown)| has_names(hidden, shown)).collect();
        by_chance(&unreadable).then(|| "its labels fit the rows no better than in a random order".to_owned())
    })
}

/// Which labels are values that were kept: a label that is a value too, and no more frequent. A median or the name of a
/// branch is more frequent than the value that reads the same.
fn kept(hidden: &Coded, shown: &Coded) -> Vec<bool> {
    let count = |column: &Coded| {
        let mut rows = vec![0u64; column.texts.len()];
        column.codes.iter().for_each(|code| rows[*code as usize] += 1);
        rows
    };
    let values: HashMap<&str, usize> = hidden.texts.iter().enumerate().map(|(at, text)| (text.as_str(), at)).collect();
    let (of_values, of_labels) = (count(hidden), count(shown));
    let labels = shown.texts.iter().zip(&of_labels);
    labels.map(|(text, rows)| values.get(text.as_str()).is_some_and(|at| *rows <= of_values[*at])).collect()
}

/// The first row whose cell cannot stand for the original's value there.
fn misplaced(hidden: &Coded, shown: &Coded) -> Option<usize> {
    let kept = kept(hidden, shown);
    let fits = |label: u32, value: u32| {
        let (text, value) = (&shown.texts[label as usize], &hidden.texts[value as usize]);
        same_value(text, value) || is_star(text) || !(kept[label as usize] || covers(text, value) == Some(false))
    };
    // Few pairs are looked at twice.
    let mut known: HashMap<(u32, u32), bool> = HashMap::new();
    let pairs = shown.codes.iter().zip(&hidden.codes);
    pairs.enumerate().find_map(|(row, (label, value))| {
        let fits = *known.entry((*label, *value)).or_insert_with(|| fits(*label, *value));
        (!fits).then_some(row)
    })
}

/// Whether a column has labels of which nothing is known but where they stand.
fn has_names(hidden: &Coded, shown: &Coded) -> bool {
    let value = hidden.texts.first().map_or("", String::as_str);
    let mut labels = shown.texts.iter().zip(kept(hidden, shown));
    labels.any(|(text, kept)| !is_star(text) && !kept && covers(text, value).is_none())
}

/// Whether labels and values meet as they do in random orders: where labels stand for sets of values, the same two meet far
/// more often.
fn by_chance(columns: &[(&Coded, &Coded)]) -> bool {
    let rows = columns.first().map_or(0, |(hidden, _)| hidden.codes.len());
    let step = rows.div_ceil(SAMPLE).max(1);
    let places: Vec<usize> = (0..rows).step_by(step).collect();
    // The sum of squares grows with how often the same two meet, in tables of any size.
    let meetings = |order: &[usize]| -> u64 {
        let of_column = |(hidden, shown): &(&Coded, &Coded)| {
            let mut met: HashMap<(u32, u32), u64> = HashMap::new();
            let pairs = places.iter().zip(order).map(|(at, other)| (hidden.codes[*at], shown.codes[*other]));
            pairs.for_each(|pair| *met.entry(pair).or_default() += 1);
            met.values().map(|rows| rows * rows).sum::<u64>()
        };
        columns.iter().map(of_column).sum()
    };
    let own = meetings(&places);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut order = places.clone();
    let others: Vec<u64> = (0..ORDERS)
        .map(|_| {
            order.shuffle(&mut random);
            meetings(&order)
        })
        .collect();
    // Where no order can be told from another, none is contradicted.
    if others.iter().all(|met| *met == own) {
        return false;
    }
    let no_worse = others.iter().filter(|met| **met >= own).count();
    let few = if places.len() < FEW_ROWS { ORDERS / 10 } else { 0 };
    no_worse > few
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coded(name: &str, cells: impl IntoIterator<Item = String>) -> Coded {
        let mut column = Coded { name: name.into(), ..Coded::default() };
        for cell in cells {
            let known = column.texts.iter().position(|text| *text == cell);
            let code = known.unwrap_or_else(|| {
                column.texts.push(cell);
                column.texts.len() - 1
            });
            column.codes.push(code as u32);
        }
        column
    }

    fn shuffled(column: &Coded) -> Coded {
        let mut codes = column.codes.clone();
        codes.shuffle(&mut ChaCha8Rng::seed_from_u64(7));
        Coded { codes, ..column.clone() }
    }

    /// Columns of every form: numbers in intervals, codes with stars, names of branches, sets, dates, kept values, medians.
    fn forms() -> Vec<(Coded, Coded)> {
        let make = |name: &str, value: &dyn Fn(usize) -> String, label: &dyn Fn(usize) -> String| {
            (coded(name, (0..300).map(value)), coded(name, (0..300).map(label)))
        };
        let age = |row: usize| 20 + row * 37 % 60;
        let town = |row: usize| row * 7 % 11;
        let year = |row: usize| 1950 + row * 13 % 50;
        vec![
            make("age", &|r| age(r).to_string(), &|r| format!("[{}, {})", age(r) / 10 * 10, age(r) / 10 * 10 + 10)),
            make("zip", &|r| format!("{:05}", age(r) * 971), &|r| {
                format!("{}***", &format!("{:05}", age(r) * 971)[..2])
            }),
            make("town", &|r| format!("town {}", town(r)), &|r| ["north", "south", "west"][town(r) / 4].to_owned()),
            make("job", &|r| format!("j{}", town(r)), &|r| {
                format!(
                    "{{{}}}",
                    (0..11).filter(|j| j / 3 == town(r) / 3).map(|j| format!("j{j}")).collect::<Vec<_>>().join(", ")
                )
            }),
            make("born", &|r| format!("{}-03-05", year(r)), &|r| format!("{}s", year(r) / 10 * 10)),
            make("disease", &|r| format!("d{}", r % 4), &|r| format!("d{}", r % 4)),
            make("income", &|r| (age(r) * 100).to_string(), &|r| (age(r) / 20 * 2000 + 700).to_string()),
        ]
    }

    #[test]
    fn rows_in_order_contradict_nothing() {
        let (original, shown): (Vec<Coded>, Vec<Coded>) = forms().into_iter().unzip();
        assert_eq!(contradiction(&original, &shown), None);
        // A release that shows nothing fits any order.
        let nothing = coded("age", (0..300).map(|_| "*".to_owned()));
        assert_eq!(contradiction(&original[..1], &[nothing]), None);
    }

    #[test]
    fn shuffled_rows_are_found_by_every_form_alone() {
        for (original, shown) in forms() {
            let found = contradiction(&[original], &[shuffled(&shown)]);
            assert!(found.is_some(), "{}", shown.name);
            assert!(!found.unwrap().contains("d1"), "no cell is told");
        }
    }

    #[test]
    fn one_swapped_pair_of_rows_is_found() {
        for (original, mut shown) in forms() {
            let other = shown.codes.iter().position(|code| *code != shown.codes[0]).unwrap();
            shown.codes.swap(0, other);
            let found = contradiction(&[original], std::slice::from_ref(&shown));
            // Names and medians tell nothing of a single row.
            let silent = ["town", "income"].contains(&shown.name.as_str());
            assert_eq!(found.is_none(), silent, "{}: {found:?}", shown.name);
        }
    }
}
