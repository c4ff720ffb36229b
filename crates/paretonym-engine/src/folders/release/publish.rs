//! From a plan to files with names: written, measured and certified in working folders that only their owner may enter, then
//! named, the private part first and the release last. Whatever happens before, no file has the release's name.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, FileAction, Result};
use paretonym::group::Attribute;
use paretonym::release::{Claim, FileFacts, KeptGroups, PublicRecoding, Reapplied, SavedRecoding, Shown};
use paretonym::study::Study;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::naming::name_files;
use super::private_draft::PrivateDraft;
use super::signing::{certificate, facts, measured_warnings};
use super::stamp::Stamp;
use super::verify::verify;
use super::{ReleaseOptions, Released, companions, fates_of, shows_only_stars};
use crate::folders::folder::digest::both_digests;
use crate::folders::folder::inputs::table_digest;
use crate::folders::folder::key::{Key, random_bytes};
use crate::folders::scratch::ScratchFolder;
use crate::folders::write::folder_of;
use crate::hex::hex;
use crate::rows::file::file_name;
use crate::rows::frame::{Frame, Origin};
use crate::rows::table::{Table, TableFile};
use crate::rows::write::output::OutputFormat;
use crate::rows::write::{Draft, Made, RowNumbers, Writing, bring_to_disk, write};

/// Rows of a file whose numbers in the table stay in memory, where there is no folder for them: three bytes each, or four where
/// the table has more rows.
const REMEMBERED: u64 = 1 << 24;

/// Everything that is to be published.
pub(super) struct Publication<'a> {
    /// The folder of the run, which takes the private part; where there is none, that stays in memory.
    pub home: Option<&'a Path>,
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

/// Writes, measures, certifies and names a release; one without a name stays in memory.
pub(super) fn publish(publication: &Publication, out: Option<&Path>, watch: &dyn Watch) -> Result<Released> {
    let Publication { study, saved, kept, claim, options, .. } = publication;
    check_publication(publication)?;
    let before = Stamp::of_source(&study.data)?;
    let fates = fates_of(study, saved, options.tokens)?;
    let table = Table::open(&study.data)?;
    let draft = out.map(FileDraft::new).transpose()?;
    let private = publication.home.map(PrivateDraft::new).transpose()?;
    let private_rows = private.as_ref().map(PrivateDraft::rows);
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
        expected: (claim.rows + if options.stars { claim.suppressed } else { 0 }, claim.rows + claim.suppressed),
    };
    let release = draft.as_ref().map(|draft| draft.path.as_path());
    let places = Draft { release, rows: row_numbers(private_rows.as_deref(), release, claim.rows) };
    let Made { written, batches, rows: numbers } = write(&writing, &table, places, watch)?;
    // A file that changes is found out by its stamp, and a table in a database or in memory by its rows.
    let as_counted = (written.kept, written.suppressed) == (claim.rows, claim.suppressed);
    if !study.data.is_in_files() && !as_counted {
        return Err(changed());
    }
    let frame = batches.map(|(schema, batches)| Frame::new(schema, batches)).transpose()?;
    let source = match (&draft, &frame) {
        (Some(draft), _) => draft.source(&table)?,
        (None, Some(frame)) => frame.source(),
        (None, None) => return Err(Error::internal("a release was written nowhere")),
    };
    // The disk may take its time while the file is read back.
    let (audit, measured) = std::thread::scope(|scope| {
        let files = release.into_iter().chain(private_rows.as_deref());
        let kept = scope.spawn(move || files.map(bring_to_disk).collect::<Result<Vec<()>>>());
        let verified = verify(publication, &source, written, watch)?;
        kept.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok::<_, Error>(verified)
    })?;

    watch.phase("signing", None);
    let key = Key::random()?;
    let mut exact = certificate(publication, &saved, &table, &fates, written)?;
    let rows = written.kept + if options.stars { written.suppressed } else { 0 };
    let original = || original_facts(study, &table, &key, written.read, watch);
    let (original, output) = rayon::join(original, || output_facts(release, rows, watch));
    let (digest, original) = original?;
    exact.input.digest = format!("hmac-sha256:{digest}");
    exact.output = output?;
    exact.measured(&audit, &measured);
    exact.warnings = publication.warnings.iter().cloned().chain(measured_warnings(&audit)).collect();
    let certificate = exact.clone().rounded();
    if let Some(draft) = &draft {
        companions::write(&draft.path, &certificate, &PublicRecoding::of(&saved, kept))?;
    }
    if let Some(private) = &private {
        private.write(&saved, &exact, &original, &key)?;
    }
    if Stamp::of_source(&study.data)? != before {
        return Err(changed());
    }
    if watch.cancelled() {
        return Err(Error::Cancelled);
    }
    let private = private.map(|private| private.keep(&saved.id)).transpose()?;
    let named = draft.map_or(Ok(Vec::new()), |draft| draft.name(options.force));
    let files = named.inspect_err(|_| {
        // Without its release, the private part tells nobody anything.
        let _ = private.as_ref().map(std::fs::remove_dir_all);
    })?;
    let origin = numbers.map(|rows| Arc::new(Origin::new((key.text(), digest), &saved, rows, !options.stars)));
    if let (Some(frame), Some(origin)) = (&frame, &origin) {
        frame.remember(origin);
    }
    Ok(Released { certificate, exact, files, private, saved, frame, origin })
}

