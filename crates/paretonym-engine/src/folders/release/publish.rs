//! From a plan to files with names: written, measured and certified in working folders that only their owner may enter, then
//! named, the private part first and the release last. Whatever happens before, no file has the release's name.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use paretonym::engine::Watch;
use paretonym::error::{Error, FileAction, Result};
use paretonym::group::Attribute;
use paretonym::release::{
    Audit, CERTIFICATE_FORMAT, Certificate, Claim, ColumnFate, Commitments, Fate, FileFacts, InputFacts, KeptGroups,
    PublicRecoding, Reapplied, SavedRecoding, Shown,
};
use paretonym::study::{Study, one_value};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::naming::name_files;
use super::private::PrivateDraft;
use super::verify::verify;
use super::{ReleaseOptions, Released, companions, fates_of, shows_only_stars};
use crate::folders::folder::key::{Key, both_digests, random_bytes, sha256_file};
use crate::folders::scratch::ScratchFolder;
use crate::folders::write::folder_of;
use crate::hex::hex;
use crate::rows::table::{Table, TableFile};
use crate::rows::write::output::OutputFormat;
use crate::rows::write::{Writing, Written, write};

/// Everything that is to be published.
pub(super) struct Publication<'a> {
    /// The folder of the run, which takes the private part.
    pub home: &'a Path,
    pub study: &'a Study,
    pub saved: &'a SavedRecoding,
    pub kept: &'a KeptGroups,
    pub claim: &'a Claim,
    /// The sensitive columns of the original table, and others.
    pub attributes: &'a [Attribute],
    pub losses: BTreeMap<String, f64>,
    pub nearest: bool,
    pub reapplied: Option<Reapplied>,
    /// What there is to warn of in the table, whatever is released of it.
    pub warnings: Vec<String>,
    pub options: &'a ReleaseOptions,
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
    let before = Stamp::of(&study.data.path)?;
    let fates = fates_of(study, saved, options.tokens)?;
    let table = Table::open(&study.data)?;
    let folder = folder_of(out);
    let work = working_folder(folder)?;
    let name = out.file_name().ok_or_else(|| Error::study("the release needs a file name"))?;
    let draft = work.path().join(name);
    let private = PrivateDraft::new(publication.home)?;
    let saved = SavedRecoding { id: hex(&random_bytes::<16>()?), ..(*saved).clone() };

    let [order, token_key] = seeds(options.seed)?;
    let writing = Writing {
        source: &study.data,
        saved: &saved,
        kept,
        fates: &fates,
        nearest: publication.nearest,
        stars: options.stars,
        order: (!options.keep_order).then_some(order),
        token_key,
    };
    let written = write(&writing, &table, &draft, &private.rows(), watch)?;
    let delimiter = delimiter(&table, out)?;
    let (audit, measured) = verify(publication, &draft, delimiter, written, watch)?;

    watch.phase("signing", None);
    let key = Key::random()?;
    let mut exact = certificate(publication, &saved, &table, &fates, written)?;
    let (digest, sha256, bytes) = both_digests(table.path(), &key, watch)?;
    let original = FileFacts { name: crate::rows::file::file_name(table.path()), bytes, sha256, rows: written.read };
    exact.input.digest = format!("hmac-sha256:{digest}");
    exact.output = facts(&draft, written.kept + if options.stars { written.suppressed } else { 0 }, watch)?;
    exact.measured(&audit, &measured);
    exact.warnings = publication.warnings.iter().cloned().chain(measured_warnings(&audit)).collect();
    let certificate = exact.clone().rounded();
    companions::write(&draft, &certificate, &PublicRecoding::of(&saved, kept))?;
    private.write(&saved, &exact, &original, &key)?;
    if Stamp::of(&study.data.path)? != before {
        return Err(Error::study("the table changed while it was released; nothing was written, explore again"));
    }
    if watch.cancelled() {
        return Err(Error::Cancelled);
    }
    let private = private.keep(&saved.id)?;
    let files = name_files(&draft, out, options.force).inspect_err(|_| {
        // Without its release, the private part tells nobody anything.
        let _ = std::fs::remove_dir_all(&private);
    })?;
    Ok(Released { certificate, exact, files, private })
}

/// What there is to warn of in the written file.
fn measured_warnings(audit: &Audit) -> impl Iterator<Item = String> {
    let alone = (audit.k == 1).then(|| "Some rows are alone in their group (k = 1).".to_owned());
    let single = audit.l.iter().flatten().filter(|(_, l)| l.distinct == 1).map(|(name, _)| name.as_str());
    alone.into_iter().chain(one_value(&single.collect::<Vec<&str>>()))
}

/// What tells a file that was written to meanwhile.
#[derive(PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    place: (u64, u64, i64, i64),
}

impl Stamp {
    fn of(path: &Path) -> Result<Self> {
        let failed = |source| Error::File { action: FileAction::Read, path: path.to_owned(), source };
        let facts = std::fs::metadata(path).map_err(failed)?;
        #[cfg(unix)]
        let place = {
            use std::os::unix::fs::MetadataExt;
            (facts.dev(), facts.ino(), facts.ctime(), facts.ctime_nsec())
        };
        Ok(Stamp {
            length: facts.len(),
            modified: facts.modified().ok(),
            #[cfg(unix)]
            place,
        })
    }
}

/// A folder beside the release that only its owner may enter; it goes away with everything in it.
pub(super) fn working_folder(folder: &Path) -> Result<ScratchFolder> {
    ScratchFolder::new(folder).map_err(|source| Error::File {
        action: FileAction::Write,
        path: folder.to_owned(),
        source,
    })
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
                *seed = random_bytes()?;
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
        OutputFormat::Text(None) => Some(match &table.file {
            TableFile::Text(text) => char::from(text.dialect.syntax.delimiter),
            TableFile::Parquet(_) => ',',
        }),
    })
}

/// Name, size and hash of a file.
fn facts(path: &Path, rows: u64, watch: &dyn Watch) -> Result<FileFacts> {
    let (sha256, bytes) = sha256_file(path, watch)?;
    Ok(FileFacts { name: crate::rows::file::file_name(path), bytes, sha256, rows })
}

/// A certificate with everything but the measures.
fn certificate(
    publication: &Publication,
    saved: &SavedRecoding,
    table: &Table,
    fates: &[Fate],
    written: Written,
) -> Result<Certificate> {
    let Publication { study, options, .. } = publication;
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
        id: saved.id.clone(),
        input: InputFacts { digest: String::new() },
        output: FileFacts { name: String::new(), bytes: 0, sha256: String::new(), rows: 0 },
        dropped_for_missing: written.dropped,
        suppressed: written.suppressed,
        left_out: (written.dropped + written.suppressed) as f64 / written.read.max(1) as f64,
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
        warnings: Vec::new(),
        reapplied: publication.reapplied.clone(),
        study: Commitments::of(study),
    })
}

/// The time in UTC, as ISO 8601 writes it, in whole seconds.
fn now() -> String {
    utc(SystemTime::now())
}

fn utc(time: SystemTime) -> String {
    DateTime::<Utc>::from(time).format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn days_of_the_calendar() {
        let utc = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(utc(4_102_444_800), "2100-01-01T00:00:00Z");
    }
}
