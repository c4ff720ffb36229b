//! The proof of a front: the skeleton is evaluated, the front of the whole space worked out from it, and what is on it
//! evaluated, with a random sample of what is not.

use std::collections::HashSet;

use rayon::prelude::*;

use super::profile::Profiles;
use super::{Skeleton, infer};
use crate::front::{Archive, FrontEntry};
use crate::search::SearchRun;
use crate::search::genetic::{Dice, Genome, Judged, Pool};

/// Recodings evaluated together; the archive grows between batches. The number does not depend on the threads.
const BATCH: usize = 1024;
/// The same for branches of a skeleton.
const BRANCHES: usize = 8;
/// The most numbers that profiles may hold: a GiB of them.
const MOST_NUMBERS: usize = 1 << 27;
/// The most numbers that profiles of all recodings would hold: minutes of work.
const MOST_WORK: u64 = 1 << 36;
/// Recodings that are evaluated although they were worked out not to be on the front: such a share of those in the skeleton,
/// within these limits.
const SAMPLE_SHARE: u64 = 8;
const SAMPLE: std::ops::RangeInclusive<u64> = 16..=256;
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
    fn enter(&mut self, genome: &Genome, judged: &Judged);

    /// The same of one whose outcomes the front has already, if only but for rounding.
    fn tick_off(&mut self, genome: &Genome);
}

/// How a proof ended.
pub(in crate::search) enum Proof {
    /// The archive is the whole front; how that is known.
    Whole(String),
    /// There were too few evaluations; at least so many are needed.
    Unfinished(u64),
    /// The profiles would take too much memory or time.
    TooLarge,
    /// What was worked out is not what was counted, if only by rounding.
    Disagrees,
    /// The user has had enough.
    Stopped,
}

/// Proves the front with at most so many evaluations, those already written down included.
pub(in crate::search) fn prove(
    skeleton: &Skeleton,
    pool: &Pool,
    run: &SearchRun,
    limit: u64,
    book: &mut dyn Book,
) -> Proof {
    match try_to_prove(skeleton, pool, run, limit, book) {
        Ok(how) => Proof::Whole(how),
        Err(proof) => proof,
    }
}

fn try_to_prove(
    skeleton: &Skeleton,
    pool: &Pool,
    run: &SearchRun,
    limit: u64,
    book: &mut dyn Book,
) -> Result<String, Proof> {
    let branches = skeleton.branches();
    let genomes = || branches.iter().flat_map(|branch| branch.genomes(skeleton));
    let new = genomes().filter(|genome| !book.knows(genome)).count() as u64;
    if book.evaluated() + new > limit {
        run.watch.phase("evaluating recodings", Some(limit - book.evaluated().min(limit)));
        let needed = book.evaluated() + new;
        evaluate_some(pool, genomes().collect(), limit, book)?;
        return Err(Proof::Unfinished(needed));
    }
    run.watch.phase("evaluating recodings", Some(skeleton.size));
    let mut profiles = Profiles::new(pool.table, pool.problem.loss());
    for batch in branches.chunks(BRANCHES) {
        let archive = book.archive().clone();
        let leaves: Vec<_> = batch.par_iter().map(|branch| branch.evaluate(skeleton, pool, &archive)).collect();
        for leaves in leaves {
            let leaves = leaves.ok_or(Proof::Stopped)?;
            for leaf in leaves.iter().filter(|leaf| !book.knows(&leaf.genome)).collect::<Vec<_>>() {
                book.enter(&leaf.genome, &leaf.judged);
            }
            profiles.extend(leaves.into_iter().filter_map(|leaf| leaf.profile));
        }
        let evaluated = book.evaluated();
        run.watch.note(&format!("{evaluated} evaluated, {} points", book.archive().entries().len()));
        run.show(pool.table, pool.problem, book.archive(), evaluated);
        if profiles.numbers > MOST_NUMBERS || profiles.numbers as u64 / skeleton.size * skeleton.space > MOST_WORK {
            return Err(Proof::TooLarge);
        }
    }
    if skeleton.size == skeleton.space {
        return Ok("Every recoding was evaluated.".to_owned());
    }
    run.watch.phase("working out all recodings", Some(skeleton.space));
    let front = infer::front(skeleton, pool, &profiles).ok_or(Proof::Stopped)?;
    let shown = front.entries().iter().map(|entry| pool.layout.encode(pool.table, &entry.recoding)).collect();
    run.watch.phase("evaluating the front", None);
    let left_out = evaluate_some(pool, shown, limit, book)?;
    if left_out > 0 {
        return Err(Proof::Unfinished(book.evaluated() + left_out));
    }
    if !agree(book.archive(), &front) || sample_beats(skeleton, pool, run, limit, book)? {
        return Err(Proof::Disagrees);
    }
    // Recodings that reach the same point were worked out too.
    book.archive().set_alternatives(front.entries().iter().map(|entry| entry.alternatives));
    Ok(format!(
        "The groups of {} recodings told the front of all {}; its solutions were then evaluated, and a sample of the others.",
        skeleton.size, skeleton.space
    ))
}

