//! Releases: a recoded table is written into a working folder, read back and measured there, and gets its name only
//! when it holds what it claims.
//!
//! plan → write → audit → certificate → name
//!
//! What is written where it was asked for is public: the release, its certificate, and of its recoding what it shows. What
//! else there is goes into the folder of the run ([`private`]).

mod again;
mod companions;
mod naming;
pub mod private;
mod private_draft;
mod publish;
mod signing;
mod stamp;
mod to_table;
mod verify;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use paretonym::data::Role;
use paretonym::engine::{Engine, Watch};
use paretonym::error::{Error, Result};
use paretonym::front::FrontFile;
use paretonym::recode::Regions;
use paretonym::release::{Certificate, KeptGroups, ReleaseTable, SavedColumn, SavedRecoding, Shown, fates, plan};
use paretonym::study::Study;

use crate::Embedded;
use crate::folders::folder::{OpenRun, check_inputs};
use crate::folders::outputs::Outputs;
use crate::rows::frame::{Frame, Origin};
pub use again::{ReapplyOptions, release_again};
pub use companions::recoding_beside;
use publish::{Publication, publish};
pub use to_table::{ToTable, drafts_left};

/// What can be chosen about a release beside its solution.
#[derive(Clone, Debug)]
pub struct ReleaseOptions {
    /// Replaces identifying values by random tokens instead of leaving their columns out.
    pub tokens: bool,
    /// Keeps suppressed rows as rows of stars.
    pub stars: bool,
    /// Writes rows in the order of the table, which links each to its source.
    pub keep_order: bool,
    /// What recoded numbers show.
    pub shown: Shown,
    /// Makes order and tokens repeatable. Whoever knows it can undo both, so that it is drawn by the system and
    /// forgotten where none is given, and never written down.
    pub seed: Option<u64>,
    /// The risk above which a row counts as exposed.
    pub threshold: f64,
    /// Replaces files that exist.
    pub force: bool,
    /// Releases rows that are alone in their group.
    pub allow_k1: bool,
}

impl Default for ReleaseOptions {
    fn default() -> Self {
        ReleaseOptions {
            tokens: false,
            stars: false,
            keep_order: false,
            shown: Shown::Labels,
            seed: None,
            threshold: 0.2,
            force: false,
            allow_k1: false,
        }
    }
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Released {
    /// What everybody may know of what the written file was measured to hold.
    pub certificate: Certificate,
    /// The same without rounding, for the publisher.
    pub exact: Certificate,
    /// All public files, the release last.
    pub files: Vec<PathBuf>,
    /// The folder of the private part; none where it stays in memory.
    pub private: Option<PathBuf>,
    /// The whole recoding, which is part of it.
    pub saved: SavedRecoding,
    /// The release, where it is in memory.
    pub frame: Option<Arc<Frame>>,
    /// What the private part would tell of its rows, where that stays in memory.
    pub origin: Option<Arc<Origin>>,
}

/// Refuses a release, before any work is done, that would replace a file which is read, a folder, or, without `force`,
/// anything at all: the release itself and every file beside it.
pub fn check_target(out: &Path, force: bool, outputs: &Outputs) -> Result<()> {
    naming::check_target(out, force)?;
    [out.to_owned()].iter().chain(&companions::paths(out)).try_for_each(|path| outputs.check(path, force))
}

/// Where a release goes.
#[derive(Clone, Debug)]
pub enum Target {
    /// A file here.
    File(PathBuf),
    /// A table in the database of the original.
    Table(ToTable),
    /// Nowhere: it stays in memory.
    Memory,
}

/// A front and what it was found for, in a folder or in memory.
#[derive(Clone, Copy)]
pub struct Found<'a> {
    /// The folder of the run, where there is one.
    pub dir: Option<&'a Path>,
    /// The study as it was run.
    pub study: &'a Study,
    /// The front.
    pub front: &'a FrontFile,
    /// The boxes of a front of local recodings.
    pub regions: Option<&'a Regions>,
}

/// Releases a solution of the run in a folder as a file.
pub fn release(
    run: &OpenRun,
    solution: u32,
    out: &Path,
    options: &ReleaseOptions,
    watch: &dyn Watch,
) -> Result<Released> {
    release_to(run, solution, &Target::File(out.to_owned()), options, watch)
}

