//! The design, checked on the source: a module uses only those above it in `lib.rs`, and the library prints nothing.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file without comments and without its tests.
struct Source {
    path: PathBuf,
    code: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All files of the library but those that hold nothing but tests.
fn sources() -> Vec<Source> {
    let mut folders = vec![folder()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") && path.file_stem().unwrap() != "tests" {
                let code = code_of(&fs::read_to_string(&path).unwrap());
                sources.push(Source { path, code });
            }
        }
    }
    assert!(sources.len() > 20, "the library's source was not found");
    sources
}

/// Everything up to the tests, which stand at the end, without comments.
fn code_of(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The modules of `lib.rs`, in its order.
fn modules() -> Vec<String> {
    let text = fs::read_to_string(folder().join("lib.rs")).unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    names.map(str::to_owned).collect()
}

/// The module that a file belongs to; none for `lib.rs`.
fn module_of(path: &Path) -> Option<String> {
    let first = path.strip_prefix(folder()).unwrap().components().next().unwrap();
    let name = first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned();
    (name != "lib").then_some(name)
}

/// The modules behind every `crate::name` and `crate::{name, name::…}`.
fn used_modules(code: &str) -> Vec<String> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name_at = |text: &str| text.trim_start().chars().take_while(|letter| is_name(*letter)).collect::<String>();
    let mut used = Vec::new();
    for (at, start) in code.match_indices("crate::") {
        if code[..at].ends_with(|letter: char| is_name(letter) || letter == '$') {
            continue;
        }
        let rest = &code[at + start.len()..];
        let Some(inside) = rest.strip_prefix('{') else {
            used.push(name_at(rest));
            continue;
        };
        // The names between the outermost brackets, each up to its comma.
        let (mut depth, mut begin) = (0, 0);
        for (place, letter) in inside.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                '}' | ',' if depth == 0 => {
                    used.push(name_at(&inside[begin..place]));
                    begin = place + 1;
                }
                _ => {}
            }
            if letter == '}' && depth == 0 && begin == place + 1 {
                break;
            }
        }
    }
    used.retain(|name| !name.is_empty());
    used
}

#[test]
fn names_are_read_from_use_lines() {
    let code = "use crate::data::{Domain, Kind};\nuse crate::{loss, privacy::{k, t}, group};\nlet x = crate::front::y;";
    assert_eq!(used_modules(code), ["data", "loss", "privacy", "group", "front"]);
    assert_eq!(code_of("a // crate::b\nc\n#[cfg(test)]\nmod tests {\n crate::d"), "a \nc");
}

#[test]
fn modules_use_only_those_above_them() {
    let order = modules();
    let place = |name: &str| order.iter().position(|own| own == name);
    for source in sources() {
        let Some(own) = module_of(&source.path) else { continue };
        let own_place = place(&own).unwrap_or_else(|| panic!("{own} is not a module of lib.rs"));
        for used in used_modules(&source.code) {
            let used_place = place(&used).unwrap_or_else(|| panic!("{}: {used}?", source.path.display()));
            assert!(used_place <= own_place, "{}: {own} stands above {used} and uses it", source.path.display());
        }
        // From the top of a module, `super` is the crate: a way round the check above.
        let top = source.path.parent() == Some(&folder()) || source.path.file_name().unwrap() == "mod.rs";
        let depth = source.path.strip_prefix(folder()).unwrap().components().count();
        assert!(!(top && depth <= 2 && source.code.contains("super::")), "{}: super", source.path.display());
    }
}

#[test]
fn the_library_prints_nothing() {
    for source in sources() {
        for print in ["print!(", "println!(", "eprint!(", "eprintln!(", "dbg!("] {
            assert!(!source.code.contains(print), "{} has {print}", source.path.display());
        }
    }
}

/// Every file that ARCHITECTURE.md names is there: the way of a row and of a request is told by them.
#[test]
fn the_files_of_the_description_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let homes = ["crates/paretonym/src", "crates/paretonym-engine/src", "crates/paretonym-engine/src/rows", "crates"];
    let mut files = 0;
    for name in text.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs") && name.contains('/')) {
        let found = homes.iter().any(|home| root.join(home).join(name).is_file());
        assert!(found, "ARCHITECTURE.md names {name}, which is not there");
        files += 1;
    }
    assert!(files > 40, "the description names {files} files only");
}
