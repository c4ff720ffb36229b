//! Lists the files of the page, so that they go into the program: no list to keep by hand, nothing to find at run time.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=ui");
    let ui = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("ui");
    let served = |path: &PathBuf| {
        path.is_file()
            && path
                .extension()
                .is_some_and(|extension| ["css", "html", "js", "svg"].iter().any(|one| extension == *one))
    };
    let entries = std::fs::read_dir(&ui).expect("the folder of the page");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).filter(served).collect();
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        let name = file.file_name().expect("a name").to_string_lossy();
        // Relative to the crate: the list stays right where a checkout moves and its build folder is kept.
        let path = format!("/ui/{name}");
        writeln!(table, "    ({name:?}, include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?}))),")
            .expect("text");
    }
    table.push(']');
    let out = Path::new(&std::env::var_os("OUT_DIR").expect("cargo sets it")).join("assets.rs");
    std::fs::write(out, table).expect("the build folder takes files");
}
