//! Levels of dates: day → month → quarter → year → decade → *.

use super::{Hierarchy, Level};
use crate::data::{DATE_FORMATS, Date, DateFormat, date_formats_of};
use crate::error::{Error, Result};

/// The distinct dates in chronological order and their hierarchy.
///
/// A value is a real day of the calendar in the given format, or in the only format that all values fit; a time may follow
/// after `T` or a space. Each distinct value is a leaf, as it is written. The levels above are month `2021-03`, quarter
/// `2021-Q1`, year `2021`, decade `2020s` and `*`, all of them even where one changes nothing; where some value has a time,
/// the day comes first. Times are compared as written, whatever their zone.
///
/// [`months_level`] tells which of them is the months.
///
/// Fails on a value that is not a date, naming it, and where day and month cannot be told apart.
pub fn date_levels(place: &str, values: &[String], format: Option<DateFormat>) -> Result<(Vec<String>, Hierarchy)> {
    let format = match format {
        Some(format) => format,
        None => guessed(place, values)?,
    };
    let mut dates = Vec::with_capacity(values.len());
    for value in values {
        let date = format.read(value).ok_or_else(|| {
            let example = Date { year: 2021, month: 3, day: 31, time: String::new() };
            Error::taxonomy(
                place,
                format!("{value:?} is not a date; dates are written {format} here, like {}", written(&example, format)),
            )
        })?;
        dates.push((date, value.as_str()));
    }
    dates.sort();
    dates.dedup();
    let leaves: Vec<String> = dates.iter().map(|(_, text)| (*text).to_owned()).collect();
    if leaves.is_empty() {
        return Ok((leaves, Hierarchy::flat(&[])));
    }
    let mut levels = Vec::new();
    if dates.iter().any(|(date, _)| !date.time.is_empty()) {
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

/// The format that fits all values. The standard one where none does: the error is then about a value.
fn guessed(place: &str, values: &[String]) -> Result<DateFormat> {
    let fitting = date_formats_of(values.iter().map(String::as_str));
    match fitting.as_slice() {
        [first, .., last] if first.twin() == Some(*last) => Err(Error::taxonomy(
            place,
            format!(
                "day and month cannot be told apart in these dates; say which comes first: date_format = \"{first}\" or \
                 \"{last}\""
            ),
        )),
        [first, ..] => Ok(*first),
        // Where most values fit one format, the others are the ones that are wrong.
        [] => {
            let fits = |format: &DateFormat| values.iter().filter(|value| format.read(value).is_some()).count();
            let best = DATE_FORMATS.iter().rev().max_by_key(|format| fits(format)).filter(|format| fits(format) > 0);
            Ok(best.copied().unwrap_or(DateFormat::ISO))
        }
    }
}

/// A day as a format has it.
fn written(date: &Date, format: DateFormat) -> String {
    let parts = [
        ("yyyy", format!("{:04}", date.year)),
        ("mm", format!("{:02}", date.month)),
        ("dd", format!("{:02}", date.day)),
    ];
    parts.iter().fold(format.to_string(), |text, (part, value)| text.replace(part, value))
}

/// Neighbouring dates with the same label are one set.
fn runs(dates: &[(Date, &str)], label: impl Fn(&Date) -> String) -> Level {
    let mut level = Level { set_of: Vec::with_capacity(dates.len()), labels: Vec::new() };
    for (date, _) in dates {
        let label = label(date);
        if level.labels.last() != Some(&label) {
            level.labels.push(label);
        }
        level.set_of.push(level.labels.len() as u32 - 1);
    }
    level
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(values: &[&str]) -> Result<(Vec<String>, Hierarchy)> {
        let values: Vec<String> = values.iter().map(|value| value.to_string()).collect();
        date_levels("column \"born\"", &values, None)
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

    #[test]
    fn other_formats_have_the_same_levels() {
        let (leaves, hierarchy) = read(&["31.03.2021", "01.12.1999", "1.4.2021"]).unwrap();
        assert_eq!(leaves, ["01.12.1999", "31.03.2021", "1.4.2021"]);
        assert_eq!(hierarchy.level(1).labels, ["1999-12", "2021-03", "2021-04"]);
        let (leaves, hierarchy) = read(&["12/31/2021 4:15 PM", "12/31/2021 11:00 AM", "01/02/2021 9:00 AM"]).unwrap();
        assert_eq!(leaves, ["01/02/2021 9:00 AM", "12/31/2021 11:00 AM", "12/31/2021 4:15 PM"]);
        assert_eq!(hierarchy.level(1).labels, ["2021-01-02", "2021-12-31"]);
        assert_eq!(hierarchy.level(3).labels, ["2021-Q1", "2021-Q4"]);
    }

    #[test]
    fn day_and_month_are_told_apart_or_asked_for() {
        let values: Vec<String> = ["03/04/2021", "05/06/2021"].map(str::to_owned).to_vec();
        let said = date_levels("column \"born\"", &values, None).unwrap_err().to_string();
        assert!(said.contains("date_format = \"dd/mm/yyyy\" or \"mm/dd/yyyy\""), "{said}");
        let month = |format: &str| {
            let (_, tree) = date_levels("x", &values, Some(format.parse().unwrap())).unwrap();
            tree.level(1).labels.clone()
        };
        assert_eq!(month("dd/mm/yyyy"), ["2021-04", "2021-06"]);
        assert_eq!(month("mm/dd/yyyy"), ["2021-03", "2021-05"]);
        let said = date_levels("x", &values, Some(DateFormat::ISO)).unwrap_err().to_string();
        assert!(said.contains("written yyyy-mm-dd here, like 2021-03-31"), "{said}");
    }

    proptest! {
        #[test]
        fn all_dates_give_a_hierarchy(days in prop::collection::vec((0u32..=9999, 1u32..=12, 1u32..=28), 1..50)) {
            let values: Vec<String> = days.iter().map(|(y, m, d)| format!("{y:04}-{m:02}-{d:02}")).collect();
            let (leaves, hierarchy) = date_levels("x", &values, None).unwrap();
            prop_assert!(leaves.is_sorted());
            prop_assert_eq!(hierarchy.height(), 5);
        }

        #[test]
        fn no_text_panics(text in ".{0,30}|[0-9T: +Z.é-]{0,30}") {
            let _ = date_levels("x", &[text], None);
        }
    }
}