/// Where the numbers of rows go. Whoever wants a long file rather than a table in memory has no room for them either.
fn row_numbers<'a>(private: Option<&'a Path>, release: Option<&Path>, rows: u64) -> RowNumbers<'a> {
    match private {
        Some(path) => RowNumbers::File(path),
        None if release.is_some() && rows > REMEMBERED => RowNumbers::Forgotten,
        None => RowNumbers::Memory,
    }
}

/// What everybody may know of the release; one in memory has no bytes of its own.
fn output_facts(release: Option<&Path>, rows: u64, watch: &dyn Watch) -> Result<FileFacts> {
    match release {
        Some(path) => facts(path, rows, watch),
        None => Ok(FileFacts { name: String::new(), bytes: 0, sha256: String::new(), rows }),
    }
}

/// A release that is written into a working folder beside the place that it is to have.
struct FileDraft<'a> {
    out: &'a Path,
    path: PathBuf,
    _work: ScratchFolder,
}

impl<'a> FileDraft<'a> {
    fn new(out: &'a Path) -> Result<Self> {
        let work = working_folder(folder_of(out))?;
        let name = out.file_name().ok_or_else(|| Error::study("the release needs a file name"))?;
        Ok(FileDraft { out, path: work.path().join(name), _work: work })
    }

    /// How it is read back.
    fn source(&self, table: &Table) -> Result<Source> {
        let delimiter = delimiter(table, self.out)?;
        Ok(Source { delimiter, header: delimiter.map(|_| true), ..Source::at(&self.path) })
    }

    /// Gives it its name, and those of the files beside it.
    fn name(self, force: bool) -> Result<Vec<PathBuf>> {
        name_files(&self.path, self.out, force)
    }
}

/// Refuses what no release may show.
pub(super) fn check_publication(publication: &Publication) -> Result<()> {
    let Publication { saved, kept, options, .. } = publication;
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
    Ok(())
}

/// The keyed digest of the table, and what the publisher may know of it.
fn original_facts(
    study: &Study,
    table: &Table,
    key: &Key,
    rows: u64,
    watch: &dyn Watch,
) -> Result<(String, FileFacts)> {
    if study.data.is_in_files() {
        let (digest, sha256, bytes) = both_digests(table.path(), key, watch)?;
        return Ok((digest, FileFacts { name: file_name(table.path()), bytes, sha256, rows }));
    }
    let (digest, counted) = table_digest(&study.data, key, watch)?;
    if counted != rows {
        return Err(changed());
    }
    Ok((digest, FileFacts { name: study.data.place(), bytes: 0, sha256: String::new(), rows }))
}

/// The refusal of a table that did not hold still.
pub(super) fn changed() -> Error {
    Error::study("the table changed while it was released; nothing was written, explore again")
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
        OutputFormat::Parquet | OutputFormat::Memory => None,
        OutputFormat::Text(Some(own)) => Some(char::from(own)),
        OutputFormat::Text(None) => Some(match &table.file {
            TableFile::Text(text) => char::from(text.dialect.syntax.delimiter),
            TableFile::Parquet(_) | TableFile::Database(_) | TableFile::Frame(_) => ',',
        }),
    })
}
