//! `paretonym catalog`: the list, and the page of one entry.

mod program;

use program::Folder;

#[test]
fn the_list_names_every_entry_with_its_reference() {
    let folder = Folder::new();
    let entries = folder.run_json("catalog --json");
    let entries = entries.as_array().unwrap();
    let table = folder.run("catalog");
    assert!(entries.len() >= 42, "{}", entries.len());
    for entry in entries {
        let name = entry["name"].as_str().unwrap();
        assert!(table.contains(name), "{name} is not in the list");
        assert_ne!(entry["reference"], "", "{name} comes from nowhere");
    }
    assert_eq!(folder.run("catalog --quiet"), "");
}

#[test]
fn each_entry_has_a_page_of_its_own() {
    let folder = Folder::new();
    let entries = folder.run_json("catalog --json");
    for entry in entries.as_array().unwrap() {
        let name = entry["name"].as_str().unwrap();
        let page = folder.run_json(&format!("catalog {name} --json"));
        for (key, value) in entry.as_object().unwrap() {
            assert_eq!(&page[key], value, "{name}: {key} is not what the list says");
        }
        assert!(!page["definition"].as_str().unwrap().is_empty(), "{name} is not defined");
        assert!(!page["references"].as_array().unwrap().is_empty(), "{name} cites nothing");
    }
}

#[test]
fn a_page_tells_parameters_definition_and_source() {
    let folder = Folder::new();
    let page = folder.run("catalog kl-safety");
    assert!(page.starts_with("kl-safety (problem)\n"), "{page}");
    for part in [
        "eta      the largest share of rows that may be suppressed (default: 0.01)",
        "every\ncombination of limits that fits the budget is an outcome",
        "Erratum",
        "[S0]\nR. Dewri, I. Ray, I. Ray and D. Whitley.",
    ] {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&page).contains(&words(part)), "{part:?} is not in\n{page}");
    }
    assert_eq!(page, folder.run("catalog kl-safety(eta=0.1)"), "parameters are passed over");
    assert_eq!(folder.run("catalog t"), folder.run("catalog t-closeness"), "an alias will do");
    assert_eq!(folder.run("catalog kl-safety --quiet"), "");
}

#[test]
fn a_misspelt_name_gets_the_nearest() {
    let folder = Folder::new();
    let said = folder.refuse("catalog entropy-I");
    assert!(
        said.contains("there is no entry of the catalogue called \"entropy-I\" (did you mean \"entropy-l\"?)"),
        "{said}"
    );
}
