//! S3's tables on Adult: nodes evaluated by `poka` and `exact`, and how much of the true front they find.
//!
//! `cargo run --release -p paretonym-cli --example lattice_tables -- adult.data` prints Markdown.

use std::path::Path;

use anyhow::{Context, Result};
use paretonym::catalog;
use paretonym::data::Role;
use paretonym::engine::Unwatched;
use paretonym::recode::Family;
use paretonym::search::{Found, SearchRun};
use paretonym::settings::{CutoffRule, SearchSettings};
use paretonym::study::{Roles, Study, count};
use paretonym_engine::Embedded;

/// The columns of the lattice of 17,920 nodes, in the order in which they join it.
const COLUMNS: [&str; 8] =
    ["age", "sex", "education", "race", "occupation", "salary-class", "marital-status", "native-country"];

fn main() -> Result<()> {
    let data = std::env::args().nth(1).context("usage: lattice_tables PATH-TO-adult.data")?;
    println!("| loss | optimizer | depth | nodes evaluated | share | true points found |");
    println!("|---|---|---|---|---|---|");
    for loss in ["general", "discernibility", "classification"] {
        let study = study(&data, &columns_for(loss, COLUMNS.len()), loss)?;
        let truth = search(&study, "exhaustive", None)?;
        // S3's table goes to 6, the height of the tallest tree.
        for depth in 1..=6 {
            row(loss, "poka", &depth.to_string(), &search(&study, "poka", Some(depth))?, &truth);
        }
        row(loss, "exact", "", &search(&study, "exact", None)?, &truth);
    }
    println!("\n| attributes | nodes | loss | poka: evaluated, found | exact: evaluated, found |");
    println!("|---|---|---|---|---|");
    for width in 2..=COLUMNS.len() {
        for loss in ["general", "discernibility", "classification"] {
            let study = study(&data, &columns_for(loss, width), loss)?;
            let truth = search(&study, "exhaustive", None)?;
            let cell = |found: &Found| {
                let nodes = truth.evaluated as f64;
                format!(
                    "{} ({:.1} %), {}",
                    found.evaluated,
                    100.0 * found.evaluated as f64 / nodes,
                    hits(found, &truth)
                )
            };
            let (poka, exact) = (search(&study, "poka", None)?, search(&study, "exact", None)?);
            println!("| {width} | {} | {loss} | {} | {} |", truth.evaluated, cell(&poka), cell(&exact));
        }
    }
    Ok(())
}

/// The first columns of the lattice. For classification the salary class is the label and no column of it, as in S3, whose lattice
/// then has 8,960 nodes.
fn columns_for(loss: &str, width: usize) -> Vec<&'static str> {
    let columns = COLUMNS[..width].iter().copied();
    columns.filter(|name| loss != "classification" || *name != "salary-class").collect()
}

/// The preset's finer trees as levels: heights 6, 4, 3, 3, 3, 1, 1, 1.
fn study(data: &str, columns: &[&str], loss: &str) -> Result<Study> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/preset/adult");
    let text = std::fs::read_to_string(folder.join("breaks.toml"))?;
    let mut study = Study::from_toml(&text, "breaks.toml")?;
    study.resolve(&folder);
    study.data.path = data.into();
    for column in &mut study.columns {
        let used = columns.contains(&column.name.as_str());
        column.recode = Some(Family::Levels);
        if column.name == "age" {
            (column.range, column.granularity) = (None, None);
            column.widths = Some(vec![5.0, 10.0, 20.0, 40.0, 80.0]);
        }
        if column.name == "education" {
            column.taxonomy = None;
            column.groups = Some(vec![2, 4, 8]);
        }
        if column.name == "salary-class" {
            let target = if used { vec![Role::Quasi, Role::Target] } else { vec![Role::Target] };
            column.role = Roles::More(target);
        } else if !used {
            column.role = Roles::One(Role::Insensitive);
        }
    }
    study.search =
        SearchSettings { eta: 0.01, cutoffs: CutoffRule::Budget, loss: loss.to_owned(), ..Default::default() };
    Ok(study)
}

fn search(study: &Study, optimizer: &str, depth: Option<u32>) -> Result<Found> {
    let mut study = study.clone();
    study.search.optimizer = optimizer.to_owned();
    if let Some(depth) = depth {
        study.search.set("depth", u64::from(depth));
    }
    let table = count(&study, &Embedded, &Unwatched)?;
    let problem = catalog::problem(&study.search, &table)?;
    let run = SearchRun { seed: 1, evaluations: None, watch: &Unwatched };
    Ok(catalog::optimizer(&study.search)?.search(&table, problem.as_ref(), &run)?)
}

/// How many points of the true front were found.
fn hits(found: &Found, truth: &Found) -> String {
    let points = truth.archive.entries();
    let met = points.iter().filter(|entry| found.archive.entries().iter().any(|own| own.point == entry.point)).count();
    format!("{met} of {}", points.len())
}

fn row(loss: &str, optimizer: &str, depth: &str, found: &Found, truth: &Found) {
    let share = 100.0 * found.evaluated as f64 / truth.evaluated as f64;
    println!("| {loss} | {optimizer} | {depth} | {} | {share:.1} % | {} |", found.evaluated, hits(found, truth));
}
