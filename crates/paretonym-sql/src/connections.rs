//! connections.toml: how each database is reached. A study names a connection and never holds one; what a connection holds is
//! shown to nobody.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use paretonym::data::{CONNECTIONS, Source};
use paretonym::error::{Error, FileAction, Result};
use serde::Deserialize;

use crate::dialect::Dialect;
use crate::secrets::Secrets;

/// Where another file of connections may be named.
const VARIABLE: &str = "PARETONYM_CONNECTIONS";

/// The file that the whole program is to use, whatever lies beside a study.
static CHOSEN: OnceLock<PathBuf> = OnceLock::new();

/// Names the file of connections for the whole program, once.
pub fn use_connections(file: &Path) {
    let _ = CHOSEN.set(file.to_owned());
}

/// How a database is reached.
#[derive(Clone, PartialEq)]
pub struct Connection {
    /// What studies call it.
    pub name: String,
    /// The driver: a file, or a name that the driver manager finds.
    pub driver: PathBuf,
    /// The function that the driver begins with, where it is not the usual one.
    pub entrypoint: Option<String>,
    /// How the engine wants to be asked.
    pub dialect: Dialect,
    /// What the driver is told.
    pub options: BTreeMap<String, String>,
    /// What of these must not be shown.
    pub secrets: Secrets,
}

/// What is secret is not shown, not even to whoever looks for a fault.
impl fmt::Debug for Connection {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Connection").field("name", &self.name).field("dialect", &self.dialect).finish_non_exhaustive()
    }
}

/// A connection as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    driver: String,
    entrypoint: Option<String>,
    dialect: Option<String>,
    #[serde(default)]
    options: BTreeMap<String, toml::Value>,
}

impl Connection {
    /// The connection that a source names.
    pub fn of(source: &Source) -> Result<Self> {
        let name = source.database.as_deref().ok_or_else(|| Error::internal("a file was asked for its database"))?;
        let file = file_of(source);
        let text = std::fs::read_to_string(&file).map_err(|problem| missing(&file, name, problem))?;
        let mut connection = Connection::read(&text, &file, name, &|variable| std::env::var(variable).ok())?;
        connection.find_file(&file, source.table.is_none())?;
        Ok(connection)
    }

    /// Finds the file of a database, from here or from beside the connections. One that is not there would be made, which is
    /// right only where the rows come from elsewhere (`may_be_new`), as files that DuckDB reads by a query do.
    fn find_file(&mut self, file: &Path, may_be_new: bool) -> Result<()> {
        let Some(option) = self.dialect.file_option() else { return Ok(()) };
        let may_be_new = may_be_new && self.dialect.reads_files();
        let Some(path) = self.options.get_mut(option).filter(|path| is_plain_path(path)) else { return Ok(()) };
        let near = file.parent().unwrap_or(Path::new("")).join(&*path);
        let found = [PathBuf::from(path.as_str()), near].into_iter().find(|path| path.is_file());
        match found {
            Some(found) => *path = found.to_string_lossy().into_owned(),
            None if may_be_new => {}
            None => {
                let problem = format!(
                    "[{}]: {option} = {path:?}: there is no such file, here or beside the file of connections",
                    self.name
                );
                return Err(Error::Table { place: file.display().to_string(), problem });
            }
        }
        Ok(())
    }

    /// Reads one connection of a file. `variable` says what the environment holds.
    fn read(text: &str, file: &Path, name: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self> {
        let place = file.display();
        let wrong = |problem: String| Error::Table { place: place.to_string(), problem };
        // What the reader of TOML says repeats the line at fault, which may hold a password.
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].lines().count().max(1));
            wrong(format!("line {line} is not TOML; a connection is [name], driver = \"…\" and options = {{ … }}"))
        })?;
        let own = table.get(name).ok_or_else(|| Error::UnknownName {
            what: "connection",
            name: name.to_owned(),
            known: table.keys().cloned().collect(),
        })?;
        let written = Written::deserialize(own.clone()).map_err(|error: toml::de::Error| {
            let said = error.message().split('`').nth(1).map(|field| format!(" (`{field}`)")).unwrap_or_default();
            wrong(format!(
                "[{name}] cannot be read{said}: it has driver, and may have entrypoint, dialect and options = {{ … }} of texts"
            ))
        })?;
        let fill = |value: &str| filled(value, variable).map_err(|problem| wrong(format!("[{name}]: {problem}")));
        let mut options = BTreeMap::new();
        for (key, value) in &written.options {
            let text = match value {
                toml::Value::String(text) => fill(text)?,
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Boolean(truth) => truth.to_string(),
                _ => return Err(wrong(format!("[{name}]: option {key:?} must be a text"))),
            };
            options.insert(key.clone(), text);
        }
        let folder = file.parent().unwrap_or(Path::new(""));
        let driver = beside(folder, Path::new(&fill(&written.driver)?));
        let entrypoint = written.entrypoint.as_deref().map(fill).transpose()?;
        let dialect = match &written.dialect {
            Some(own) => Dialect::named(own)?,
            None => Dialect::guessed(&driver, entrypoint.as_deref()),
        };
        let mut secrets: Vec<&str> = options.values().map(String::as_str).collect();
        let named = |key: &str| dialect.file_option() == Some(key);
        // The path of a database in a file is no secret, and whoever mistyped it wants to see it.
        secrets.retain(|value| !options.iter().any(|(key, own)| named(key) && own == value && is_plain_path(own)));
        let secrets = Secrets::in_values(secrets);
        Ok(Connection { name: name.to_owned(), driver, entrypoint, dialect, options, secrets })
    }
}

