//! **nsga2.** Fast non-dominated sorting, crowding, elitism, binary tournament, for any number of objectives. The front
//! is the archive of everything that was ever evaluated, not the last population.
//!
//! `faithful = true` is the papers' algorithm with the papers' parameters: a start of coin flips, single-point crossover,
//! Lunacek's for cuts, mutation of breaks alone, every offspring counted. What is ours otherwise: a start spread from
//! everything joined to everything apart, with lattice nodes; no recoding evaluated twice; mutation of cuts and levels;
//! parents from the archive; crowding on the scale of the hypervolume; a local search that evaluates all neighbours of
//! archive members; and an end when the hypervolume has stalled.
//!
//! Example: Adult, 10 % suppression: see docs/reproduction.md.
//! Not exact, unless it has evaluated every recoding. Reference: Deb et al. 2002; S0 section 6; S1 section 5.

use std::collections::BTreeSet;

use hashbrown::{HashMap, HashSet};

use super::checkpoint::{Checkpoints, Saved, archive_texts};
use super::genetic::{Crossover, Dice, Genome, Judged, Layout, Member, Move, Pool, Population};
use super::{Found, Optimizer, OptimizerEntry, Run};
use crate::error::{Error, Result};
use crate::front::{Archive, MAX_OBJECTIVES, Point, Scale};
use crate::group::FrequencyTable;
use crate::measure::{Entry, Parameter};
use crate::problem::Problem;
use crate::settings::SearchSettings;

/// The least share of the evaluations that goes to offspring, and the least that goes to neighbours of archive members;
/// in between, each gets in proportion to how often it lately brought something new into the archive.
const LEAST: f64 = 0.1;
/// Success rates well below this do not tell offspring from neighbours.
const DOUBT: f64 = 0.01;
/// How many recodings that missed the archive are remembered.
const NEAR: usize = 4096;
/// Of so many of them that missed it by least, one is chosen.
const CHOICE: usize = 512;
/// How fast earlier successes are forgotten, per generation.
const FORGET: f64 = 0.1;
/// Share of parents that come from the archive.
const FROM_ARCHIVE: f64 = 0.5;
/// A gain of the hypervolume below this does not count as one.
const GAIN: f64 = 1e-5;
/// The search ends when it has not gained for this share of its budget...
const PATIENCE: f64 = 0.25;
/// ...and for at least so many generations.
const PATIENT_GENERATIONS: u64 = 20;

/// Its line in the catalogue.
pub const ENTRY: OptimizerEntry = OptimizerEntry {
    entry: Entry {
        name: "nsga2",
        aliases: &[],
        summary: "genetic search with non-dominated sorting, for levels, cuts and breaks",
        parameters: &[
            Parameter {
                name: "population",
                default: "200, or 500 from three objectives on",
                summary: "members; fewer where there are few evaluations",
            },
            Parameter { name: "generations", default: "250", summary: "generations" },
            Parameter { name: "evaluations", default: "population × generations", summary: "recodings to evaluate" },
            Parameter { name: "crossover", default: "0.9", summary: "share of parents that are crossed" },
            Parameter {
                name: "mutation",
                default: "0.15",
                summary: "share of columns that take a step; faithful: of breaks that are flipped, 0.1",
            },
            Parameter { name: "faithful", default: "false", summary: "exactly as the papers have it" },
        ],
        reference: "Deb et al. 2002; S0 section 6; S1 section 5",
    },
    make: |settings| Ok(Box::new(Nsga2::new(settings)?)),
};

/// See the head of this file.
#[derive(Clone, Debug, Default)]
pub struct Nsga2 {
    /// Members of the population.
    pub population: Option<usize>,
    /// Generations.
    pub generations: Option<u64>,
    /// Share of parents that are crossed.
    pub crossover: Option<f64>,
    /// Rate of mutation.
    pub mutation: Option<f64>,
    /// As the papers have it.
    pub faithful: bool,
}

impl Nsga2 {
    /// From the settings of a study.
    pub fn new(settings: &SearchSettings) -> Result<Self> {
        check_settings(settings)?;
        Ok(Nsga2 {
            population: settings.population,
            generations: settings.generations,
            crossover: settings.crossover,
            mutation: settings.mutation,
            faithful: settings.faithful,
        })
    }
}

