//! `paretonym init`

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use paretonym::data::{OnMissing, Source};
use paretonym::draft::{Draft, draft_keeping};
use paretonym::error::{Error, FileAction};
use paretonym::study::Study;
use paretonym_engine::outputs::Outputs;
use paretonym_engine::{profile, write_output};
use serde_json::{Value, json};

use crate::display;
use crate::preset;
use crate::progress::Progress;

/// Profiles a table: guesses kinds, roles and taxonomies, and writes a commented study to edit.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  paretonym init people.csv\n  paretonym init people.parquet -o people.toml\n  paretonym init people.csv --keep note,remarks\n  paretonym init --database warehouse --table people\n  paretonym init --preset adult adult.data"
)]
pub struct Arguments {
    /// The table: CSV, TSV or Parquet, text also as .gz; a folder of such files, or a pattern for them in quotes
    /// ("people/*.csv"); or database:NAME/TABLE.
    #[arg(required_unless_present = "database")]
    data: Option<PathBuf>,
    /// Instead of a file: the database that holds the table, by the name of its connection.
    #[arg(long, value_name = "NAME", conflicts_with = "data", conflicts_with = "preset")]
    database: Option<String>,
    /// The table in the database.
    #[arg(long, value_name = "TABLE", requires = "database", conflicts_with = "query", required_if_eq("query", ""))]
    table: Option<String>,
    /// Or a query that gives the rows.
    #[arg(long, value_name = "SELECT", requires = "database")]
    query: Option<String>,
    /// The study file to write.
    #[arg(short, long, value_name = "FILE", default_value = "study.toml")]
    out: PathBuf,
    /// A study and taxonomies that come with the program: adult.
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Columns to release as they are, whatever they hold: nobody else decides that a nearly unique column may be shown.
    #[arg(long, value_name = "A,B", value_delimiter = ',', conflicts_with = "preset")]
    keep: Vec<String>,
    /// Overwrite files that exist.
    #[arg(long)]
    force: bool,
    /// Print the study instead of writing it.
    #[arg(long)]
    print: bool,
    /// Print what a release would show as JSON.
    #[arg(long, conflicts_with = "print")]
    json: bool,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let folder = arguments.out.parent().unwrap_or(Path::new(""));
    let source = source(arguments)?;
    let kept = kept_source(&source, folder)?;
    let mut outputs = Outputs::default();
    outputs.reads_source(&source);
    if !arguments.print {
        // Before the table is read, which may take long.
        outputs.check(&arguments.out, arguments.force)?;
    }
    let mut drafted = None;
    let files = match &arguments.preset {
        Some(name) => preset_files(name, &arguments.out, folder, &kept.path.to_string_lossy())?,
        None => {
            let progress = Progress::start(arguments.quiet);
            let found = profile(&source, &progress)?;
            progress.finish();
            let keep: Vec<String> = arguments.keep.iter().map(|name| name.trim().to_owned()).collect();
            let draft = drafted.insert(draft_keeping(&kept, &found, &keep)?);
            vec![(arguments.out.clone(), draft.text.clone())]
        }
    };
    if arguments.print {
        print!("{}", files[0].1);
        return Ok(());
    }
    outputs.check_all(files.iter().map(|(file, _)| file), arguments.force)?;
    for (file, text) in &files {
        write_output(file, arguments.force, |out| out.write_all(text.as_bytes()))?;
    }
    let study = Study::from_toml(&files[0].1, &arguments.out.display().to_string())?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&as_json(&study, drafted.as_ref(), &arguments.out))?);
    } else if !arguments.quiet {
        print!("{}", summary(&study, drafted.as_ref()));
        let names: Vec<String> = files.iter().map(|(file, _)| file.display().to_string()).collect();
        println!("Wrote {}.", names.join(", "));
        println!("Read and correct {0}, then run: paretonym explore {0}", arguments.out.display());
    }
    Ok(())
}

/// The table that is asked for.
fn source(arguments: &Arguments) -> Result<Source> {
    let mut source = Source::at(arguments.data.clone().unwrap_or_default());
    if let Some(database) = &arguments.database {
        source.database = Some(database.clone());
        source.table.clone_from(&arguments.table);
        source.query.clone_from(&arguments.query);
    }
    source.check()?;
    Ok(source)
}

