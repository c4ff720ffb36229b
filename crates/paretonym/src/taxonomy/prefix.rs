//! Levels of codes such as postal codes: masking from the right, 13053 → 1305* → 130** → … → *.

use super::{Hierarchy, Level, MAX_LEVELS};
use crate::data::MOST_SETS;
use crate::error::{Error, Result};

/// What a masked character shows.
const MASK: char = '*';

/// The sorted distinct codes and their hierarchy: level n hides the last n characters of the longest code.
///
/// Shorter codes count as if they were filled up with the mask, so that `130` joins `13053` in `130**`. There are
/// always as many levels as the longest code has characters, and the top is `*`, even where all codes start alike.
///
/// Where `prefixes` are given, only those levels are made that show so many characters, and the top.
///
/// Fails where a value is too long to be a code.
pub fn prefix_masking(place: &str, values: &[String], prefixes: Option<&[usize]>) -> Result<(Vec<String>, Hierarchy)> {
    let width = values.iter().map(|value| value.chars().count()).max().unwrap_or(0);
    if width > MAX_LEVELS {
        let problem = format!("a value has {width} characters; masking is for codes of at most {MAX_LEVELS}");
        return Err(Error::taxonomy(place, problem));
    }
    if values.len().saturating_mul(width) > MOST_SETS {
        let problem = format!(
            "{} codes of {width} characters make too many levels of too many sets; shorten the codes, or use a taxonomy",
            values.len()
        );
        return Err(Error::taxonomy(place, problem));
    }
    let mut codes: Vec<(Vec<char>, String)> = values
        .iter()
        .map(|value| (value.chars().chain(std::iter::repeat(MASK)).take(width).collect(), value.clone()))
        .collect();
    codes.sort();
    codes.dedup();
    let wanted = |hidden: &usize| *hidden == width || prefixes.is_none_or(|own| own.contains(&(width - hidden)));
    let levels = match codes.is_empty() {
        true => Vec::new(),
        false => (1..=width).filter(wanted).map(|hidden| masked(&codes, hidden)).collect(),
    };
    let leaves: Vec<String> = codes.into_iter().map(|(_, value)| value).collect();
    let hierarchy = Hierarchy::from_partitions(place, &leaves, levels)?;
    Ok((leaves, hierarchy))
}

/// The sorted codes with the last `hidden` characters masked.
fn masked(codes: &[(Vec<char>, String)], hidden: usize) -> Level {
    let mut level = Level { set_of: Vec::with_capacity(codes.len()), labels: Vec::new() };
    let mut last: Option<&[char]> = None;
    for (code, _) in codes {
        let shown = &code[..code.len() - hidden];
        if last != Some(shown) {
            last = Some(shown);
            level.labels.push(if shown.is_empty() {
                MASK.to_string()
            } else {
                shown.iter().copied().chain(std::iter::repeat_n(MASK, hidden)).collect()
            });
        }
        level.set_of.push(level.labels.len() as u32 - 1);
    }
    level
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn codes_lose_characters_from_the_right() {
        let (leaves, hierarchy) = prefix_masking("zip", &names(&["14850", "13053", "13068", "14853"]), None).unwrap();
        assert_eq!(leaves, ["13053", "13068", "14850", "14853"]);
        assert_eq!(hierarchy.height(), 5);
        assert_eq!(hierarchy.level(1).labels, ["1305*", "1306*", "1485*"]);
        assert_eq!(hierarchy.level(2).labels, ["130**", "148**"]);
        assert_eq!(hierarchy.level(4).labels, ["1****"]);
        assert_eq!(hierarchy.level(5).labels, ["*"]);
    }

    #[test]
    fn some_prefixes_alone() {
        let codes = names(&["14850", "13053", "13068", "14853"]);
        let (_, hierarchy) = prefix_masking("zip", &codes, Some(&[5, 3, 1])).unwrap();
        assert_eq!(hierarchy.height(), 3, "five characters are the codes themselves");
        assert_eq!(hierarchy.level(1).labels, ["130**", "148**"]);
        assert_eq!(hierarchy.level(2).labels, ["1****"]);
        assert_eq!(hierarchy.level(3).labels, ["*"]);
    }

    #[test]
    fn short_codes_join_where_their_prefix_does() {
        let (leaves, hierarchy) = prefix_masking("zip", &names(&["13053", "130", "131"]), None).unwrap();
        assert_eq!(leaves, ["130", "13053", "131"]);
        assert_eq!(hierarchy.level(1).labels, ["130**", "1305*", "131**"]);
        assert_eq!(hierarchy.level(2).labels, ["130**", "131**"]);
    }

    #[test]
    fn characters_count_not_bytes() {
        let (_, hierarchy) = prefix_masking("x", &names(&["äö", "äü", "é"]), None).unwrap();
        assert_eq!(hierarchy.level(1).labels, ["ä*", "é*"]);
    }

    #[test]
    fn extremes() {
        assert_eq!(prefix_masking("x", &[], None).unwrap().1.leaves(), 0);
        assert_eq!(prefix_masking("x", &names(&["", ""]), None).unwrap().0, [""]);
        assert!(prefix_masking("x", &["x".repeat(500)], None).is_err());
    }

    proptest! {
        #[test]
        fn all_codes_give_a_hierarchy(values in prop::collection::vec("[0-2*é]{0,5}", 0..40)) {
            let (leaves, hierarchy) = prefix_masking("x", &values, None).unwrap();
            let distinct: std::collections::BTreeSet<&String> = values.iter().collect();
            prop_assert_eq!(leaves.len(), distinct.len());
            prop_assert_eq!(hierarchy.leaves(), leaves.len());
        }
    }
}
