//! The proof of a front: the skeleton is evaluated, the front of the whole space worked out from it, and what is on it
//! evaluated.

use rayon::prelude::*;

use super::profile::{Profile, Profiles};
use super::{Kin, Skeleton, infer};
use crate::front::{Archive, Entry};
use crate::search::Run;
use crate::search::genetic::{Genome, Judged, Pool};

/// Recodings are evaluated together in batches of about so many; the archive grows between them. The number does not depend
/// on the threads.
const BATCH: usize = 1024;
/// What was worked out and what was counted are the same where they differ by less.
const ROUNDING: f64 = 1e-9;

/// Where a search writes down what it evaluates.
pub(in crate::search) trait Book {
    /// The front so far.
    fn archive(&mut self) -> &mut Archive;

    /// How many recodings were evaluated.
    fn evaluated(&self) -> u64;

    /// Whether a recoding was evaluated.
    fn knows(&self, genome: &Genome) -> bool;

    /// Takes down one that was not evaluated before.
    fn enter(&mut self, genome: &Genome, judged: &Judged, pool: &Pool);
}

/// How a proof ended.
pub(in crate::search) enum Proof {
    /// The archive is the whole front; how that is known.
    Whole(String),
    /// There were too few evaluations.
    Unfinished,
    /// The user has had enough.
    Stopped,
}

/// Proves the front with at most so many evaluations, those already written down included.
pub(in crate::search) fn prove(skeleton: &Skeleton, pool: &Pool, run: &Run, limit: u64, book: &mut dyn Book) -> Proof {
    match try_to_prove(skeleton, pool, run, limit, book) {
        Ok(how) => Proof::Whole(how),
        Err(proof) => proof,
    }
}

fn try_to_prove(skeleton: &Skeleton, pool: &Pool, run: &Run, limit: u64, book: &mut dyn Book) -> Result<String, Proof> {
    let everything = skeleton.size == skeleton.space;
    run.watch.phase("evaluating recodings", Some(skeleton.size));
    let mut profiles = Profiles::new(pool.table, pool.problem.loss());
    let kin = skeleton.kin();
    let per_batch = (BATCH / kin[0].genomes.len()).max(1);
    for batch in kin.chunks(per_batch) {
        let (archive, now) = (book.archive().clone(), book.evaluated());
        let new = batch.iter().flat_map(|kin| &kin.genomes).filter(|genome| !book.knows(genome)).count() as u64;
        let evaluate = |kin: &Kin| {
            let profile = |grouping: &_| (!everything).then(|| Profile::of(pool.table, pool.problem, grouping));
            pool.evaluate_below(&kin.finest, &kin.genomes, &archive, profile)
        };
        if now + new > limit {
            // What is left of the budget is spent all the same.
            let rest = batch.iter().flat_map(|kin| kin.genomes.iter().cloned()).collect();
            evaluate_all(pool, rest, limit, book)?;
            return Err(Proof::Unfinished);
        }
        let judged: Vec<_> = batch.par_iter().map(evaluate).collect();
        for (kin, judged) in batch.iter().zip(judged) {
            let judged = judged.ok_or(Proof::Stopped)?;
            for (genome, (judged, _)) in kin.genomes.iter().zip(&judged) {
                if !book.knows(genome) {
                    book.enter(genome, judged, pool);
                }
            }
            profiles.extend(judged.into_iter().filter_map(|(_, profile)| profile));
        }
        let evaluated = book.evaluated();
        run.watch.note(&format!("{evaluated} evaluated, {} points", book.archive().entries().len()));
        run.show(pool.table, pool.problem, book.archive(), evaluated);
    }
    if everything {
        return Ok("Every recoding was evaluated.".to_owned());
    }
    run.watch.phase("working out all recodings", Some(skeleton.space));
    let front = infer::front(skeleton, pool, &profiles).ok_or(Proof::Stopped)?;
    run.watch.phase("evaluating the front", Some(front.entries().len() as u64));
    let shown = front.entries().iter().map(|entry| pool.layout.encode(pool.table, &entry.recoding)).collect();
    evaluate_all(pool, shown, limit, book)?;
    if !agree(book.archive(), &front) {
        return Err(Proof::Unfinished);
    }
    // Recodings that reach the same point were worked out too.
    book.archive().set_alternatives(front.entries().iter().map(|entry| entry.alternatives));
    Ok(format!(
        "The groups of {} recodings told the front of all {}; its solutions were then evaluated.",
        skeleton.size, skeleton.space
    ))
}

/// Evaluates those of some recodings that are not known yet, as many as the budget allows.
fn evaluate_all(pool: &Pool, mut genomes: Vec<Genome>, limit: u64, book: &mut dyn Book) -> Result<(), Proof> {
    let mut met = std::collections::HashSet::new();
    genomes.retain(|genome| !book.knows(genome) && met.insert(genome.clone()));
    genomes.truncate(limit.saturating_sub(book.evaluated()) as usize);
    for some in genomes.chunks(BATCH) {
        let judged = pool.evaluate(some, book.archive());
        for (genome, judged) in some.iter().zip(judged) {
            book.enter(genome, &judged.ok_or(Proof::Stopped)?, pool);
        }
    }
    Ok(())
}

fn agree(counted: &Archive, worked_out: &Archive) -> bool {
    let close = |a: &f64, b: &f64| (a - b).abs() <= ROUNDING * a.abs().max(1.0);
    let same = |(a, b): (&Entry, &Entry)| a.point.costs().iter().zip(b.point.costs()).all(|(a, b)| close(a, b));
    let (own, other) = (counted.entries(), worked_out.entries());
    own.len() == other.len() && own.iter().zip(other).all(same)
}
