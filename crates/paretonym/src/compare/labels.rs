//! What a label of any tool says of the value behind it, where its form says anything.

/// Whether a cell shows nothing.
pub fn is_star(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte == b'*')
}

/// Whether two cells hold one value, as texts or as numbers.
pub fn same_value(one: &str, other: &str) -> bool {
    one == other || number(one).is_some_and(|own| number(other) == Some(own))
}

/// Whether a label stands for a set that has a value in it; none where its form does not tell.
pub fn covers(label: &str, value: &str) -> Option<bool> {
    interval(label, value).or_else(|| prefix(label, value)).or_else(|| set(label, value)).or_else(|| date(label, value))
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

/// `[20, 30)`, `(20,30]`, `20-30`, `20..30`, `20 to 30`, `< 20`, `>= 90`, `90+`. Tools differ in which ends belong to an
/// interval, so that both are taken to.
fn interval(label: &str, value: &str) -> Option<bool> {
    let (low, high) = ends(label)?;
    match number(value) {
        Some(value) => {
            let (low, high) = (optional(low)?, optional(high)?);
            let rises = !matches!((low, high), (Some(low), Some(high)) if low > high);
            rises.then(|| low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high))
        }
        // Days are in the order of their texts.
        None if is_day(value) => {
            let day = |end: Option<&str>| end.is_none_or(is_day);
            let inside = || low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high);
            (day(low) && day(high)).then(inside)
        }
        None => None,
    }
}

/// An end of an interval as a number; the outer none is for a text that is none.
fn optional(end: Option<&str>) -> Option<Option<f64>> {
    match end {
        None => Some(None),
        Some(text) => number(text).map(Some),
    }
}

/// The ends of an interval as they are written; none for an open one.
fn ends(label: &str) -> Option<(Option<&str>, Option<&str>)> {
    let label = label.trim();
    if let Some(rest) = label.strip_prefix('<') {
        return Some((None, Some(rest.trim_start_matches('=').trim())));
    }
    if let Some(rest) = label.strip_prefix('>') {
        return Some((Some(rest.trim_start_matches('=').trim()), None));
    }
    if let Some(rest) = label.strip_suffix('+') {
        return Some((Some(rest.trim()), None));
    }
    if let Some(inner) = label.strip_prefix(['[', '(', ']']).and_then(|rest| rest.strip_suffix([')', ']', '['])) {
        let (low, high) = inner.split_once([',', ';'])?;
        return Some((bounded(low.trim()), bounded(high.trim())));
    }
    let between = [" to ", "..", " - ", "–"].iter().find_map(|between| label.split_once(between));
    // A minus at the beginning is a sign.
    let hyphen = || label.char_indices().skip(1).find(|(_, letter)| *letter == '-').map(|(at, _)| label.split_at(at));
    let (low, high) = between.or_else(|| hyphen().map(|(low, high)| (low, &high[1..])))?;
    let both_numbers = number(low).is_some() && number(high).is_some();
    both_numbers.then_some((Some(low.trim()), Some(high.trim())))
}

/// An end that is written down, unless it is written as an open one.
fn bounded(end: &str) -> Option<&str> {
    let open = matches!(end, "" | "-inf" | "inf" | "-∞" | "∞" | "-Inf" | "Inf");
    (!open).then_some(end)
}

/// `130**`
fn prefix(label: &str, value: &str) -> Option<bool> {
    let stem = label.trim_end_matches('*');
    (stem.len() < label.len() && !stem.is_empty()).then(|| value.starts_with(stem))
}

/// `{a, b}`
fn set(label: &str, value: &str) -> Option<bool> {
    let inner = label.strip_prefix('{')?.strip_suffix('}')?;
    // A list that was cut says nothing of the rest. Values may have commas, so that a part of the text will do.
    (!inner.contains('…')).then(|| inner.contains(value))
}

fn is_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 10
        && bytes[..10]
            .iter()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { *byte == b'-' } else { byte.is_ascii_digit() })
}

/// A month `2021-03`, quarter `2021-Q1`, year `2021` or decade `2020s` for a day.
fn date(label: &str, value: &str) -> Option<bool> {
    if !is_day(value) {
        return None;
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match label.len() {
        4 if digits(label) => Some(value.starts_with(label)),
        5 if label.ends_with("0s") && digits(&label[..4]) => Some(value.starts_with(&label[..3])),
        7 if digits(label.get(..4)?) && label.get(4..6) == Some("-Q") => {
            let month: u32 = value[5..7].parse().ok()?;
            Some(value.starts_with(&label[..4]) && label[6..].parse() == Ok(month.div_ceil(3)))
        }
        7 if digits(label.get(..4)?) && digits(label.get(5..)?) => Some(value.starts_with(label)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_many_tools() {
        for (label, inside, outside) in [
            ("[20, 30)", "25", "31"),
            ("(20,30]", "30", "19"),
            ("[20, 30[", "20.5", "30.1"),
            ("20-30", "22", "31"),
            ("-20 - -10", "-15", "5"),
            ("-5-5", "0", "6"),
            ("20..30", "20", "40"),
            ("< 20", "7", "21"),
            (">= 90", "95", "3"),
            ("90+", "90", "89"),
            ("[-inf, 3]", "-8", "4"),
            ("130**", "13053", "14053"),
            ("{Aix, Bonn}", "Bonn", "Cork"),
            ("2021-03", "2021-03-31", "2021-04-01"),
            ("2021-Q1", "2021-02-01", "2021-05-01"),
            ("2021", "2021-12-31", "2020-12-31"),
            ("1980s", "1989-01-01", "1990-01-01"),
            ("[1982-09-23, 1984-10-26]", "1983-01-01", "1985-01-01"),
        ] {
            assert_eq!(covers(label, inside), Some(true), "{label} {inside}");
            assert_eq!(covers(label, outside), Some(false), "{label} {outside}");
        }
        for (label, value) in
            [("Married", "Divorced"), ("north", "Aix"), ("37", "40"), ("", "x"), ("a-b", "7"), ("{a, …}", "b")]
        {
            assert_eq!(covers(label, value), None, "{label} {value}");
        }
        assert!(is_star("*") && is_star("*****") && !is_star("") && !is_star("1*"));
        assert!(same_value("5", "5.0") && same_value("x", "x") && !same_value("x", "y"));
    }
}