/// The file of connections of a source.
fn file_of(source: &Source) -> PathBuf {
    let variable = || std::env::var_os(VARIABLE).filter(|file| !file.is_empty()).map(PathBuf::from);
    CHOSEN.get().cloned().or_else(variable).or_else(|| source.connections.clone()).unwrap_or(CONNECTIONS.into())
}

fn missing(file: &Path, name: &str, source: std::io::Error) -> Error {
    match source.kind() {
        std::io::ErrorKind::NotFound => Error::study(format!(
            "the database {name:?} is described nowhere: there is no {}; write [{name}] with driver and options into it, or \
             name another file with --connections or ${VARIABLE}",
            file.display()
        )),
        _ => Error::File { action: FileAction::Read, path: file.to_owned(), source },
    }
}

/// A value with each `${NAME}` taken from the environment.
fn filled(value: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let (mut text, mut rest) = (String::new(), value);
    while let Some((before, behind)) = rest.split_once("${") {
        let (name, behind) = behind.split_once('}').ok_or("a ${ is not closed by }")?;
        text += before;
        text += &variable(name).ok_or_else(|| format!("the environment has no variable {name}; set it"))?;
        rest = behind;
    }
    Ok(text + rest)
}

/// A driver that lies beside the file of connections, where one does; otherwise as it is named.
fn beside(folder: &Path, driver: &Path) -> PathBuf {
    let near = folder.join(driver);
    if driver.is_relative() && near.is_file() { std::path::absolute(&near).unwrap_or(near) } else { driver.to_owned() }
}

/// Whether a value is the path of a file and nothing more.
fn is_plain_path(value: &str) -> bool {
    !value.is_empty() && !value.contains("://") && !value.starts_with("file:") && !value.starts_with(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, name: &str) -> Result<Connection> {
        let variable = |name: &str| (name == "PASSWORD").then(|| "geheim77".to_owned());
        Connection::read(text, Path::new("connections.toml"), name, &variable)
    }

    #[test]
    fn a_connection_with_what_the_environment_holds() {
        let text = "[warehouse]\ndriver = \"libadbc_driver_postgresql.so\"\noptions = { uri = \"postgresql://a:${PASSWORD}@h/d\" }\n\
                    [lake]\ndriver = \"libduckdb.so\"\nentrypoint = \"duckdb_adbc_init\"\n";
        let found = read(text, "warehouse").unwrap();
        assert_eq!(found.options["uri"], "postgresql://a:geheim77@h/d");
        assert_eq!((found.dialect.name(), found.driver.to_str()), ("postgresql", Some("libadbc_driver_postgresql.so")));
        assert!(!format!("{found:?}").contains("geheim77"));
        assert_eq!(found.secrets.hide("geheim77"), "…");
        assert_eq!(read(text, "lake").unwrap().dialect.name(), "duckdb");
        let unknown = read(text, "warehous").unwrap_err().to_string();
        assert!(unknown.contains("did you mean \"warehouse\"?"), "{unknown}");
    }

    #[test]
    fn mistakes_are_told_without_what_is_written() {
        let told = |text: &str| read(text, "w").unwrap_err().to_string();
        for text in [
            "[w]\ndriver = \"d\"\noptions = { password = \"geheim77\" ",
            "[w]\ndriver = \"d\"\npassword = \"geheim77\"",
            "[w]\noptions = { password = \"geheim77\" }",
            "[w]\ndriver = \"d\"\noptions = { password = [\"geheim77\"] }",
            "[w]\ndriver = \"d\"\noptions = { password = \"geheim77${\" }",
            "[w]\ndriver = \"d\"\ndialect = \"geheim\"\noptions = { password = \"geheim77\" }",
        ] {
            let told = told(text);
            assert!(!told.contains("geheim77"), "{told}");
        }
        let unset = told("[w]\ndriver = \"d\"\noptions = { password = \"${NO_SUCH_VARIABLE}\" }");
        assert!(unset.contains("no variable NO_SUCH_VARIABLE"), "{unset}");
        let text = "[w]\ndriver = \"libadbc_driver_sqlite.so\"\noptions = { uri = \"no-such.db\" }\n\
                    [lake]\ndriver = \"libduckdb.so\"\noptions = { path = \"no-such.db\" }\n";
        let find = |name: &str, new: bool| read(text, name).unwrap().find_file(Path::new("connections.toml"), new);
        assert!(find("w", true).unwrap_err().to_string().contains("there is no such file"));
        assert!(find("lake", false).is_err() && find("lake", true).is_ok());
    }
}
