//! Everything that reads a file which somebody else may have written, as a function of its bytes. Each does with a good
//! input what the program does with it, and tells how that went.

use std::hint::black_box;

use anyhow::Result;
use paretonym::catalog;
use paretonym::data::Source;
use paretonym::engine::Unwatched;
use paretonym::error::Error;
use paretonym::front::{FrontFile, Limits, choose};
use paretonym::group::{Needs, group_regions};
use paretonym::recode::Regions;
use paretonym::release::{
    BoxFinder, Enforce, Finder, SavedRecoding, Unknown, case_expression, reapply, region_query, region_table,
    value_table, values_of_labels,
};
use paretonym::report::{GroupCurve, Page, html};
use paretonym::study::{Study, count};
use paretonym::taxonomy::{from_nested, parse_leaf_lines};
use paretonym_engine::audit::{AuditRequest, Distance, SensitiveColumn, audit};
use paretonym_engine::{Embedded, first_rows, profile};

use crate::ground::Ground;

/// What is done with an input; how it went, in words.
pub type Work = Box<dyn FnMut(&[u8]) -> String>;

/// Something to break.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, and that of its folder in the corpus.
    pub name: &'static str,
    /// Makes what inputs are thrown at.
    pub prepare: fn() -> Result<Work>,
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "csv", prepare: csv },
    Target { name: "parquet", prepare: parquet },
    Target { name: "study", prepare: study },
    Target { name: "taxonomy", prepare: taxonomy },
    Target { name: "nested", prepare: nested },
    Target { name: "front", prepare: front },
    Target { name: "regions", prepare: regions },
    Target { name: "recoding", prepare: recoding },
    Target { name: "checkpoint", prepare: crate::checkpoints::checkpoint },
];

/// An error in one line, without where it was. Whatever the input is, it must not bring out a fault of the program.
fn told(error: &Error) -> String {
    assert!(!matches!(error, Error::Internal(_)), "{error}");
    let text = error.to_string();
    text.rsplit("paretonym-fuzz-").next().unwrap_or_default().to_owned()
}

pub(crate) fn text(input: &[u8], work: impl FnOnce(&str) -> paretonym::error::Result<String>) -> String {
    match std::str::from_utf8(input) {
        Ok(text) => work(text).unwrap_or_else(|error| told(&error)),
        Err(_) => "not UTF-8".to_owned(),
    }
}

/// Reads a table as a whole, and then in one more of the ways that there are: each pass takes its time.
fn read_table(source: &Source, which: usize) -> paretonym::error::Result<String> {
    let found = profile(source, &Unwatched)?;
    let names: Vec<String> = found.columns.iter().map(|column| column.name.clone()).collect();
    let more = match which % 4 {
        0 => format!("{} first", first_rows(source, 3)?.len().min(3)),
        1 => {
            let mut request = AuditRequest::of(names[..1].to_vec());
            request.ignore_suppressed = true;
            request.below = Some(2);
            let sensitive =
                names.get(1).map(|name| SensitiveColumn { name: name.clone(), distance: Distance::Guessed });
            request.sensitive = sensitive.into_iter().collect();
            let distances = audit(source, &request, &Unwatched)?.audit.t_distance;
            format!("audited {distances:?}")
        }
        2 => {
            let drafted = Study::from_toml(&paretonym::draft::draft(source, &found), "study.toml");
            format!("draft {}", drafted.and_then(|study| study.validate()).is_ok())
        }
        _ => String::new(),
    };
    let kinds =
        found.columns.iter().take(3).map(|column| if column.numbers == column.rows { "numbers " } else { "texts " });
    Ok(format!("{} columns of {}{more}", names.len(), kinds.collect::<String>()))
}

fn csv() -> Result<Work> {
    let ground = Ground::new()?;
    Ok(Box::new(move |input| {
        let name = if input.starts_with(&[0x1f, 0x8b]) { "input.csv.gz" } else { "input.csv" };
        let source = Source::at(ground.file(name, input));
        read_table(&source, input.len()).unwrap_or_else(|error| told(&error))
    }))
}

fn parquet() -> Result<Work> {
    let ground = Ground::new()?;
    Ok(Box::new(move |input| {
        let source = Source::at(ground.file("input.parquet", input));
        read_table(&source, input.len()).unwrap_or_else(|error| told(&error))
    }))
}

