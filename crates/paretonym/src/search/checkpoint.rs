//! What a genetic search needs to go on after it was killed. Only chromosomes are kept: whatever they come to is
//! computed again, so that nothing depends on how numbers are written down.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::genetic::{Dice, Genome, Layout, Pool};
use crate::engine::Keeper;
use crate::error::{Error, Result};
use crate::front::Archive;

/// The shortest time between two checkpoints.
const SHORTEST: Duration = Duration::from_millis(250);
/// CheckpointPace take at most one part in so many of the time.
const SHARE: u32 = 20;

/// How chromosomes that were met are written down; 2 since they are fingerprints.
pub const FORM: u32 = 3;

/// A search at the end of a generation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    /// [`FORM`]; 0 in checkpoints that do not say.
    #[serde(default)]
    pub form: u32,
    /// The optimizer, which must be the one that goes on.
    pub optimizer: String,
    /// Rows and distinct tuples of the table, and the length of a chromosome: they must be the same.
    pub table: [u64; 3],
    /// The seed, and how much was drawn from it.
    pub dice: [u64; 2],
    /// Generations, or iterations, so far.
    pub generation: u64,
    /// Evaluations so far, as the budget counts them.
    pub evaluated: u64,
    /// The population in its order.
    pub population: Vec<String>,
    /// Rank and crowding (as bits) of each member, where the search has such. They were given among members that did not
    /// survive, so that they cannot be found again.
    #[serde(default)]
    pub standings: Vec<(u32, u64)>,
    /// The recoding of each entry of the archive, in its order, and how many others reach the same point.
    pub archive: Vec<(String, u64)>,
    /// The fingerprint of every chromosome that was evaluated, sorted.
    pub seen: Vec<String>,
    /// Those whose neighbours were evaluated: fingerprints (nsga2), or the one chromosome (genitor).
    pub polished: Vec<String>,
    /// Column moves that were made, as fingerprints.
    pub moved: Vec<String>,
    /// Those that just missed the archive, and by how much (as bits).
    pub near: Vec<(u64, String)>,
    /// The best hypervolume (as bits) and the evaluations that it took.
    pub best: [u64; 2],
    /// How well offspring and neighbours lately did (as bits).
    pub success: [u64; 2],
}

impl Saved {
    /// What identifies the table.
    pub fn table_of(pool: &Pool) -> [u64; 3] {
        [pool.table.rows, pool.table.tuples.len() as u64, pool.layout.bits as u64]
    }

    /// Reads a state, and checks that it belongs to this search.
    pub fn read(text: &str, optimizer: &str, seed: u64, pool: &Pool) -> Result<Self> {
        let saved: Saved = serde_json::from_str(text).map_err(|error| {
            Error::study(format!("the checkpoint cannot be read ({error}); remove it and explore again"))
        })?;
        let same = saved.optimizer == optimizer && saved.table == Saved::table_of(pool) && saved.dice[0] == seed;
        if !same {
            return Err(Error::study(
                "the checkpoint belongs to another search: the table, the columns, the optimizer or the seed has changed since; remove it and explore again",
            ));
        }
        if saved.form != FORM {
            let which = if saved.form < FORM { "an older" } else { "a newer" };
            return Err(Error::study(format!("the checkpoint is of {which} program; remove it and explore again")));
        }
        if !saved.makes_sense() {
            return Err(Error::study("the checkpoint is damaged; remove it and explore again"));
        }
        Ok(saved)
    }

    /// Whether a search can be in this state. Chromosomes are checked where they are read.
    fn makes_sense(&self) -> bool {
        let share = |bits: u64| (0.0..=1.0).contains(&f64::from_bits(bits));
        let counters =
            [self.generation, self.evaluated].into_iter().chain(self.archive.iter().map(|(_, others)| *others));
        !self.population.is_empty()
            && (self.standings.is_empty() || self.standings.len() == self.population.len())
            && self.standings.iter().all(|(_, crowding)| !f64::from_bits(*crowding).is_nan())
            && counters.into_iter().all(|counter| counter < 1 << 62)
            && self.best[1] <= self.evaluated
            && f64::from_bits(self.best[0]).is_finite()
            && self.success.iter().all(|rate| share(*rate))
    }

