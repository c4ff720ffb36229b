//! Levels of dates: day → month → quarter → year → decade → *.

use super::{Hierarchy, Level};
use crate::error::{Error, Result};

/// A value that was read as a date; the derived order is chronological, then by text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Date {
    year: u32,
    month: u32,
    /// 0 for a value that names a month only.
    day: u32,
    /// The clock time `HH:MM…` as written, empty where there is none.
    time: String,
    /// The whole value.
    text: String,
}

/// The distinct dates in chronological order and their hierarchy.
///
/// A value is `YYYY-MM-DD`, a real day of the calendar, or `YYYY-MM`; a time may follow after `T` or a space. Each
/// distinct value is a leaf. The levels above are month `2021-03`, quarter `2021-Q1`, year `2021`, decade `2020s` and
/// `*`, all of them even where one changes nothing; where some value has a time, the day comes first. Times are compared
/// as written, whatever their zone.
///
/// [`months_level`] tells which of them is the months.
///
/// Fails on a value that is not a date, naming it.
pub fn date_levels(place: &str, values: &[String]) -> Result<(Vec<String>, Hierarchy)> {
    let mut dates = Vec::with_capacity(values.len());
    for value in values {
        let date = parse(value).ok_or_else(|| {
            Error::taxonomy(place, format!("{value:?} is not a date; dates are written YYYY-MM-DD, like 2021-03-31"))
        })?;
        dates.push(date);
    }
    dates.sort();
    dates.dedup();
    let leaves: Vec<String> = dates.iter().map(|date| date.text.clone()).collect();
    if leaves.is_empty() {
        return Ok((leaves, Hierarchy::flat(&[])));
    }
    let mut levels = Vec::new();
    if dates.iter().any(|date| !date.time.is_empty()) {
        levels.push(runs(&dates, |date| match date.day {
            0 => format!("{:04}-{:02}", date.year, date.month),
            day => format!("{:04}-{:02}-{day:02}", date.year, date.month),
        }));
    }
    levels.push(runs(&dates, |date| format!("{:04}-{:02}", date.year, date.month)));
    levels.push(runs(&dates, |date| format!("{:04}-Q{}", date.year, date.month.div_ceil(3))));
    levels.push(runs(&dates, |date| format!("{:04}", date.year)));
    levels.push(runs(&dates, |date| format!("{:04}s", date.year / 10 * 10)));
    levels.push(runs(&dates, |_| "*".to_owned()));
    let hierarchy = Hierarchy::from_partitions(place, &leaves, levels)?;
    Ok((leaves, hierarchy))
}

/// The level that joins dates by months: the fourth below the top.
pub fn months_level(hierarchy: &Hierarchy) -> usize {
    hierarchy.height().saturating_sub(4)
}

/// Neighbouring dates with the same label are one set.
fn runs(dates: &[Date], label: impl Fn(&Date) -> String) -> Level {
    let mut level = Level { set_of: Vec::with_capacity(dates.len()), labels: Vec::new() };
    for date in dates {
        let label = label(date);
        if level.labels.last() != Some(&label) {
            level.labels.push(label);
        }
        level.set_of.push(level.labels.len() as u32 - 1);
    }
    level
}

fn parse(text: &str) -> Option<Date> {
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = digits(parts.next()?, 2)?;
    let day = parts.next().map(|day| digits(day, 2));
    let last = days_in(year, month)?;
    let day = match day {
        Some(day) => day.filter(|day| (1..=last).contains(day))?,
        None if time.is_none() => 0,
        None => return None,
    };
    if parts.next().is_some() || time.is_some_and(|time| !is_time(time)) {
        return None;
    }
    Some(Date { year, month, day, time: time.unwrap_or_default().to_owned(), text: text.to_owned() })
}

/// Exactly so many digits and nothing else.
fn digits(text: &str, count: usize) -> Option<u32> {
    let right = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    right.then(|| text.parse().ok()).flatten()
}

/// None where there is no such month.
fn days_in(year: u32, month: u32) -> Option<u32> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => Some(if leap { 29 } else { 28 }),
        4 | 6 | 9 | 11 => Some(30),
        1..=12 => Some(31),
        _ => None,
    }
}

/// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fff`, with `Z` or an offset such as `+01:00` behind it or not.
fn is_time(text: &str) -> bool {
    let clock = match text.strip_suffix('Z') {
        Some(clock) => clock,
        None => match text.split_once(['+', '-']) {
            Some((clock, offset)) => {
                let (hours, minutes) = offset.split_once(':').unwrap_or((offset, "00"));
                if !(below(hours, 24) && below(minutes, 60)) {
                    return false;
                }
                clock
            }
            None => text,
        },
    };
    let mut parts = clock.trim_end().splitn(3, ':');
    let hours = parts.next().is_some_and(|hours| below(hours, 24));
    let minutes = parts.next().is_some_and(|minutes| below(minutes, 60));
    let seconds = parts.next().is_none_or(|seconds| {
        let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
        // 60 is a leap second.
        below(whole, 61) && !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit())
    });
    hours && minutes && seconds
}

fn below(text: &str, limit: u32) -> bool {
    digits(text, 2).is_some_and(|number| number < limit)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(values: &[&str]) -> Result<(Vec<String>, Hierarchy)> {
        let values: Vec<String> = values.iter().map(|value| value.to_string()).collect();
        date_levels("column \"born\"", &values)
    }

    #[test]
    fn days_go_up_to_decades() {
        let (leaves, hierarchy) = read(&["2021-03-31", "1999-12-01", "2021-04-01", "2020-02-29"]).unwrap();
        assert_eq!(leaves, ["1999-12-01", "2020-02-29", "2021-03-31", "2021-04-01"]);
        assert_eq!(hierarchy.height(), 5);
        assert_eq!(hierarchy.level(1).labels, ["1999-12", "2020-02", "2021-03", "2021-04"]);
        assert_eq!(hierarchy.level(2).labels, ["1999-Q4", "2020-Q1", "2021-Q1", "2021-Q2"]);
        assert_eq!(hierarchy.level(3).labels, ["1999", "2020", "2021"]);
        assert_eq!(hierarchy.level(4).labels, ["1990s", "2020s"]);
        assert_eq!(hierarchy.level(5).labels, ["*"]);
    }

    #[test]
    fn levels_that_change_nothing_stay() {
        assert_eq!(read(&["2021-03-31"]).unwrap().1.height(), 5);
        assert_eq!(read(&["2021-03", "2021-04"]).unwrap().1.level(1).labels, ["2021-03", "2021-04"]);
        assert_eq!(read(&[]).unwrap().1.leaves(), 0);
    }

    #[test]
    fn times_are_leaves_below_their_day() {
        let (leaves, hierarchy) = read(&["2021-03-31T10:00:00Z", "2021-03-31 09:30", "2021-03-31"]).unwrap();
        assert_eq!(leaves, ["2021-03-31", "2021-03-31 09:30", "2021-03-31T10:00:00Z"]);
        assert_eq!(hierarchy.height(), 6);
        assert_eq!(hierarchy.level(1).labels, ["2021-03-31"]);
    }

    #[test]
    fn what_is_not_a_date_is_named() {
        let wrong =
            ["2021-02-29", "1900-02-29", "2021-13-01", "2021-00-01", "2021-04-31", "2021-04-00", "21-04-01", ""];
        let wrong_times =
            ["2021-04-01T", "2021-04-01T25:00", "2021-04-01 10:60", "2021-04-01T10:00:00+99:00", "2021-04 10:00"];
        for value in wrong.iter().chain(&wrong_times).chain(&["2021-04-01-01", "+021-04-01", "2021-4-1", "2021/04/01"])
        {
            let error = read(&["2021-01-01", value]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("column \"born\": {value:?} is not a date")), "{error}");
        }
        for value in ["2000-02-29", "2024-02-29", "2021-04-01T10:00:00.123+01:00", "2021-04-01 10:00:60"] {
            assert!(read(&[value]).is_ok(), "{value}");
        }
    }

    proptest! {
        #[test]
        fn all_dates_give_a_hierarchy(days in prop::collection::vec((0u32..=9999, 1u32..=12, 1u32..=28), 1..50)) {
            let values: Vec<String> = days.iter().map(|(y, m, d)| format!("{y:04}-{m:02}-{d:02}")).collect();
            let (leaves, hierarchy) = date_levels("x", &values).unwrap();
            prop_assert!(leaves.is_sorted());
            prop_assert_eq!(hierarchy.height(), 5);
        }

        #[test]
        fn no_text_panics(text in ".{0,30}|[0-9T: +Z.é-]{0,30}") {
            let _ = date_levels("x", &[text]);
        }
    }
}
