//! Dates as files write them.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike, NaiveDate};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How the parts of a date follow each other, and what stands between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DateFormat {
    order: Order,
    separator: char,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Order {
    YearMonthDay,
    DayMonthYear,
    MonthDayYear,
}

/// All ways to write a date that are understood. Of two that fit the same values, the first is the more likely.
pub const DATE_FORMATS: [DateFormat; 8] = [
    DateFormat { order: Order::YearMonthDay, separator: '-' },
    DateFormat { order: Order::YearMonthDay, separator: '/' },
    DateFormat { order: Order::YearMonthDay, separator: '.' },
    DateFormat { order: Order::DayMonthYear, separator: '.' },
    DateFormat { order: Order::DayMonthYear, separator: '/' },
    DateFormat { order: Order::MonthDayYear, separator: '/' },
    DateFormat { order: Order::DayMonthYear, separator: '-' },
    DateFormat { order: Order::MonthDayYear, separator: '-' },
];

/// A value that was read as a date; the derived order is chronological.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// The year.
    pub year: u32,
    /// The month, from 1.
    pub month: u32,
    /// The day, from 1; 0 for a value that names a month only.
    pub day: u32,
    /// The clock time `HH:MM…` by 24 hours, empty where there is none. Zones are kept as they are written.
    pub time: String,
}

impl DateFormat {
    /// The way that the standard has: `2021-03-31`.
    pub const ISO: DateFormat = DATE_FORMATS[0];

    /// The same with day and month exchanged, where people write it both ways.
    pub fn twin(self) -> Option<DateFormat> {
        let order = match self.order {
            Order::DayMonthYear => Order::MonthDayYear,
            Order::MonthDayYear => Order::DayMonthYear,
            Order::YearMonthDay => return None,
        };
        let twin = DateFormat { order, ..self };
        DATE_FORMATS.contains(&twin).then_some(twin)
    }

    /// Reads a date, which must be a day of the calendar; a time may follow after `T` or a space. The standard form needs two
    /// digits for month and day and may leave out the day, others take one digit or two.
    pub fn read(self, text: &str) -> Option<Date> {
        let (date, time) = match text.split_once(['T', ' ']) {
            Some((date, time)) => (date, Some(time)),
            None => (text, None),
        };
        let mut parts = date.split(self.separator);
        let (first, second, third) = (parts.next()?, parts.next()?, parts.next());
        if parts.next().is_some() {
            return None;
        }
        let (year, month, day) = match self.order {
            Order::YearMonthDay => (first, second, third),
            Order::DayMonthYear => (third?, second, Some(first)),
            Order::MonthDayYear => (third?, first, Some(second)),
        };
        let strict = self == DateFormat::ISO;
        let short = |text: &str| digits(text, 2).or_else(|| if strict { None } else { digits(text, 1) });
        let (year, month) = (digits(year, 4)?, short(month)?);
        let last = days_in(year, month)?;
        let day = match day {
            Some(day) => short(day).filter(|day| (1..=last).contains(day))?,
            None if time.is_none() && strict => 0,
            None => return None,
        };
        let time = match time {
            Some(time) => clock(time, strict)?,
            None => String::new(),
        };
        Some(Date { year, month, day, time })
    }
}

/// The formats in which all values can be read, the most likely first.
pub fn date_formats_of<'v>(values: impl Iterator<Item = &'v str> + Clone) -> Vec<DateFormat> {
    let all = |format: &DateFormat| values.clone().all(|value| format.read(value).is_some());
    DATE_FORMATS.into_iter().filter(all).collect()
}

/// Exactly so many digits and nothing else.
fn digits(text: &str, count: usize) -> Option<u32> {
    let right = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    right.then(|| text.parse().ok()).flatten()
}

/// None where there is no such month.
fn days_in(year: u32, month: u32) -> Option<u32> {
    let first = NaiveDate::from_ymd_opt(year.try_into().ok()?, month, 1)?;
    Some(first.num_days_in_month().into())
}

/// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fff`, with `Z` or an offset such as `+01:00` behind it or not; outside of the standard
/// also `4:15 PM`. By 24 hours, so that it sorts.
fn clock(text: &str, strict: bool) -> Option<String> {
    let upper = text.to_ascii_uppercase();
    let half = if strict { None } else { ["AM", "PM"].into_iter().find(|half| upper.ends_with(half)) };
    let text = if half.is_some() { text[..text.len() - 2].trim_end() } else { text };
    let mut parts = text.splitn(2, ':');
    let (hours, rest) = (parts.next()?, parts.next()?);
    let hours = digits(hours, 2).or_else(|| if strict { None } else { digits(hours, 1) })?;
    let hours = match half {
        None => hours,
        Some(_) if !(1..=12).contains(&hours) => return None,
        Some(half) => hours % 12 + if half == "PM" { 12 } else { 0 },
    };
    let written = format!("{hours:02}:{rest}");
    (is_time(&written) && (half.is_none() || !written.contains(['Z', '+', '-']))).then_some(written)
}

/// By 24 hours.
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

impl fmt::Display for DateFormat {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let parts = match self.order {
            Order::YearMonthDay => ["yyyy", "mm", "dd"],
            Order::DayMonthYear => ["dd", "mm", "yyyy"],
            Order::MonthDayYear => ["mm", "dd", "yyyy"],
        };
        out.write_str(&parts.join(&self.separator.to_string()))
    }
}

impl FromStr for DateFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = text.to_ascii_lowercase();
        DATE_FORMATS.into_iter().find(|format| format.to_string() == wanted).ok_or_else(|| {
            let known: Vec<String> = DATE_FORMATS.iter().map(DateFormat::to_string).collect();
            format!("date_format {text:?} is not known; use one of: {}", known.join(", "))
        })
    }
}

impl Serialize for DateFormat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DateFormat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(text: &str) -> DateFormat {
        text.parse().unwrap()
    }

    #[test]
    fn the_same_day_in_all_formats() {
        let expected = Date { year: 2021, month: 3, day: 9, time: String::new() };
        for (name, text) in [
            ("yyyy-mm-dd", "2021-03-09"),
            ("yyyy/mm/dd", "2021/3/9"),
            ("yyyy.mm.dd", "2021.03.09"),
            ("dd.mm.yyyy", "9.3.2021"),
            ("dd/mm/yyyy", "09/03/2021"),
            ("mm/dd/yyyy", "03/09/2021"),
            ("dd-mm-yyyy", "09-03-2021"),
            ("mm-dd-yyyy", "3-9-2021"),
        ] {
            assert_eq!(format(name).read(text).as_ref(), Some(&expected), "{name}");
            assert_eq!(format(name).to_string(), name);
        }
        assert!("dd.mm.yy".parse::<DateFormat>().unwrap_err().contains("dd.mm.yyyy"));
    }

    #[test]
    fn times_are_by_24_hours() {
        let time = |name: &str, text: &str| format(name).read(text).map(|date| date.time);
        assert_eq!(time("mm/dd/yyyy", "3/9/2021 4:15 PM").as_deref(), Some("16:15"));
        assert_eq!(time("mm/dd/yyyy", "3/9/2021 12:05:01 am").as_deref(), Some("00:05:01"));
        assert_eq!(time("dd.mm.yyyy", "09.03.2021 07:30:00").as_deref(), Some("07:30:00"));
        assert_eq!(time("yyyy-mm-dd", "2021-03-09T07:30:00Z").as_deref(), Some("07:30:00Z"));
        for (name, text) in [
            ("mm/dd/yyyy", "3/9/2021 13:00 PM"),
            ("dd.mm.yyyy", "9.3.2021 25:00"),
            ("dd.mm.yyyy", "9.3.2021 "),
            ("yyyy-mm-dd", "2021-03-09 4:15 PM"),
        ] {
            assert_eq!(time(name, text), None, "{text}");
        }
    }

    #[test]
    fn values_decide_between_day_and_month() {
        let fit = |values: &[&str]| -> Vec<String> {
            date_formats_of(values.iter().copied()).iter().map(DateFormat::to_string).collect()
        };
        assert_eq!(fit(&["03/04/2021", "31/12/2020"]), ["dd/mm/yyyy"]);
        assert_eq!(fit(&["03/04/2021", "12/31/2020"]), ["mm/dd/yyyy"]);
        assert_eq!(fit(&["03/04/2021", "05/06/2020"]), ["dd/mm/yyyy", "mm/dd/yyyy"]);
        assert_eq!(fit(&["03.04.2021"]), ["dd.mm.yyyy"]);
        assert!(fit(&["31/12/2020", "12/31/2020"]).is_empty());
        assert_eq!(format("dd/mm/yyyy").twin(), Some(format("mm/dd/yyyy")));
        assert_eq!((format("dd.mm.yyyy").twin(), DateFormat::ISO.twin()), (None, None));
    }
}
