//! The docs hold together: what the code links to is there, and the pages lead to files and headings that exist.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below a folder that end in this way.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, end));
        } else if path.extension().is_some_and(|own| own == end) {
            found.push(path);
        }
    }
    found
}

/// A heading as it is linked to.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// The anchors of a page.
fn anchors(page: &str) -> Vec<String> {
    page.lines().filter(|line| line.starts_with('#')).map(|line| anchor(line.trim_start_matches('#'))).collect()
}

/// What stands between two signs, everywhere in a text.
fn between<'t>(text: &'t str, start: &str, end: char) -> Vec<&'t str> {
    text.split(start).skip(1).filter_map(|rest| Some(rest.split_once(end)?.0)).collect()
}

#[test]
fn links_from_the_code_to_definitions_lead_somewhere() {
    let known = anchors(&fs::read_to_string(root().join("docs/definitions.md")).unwrap());
    let mut links = 0;
    for path in files(&root().join("crates/paretonym/src"), "rs") {
        let text = fs::read_to_string(&path).unwrap();
        for link in between(&text, "theory::definitions#", ')') {
            assert!(known.iter().any(|own| own == link), "{}: definitions have no {link:?}", path.display());
            links += 1;
        }
        assert!(!text.contains("/// See the head of this file"), "{}: a private head does not render", path.display());
    }
    assert!(links >= 42, "every entry of the catalogue links to its definition: {links}");
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut pages = files(&root().join("docs"), "md");
    pages.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)));
    let mut links = 0;
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let inline = between(&text, "](", ')').into_iter();
        let below =
            text.lines().filter(|line| line.starts_with('[')).filter_map(|line| Some(line.split_once("]: ")?.1));
        for link in inline.chain(below).filter(|link| !link.contains("://") && !link.contains(' ')) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(target.exists(), "{} leads to {link}, which is not there", page.display());
            if !place.is_empty() {
                let known = anchors(&fs::read_to_string(&target).unwrap());
                assert!(known.iter().any(|own| own == place), "{}: {link} has no such heading", page.display());
            }
            links += 1;
        }
    }
    assert!(links >= 50, "too few links were found: {links}");
}
