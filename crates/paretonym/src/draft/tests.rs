use proptest::prelude::*;

use super::*;
use crate::data::{ColumnProfile, DATE_FORMATS, Decimal, OnMissing};

/// Profiles cells as the engine would.
fn profile_of(name: &str, cells: &[&str]) -> ColumnProfile {
    let mut values = std::collections::BTreeMap::new();
    let mut profile = ColumnProfile { name: name.into(), rows: cells.len() as u64, ..ColumnProfile::default() };
    (profile.min, profile.max, profile.shortest) = (f64::NAN, f64::NAN, usize::MAX);
    for cell in cells {
        profile.shortest = profile.shortest.min(cell.len());
        profile.longest = profile.longest.max(cell.len());
        if cell.is_empty() {
            profile.missing += 1;
            continue;
        }
        *values.entry(cell.to_string()).or_insert(0) += 1;
        if cell.parse::<f64>().is_err() && Decimal::Comma.read(cell).is_some() {
            profile.comma_numbers += 1;
            profile.comma_groups += u64::from(cell.split(',').skip(1).all(|group| group.len() == 3));
        }
        profile.point_numbers +=
            u64::from(cell.contains('.') && Decimal::Point.read(cell).is_some() && Decimal::Comma.read(cell).is_none());
        if let Some(number) = cell.parse::<f64>().ok().filter(|number| number.is_finite()) {
            profile.numbers += 1;
            profile.integers += u64::from(cell.parse::<i64>().is_ok());
            profile.leading_zeros |= cell.len() > 1 && cell.starts_with('0') && !cell.contains('.');
            profile.min = profile.min.min(number);
            profile.max = profile.max.max(number);
        }
        for (dates, format) in profile.dates.iter_mut().zip(DATE_FORMATS) {
            let date = format.read(cell);
            *dates += u64::from(date.is_some());
            profile.times |= date.is_some_and(|date| !date.time.is_empty());
        }
    }
    profile.values = values.into_iter().collect();
    profile
}

fn table(columns: Vec<ColumnProfile>) -> TableProfile {
    let rows = columns.first().map_or(0, |column| column.rows);
    TableProfile { rows, columns, delimiter: Some(','), header: true, decimal: Decimal::Point }
}

