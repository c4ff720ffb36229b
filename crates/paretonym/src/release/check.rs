//! What is wrong with a saved recoding. Anybody may have edited the file, and everything that uses it looks things up by
//! the numbers and names in it.

use std::collections::HashSet;

use super::saved::{Mapping, SavedColumn, SavedRecoding, SavedRegions};
use crate::data::{Role, unusable_number};

/// What cannot be true of any recoding; none where all fits together.
pub(super) fn contradiction(saved: &SavedRecoding) -> Option<String> {
    if saved.columns.is_empty() {
        return Some("it recodes no column".to_owned());
    }
    if saved.k == 0 {
        return Some("k is 0".to_owned());
    }
    if let Err(error) = saved.study.validate() {
        return Some(format!("its study is wrong ({error})"));
    }
    // A quasi column that is not recoded would be released as it is.
    let mut recoded: Vec<&str> = saved.columns.iter().map(|column| column.name.as_str()).collect();
    let quasi = saved.study.columns.iter().filter(|column| column.role.has(Role::Quasi));
    let mut quasi: Vec<&str> = quasi.map(|column| column.name.as_str()).collect();
    recoded.sort_unstable();
    quasi.sort_unstable();
    if recoded != quasi {
        return Some("it does not recode just the quasi columns of its study".to_owned());
    }
    let local = saved.regions.is_some();
    for column in &saved.columns {
        if let Some(what) = contradiction_of(column, local) {
            return Some(format!("column {:?} {what}", column.name));
        }
    }
    let known = |sets: &Vec<u32>| {
        let mut pairs = sets.iter().zip(&saved.columns);
        sets.len() == saved.columns.len() && pairs.all(|(set, column)| (*set as usize) < column.sets.len())
    };
    if saved.regions.as_ref().is_some_and(|regions| !regions.boxes.iter().all(known)) {
        return Some("a box shows a set that its column does not have".to_owned());
    }
    if saved.regions.as_ref().is_some_and(|regions| !regions.exceptions.iter().all(|one| possible(saved, regions, one)))
    {
        return Some("an exception has a value or a box that is not listed".to_owned());
    }
    None
}

/// Whether an exception has one listed value per column, and a listed box or none.
fn possible(saved: &SavedRecoding, regions: &SavedRegions, (codes, region): &(Vec<u32>, Option<u32>)) -> bool {
    let listed = |(code, column): (&u32, &SavedColumn)| (*code as usize) < column.leaves.len();
    codes.len() == saved.columns.len()
        && codes.iter().zip(&saved.columns).all(listed)
        && region.is_none_or(|region| (region as usize) < regions.boxes.len())
}

fn contradiction_of(column: &SavedColumn, local: bool) -> Option<String> {
    if column.domain == 0 || column.sets.is_empty() {
        return Some("has no values".to_owned());
    }
    for set in &column.sets {
        if set.values > column.domain || !(0.0..=1.0).contains(&set.loss) {
            return Some(format!("has a set {:?} of impossible size or loss", set.label));
        }
        if set.median.is_some_and(|median| unusable_number(median).is_some()) {
            return Some(format!("has a set {:?} with an impossible median", set.label));
        }
        let within = set.holds.iter().all(|(first, last)| first <= last && (*last as usize) < column.leaves.len());
        let ascend = set.holds.windows(2).all(|pair| pair[0].1 < pair[1].0);
        if !within || !ascend || (!local && !set.holds.is_empty()) {
            return Some("has a set of values that it does not list".to_owned());
        }
    }
    if local == column.leaves.is_empty() {
        return Some("lists values where it should not, or does not where it should".to_owned());
    }
    let sets = first_twice(column.sets.iter().map(|set| set.label.as_str()));
    if let Some(text) = sets.or_else(|| first_twice(column.leaves.iter().map(String::as_str))) {
        return Some(format!("names {text:?} twice"));
    }
    contradiction_of_mapping(column, local)
}

/// The first text that was there before.
fn first_twice<'t>(mut texts: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let mut seen = HashSet::new();
    texts.find(|text| !seen.insert(*text))
}

fn contradiction_of_mapping(column: &SavedColumn, local: bool) -> Option<String> {
    let ends: Vec<f64> = match &column.mapping {
        Mapping::Values { values } => {
            if let Some(twice) = first_twice(values.iter().map(|one| one.value.as_str())) {
                return Some(format!("maps {twice:?} twice"));
            }
            Vec::new()
        }
        Mapping::Numbers { numbers } => numbers.iter().map(|one| one.value).collect(),
        Mapping::Bins { bins, .. } => {
            if bins.windows(2).any(|pair| pair[0].to != pair[1].from) {
                return Some("has intervals that do not begin where the one before ends".to_owned());
            }
            let ends = bins.iter().map(|bin| bin.from).chain(bins.last().map(|bin| bin.to));
            // The outermost bins may have no end.
            let (least, most) = (bins.first().map(|bin| bin.from), bins.last().map(|bin| bin.to));
            let open =
                |end: f64| end == f64::NEG_INFINITY && Some(end) == least || end == f64::INFINITY && Some(end) == most;
            ends.filter(|end| !open(*end)).collect()
        }
    };
    if let Some(why) = ends.iter().find_map(|number| unusable_number(*number)) {
        return Some(format!("maps a number that is none: {why}"));
    }
    if ends.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Some("maps numbers that do not ascend".to_owned());
    }
    let known: HashSet<&str> = column.codes().collect();
    let labels: Vec<&str> = column.mapping.labels().collect();
    if let Some(label) = labels.iter().copied().chain(column.missing.as_deref()).find(|label| !known.contains(label)) {
        return Some(format!("maps a value to {label:?}, which is not a set"));
    }
    // Conditions are written by the places of the values, which must be those of the mapping.
    let listed = column.leaves.iter().map(String::as_str).filter(|leaf| Some(*leaf) != column.missing.as_deref());
    if local && !listed.eq(labels) {
        return Some("lists other values than it maps".to_owned());
    }
    None
}
