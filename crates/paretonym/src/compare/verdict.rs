//! A comparison in words.

use super::{Comparison, Dominance};
use crate::data::format_number;

/// One sentence per pair of releases: who is better off, who keeps more detail, and what equal weights make of it.
pub fn verdict(comparison: &Comparison) -> Vec<String> {
    let count = comparison.releases.len();
    let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
    pairs.map(|(i, j)| sentence(comparison, i, j)).collect()
}

fn sentence(comparison: &Comparison, i: usize, j: usize) -> String {
    let (first, second) = (&comparison.releases[i], &comparison.releases[j]);
    if comparison.matched[i].is_none() || comparison.matched[j].is_none() {
        return unmatched(comparison, i, j);
    }
    let mut parts = Vec::new();
    for property in &comparison.properties {
        let Some(gain) = property.kind.gain() else { continue };
        let people = |share: f64| {
            let rows = (share * comparison.rows).round();
            match rows == comparison.rows {
                true => format!("all {} people", comparison.rows),
                false => format!("{rows} of {} people", comparison.rows),
            }
        };
        let (ahead, behind) = (property.better[i][j], property.better[j][i]);
        let of = |name: &str, share: f64| format!("{name} {}", gain.replace("{}", &people(share)));
        match (ahead > 0.0, behind > 0.0) {
            (false, false) => parts.push(format!("{} is the same for everybody", property.kind.name())),
            (true, false) => parts.push(of(first, ahead)),
            (false, true) => parts.push(of(second, behind)),
            (true, true) => parts.push(format!("{}, {}", of(first, ahead), of(second, behind))),
        }
    }
    for (words, matrix) in &comparison.sets.in_words {
        parts.push(match matrix[i][j] {
            None | Some(0) => format!("{words}: a tie"),
            Some(1) => format!("{words}: {first}"),
            _ => format!("{words}: {second}"),
        });
    }
    parts.push(match comparison.sets.dominance[i][j] {
        Some(Dominance::Strong) => format!("{first} is at least as good for everybody in everything"),
        Some(Dominance::Dominated) => format!("{second} is at least as good for everybody in everything"),
        Some(Dominance::Weak) => "nobody can tell them apart".to_owned(),
        Some(Dominance::Incomparable) | None => "neither is better for everybody".to_owned(),
    });
    format!("{}.", parts.join("; "))
}

/// Of two releases whose rows cannot be matched: what holds for whole releases.
fn unmatched(comparison: &Comparison, i: usize, j: usize) -> String {
    let (first, second) = (&comparison.releases[i], &comparison.releases[j]);
    let mut parts = vec![format!("{first} and {second} cannot be compared row by row")];
    for property in comparison.properties.iter().filter(|property| property.kind.gain().is_some()) {
        let (one, other) = (property.means[i], property.means[j]);
        if !one.is_nan() && !other.is_nan() {
            parts.push(format!(
                "mean {} {} against {}",
                property.kind.name(),
                format_number(one),
                format_number(other)
            ));
        }
    }
    format!("{}.", parts.join("; "))
}
