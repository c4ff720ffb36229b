//! The study as text. Whatever comes from the table is written as a TOML string or, in comments, escaped.

use super::column::{BINS, ColumnDraft, Levels, role_word};
use super::missing::Incomplete;
use super::space::{LIMIT, Space};
use crate::data::{Decimal, Kind, OnMissing, Role, Source, TableProfile, format_number};

const ROLES: &str = "\
# Every role below is a guess. Check them first:
#   identifying   names people: left out of a release, or replaced by random tokens
#   drop          left out of a release
#   quasi         recoded: what others may know about a person
#   sensitive     kept as it is, what others must not learn; for privacy = \"l\", \"t\", …
#   target        class or number that a model is to predict; for loss = \"classification\" or \"regression\"
#   insensitive   kept as it is
";

const SEARCH: &str = r#"
[search]
problem = "max-suppression"  # zero-suppression | any-suppression | kl-safety | preference | single
eta = 0.01                   # at most this share of the rows is suppressed
privacy = "k"                # any privacy model that `paretonym catalog` lists
loss = "general"             # weighted | discernibility | classification | regression | precision | …
"#;

const FEW: &str = r#"optimizer = "exact"          # exhaustive | poka | nsga2 | genitor | regions | mondrian | …
"#;

const MANY: &str = r#"optimizer = "nsga2"          # exact | exhaustive | poka | genitor | regions | mondrian | …
"#;

/// What is said before anything else.
pub(super) fn head(profile: &TableProfile) -> String {
    format!(
        "# A study of {} rows and {} columns, drafted by `paretonym init`.\n{ROLES}",
        profile.rows,
        profile.columns.len()
    )
}

/// The `[data]` section.
pub(super) fn data(
    out: &mut String,
    source: &Source,
    profile: &TableProfile,
    tokens: &[String],
    incomplete: Option<&Incomplete>,
) {
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line("\n[data]".to_owned());
    match &source.database {
        None if source.frame.is_some() => {
            line(format!("frame = {}  # a table in memory", string(source.frame.as_deref().unwrap_or_default())));
        }
        None => line(format!("path = {}", string(&source.path.to_string_lossy()))),
        Some(database) => line(format!("database = {}  # a connection of connections.toml", string(database))),
    }
    if let Some(table) = &source.table {
        line(format!("table = {}", string(table)));
    }
    if let Some(query) = &source.query {
        line(format!("query = {}", string(query)));
    }
    if let Some(connections) = &source.connections {
        line(format!("connections = {}", string(&connections.to_string_lossy())));
    }
    // A table without a separator is not text and has its names inside.
    if let Some(delimiter) = profile.delimiter {
        line(format!("delimiter = {}", string(&delimiter.to_string())));
        line(format!("header = {}", profile.header));
        if !profile.header || source.columns.is_some() {
            line(format!("columns = {}", list(profile.columns.iter().map(|column| string(&column.name)))));
        }
    }
    if let Some(comment) = source.comment {
        line(format!("comment = {}", string(&comment.to_string())));
    }
    if profile.decimal == Decimal::Comma {
        line("decimal = \",\"  # 3,14".to_owned());
    }
    let mut missing: Vec<&str> = source.missing.iter().map(String::as_str).collect();
    missing
        .extend(tokens.iter().map(String::as_str).filter(|token| !source.missing.iter().any(|known| known == token)));
    if incomplete.is_some() || missing != [""] {
        line(format!("missing = {}  # cells that mean \"missing\"", list(missing.iter().map(|token| string(token)))));
    }
    let choice = incomplete.map_or(source.on_missing, |incomplete| incomplete.choice);
    if let Some(incomplete) = incomplete.filter(|incomplete| incomplete.most > 0) {
        line(format!("# {}.", capital(&incomplete.words())));
        line(
            "# \"drop-row\" leaves them all out; \"value\" leaves out none and makes \"missing\" a value of its own."
                .to_owned(),
        );
    }
    match choice {
        OnMissing::Value => line("on_missing = \"value\"  # drop-row | error".to_owned()),
        OnMissing::Error => line("on_missing = \"error\"  # drop-row | value".to_owned()),
        OnMissing::DropRow if incomplete.is_some() => {
            line("on_missing = \"drop-row\"  # value | error".to_owned());
        }
        OnMissing::DropRow => {}
    }
}

/// One `[[columns]]` entry.
pub(super) fn column(out: &mut String, column: &ColumnDraft) {
    let role = role_word(column.role);
    let name = string(&column.name);
    let mut text = format!("\n[[columns]]\nname = {name}\nrole = \"{role}\"  # {}\n", column.why);
    let kind = if column.kind == Kind::Numeric { "numeric" } else { "categorical" };
    if matches!(column.role, Role::Quasi | Role::Sensitive) {
        text += &format!("kind = \"{kind}\"\n");
    }
    if let Some(levels) = &column.levels {
        text += "recode = \"levels\"\n";
        text += &match levels {
            Levels::Flat => {
                "hierarchy = \"flat\"  # shown or hidden; or a taxonomy: a file, or lists in lists\n".to_owned()
            }
            Levels::Prefix(_) => "hierarchy = \"prefix\"  # 13053, 1305*, 130**, …\n".to_owned(),
            Levels::Dates { format, or, .. } => {
                let doubt = or.map_or(String::new(), |or| {
                    format!("  # or \"{or}\": no value tells day from month, so look at some that you know")
                });
                format!(
                    "hierarchy = \"dates\"  # day, month, quarter, year, decade\ndate_format = \"{format}\"{doubt}\n"
                )
            }
            Levels::Widths(widths) => {
                let widths = list(widths.iter().map(|width| format_number(*width)));
                format!("widths = {widths}  # intervals, each width a multiple of the one before\n")
            }
            Levels::Bins(groups) => {
                let groups = list(groups.iter().map(usize::to_string));
                format!(
                    "bins = {BINS}  # with equally many rows each\ngroups = {groups}  # neighbouring bins that join\n"
                )
            }
        };
    }
    if column.stuck {
        text += "# It is left out of a release. To recode it, write a file with one line per value, value;group;…;*, and set\n\
                 # role = \"quasi\"\n# kind = \"categorical\"\n# recode = \"levels\"\n# taxonomy = \"FILE.csv\"\n\
                 # To release it as it is, values that one row alone has and all, set role = \"insensitive\" (init --keep).\n";
    }
    out.push_str(&text);
}

/// The `[search]` section.
pub(super) fn search(out: &mut String, space: Space, any_quasi: bool) {
    if !any_quasi {
        out.push_str("\n# No column could be guessed to be quasi: make one so before you explore.\n");
    }
    out.push_str(SEARCH);
    let Space { recodings, dropped } = space;
    if dropped > 0 {
        out.push_str("# Some widths and groups were left out above, to have fewer recodings to look at.\n");
    }
    if recodings > LIMIT {
        out.push_str(&format!(
            "# There are still about {recodings:.1e} recodings, too many to look at one by one. With fewer quasi columns\n\
             # or levels, optimizer = \"exact\" would prove the front.\n{MANY}"
        ));
    } else {
        out.push_str(FEW);
    }
}

/// A TOML string with its quotes, always on one line.
fn string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\t' => quoted.push_str("\\t"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            control if control.is_control() => quoted.push_str(&format!("\\u{:04X}", control as u32)),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A sentence with a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
