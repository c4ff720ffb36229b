//! What engines make of lists that they are lent, asked for without the program: tokens of a known key, rows that are spread over
//! parts before they are mixed, and what is left when that fails.

use paretonym::data::Source;
use paretonym::engine::Unwatched;
use paretonym_sql::{Recoded, RecodedColumn, Relation, TableName};

use crate::engines::Engine;
use crate::people::People;
use crate::releases::some_solutions;
use crate::site::{DATABASE, Site, running};
use crate::studies::{QUASI, study};

/// A table of identities, given as they stand in a statement, each in one of three towns.
fn fill(site: &Site, identities: impl Iterator<Item = String>) {
    let rows: Vec<String> = identities.enumerate().map(|(at, name)| format!("({name}, 'town {}')", at % 3)).collect();
    site.tell(&[
        "CREATE TABLE people (id VARCHAR(200), town VARCHAR(200))".to_owned(),
        format!("INSERT INTO people VALUES {}", rows.join(", ")),
    ]);
}

fn relation(site: &Site) -> Relation {
    let mut source = Source::at(format!("database:{DATABASE}/people"));
    source.connections = Some(site.folder.at("connections.toml"));
    Relation::open(&source).unwrap()
}

/// Identities as they are or as tokens, and the towns 0 and 1.
fn recoded<'a>(relation: &'a Relation, id: RecodedColumn, outer_key: Vec<u8>, rows: u64) -> Recoded<'a> {
    let sets = (0..3).map(|town| (Some(format!("town {town}")), town, Some(format!("<{town}>")))).collect();
    let town = RecodedColumn::Sets { position: 1, sets, absent: Vec::new() };
    let kept = vec![vec![0, 1]];
    Recoded { relation, columns: vec![id, town], kept, regions: None, missing: Vec::new(), star: None, outer_key, rows }
}

/// A key of ones, made longer and changed as the definition of HMAC says.
fn changed(by: u8) -> Vec<u8> {
    [[1 ^ by; 32], [by; 32]].concat()
}

#[test]
fn engines_make_the_tokens_of_a_key() {
    for running in running().into_iter().filter(|running| running.engine != Engine::Sqlite) {
        let site = Site::new(&running);
        let identities = ["'Ann'", "' Ann\t'", "'x'", "NULL", "'  '", "'y'", "'Ännchen'", "'\u{2003}Ann\u{a0}'"];
        fill(&site, identities.iter().map(|name| (*name).to_owned()));
        let relation = relation(&site);
        let key = [changed(0x36), 2u64.to_le_bytes().to_vec(), b"id".to_vec()].concat();
        let made = recoded(&relation, RecodedColumn::Token { position: 0, key }, changed(0x5c), 5);
        made.write(&TableName::read("made").unwrap(), "test", &Unwatched).unwrap();
        let mut rows = site.ask("SELECT COALESCE(id, 'none'), town FROM made");
        rows.sort();
        // Worked out by another program. Rows of the town 2 are left out.
        let ann = "aaeea830c003142d026af64a815cbff5";
        let blank = "ea7368a88a80b3e3d2965507e126a23d";
        let umlaut = "7ab722ff31ee304040ee9657a0590568";
        let mut expected = [(ann, "<0>"), (ann, "<1>"), (ann, "<1>"), ("none", "<0>"), (blank, "<1>"), (umlaut, "<0>")]
            .map(|(token, town)| vec![Some(token.to_owned()), Some(town.to_owned())]);
        expected.sort();
        assert_eq!(rows, expected, "{:?}", site.engine());
    }
}

#[test]
fn rows_that_are_spread_over_parts_are_all_there_in_another_order() {
    for running in running() {
        let site = Site::new(&running);
        fill(&site, (0..3000).map(|number| format!("'{number}'")));
        let relation = relation(&site);
        // As if there were too many for any engine.
        let made = recoded(&relation, RecodedColumn::Kept(0), Vec::new(), 100_000_000);
        made.write(&TableName::read("made").unwrap(), "first", &Unwatched).unwrap();
        let rows = site.ask("SELECT id, town FROM made");
        let found: Vec<u32> = rows.iter().map(|row| row[0].as_ref().unwrap().parse().unwrap()).collect();
        let expected: Vec<u32> = (0..3000).filter(|number| number % 3 < 2).collect();
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected, "{:?}", site.engine());
        assert!(rows.iter().all(|row| row.len() == 2 && row[1].as_ref().unwrap().starts_with('<')));
        // Of mixed rows, half are followed by one that came later; in order all are.
        let rising = found.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!((800..1200).contains(&rising), "{:?}: {rising} of 1999 rows rise", site.engine());
        let again = made.write(&TableName::read("made").unwrap(), "again", &Unwatched);
        assert!(again.is_err(), "{:?}: there is such a table", site.engine());
        assert_eq!(site.tables(), ["made", "people"], "{:?}", site.engine());
    }
}

#[test]
fn what_a_killed_release_left_is_told_and_not_touched() {
    for running in running() {
        let site = Site::with(&running, &People::random(5, 300));
        let left = ["paretonym_draft_0123456789ab", "paretonym_draft_0123456789ab_spread"];
        let mine = "paretonym_draft_of_mine";
        site.tell(&[left[0], left[1], mine].map(|name| format!("CREATE TABLE {name} (a INTEGER)")));
        site.folder.write("study.toml", &study(&site.data("people"), "value", QUASI[0], "eta = 0.05"));
        site.folder.run("explore study.toml -o front --quiet");
        let id = some_solutions(&site.folder, "front")[1]["id"].clone();
        let release = format!("release front --solution {id} --to-table made");
        let output = site.folder.command(&release).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
        for name in left {
            assert!(said.contains(&format!("DROP TABLE \"{name}\"\n")), "{:?}: {said}", site.engine());
        }
        assert!(!said.contains(mine) && said.lines().count() == 2, "{:?}: {said}", site.engine());
        assert_eq!(site.tables(), ["made", left[0], left[1], mine, "people"], "{:?}", site.engine());
        let quiet = site.folder.command(&format!("{release} --force --quiet")).output().unwrap();
        assert!(quiet.status.success() && quiet.stderr.is_empty());
    }
}
