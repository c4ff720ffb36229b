//! Tables for tests and benchmarks: UCI Adult where it is there.

use std::path::{Path, PathBuf};

use paretonym::engine::Memory;
use paretonym::study::Study;

/// A table from separated text.
pub fn parse(names: &[&str], text: &str) -> Memory {
    let rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    Memory::new(names.iter().copied(), rows.filter(|row| row.len() == names.len()))
}

/// The same of its first rows alone.
#[allow(dead_code, reason = "not every test that has tables asks for it")]
pub fn some_of_adult(rows: usize) -> Option<(Memory, Study)> {
    let (_, study) = adult()?;
    let text = std::fs::read_to_string(path()).ok()?;
    let names: Vec<&str> = study.data.columns.iter().flatten().map(String::as_str).collect();
    let first: Vec<&str> = text.lines().take(rows).collect();
    Some((with_taxonomies(parse(&names, &first.join("\n")), &study), study.clone()))
}

/// Adult with nine quasi columns for regions: age in whole years and education by order, the others by the preset's
/// taxonomies. None, and a message, where the table is not there.
pub fn adult() -> Option<(Memory, Study)> {
    let (rows, mut study) = adult_levels()?;
    for column in &mut study.columns {
        match column.name.as_str() {
            "age" => (column.recode, column.widths) = (Some(paretonym::recode::Family::Breaks), None),
            "education" => (column.recode, column.taxonomy) = (Some(paretonym::recode::Family::Breaks), None),
            _ => {}
        }
    }
    study.search.optimizer = "regions".to_owned();
    Some((rows, study))
}

/// Adult as the preset has it, a lattice of levels, with nothing suppressed.
pub fn adult_levels() -> Option<(Memory, Study)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = path();
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("{} is not there: nothing was tested", path.display());
        return None;
    };
    let preset: PathBuf = root.join("../paretonym-cli/src/preset/adult");
    let study = std::fs::read_to_string(preset.join("study.toml")).expect("the preset is there");
    let mut study = Study::from_toml(&study, "study.toml").expect("the preset is a study");
    study.resolve(&preset);
    study.search.eta = 0.0;
    study.search.optimizer = "exhaustive".to_owned();
    let names: Vec<&str> = study.data.columns.iter().flatten().map(String::as_str).collect();
    Some((with_taxonomies(parse(&names, &text), &study), study))
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/adult/adult.data")
}

/// The table together with the files that a study names.
fn with_taxonomies(table: Memory, study: &Study) -> Memory {
    let taxonomies = study.columns.iter().filter_map(|column| column.taxonomy.as_ref()?.as_str());
    taxonomies
        .fold(table, |table, path| table.with_file(path, std::fs::read_to_string(path).expect("the taxonomy is there")))
}
