//! A search under way: what it has seen, what it keeps, and one generation of it.

use std::collections::BTreeSet;

use hashbrown::{HashMap, HashSet};

use super::Schedule;
use super::polish::CHOICE;
use crate::error::{Error, Result};
use crate::front::{Archive, Cutoff, MAX_OBJECTIVES, Outcome, Point, Scale};
use crate::problem::Paper;
use crate::search::SearchRun;
use crate::search::checkpoint::{FORM, Saved, archive_texts, fingerprint_texts};
use crate::search::genetic::{ColumnMoves, Dice, Genome, Judged, Member, Pool, Population, Standing};

/// The least share of the evaluations that goes to offspring, and the least that goes to neighbours of archive members;
/// in between, each gets in proportion to how often it lately brought something new into the archive.
const LEAST: f64 = 0.1;
/// Success rates well below this do not tell offspring from neighbours.
const DOUBT: f64 = 0.01;
/// How many recodings that missed the archive are remembered, and in how many bytes at most.
const NEAR: usize = 4096;
const NEAR_BYTES: usize = 8 << 20;
/// Distances to the front are measured to at most so many of its points.
const SAMPLED: usize = 512;
/// How fast earlier successes are forgotten, per generation.
const FORGET: f64 = 0.1;
/// A gain of the hypervolume below this does not count as one.
const GAIN: f64 = 1e-5;
/// The search ends when it has not gained for this share of its budget...
const PATIENCE: f64 = 0.25;
/// ...and for at least so many generations.
const PATIENT_GENERATIONS: u64 = 20;