    /// The source of chance as it was.
    pub fn dice(&self) -> Dice {
        Dice::at(self.dice[0], self.dice[1])
    }

    /// What was evaluated.
    pub fn seen(&self) -> Result<Vec<u128>> {
        Saved::fingerprints(&self.seen)
    }

    /// Fingerprints from their texts.
    pub fn fingerprints(texts: &[String]) -> Result<Vec<u128>> {
        let read = |text: &String| u128::from_str_radix(text, 16).ok().filter(|_| text.len() == 32);
        let all: Option<Vec<u128>> = texts.iter().map(read).collect();
        all.ok_or_else(|| Error::study("the checkpoint is damaged; remove it and explore again"))
    }

    /// Chromosomes from their texts.
    pub fn genomes<'t>(texts: impl IntoIterator<Item = &'t String>, layout: &Layout) -> Result<Vec<Genome>> {
        let genomes = texts.into_iter().map(|text| {
            let genome = Genome::from_text(text, layout.bits).filter(|genome| layout.is_valid(genome));
            genome.ok_or_else(|| Error::study("the checkpoint is damaged; remove it and explore again"))
        });
        genomes.collect()
    }

    /// The archive as it was: the outcomes of its recodings, of which none was lost.
    pub fn restore_archive(&self, pool: &Pool) -> Result<Archive> {
        let mut archive = Archive::new();
        let genomes = Saved::genomes(self.archive.iter().map(|(genome, _)| genome), pool.layout)?;
        let mut last = None;
        for genome in &genomes {
            // One recoding often stands behind several neighbouring points.
            if last.replace(genome) != Some(genome) {
                insert(&mut archive, pool, genome);
            }
        }
        if archive.entries().len() != self.archive.len() {
            return Err(Error::study("the checkpoint does not fit the study; remove it and explore again"));
        }
        archive.set_alternatives(self.archive.iter().map(|(_, alternatives)| *alternatives));
        Ok(archive)
    }
}

/// Adds all outcomes of a chromosome to an archive.
fn insert(archive: &mut Archive, pool: &Pool, genome: &Genome) {
    let judged = pool.evaluate_one(genome, archive);
    let recoding = pool.layout.decode(pool.table, genome);
    judged.outcomes.iter().for_each(|outcome| archive.insert(outcome, &recoding));
}

/// Fingerprints as a checkpoint has them. Sets have no order of their own; sorted, a checkpoint is the same for the same
/// state.
pub fn fingerprint_texts<'f>(fingerprints: impl Iterator<Item = &'f u128>) -> Vec<String> {
    let mut texts: Vec<String> = fingerprints.map(|one| format!("{one:032x}")).collect();
    texts.sort_unstable();
    texts
}

/// The archive as a checkpoint has it.
pub fn archive_texts(archive: &Archive, pool: &Pool) -> Vec<(String, u64)> {
    let entries = archive.entries().iter();
    entries.map(|entry| (pool.layout.encode(pool.table, &entry.recoding).to_text(), entry.alternatives)).collect()
}

/// Decides when to save.
pub struct CheckpointPace<'a> {
    keeper: Option<&'a dyn Keeper>,
    next: Instant,
}

impl<'a> CheckpointPace<'a> {
    /// For a search that starts now.
    pub fn new(keeper: Option<&'a dyn Keeper>) -> Self {
        CheckpointPace { keeper, next: Instant::now() + SHORTEST }
    }

    /// Saves a state if it is time to, or `now`.
    pub fn save(&mut self, now: bool, state: impl FnOnce() -> Saved) -> Result<()> {
        let Some(keeper) = self.keeper.filter(|_| now || Instant::now() >= self.next) else { return Ok(()) };
        let started = Instant::now();
        let text = serde_json::to_string(&state())
            .map_err(|error| Error::internal(format!("the state of the search cannot be written: {error}")))?;
        keeper.save(&text)?;
        self.next = Instant::now() + SHORTEST.max(started.elapsed() * SHARE);
        Ok(())
    }
}