/// The same as a study in a folder says it.
fn kept_source(source: &Source, folder: &Path) -> Result<Source> {
    let mut kept = source.clone();
    if source.database.is_none() {
        kept.path = path_from(folder, &source.path)?.into();
    }
    Ok(kept)
}

/// What a release would show of each column, and what becomes of missing values.
fn summary(study: &Study, draft: Option<&Draft>) -> String {
    let reason = |at: usize| draft.and_then(|draft| draft.reasons.get(at)).cloned().unwrap_or_default();
    let rows = study.columns.iter().enumerate().map(|(at, column)| {
        let mut row = vec![column.name.clone(), column.role.words(), column.shown()];
        row.extend(draft.map(|_| reason(at)));
        row
    });
    let header: &[&str] = &["column", "role", "a release shows it", "because"];
    let header = &header[..if draft.is_some() { 4 } else { 3 }];
    let mut text = display::table(header, rows) + "\n";
    if let Some(incomplete) = draft.and_then(|draft| draft.incomplete) {
        let choice = match incomplete.choice {
            OnMissing::DropRow => "they are left out (on_missing = \"drop-row\")",
            OnMissing::Value => "they stay, with \"missing\" as a value (on_missing = \"value\")",
            OnMissing::Error => "they are an error (on_missing = \"error\")",
        };
        text += &match incomplete.most {
            0 => format!("Missing values: {}.\n", incomplete.words()),
            _ => format!("Missing values: {}; {choice}.\n", incomplete.words()),
        };
    }
    let as_is: Vec<&str> = study
        .columns
        .iter()
        .filter(|column| column.shown() == "shown as it is")
        .map(|column| column.name.as_str())
        .collect();
    if !as_is.is_empty() {
        text += &format!("Shown as they are: {}.\n", as_is.join(", "));
    }
    text
}

fn as_json(study: &Study, draft: Option<&Draft>, file: &Path) -> Value {
    let columns = study.columns.iter().enumerate().map(|(at, column)| {
        let reason = draft.and_then(|draft| draft.reasons.get(at));
        json!({ "name": column.name, "role": column.role, "shown": column.shown(), "reason": reason })
    });
    let missing = draft
        .and_then(|draft| draft.incomplete)
        .map(|incomplete| json!({ "rows": incomplete.rows, "least": incomplete.least, "most": incomplete.most }));
    json!({
        "study": file.display().to_string(),
        "columns": columns.collect::<Vec<Value>>(),
        "on_missing": study.data.on_missing,
        "missing_rows": missing,
    })
}

/// The data's path as seen from the study's folder: as given where both are relative to the same place.
fn path_from(folder: &Path, data: &Path) -> Result<String> {
    let readable = |source| Error::File { action: FileAction::Read, path: data.to_owned(), source };
    let full = match is_pattern(data) {
        // The files are found anew whenever the table is read; what holds them is known now.
        true => {
            let folders = data
                .ancestors()
                .skip(1)
                .map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
            let known = folders
                .zip(data.ancestors().skip(1))
                .find_map(|(folder, own)| Some((folder.canonicalize().ok()?, own)));
            known.map_or(data.to_owned(), |(folder, own)| folder.join(data.strip_prefix(own).unwrap_or(data)))
        }
        false => data.canonicalize().map_err(readable)?,
    };
    let base = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let base = base.canonicalize().map_err(|source| Error::File {
        action: FileAction::Read,
        path: base.to_owned(),
        source,
    })?;
    Ok(full.strip_prefix(&base).unwrap_or(&full).display().to_string())
}

/// Whether a path stands for several files; one that exists stands for itself.
fn is_pattern(path: &Path) -> bool {
    !path.exists() && path.to_string_lossy().contains(['*', '?', '['])
}

/// The files of a preset.
fn preset_files(name: &str, out: &Path, folder: &Path, data: &str) -> Result<Vec<(PathBuf, String)>> {
    let preset = preset::find(name).ok_or_else(|| Error::UnknownName {
        what: "preset",
        name: name.to_owned(),
        known: preset::PRESETS.iter().map(|preset| format!("{} ({})", preset.name, preset.summary)).collect(),
    })?;
    let studies = preset.studies.iter().enumerate().map(|(at, (file, text))| {
        let path = if at == 0 { out.to_owned() } else { folder.join(file) };
        (path, preset::with_path(text, data))
    });
    let taxonomies = preset.taxonomies.iter().map(|(file, text)| (folder.join(file), (*text).to_owned()));
    Ok(studies.chain(taxonomies).collect())
}
