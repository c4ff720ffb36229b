//! A connection to an engine: statements in, batches out. One database is opened once by this process, however many ask it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use adbc_core::error::Status;
use adbc_core::options::{AdbcVersion, IngestMode, OptionDatabase, OptionStatement, OptionValue};
use adbc_core::{Connection as _, Database as _, Driver as _, LOAD_FLAG_DEFAULT, Optionable as _, Statement as _};
use adbc_driver_manager::{ManagedConnection, ManagedDatabase, ManagedDriver};
use arrow_array::RecordBatch;
use paretonym::engine::{Unwatched, Watch};
use paretonym::error::{Error, Result};

use crate::answer::{Answer, done};
use crate::connections::Connection;
use crate::dialect::Dialect;
use crate::lent::Lent;
use crate::secrets::Secrets;

/// An open connection. What is made for it alone, such as temporary tables, goes with it.
pub struct Client {
    // Statements are made one at a time; each may be run on a thread of its own.
    connection: Mutex<ManagedConnection>,
    failures: Arc<Failures>,
    dialect: Dialect,
    // The database goes last.
    _database: Arc<ManagedDatabase>,
}

/// Databases that are open now. Some engines let a process open a file but once.
static OPEN: Mutex<Vec<(Connection, Weak<ManagedDatabase>)>> = Mutex::new(Vec::new());

impl Client {
    /// Connects.
    pub fn connect(connection: &Connection) -> Result<Self> {
        let failures = Arc::new(Failures { name: connection.name.clone(), secrets: connection.secrets.clone() });
        let database = database(connection, &failures)?;
        let own = database.new_connection().map_err(|error| failures.error(&error))?;
        Ok(Client { connection: Mutex::new(own), failures, dialect: connection.dialect, _database: database })
    }

    /// How the engine wants to be asked.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Asks a question.
    pub fn ask<'w>(&self, sql: &str, watch: &'w dyn Watch) -> Result<Answer<'w>> {
        let mut statement = self.statement()?;
        statement.set_sql_query(sql).map_err(|error| self.failures.error(&error))?;
        Answer::of(statement, Arc::clone(&self.failures), watch)
    }

    /// Has something done that is answered by nothing.
    pub fn tell(&self, sql: &str, watch: &dyn Watch) -> Result<()> {
        let mut statement = self.statement()?;
        statement.set_sql_query(sql).map_err(|error| self.failures.error(&error))?;
        done(statement, &self.failures, watch)
    }

    /// Has all of some statements done, or none where the engine can do that.
    pub fn tell_together(&self, statements: &[String], watch: &dyn Watch) -> Result<()> {
        if !self.dialect.has_transactions() || statements.len() == 1 {
            return statements.iter().try_for_each(|sql| self.tell(sql, watch));
        }
        self.tell("BEGIN", watch)?;
        let told =
            statements.iter().try_for_each(|sql| self.tell(sql, watch)).and_then(|()| self.tell("COMMIT", watch));
        told.inspect_err(|_| drop(self.tell("ROLLBACK", &Unwatched)))
    }

    /// Puts a list beside the tables of the engine, for this connection alone; what stands for it in a query.
    pub fn lend(&self, name: &str, list: RecordBatch, watch: &dyn Watch) -> Result<Lent> {
        if !self.dialect.ingests() {
            return Lent::inline(name, &list, self.dialect);
        }
        let failed = |error| self.failures.error(&error);
        let mut statement = self.statement()?;
        let text = |text: &str| OptionValue::String(text.to_owned());
        statement.set_option(OptionStatement::TargetTable, text(name)).map_err(failed)?;
        statement.set_option(OptionStatement::Temporary, text("true")).map_err(failed)?;
        statement.set_option(OptionStatement::IngestMode, OptionValue::from(IngestMode::Create)).map_err(failed)?;
        statement.bind(list).map_err(failed)?;
        done(statement, &self.failures, watch)?;
        Ok(Lent { name: self.dialect.quote(name), inline: None })
    }

    /// The answer to a question that is answered by a few rows.
    pub fn ask_all(&self, sql: &str, watch: &dyn Watch) -> Result<Vec<RecordBatch>> {
        let mut answer = self.ask(sql, watch)?;
        let mut batches = Vec::new();
        while let Some(batch) = answer.next_batch()? {
            batches.push(batch);
        }
        Ok(batches)
    }

    fn statement(&self) -> Result<adbc_driver_manager::ManagedStatement> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        connection.new_statement().map_err(|error| self.failures.error(&error))
    }
}

