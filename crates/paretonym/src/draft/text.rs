//! The study as text. Whatever comes from the table is written as a TOML string or, in comments, escaped.

use super::column::{BINS, ColumnDraft, Levels};
use super::facts::Facts;
use super::space::{LIMIT, Space};
use crate::data::{Kind, OnMissing, Role, Source, TableProfile, format_number};

const ROLES: &str = "\
# Every role below is a guess. Check them first:
#   identifying   dropped from a release
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

/// The share of rows, at most, that have a missing value in a column that the study uses; none where nothing at all
/// is missing.
pub(super) fn lost_rows(facts: &[Facts], columns: &[ColumnDraft]) -> Option<f64> {
    if facts.iter().all(|facts| facts.missing == 0) {
        return None;
    }
    let used = |column: &ColumnDraft| matches!(column.role, Role::Quasi | Role::Sensitive);
    let shares = facts.iter().zip(columns).filter(|(_, column)| used(column));
    Some(shares.map(|(facts, _)| facts.missing as f64 / facts.profile.rows.max(1) as f64).sum())
}

/// The `[data]` section.
pub(super) fn data(out: &mut String, source: &Source, profile: &TableProfile, tokens: &[&str], lost: Option<f64>) {
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!("\n[data]\npath = {}", string(&source.path.to_string_lossy())));
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
    let mut missing: Vec<&str> = source.missing.iter().map(String::as_str).collect();
    missing.extend(tokens.iter().filter(|token| !source.missing.iter().any(|known| known == *token)));
    if lost.is_some() || missing != [""] {
        line(format!("missing = {}  # cells that mean \"missing\"", list(missing.iter().map(|token| string(token)))));
    }
    match (source.on_missing, lost) {
        (OnMissing::Value, _) => line("on_missing = \"value\"  # drop-row | error".to_owned()),
        (OnMissing::Error, _) => line("on_missing = \"error\"  # drop-row | value".to_owned()),
        (OnMissing::DropRow, Some(share)) if share > 0.5 => {
            line(
                "# \"drop-row\" could leave out more than half of the rows; so \"missing\" is a value of its own."
                    .to_owned(),
            );
            line("on_missing = \"value\"  # drop-row | error".to_owned());
        }
        (OnMissing::DropRow, Some(_)) => line("on_missing = \"drop-row\"  # value | error".to_owned()),
        (OnMissing::DropRow, None) => {}
    }
}

/// One `[[columns]]` entry.
pub(super) fn column(out: &mut String, column: &ColumnDraft) {
    let role = match column.role {
        Role::Identifying => "identifying",
        Role::Quasi => "quasi",
        Role::Sensitive => "sensitive",
        Role::Target => "target",
        Role::Insensitive => "insensitive",
    };
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
            Levels::Dates => "hierarchy = \"dates\"  # day, month, quarter, year, decade\n".to_owned(),
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
    if column.wants_taxonomy {
        text += "# It is released as it is. To recode it, write a file with one line per value, value;group;…;*, and set\n\
                 # role = \"quasi\"\n# kind = \"categorical\"\n# recode = \"levels\"\n# taxonomy = \"FILE.csv\"\n";
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