/// Checks the settings of genetic searches.
pub(super) fn check_settings(settings: &SearchSettings) -> Result<()> {
    for (name, rate) in [("crossover", settings.crossover), ("mutation", settings.mutation)] {
        if let Some(rate) = rate.filter(|rate| !(0.0..=1.0).contains(rate)) {
            return Err(Error::study(format!("{name} is a share from 0 to 1, not {rate}")));
        }
    }
    if settings.population.is_some_and(|size| !(2..=1_000_000).contains(&size)) {
        return Err(Error::study("population must be from 2 to 1000000"));
    }
    if settings.generations == Some(0) {
        return Err(Error::study("generations must be at least 1"));
    }
    Ok(())
}

/// The settings with everything filled in.
struct Plan {
    faithful: bool,
    size: usize,
    crossover: f64,
    mutation: f64,
    kind: Crossover,
    /// Evaluations at most.
    limit: u64,
}

impl Plan {
    fn of(own: &Nsga2, problem: &dyn Problem, run: &Run) -> Self {
        // S1 for its own problem, S0 for all others.
        let s1 = problem.name() == "preference";
        let many = problem.objectives().len() > 2;
        let papers = if s1 { 100 } else { 200 + 300 * usize::from(many) };
        // With few evaluations, few members: a search needs about a hundred generations.
        let affordable = run.evaluations.filter(|_| !own.faithful).map_or(usize::MAX, |limit| (limit / 100) as usize);
        let size = own.population.unwrap_or(papers.min(affordable.max(20)));
        let generations = own.generations.unwrap_or(if s1 { 50_000u64.div_ceil(size as u64) } else { 250 });
        let limit = match (run.evaluations, own.generations) {
            (Some(evaluations), None) => evaluations,
            (evaluations, _) => generations.saturating_mul(size as u64).min(evaluations.unwrap_or(u64::MAX)),
        };
        let (crossover, mutation) = match (own.faithful, s1) {
            (true, true) => (0.8, 0.001),
            (true, false) => (0.9, 0.1),
            (false, _) => (0.9, 0.15),
        };
        Plan {
            faithful: own.faithful,
            size,
            crossover: own.crossover.unwrap_or(crossover),
            mutation: own.mutation.unwrap_or(mutation),
            kind: if s1 { Crossover::Once } else { Crossover::EachColumn },
            limit,
        }
    }
}

impl Optimizer for Nsga2 {
    fn name(&self) -> &'static str {
        "nsga2"
    }

    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &Run) -> Result<Found> {
        let layout = Layout::of(table);
        let pool = Pool::new(table, problem, &layout, run.watch);
        let plan = Plan::of(self, problem, run);
        let space = layout.size();
        let limit = if plan.faithful { plan.limit } else { plan.limit.min(space.unwrap_or(u64::MAX)) };
        run.watch.phase("evaluating recodings", Some(limit));
        let saved = run.watch.keeper().and_then(|keeper| keeper.saved());
        let mut search = match saved {
            None => Search::start(&pool, &plan, run.seed),
            Some(text) => Search::resume(&pool, &plan, run.seed, &Saved::read(&text, self.name(), run.seed, &pool)?)?,
        };
        let mut checkpoints = Checkpoints::new(run.watch.keeper());
        let mut stalled = false;
        while search.evaluated < limit && !search.stopped && !stalled {
            search.generation(limit);
            if search.stopped {
                break;
            }
            // Whoever says how many evaluations there are to be gets them.
            stalled = search.note(run) && !plan.faithful && run.evaluations.is_none();
            let cancelled = run.watch.cancelled();
            checkpoints.save(cancelled, || search.saved(self.name()))?;
            search.stopped = cancelled;
        }
        let exact = Some(search.seen.len() as u64) == space && !search.stopped;
        let spent = run.evaluations.is_some_and(|evaluations| search.evaluated >= evaluations);
        let mut notes = Vec::new();
        if stalled && !exact {
            notes.push(format!(
                "Ended after {} evaluations: the hypervolume had not grown since {}.",
                search.evaluated, search.best.1
            ));
        }
        Ok(Found {
            archive: search.archive,
            evaluated: search.evaluated,
            space,
            exact,
            complete: exact || !(search.stopped || spent),
            notes,
        })
    }
}

