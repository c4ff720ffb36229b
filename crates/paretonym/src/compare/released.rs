//! The properties of a release made by any tool, from nothing but its cells: the set behind a label is the set of
//! original values seen under it in that column.

use std::collections::HashMap;

use super::labels::is_star;
use super::{Matched, Property, PropertyKind, Release};
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

/// What is known of a release beyond its cells, where it is one of ours.
#[derive(Default)]
pub struct Known {
    /// Per quasi column what a cell costs, by what it shows. Without it the set behind a label is the set of original
    /// values seen under it.
    pub losses: Option<Vec<HashMap<String, f64>>>,
    /// Per sensitive column the distances between its values, by their codes. Without it all are equally far apart.
    pub references: Option<Vec<Reference>>,
    /// Suppressed rows were left out, so that rows of stars are a group that stays.
    pub stars_stay: bool,
}

/// Which rows of a release show nothing at all.
pub fn starred(cells: &[Coded]) -> Vec<bool> {
    let stars: Vec<Vec<bool>> =
        cells.iter().map(|column| column.texts.iter().map(|text| is_star(text)).collect()).collect();
    let rows = cells.first().map_or(0, |column| column.codes.len());
    let star = |row: usize| cells.iter().zip(&stars).all(|(column, stars)| stars[column.codes[row] as usize]);
    (0..rows).map(star).collect()
}

/// What a release is worth to each row of the original. `cells` holds, per quasi column, the code of what the release shows
/// for each original row; `present` tells which rows it has at all. The others, and those that show only stars, count as
/// suppressed: one group that shows nothing.
pub fn released(
    name: &str,
    original: &Original,
    cells: &[Coded],
    present: &[bool],
    matched: Matched,
    known: &Known,
) -> Release {
    let rows = original.rows;
    let starred = starred(cells);
    let kept: Vec<bool> = (0..rows).map(|row| present[row] && (known.stars_stay || !starred[row])).collect();
    let shown = |row: usize| match kept[row] {
        true => cells.iter().map(|column| column.codes[row]).collect(),
        false => Vec::new(),
    };
    let groups = Groups::by((0..rows).map(shown));
    let mut utility = vec![0.0; rows];
    for (at, (shown, hidden)) in cells.iter().zip(&original.quasi).enumerate() {
        let losses = match &known.losses {
            Some(losses) => known_losses(shown, &losses[at]),
            None => label_losses(shown, hidden, &kept),
        };
        for row in (0..rows).filter(|row| kept[*row]) {
            utility[row] += 1.0 - losses[shown.codes[row] as usize];
        }
    }
    let sensitive: Vec<Sensitive> = original.sensitive.iter().map(Sensitive::of).collect();
    Release::new(name, groups.properties(utility, &sensitive, known), matched)
}

/// What a release is worth when nobody knows which row is whose: the same properties in rising order, but for the utility,
/// which depends on the row. `sensitive` holds the release's own cells; a property that they do not give is no number.
pub fn sorted(name: &str, original: &Original, cells: &[Coded], sensitive: &[Option<Coded>], known: &Known) -> Release {
    let starred = starred(cells);
    let own = starred.len();
    let shown = |row: usize| match row < own && (known.stars_stay || !starred[row]) {
        true => cells.iter().map(|column| column.codes[row]).collect(),
        false => Vec::new(),
    };
    // Rows that are left out are put at the end.
    let groups = Groups::by((0..original.rows).map(shown));
    let hidden: Vec<bool> = (0..original.rows).map(|row| shown(row).is_empty()).collect();
    let of_all = |(own, whole): (&Option<Coded>, &Coded)| own.as_ref().and_then(|own| completed(own, whole, &hidden));
    let completed: Vec<Option<Coded>> = sensitive.iter().zip(&original.sensitive).map(of_all).collect();
    let columns: Vec<Sensitive> = completed
        .iter()
        .zip(&original.sensitive)
        .map(|(own, whole)| Sensitive { name: &whole.name, codes: own.as_ref().map(|own| own.codes.as_slice()), whole })
        .collect();
    let mut properties = groups.properties(vec![f64::NAN; original.rows], &columns, known);
    properties.iter_mut().for_each(|property| property.values.sort_by(f64::total_cmp));
    Release { name: name.to_owned(), properties, matched: None, notes: Vec::new() }
}

/// The cells of a kept column in the codes of the original, those that are left out being what the original has besides.
/// None where the release holds what the original does not.
fn completed(own: &Coded, whole: &Coded, hidden: &[bool]) -> Option<Coded> {
    let code_of: HashMap<&str, u32> =
        whole.texts.iter().enumerate().map(|(code, text)| (text.as_str(), code as u32)).collect();
    let mut left = vec![0u64; whole.texts.len()];
    whole.codes.iter().for_each(|code| left[*code as usize] += 1);
    let mut codes = vec![0; whole.codes.len()];
    for row in (0..codes.len()).filter(|row| !hidden[*row]) {
        codes[row] = *code_of.get(own.texts[own.codes[row] as usize].as_str())?;
        left[codes[row] as usize] = left[codes[row] as usize].checked_sub(1)?;
    }
    let mut rest = left.iter().enumerate().flat_map(|(code, rows)| std::iter::repeat_n(code as u32, *rows as usize));
    for row in (0..codes.len()).filter(|row| hidden[*row]) {
        codes[row] = rest.next()?;
    }
    Some(Coded { name: whole.name.clone(), codes, texts: whole.texts.clone() })
}