/// Releases a solution of the run in a folder.
pub fn release_to(
    run: &OpenRun,
    solution: u32,
    target: &Target,
    options: &ReleaseOptions,
    watch: &dyn Watch,
) -> Result<Released> {
    let OpenRun { dir, study, front, regions } = run;
    release_found(Found { dir: Some(dir), study, front, regions: regions.as_ref() }, solution, target, options, watch)
}

/// Releases a solution of a front, wherever that is.
pub fn release_found(
    found: Found,
    solution: u32,
    target: &Target,
    options: &ReleaseOptions,
    watch: &dyn Watch,
) -> Result<Released> {
    let Found { dir, study, front, regions } = found;
    let mut outputs = Outputs::default();
    outputs.reads_study(study);
    dir.iter().for_each(|dir| outputs.reads_run(dir));
    if study.data.counts.is_some() {
        return Err(Error::study(format!(
            "this front was found from counts, so there are no rows here to release; `paretonym sql {} --solution {solution}` \
             prints the queries that release it where the rows are",
            dir.unwrap_or(Path::new("DIR")).display()
        )));
    }
    match target {
        Target::File(out) => check_target(out, options.force, &outputs)?,
        Target::Memory => {}
        Target::Table(to) => {
            to_table::check(study, to, options)?;
            companions::paths(&to.beside).iter().try_for_each(|path| outputs.check(path, options.force))?;
        }
    }
    let solution = front.solution(solution)?;
    let name = format!("solution {}", solution.id);
    if solution.described && solution.k <= 1 {
        allowed(options, &name)?;
    }
    watch.phase("checking the table", None);
    // Rows are counted meanwhile; nothing comes of that where the table is not the one that the front was found for.
    let check = || dir.map_or(Ok(()), |dir| check_inputs(dir, study, watch));
    let (checked, counted) = rayon::join(check, || ReleaseTable::count(study, front, solution, &Embedded, watch));
    checked?;
    let counted = counted?;
    let plan = plan(study, &counted, front, solution, regions, options.shown)?;
    if plan.claim.k <= 1 {
        allowed(options, &name)?;
    }
    let publication = Publication {
        home: dir,
        study,
        saved: &plan.saved,
        kept: &plan.kept,
        claim: &plan.claim,
        attributes: &counted.table.attributes,
        losses: plan.losses.clone(),
        nearest: false,
        reapplied: None,
        warnings: front.warnings_of_table(),
        options,
    };
    match target {
        Target::File(out) => publish(&publication, Some(out), watch),
        Target::Memory => publish(&publication, None, watch),
        Target::Table(to) => to_table::publish_table(&publication, to, counted.table.dropped, watch),
    }
}

/// Refuses to release rows that are alone in their group, unless that is wanted.
fn allowed(options: &ReleaseOptions, what: &str) -> Result<()> {
    if options.allow_k1 {
        return Ok(());
    }
    Err(Error::study(format!(
        "{what} has k = 1: some rows are alone in their group, so that whoever knows a person's recoded values finds the \
         person's row; choose a larger k, or say --allow-k1 if that is what you want"
    )))
}

/// The fate of each column of the study's table.
fn fates_of(study: &Study, saved: &SavedRecoding, tokens: bool) -> Result<Vec<paretonym::release::Fate>> {
    let recoded: Vec<&str> = saved.columns.iter().map(|column| column.name.as_str()).collect();
    fates(study, &Embedded.columns(&study.data)?, &recoded, tokens)
}

/// Whether some group that stays shows nothing but stars, so that it cannot be told from suppressed rows.
fn shows_only_stars(saved: &SavedRecoding, kept: &KeptGroups) -> bool {
    // An empty cell shows as little as a star. The labels of a column are distinct, so that there are few such groups.
    let nothing = |text: &String| text == crate::rows::write::output::STAR || text.is_empty();
    let blank = |column: &SavedColumn| {
        let texts = column.shown_texts();
        (0..texts.len() as u32).filter(|set| nothing(&texts[*set as usize])).collect::<Vec<u32>>()
    };
    let mut groups: Vec<Vec<u32>> = vec![Vec::new()];
    for blank in saved.columns.iter().map(blank) {
        let longer =
            |group: &Vec<u32>| blank.iter().map(|set| [group.as_slice(), &[*set]].concat()).collect::<Vec<_>>();
        groups = groups.iter().flat_map(longer).collect();
    }
    groups.iter().any(|sets| kept.holds(sets))
}

/// The names of the sensitive columns of a study.
fn sensitive(study: &Study) -> impl Iterator<Item = &str> {
    study.columns.iter().filter(|column| column.role.has(Role::Sensitive)).map(|column| column.name.as_str())
}
