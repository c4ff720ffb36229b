//! A comparison in words.

use super::{Comparison, Dominance};

/// One sentence per pair of releases: who is better off, who keeps more detail, and what equal weights make of it.
pub fn verdict(comparison: &Comparison) -> Vec<String> {
    let count = comparison.releases.len();
    let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
    pairs.map(|(i, j)| sentence(comparison, i, j)).collect()
}

fn sentence(comparison: &Comparison, i: usize, j: usize) -> String {
    let (first, second) = (&comparison.releases[i], &comparison.releases[j]);
    let mut parts = Vec::new();
    for property in &comparison.properties {
        let gain = match property.name.as_str() {
            "group-size" => "gives {} a larger group",
            "utility" => "keeps more detail for {}",
            "l" => "puts {} into a more diverse group",
            "t" => "puts {} into a group closer to the whole table",
            _ => continue,
        };
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
            (false, false) => parts.push(format!("{} is the same for everybody", property.name)),
            (true, false) => parts.push(of(first, ahead)),
            (false, true) => parts.push(of(second, behind)),
            (true, true) => parts.push(format!("{}, {}", of(first, ahead), of(second, behind))),
        }
    }
    if let Some((_, matrix)) = comparison.sets.preferred.iter().find(|(name, _)| name == "wtd") {
        parts.push(match matrix[i][j] {
            0 => "equal weights: a tie".to_owned(),
            1 => format!("equal weights: {first}"),
            _ => format!("equal weights: {second}"),
        });
    }
    parts.push(match comparison.sets.dominance[i][j] {
        Dominance::Strong => format!("{first} is at least as good for everybody in everything"),
        Dominance::Dominated => format!("{second} is at least as good for everybody in everything"),
        Dominance::Weak => "nobody can tell them apart".to_owned(),
        Dominance::Incomparable => "neither is better for everybody".to_owned(),
    });
    format!("{}.", parts.join("; "))
}
