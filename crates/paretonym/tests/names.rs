//! Names of the catalogue are for people and files: code asks a type or a trait what it must know. So no code outside the
//! catalogue compares something with the name of a measure, a problem, an optimizer or a comparator.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use paretonym::catalog;

/// Every name and alias.
fn names() -> BTreeSet<&'static str> {
    catalog::all().iter().flat_map(|(_, entry, _)| entry.aliases.iter().copied().chain([entry.name])).collect()
}

/// The source of all crates, without what is nothing but tests.
fn sources() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut folders: Vec<PathBuf> =
        fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path().join("src")).collect();
    folders.retain(|folder| folder.is_dir());
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() && name != "catalog" {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 100, "the source was not found");
    files
}

/// The lines that compare something with one of the names: by an operator, in a pattern, or as the start or end of a text.
fn comparisons<'t>(text: &'t str, names: &BTreeSet<&str>) -> Vec<&'t str> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut found = Vec::new();
    for line in code.lines() {
        let line = line.split("//").next().unwrap_or_default();
        let pieces: Vec<&str> = line.split('"').collect();
        for at in (1..pieces.len()).step_by(2) {
            if !names.contains(pieces[at]) {
                continue;
            }
            let before = pieces[at - 1].trim_end();
            let after = pieces.get(at + 1).map_or("", |rest| rest.trim_start());
            let operator = before.ends_with("==") || before.ends_with("!=") || after.starts_with("==");
            // A bar behind the name, or the arrow of a match arm; a bar before it, unless it ends the head of a closure.
            let arm = after.starts_with("=>")
                || after.starts_with(") =>")
                || after.starts_with("] =>")
                || after.starts_with("| \"");
            let other = pieces[..at].concat();
            let pattern = arm || (before == "|" || other.contains("matches!(") && !other.contains("to_owned"));
            let part = ["starts_with(", "ends_with(", "strip_prefix(", "strip_suffix(", "contains(&"];
            if operator || pattern || part.iter().any(|part| before.ends_with(part)) {
                found.push(line.trim());
                break;
            }
        }
    }
    found
}

#[test]
fn comparisons_are_found() {
    let names = BTreeSet::from(["k", "regions"]);
    let cases = [
        "if model.name() == \"k\" {",
        "\"k\" => 1,",
        "Some(\"regions\") => 1,",
        "\"x\" | \"k\" => 2,",
        "matches!(name, \"k\")",
        "name.starts_with(\"regions\")",
        "[\"k\"] => vec![],",
    ];
    for case in cases {
        assert_eq!(comparisons(case, &names), [case.trim()]);
    }
    for fine in
        ["name: \"k\",", "Quantity::K => \"k\",", "call.number(\"k\", 1)", "|_: &K| \"k\".to_owned()", "// == \"k\""]
    {
        assert!(comparisons(fine, &names).is_empty(), "{fine}");
    }
}

#[test]
fn no_code_compares_with_a_name_of_the_catalogue() {
    let names = names();
    let found: Vec<String> = sources()
        .into_iter()
        .flat_map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let lines: Vec<String> = comparisons(&text, &names).into_iter().map(str::to_owned).collect();
            lines.into_iter().map(move |line| format!("{}: {line}", path.display()))
        })
        .collect();
    assert!(found.is_empty(), "ask a type or a trait instead:\n{}", found.join("\n"));
}