/// Evaluates those of some recodings that are not known yet; where the budget does not allow all, the first, the last and
/// an even choice of the others. How many were left out.
fn evaluate_some(pool: &Pool, mut genomes: Vec<Genome>, limit: u64, book: &mut dyn Book) -> Result<u64, Proof> {
    let mut met = HashSet::new();
    genomes.retain(|genome| !book.knows(genome) && met.insert(genome.clone()));
    let (count, room) = (genomes.len(), limit.saturating_sub(book.evaluated()) as usize);
    if count > room {
        let chosen = (0..room).map(|at| genomes[at * (count - 1) / (room - 1).max(1)].clone());
        genomes = chosen.collect();
    }
    for some in genomes.chunks(BATCH) {
        let judged = pool.evaluate(some, book.archive());
        for (genome, judged) in some.iter().zip(judged) {
            book.enter(genome, &judged.ok_or(Proof::Stopped)?);
        }
    }
    Ok(count.saturating_sub(room) as u64)
}

/// Evaluates a random sample of the recodings that were worked out not to be on the front, as far as the budget allows; whether
/// one of them is, which rounding would have hidden.
fn sample_beats(
    skeleton: &Skeleton,
    pool: &Pool,
    run: &SearchRun,
    limit: u64,
    book: &mut dyn Book,
) -> Result<bool, Proof> {
    let room = limit.saturating_sub(book.evaluated()) as usize;
    let mut dice = Dice::new(run.seed);
    let mut met = HashSet::new();
    let count = (skeleton.size / SAMPLE_SHARE).clamp(*SAMPLE.start(), *SAMPLE.end());
    let mut sample: Vec<Genome> = (0..count).map(|_| skeleton.random(&mut dice)).collect();
    sample.retain(|genome| !book.knows(genome) && met.insert(genome.clone()));
    sample.truncate(room);
    let archive = book.archive().clone();
    let judged = pool.evaluate(&sample, &archive);
    for (genome, judged) in sample.iter().zip(judged) {
        let judged = judged.ok_or(Proof::Stopped)?;
        let mut points = judged.outcomes.iter().map(|outcome| outcome.point);
        let slack = |cost: &f64| cost + ROUNDING * cost.abs().max(1.0);
        if !points.all(|point| archive.beats(&point.costs().iter().map(slack).collect::<Vec<_>>())) {
            book.enter(genome, &judged);
            return Ok(true);
        }
        book.tick_off(genome);
    }
    Ok(false)
}

fn agree(counted: &Archive, worked_out: &Archive) -> bool {
    let close = |a: &f64, b: &f64| (a - b).abs() <= ROUNDING * a.abs().max(1.0);
    let same =
        |(a, b): (&FrontEntry, &FrontEntry)| a.point.costs().iter().zip(b.point.costs()).all(|(a, b)| close(a, b));
    let (own, other) = (counted.entries(), worked_out.entries());
    own.len() == other.len() && own.iter().zip(other).all(same)
}