/// A search under way.
struct Search<'a> {
    pool: &'a Pool<'a>,
    plan: &'a Plan,
    dice: Dice,
    population: Population,
    archive: Archive,
    /// What was evaluated. The faithful form remembers the points, since it may meet a recoding again.
    seen: HashMap<Genome, Vec<Point>, foldhash::fast::FixedState>,
    polished: HashSet<Genome, foldhash::fast::FixedState>,
    /// Recodings that just missed the archive, by how much (as bits, which order as the numbers do).
    near: BTreeSet<(u64, Genome)>,
    /// The archive's points in the unit box, as of the last generation.
    front: Vec<[f64; MAX_OBJECTIVES]>,
    generation: u64,
    evaluated: u64,
    best: (f64, u64),
    /// Lately, how many of the offspring and of the neighbours entered the archive.
    success: [f64; 2],
    scale: Scale,
    stopped: bool,
}

impl<'a> Search<'a> {
    fn new(pool: &'a Pool<'a>, plan: &'a Plan, dice: Dice) -> Self {
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

    fn start(pool: &'a Pool<'a>, plan: &'a Plan, seed: u64) -> Self {
        let mut search = Search::new(pool, plan, Dice::new(seed));
        let size = plan.size.min(plan.limit as usize);
        let mut first = if plan.faithful {
            pool.layout.coin_flips(size, &mut search.dice)
        } else {
            pool.layout.spread(size, &mut search.dice)
        };
        if !plan.faithful {
            first.retain(|genome| search.seen.insert(genome.clone(), Vec::new()).is_none());
        }
        let members = search.evaluate(first);
        search.survive(members);
        search
    }

    fn resume(pool: &'a Pool<'a>, plan: &'a Plan, seed: u64, saved: &Saved) -> Result<Self> {
        let mut search = Search::new(pool, plan, Dice::new(seed));
        search.dice = saved.dice();
        search.archive = saved.restore_archive(pool)?;
        search.seen =
            Saved::genomes(&saved.seen, pool.layout)?.into_iter().map(|genome| (genome, Vec::new())).collect();
        search.polished = Saved::genomes(&saved.polished, pool.layout)?.into_iter().collect();
        (search.generation, search.evaluated) = (saved.generation, saved.evaluated);
        search.best = (f64::from_bits(saved.best[0]), saved.best[1]);
        search.success = saved.success.map(f64::from_bits);
        let near = Saved::genomes(saved.near.iter().map(|(_, genome)| genome), pool.layout)?;
        search.near = saved.near.iter().map(|(distance, _)| *distance).zip(near).collect();
        search.front = search.archive.entries().iter().map(|entry| search.scale.unit(&entry.point)).collect();
        for genome in Saved::genomes(&saved.population, pool.layout)? {
            let points = pool.evaluate_one(&genome, &search.archive).ranked;
            search.population.members.push(Member::new(genome, points));
        }
        let unit = search.unit();
        search.population.rank(plan.size, &unit);
        Ok(search)
    }

    fn saved(&self, optimizer: &str) -> Saved {
        let texts = |genomes: &mut dyn Iterator<Item = &Genome>| genomes.map(Genome::to_text).collect::<Vec<_>>();
        // Sets have no order of their own; sorted, a checkpoint is the same for the same state.
        let sorted = |mut texts: Vec<String>| {
            texts.sort_unstable();
            texts
        };
        Saved {
            optimizer: optimizer.to_owned(),
            table: Saved::table_of(self.pool),
            dice: [self.dice.seed(), self.dice.position()],
            generation: self.generation,
            evaluated: self.evaluated,
            population: texts(&mut self.population.members.iter().map(|member| &member.genome)),
            archive: archive_texts(&self.archive, self.pool),
            seen: sorted(texts(&mut self.seen.keys())),
            polished: sorted(texts(&mut self.polished.iter())),
            near: self.near.iter().map(|(distance, genome)| (*distance, genome.to_text())).collect(),
            best: [self.best.0.to_bits(), self.best.1],
            success: self.success.map(f64::to_bits),
        }
    }

    /// The scale of crowding: the costs themselves in the papers, the sides of the hypervolume's box in ours.
    fn unit(&self) -> impl Fn(&Point) -> [f64; MAX_OBJECTIVES] + use<> {
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

    fn survive(&mut self, newcomers: Vec<Member>) {
        let unit = self.unit();
        self.population.survive(newcomers, self.plan.size, &unit);
    }

    /// One generation: offspring, and the neighbours of some archive members.
    fn generation(&mut self, limit: u64) {
        let wanted = (limit - self.evaluated).min(self.plan.size as u64) as usize;
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
            newcomers
        };
        if !self.stopped {
            self.survive(newcomers);
            self.generation += 1;
            self.front = self.archive.entries().iter().map(|entry| self.scale.unit(&entry.point)).collect();
        }
    }

    /// Remembers how many of some evaluations entered the archive: of offspring (0) or of neighbours (1).
    fn learn(&mut self, kind: usize, entered: usize, evaluated: usize) {
        if evaluated > 0 {
            let rate = entered as f64 / evaluated as f64;
            self.success[kind] = (1.0 - FORGET) * self.success[kind] + FORGET * rate;
        }
    }

    /// Children as the papers make them: duplicates and all.
    fn papers_offspring(&mut self, wanted: usize) -> Vec<Genome> {
        let (plan, layout) = (self.plan, self.pool.layout);
        let mut children = Vec::with_capacity(wanted + 1);
        while children.len() < wanted {
            let a = &self.population.tournament(self.pool.problem, &mut self.dice).genome;
            let b = &self.population.tournament(self.pool.problem, &mut self.dice).genome;
            let pair = match self.dice.chance(plan.crossover) {
                true => layout.cross(plan.kind, a, b, &mut self.dice),
                false => [a.clone(), b.clone()],
            };
            for mut child in pair {
                layout.flip_breaks(&mut child, plan.mutation, &mut self.dice);
                children.push(child);
            }
        }
        children.truncate(wanted);
        children
    }

    /// Children that were never evaluated before.
    fn offspring(&mut self, wanted: usize) -> Vec<Genome> {
        let (plan, layout) = (self.plan, self.pool.layout);
        let mut children = Vec::with_capacity(wanted + 1);
        let mut tries = 0;
        while children.len() < wanted && tries < 10 * wanted {
            tries += 1;
            let (a, b) = (self.parent(), self.parent());
            let kinds = [Crossover::EachColumn, Crossover::Once, Crossover::WholeColumns];
            let mut pair = match self.dice.chance(plan.crossover) {
                true => layout.cross(kinds[self.dice.below(kinds.len())], &a, &b, &mut self.dice),
                false => [a, b],
            };
            // When a search has nearly seen everything near its members, strangers come in.
            if tries > 5 * wanted {
                let share = self.dice.share();
                pair[0] = layout.random(share, &mut self.dice);
            }
            for mut child in pair {
                for column in 0..layout.segments.len() {
                    if self.dice.chance(plan.mutation) {
                        layout.step(column, &mut child, &mut self.dice);
                    }
                }
                if children.len() < wanted && !self.seen.contains_key(&child) {
                    self.seen.insert(child.clone(), Vec::new());
                    children.push(child);
                }
            }
        }
        children
    }

    fn parent(&mut self) -> Genome {
        if self.dice.chance(FROM_ARCHIVE) {
            let entries = self.archive.entries();
            if !entries.is_empty() {
                let entry = &entries[self.dice.below(entries.len())];
                return self.pool.layout.encode(self.pool.table, &entry.recoding);
            }
        }
        self.population.tournament(self.pool.problem, &mut self.dice).genome.clone()
    }

    /// Evaluates chromosomes and takes what they give into the archive.
    fn evaluate(&mut self, genomes: Vec<Genome>) -> Vec<Member> {
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
        let known = |search: &Search, genome: &Genome| search.seen.get(genome).is_some_and(|points| !points.is_empty());
        let mut fresh: Vec<Genome> = genomes.iter().filter(|genome| !known(self, genome)).cloned().collect();
        fresh.sort_unstable();
        fresh.dedup();
        for (genome, judged) in fresh.iter().zip(self.pool.evaluate(&fresh, &self.archive)) {
            let Some(judged) = judged else {
                self.stopped = true;
                return members;
            };
            if !self.seen.contains_key(genome) {
                self.absorb(genome, &judged);
            }
            self.seen.insert(genome.clone(), judged.ranked);
        }
        for genome in genomes {
            self.evaluated += 1;
            let points = self.seen.get(&genome).cloned().unwrap_or_default();
            members.push(Member::new(genome, points));
        }
        members
    }

    /// Takes outcomes into the archive; whether any of them is in it now.
    fn absorb(&mut self, genome: &Genome, judged: &Judged) -> bool {
        let mut entered = false;
        let mut recoding = None;
        for outcome in &judged.outcomes {
            if !self.archive.dominates(&outcome.point) {
                let recoding = recoding.get_or_insert_with(|| self.pool.layout.decode(self.pool.table, genome));
                self.archive.insert(outcome, recoding);
                entered = true;
            }
        }
        if !entered && !self.plan.faithful {
            self.near.insert((self.distance(&judged.ranked).to_bits(), genome.clone()));
            if self.near.len() > NEAR {
                self.near.pop_last();
            }
        }
        entered
    }

    /// One of the recodings that missed the archive by least.
    fn take_near(&mut self) -> Option<Genome> {
        let place = self.dice.below(self.near.len().clamp(1, CHOICE));
        let chosen = self.near.iter().nth(place)?.clone();
        self.near.remove(&chosen);
        Some(chosen.1)
    }

    /// How far the best of some points lies behind the front: how much it would have to gain in every objective.
    fn distance(&self, points: &[Point]) -> f64 {
        let dimensions = points.first().map_or(0, |point| point.costs().len());
        let behind = |point: &Point| {
            let unit = self.scale.unit(point);
            let gap = |other: &[f64; MAX_OBJECTIVES]| {
                (0..dimensions).map(|side| unit[side] - other[side]).fold(f64::INFINITY, f64::min)
            };
            self.front.iter().map(gap).fold(0.0, f64::max)
        };
        points.iter().map(behind).fold(f64::INFINITY, f64::min)
    }

    /// Evaluates all neighbours of archive members that were not polished yet, until the quota is spent; where there are
    /// no more such members, the neighbours of whatever missed the archive by least.
    fn polish(&mut self, quota: usize) -> Vec<Member> {
        let (layout, table) = (self.pool.layout, self.pool.table);
        let mut waiting: Vec<Genome> = Vec::new();
        for entry in self.archive.entries() {
            let genome = layout.encode(table, &entry.recoding);
            if waiting.last() != Some(&genome) && !self.polished.contains(&genome) {
                waiting.push(genome);
            }
        }
        let (mut lists, mut spent): (Vec<(Genome, Vec<Move>)>, usize) = (Vec::new(), 0);
        while spent < quota {
            let genome = match waiting.len() {
                0 => match self.take_near() {
                    Some(genome) => genome,
                    None => break,
                },
                count => waiting.swap_remove(self.dice.below(count)),
            };
            if !self.polished.insert(genome.clone()) {
                continue;
            }
            let mut moves = layout.neighbours(&genome, true);
            moves.retain(|step| self.seen.insert(step.to.clone(), Vec::new()).is_none());
            spent += moves.len();
            lists.push((genome, moves));
        }
        self.trim(&mut lists, spent.saturating_sub(quota));
        let judged = self.pool.neighbours(&lists, &self.archive);
        let (mut newcomers, before) = (Vec::new(), self.evaluated);
        for ((_, moves), judged) in lists.into_iter().zip(judged) {
            let Some(judged) = judged else {
                self.stopped = true;
                break;
            };
            for (step, judged) in moves.into_iter().zip(judged) {
                self.evaluated += 1;
                if self.absorb(&step.to, &judged) {
                    newcomers.push(Member::new(step.to, judged.ranked));
                }
            }
        }
        self.learn(1, newcomers.len(), (self.evaluated - before) as usize);
        newcomers
    }

    /// Takes back the last moves, which the quota does not allow; their list is polished another time.
    fn trim(&mut self, lists: &mut [(Genome, Vec<Move>)], mut excess: usize) {
        if let Some((genome, moves)) = lists.last_mut() {
            if excess > 0 {
                self.polished.remove(genome);
            }
            while excess > 0
                && let Some(step) = moves.pop()
            {
                self.seen.remove(&step.to);
                excess -= 1;
            }
        }
    }

    /// Shows the hypervolume; whether it has stalled.
    fn note(&mut self, run: &Run) -> bool {
        let volume = self.scale.hypervolume(self.archive.entries().iter().map(|entry| &entry.point));
        if volume > self.best.0 + GAIN {
            self.best = (volume, self.evaluated);
        }
        run.watch.note(&format!("{} points, hypervolume {volume:.4}", self.archive.entries().len()));
        let patience = (PATIENCE * self.plan.limit as f64) as u64;
        self.evaluated - self.best.1 >= patience.max(PATIENT_GENERATIONS * self.plan.size as u64)
    }
}
