//! S1's coding of the Adult table: a chromosome of 105 bits.

use std::path::{Path, PathBuf};

use paretonym::group::FrequencyTable;
use paretonym::settings::SearchSettings;
use paretonym::study::ColumnSpec;

use crate::support::{Memory, study};

/// The columns that one of the program's descriptions of Adult names.
pub fn columns(file: &str) -> Vec<ColumnSpec> {
    let text = std::fs::read_to_string(folder().join(file)).unwrap();
    let whole: toml::Table = text.parse().unwrap();
    whole["columns"].clone().try_into().unwrap()
}

/// The names of all columns of the table.
pub fn names(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder().join(file)).unwrap();
    let whole: toml::Table = text.parse().unwrap();
    whole["data"]["columns"].clone().try_into().unwrap()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../paretonym-cli/src/preset/adult")
}

/// The taxonomy files beside the descriptions.
pub fn with_files(engine: Memory) -> Memory {
    let paths = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let taxonomies = paths.filter(|path| path.extension().is_some_and(|end| end == "csv"));
    taxonomies.fold(engine, |engine, path| {
        engine.with_file(path.file_name().unwrap(), std::fs::read_to_string(&path).unwrap())
    })
}

/// Two rows are enough where everything is declared.
fn two_rows(file: &str) -> FrequencyTable {
    let first = "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, \
                 0, 40, United-States, <=50K";
    let second = "90, Private, 77053, HS-grad, 9, Widowed, Exec-managerial, Not-in-family, White, Female, 0, 4356, 40, \
                  United-States, >50K";
    let engine = with_files(Memory::new(names(file), [first, second].map(|text| text.split(", "))));
    let study = study(columns(file), SearchSettings::default());
    paretonym::study::count(&study, &engine, &paretonym::engine::Unwatched).unwrap()
}

#[test]
fn the_chromosome_has_105_bits() {
    let table = two_rows("breaks.toml");
    let leaves: Vec<(&str, usize)> =
        table.columns.iter().map(|column| (column.name.as_str(), column.domain.len())).collect();
    let expected = [
        ("age", 20),
        ("workclass", 7),
        ("education", 16),
        ("marital-status", 7),
        ("occupation", 14),
        ("race", 5),
        ("sex", 2),
        ("native-country", 41),
        ("salary-class", 2),
    ];
    assert_eq!(leaves, expected, "S1 6: leaves per column");
    let bits: usize = leaves.iter().map(|(_, leaves)| leaves - 1).sum();
    assert_eq!(bits, 105, "S1 6: length of the chromosome");
}

/// S0 6.5: which columns are constrained by a tree.
#[test]
fn four_columns_are_constrained() {
    let constrained: Vec<String> = columns("breaks.toml")
        .into_iter()
        .filter(|column| column.recode == Some(paretonym::recode::Family::Cuts))
        .map(|column| column.name)
        .collect();
    assert_eq!(constrained, ["workclass", "marital-status", "occupation", "native-country"], "S0 6.5");
}