/// A sensitive column: the value of each row, and the whole table's.
struct Sensitive<'a> {
    name: &'a str,
    codes: Option<&'a [u32]>,
    whole: &'a Coded,
}

impl<'a> Sensitive<'a> {
    fn of(column: &'a Coded) -> Self {
        Sensitive { name: &column.name, codes: Some(&column.codes), whole: column }
    }
}

/// Rows that show the same.
struct Groups {
    group_of: Vec<usize>,
    sizes: Vec<u32>,
}

impl Groups {
    fn by(shown: impl Iterator<Item = Vec<u32>>) -> Self {
        let mut groups: HashMap<Vec<u32>, usize> = HashMap::new();
        let (mut group_of, mut sizes) = (Vec::new(), Vec::new());
        for shown in shown {
            let group = *groups.entry(shown).or_insert(sizes.len());
            if group == sizes.len() {
                sizes.push(0);
            }
            sizes[group] += 1;
            group_of.push(group);
        }
        Groups { group_of, sizes }
    }

    /// All properties of the rows.
    fn properties(&self, utility: Vec<f64>, sensitive: &[Sensitive], known: &Known) -> Vec<Property> {
        let property = |kind: PropertyKind, values: Vec<f64>| Property { kind, values, rows: None };
        let of_groups = |values: &[f64]| self.group_of.iter().map(|group| values[*group]).collect::<Vec<f64>>();
        let sizes: Vec<f64> = self.sizes.iter().map(|size| f64::from(*size)).collect();
        let mut properties =
            vec![property(PropertyKind::GroupSize, of_groups(&sizes)), property(PropertyKind::Utility, utility)];
        if sensitive.is_empty() {
            return properties;
        }
        let (mut level, mut distance) = (vec![f64::INFINITY; sizes.len()], vec![0f64; sizes.len()]);
        let mut counted = Vec::new();
        for (column, own) in sensitive.iter().enumerate() {
            let kind = PropertyKind::SensitiveCount(own.name.to_owned());
            let Some(codes) = own.codes else {
                (level, distance) = (vec![f64::NAN; sizes.len()], vec![f64::NAN; sizes.len()]);
                counted.push(property(kind, vec![f64::NAN; self.group_of.len()]));
                continue;
            };
            let mut tallies: HashMap<(usize, u32), u32> = HashMap::new();
            self.group_of.iter().zip(codes).for_each(|(group, code)| *tallies.entry((*group, *code)).or_default() += 1);
            let mut inside: Vec<(usize, u32, u32)> = tallies.iter().map(|((g, v), count)| (*g, *v, *count)).collect();
            inside.sort_unstable();
            let mut totals = vec![0u64; own.whole.texts.len()];
            own.whole.codes.iter().for_each(|code| totals[*code as usize] += 1);
            let nominal = Reference::nominal(&totals);
            let reference = known.references.as_ref().map_or(&nominal, |references| &references[column]);
            for group in inside.chunk_by(|a, b| a.0 == b.0) {
                let at = group[0].0;
                let held = group.iter().map(|entry| (entry.1, u64::from(entry.2)));
                let most = group.iter().map(|entry| entry.2).max().unwrap_or(1);
                let (own_level, own_distance) = (f64::from(self.sizes[at] / most), reference.distance(held, sizes[at]));
                // What is unknown of one column is unknown of all.
                level[at] = if level[at].is_nan() { level[at] } else { level[at].min(own_level) };
                distance[at] = if distance[at].is_nan() { distance[at] } else { distance[at].max(own_distance) };
            }
            let own = self.group_of.iter().zip(codes).map(|(group, code)| f64::from(tallies[&(*group, *code)]));
            counted.push(property(kind, own.collect()));
        }
        let closeness: Vec<f64> = distance.iter().map(|distance| -distance).collect();
        properties.push(property(PropertyKind::Diversity, of_groups(&level)));
        properties.push(property(PropertyKind::Closeness, of_groups(&closeness)));
        properties.extend(counted);
        properties
    }
}

/// The cell loss of each label of a column of ours. A label that the recoding lacks is not in the release.
fn known_losses(shown: &Coded, losses: &HashMap<String, f64>) -> Vec<f64> {
    shown.texts.iter().map(|text| losses.get(text).copied().unwrap_or(1.0)).collect()
}

/// The cell loss of each label of a column. A star shows nothing, whatever was seen under it.
fn label_losses(shown: &Coded, hidden: &Coded, kept: &[bool]) -> Vec<f64> {
    let mut pairs: Vec<(u32, u32)> =
        (0..kept.len()).filter(|row| kept[*row]).map(|row| (shown.codes[row], hidden.codes[row])).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut values = vec![0u32; shown.texts.len()];
    pairs.iter().for_each(|(label, _)| values[*label as usize] += 1);
    let mut domain = hidden.codes.clone();
    domain.sort_unstable();
    domain.dedup();
    let full = (domain.len() as f64 - 1.0).max(1.0);
    let loss = |(text, values): (&String, &u32)| match is_star(text) {
        true => 1.0,
        false => (f64::from(*values) - 1.0).max(0.0) / full,
    };
    shown.texts.iter().zip(&values).map(loss).collect()
}
