//! From a plan to files with names: written, measured and certified in a working folder that only its owner may enter,
//! then renamed. Whatever happens before the last step, no file has the release's name.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym::group::Attribute;
use paretonym::release::{
    CERTIFICATE_FORMAT, Certificate, Claim, ColumnFate, Fate, FileFacts, KeptGroups, Reapplied, SavedRecoding, Shown,
};
use paretonym::study::Study;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

use super::output::OutputFormat;
use super::tokens::hex;
use super::verify::verify;
use super::write::{Writing, Written, write};
use super::{ReleaseOptions, Released, companions, fates_of, shows_only_stars};
use crate::scratch::ScratchFolder;
use crate::table::{Kind, Table};

/// Everything that is to be published.
pub(super) struct Publication<'a> {
    pub study: &'a Study,
    pub saved: &'a SavedRecoding,
    pub kept: &'a KeptGroups,
    pub claim: &'a Claim,
    /// The sensitive columns of the original table, and others.
    pub attributes: &'a [Attribute],
    pub losses: BTreeMap<String, f64>,
    pub nearest: bool,
    pub reapplied: Option<Reapplied>,
    pub options: &'a ReleaseOptions,
}

/// Refuses a target before any work is done.
pub(super) fn check_target(out: &Path, force: bool) -> Result<()> {
    OutputFormat::of(out)?;
    let mut taken = companions::paths(out);
    taken.push(out.to_owned());
    if let Some(path) = taken.iter().find(|path| path.exists() && !force) {
        return Err(Error::study(format!("{} exists; give another name with -o, or --force", path.display())));
    }
    if out.is_dir() {
        return Err(Error::study(format!("{} is a folder; give the name of a file", out.display())));
    }
    Ok(())
}

/// Writes, measures, certifies and names a release.
pub(super) fn publish(publication: &Publication, out: &Path, watch: &dyn Watch) -> Result<Released> {
    let Publication { study, saved, kept, options, .. } = publication;
    if options.stars && shows_only_stars(saved, kept) {
        return Err(Error::study(
            "rows that stay show only stars too, so that suppressed rows could not be told from them; \
             leave suppressed rows out, or release another solution",
        ));
    }
    for column in &saved.columns {
        let texts = column.shown_texts();
        if column.shown == Shown::Median && texts.iter().collect::<HashSet<_>>().len() < texts.len() {
            return Err(Error::study(format!(
                "several intervals of column {:?} have the same median, which would make one group of theirs; \
                 release the labels of the intervals instead (--representative label)",
                column.name
            )));
        }
    }
    let fates = fates_of(study, saved, options.tokens)?;
    let table = Table::open(&study.data)?;
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let work = working_folder(folder)?;
    let name = out.file_name().ok_or_else(|| Error::study("the release needs a file name"))?;
    let draft = work.path().join(name);

    let [order, token_key] = seeds(options.seed)?;
    let writing = Writing {
        source: &study.data,
        saved,
        kept,
        fates: &fates,
        nearest: publication.nearest,
        stars: options.stars,
        order: (!options.keep_order).then_some(order),
        token_key,
    };
    let written = write(&writing, &table, &draft, watch)?;
    let delimiter = delimiter(&table, out)?;
    let (audit, measured) = verify(publication, &draft, delimiter, written, watch)?;

    watch.phase("signing", None);
    let mut certificate = certificate(publication, &table, &fates, written, watch)?;
    certificate.output = facts(&draft, written.kept + if options.stars { written.suppressed } else { 0 }, watch)?;
    certificate.measured(&audit, &measured);
    companions::write(&draft, &certificate, saved)?;
    if watch.cancelled() {
        return Err(Error::Cancelled);
    }
    let files = name_files(&draft, out)?;
    Ok(Released { certificate, files })
}

/// Renames everything into place, the release itself last: where it has its name, all else is there.
fn name_files(draft: &Path, out: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut pairs: Vec<(PathBuf, PathBuf)> = companions::paths(draft).into_iter().zip(companions::paths(out)).collect();
    pairs.push((draft.to_owned(), out.to_owned()));
    for (from, to) in pairs {
        let failed = |source: io::Error| Error::File { action: "write", path: to.clone(), source };
        if to.is_dir() {
            // A folder cannot replace one that holds files; the tables of an older release go.
            std::fs::remove_dir_all(&to).map_err(failed)?;
        }
        std::fs::rename(&from, &to).map_err(failed)?;
        files.push(to);
    }
    #[cfg(unix)]
    if let Some(folder) = out.parent()
        && let Ok(folder) = File::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
    {
        let _ = folder.sync_all();
    }
    Ok(files)
}

