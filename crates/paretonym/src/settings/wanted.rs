//! Levels that a study demands of every solution.

use std::collections::BTreeMap;

use crate::data::format_number;

/// Levels by the letter or the catalogue name of a privacy model: `{ k = 5 }`.
pub type WantedLevels = BTreeMap<String, f64>;

/// Wanted levels in words, none where there are none: "k >= 5 and t <= 0.3".
///
/// ```
/// use paretonym::settings::{WantedLevels, within};
///
/// let (least, most) = (WantedLevels::from([("k".to_owned(), 5.0)]), WantedLevels::from([("t".to_owned(), 0.3)]));
/// assert_eq!(within(&least, &most).as_deref(), Some("k >= 5 and t <= 0.3"));
/// assert_eq!(within(&WantedLevels::new(), &WantedLevels::new()), None);
/// ```
pub fn within(at_least: &WantedLevels, at_most: &WantedLevels) -> Option<String> {
    let words =
        |sign: &'static str| move |(name, level): (&String, &f64)| format!("{name} {sign} {}", format_number(*level));
    let all: Vec<String> = at_least.iter().map(words(">=")).chain(at_most.iter().map(words("<="))).collect();
    match all.split_last()? {
        (last, []) => Some(last.clone()),
        (last, others) => Some(format!("{} and {last}", others.join(", "))),
    }
}
