//! The guess about one column: its role, and its levels where it is to be recoded.

use super::facts::Facts;
use super::words;
use crate::data::{DateFormat, Kind, Role, format_number};
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
    /// Days, months, …; how they are written, another way to read them, and whether they have times.
    Dates { format: DateFormat, or: Option<DateFormat>, times: bool },
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
            Levels::Dates { times, .. } => 5 + usize::from(*times),
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
    /// Whether it is left out because it cannot be recoded as it is.
    pub stuck: bool,
    /// Whether the user said that it stays as it is.
    pub kept: bool,
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
            stuck: false,
            kept: false,
        };
        let name = &facts.profile.name;
        if let Some(word) = words::identifying(name) {
            return plain(Role::Identifying, format!("its name says {word:?}"));
        }
        if facts.cells == 0 {
            return plain(Role::Drop, "it holds no values".to_owned());
        }
        if let Some(word) = words::sensitive(name) {
            return plain(Role::Sensitive, format!("its name says {word:?}"));
        }
        if facts.is_key() {
            let nearly = if facts.distinct == facts.cells { "" } else { "nearly " };
            if facts.is_prose() {
                let why = format!("texts of several words, {nearly}every one of which occurs once");
                return ColumnDraft { stuck: true, ..plain(Role::Drop, why) };
            }
            return plain(Role::Identifying, format!("{nearly}every value occurs once"));
        }
        if facts.distinct == 1 {
            return plain(Role::Insensitive, "all rows have the same value".to_owned());
        }
        match describe(facts) {
            Some((kind, levels, why)) => ColumnDraft { kind, levels: Some(levels), ..plain(Role::Quasi, why) },
            None => ColumnDraft { stuck: true, ..plain(Role::Drop, facts.obstacle()) },
        }
    }

    /// Leaves a column as it is because the user says so.
    pub fn keep(&mut self, facts: &Facts) {
        let alone = match facts.once {
            once if once > 0.0 => format!("; {:.1} % of its cells hold a value that no other row has", once * 100.0),
            _ => String::new(),
        };
        self.why = format!("kept on request (it would have been {}: {}){alone}", role_word(self.role), self.why);
        (self.role, self.levels, self.stuck, self.kept) = (Role::Insensitive, None, false, true);
    }

    fn make_quasi(&mut self, kind: Kind, levels: Levels, why: String) {
        self.role = Role::Quasi;
        self.kind = kind;
        self.levels = Some(levels);
        self.stuck = false;
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
    let free = columns.iter().map(|column| !column.kept).collect::<Vec<bool>>();
    let open_columns = facts.iter().zip(columns.iter_mut()).filter(|(facts, column)| open(facts) && !column.kept);
    for (facts, column) in open_columns {
        if facts.distinct > 1
            && let Some((kind, levels, why)) = describe(facts)
        {
            return column.make_quasi(kind, levels, why);
        }
    }
    let named = columns.iter().position(|column| column.stuck);
    let any = || (0..facts.len()).find(|at| free[*at] && open(&facts[*at]) && !facts[*at].is_key());
    if let Some(position) = named.or_else(any) {
        let why = format!("{} different values", facts[position].distinct);
        columns[position].make_quasi(Kind::Categorical, Levels::Flat, why);
    }
}

/// Kind and levels of a column that can be recoded without a taxonomy, and what it looks like.
fn describe(facts: &Facts) -> Option<(Kind, Levels, String)> {
    let distinct = facts.distinct;
    if let Some(format) = facts.date_format() {
        let levels = Levels::Dates { format, or: facts.other_format(), times: facts.profile.times };
        return Some((Kind::Categorical, levels, "dates".to_owned()));
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

/// A role as a study writes it.
pub(super) fn role_word(role: Role) -> &'static str {
    match role {
        Role::Identifying => "identifying",
        Role::Drop => "drop",
        Role::Quasi => "quasi",
        Role::Sensitive => "sensitive",
        Role::Target => "target",
        Role::Insensitive => "insensitive",
    }
}
