//! Random people: the same table as a file, as an export would write it, and in every engine.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::engines::Engine;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Integer,
    /// Two digits behind the point.
    Decimal,
    Double,
    Date,
    Moment,
    Truth,
    Text,
    /// Texts of which the engine takes those that differ in case for one, where it can.
    Caseless,
}

pub const COLUMNS: [(&str, Kind); 11] = [
    ("id", Kind::Integer),
    ("town", Kind::Caseless),
    ("age", Kind::Integer),
    ("Born on", Kind::Date),
    ("price", Kind::Decimal),
    ("active", Kind::Truth),
    ("seen", Kind::Moment),
    ("late", Kind::Text),
    ("wage", Kind::Double),
    ("illness", Kind::Text),
    ("the \"note\"", Kind::Text),
];

const TOWNS: [&str; 14] = [
    "Aix",
    "aix",
    "AIX",
    "O'Fallon",
    "say \"hi\"",
    "back\\slash",
    "Köln",
    "Koln",
    " padded",
    "padded  ",
    "padded",
    "Zürich, old",
    "it''s",
    "%_",
];
const ILLNESSES: [&str; 6] = ["flu", "Flu", "grippe é", "cold; dry", "gout 'toe'", " asthma"];
// As the program writes moments that an engine or a Parquet file has as such.
const MOMENTS: [&str; 6] = [
    "2020-01-02T03:04:05",
    "2020-01-02T03:04:06",
    "2020-02-29T00:00:00",
    "2021-12-31T23:59:59",
    "1969-12-31T23:59:59",
    "2020-01-02T12:00:00",
];
const WAGES: [&str; 7] = ["0.1", "1e-7", "12345678.9", "1e16", "2.5", "0", "-3.75"];
const NOTES: [&str; 6] = ["plain", "two\nlines", "a,b;c\td", "quote \" and '", "\\n", "ünïcødé"];

/// Rows as an export would write them; none is a null.
pub struct People {
    pub rows: Vec<Vec<Option<String>>>,
}

impl People {
    /// So many rows, always the same for a seed. Half of them, or 2100 where there are more, begin a column without a value.
    pub fn random(seed: u64, rows: usize) -> Self {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let empty = if rows > 2200 { 2100 } else { rows / 2 };
        let rows = (0..rows).map(|row| {
            let pick = |from: &[&str], dice: &mut ChaCha8Rng| from[dice.random_range(0..from.len())].to_owned();
            let absent = |share: f64, dice: &mut ChaCha8Rng| dice.random_bool(share);
            let town = match dice.random_range(0..40) {
                0 => None,
                1 => Some(String::new()),
                2 => Some("  ".to_owned()),
                _ => Some(pick(&TOWNS, &mut dice)),
            };
            let age = (!absent(0.01, &mut dice)).then(|| (18 + dice.random_range(0..60)).to_string());
            let (year, month) = (1950 + dice.random_range(0..40), dice.random_range(1..13));
            let born = (!absent(0.01, &mut dice)).then(|| format!("{year}-{month:02}-{:02}", dice.random_range(1..29)));
            let cents = dice.random_range(-4..36) * 50;
            let sign = if cents < 0 { "-" } else { "" };
            let price = format!("{sign}{}.{:02}", i32::abs(cents) / 100, i32::abs(cents) % 100);
            let late = match row < empty || absent(0.1, &mut dice) {
                true => None,
                false => Some(pick(&["x", "X", "it's", "\"y\" \\"], &mut dice)),
            };
            let illness = (!absent(0.01, &mut dice)).then(|| pick(&ILLNESSES, &mut dice));
            vec![
                Some(row.to_string()),
                town,
                age,
                born,
                Some(price),
                Some(dice.random_bool(0.6).to_string()),
                Some(pick(&MOMENTS, &mut dice)),
                late,
                Some(pick(&WAGES, &mut dice)),
                illness,
                Some(pick(&NOTES, &mut dice)),
            ]
        });
        People { rows: rows.collect() }
    }

    /// The table as a file; a null is nothing between two commas.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(COLUMNS.map(|(name, _)| name)).unwrap();
        for row in &self.rows {
            writer.write_record(row.iter().map(|cell| cell.as_deref().unwrap_or(""))).unwrap();
        }
        String::from_utf8(writer.into_inner().unwrap()).unwrap()
    }

    /// The statements that make the table in an engine.
    pub fn statements(&self, engine: Engine, table: &str) -> Vec<String> {
        let columns = COLUMNS.map(|(name, kind)| format!("{} {}", engine.quoted(name), engine.type_of(kind)));
        let mut statements = vec![format!("CREATE TABLE {} ({})", engine.quoted(table), columns.join(", "))];
        for rows in self.rows.chunks(500) {
            let rows: Vec<String> = rows.iter().map(|row| line(row, engine)).collect();
            statements.push(format!("INSERT INTO {} VALUES {}", engine.quoted(table), rows.join(", ")));
        }
        statements
    }
}

fn line(row: &[Option<String>], engine: Engine) -> String {
    let cell = |(cell, (_, kind)): (&Option<String>, (&str, Kind))| match cell {
        None => "NULL".to_owned(),
        Some(text) => engine.value(text, kind),
    };
    format!("({})", row.iter().zip(COLUMNS).map(cell).collect::<Vec<_>>().join(", "))
}
