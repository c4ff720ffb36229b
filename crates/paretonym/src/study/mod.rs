//! A study: the one serializable description of a run. The program, the server and the bindings only build a study and
//! call [`run`].

mod assemble;
mod coarse;
mod column;
mod concerns;
mod contradictions;
mod describe;
mod finest;
mod groups;
mod known;
mod outline;
pub(crate) mod plan;
mod run;
mod run_watch;
mod shown;
mod values;

pub use assemble::{check_columns, count};
pub use column::{ColumnSpec, Generated, Roles};
pub use concerns::{concerns, one_value};
pub(crate) use describe::Describer;
pub use describe::describe;
pub use groups::{CountedGroups, count_groups};
pub use outline::outline;
pub use run::{Exploration, run, run_keeping};

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::catalog;
use crate::data::{Role, Source};
use crate::error::{Error, Result};
use crate::settings::SearchSettings;

/// The one description of a run: where the table is, what its columns are, and what is searched.
///
/// Written as TOML, built in code, or drafted from a table ([`crate::draft`]); [`run`] explores it.
///
/// ```
/// use paretonym::data::Role;
/// use paretonym::study::Study;
///
/// let study = Study::from_toml(
///     r#"
///     [data]
///     path = "people.csv"
///
///     [[columns]]
///     name = "age"
///     role = "quasi"
///     widths = [5, 10, 20]
///
///     [search]
///     privacy = "k"
///     loss = "generel"
///     "#,
///     "study.toml",
/// )?;
/// assert!(study.columns[0].role.has(Role::Quasi));
/// assert_eq!(study.search.problem, "max-suppression", "what is not said has a default");
///
/// let wrong = study.validate().unwrap_err().to_string();
/// assert!(wrong.contains("did you mean \"general\"?"), "{wrong}");
/// # Ok::<(), paretonym::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The table.
    pub data: Source,
    /// Its columns.
    #[serde(default)]
    pub columns: Vec<ColumnSpec>,
    /// What is traded and how it is searched.
    #[serde(default)]
    pub search: SearchSettings,
}

/// Where a key of the `[search]` section stands in a study file.
fn key_place(text: &str, place: &str, key: &str) -> String {
    let section = text.lines().position(|line| line.trim_start().starts_with("[search]")).unwrap_or_default();
    let is_key =
        |line: &&str| line.split_once('=').is_some_and(|(name, _)| name.trim().trim_matches(['"', '\'']) == key);
    let is_table = |line: &&str| line.trim() == format!("[search.{key}]");
    match text.lines().enumerate().skip(section).find(|(_, line)| is_key(line) || is_table(line)) {
        Some((line, _)) => format!("{place}, line {}", line + 1),
        None => place.to_owned(),
    }
}

impl Study {
    /// Reads a study file. `place` names it in errors.
    pub fn from_toml(text: &str, place: &str) -> Result<Self> {
        let study: Study = toml::from_str(text).map_err(|error| Error::Table {
            place: place.to_owned(),
            problem: error.to_string().trim_end().to_owned(),
        })?;
        for name in study.search.parameters.names() {
            catalog::check_key(name)
                .map_err(|error| Error::Table { place: key_place(text, place, name), problem: error.to_string() })?;
        }
        study.data.check().map_err(|error| Error::Table { place: place.to_owned(), problem: error.to_string() })?;
        study
            .check_wanted()
            .map_err(|(key, error)| Error::Table { place: key_place(text, place, key), problem: error.to_string() })?;
        Ok(study)
    }

    /// Checks the levels that every solution must have; an error comes with the key that holds them.
    fn check_wanted(&self) -> Result<(), (&'static str, Error)> {
        catalog::check_wanted(&self.search, self.columns.iter().any(|column| column.role.has(Role::Sensitive)))
    }

    /// Takes paths as relative to a folder: the one that the study file lies in.
    pub fn resolve(&mut self, folder: &Path) {
        self.data.resolve(folder);
        for column in &mut self.columns {
            if let Some(toml::Value::String(path)) = &mut column.taxonomy {
                *path = folder.join(&*path).display().to_string();
            }
        }
    }

    /// Checks everything that can be checked before the table is opened.
    pub fn validate(&self) -> Result<()> {
        self.search.validate()?;
        catalog::check_names(&self.search)?;
        self.check_wanted().map_err(|(_, error)| error)?;
        for (at, column) in self.columns.iter().enumerate() {
            if self.columns[..at].iter().any(|other| other.name == column.name) {
                return Err(Error::study(format!("the study describes column {:?} twice; keep one", column.name)));
            }
            column.validate()?;
        }
        if !self.columns.iter().any(|column| column.role.has(Role::Quasi)) {
            return Err(Error::study(
                "the study has no quasi column, so there is nothing to recode; give a column role = \"quasi\"",
            ));
        }
        Ok(())
    }
}
