//! Adult for benchmarks: the table behind one of the preset's studies, or a message where the data is not there.

use std::path::{Path, PathBuf};

use paretonym::engine::Unwatched;
use paretonym::group::FrequencyTable;
use paretonym::recode::Family;
use paretonym::study::{Study, count};
use paretonym_engine::Embedded;

/// Where the data is expected: beside the checkout.
pub fn data() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/adult/adult.data");
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

/// A study of the preset, `study.toml` or `breaks.toml`.
pub fn study(name: &str, data: &Path) -> Study {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/preset/adult");
    let text = std::fs::read_to_string(folder.join(name)).expect("the preset is there");
    let mut study = Study::from_toml(&text, name).expect("the preset is a study");
    study.resolve(&folder);
    study.data.path = data.to_owned();
    study
}

/// The counted table, all columns recoded by one family where asked for.
#[allow(dead_code)]
pub fn table(name: &str, data: &Path, family: Option<Family>) -> FrequencyTable {
    let mut study = study(name, data);
    study.search = paretonym::settings::SearchSettings::default();
    if let Some(family) = family {
        study.columns.iter_mut().for_each(|column| column.recode = Some(family));
    }
    count(&study, &Embedded, &Unwatched).expect("Adult can be counted")
}
