//! Queries for those who may not connect: what is to be counted, and what a release of a solution is, to be run by somebody who
//! may.

use paretonym::data::{COUNTS, OnMissing, Role};
use paretonym::error::{Error, Result};
use paretonym::release::{Claim, Fate, KeptGroups, MappedBin, Mapping, SavedColumn, SavedRecoding};
use paretonym::study::Study;

use crate::dialect::Dialect;
use crate::names::TableName;
use crate::statements::check_query;

/// The query whose answer `explore --counts` takes.
pub fn counting_query(study: &Study, dialect: Dialect, from: Option<&str>) -> Result<String> {
    let counted = study.columns.iter().filter(|column| column.is_counted());
    let names: Vec<String> = counted.map(|column| dialect.quote(&column.name)).collect();
    if names.is_empty() {
        return Err(Error::study("the study has no quasi column, so there is nothing to count"));
    }
    let cell = |name: &String| format!("    {} AS {name}", dialect.distinct_text(name));
    let cells: Vec<String> = names.iter().map(cell).collect();
    let names = names.join(", ");
    Ok(format!(
        "-- The answer, as CSV or Parquet with these names of columns, is what `paretonym explore --counts FILE` takes.\n\
         SELECT {names}, COUNT(*) AS {COUNTS}\nFROM (\n  SELECT\n{}\n  FROM {}\n) AS cells\nGROUP BY {names};\n",
        cells.join(",\n"),
        table_of(study, dialect, from)?
    ))
}

/// What stands behind FROM: the study's table or query, or the table that is named; a file by its name without its ending.
fn table_of(study: &Study, dialect: Dialect, from: Option<&str>) -> Result<String> {
    match (from, study.data.table.as_deref(), &study.data.query) {
        (Some(name), ..) | (None, Some(name), _) => Ok(TableName::read(name)?.quoted(dialect)),
        (None, None, Some(query)) => {
            check_query(query)?;
            Ok(format!("({}) AS asked", query.trim()))
        }
        (None, None, None) => {
            let title = study.data.title();
            let stem = title.rsplit_once('.').map_or(title.as_str(), |(stem, _)| stem);
            Ok(dialect.quote(if stem.is_empty() { &title } else { stem }))
        }
    }
}

/// A release that somebody else is to make.
pub struct PrintedRelease<'a> {
    /// The study.
    pub study: &'a Study,
    /// What every value shows.
    pub saved: &'a SavedRecoding,
    /// The groups that stay.
    pub kept: &'a KeptGroups,
    /// What is claimed.
    pub claim: &'a Claim,
    /// The names of the columns and their fates, as far as the study knows them.
    pub fates: Vec<(String, Fate)>,
    /// Whether groups go by their size alone.
    pub by_size: bool,
}