/// A search under way.
pub(super) struct Search<'a> {
    pub(super) pool: &'a Pool<'a>,
    pub(super) plan: &'a Schedule,
    pub(super) dice: Dice,
    pub(super) population: Population,
    pub(super) archive: Archive,
    /// What was evaluated, by fingerprint. The faithful form remembers the points, since it may meet a recoding again.
    pub(super) seen: HashMap<u128, Vec<Point>, foldhash::fast::FixedState>,
    pub(super) polished: HashSet<u128, foldhash::fast::FixedState>,
    /// Column moves that were made.
    pub(super) moved: HashSet<u128, foldhash::fast::FixedState>,
    /// What came into the archive since columns were last moved.
    pub(super) fresh: Vec<(Point, Genome)>,
    /// Recodings that just missed the archive, by how much (as bits, which order as the numbers do).
    pub(super) near: BTreeSet<(u64, Genome)>,
    /// Points of the archive in the unit box, as of the last generation.
    pub(super) front: Vec<[f64; MAX_OBJECTIVES]>,
    pub(super) generation: u64,
    pub(super) evaluated: u64,
    pub(super) best: (f64, u64),
    /// Lately, how many of the offspring and of the neighbours entered the archive.
    pub(super) success: [f64; 2],
    pub(super) scale: Scale,
    pub(super) stopped: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(pool: &'a Pool<'a>, plan: &'a Schedule, dice: Dice) -> Self {
        // The two ends of the space span the box of the hypervolume.
        let layout = pool.layout;
        let top: Vec<usize> = layout.segments.iter().map(|segment| segment.levels.len() - 1).collect();
        let ends = [layout.of_levels(&top), layout.of_levels(&vec![0; top.len()])];
        let points = ends.iter().flat_map(|genome| pool.evaluate_one(genome, &Archive::new()).ranked);
        let points: Vec<Point> = points.collect();
        Search {
            pool,
            plan,
            dice,
            population: Population::default(),
            archive: Archive::new(),
            seen: HashMap::default(),
            polished: HashSet::default(),
            moved: HashSet::default(),
            fresh: Vec::new(),
            near: BTreeSet::new(),
            front: Vec::new(),
            generation: 0,
            evaluated: 0,
            best: (0.0, 0),
            success: [0.5; 2],
            scale: Scale::new(&pool.problem.objectives(), pool.table.rows, points.iter()),
            stopped: false,
        }
    }

    pub(super) fn start(pool: &'a Pool<'a>, plan: &'a Schedule, seed: u64) -> Self {
        let mut search = Search::new(pool, plan, Dice::new(seed));
        let size = plan.size.min(plan.limit as usize);
        let (layout, dice) = (pool.layout, &mut search.dice);
        let mut first = match (plan.faithful, pool.problem.paper()) {
            (true, Paper::S0) => layout.coin_flips(size, dice),
            (true, Paper::S1) => layout.densities(size, dice),
            (false, _) => layout.spread(size, dice),
        };
        if !plan.faithful {
            first.retain(|genome| search.seen.insert(genome.fingerprint(), Vec::new()).is_none());
        }
        let members = search.evaluate(first);
        search.survive(members);
        search
    }

    pub(super) fn resume(pool: &'a Pool<'a>, plan: &'a Schedule, seed: u64, saved: &Saved) -> Result<Self> {
        let mut search = Search::new(pool, plan, Dice::new(seed));
        search.dice = saved.dice();
        search.archive = saved.restore_archive(pool)?;
        search.seen = saved.seen()?.into_iter().map(|genome| (genome, Vec::new())).collect();
        search.polished = Saved::fingerprints(&saved.polished)?.into_iter().collect();
        search.moved = Saved::fingerprints(&saved.moved)?.into_iter().collect();
        (search.generation, search.evaluated) = (saved.generation, saved.evaluated);
        search.best = (f64::from_bits(saved.best[0]), saved.best[1]);
        search.success = saved.success.map(f64::from_bits);
        let near = Saved::genomes(saved.near.iter().map(|(_, genome)| genome), pool.layout)?;
        search.near = saved.near.iter().map(|(distance, _)| *distance).zip(near).collect();
        search.front = search.sampled_front();
        for genome in Saved::genomes(&saved.population, pool.layout)? {
            let points = pool.evaluate_one(&genome, &search.archive).ranked;
            search.population.members.push(Member::new(genome, points));
        }
        if saved.standings.len() != search.population.members.len() {
            return Err(Error::study("the checkpoint is damaged or of an older program; remove it and explore again"));
        }
        for (member, (rank, crowding)) in search.population.members.iter_mut().zip(&saved.standings) {
            member.standing = Standing { rank: *rank, crowding: f64::from_bits(*crowding) };
        }
        Ok(search)
    }

    pub(super) fn saved(&self, optimizer: &str) -> Saved {
        let texts = |genomes: &mut dyn Iterator<Item = &Genome>| genomes.map(Genome::to_text).collect::<Vec<_>>();
        Saved {
            form: FORM,
            optimizer: optimizer.to_owned(),
            table: Saved::table_of(self.pool),
            dice: [self.dice.seed(), self.dice.position()],
            generation: self.generation,
            evaluated: self.evaluated,
            population: texts(&mut self.population.members.iter().map(|member| &member.genome)),
            standings: self
                .population
                .members
                .iter()
                .map(|member| (member.standing.rank, member.standing.crowding.to_bits()))
                .collect(),
            archive: archive_texts(&self.archive, self.pool),
            seen: fingerprint_texts(self.seen.keys()),
            polished: fingerprint_texts(self.polished.iter()),
            moved: fingerprint_texts(self.moved.iter()),
            near: self.near.iter().map(|(distance, genome)| (*distance, genome.to_text())).collect(),
            best: [self.best.0.to_bits(), self.best.1],
            success: self.success.map(f64::to_bits),
        }
    }

    /// The scale of crowding: the costs themselves in the papers, the sides of the hypervolume's box in ours.
    pub(super) fn unit(&self) -> impl Fn(&Point) -> [f64; MAX_OBJECTIVES] + use<> {
        let (faithful, scale) = (self.plan.faithful, self.scale.clone());
        move |point| {
            if !faithful {
                return scale.unit(point);
            }
            let mut costs = [0.0; MAX_OBJECTIVES];
            costs[..point.costs().len()].copy_from_slice(point.costs());
            costs
        }
    }

    /// Points of the archive in the unit box: all, or an even choice where there are very many.
    fn sampled_front(&self) -> Vec<[f64; MAX_OBJECTIVES]> {
        let entries = self.archive.entries();
        let step = entries.len().div_ceil(SAMPLED).max(1);
        entries.iter().step_by(step).map(|entry| self.scale.unit(&entry.point)).collect()
    }

    pub(super) fn survive(&mut self, newcomers: Vec<Member>) {
        let unit = self.unit();
        self.population.survive(newcomers, self.plan.size, &unit);
    }

    /// One generation: offspring, and the neighbours of some archive members.
    pub(super) fn generation(&mut self, limit: u64, moves: Option<&ColumnMoves>) {
        let mut wanted = (limit - self.evaluated).min(self.plan.size as u64) as usize;
        if moves.is_some() {
            // Towards the end there must be room to move what is found.
            wanted = wanted.min((limit - self.evaluated).div_ceil(2) as usize);
        }
        let newcomers = if self.plan.faithful {
            let children = self.papers_offspring(wanted);
            self.evaluate(children)
        } else {
            let [bred, polished] = self.success;
            let share = ((bred + DOUBT) / (bred + polished + 2.0 * DOUBT)).clamp(LEAST, 1.0 - LEAST);
            let children = self.offspring((share * wanted as f64).ceil() as usize);
            let mut newcomers = self.evaluate(children);
            // What offspring did not use, for want of new ones, goes to neighbours.
            newcomers.extend(if self.stopped { Vec::new() } else { self.polish(wanted - newcomers.len()) });
            match moves.filter(|moves| !self.stopped && self.moves_begin(moves, limit)) {
                Some(moves) => {
                    self.ladder(moves, limit);
                    newcomers.extend(self.perturb(moves, limit));
                    newcomers.extend(self.move_points(moves, limit));
                }
                None => self.fresh.clear(),
            }
            newcomers
        };
        if !self.stopped {
            self.survive(newcomers);
            self.generation += 1;
            self.front = self.sampled_front();
        }
    }

    /// Remembers how many of some evaluations entered the archive: of offspring (0) or of neighbours (1).
    pub(super) fn learn(&mut self, kind: usize, entered: usize, evaluated: usize) {
        if evaluated > 0 {
            let rate = entered as f64 / evaluated as f64;
            self.success[kind] = (1.0 - FORGET) * self.success[kind] + FORGET * rate;
        }
    }

    /// Evaluates chromosomes and takes what they give into the archive.
    pub(super) fn evaluate(&mut self, genomes: Vec<Genome>) -> Vec<Member> {
        let mut members = Vec::with_capacity(genomes.len());
        if !self.plan.faithful {
            let judged = self.pool.evaluate(&genomes, &self.archive);
            let mut entered = 0;
            for (genome, judged) in genomes.into_iter().zip(judged) {
                let Some(judged) = judged else {
                    self.stopped = true;
                    break;
                };
                entered += usize::from(self.absorb(&genome, &judged));
                self.evaluated += 1;
                members.push(Member::new(genome, judged.ranked));
            }
            self.learn(0, entered, members.len());
            return members;
        }
        // Each recoding that is not remembered is computed once, and put into the archive when it is new.
        let known = |search: &Search, genome: &Genome| {
            search.seen.get(&genome.fingerprint()).is_some_and(|points| !points.is_empty())
        };
        let mut fresh: Vec<Genome> = genomes.iter().filter(|genome| !known(self, genome)).cloned().collect();
        fresh.sort_unstable();
        fresh.dedup();
        for (genome, judged) in fresh.iter().zip(self.pool.evaluate(&fresh, &self.archive)) {
            let Some(judged) = judged else {
                self.stopped = true;
                return members;
            };
            if !self.seen.contains_key(&genome.fingerprint()) {
                self.absorb(genome, &judged);
            }
            self.seen.insert(genome.fingerprint(), judged.ranked);
        }
        for genome in genomes {
            self.evaluated += 1;
            let points = self.seen.get(&genome.fingerprint()).cloned().unwrap_or_default();
            members.push(Member::new(genome, points));
        }
        members
    }

    /// Takes outcomes into the archive; whether any of them is in it now.
    pub(super) fn absorb(&mut self, genome: &Genome, judged: &Judged) -> bool {
        let mut entered = false;
        let mut recoding = None;
        for outcome in &judged.outcomes {
            if !self.archive.dominates(&outcome.point) {
                let recoding = recoding.get_or_insert_with(|| self.pool.layout.decode(self.pool.table, genome));
                self.archive.insert(outcome, recoding);
                self.fresh.push((outcome.point, genome.clone()));
                entered = true;
            }
        }
        if !entered && !self.plan.faithful {
            self.near.insert((self.distance(&judged.ranked).to_bits(), genome.clone()));
            let most = NEAR.min(NEAR_BYTES / self.pool.layout.bits.div_ceil(8).max(1)).max(CHOICE);
            if self.near.len() > most {
                self.near.pop_last();
            }
        }
        entered
    }

    /// What the last population holds, which is all that the papers report.
    pub(super) fn last_population(&self) -> String {
        let mut last = Archive::new();
        for member in &self.population.members {
            let recoding = self.pool.layout.decode(self.pool.table, &member.genome);
            let outcomes = member.points.iter().map(|point| Outcome { point: *point, cutoff: Cutoff::Nothing });
            outcomes.for_each(|outcome| last.insert(&outcome, &recoding));
        }
        let volume = |archive: &Archive| self.scale.hypervolume(archive.entries().iter().map(|entry| &entry.point));
        format!(
            "The last population has {} points that none of its members beats, hypervolume {:.4}; the front of everything that was evaluated has {}, {:.4}.",
            last.entries().len(),
            volume(&last),
            self.archive.entries().len(),
            volume(&self.archive)
        )
    }

    /// Shows the hypervolume; whether it has stalled.
    pub(super) fn note(&mut self, run: &SearchRun) -> bool {
        let volume = self.scale.hypervolume(self.archive.entries().iter().map(|entry| &entry.point));
        if volume > self.best.0 + GAIN {
            self.best = (volume, self.evaluated);
        }
        run.watch.note(&format!("{} points, hypervolume {volume:.4}", self.archive.entries().len()));
        run.show(self.pool.table, self.pool.problem, &self.archive, self.evaluated);
        let patience = (PATIENCE * self.plan.limit as f64) as u64;
        self.evaluated - self.best.1 >= patience.max(PATIENT_GENERATIONS * self.plan.size as u64)
    }
}
