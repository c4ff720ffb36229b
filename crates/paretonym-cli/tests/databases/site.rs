//! A folder with a table in a file and in an engine, a description of the connection, and the program to run there.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use paretonym::data::Source;
use paretonym::engine::Unwatched;
use paretonym_sql::{Client, Connection};

use crate::engines::{Drivers, Engine};
use crate::people::People;
use crate::program::Folder;
use crate::servers::{Postgresql, Spark};

/// What every study calls the database.
pub const DATABASE: &str = "warehouse";

/// Rows of an answer; none is a null.
pub type Rows = Vec<Vec<Option<String>>>;

/// Whether there is time for all engines at every turn, and for a cluster.
pub fn is_long() -> bool {
    std::env::var_os("PARETONYM_LONG").is_some_and(|value| !value.is_empty())
}

/// An engine that can be asked, and the server that it needs.
pub struct Running {
    pub engine: Engine,
    driver: String,
    pub server: Option<Postgresql>,
    pub cluster: Option<Spark>,
}

/// The engines that need no more than half a minute, as far as they are installed.
pub fn running() -> Vec<Running> {
    let Some(drivers) = Drivers::find() else { return Vec::new() };
    let start = |engine| Running::start(engine, &drivers);
    [Engine::Sqlite, Engine::Duckdb, Engine::Postgresql].into_iter().filter_map(start).collect()
}

impl Running {
    /// None, and a message, where something is not installed.
    pub fn start(engine: Engine, drivers: &Drivers) -> Option<Self> {
        let driver = drivers.driver(engine)?.display().to_string();
        let (mut server, mut cluster) = (None, None);
        match engine {
            Engine::Postgresql => server = Some(Postgresql::start()?),
            Engine::Spark => cluster = Some(Spark::start(&drivers.folder)?),
            _ => {}
        }
        Some(Running { engine, driver, server, cluster })
    }

    /// How the database is reached: the text of connections.toml.
    pub fn connection(&self) -> String {
        let options = match self.engine {
            Engine::Sqlite => "uri = \"people.db\"".to_owned(),
            Engine::Duckdb => "path = \"people.db\"".to_owned(),
            Engine::Postgresql => format!("uri = {:?}", self.server.as_ref().unwrap().uri()),
            Engine::Spark => format!("uri = {:?}", self.cluster.as_ref().unwrap().uri()),
        };
        self.connection_with(&options)
    }

    /// The same with other options.
    pub fn connection_with(&self, options: &str) -> String {
        let entry = if self.engine == Engine::Duckdb { "entrypoint = \"duckdb_adbc_init\"\n" } else { "" };
        format!("[{DATABASE}]\ndriver = {:?}\n{entry}options = {{ {options} }}\n", self.driver)
    }
}

/// A folder in which the program finds an engine.
pub struct Site<'a> {
    pub running: &'a Running,
    pub folder: Folder,
}

impl<'a> Site<'a> {
    /// An empty database.
    pub fn new(running: &'a Running) -> Self {
        let folder = Folder::new();
        folder.write("connections.toml", &running.connection());
        let site = Site { running, folder };
        if site.engine() == Engine::Sqlite {
            site.folder.write("people.db", "");
        }
        if site.engine() == Engine::Duckdb {
            site.make_duckdb();
        }
        site.tell(&site.engine().before().iter().map(|sql| (*sql).to_owned()).collect::<Vec<_>>());
        site
    }

    /// A database with people in it, and beside it the same people in a file.
    pub fn with(running: &'a Running, people: &People) -> Self {
        let site = Site::new(running);
        site.fill("people", people);
        site
    }

    /// The same people as a table and as a file.
    pub fn fill(&self, table: &str, people: &People) {
        self.folder.write(&format!("{table}.csv"), &people.csv());
        self.tell(&people.statements(self.engine(), table));
    }

    /// From now on nothing is written, so that several processes can read at once.
    pub fn only_read(&self) {
        if self.engine() == Engine::Duckdb {
            let options = "path = \"people.db\", access_mode = \"READ_ONLY\"";
            self.folder.write("connections.toml", &self.running.connection_with(options));
        }
    }

    /// The engine makes its file itself, since an empty one is none to it.
    fn make_duckdb(&self) {
        let place = self.folder.at("people.db").display().to_string();
        self.folder.write("making.toml", &self.running.connection_with("path = \":memory:\""));
        let client = self.client("making.toml");
        client.tell(&format!("ATTACH '{place}' AS made"), &Unwatched).unwrap();
        client.tell("DETACH made", &Unwatched).unwrap();
        std::fs::remove_file(self.folder.at("making.toml")).unwrap();
    }

    pub fn engine(&self) -> Engine {
        self.running.engine
    }

    fn client(&self, connections: &str) -> Client {
        let mut source = Source::at(format!("database:{DATABASE}/people"));
        source.connections = Some(self.folder.at(connections));
        Client::connect(&Connection::of(&source).unwrap()).unwrap()
    }

    /// Has the engine do something.
    pub fn tell(&self, statements: &[String]) {
        if statements.is_empty() {
            return;
        }
        let client = self.client("connections.toml");
        // One transaction, which spares SQLite much waiting.
        let together = self.engine() == Engine::Sqlite;
        let framed = ["BEGIN".to_owned()].into_iter().filter(|_| together);
        let end = ["COMMIT".to_owned()].into_iter().filter(|_| together);
        for sql in framed.chain(statements.iter().cloned()).chain(end) {
            client.tell(&sql, &Unwatched).unwrap_or_else(|error| panic!("{:?}: {error}", self.engine()));
        }
    }

    /// Asks the engine for texts and whole numbers.
    pub fn ask(&self, sql: &str) -> Rows {
        let answer = self.client("connections.toml").ask_all(sql, &Unwatched);
        let batches = answer.unwrap_or_else(|error| panic!("{:?}: {error}\n{sql}", self.engine()));
        batches.iter().flat_map(rows).collect()
    }

    /// The tables that there are, in the order of their names.
    pub fn tables(&self) -> Vec<String> {
        let sql = match self.engine() {
            Engine::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
            Engine::Spark => "SELECT table_name FROM (SHOW TABLES) ORDER BY 1",
            _ => {
                "SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema IN ('main', 'public') ORDER BY 1"
            }
        };
        self.ask(sql).into_iter().map(|mut row| row.swap_remove(0).unwrap()).collect()
    }

    /// Where a study finds the table: `file` or the engine.
    pub fn data(&self, table: &str) -> String {
        format!("database = \"{DATABASE}\"\ntable = {table:?}\n")
    }
}

fn rows(batch: &RecordBatch) -> Rows {
    (0..batch.num_rows()).map(|row| batch.columns().iter().map(|column| cell(column, row)).collect()).collect()
}

fn cell(column: &dyn Array, row: usize) -> Option<String> {
    if column.is_null(row) {
        return None;
    }
    if let Some(texts) = column.as_string_opt::<i32>() {
        return Some(texts.value(row).to_owned());
    }
    let numbers = column.as_primitive_opt::<Int64Type>();
    Some(
        numbers.unwrap_or_else(|| panic!("a {} is neither text nor number", column.data_type())).value(row).to_string(),
    )
}
