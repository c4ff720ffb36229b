//! Is `exact` right? On Adult, for every loss, every privacy model, both rules of cut-offs and 0, 1 and 10 % suppression:
//! its front against that of `exhaustive`, point for point, and the nodes it evaluated.
//!
//! `cargo run --release -p paretonym-cli --example exact_on_adult -- adult.data` prints Markdown. Occupation is quasi for k
//! (12,960 nodes) and sensitive for the other models (4,320 nodes), salary-class is a class as well, age the number that
//! regression predicts.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use paretonym::catalog;
use paretonym::data::Role;
use paretonym::engine::Unwatched;
use paretonym::group::FrequencyTable;
use paretonym::search::{Found, SearchRun};
use paretonym::settings::{CutoffRule, OneOrMore, SearchSettings};
use paretonym::study::{Roles, Study, count};
use paretonym_engine::Embedded;

fn main() -> Result<()> {
    let data = std::env::args().nth(1).context("usage: exact_on_adult PATH-TO-adult.data")?;
    println!("| privacy | loss | nodes | 0 % | 1 %, all | 1 %, budget | 10 %, all | 10 %, budget |");
    println!("|---|---|---|---|---|---|---|---|");
    let (mut equal, mut fallen_back) = (0, 0);
    for model in catalog::PRIVACY.iter().map(|one| one.entry.name) {
        let table = count(&study(&data, model != "k")?, &Embedded, &Unwatched)?;
        for loss in catalog::LOSSES.iter().map(|one| one.entry.name) {
            let mut cells = Vec::new();
            for (eta, cutoffs) in [
                (0.0, CutoffRule::All),
                (0.01, CutoffRule::All),
                (0.01, CutoffRule::Budget),
                (0.1, CutoffRule::All),
                (0.1, CutoffRule::Budget),
            ] {
                let privacy = OneOrMore::One(model.to_owned());
                let settings = SearchSettings { privacy, loss: loss.to_owned(), eta, cutoffs, ..Default::default() };
                let exact = search(&table, &settings, "exact")?;
                ensure!(exact.exact, "{model} {loss}: not proven");
                if exact.notes.iter().any(|note| note.contains("fell back")) {
                    fallen_back += 1;
                    cells.push("fell back".to_owned());
                    continue;
                }
                let truth = search(&table, &settings, "exhaustive")?;
                ensure!(same(&exact, &truth), "{model} {loss} {eta} {}: another front", cutoffs.name());
                equal += 1;
                cells.push(format!("{} → {}", exact.evaluated, truth.archive.entries().len()));
            }
            let nodes: u32 = table.heights().iter().map(|height| height + 1).product();
            println!("| {model} | {loss} | {nodes} | {} |", cells.join(" | "));
        }
    }
    println!("\n{equal} fronts equal, {fallen_back} fell back to evaluating every node, none differ.");
    Ok(())
}

fn study(data: &str, sensitive: bool) -> Result<Study> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/preset/adult");
    let mut study = Study::from_toml(&std::fs::read_to_string(folder.join("study.toml"))?, "study.toml")?;
    study.resolve(&folder);
    study.data.path = data.into();
    for column in &mut study.columns {
        match column.name.as_str() {
            "salary-class" | "age" => column.role = Roles::More(vec![Role::Quasi, Role::Target]),
            "occupation" if sensitive => {
                column.role = Roles::One(Role::Sensitive);
                column.recode = None;
            }
            _ => {}
        }
    }
    Ok(study)
}

fn search(table: &FrequencyTable, settings: &SearchSettings, optimizer: &str) -> Result<Found> {
    let settings = SearchSettings { optimizer: optimizer.to_owned(), ..settings.clone() };
    let problem = catalog::problem(&settings, table)?;
    let run = SearchRun { seed: 1, evaluations: None, watch: &Unwatched };
    Ok(catalog::optimizer(&settings)?.search(table, problem.as_ref(), &run)?)
}

/// The same points with as many alternatives; sums in another order may differ in the last digits.
fn same(a: &Found, b: &Found) -> bool {
    let (a, b) = (a.archive.entries(), b.archive.entries());
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| a.point.costs().iter().zip(b.point.costs()).all(near) && a.alternatives == b.alternatives)
}
