//! The types that the page's JavaScript is checked with are those of the server's answers: `ui/types.d.ts` is written from
//! the Rust source. `BLESS=1 cargo nextest run --workspace -E 'test(the_types_of_the_page)'` writes it anew.

#[path = "types/rust.rs"]
mod rust;
#[path = "types/typescript.rs"]
mod typescript;

use std::path::Path;

/// What the server answers and the report holds; whatever these hold comes along.
const ANSWERS: [&str; 17] = [
    "ServerState",
    "RunInfo",
    "TableFile",
    "Named",
    "Resumed",
    "Ticket",
    "Profile",
    "MadeTaxonomy",
    "ReadTaxonomy",
    "View",
    "Choice",
    "SolutionDetails",
    "Compared",
    "ReleaseAnswer",
    "Progress",
    "LiveFront",
    "PlotData",
];

#[test]
fn the_types_of_the_page_are_those_of_the_server() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let types = rust::answers(&[here.join("src"), here.join("../paretonym/src")]);
    let now = typescript::declarations(&types, &ANSWERS);
    let path = here.join("ui/types.d.ts");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    for (at, (now, stored)) in now.lines().zip(stored.lines()).enumerate() {
        assert_eq!(stored, now, "ui/types.d.ts, line {}, is out of date: run this test with BLESS=1", at + 1);
    }
    assert_eq!(stored.lines().count(), now.lines().count(), "ui/types.d.ts is out of date: run this test with BLESS=1");
}