/// A folder beside the release that only its owner may enter; it goes away with everything in it.
fn working_folder(folder: &Path) -> Result<ScratchFolder> {
    ScratchFolder::new(folder).map_err(|source| Error::File { action: "write", path: folder.to_owned(), source })
}

/// Seeds of the row order and of the tokens.
fn seeds(seed: Option<u64>) -> Result<[[u8; 32]; 2]> {
    let mut seeds = [[0; 32]; 2];
    match seed {
        Some(seed) => {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            seeds.iter_mut().for_each(|seed| random.fill_bytes(seed));
        }
        None => {
            for seed in &mut seeds {
                getrandom::fill(seed).map_err(|error| Error::File {
                    action: "read",
                    path: "the system's source of randomness".into(),
                    source: io::Error::other(error.to_string()),
                })?;
            }
        }
    }
    Ok(seeds)
}

/// The separator of a release that is text.
fn delimiter(table: &Table, out: &Path) -> Result<Option<char>> {
    Ok(match OutputFormat::of(out)? {
        OutputFormat::Parquet => None,
        OutputFormat::Text(Some(own)) => Some(char::from(own)),
        OutputFormat::Text(None) => Some(match &table.kind {
            Kind::Text(text) => char::from(text.dialect.syntax.delimiter),
            Kind::Parquet(_) => ',',
        }),
    })
}

/// Name, size and hash of a file.
fn facts(path: &Path, rows: u64, watch: &dyn Watch) -> Result<FileFacts> {
    let failed = |source: io::Error| Error::File { action: "read", path: path.to_owned(), source };
    let mut file = crate::file::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    let mut bytes = 0;
    loop {
        let read = file.read(&mut buffer).map_err(failed)?;
        if read == 0 {
            break;
        }
        if watch.cancelled() {
            return Err(Error::Cancelled);
        }
        hasher.update(&buffer[..read]);
        bytes += read as u64;
    }
    Ok(FileFacts { name: crate::pass::file_name(path), bytes, sha256: hex(&hasher.finalize()), rows })
}

/// A certificate with everything but the measures.
fn certificate(
    publication: &Publication,
    table: &Table,
    fates: &[Fate],
    written: Written,
    watch: &dyn Watch,
) -> Result<Certificate> {
    let Publication { study, saved, claim, options, .. } = publication;
    let input = facts(table.path(), written.read, watch)?;
    let column = |(name, fate): (&String, &Fate)| ColumnFate {
        name: name.clone(),
        fate: match fate {
            Fate::Drop => "dropped",
            Fate::Token => "token",
            Fate::Recode(_) => "recoded",
            Fate::Keep | Fate::KeepUsed => "kept",
        }
        .to_owned(),
    };
    Ok(Certificate {
        format: CERTIFICATE_FORMAT.to_owned(),
        program: concat!("paretonym ", env!("CARGO_PKG_VERSION")).to_owned(),
        created: now(),
        output: input.clone(),
        input,
        dropped_for_missing: written.dropped,
        suppressed: written.suppressed,
        suppressed_rows: if options.stars { "star" } else { "dropped" }.to_owned(),
        row_order: if options.keep_order { "kept" } else { "random" }.to_owned(),
        columns: table.names().iter().zip(fates).map(column).collect(),
        solution: saved.solution,
        seed: study.search.seed,
        k: 0,
        weighted_k: 0.0,
        l: None,
        t: None,
        t_in_release: None,
        necd: 0.0,
        gl: 0.0,
        sl: 0.0,
        losses: publication.losses.clone(),
        risk: Default::default(),
        group_sizes: Vec::new(),
        claim: (*claim).clone(),
        reapplied: publication.reapplied.clone(),
        study: without_folders(study),
    })
}

/// The study with files by their names: where they lie is nobody's business.
fn without_folders(study: &Study) -> Study {
    let mut study = study.clone();
    study.data.path = crate::pass::file_name(&study.data.path).into();
    for column in &mut study.columns {
        if let Some(taxonomy) = &mut column.taxonomy
            && let Some(path) = taxonomy.as_str()
        {
            *taxonomy = crate::pass::file_name(Path::new(path)).into();
        }
    }
    study
}

/// The time in UTC, as ISO 8601 writes it.
fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    utc(seconds)
}

fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days since 1 March of year 0, in eras of 400 years, so that leap days come last.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, year) = if month < 10 { (month + 3, year + era * 400) } else { (month - 9, year + era * 400 + 1) };
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn days_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(utc(4_102_444_800), "2100-01-01T00:00:00Z");
    }
}