fn parsed(text: &str) -> toml::Table {
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// One key of the only column's entry, as TOML text.
fn key(cells: &[&str], key: &str) -> Option<String> {
    let study = parsed(&draft(&Source::at("x.csv"), &table(vec![profile_of("x", cells)])));
    study["columns"][0].get(key).map(|value| value.to_string())
}

#[test]
fn a_small_table() {
    let ages: Vec<String> = (0..40).map(|row| (17 + (row * 7) % 30).to_string()).collect();
    let ages: Vec<&str> = ages.iter().map(String::as_str).collect();
    let profile = table(vec![
        profile_of("patient id", &ages),
        profile_of("age", &ages),
        profile_of("sex", &["m", "f", "f", "?"].repeat(10)),
        profile_of("zip", &["13053", "13068", "14850", "14853"].repeat(10)),
        profile_of("diagnosis", &["flu", "none"].repeat(20)),
    ]);
    let expected = r##"# A study of 40 rows and 5 columns, drafted by `paretonym init`.
# Every role below is a guess. Check them first:
#   identifying   names people: left out of a release, or replaced by random tokens
#   drop          left out of a release
#   quasi         recoded: what others may know about a person
#   sensitive     kept as it is, what others must not learn; for privacy = "l", "t", …
#   target        class or number that a model is to predict; for loss = "classification" or "regression"
#   insensitive   kept as it is

[data]
path = "data/people.csv"
delimiter = ","
header = true
missing = ["", "?"]  # cells that mean "missing"
# 10 of 40 rows (25.00 %) have a missing value.
# "drop-row" leaves them all out; "value" leaves out none and makes "missing" a value of its own.
on_missing = "value"  # drop-row | error

[[columns]]
name = "patient id"
role = "identifying"  # its name says "id"

[[columns]]
name = "age"
role = "quasi"  # 30 different whole numbers from 17 to 46
kind = "numeric"
recode = "levels"
widths = [2, 4, 8]  # intervals, each width a multiple of the one before

[[columns]]
name = "sex"
role = "quasi"  # 2 different values
kind = "categorical"
recode = "levels"
hierarchy = "flat"  # shown or hidden; or a taxonomy: a file, or lists in lists

[[columns]]
name = "zip"
role = "quasi"  # codes of equal length
kind = "categorical"
recode = "levels"
hierarchy = "prefix"  # 13053, 1305*, 130**, …

[[columns]]
name = "diagnosis"
role = "sensitive"  # its name says "diagnosis"
kind = "categorical"

[search]
problem = "max-suppression"  # zero-suppression | any-suppression | kl-safety | preference | single
eta = 0.01                   # at most this share of the rows is suppressed
privacy = "k"                # any privacy model that `paretonym catalog` lists
loss = "general"             # weighted | discernibility | classification | regression | precision | …
optimizer = "exact"          # exhaustive | poka | nsga2 | genitor | regions | mondrian | …
"##;
    assert_eq!(draft(&Source::at("data/people.csv"), &profile), expected);
}

#[test]
fn values_tell_the_levels() {
    let many: Vec<String> = (0..400).map(|row| format!("{}", f64::from(row) / 8.0 + 0.01)).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(key(&many, "bins").as_deref(), Some("32"));
    assert_eq!(key(&many, "groups").as_deref(), Some("[2, 4, 8, 16]"));
    assert_eq!(key(&["2021-01-01", "2021-01-02", "2021-01-01"], "hierarchy").as_deref(), Some("\"dates\""));
    assert_eq!(key(&["01", "02", "11", "01", "02", "11"], "hierarchy").as_deref(), Some("\"prefix\""));
    assert_eq!(key(&["1990", "1995", "1990", "2001"], "hierarchy").as_deref(), Some("\"flat\""));
    let names: Vec<String> = (0..300).map(|row| format!("town {}", row % 100)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let both = table(vec![profile_of("town", &names), profile_of("sex", &["m", "f"].repeat(150))]);
    let text = draft(&Source::at("x.csv"), &both);
    assert_eq!(parsed(&text)["columns"][0]["role"].as_str(), Some("drop"), "{text}");
    assert!(text.contains("100 different values are too many to recode without a taxonomy"), "{text}");
    // Alone, it is the only one that can be quasi.
    assert_eq!(key(&names, "role").as_deref(), Some("\"quasi\""));
    assert_eq!(key(&names, "hierarchy").as_deref(), Some("\"flat\""));
}

#[test]
fn keys_are_identifying() {
    let keys: Vec<String> = (0..200).map(|row| format!("k{row}")).collect();
    let numbers: Vec<String> = (0..200).map(|row| (1_000_000 + row * row).to_string()).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let sexes = ["m", "f"].repeat(100);
    let profile = table(vec![profile_of("k", &keys), profile_of("n", &numbers), profile_of("sex", &sexes)]);
    let text = draft(&Source::at("x.csv"), &profile);
    assert_eq!(text.matches("role = \"identifying\"  # every value occurs once").count(), 2, "{text}");
    // Remarks differ as well, and name nobody: that one comes back does not make two rows one person's.
    let remarks: Vec<String> = (0..200).map(|row| format!("seen on day {}", row / 199 * 5 + row)).collect();
    let remarks: Vec<&str> = remarks.iter().map(String::as_str).collect();
    assert_eq!(beside("note", &remarks)["columns"][0]["role"].as_str(), Some("drop"));
}

#[test]
fn large_spaces_lose_levels_or_say_so() {
    let ages: Vec<String> = (0..500).map(|row| (row % 74 + 17).to_string()).collect();
    let ages: Vec<&str> = ages.iter().map(String::as_str).collect();
    let columns = |count: usize| (0..count).map(|n| profile_of(&format!("c{n}"), &ages)).collect();
    let text = draft(&Source::at("x.csv"), &table(columns(10)));
    assert!(text.contains("widths = [10, 20]") && text.contains("optimizer = \"exact\""), "{text}");
    let text = draft(&Source::at("x.csv"), &table(columns(30)));
    assert!(text.contains("widths = [10]") && text.contains("optimizer = \"nsga2\""), "{text}");
    assert!(text.contains("2.1e14 recodings"), "{text}");
}

#[test]
fn mostly_missing_rows_are_kept() {
    let profile = table(vec![profile_of("a", &["x", "", "", "y", ""]), profile_of("b", &["x", "x", "y", "y", ""])]);
    let study = parsed(&draft(&Source::at("x.csv"), &profile));
    assert_eq!(study["data"]["on_missing"].as_str(), Some("value"));
    let source = Source { on_missing: OnMissing::Error, ..Source::at("x.csv") };
    assert_eq!(parsed(&draft(&source, &profile))["data"]["on_missing"].as_str(), Some("error"));
}

/// The draft of one column beside one that can be recoded.
fn beside(name: &str, cells: &[&str]) -> toml::Table {
    let sexes: Vec<&str> = ["m", "f"].into_iter().cycle().take(cells.len()).collect();
    parsed(&draft(&Source::at("x.csv"), &table(vec![profile_of(name, cells), profile_of("sex", &sexes)])))
}

#[test]
fn dates_are_read_as_they_are_written() {
    let format = |cells: &[&str]| key(cells, "date_format");
    assert_eq!(format(&["31.12.1985", "01.02.1990", "3.4.1990"]).as_deref(), Some("\"dd.mm.yyyy\""));
    assert_eq!(format(&["12/31/1985", "02/01/1990", "02/01/1990"]).as_deref(), Some("\"mm/dd/yyyy\""));
    assert_eq!(format(&["31/12/1985 10:15", "01/02/1990", "01/02/1990"]).as_deref(), Some("\"dd/mm/yyyy\""));
    assert_eq!(format(&["1985/12/31", "1990/02/01"]).as_deref(), Some("\"yyyy/mm/dd\""));
    let text = draft(&Source::at("x.csv"), &table(vec![profile_of("born", &["01/02/1990", "03/04/1991"])]));
    assert!(
        text.contains("date_format = \"dd/mm/yyyy\"  # or \"mm/dd/yyyy\": no value tells day from month"),
        "{text}"
    );
}

#[test]
fn signs_for_missing_are_told_from_values() {
    let ages = ["21", "35", ".", "47", "--", "Unknown", "35", "none"];
    let study = beside("age", &ages);
    assert_eq!(study["columns"][0]["kind"].as_str(), Some("numeric"));
    let missing = study["data"]["missing"].to_string();
    assert!([".", "--", "Unknown", "none"].iter().all(|sign| missing.contains(&format!("\"{sign}\""))), "{missing}");
    assert_eq!(beside("zip", &["13053", "13068", ".", "14850"])["columns"][0]["hierarchy"].as_str(), Some("prefix"));
    // Words are values among words; "none" is an answer wherever one column has it as such.
    let words = beside("smoker", &["daily", "none", "unknown", "daily"]);
    assert!(words["data"].get("missing").is_none(), "{words}");
    let both =
        table(vec![profile_of("visits", &["3", "none", "5", "8"]), profile_of("drug", &["none", "x", "none", "x"])]);
    assert!(parsed(&draft(&Source::at("x.csv"), &both))["data"].get("missing").is_none());
    assert!(beside("blood", &["+", "-", "-", "+"])["data"].get("missing").is_none());
}

#[test]
fn decimal_commas_are_found() {
    let column = |cells: &[&str]| profile_of("size", cells);
    let of = |delimiter, columns| decimal_of(&TableProfile { delimiter: Some(delimiter), ..table(columns) });
    assert_eq!(of(';', vec![column(&["3,14", "2,5", "7"])]), Decimal::Comma);
    assert_eq!(of(',', vec![column(&["3,14", "2,5", "."])]), Decimal::Comma);
    assert_eq!(of(';', vec![column(&["3,142", "2,500"])]), Decimal::Comma);
    // Thousands, names with commas, and files that write points elsewhere.
    assert_eq!(of(',', vec![column(&["3,142", "2,500"])]), Decimal::Point);
    assert_eq!(of(';', vec![column(&["Smith, J", "2,5"])]), Decimal::Point);
    assert_eq!(
        of(';', vec![column(&["3,14", "2,5"]), column(&["3.14", "2.5"]), column(&["0.5", "1.5"])]),
        Decimal::Point
    );
}

#[test]
fn what_cannot_be_recoded_is_left_out_unless_it_is_kept() {
    let mixed: Vec<String> =
        (0..300).map(|row| if row % 30 == 7 { format!("{row} kg") } else { (row % 140).to_string() }).collect();
    let mixed: Vec<&str> = mixed.iter().map(String::as_str).collect();
    let sexes = ["m", "f"].repeat(150);
    let empty = [""].repeat(300);
    let profile = table(vec![profile_of("weight", &mixed), profile_of("sex", &sexes), profile_of("void", &empty)]);
    let text = draft(&Source::at("x.csv"), &profile);
    let study = parsed(&text);
    assert_eq!(study["columns"][0]["role"].as_str(), Some("drop"), "{text}");
    assert_eq!(study["columns"][2]["role"].as_str(), Some("drop"), "{text}");
    assert!(text.contains("most of its cells are numbers, but not all, such as \"127 kg\""), "{text}");
    assert!(text.contains("set role = \"insensitive\" (init --keep)"), "{text}");

    let kept = draft_keeping(&Source::at("x.csv"), &profile, &["weight".to_owned()]).unwrap();
    let study = parsed(&kept.text);
    assert_eq!(study["columns"][0]["role"].as_str(), Some("insensitive"), "{}", kept.text);
    assert!(kept.reasons[0].starts_with("kept on request (it would have been drop"), "{}", kept.reasons[0]);
    let said = draft_keeping(&Source::at("x.csv"), &profile, &["wait".to_owned()]).unwrap_err().to_string();
    assert!(said.contains("no column \"wait\""), "{said}");
}

#[test]
fn the_choice_that_loses_least_is_proposed() {
    let of = |missing: usize| {
        let cells: Vec<&str> = (0..1000).map(|row| if row < missing { "" } else { ["x", "y"][row % 2] }).collect();
        let profile = table(vec![profile_of("a", &cells), profile_of("b", &cells)]);
        draft_keeping(&Source::at("x.csv"), &profile, &[]).unwrap()
    };
    let choice = |missing| parsed(&of(missing).text)["data"].get("on_missing").map(|choice| choice.to_string());
    assert_eq!(choice(0), None);
    assert_eq!(choice(5).as_deref(), Some("\"drop-row\""));
    assert_eq!(choice(6).as_deref(), Some("\"value\""));
    let incomplete = of(6).incomplete.unwrap();
    assert_eq!((incomplete.least, incomplete.most, incomplete.rows), (6, 12, 1000));
    assert!(of(6).text.contains("# 6 to 12 of 1000 rows (0.60 % to 1.20 %) have a missing value."), "{}", of(6).text);
}

fn any_column() -> impl Strategy<Value = ColumnProfile> {
    let name =
        prop_oneof![Just("age".to_owned()), Just("income".to_owned()), "(?s).{0,8}", "[\"'\\\\#\\n\\r\\t\u{7f}]{0,6}"];
    let value = prop_oneof!["[0-9]{1,5}", "[0-9]\\.[0-9]{1,3}", "[a-c?+-]{1,2}", "(?s).{0,5}"];
    let cells = prop::collection::vec(value, 0..60);
    (name, cells, any::<bool>(), 0u64..100).prop_map(|(name, cells, more_values, extra)| {
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let mut profile = profile_of(&name, &cells);
        profile.more_values = more_values;
        profile.rows += extra;
        profile
    })
}

proptest! {
    #[test]
    fn every_draft_is_a_study_of_its_table(
        columns in prop::collection::vec(any_column(), 0..8),
        path in "(?s).{1,12}",
        delimiter: Option<char>,
        header: bool,
    ) {
        let profile = TableProfile { delimiter, header, ..table(columns) };
        let text = draft(&Source::at(&path), &profile);
        let study = parsed(&text);
        let data: Source = study["data"].clone().try_into().unwrap();
        prop_assert_eq!(data.path.to_str(), Some(path.as_str()));
        prop_assert_eq!(data.delimiter, delimiter);
        let none = Vec::new();
        let entries = study.get("columns").map_or(&none, |columns| columns.as_array().unwrap());
        prop_assert_eq!(entries.len(), profile.columns.len());
        for (entry, column) in entries.iter().zip(&profile.columns) {
            prop_assert_eq!(entry["name"].as_str(), Some(column.name.as_str()));
            prop_assert_eq!(entry["role"].as_str() == Some("quasi"), entry.get("recode").is_some());
        }
        let says_none = text.contains("No column could be guessed");
        prop_assert_eq!(says_none, entries.iter().all(|entry| entry["role"].as_str() != Some("quasi")));
    }
}
