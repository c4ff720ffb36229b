//! Whatever is wrong with a connection, a table or a query is told in a sentence that helps, without what is secret.

use crate::engines::Engine;
use crate::people::People;
use crate::site::{Running, Site, running};
use crate::studies::{QUASI, study};

const SECRET: &str = "geheim4711";

/// What the program says, with its exit code.
fn told(site: &Site, arguments: &str) -> (i32, String) {
    let output = site.folder.try_run(arguments);
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// One sentence with an exit code, some words in it, and no secret.
fn check(site: &Site, arguments: &str, code: i32, words: &[&str]) {
    let (found, said) = told(site, arguments);
    assert_eq!(found, code, "{arguments}: {said}");
    assert!(said.starts_with("error: ") && said.trim_end().lines().count() == 1, "{arguments}: {said}");
    for word in words {
        assert!(said.contains(word), "{arguments}: {said} (without {word:?})");
    }
    assert!(!said.contains(SECRET) && !said.contains("panicked"), "{said}");
    assert!(!site.folder.at("out").exists(), "{arguments}");
}

fn write_study(site: &Site, data: &str) {
    site.folder.write("study.toml", &study(data, "value", QUASI[0], ""));
}

#[test]
fn mistakes_in_studies_and_connections() {
    for running in running() {
        let site = Site::with(&running, &People::random(61, 50));
        let folder = &site.folder;
        let explore = "explore study.toml -o out --quiet";
        write_study(&site, &site.data("poeple"));
        check(&site, explore, 2, &["database:warehouse/poeple", "there is no such table"]);
        write_study(&site, "database = \"warehouse\"\nquery = \"select * from people; drop table people\"\n");
        check(&site, explore, 2, &["single SELECT, without a semicolon"]);
        write_study(&site, "database = \"warehouse\"\nquery = \"select nothing_like_this from people\"\n");
        check(&site, explore, 2, &["the query in the database"]);
        write_study(&site, "database = \"warehouse\"\nquery = \"select town, age from people\"\n");
        check(&site, explore, 2, &["there is no column \"id\" in the query", "town, age"]);
        write_study(&site, &site.data("people"));
        folder.write("study.toml", &folder.read("study.toml").replace("name = \"age\"", "name = \"aged\""));
        check(&site, explore, 2, &["aged"]);
        write_study(&site, &site.data("people").replace("warehouse", "warehous"));
        check(&site, explore, 2, &["did you mean \"warehouse\"?"]);
        write_study(&site, &site.data("people"));
        assert_eq!(site.tables(), ["people"]);

        let good = folder.read("connections.toml");
        std::fs::remove_file(folder.at("connections.toml")).unwrap();
        check(&site, explore, 2, &["there is no", "connections.toml", "--connections"]);
        folder
            .write("connections.toml", &good.replace("[warehouse]", &format!("[warehouse]\npassword = \"{SECRET}\"")));
        check(&site, explore, 2, &["[warehouse]", "password"]);
        folder.write(
            "connections.toml",
            &format!("[warehouse]\ndriver = \"no-such-driver.so\"\noptions = {{ uri = \"{SECRET}\" }}"),
        );
        check(&site, explore, 2, &["driver cannot be loaded"]);
        folder.write("connections.toml", &good.replace("options = {", "options = { nosuchoption = \"geheim4711\","));
        check(&site, explore, 2, &["database \"warehouse\""]);
        reach(&site, &running);
        // All was told from the outside; nothing of it changed the table.
        folder.write("connections.toml", &good);
        folder.run(explore);
    }
}

/// What is wrong with the place or the password.
fn reach(site: &Site, running: &Running) {
    let explore = "explore study.toml -o out --quiet";
    let with = |options: &str| site.folder.write("connections.toml", &running.connection_with(options));
    match running.engine {
        Engine::Sqlite => {
            with("uri = \"no-such.db\"");
            check(site, explore, 2, &["no-such.db", "there is no such file"]);
            assert!(!site.folder.at("no-such.db").exists());
        }
        Engine::Duckdb => {
            with("path = \"no-such.db\"");
            check(site, explore, 2, &["no-such.db", "there is no such file"]);
            site.folder.write("text.db", "this is no database, whatever it is called");
            with("path = \"text.db\"");
            check(site, explore, 2, &["database \"warehouse\""]);
        }
        Engine::Postgresql => {
            let server = running.server.as_ref().unwrap();
            let place = format!("127.0.0.1:{}", server.port());
            with(&format!("uri = \"postgresql://tester:{SECRET}@{place}/postgres\""));
            check(site, explore, 2, &["password authentication failed"]);
            with(&format!("uri = \"postgresql://tester:{SECRET}@{place}/nosuchdatabase\""));
            check(site, explore, 2, &["database \"warehouse\""]);
            with(&format!("uri = \"postgresql://tester:{SECRET}@127.0.0.1:1/postgres\""));
            check(site, explore, 1, &["cannot be made", "run the command again"]);
            for malformed in [
                format!("postgresql://tester:{SECRET}@[bad/postgres"),
                format!("postgresql://tester:{SECRET}%zz@{place}/postgres"),
                format!("mysql://tester:{SECRET}@{place}/postgres"),
                format!("host=127.0.0.1 password={SECRET} nonsense"),
            ] {
                with(&format!("uri = {malformed:?}"));
                check(site, explore, 2, &["database \"warehouse\""]);
            }
        }
        Engine::Spark => {}
    }
}
