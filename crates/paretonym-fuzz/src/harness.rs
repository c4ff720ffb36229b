//! Runs a target on broken inputs, and keeps what breaks it.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::mutate::{Dice, mutate};
use crate::targets::Target;
use crate::watchdog::{Watchdog, peak_memory};

/// The corpus does not grow beyond so many inputs.
const LARGEST_CORPUS: usize = 4000;
/// Nor does the list of outcomes: what takes memory here is not what is being tested.
const MOST_OUTCOMES: usize = 50_000;

/// How long a run goes on, and what counts as broken.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Inputs at most.
    pub runs: u64,
    /// Time at most.
    pub time: Duration,
    /// An input that takes longer hangs.
    pub patience: Duration,
    /// The most memory of the process, in MiB.
    pub memory: u64,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Inputs tried.
    pub runs: u64,
    /// Outcomes that read differently.
    pub outcomes: usize,
    /// Panics, each with the file that its input was kept as.
    pub panics: Vec<(String, PathBuf)>,
    /// Peak memory in MiB.
    pub memory: u64,
    /// Time taken.
    pub time: Duration,
}

/// A target with its inputs.
pub struct Fuzzer {
    target: Target,
    corpus: Vec<Vec<u8>>,
    crashes: PathBuf,
}

impl Fuzzer {
    /// Reads the corpus of a target: the files in `corpus/NAME`. What breaks it goes to `crashes`.
    pub fn new(target: Target, corpus: &Path, crashes: &Path) -> Result<Self> {
        let folder = corpus.join(target.name);
        let entries = std::fs::read_dir(&folder).with_context(|| format!("no corpus in {}", folder.display()))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<PathBuf>>>()?;
        paths.sort();
        let corpus = paths.iter().map(std::fs::read).collect::<std::io::Result<Vec<_>>>()?;
        if corpus.is_empty() {
            bail!("{} holds no file to start from", folder.display());
        }
        Ok(Fuzzer { target, corpus, crashes: crashes.to_owned() })
    }

    /// Tries the corpus itself and then broken inputs, up to the limits.
    pub fn run(mut self, seed: u64, limits: &Limits) -> Result<Report> {
        // A panic is a finding, not something to print ten thousand times.
        set_hook(Box::new(|_| {}));
        let mut watchdog = Watchdog::start(&self.crashes, self.target.name, limits.patience)?;
        let mut target = (self.target.prepare)()?;
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let mut dice = Dice(&mut generator);
        let (started, seeds) = (Instant::now(), self.corpus.len() as u64);
        let mut known: HashSet<String> = HashSet::new();
        let mut report = Report::default();
        while report.runs < limits.runs && started.elapsed() < limits.time {
            // Each seed as it is, first.
            let seed = usize::try_from(report.runs).ok().filter(|_| report.runs < seeds);
            let input = match seed.and_then(|at| self.corpus.get(at)) {
                Some(seed) => seed.clone(),
                None => {
                    let (one, two) = (dice.below(self.corpus.len()), dice.below(self.corpus.len()));
                    mutate(&self.corpus[one], &self.corpus[two], &mut dice)
                }
            };
            watchdog.begin(&input)?;
            let done = catch_unwind(AssertUnwindSafe(|| target(&input)));
            watchdog.end();
            report.runs += 1;
            let outcome = match done {
                Ok(outcome) => outcome,
                Err(panic) => {
                    let text = panic.downcast_ref::<String>().map(String::as_str);
                    let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("panic").to_owned();
                    // One file for each kind of panic is enough.
                    if known.insert(format!("panic {}", shape(&text))) {
                        let path = self.crashes.join(format!("{}-{}.crash", self.target.name, report.runs));
                        std::fs::write(&path, &input)?;
                        report.panics.push((text, path));
                    }
                    target = (self.target.prepare)()?;
                    continue;
                }
            };
            let full = known.len() >= MOST_OUTCOMES;
            if !full && known.insert(shape(&outcome)) && report.runs > seeds && self.corpus.len() < LARGEST_CORPUS {
                self.corpus.push(input.clone());
            }
            if report.runs % 256 == 0 && peak_memory() > limits.memory {
                let path = self.crashes.join(format!("{}-{}.memory", self.target.name, report.runs));
                std::fs::write(&path, &input)?;
                report.panics.push((format!("more than {} MiB of memory", limits.memory), path));
                break;
            }
        }
        (report.outcomes, report.memory, report.time) = (known.len(), peak_memory(), started.elapsed());
        Ok(report)
    }
}

/// An outcome without what differs from input to input: numbers, signs, and what stands in quotes.
fn shape(outcome: &str) -> String {
    let plain = outcome.replace("\\\"", "");
    let lines = plain.lines().next().into_iter().chain(plain.lines().skip(1).last());
    let outside = lines.flat_map(|line| line.split(['"', '`']).step_by(2));
    let words = outside.flat_map(|part| part.split(|letter: char| !letter.is_ascii_alphabetic()));
    let mut shape = String::new();
    for word in words.filter(|word| word.len() > 1).take(16) {
        shape.push_str(word);
        shape.push(' ');
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_that_differ_in_their_details_are_one() {
        assert_eq!(shape("line 3: \"x\\\"y\" is twice"), shape("line 17: \"abc\" is twice"));
        assert_ne!(shape("line 3: is twice"), shape("line 3: is none"));
    }
}