fn study() -> Result<Work> {
    let ground = Ground::new()?;
    Ok(Box::new(move |input| {
        text(input, |toml| {
            let mut study = Study::from_toml(toml, "study.toml")?;
            // The table is always the same one: what a study can name as its table is another target.
            let missing = (study.data.missing.clone(), study.data.on_missing, study.data.other_columns);
            study.data = Source::at("people.csv");
            (study.data.missing, study.data.on_missing, study.data.other_columns) = missing;
            study.resolve(ground.path());
            study.validate()?;
            let written = toml::to_string_pretty(&study).map_err(|error| Error::internal(error.to_string()))?;
            Study::from_toml(&written, "written.toml")?;
            let table = count(&study, &Embedded, &Unwatched)?;
            let problem = catalog::problem(&study.search, &table)?;
            let optimizer = catalog::optimizer(&study.search)?;
            Ok(format!("{} columns, {} against {}", table.columns.len(), problem.name(), optimizer.name()))
        })
    }))
}

fn taxonomy() -> Result<Work> {
    Ok(Box::new(|input| {
        text(input, |lines| {
            let (leaves, tree) = parse_leaf_lines("jobs.csv", lines)?;
            let missing = tree.with_missing("?");
            Ok(format!("{} leaves, {} levels, {}", leaves.len(), tree.height(), missing.nodes().len()))
        })
    }))
}

fn nested() -> Result<Work> {
    Ok(Box::new(|input| {
        text(input, |lines| {
            let table: toml::Table = lines.parse().map_err(|_: toml::de::Error| Error::study("this is not TOML"))?;
            let value = table.get("taxonomy").cloned().unwrap_or(toml::Value::Table(table));
            let (leaves, tree) = from_nested("taxonomy", &value)?;
            Ok(format!("{} leaves, {} levels", leaves.len(), tree.height()))
        })
    }))
}

fn front() -> Result<Work> {
    let table = Ground::new()?.table()?;
    Ok(Box::new(move |input| {
        text(input, |json| {
            let front = FrontFile::from_json(json, "front.json")?;
            let limits =
                Limits { max_loss: Some(0.25), max_suppression: Some(0.1), min_k: Some(2.0), ..Limits::default() };
            let best = choose(&front, &limits).map(|choice| choice.best.len());
            choose(&front, &Limits { min_l: Some(1.0), max_t: Some(0.5), ..Limits::default() }).ok();
            let curve = |solution: &paretonym::front::Solution| GroupCurve {
                id: solution.id,
                points: solution.bias.curve.clone(),
            };
            let curves: Vec<GroupCurve> = front.solutions.iter().take(3).map(curve).collect();
            html(&Page {
                title: "front",
                front: &front,
                backdrops: &[("other".to_owned(), &front)],
                curves: &curves,
                limits,
            });
            let known = front.solutions.iter().filter(|one| one.recoding.read(&table.columns).is_ok()).count();
            Ok(format!("{} objectives, {best:?} best, {known} known", front.objectives.len()))
        })
    }))
}

fn regions() -> Result<Work> {
    let table = Ground::new()?.table()?;
    Ok(Box::new(move |input| {
        text(input, |json| {
            let regions = Regions::from_json(json, "regions.json")?;
            for solution in 0..regions.solutions.len().min(4) {
                let shown = regions.shown(solution);
                for leaf in 0..4 {
                    shown.labels(&vec![leaf; regions.columns.len()]);
                }
            }
            if !regions.fits(&table.columns) {
                return Ok("of another table".to_owned());
            }
            let groups = (0..regions.solutions.len().min(4)).map(|at| group_regions(&table, &regions, at, Needs::ALL));
            Ok(format!("{:?} groups", groups.map(|(grouping, _)| grouping.len()).max()))
        })
    }))
}

fn recoding() -> Result<Work> {
    let ground = Ground::new()?;
    Ok(Box::new(move |input| {
        text(input, |json| {
            let saved = SavedRecoding::from_json(json, "recoding.json")?;
            for column in &saved.columns {
                let finder = Finder::new(column);
                black_box((finder.text("nurse"), finder.number(31.0), column.nearest(1e9), column.shown_texts()));
                black_box((case_expression(column), value_table(column), values_of_labels(column)));
            }
            if let (Some(regions), Some(boxes)) = (&saved.regions, BoxFinder::new(&saved)) {
                black_box((region_query(&saved, regions), region_table(&saved, regions)));
                let codes = vec![1; saved.columns.len()];
                black_box((boxes.holding(&codes), boxes.nearest(&codes)));
            }
            let mut study = saved.study.clone();
            study.data.path = ground.path().join("people.csv");
            // Taxonomies of sensitive columns are files of the study's own, which are not there.
            let mut kept = String::new();
            for unknown in [Unknown::Error, Unknown::Suppress, Unknown::Nearest] {
                let enforce = Enforce { k: 1, l: None, t: Some(0.9) };
                let done = reapply(&saved, &study, unknown, enforce, &Embedded, &Unwatched);
                kept += &done.map_or_else(|error| told(&error), |done| format!("{} groups ", done.claim.groups.min(3)));
            }
            Ok(kept)
        })
    }))
}
