//! UCI Adult in the codings of the papers, and runs on it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use paretonym::catalog;
use paretonym::engine::Unwatched;
use paretonym::front::{FrontEntry, Solution};
use paretonym::group::FrequencyTable;
use paretonym::recode::Family;
use paretonym::search::{FoundRecoding, SearchRun};
use paretonym::settings::SearchSettings;
use paretonym::study::{ColumnSpec, Study, count, describe};
use paretonym_engine::Embedded;

use crate::SEED;
use crate::preset;

/// The folder with the data, and one with the trees.
pub struct Adult {
    data: PathBuf,
    trees: tempfile::TempDir,
}

/// What a run found.
pub struct Outcome {
    /// The solutions.
    pub solutions: Vec<Solution>,
    /// The entries behind them.
    pub entries: Vec<FrontEntry<FoundRecoding>>,
    /// Evaluations.
    pub evaluated: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// The solution that the problem asks for.
    pub answer: Option<usize>,
}

impl Adult {
    /// Checks that the data are there, and brings adult.test into the form of adult.data.
    pub fn open(folder: &Path) -> Result<Self> {
        let trees = tempfile::tempdir()?;
        for (name, text) in preset::find("adult").context("the preset")?.taxonomies {
            std::fs::write(trees.path().join(name), text)?;
        }
        let data = folder.join("adult.data");
        anyhow::ensure!(data.is_file(), "{} is not there", data.display());
        let test = std::fs::read_to_string(folder.join("adult.test")).context("adult.test")?;
        // UCI's file begins with a remark, which some copies lack, and its classes end with a full stop.
        let rows = test.lines().filter(|line| !line.starts_with('|'));
        let lines = rows.map(|line| line.trim_end().trim_end_matches('.').to_owned() + "\n");
        std::fs::write(trees.path().join("adult.test"), lines.collect::<String>())?;
        Ok(Adult { data, trees })
    }

    /// S0's coding: five columns as breaks, four as cuts.
    pub fn study(&self) -> Result<Study> {
        let text = preset::find("adult").context("the preset")?.studies[1].1;
        let mut study =
            Study::from_toml(&preset::with_path(text, &self.data.canonicalize()?.display().to_string()), "adult")?;
        study.resolve(self.trees.path());
        study.search = SearchSettings { optimizer: "nsga2".into(), seed: SEED, eta: 0.1, ..SearchSettings::default() };
        Ok(study)
    }

    /// S1's coding: all columns as breaks.
    pub fn study_of_breaks(&self) -> Result<Study> {
        let mut study = self.study()?;
        study.columns.iter_mut().filter(|column| column.recode.is_some()).for_each(|c| c.recode = Some(Family::Breaks));
        Ok(study)
    }

    /// The same with the values of every categorical column in the order in which they first appear in the file.
    pub fn study_by_appearance(&self) -> Result<Study> {
        let mut study = self.study_of_breaks()?;
        let text = std::fs::read_to_string(&self.data)?;
        let names = study.data.columns.clone().context("the names of the columns")?;
        let rows: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split(',').map(str::trim).collect::<Vec<_>>())
            .filter(|row| row.len() == names.len() && !row.contains(&"?"))
            .collect();
        let unordered = |column: &&mut ColumnSpec| column.recode.is_some() && column.taxonomy.is_some();
        for column in study.columns.iter_mut().filter(unordered) {
            let at = names.iter().position(|name| *name == column.name).context("a column of Adult")?;
            let mut values: Vec<&str> = Vec::new();
            for row in &rows {
                if !values.contains(&row[at]) {
                    values.push(row[at]);
                }
            }
            column.taxonomy = None;
            column.order = Some(values.into_iter().map(|value| toml::Value::String(value.to_owned())).collect());
        }
        Ok(study)
    }

    /// S0's problem 4: occupation is sensitive and no longer quasi.
    pub fn study_with_sensitive(&self) -> Result<Study> {
        let mut study = self.study()?;
        change(&mut study, "occupation", "role = \"sensitive\"\nkind = \"categorical\"")?;
        study.search.problem = "kl-safety".into();
        Ok(study)
    }

    /// S4's coding: age in whole years, eight columns, the salary class as target; of the training or the test set.
    pub fn study_of_s4(&self, test: bool) -> Result<Study> {
        let mut study = self.study()?;
        let age = "role = \"quasi\"\nkind = \"numeric\"\nrecode = \"breaks\"\nrange = [17, 91]\ngranularity = 1";
        change(&mut study, "age", age)?;
        change(&mut study, "salary-class", "role = \"target\"\nkind = \"ordinal\"\norder = [\"<=50K\", \">50K\"]")?;
        if test {
            study.data.path = self.trees.path().join("adult.test");
        }
        Ok(study)
    }
}

fn change(study: &mut Study, name: &str, text: &str) -> Result<()> {
    let column: ColumnSpec = toml::from_str(&format!("name = {name:?}\n{text}"))?;
    let place = study.columns.iter_mut().find(|column| column.name == name).context("a column of Adult")?;
    *place = column;
    Ok(())
}

/// The counted table of a study.
pub fn table(study: &Study) -> Result<FrequencyTable> {
    Ok(count(study, &Embedded, &Unwatched)?)
}

/// Searches a table.
pub fn search(table: &FrequencyTable, settings: &SearchSettings) -> Result<Outcome> {
    let started = std::time::Instant::now();
    let problem = catalog::problem(settings, table)?;
    let run = SearchRun { seed: settings.seed, evaluations: settings.evaluations, watch: &Unwatched };
    let found = catalog::optimizer(settings)?.search(table, problem.as_ref(), &run)?;
    let entries = found.archive.entries().to_vec();
    let seconds = started.elapsed().as_secs_f64();
    eprintln!(
        "{} {} faithful={}: {} evaluations, {seconds:.1} s",
        settings.problem,
        settings.loss,
        settings.parameter("faithful").is_some_and(|faithful| faithful == "true"),
        found.evaluated
    );
    Ok(Outcome {
        solutions: describe(table, problem.as_ref(), &entries)?,
        answer: problem.answer(&entries.iter().map(|entry| entry.point).collect::<Vec<_>>()).map(|(at, _)| at),
        entries,
        evaluated: found.evaluated,
        seconds,
    })
}
