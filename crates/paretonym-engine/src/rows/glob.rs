//! Names in which signs stand for others: `*` for any, `?` for one, `[a-f]` for one of these and `[!a-f]` for one of no others.

/// A part of a pattern.
enum Sign {
    One(char),
    Any,
    Run,
    Among { wanted: bool, ranges: Vec<(char, char)> },
}

impl Sign {
    fn takes(&self, letter: char) -> bool {
        match self {
            Sign::One(own) => *own == letter,
            Sign::Any => true,
            Sign::Run => false,
            Sign::Among { wanted, ranges } => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&letter)) == *wanted
            }
        }
    }
}

/// Whether a name has signs that stand for others.
pub(crate) fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

/// Whether a pattern stands for a name.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (signs(pattern), name.chars().collect::<Vec<char>>());
    let (mut sign, mut at) = (0, 0);
    // Behind the last run that was met, and how far it reaches: only that one ever has to reach further.
    let mut run: Option<(usize, usize)> = None;
    while at < name.len() {
        match pattern.get(sign) {
            Some(Sign::Run) => {
                sign += 1;
                run = Some((sign, at));
            }
            Some(one) if one.takes(name[at]) => (sign, at) = (sign + 1, at + 1),
            _ => match &mut run {
                None => return false,
                Some((behind, reach)) => {
                    *reach += 1;
                    (sign, at) = (*behind, *reach);
                }
            },
        }
    }
    pattern[sign..].iter().all(|sign| matches!(sign, Sign::Run))
}

fn signs(pattern: &str) -> Vec<Sign> {
    let letters: Vec<char> = pattern.chars().collect();
    let mut signs = Vec::new();
    let mut at = 0;
    while let Some(letter) = letters.get(at) {
        at += 1;
        signs.push(match letter {
            '*' => Sign::Run,
            '?' => Sign::Any,
            '[' => match among(&letters[at..]) {
                Some((sign, length)) => {
                    at += length;
                    sign
                }
                // A bracket that nothing closes is a bracket.
                None => Sign::One('['),
            },
            other => Sign::One(*other),
        });
    }
    signs
}

/// What stands behind an opening bracket, and how long it is with the closing one. One that comes first closes nothing.
fn among(letters: &[char]) -> Option<(Sign, usize)> {
    let wanted = !matches!(letters.first(), Some('!' | '^'));
    let start = usize::from(!wanted);
    let end = start + 1 + letters.get(start + 1..)?.iter().position(|letter| *letter == ']')?;
    let mut ranges = Vec::new();
    let mut rest = &letters[start..end];
    while let Some(from) = rest.first() {
        let (to, length) = if let [_, '-', to, ..] = rest { (to, 3) } else { (from, 1) };
        ranges.push((*from, *to));
        rest = &rest[length..];
    }
    Some((Sign::Among { wanted, ranges }, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same by trying everything.
    fn naive(pattern: &[char], name: &[char]) -> bool {
        match pattern {
            [] => name.is_empty(),
            ['*', rest @ ..] => (0..=name.len()).any(|skipped| naive(rest, &name[skipped..])),
            ['?', rest @ ..] => !name.is_empty() && naive(rest, &name[1..]),
            ['[', rest @ ..] => match (naive_class(rest), name) {
                (None, ['[', others @ ..]) => naive(rest, others),
                (None, _) | (_, []) => false,
                (Some((set, behind)), [letter, others @ ..]) => set.contains(letter) && naive(behind, others),
            },
            [sign, rest @ ..] => name.first() == Some(sign) && naive(rest, &name[1..]),
        }
    }

    /// The letters of a class, of those that names are made of here, and what stands behind it.
    fn naive_class(text: &[char]) -> Option<(Vec<char>, &[char])> {
        let (not, inside) = match text {
            ['!' | '^', rest @ ..] => (true, rest),
            _ => (false, text),
        };
        let close = (1..inside.len()).find(|at| inside[*at] == ']')?;
        let has = |letter: char| {
            let mut at = 0;
            while at < close {
                let range = at + 2 < close && inside[at + 1] == '-';
                let last = if range { inside[at + 2] } else { inside[at] };
                if inside[at] <= letter && letter <= last {
                    return true;
                }
                at += if range { 3 } else { 1 };
            }
            false
        };
        Some(("abcé[]-*?!^.".chars().filter(|letter| has(*letter) != not).collect(), &inside[close + 1..]))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn patterns_stand_for_what_trying_everything_finds(
            pattern in "[abcé*?\\[\\]!^.-]{0,9}",
            name in "[abcé\\[\\]*?!^.-]{0,7}",
        ) {
            let letters = |text: &str| text.chars().collect::<Vec<char>>();
            prop_assert_eq!(matches(&pattern, &name), naive(&letters(&pattern), &letters(&name)));
        }
    }

    #[test]
    fn names_of_parts() {
        for (pattern, name) in [
            ("*.csv", "a.csv"),
            ("part-?.csv.gz", "part-7.csv.gz"),
            ("part-[0-4]*.parquet", "part-37.parquet"),
            ("[!_.]*", "people"),
            ("[]x]", "]"),
            ("a[", "a["),
            ("*", ""),
            ("?", "é"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("*.csv", "a.csv.gz"), ("part-?.csv", "part-10.csv"), ("[!a]", "a"), ("[a-", "b")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
        // Does not take forever.
        assert!(!matches(&"*a".repeat(60), &"a".repeat(59)));
    }
}
