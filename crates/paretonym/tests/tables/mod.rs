//! Tables for tests and benchmarks, read without an engine: UCI Adult where it is there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use paretonym::data::AttributeCount;
use paretonym::data::{CountRequest, Counted, Dictionary, Encoding, Part, Source};
use paretonym::engine::{Engine, Watch};
use paretonym::error::Result;
use paretonym::study::Study;

/// An engine over rows in memory: slow, simple, and without a second thought about missing cells, which it drops.
pub struct Rows {
    /// Names of the columns.
    pub names: Vec<String>,
    /// Trimmed cells.
    pub rows: Vec<Vec<String>>,
}

impl Rows {
    /// From separated text.
    pub fn parse(names: &[&str], text: &str) -> Self {
        let rows = text.lines().map(|line| line.split(',').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>());
        let rows = rows.filter(|row| row.len() == names.len()).collect();
        Rows { names: names.iter().map(|name| (*name).to_owned()).collect(), rows }
    }
}

impl Engine for Rows {
    fn read_text(&self, path: &Path) -> Result<String> {
        Ok(std::fs::read_to_string(path).expect("the taxonomy is there"))
    }

    fn columns(&self, _: &Source) -> Result<Vec<String>> {
        Ok(self.names.clone())
    }

    fn count(&self, source: &Source, request: &CountRequest, _: &dyn Watch) -> Result<Counted> {
        let width = request.columns.len();
        let place = |name: &str| self.names.iter().position(|own| own == name).expect("the column is there");
        let places: Vec<usize> = request.columns.iter().map(|column| place(&column.name)).collect();
        let mut texts: Vec<Vec<String>> = vec![Vec::new(); width];
        let mut codes: Vec<HashMap<String, u32>> = vec![HashMap::new(); width];
        for (at, column) in request.columns.iter().enumerate() {
            if let Encoding::Labels(labels) = &column.encoding {
                codes[at] = labels.iter().enumerate().map(|(code, label)| (label.clone(), code as u32)).collect();
            }
        }
        let quasi: Vec<usize> = (0..width).filter(|at| request.columns[*at].part == Part::Quasi).collect();
        let inside: Vec<usize> = (0..width).filter(|at| request.columns[*at].part == Part::Attribute).collect();
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        let (mut tuples, mut counts, mut dropped) = (Vec::new(), Vec::<u64>::new(), 0);
        let mut tallies: Vec<HashMap<(u32, u32), u64>> = vec![HashMap::new(); inside.len()];
        for row in &self.rows {
            if places.iter().any(|place| source.missing.contains(&row[*place])) {
                dropped += 1;
                continue;
            }
            let own: Vec<u32> = (0..width)
                .map(|at| {
                    let cell = &row[places[at]];
                    if let Encoding::Bins { edges, .. } = &request.columns[at].encoding {
                        let number: f64 = cell.parse().expect("a number");
                        return edges.partition_point(|edge| *edge <= number) as u32 - 1;
                    }
                    *codes[at].entry(cell.clone()).or_insert_with(|| {
                        texts[at].push(cell.clone());
                        texts[at].len() as u32 - 1
                    })
                })
                .collect();
            let tuple: Vec<u32> = quasi.iter().map(|at| own[*at]).collect();
            let next = counts.len() as u32;
            let id = *known.entry(tuple.clone()).or_insert_with(|| {
                tuples.extend(tuple);
                counts.push(0);
                next
            });
            counts[id as usize] += 1;
            for (tally, at) in tallies.iter_mut().zip(&inside) {
                *tally.entry((id, own[*at])).or_default() += 1;
            }
        }
        let dictionaries = request.columns.iter().zip(texts).map(|(column, texts)| match column.encoding {
            Encoding::Labels(_) | Encoding::Bins { .. } | Encoding::Known { .. } => Dictionary::Declared,
            Encoding::Text => Dictionary::Text(texts),
            Encoding::Numbers => {
                Dictionary::Numbers(texts.iter().map(|text| text.parse().expect("a number")).collect())
            }
        });
        let attributes = tallies.into_iter().map(|tally| {
            let counts = tally.into_iter().map(|((tuple, value), count)| AttributeCount { tuple, value, count });
            let mut counts: Vec<AttributeCount> = counts.collect();
            counts.sort_unstable();
            counts
        });
        Ok(Counted {
            rows: counts.iter().sum(),
            dropped,
            dictionaries: dictionaries.collect(),
            tuples,
            counts,
            attributes: attributes.collect(),
        })
    }
}

/// Adult with nine quasi columns for regions: age in whole years and education by order, the others by the preset's
/// taxonomies. None, and a message, where the table is not there.
pub fn adult() -> Option<(Rows, Study)> {
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
pub fn adult_levels() -> Option<(Rows, Study)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../../../shared/adult/adult.data");
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
    let rows = Rows::parse(&names, &text);
    Some((rows, study))
}
