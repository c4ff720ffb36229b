//! Which cells mean "missing", and how numbers are written: what has to be known of a table before its columns.

use crate::data::{CERTAIN_SIGNS, ColumnProfile, DOUBTFUL_SIGNS, Decimal, LIKELY_SIGNS, TableProfile, is_missing_sign};

/// The signs for "missing" that a table uses, as they are written.
///
/// Some signs mean nothing else. Words such as "unknown" are taken where they stand among numbers, dates or codes in some
/// column; "none", which is often an answer, where it stands nowhere else. Where a table also holds `+`, `-` is a value.
pub(super) fn missing_tokens(profile: &TableProfile) -> Vec<String> {
    let holds = |column: &ColumnProfile, sign: &str| column.values.iter().any(|(value, _)| value == sign);
    let plus = profile.columns.iter().any(|column| holds(column, "+"));
    let mut found: Vec<&str> = Vec::new();
    for (value, _) in profile.columns.iter().flat_map(|column| &column.values) {
        if is_missing_sign(value) && !found.contains(&value.as_str()) {
            found.push(value);
        }
    }
    let of = |list: &[&str], sign: &str| list.iter().any(|known| known.eq_ignore_ascii_case(sign));
    found.retain(|sign| {
        let mut columns = profile.columns.iter().filter(|column| holds(column, sign));
        if of(CERTAIN_SIGNS, sign) {
            *sign != "-" || !plus
        } else if of(LIKELY_SIGNS, sign) {
            columns.any(is_measured)
        } else {
            of(DOUBTFUL_SIGNS, sign) && columns.all(is_measured)
        }
    });
    found.sort_unstable();
    found.into_iter().map(str::to_owned).collect()
}

/// Whether a value is one of these signs.
pub(super) fn is_sign(tokens: &[String], value: &str) -> bool {
    tokens.iter().any(|token| token == value)
}

/// Cells that hold something else than any sign for "missing".
fn cells(column: &ColumnProfile) -> u64 {
    let signs = column.values.iter().filter(|(value, _)| is_missing_sign(value));
    let signs = signs.fold(column.missing, |sum, (_, rows)| sum.saturating_add(*rows));
    column.rows.saturating_sub(signs)
}

/// Whether a column holds numbers, dates or codes, signs for "missing" apart.
fn is_measured(column: &ColumnProfile) -> bool {
    let cells = cells(column);
    let most = column.dates.iter().copied().max().unwrap_or(0);
    cells > 0 && column.numbers.saturating_add(column.comma_numbers).max(most) >= cells
}

/// How the numbers of a table are written, from a look that took points as decimal: with commas where that makes numbers of
/// more columns than it spoils.
pub fn decimal_of(profile: &TableProfile) -> Decimal {
    let semicolons = profile.delimiter == Some(';');
    let by_comma = |column: &&ColumnProfile| {
        let both = column.numbers.saturating_sub(column.point_numbers);
        // Commas between groups of three digits may separate thousands, unless the file shows that it is of those lands
        // that write 3,14.
        let decimal = column.comma_numbers > if semicolons { 0 } else { column.comma_groups };
        decimal && both.saturating_add(column.comma_numbers) >= cells(column)
    };
    let by_point = |column: &&ColumnProfile| column.point_numbers > 0 && column.numbers >= cells(column);
    let (commas, points) =
        (profile.columns.iter().filter(by_comma).count(), profile.columns.iter().filter(by_point).count());
    match profile.decimal {
        Decimal::Point if commas > points || (semicolons && commas > 0 && commas == points) => Decimal::Comma,
        own => own,
    }
}
