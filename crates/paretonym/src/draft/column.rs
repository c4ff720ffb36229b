//! The guess about one column: its role, and its levels where it is to be recoded.

use super::facts::Facts;
use super::words;
use crate::data::{Kind, Role, format_number};
use crate::taxonomy::guess_widths;

/// Columns of names with more values than this need a taxonomy.
const MOST_NAMES: u64 = 50;
/// Whole numbers with more values than this are binned.
const MOST_WHOLE: u64 = 1000;
/// Bins of a column with very many numbers, and how they join.
pub(super) const BINS: usize = 32;
const GROUPS: [usize; 4] = [2, 4, 8, 16];

/// How the levels of a quasi column come about.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Levels {
    /// Values and the top.
    Flat,
    /// Masking from the right; the longest code.
    Prefix(usize),
    /// Days, months, …
    Dates,
    /// Intervals of these widths.
    Widths(Vec<f64>),
    /// Bins with equally many rows, joined in groups of these sizes.
    Bins(Vec<usize>),
}

impl Levels {
    /// Levels above the values.
    pub fn height(&self) -> usize {
        match self {
            Levels::Flat => 1,
            Levels::Prefix(longest) => *longest,
            Levels::Dates => 5,
            Levels::Widths(widths) => widths.len() + 1,
            Levels::Bins(groups) => groups.len() + 1,
        }
    }
}

/// One column of the draft.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ColumnDraft {
    pub name: String,
    pub role: Role,
    pub kind: Kind,
    /// Why it has that role, in one line.
    pub why: String,
    /// There for quasi columns, and for no others.
    pub levels: Option<Levels>,
    /// Whether only a taxonomy is wanting for it to be recoded.
    pub wants_taxonomy: bool,
}

impl ColumnDraft {
    /// The most careful role that the values and the name suggest.
    pub fn guess(facts: &Facts) -> Self {
        let plain = |role: Role, why: String| ColumnDraft {
            name: facts.profile.name.clone(),
            role,
            kind: if facts.is_numeric() { Kind::Numeric } else { Kind::Categorical },
            why,
            levels: None,
            wants_taxonomy: false,
        };
        let name = &facts.profile.name;
        if let Some(word) = words::identifying(name) {
            return plain(Role::Identifying, format!("its name says {word:?}"));
        }
        if facts.cells == 0 {
            return plain(Role::Insensitive, "it holds no values".to_owned());
        }
        if let Some(word) = words::sensitive(name) {
            return plain(Role::Sensitive, format!("its name says {word:?}"));
        }
        if facts.is_key() {
            let nearly = if facts.distinct == facts.cells { "" } else { "nearly " };
            return plain(Role::Identifying, format!("{nearly}every value occurs once"));
        }
        if facts.distinct == 1 {
            return plain(Role::Insensitive, "all rows have the same value".to_owned());
        }
        match describe(facts) {
            Some((kind, levels, why)) => ColumnDraft { kind, levels: Some(levels), ..plain(Role::Quasi, why) },
            None => {
                let why = format!("{} different values are too many to recode without a taxonomy", facts.distinct);
                ColumnDraft { wants_taxonomy: true, ..plain(Role::Insensitive, why) }
            }
        }
    }

    fn make_quasi(&mut self, kind: Kind, levels: Levels, why: String) {
        self.role = Role::Quasi;
        self.kind = kind;
        self.levels = Some(levels);
        self.wants_taxonomy = false;
        self.why = format!("{why}; quasi because no other column is");
    }
}

/// Makes a quasi column where there is none, out of the one that suits best: numbers, dates or codes that looked like
/// a key, else names without a taxonomy, else anything that has values and is not named like a person or a secret.
pub(super) fn promote(facts: &[Facts], columns: &mut [ColumnDraft]) {
    let open = |facts: &Facts| {
        let name = &facts.profile.name;
        facts.cells > 0 && words::identifying(name).is_none() && words::sensitive(name).is_none()
    };
    for (facts, column) in facts.iter().zip(columns.iter_mut()).filter(|(facts, _)| open(facts)) {
        if facts.distinct > 1
            && let Some((kind, levels, why)) = describe(facts)
        {
            return column.make_quasi(kind, levels, why);
        }
    }
    let named = columns.iter().position(|column| column.wants_taxonomy);
    let any = || facts.iter().position(|facts| open(facts) && !facts.is_key());
    if let Some(position) = named.or_else(any) {
        let why = format!("{} different values", facts[position].distinct);
        columns[position].make_quasi(Kind::Categorical, Levels::Flat, why);
    }
}

/// Kind and levels of a column that can be recoded without a taxonomy, and what it looks like.
fn describe(facts: &Facts) -> Option<(Kind, Levels, String)> {
    let distinct = facts.distinct;
    if facts.is_date() {
        return Some((Kind::Categorical, Levels::Dates, "dates".to_owned()));
    }
    if facts.is_code() {
        let why = if facts.profile.leading_zeros { "codes with zeros in front" } else { "codes of equal length" };
        return Some((Kind::Categorical, Levels::Prefix(facts.longest), why.to_owned()));
    }
    if facts.is_numeric() {
        let what = if facts.is_whole() { "whole numbers" } else { "numbers" };
        let (min, max) = (format_number(facts.profile.min), format_number(facts.profile.max));
        return Some((
            Kind::Numeric,
            numeric_levels(facts),
            format!("{distinct} different {what} from {min} to {max}"),
        ));
    }
    (distinct <= MOST_NAMES).then(|| (Kind::Categorical, Levels::Flat, format!("{distinct} different values")))
}

fn numeric_levels(facts: &Facts) -> Levels {
    let (min, max) = (facts.profile.min, facts.profile.max);
    if facts.distinct <= if facts.is_whole() { MOST_WHOLE } else { MOST_NAMES } {
        let widths = guess_widths(min, max, facts.is_whole(), facts.distinct as usize);
        match widths.first() {
            // Intervals are aligned at 0; numbers far from it and close to each other are better binned.
            Some(finest) if min.abs().max(max.abs()) / finest < 1e9 => return Levels::Widths(widths),
            None if facts.distinct <= MOST_NAMES => return Levels::Flat,
            _ => {}
        }
    }
    Levels::Bins(GROUPS.to_vec())
}
