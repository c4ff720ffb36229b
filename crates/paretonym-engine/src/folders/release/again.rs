//! A recoding that was released once, on a later table, and how much better a search on that table would be.

use std::collections::BTreeMap;
use std::path::Path;

use paretonym::data::Kind;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym::release::{Claim, Enforce, Fresh, Reapplied, SavedRecoding, Shown, Unknown, reapply};
use paretonym::settings::OneOrMore;
use paretonym::study::{Study, concerns, run};

use super::publish::{Publication, publish};
use super::{ReleaseOptions, Released, allowed, check_target};
use crate::Embedded;
use crate::folders::outputs::Outputs;

/// What can be chosen when a recoding is used again.
#[derive(Clone, Debug)]
pub struct ReapplyOptions {
    /// What every group must reach.
    pub enforce: Enforce,
    /// What happens to values that the recoding does not know.
    pub unknown: Unknown,
    /// Compares with a search on the later table itself.
    pub fresh: bool,
}

/// Applies a saved recoding to a later table and releases it as `out`, or in memory where it has no name. `name` is what the
/// recoding's file is called; the private part goes into the folder `home`, where there is one.
pub fn release_again(
    (saved, home): (&SavedRecoding, Option<&Path>),
    name: &str,
    data: &Path,
    out: Option<&Path>,
    again: &ReapplyOptions,
    options: &ReleaseOptions,
    watch: &dyn Watch,
) -> Result<Released> {
    let mut outputs = Outputs::default();
    let mut study = saved.study.clone();
    study.data.locate(data);
    outputs.reads_source(&study.data);
    out.map_or(Ok(()), |out| check_target(out, options.force, &outputs))?;
    if again.enforce.k <= 1 {
        allowed(options, "this release")?;
    }
    let done = reapply(saved, &study, again.unknown, again.enforce, &Embedded, watch)?;
    let mut saved = saved.clone();
    saved.k = done.claim.k;
    if options.shown == Shown::Median {
        let numeric = |kind| kind == Kind::Numeric;
        saved.columns.iter_mut().filter(|column| numeric(column.kind)).for_each(|column| column.shown = Shown::Median);
    }
    let own = done.claim.gl + done.claim.sl;
    let mut failure = None;
    let (fresh, no_fresh) = match again.fresh {
        false => (None, Some("it was not asked for".to_owned())),
        true => match fresh(&study, &done.claim, again.enforce.k, own, watch) {
            Ok(found) => found,
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(error) => {
                failure = Some(error.to_string());
                (None, Some("a search on the later table failed".to_owned()))
            }
        },
    };
    let reapplied = Reapplied {
        recoding: name.to_owned(),
        enforced_k: again.enforce.k,
        unknown_rows: done.unknown,
        moved_values: done.moved,
        moved_rows: done.moved_rows,
        fresh,
        no_fresh,
        failure,
    };
    let publication = Publication {
        home,
        study: &study,
        saved: &saved,
        kept: &done.kept,
        claim: &done.claim,
        attributes: &done.table.attributes,
        losses: BTreeMap::from([("general".to_owned(), own)]),
        nearest: again.unknown == Unknown::Nearest,
        reapplied: Some(reapplied),
        warnings: concerns(&study, &done.table, &Embedded, watch)?,
        options,
    };
    publish(&publication, out, watch)
}

/// The least general loss at a given k that a search on the later table finds when it may suppress as many rows as the
/// repeated recoding did.
fn fresh(study: &Study, claim: &Claim, k: u64, own: f64, watch: &dyn Watch) -> Result<(Option<Fresh>, Option<String>)> {
    let mut study = study.clone();
    study.search.problem = "max-suppression".to_owned();
    study.search.privacy = OneOrMore::One("k".to_owned());
    study.search.loss = "general".to_owned();
    study.search.eta = study.search.eta.max(claim.sl);
    let front = run(&study, &Embedded, watch)?.front;
    let enough = front.solutions.iter().filter(|solution| solution.k >= k);
    let Some(best) = enough.min_by(|a, b| a.loss.total_cmp(&b.loss)) else {
        return Ok((None, Some(format!("a search on the later table found no solution of k = {k}"))));
    };
    let loss = best.gl + best.sl;
    let fresh = Fresh {
        optimizer: front.optimizer.clone(),
        exact: front.exact,
        k: best.k,
        gl: best.gl,
        sl: best.sl,
        loss,
        ratio: if loss > 0.0 { own / loss } else { 1.0 },
    };
    Ok((Some(fresh), None))
}