/// The database of a connection: one that is open already, or a new one.
fn database(connection: &Connection, failures: &Failures) -> Result<Arc<ManagedDatabase>> {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|(_, database)| database.strong_count() > 0);
    if let Some(database) = open.iter().find(|(own, _)| own == connection).and_then(|(_, database)| database.upgrade())
    {
        return Ok(database);
    }
    let entrypoint = connection.entrypoint.as_deref().map(str::as_bytes);
    let mut driver = load(&connection.driver, entrypoint)
        .map_err(|error| Error::study(failures.sentence(&error, "its driver cannot be loaded")))?;
    let options = connection.options.iter().map(|(key, value)| {
        let key = match key.as_str() {
            "uri" => OptionDatabase::Uri,
            "username" => OptionDatabase::Username,
            "password" => OptionDatabase::Password,
            other => OptionDatabase::Other(other.to_owned()),
        };
        (key, OptionValue::String(value.clone()))
    });
    let database = driver.new_database_with_opts(options).map_err(|error| {
        // Drivers have no common word for an option that they do not know, or a file that is none of theirs.
        let mistaken = ["not recognized", "not a valid"].iter().any(|words| error.message.contains(words));
        match mistaken || error.status == Status::NotImplemented {
            true => Error::study(failures.sentence(&error, "it cannot be opened as its connection says")),
            false => failures.error(&error),
        }
    })?;
    let database = Arc::new(database);
    open.push((connection.clone(), Arc::downgrade(&database)));
    Ok(database)
}

/// Loads a driver: a file where there is one, or what the driver manager finds by the name.
fn load(driver: &Path, entrypoint: Option<&[u8]>) -> adbc_core::error::Result<ManagedDriver> {
    // Drivers know 1.1.0 or only 1.0.0.
    let with = |version| ManagedDriver::load_from_name(driver, entrypoint, version, LOAD_FLAG_DEFAULT, None);
    with(AdbcVersion::V110).or_else(|first| with(AdbcVersion::V100).map_err(|_| first))
}

/// Puts what an engine says into words, without secrets.
pub(crate) struct Failures {
    name: String,
    secrets: Secrets,
}

impl Failures {
    /// An error of the engine.
    pub fn error(&self, error: &adbc_core::error::Error) -> Error {
        use Status::*;
        if error.status == Cancelled {
            return Error::Cancelled;
        }
        let said = error.message.to_lowercase();
        let gone = [
            "closed the connection",
            "connection refused",
            "connection reset",
            "broken pipe",
            "no connection",
            "unavailable",
            "not connected",
        ];
        let lost = "the connection is lost or cannot be made; nothing was kept, run the command again when the database answers";
        let refused = "the engine refuses";
        // Classes 08 (connection), 57 (the operator ended it), 53 (not enough resources) and 58 (system) are nobody's mistake.
        let class: String = error.sqlstate[..2].iter().map(|letter| char::from(*letter as u8)).collect();
        let machine =
            matches!(class.as_str(), "08" | "57" | "53" | "58") || gone.iter().any(|words| said.contains(words));
        // Whoever cannot get in by mistake gets no better status from some drivers than a server that is away.
        let mistaken = [
            "authentication failed",
            "fatal: database",
            "fatal: role",
            "no pg_hba.conf entry",
            "in uri",
            "percent-encoded",
            "missing \"=\"",
            "invalid connection option",
            "invalid port",
            "invalid integer value",
        ];
        let input = match class.as_str() {
            "28" | "42" | "3D" | "3F" | "22" => true,
            _ if mistaken.iter().any(|words| said.contains(words)) => true,
            _ => matches!(error.status, NotFound | InvalidArguments | Unauthenticated | Unauthorized | AlreadyExists),
        };
        if said.contains("out of memory") {
            let advice = "the engine has not enough memory for this; give it more, or room on a disk, in its options";
            return Error::Database(self.sentence(error, advice));
        }
        let problem = match machine || (error.status == IO && !input) {
            true => self.sentence(error, lost),
            false => self.sentence(error, refused),
        };
        if input && !machine { Error::study(problem) } else { Error::Database(problem) }
    }

    /// What happened, and what the engine said of it.
    fn sentence(&self, error: &adbc_core::error::Error, what: &str) -> String {
        // Some drivers repeat the query, with every value in it.
        let repeated = ["\nquery:", "Query was:", "== SQL"].iter().filter_map(|words| error.message.find(words)).min();
        let said = self.secrets.hide(error.message[..repeated.unwrap_or(error.message.len())].trim());
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("database {:?}: {what} ({said})", self.name)
    }
}
