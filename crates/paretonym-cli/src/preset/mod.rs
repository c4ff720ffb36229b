//! Studies that come with the program: for a well-known table, its taxonomies and the studies that use them.
//!
//! A preset is text: files to be written beside each other, with `{path}` standing for the path of the data.

pub use paretonym_engine::folder::with_path;

/// What the program knows about one public table.
pub struct Preset {
    /// What the user calls it.
    pub name: &'static str,
    /// One line about the table and where to get it.
    pub summary: &'static str,
    /// File name and text of each study; the text has `"{path}"` where the path of the data belongs.
    pub studies: &'static [(&'static str, &'static str)],
    /// File name and text of each taxonomy; the studies expect them in their own folder.
    pub taxonomies: &'static [(&'static str, &'static str)],
}

/// All presets.
pub const PRESETS: &[Preset] = &[Preset {
    name: "adult",
    summary: "UCI Adult (adult.data, 32,561 rows of the 1994 US census): a lattice of 12,960 nodes, and 105 bits",
    studies: &[("study.toml", include_str!("adult/study.toml")), ("breaks.toml", include_str!("adult/breaks.toml"))],
    taxonomies: &[
        ("workclass.csv", include_str!("adult/workclass.csv")),
        ("education.csv", include_str!("adult/education.csv")),
        ("marital-status.csv", include_str!("adult/marital-status.csv")),
        ("occupation.csv", include_str!("adult/occupation.csv")),
        ("race.csv", include_str!("adult/race.csv")),
        ("sex.csv", include_str!("adult/sex.csv")),
        ("native-country.csv", include_str!("adult/native-country.csv")),
        ("salary-class.csv", include_str!("adult/salary-class.csv")),
    ],
}];

/// The preset of that name.
pub fn find(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Vec<&str>> {
        text.lines().map(|line| line.split(';').collect()).collect()
    }

    #[test]
    fn every_study_has_one_place_for_the_path() {
        for preset in PRESETS {
            for (name, text) in preset.studies {
                assert_eq!(text.matches("{path}").count(), 1, "{name}");
                assert!(with_path(text, "C:\\x \"y\".data").contains(r#"path = "C:\\x \"y\".data""#), "{name}");
            }
        }
    }

    #[test]
    fn every_taxonomy_a_study_names_is_there() {
        for preset in PRESETS {
            for (name, text) in preset.studies {
                for line in text.lines().filter(|line| line.starts_with("taxonomy = \"")) {
                    let file = line.split('"').nth(1).unwrap();
                    assert!(preset.taxonomies.iter().any(|(known, _)| *known == file), "{name}: {file}");
                }
            }
        }
    }

    #[test]
    fn taxonomies_are_nested_runs_up_to_one_top() {
        for (name, text) in PRESETS.iter().flat_map(|preset| preset.taxonomies) {
            let lines = lines(text);
            let height = lines[0].len() - 1;
            assert!(lines.iter().all(|line| line.len() == height + 1 && line[height] == "*"), "{name}");
            for level in 0..=height {
                let mut runs: Vec<&str> = lines.iter().map(|line| line[level]).collect();
                runs.dedup();
                let distinct: std::collections::BTreeSet<&str> = runs.iter().copied().collect();
                assert_eq!(runs.len(), distinct.len(), "{name}, level {level}: a set is not a run of leaves");
                for pair in lines.windows(2) {
                    let joined_below = level > 0 && pair[0][level - 1] == pair[1][level - 1];
                    assert!(!joined_below || pair[0][level] == pair[1][level], "{name}, level {level}");
                }
            }
        }
    }

    #[test]
    fn adult_is_the_lattice_of_12960_nodes_and_the_chromosome_of_105_bits() {
        let trees: Vec<_> = find("adult").unwrap().taxonomies.iter().map(|(_, text)| lines(text)).collect();
        let nodes: usize = trees.iter().map(|lines| lines[0].len()).product();
        assert_eq!(nodes * 5, 12_960, "age adds the years, three widths and the top");
        let bits: usize = trees.iter().map(|lines| lines.len() - 1).sum();
        assert_eq!(bits + 19, 105, "age adds 20 bins");
    }
}