impl PrintedRelease<'_> {
    /// The query that makes a release, and those that check it.
    pub fn queries(&self, dialect: Dialect, from: Option<&str>, to: &str) -> Result<String> {
        if self.saved.regions.is_some() {
            return Err(Error::study(
                "a local recoding differs from region to region, which a query cannot say in few words; release it to a file",
            ));
        }
        let target = TableName::read(to)?.quoted(dialect);
        let mut text = format!(
            "-- Makes the release of solution {} as {target}. It claims k = {}, {} rows and {} suppressed rows: run the queries\n\
             -- below it, and hand nothing on unless they answer so.\n",
            self.saved.solution, self.claim.k, self.claim.rows, self.claim.suppressed
        );
        text += &format!("{}\n{};\n\n", dialect.made_by(&TableName::read(to)?), self.release(dialect, from)?);
        text += &self.audit(dialect, &target);
        Ok(text)
    }

    fn release(&self, dialect: Dialect, from: Option<&str>) -> Result<String> {
        let mut inner: Vec<String> = Vec::new();
        let mut outer: Vec<String> = Vec::new();
        let mut groups: Vec<String> = Vec::new();
        for (name, fate) in &self.fates {
            let quoted = dialect.quote(name);
            match fate {
                Fate::Drop | Fate::Token => continue,
                Fate::Keep | Fate::KeepUsed => inner.push(format!("    {quoted} AS {quoted}")),
                Fate::Recode(quasi) => {
                    inner.push(format!("    {} AS {quoted}", self.shown(&self.saved.columns[*quasi], dialect)));
                    groups.push(quoted.clone());
                }
            }
            outer.push(quoted);
        }
        let whole = self.complete_rows(dialect);
        let (groups, outer) = (groups.join(", "), outer.join(", "));
        let recoded = format!(
            "recoded AS (\n  SELECT\n{}\n  FROM {}{whole}\n)",
            inner.join(",\n"),
            table_of(self.study, dialect, from)?
        );
        let random = dialect.random();
        let known: Vec<String> = self.quoted_quasi(dialect).iter().map(|name| format!("{name} IS NOT NULL")).collect();
        if self.by_size {
            return Ok(format!(
                "WITH {recoded}, counted AS (\n  SELECT {outer}, COUNT(*) OVER (PARTITION BY {groups}) AS {COUNTS}\n  FROM recoded\n)\n\
                 SELECT {outer}\nFROM counted\nWHERE {COUNTS} >= {} AND {}\nORDER BY {random}",
                self.claim.k,
                known.join(" AND ")
            ));
        }
        let names = self.quoted_quasi(dialect);
        let list = self.kept.groups(names.len()).map(|sets| {
            let texts = sets.iter().zip(&self.saved.columns);
            let texts = texts.map(|(set, column)| dialect.literal(&column.shown_texts()[*set as usize]));
            format!("({})", texts.collect::<Vec<_>>().join(", "))
        });
        let list: Vec<String> = list.collect();
        let short: Vec<String> = (0..names.len()).map(|at| format!("q{at}")).collect();
        let same: Vec<String> =
            names.iter().zip(&short).map(|(name, q)| format!("recoded.{name} = kept.{q}")).collect();
        let shown: Vec<String> = outer.split(", ").map(|name| format!("recoded.{name}")).collect();
        Ok(format!(
            "WITH {recoded}, kept({}) AS (VALUES\n  {}\n)\nSELECT {}\nFROM recoded INNER JOIN kept ON {}\nORDER BY {random}",
            short.join(", "),
            list.join(",\n  "),
            shown.join(", "),
            same.join(" AND ")
        ))
    }

    /// The names of the recoded columns in the order of the recoding.
    fn quoted_quasi(&self, dialect: Dialect) -> Vec<String> {
        self.saved.columns.iter().map(|column| dialect.quote(&column.name)).collect()
    }

    /// Rows with a missing value go first, where the study says so.
    fn complete_rows(&self, dialect: Dialect) -> String {
        let data = &self.study.data;
        if data.on_missing != OnMissing::DropRow {
            return String::new();
        }
        let used = self.study.columns.iter().filter(|column| column.is_counted());
        let signs: Vec<String> = data.missing.iter().map(|sign| dialect.literal(sign.trim())).collect();
        let there = used.map(|column| {
            let name = dialect.quote(&column.name);
            match signs.is_empty() {
                true => format!("{name} IS NOT NULL"),
                false => format!("{name} IS NOT NULL AND TRIM({}) NOT IN ({})", dialect.text(&name), signs.join(", ")),
            }
        });
        format!("\n  WHERE {}", there.collect::<Vec<_>>().join("\n    AND "))
    }

    /// What a column shows.
    fn shown(&self, column: &SavedColumn, dialect: Dialect) -> String {
        let name = dialect.quote(&column.name);
        // A column may have a collation that takes two texts for one.
        let (text, number) = (format!("TRIM({})", dialect.distinct_text(&name)), dialect.number(&name));
        let shown = column.shown_texts();
        let label =
            |label: &str| column.code(label).map_or("NULL".to_owned(), |set| dialect.literal(&shown[set as usize]));
        let mut arms: Vec<(String, String)> = Vec::new();
        if let Some(missing) = &column.missing {
            let signs: Vec<String> = self.study.data.missing.iter().map(|sign| dialect.literal(sign.trim())).collect();
            let signs = if signs.is_empty() { String::new() } else { format!(" OR {text} IN ({})", signs.join(", ")) };
            arms.push((format!("{name} IS NULL{signs}"), label(missing)));
        }
        match &column.mapping {
            Mapping::Values { values } => {
                for run in values.chunk_by(|left, right| left.label == right.label) {
                    let texts = run.iter().flat_map(|one| spellings(&one.value));
                    let texts: Vec<String> = texts.map(|text| dialect.literal(&text)).collect();
                    arms.push((format!("{text} IN ({})", texts.join(", ")), label(&run[0].label)));
                }
            }
            Mapping::Numbers { numbers } => {
                for run in numbers.chunk_by(|left, right| left.label == right.label) {
                    let (low, high) = (run[0].value, run[run.len() - 1].value);
                    arms.push((format!("{number} >= {low:?} AND {number} <= {high:?}"), label(&run[0].label)));
                }
            }
            Mapping::Bins { bins, closed } => {
                let runs: Vec<&[MappedBin]> = bins.chunk_by(|left, right| left.label == right.label).collect();
                for (at, run) in runs.iter().enumerate() {
                    let (low, high) = (run[0].from, run[run.len() - 1].to);
                    let below = if *closed && at + 1 == runs.len() { "<=" } else { "<" };
                    let from = low.is_finite().then(|| format!("{number} >= {low:?}"));
                    let to = high.is_finite().then(|| format!("{number} {below} {high:?}"));
                    let test: Vec<String> = from.into_iter().chain(to).collect();
                    let test = if test.is_empty() { format!("{name} IS NOT NULL") } else { test.join(" AND ") };
                    arms.push((test, label(&run[0].label)));
                }
            }
        }
        let arms: Vec<String> = arms.iter().map(|(test, value)| format!("\n      WHEN {test} THEN {value}")).collect();
        format!("CASE{}\n    END", arms.concat())
    }

    /// What is to be asked of the release before it is handed on.
    fn audit(&self, dialect: Dialect, target: &str) -> String {
        let groups = self.quoted_quasi(dialect).join(", ");
        let mut text = format!(
            "-- Expected: groups = {}, k = {}, rows_released = {}.\n\
             SELECT COUNT(*) AS groups, MIN(n) AS k, SUM(n) AS rows_released\n\
             FROM (SELECT COUNT(*) AS n FROM {target} GROUP BY {groups}) AS g;\n",
            self.kept.len(),
            self.claim.k,
            self.claim.rows
        );
        let sensitive = self.study.columns.iter().filter(|column| column.role.has(Role::Sensitive));
        for column in sensitive {
            let name = dialect.quote(&column.name);
            text += &format!(
                "-- The fewest values of {} in a group.\n\
                 SELECT MIN(l) AS distinct_l FROM (SELECT COUNT(DISTINCT {name}) AS l FROM {target} GROUP BY {groups}) AS g;\n",
                column.name.replace('\n', " ")
            );
        }
        text
    }
}

/// What an engine may write for a value that was read from it: a moment has a blank between day and hour there.
fn spellings(value: &str) -> Vec<String> {
    let signs = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    let is_moment = value.len() >= 19 && signs.iter().all(|(at, sign)| value.as_bytes()[*at] == *sign);
    let blank = is_moment.then(|| value.replacen('T', " ", 1));
    [value.to_owned()].into_iter().chain(blank).collect()
}
