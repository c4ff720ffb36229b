//! A table in a database: from the page to a release, without a word on how the database is reached.

use std::path::PathBuf;

use paretonym::data::Source;
use paretonym::engine::Unwatched;
use paretonym_sql::{Client, Connection};
use serde_json::json;

use crate::chromium::Chromium;
use crate::people;
use crate::program::Folder;
use crate::steps::{self, Visit};

/// What stands in the description of the connections and nowhere else.
const SECRETS: [&str; 4] = ["planted-place-4711", "geheim-0815", "planted-user", "connections.toml"];

/// The driver of SQLite, where `databases/set-up` installed it; none, with a message, elsewhere.
fn driver() -> Option<String> {
    let folder = std::env::var_os("PARETONYM_DATABASES").map(PathBuf::from);
    let text = folder.and_then(|folder| std::fs::read_to_string(folder.join("drivers.env")).ok());
    let driver = text.and_then(|text| text.lines().find_map(|line| line.strip_prefix("SQLITE=").map(str::to_owned)));
    if driver.is_none() {
        println!("skipped: there is no driver of SQLite; databases/set-up FOLDER installs it ($PARETONYM_DATABASES)");
    }
    driver
}

/// The people of a text table in a database, and the description of the connection.
fn fill(folder: &Folder, driver: &str, people: &str) {
    std::fs::create_dir(folder.at(SECRETS[0])).unwrap();
    folder.write(&format!("{}/people.db", SECRETS[0]), "");
    let connections = format!(
        "[warehouse]\ndriver = {driver:?}\noptions = {{ uri = \"{}/people.db\" }}\n\
         [other]\ndriver = {driver:?}\noptions = {{ uri = \"x.db\", username = \"{}\", password = \"{}\" }}\n",
        SECRETS[0], SECRETS[2], SECRETS[1]
    );
    folder.write(SECRETS[3], &connections);
    let mut source = Source::at("database:warehouse/people");
    source.connections = Some(folder.at(SECRETS[3]));
    let client = Client::connect(&Connection::of(&source).unwrap()).unwrap();
    let mut lines = people.lines();
    let names = lines.next().unwrap();
    let rows: Vec<String> = lines.map(|line| format!("('{}')", line.replace(',', "', '"))).collect();
    client.tell(&format!("CREATE TABLE people ({names})"), &Unwatched).unwrap();
    client.tell(&format!("INSERT INTO people VALUES {}", rows.join(", ")), &Unwatched).unwrap();
}

/// Everything that the server answered so far, as far as the browser still has it.
fn answers(page: &Chromium) -> Vec<(String, String)> {
    let received = page.events_of("Network.responseReceived");
    let answer = received.iter().filter_map(|event| {
        let body = page.try_call("Network.getResponseBody", json!({ "requestId": event["requestId"] })).ok()?;
        let headers = event["response"]["headers"].to_string();
        let address = event["response"]["url"].as_str()?.to_owned();
        Some((address, headers + body["body"].as_str()?))
    });
    answer.collect()
}

#[test]
fn a_table_in_a_database_is_explored_and_released() {
    let Some(driver) = driver() else { return };
    let table = people::people(800);
    let served = "work --table warehouse/people";
    let Some(visit) = Visit::start(served, |folder| fill(folder, &driver, &table)) else { return };
    let page = &visit.chromium;
    page.call("Network.enable", json!({ "maxTotalBufferSize": 100_000_000, "maxResourceBufferSize": 50_000_000 }));
    page.open(&visit.server.address);
    page.click("a[href='#/table/database%3Awarehouse%2Fpeople']");
    page.wait_for(".columns tbody tr");
    page.screenshot("9-database");
    page.click("#start");
    page.wait_for("#chosen #release");
    page.click("#look");
    page.wait_for(".column-drawing");
    page.run("history.back()");
    page.click("#release");
    page.wait_for("#write");
    page.click("#write");
    page.wait_for("#download");
    page.click("#download");
    let file = steps::wait_for_file(&page.downloads(), ".csv");
    let run = visit.only_run();
    let id = page.run("location.hash.split('/').pop()").as_str().unwrap().parse::<u64>().unwrap();
    let front = visit.folder.front(&run);
    let solution = front["solutions"].as_array().unwrap().iter().find(|own| own["id"] == id).unwrap();
    let quasi = solution["recoding"].as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(",");
    std::fs::copy(&file, visit.folder.at("downloaded.csv")).unwrap();
    let audit = visit.folder.run_json(&format!("audit downloaded.csv --quasi {quasi} --json"));
    assert_eq!(audit["k"], solution["k"]);
    assert!(front["rows"] == 800 && front["moved"]["rows"].as_u64() > Some(0), "{}", front["moved"]);

    // The page names its table, and what it was told says nothing else of the database.
    let told = answers(page);
    let of = |part: &str| told.iter().filter(|(address, _)| address.contains(part)).count();
    assert!(of("/api/state") > 0 && of("/api/profile") > 0 && of("/api/runs") > 3, "{:?}", addresses(&told));
    assert!(told.iter().any(|(_, body)| body.contains("database:warehouse/people")));
    for (address, body) in &told {
        for secret in SECRETS.iter().chain([&driver.as_str(), &"libadbc"]) {
            assert!(!body.contains(secret), "{address} tells {secret}");
        }
    }
    let shown = page.run("document.documentElement.outerHTML");
    assert!(SECRETS.iter().all(|secret| !shown.as_str().unwrap().contains(secret)));
    assert_eq!(page.complaints(), [] as [String; 0]);
}

fn addresses(told: &[(String, String)]) -> Vec<&str> {
    told.iter().map(|(address, _)| address.as_str()).collect()
}
