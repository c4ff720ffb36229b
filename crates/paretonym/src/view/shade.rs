//! Colours of solutions by the share of rows that they suppress.

use serde::Serialize;

use super::number::Format;
use super::scale::ticks;

/// Colours: none suppressed, and up to four ranges.
const COLOURS: usize = 5;

/// The colour of each solution, and what the colours mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Shades {
    /// The upper ends of the ranges that have a colour of their own; what is above 0 starts the first.
    pub ends: Vec<f64>,
    /// What each colour means, that of nothing suppressed first.
    pub words: Vec<String>,
    /// The colour of each solution.
    pub of: Vec<usize>,
}

impl Shades {
    /// From the share that each solution suppresses; what is not known counts as nothing.
    pub fn new(shares: &[Option<f64>]) -> Self {
        let ends = ends(shares.iter().flatten().copied().fold(0.0, f64::max));
        let of = shares.iter().map(|share| colour(&ends, share.unwrap_or_default())).collect();
        Shades { words: words(&ends), of, ends }
    }
}

fn ends(most: f64) -> Vec<f64> {
    if most == 0.0 {
        return Vec::new();
    }
    // As many round ranges as there are colours for, the last of them holding the most.
    let steps = (1..2 * COLOURS).rev().map(|count| ticks(0.0, most, count)).find(|marks| marks.len() < COLOURS);
    let mut ends: Vec<f64> = steps.unwrap_or_default().into_iter().filter(|end| *end > 0.0).collect();
    if ends.last().is_none_or(|last| *last < most * (1.0 - 1e-9)) {
        ends.push(most);
    }
    ends
}

fn colour(ends: &[f64], share: f64) -> usize {
    if share == 0.0 {
        0
    } else {
        1 + ends.iter().position(|end| share <= end * (1.0 + 1e-9)).unwrap_or(ends.len().max(1) - 1)
    }
}

fn words(ends: &[f64]) -> Vec<String> {
    let Some(last) = ends.len().checked_sub(1) else { return vec!["nothing suppressed".to_owned()] };
    let range = |(at, end): (usize, &f64)| {
        let end = if at == last { Format::Share.show(*end) } else { Format::Share.show_round(*end) };
        format!("≤ {end}")
    };
    ["none".to_owned()].into_iter().chain(ends.iter().enumerate().map(range)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_cover_all_suppression() {
        assert_eq!(Shades::new(&[Some(0.0), None]).ends, [] as [f64; 0]);
        for most in [0.0099, 0.02, 0.3, 0.77, 1.0] {
            let shades = Shades::new(&[Some(most), Some(0.0), Some(1e-9), None]);
            assert!(shades.ends.len() < COLOURS && shades.words.len() == shades.ends.len() + 1, "{most}: {shades:?}");
            assert_eq!(shades.of, [shades.ends.len(), 0, 1, 0]);
        }
    }
}
