//! `paretonym init`

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use paretonym::data::Source;
use paretonym::draft::draft;
use paretonym::error::Error;
use paretonym_engine::outputs::Outputs;
use paretonym_engine::{profile, write_output};

use crate::preset;
use crate::progress::Progress;

/// Profiles a table: guesses kinds, roles and taxonomies, and writes a commented study to edit.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  paretonym init people.csv\n  paretonym init people.parquet -o people.toml\n  paretonym init --preset adult adult.data"
)]
pub struct Arguments {
    /// The table: CSV, TSV or Parquet, text also as .gz.
    data: PathBuf,
    /// The study file to write.
    #[arg(short, long, value_name = "FILE", default_value = "study.toml")]
    out: PathBuf,
    /// A study and taxonomies that come with the program: adult.
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Overwrite files that exist.
    #[arg(long)]
    force: bool,
    /// Print the study instead of writing it.
    #[arg(long)]
    print: bool,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let folder = arguments.out.parent().unwrap_or(Path::new(""));
    let path = path_from(folder, &arguments.data)?;
    let outputs = Outputs::besides([&arguments.data]);
    if !arguments.print {
        // Before the table is read, which may take long.
        outputs.check(&arguments.out, arguments.force)?;
    }
    let files = match &arguments.preset {
        Some(name) => preset_files(name, &arguments.out, folder, &path)?,
        None => {
            let progress = Progress::start(arguments.quiet);
            let found = profile(&Source::at(&arguments.data), &progress)?;
            progress.finish();
            vec![(arguments.out.clone(), draft(&Source::at(path), &found))]
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
    if !arguments.quiet {
        let names: Vec<String> = files.iter().map(|(file, _)| file.display().to_string()).collect();
        println!("Wrote {}.", names.join(", "));
        println!("Read and correct {0}, then run: paretonym explore {0}", arguments.out.display());
    }
    Ok(())
}

/// The data's path as seen from the study's folder: as given where both are relative to the same place.
fn path_from(folder: &Path, data: &Path) -> Result<String> {
    let readable = |source| Error::File { action: "read", path: data.to_owned(), source };
    let full = data.canonicalize().map_err(readable)?;
    let base = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let base = base.canonicalize().map_err(|source| Error::File { action: "read", path: base.to_owned(), source })?;
    Ok(full.strip_prefix(&base).unwrap_or(&full).display().to_string())
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
