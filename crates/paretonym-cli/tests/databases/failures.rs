//! A server that fails in the middle, and somebody who loses patience: nothing stands under the final name, and the next try
//! succeeds.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::engines::{Drivers, Engine};
use crate::fronts::{plain, same_front};
use crate::people::People;
use crate::site::{Running, Site};
use crate::studies::{QUASI, study};

/// What waits for so long does not end at all: queries here would take hours.
const PATIENCE: Duration = Duration::from_secs(60);

/// A query that waits where the table `naps` says so of the statement that it is part of.
const SLOW: &str =
    "database = \"warehouse\"\nquery = \"select people.* from people cross join (select nap() as n) as naps\"\n";

const NAP: &str = "CREATE FUNCTION nap() RETURNS boolean LANGUAGE plpgsql AS \
    'BEGIN PERFORM pg_sleep(10000) FROM naps WHERE current_query() LIKE statement; RETURN true; END'";

/// People behind a query that can be made slow.
fn slow_site(running: &Running) -> Site<'_> {
    let site = Site::with(running, &People::random(71, 400));
    site.tell(&["CREATE TABLE naps (statement text)".to_owned(), NAP.to_owned()]);
    site.folder.write("study.toml", &study(SLOW, "value", QUASI[0], "eta = 0.05"));
    site
}

/// Statements like this one do not end from now on.
fn nap(site: &Site, statement: &str) {
    site.tell(&[format!("INSERT INTO naps VALUES ('{statement}')")]);
}

fn no_nap(site: &Site) {
    site.tell(&["DELETE FROM naps".to_owned()]);
}

fn start(site: &Site, arguments: &str) -> Child {
    let mut command = site.folder.command(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the server naps.
fn until_it_naps(site: &Site, child: &mut Child) {
    let began = Instant::now();
    let sleeping = "SELECT CAST(count(*) AS BIGINT) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    while site.ask(sleeping)[0][0].as_deref() == Some("0") {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it asked for anything long");
        assert!(began.elapsed() < PATIENCE, "it never asks for anything long");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn ended(child: &mut Child) -> ExitStatus {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if began.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// What a program that was stopped leaves: exit code 1, one sentence without secrets, and only the files that were there.
fn check(site: &Site, mut child: Child, before: &[String], secret: &str) -> String {
    let status = ended(&mut child);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.starts_with("error: ") && said.trim_end().lines().count() == 1, "{said}");
    assert!(!said.contains(secret) && !said.contains("panicked"), "{said}");
    assert_eq!(site.folder.names(), before, "{said}");
    said
}

/// Commands, and the statements of theirs that last: counting, reading rows, the values of a column, writing.
const LONG: [(&str, &str); 6] = [
    ("explore study.toml -o again --quiet", "%GROUP BY%"),
    ("release front --solution ID -o out.csv --quiet", "%GROUP BY%"),
    ("release front --solution ID -o out.csv --quiet", "%SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9%"),
    ("release front --solution ID --to-table made --quiet", "%GROUP BY c0)%"),
    ("release front --solution ID --to-table made --quiet", "CREATE TABLE%"),
    ("release front --solution ID --to-table full --tokens --suppressed-rows star --quiet", "CREATE TABLE%"),
];

fn postgresql() -> Option<Running> {
    Running::start(Engine::Postgresql, &Drivers::find()?)
}

#[test]
fn a_server_that_fails_leaves_nothing_and_the_next_run_succeeds() {
    let Some(running) = postgresql() else { return };
    let (server, site) = (running.server.as_ref().unwrap(), slow_site(&running));
    let secret = server.password();
    site.folder.run("explore study.toml -o front --quiet");
    let front = plain(site.folder.front("front"));
    let id = front["solutions"][2]["id"].to_string();
    for (at, (command, statement)) in LONG.into_iter().enumerate() {
        let command = command.replace("ID", &id);
        nap(&site, statement);
        let (before, private) = (site.folder.names(), private(&site));
        let mut child = start(&site, &command);
        until_it_naps(&site, &mut child);
        server.crash();
        let said = check(&site, child, &before, &secret);
        assert!(said.contains("run the command again"), "{said}");
        assert_eq!(private, self::private(&site), "{command}");
        // While the server is away, nothing else is said.
        check(&site, start(&site, &command), &before, &secret);
        server.start_again();
        no_nap(&site);
        let made: &[&str] = if at == 5 { &["made", "naps", "people"] } else { &["naps", "people"] };
        assert_eq!(site.tables(), made, "{command}");
        // The same command twice: the second time it is not held up.
        if at != 1 && at != 3 {
            site.folder.run(&command);
        }
    }
    same_front(&plain(site.folder.front("again")), &front, "after a failure");
    assert_eq!(site.tables(), ["full", "made", "naps", "people"]);
}

/// What the private part of the front holds.
fn private(site: &Site) -> usize {
    std::fs::read_dir(site.folder.at("front/private")).unwrap().count()
}

#[test]
fn whoever_interrupts_a_server_does_not_wait_for_it() {
    let Some(running) = postgresql() else { return };
    let (server, site) = (running.server.as_ref().unwrap(), slow_site(&running));
    site.folder.run("explore study.toml -o front --quiet");
    let id = site.folder.front("front")["solutions"][2]["id"].to_string();
    for (command, statement) in LONG.into_iter() {
        nap(&site, statement);
        let (before, private) = (site.folder.names(), private(&site));
        let mut child = start(&site, &command.replace("ID", &id));
        until_it_naps(&site, &mut child);
        interrupt(&child);
        check(&site, child, &before, &server.password());
        assert_eq!(private, self::private(&site), "{command}");
        assert_eq!(site.tables(), ["naps", "people"], "{command}");
        let busy = "SELECT CAST(count(*) AS BIGINT) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
        assert_eq!(site.ask(busy)[0][0].as_deref(), Some("0"), "{command}: the server goes on");
        no_nap(&site);
    }
}

fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// Engines inside of the process: one can be told to stop, the other is left behind.
#[test]
fn whoever_interrupts_an_engine_in_the_process_does_not_wait_for_it() {
    let Some(drivers) = Drivers::find() else { return };
    for (engine, endless) in [
        (
            Engine::Sqlite,
            "with recursive c(n) as (select 1 union all select n + 1 from c where n < 1000000000000) select n % 7 as n from c",
        ),
        (Engine::Duckdb, "select a.range % 7 as n from range(1000000000) as a, range(1000000000) as b"),
    ] {
        let Some(running) = Running::start(engine, &drivers) else { continue };
        let site = Site::new(&running);
        let data = format!("[data]\ndatabase = \"warehouse\"\nquery = \"{endless}\"\n");
        site.folder
            .write("study.toml", &(data + "[[columns]]\nname = \"n\"\nrole = \"quasi\"\nkind = \"categorical\"\n"));
        let before = site.folder.names();
        let child = start(&site, "explore study.toml -o out --quiet");
        std::thread::sleep(Duration::from_millis(700));
        interrupt(&child);
        check(&site, child, &before, "no secret");
    }
}
