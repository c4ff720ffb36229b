//! The properties of a release made by any tool, from nothing but its cells: the set behind a label is the set of
//! original values seen under it in that column.

use std::collections::HashMap;

use super::{Property, Release};
use crate::privacy::Reference;

/// A column as codes: rows with the same code hold the same text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coded {
    /// Its name.
    pub name: String,
    /// One code per row, each below `texts.len()`.
    pub codes: Vec<u32>,
    /// The text behind each code.
    pub texts: Vec<String>,
}

/// The original table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Original {
    /// Its rows.
    pub rows: usize,
    /// The columns that releases recode.
    pub quasi: Vec<Coded>,
    /// The columns that releases protect.
    pub sensitive: Vec<Coded>,
}

/// What a release is worth to each row of the original. `cells` holds, per quasi column, the code of what the release shows
/// for each original row; `present` tells which rows it has at all. The others count as suppressed: one group that
/// shows nothing.
pub fn released(name: &str, original: &Original, cells: &[Coded], present: &[bool]) -> Release {
    let rows = original.rows;
    let mut groups: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut group_of = Vec::with_capacity(rows);
    for (row, present) in present.iter().enumerate() {
        let shown: Vec<u32> =
            if *present { cells.iter().map(|column| column.codes[row]).collect() } else { Vec::new() };
        let next = groups.len() as u32;
        group_of.push(*groups.entry(shown).or_insert(next) as usize);
    }
    let mut sizes = vec![0u32; groups.len()];
    group_of.iter().for_each(|group| sizes[*group] += 1);

    let mut utility = vec![0.0; rows];
    for (shown, hidden) in cells.iter().zip(&original.quasi) {
        let losses = label_losses(shown, hidden, present);
        for row in (0..rows).filter(|row| present[*row]) {
            utility[row] += 1.0 - losses[shown.codes[row] as usize];
        }
    }
    let property = |name: String, values: Vec<f64>| Property { name, values, rows: None };
    let of_groups = |values: &[f64]| group_of.iter().map(|group| values[*group]).collect::<Vec<f64>>();
    let sizes_of: Vec<f64> = sizes.iter().map(|size| f64::from(*size)).collect();
    let mut properties = vec![property("group-size".into(), of_groups(&sizes_of)), property("utility".into(), utility)];

    if !original.sensitive.is_empty() {
        let (mut level, mut distance) = (vec![f64::INFINITY; sizes.len()], vec![0f64; sizes.len()]);
        let mut counted = Vec::new();
        for column in &original.sensitive {
            let mut tallies: HashMap<(usize, u32), u32> = HashMap::new();
            let mut totals = vec![0u64; column.texts.len()];
            for (group, code) in group_of.iter().zip(&column.codes) {
                *tallies.entry((*group, *code)).or_default() += 1;
                totals[*code as usize] += 1;
            }
            let mut inside: Vec<(usize, u32, u32)> = tallies.iter().map(|((g, v), count)| (*g, *v, *count)).collect();
            inside.sort_unstable();
            let reference = Reference::nominal(&totals);
            for group in inside.chunk_by(|a, b| a.0 == b.0) {
                let at = group[0].0;
                let values: Vec<u32> = group.iter().map(|entry| entry.1).collect();
                let counts: Vec<u32> = group.iter().map(|entry| entry.2).collect();
                let most = counts.iter().copied().max().unwrap_or(1);
                level[at] = level[at].min(f64::from(sizes[at] / most));
                distance[at] = distance[at].max(reference.distance(&values, &counts, f64::from(sizes[at])));
            }
            let own = group_of.iter().zip(&column.codes).map(|(group, code)| f64::from(tallies[&(*group, *code)]));
            counted.push(property(format!("sensitive-count:{}", column.name), own.collect()));
        }
        let closeness: Vec<f64> = distance.iter().map(|distance| -distance).collect();
        properties.push(property("l".into(), of_groups(&level)));
        properties.push(property("t".into(), of_groups(&closeness)));
        properties.extend(counted);
    }
    Release { name: name.to_owned(), properties }
}

/// The cell loss of each label of a column.
fn label_losses(shown: &Coded, hidden: &Coded, present: &[bool]) -> Vec<f64> {
    let mut pairs: Vec<(u32, u32)> =
        (0..present.len()).filter(|row| present[*row]).map(|row| (shown.codes[row], hidden.codes[row])).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut values = vec![0u32; shown.texts.len()];
    pairs.iter().for_each(|(label, _)| values[*label as usize] += 1);
    let mut domain = hidden.codes.clone();
    domain.sort_unstable();
    domain.dedup();
    let full = (domain.len() as f64 - 1.0).max(1.0);
    values.iter().map(|values| (f64::from(*values) - 1.0).max(0.0) / full).collect()
}
