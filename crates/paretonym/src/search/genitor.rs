//! genitor: steady-state genetic search.

use hashbrown::HashMap;

use super::checkpoint::{CheckpointPace, FORM, Saved, archive_texts, fingerprint_texts};
use super::genetic::{Aim, ColumnMoves, Crossover, Dice, Genome, Judged, Layout, Pool};
use super::{Found, Optimizer, OptimizerEntry, SearchRun};
use crate::error::{Error, Result};
use crate::front::Archive;
use crate::group::FrequencyTable;
use crate::measure::{Call, CatalogEntry, Parameter, Takes};
use crate::problem::{Problem, Trade};

/// How much more often the best member is chosen than the median one.
const BIAS: f64 = 1.5;
/// S4's iterations.
const ITERATIONS: u64 = 500_000;
/// Children that are evaluated at once; the number does not depend on the threads.
const BATCH: usize = 64;
/// Two neighbouring rungs of the ladder of sizes are so far apart.
const SIZE_STEP: f64 = 1.25;
/// Of so many batches one is followed by a child whose columns are moved: that takes as long as a hundred others.
const MOVE_EVERY: u64 = 8;
/// Batches between two looks at the clock.
const FAITHFUL_ROUND: usize = 1000;

/// Its line in the catalogue.
pub const ENTRY: OptimizerEntry = OptimizerEntry {
    entry: CatalogEntry {
        name: "genitor",
        aliases: &[],
        summary: "steady-state genetic search for problems of one objective",
        parameters: &[
            Parameter { name: "population", default: "500", takes: Takes::Whole(2, 1_000_000), summary: "members" },
            Parameter {
                name: "evaluations",
                default: "500000",
                takes: Takes::Section,
                summary: "iterations: children made",
            },
            Parameter {
                name: "crossover",
                default: "1",
                takes: Takes::Share,
                summary: "share of parents that are crossed",
            },
            Parameter {
                name: "mutation",
                default: "1 / bits",
                takes: Takes::Share,
                summary: "share of bits that are flipped",
            },
            Parameter {
                name: "faithful",
                default: "false",
                takes: Takes::Flag,
                summary: "one child after the other, and no local search",
            },
        ],
        reference: "S4 section 4; Whitley 1989",
    },
    make: |call| Ok(Box::new(Genitor::new(call)?)),
};

/// Steady state: two parents chosen by rank make a child, which takes the place of the worst member if it is better.
/// Single-point crossover and mutation of the whole chromosome, then repair to the nearest valid cut. For problems of
/// one objective.
///
/// S4 gives 500,000 iterations and no other parameter. Ours: 500 members, a bias of 1.5 to the best (Whitley 1989),
/// and one bit in a chromosome's length flipped on average. `faithful = true` is just this, one child after the other;
/// what is ours otherwise: a spread start; children in batches of 64 that are evaluated at once; all neighbours of the best
/// member whenever a batch brought no better one; and, where losses are sums over groups and k is fixed, column moves (the
/// best of all partitions of one column at a time): down a ladder of sizes from the whole table to k, so that what serves a
/// larger k is where a smaller one begins, and from one child after every eighth batch.
///
/// Not exact. What it reaches on Adult is in docs/reproduction.md. [Reference](mod@crate::theory::references): S4
/// section 4; Whitley 1989.
///
/// In the catalogue `genitor`: [definition](crate::theory::definitions#genitor).
#[derive(Clone, Debug, Default)]
pub struct Genitor {
    /// Members of the population.
    pub population: Option<usize>,
    /// Share of parents that are crossed.
    pub crossover: Option<f64>,
    /// Share of bits that are flipped.
    pub mutation: Option<f64>,
    /// As the paper has it.
    pub faithful: bool,
}

impl Genitor {
    /// From its parameters.
    pub fn new(call: &Call) -> Result<Self> {
        Ok(Genitor {
            population: call.optional("population")?,
            crossover: call.optional("crossover")?,
            mutation: call.optional("mutation")?,
            faithful: call.flag("faithful"),
        })
    }
}

impl Optimizer for Genitor {
    fn name(&self) -> &'static str {
        "genitor"
    }

    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found> {
        if problem.objectives().len() != 1 {
            return Err(Error::study(format!(
                "the optimizer genitor minimises one metric, and the problem {} has {} objectives; set problem = \"single\", or optimizer = \"nsga2\"",
                problem.name(),
                problem.objectives().len()
            )));
        }
        let layout = Layout::of(table);
        let pool = Pool::new(table, problem, &layout, run.watch);
        let limit = run.evaluations.unwrap_or(ITERATIONS);
        run.watch.phase("making children", Some(limit));
        let saved = run.watch.keeper().and_then(|keeper| keeper.saved());
        let mut search = match saved {
            None => Search::start(&pool, self, run.seed, limit),
            Some(text) => Search::resume(&pool, self, &Saved::read(&text, self.name(), run.seed, &pool)?)?,
        };
        let mut checkpoints = CheckpointPace::new(run.watch.keeper());
        while search.made < limit && !search.stopped {
            search.round(limit);
            if search.stopped {
                break;
            }
            let best = search.members.first().map_or(f64::INFINITY, |member| member.cost);
            run.watch.note(&format!("loss {best:.4}"));
            run.show(table, problem, &search.archive, search.evaluated());
            search.stopped = run.watch.cancelled();
            checkpoints.save(search.stopped, || search.saved(self.name()))?;
        }
        let space = layout.size();
        let exact = Some(search.seen.len() as u64) == space && !search.stopped;
        let evaluated = search.evaluated();
        let spent = run.evaluations.is_some();
        let complete = exact || !(search.stopped || spent);
        Ok(Found { archive: search.archive.into(), evaluated, space, exact, complete, ..Found::default() })
    }
}

/// A chromosome and its loss; infinite where nothing of it can be kept.
struct Ranked {
    cost: f64,
    genome: Genome,
}

/// A search under way.
struct Search<'a> {
    pool: &'a Pool<'a>,
    faithful: bool,
    size: usize,
    crossover: f64,
    mutation: f64,
    dice: Dice,
    /// Best first.
    members: Vec<Ranked>,
    archive: Archive,
    /// What was evaluated, by fingerprint, with its loss: a memo hit costs nothing.
    seen: HashMap<u128, Option<f64>, foldhash::fast::FixedState>,
    /// The best member whose neighbours are known.
    polished: Option<Genome>,
    /// Where the best partition of a column can be worked out: how, and for which size of groups.
    moves: Option<(ColumnMoves, u64)>,
    made: u64,
    stopped: bool,
}

impl<'a> Search<'a> {
    fn new(pool: &'a Pool<'a>, own: &Genitor, dice: Dice) -> Self {
        Search {
            pool,
            faithful: own.faithful,
            size: own.population.unwrap_or(500),
            crossover: own.crossover.unwrap_or(1.0),
            mutation: own.mutation.unwrap_or(1.0 / pool.layout.bits.max(1) as f64),
            dice,
            members: Vec::new(),
            archive: Archive::new(),
            seen: HashMap::default(),
            polished: None,
            moves: ColumnMoves::of(pool.table, pool.problem).filter(|_| !own.faithful).and_then(|moves| {
                let Trade::FixedSize(size) = moves.trade() else { return None };
                Some((moves, size))
            }),
            made: 0,
            stopped: false,
        }
    }

    fn start(pool: &'a Pool<'a>, own: &Genitor, seed: u64, limit: u64) -> Self {
        let mut search = Search::new(pool, own, Dice::new(seed));
        let size = search.size.min(limit as usize);
        let first = match own.faithful {
            true => pool.layout.coin_flips(size, &mut search.dice),
            false => pool.layout.spread(size, &mut search.dice),
        };
        let costs = search.evaluate(&first);
        search.made = costs.len() as u64;
        search.members = costs.into_iter().zip(first).map(|(cost, genome)| Ranked { cost, genome }).collect();
        search.members.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        search.ladder(limit);
        search
    }

    /// Moves columns for smaller and smaller groups, from everything in one group to the size that is asked for.
    fn ladder(&mut self, limit: u64) {
        let Some((moves, size)) = self.moves.take() else { return };
        let mut genome = Genome::zeros(self.pool.layout.bits);
        let mut rung = self.pool.table.rows.max(size);
        while !self.stopped && self.made < limit {
            self.follow(&moves, vec![(genome.clone(), rung)]).into_iter().for_each(|end| genome = end);
            if rung == size {
                break;
            }
            rung = ((rung as f64 / SIZE_STEP) as u64).clamp(size, rung - 1);
        }
        self.moves = Some((moves, size));
    }

    /// Follows column moves from some chromosomes, each for a size of groups, and lets where they end compete.
    fn follow(&mut self, moves: &ColumnMoves, starts: Vec<(Genome, u64)>) -> Vec<Genome> {
        let starts: Vec<(Genome, Aim)> = starts.into_iter().map(|(genome, size)| (genome, Aim::Size(size))).collect();
        let Some(ends) = moves.descend(self.pool, &starts) else {
            self.stopped = true;
            return Vec::new();
        };
        let ends: Vec<Genome> = ends.into_iter().flatten().collect();
        let costs = self.evaluate(&ends);
        self.made += costs.len() as u64;
        let met = ends.iter().cloned().zip(costs).map(|(genome, cost)| Ranked { cost, genome });
        met.for_each(|child| self.compete(child));
        ends
    }

    /// Moves the columns of a child.
    fn move_columns(&mut self) {
        let Some((moves, size)) = self.moves.take() else { return };
        let layout = self.pool.layout;
        let (a, b) = (self.by_rank(), self.by_rank());
        let (a, b) = (&self.members[a].genome, &self.members[b].genome);
        let [mut child, _] = layout.cross(Crossover::WholeColumns, a, b, &mut self.dice);
        let (column, share) = (self.dice.below(layout.segments.len()), self.dice.share());
        layout.randomize(column, &mut child, share, &mut self.dice);
        self.follow(&moves, vec![(child, size)]);
        self.moves = Some((moves, size));
    }

    fn resume(pool: &'a Pool<'a>, own: &Genitor, saved: &Saved) -> Result<Self> {
        let mut search = Search::new(pool, own, saved.dice());
        search.archive = saved.restore_archive(pool)?;
        search.seen = saved.seen()?.into_iter().map(|genome| (genome, None)).collect();
        search.polished = Saved::genomes(&saved.polished, pool.layout)?.pop();
        search.made = saved.evaluated;
        for genome in Saved::genomes(&saved.population, pool.layout)? {
            let cost = cost(&pool.evaluate_one(&genome, &search.archive));
            search.members.push(Ranked { cost, genome });
        }
        Ok(search)
    }

    fn saved(&self, optimizer: &str) -> Saved {
        Saved {
            form: FORM,
            optimizer: optimizer.to_owned(),
            table: Saved::table_of(self.pool),
            dice: [self.dice.seed(), self.dice.position()],
            generation: 0,
            evaluated: self.made,
            population: self.members.iter().map(|member| member.genome.to_text()).collect(),
            standings: Vec::new(),
            archive: archive_texts(&self.archive, self.pool),
            seen: fingerprint_texts(self.seen.keys()),
            polished: self.polished.iter().map(Genome::to_text).collect(),
            moved: Vec::new(),
            near: Vec::new(),
            best: [0, 0],
            success: [0, 0],
        }
    }

    /// Evaluations as the front tells them: of distinct recodings, but for the faithful form.
    fn evaluated(&self) -> u64 {
        if self.faithful { self.made } else { self.seen.len() as u64 }
    }

    /// Some children: one by one in the faithful form, a batch otherwise.
    fn round(&mut self, limit: u64) {
        let left = (limit - self.made) as usize;
        if self.faithful {
            for _ in 0..FAITHFUL_ROUND.min(left) {
                self.breed(1);
                if self.stopped {
                    return;
                }
            }
            return;
        }
        let before = self.members[0].cost;
        self.breed(BATCH.min(left));
        let best = &self.members[0];
        if !self.stopped && best.cost == before && self.polished.as_ref() != Some(&best.genome) {
            self.polish((limit - self.made) as usize);
        }
        if !self.stopped && self.made < limit && (self.made / BATCH as u64).is_multiple_of(MOVE_EVERY) {
            self.move_columns();
        }
    }

    /// Makes children and lets them compete.
    fn breed(&mut self, count: usize) {
        let layout = self.pool.layout;
        let children: Vec<Genome> = (0..count)
            .map(|_| {
                let (a, b) = (self.by_rank(), self.by_rank());
                let (a, b) = (&self.members[a].genome, &self.members[b].genome);
                let mut child = match self.dice.chance(self.crossover) {
                    true => {
                        let [left, right] = layout.cross(Crossover::Anywhere, a, b, &mut self.dice);
                        if self.dice.chance(0.5) { left } else { right }
                    }
                    false => a.clone(),
                };
                layout.flip_all(&mut child, self.mutation, &mut self.dice);
                layout.repair(&mut child);
                child
            })
            .collect();
        let costs = self.evaluate(&children);
        self.made += costs.len() as u64;
        children.into_iter().zip(costs).for_each(|(genome, cost)| self.compete(Ranked { cost, genome }));
    }

    /// All neighbours of the best member.
    fn polish(&mut self, left: usize) {
        let best = self.members[0].genome.clone();
        let moves = self.pool.layout.neighbours(&best, true);
        let neighbours: Vec<Genome> = moves.iter().take(left).map(|step| step.to(&best)).collect();
        let costs = self.evaluate(&neighbours);
        self.made += costs.len() as u64;
        self.polished = Some(best);
        neighbours.into_iter().zip(costs).for_each(|(genome, cost)| self.compete(Ranked { cost, genome }));
    }

    /// The place of a member chosen by rank: linearly more often the better it is (Whitley 1989).
    fn by_rank(&mut self) -> usize {
        let share = self.dice.share();
        let place = (BIAS - (BIAS * BIAS - 4.0 * (BIAS - 1.0) * share).sqrt()) / (2.0 * (BIAS - 1.0));
        ((place * self.members.len() as f64) as usize).min(self.members.len() - 1)
    }

    /// A child takes its place by rank, and the worst member goes; no chromosome stands twice.
    fn compete(&mut self, child: Ranked) {
        let at = self.members.partition_point(|member| member.cost <= child.cost);
        if at == self.members.len() {
            return;
        }
        let equals = self.members[..at].iter().rev().take_while(|member| member.cost == child.cost);
        if !self.faithful && equals.into_iter().any(|member| member.genome == child.genome) {
            return;
        }
        self.members.pop();
        self.members.insert(at, child);
    }

    /// The loss of a chromosome, where it is known.
    fn loss_of(&self, genome: &Genome) -> Option<f64> {
        self.seen.get(&genome.fingerprint()).copied().flatten()
    }

    /// The losses of chromosomes, in order; fewer after a cancellation.
    fn evaluate(&mut self, genomes: &[Genome]) -> Vec<f64> {
        let mut fresh: Vec<Genome> = genomes.iter().filter(|genome| self.loss_of(genome).is_none()).cloned().collect();
        fresh.sort_unstable();
        fresh.dedup();
        for (genome, judged) in fresh.iter().zip(self.pool.evaluate(&fresh, &self.archive)) {
            let Some(judged) = judged else {
                self.stopped = true;
                break;
            };
            if !self.seen.contains_key(&genome.fingerprint()) {
                let recoding = self.pool.layout.decode(self.pool.table, genome);
                judged.outcomes.iter().for_each(|outcome| self.archive.insert(outcome, &recoding));
            }
            self.seen.insert(genome.fingerprint(), Some(cost(&judged)));
        }
        genomes.iter().map_while(|genome| self.loss_of(genome)).collect()
    }
}

/// The loss of a recoding.
fn cost(judged: &Judged) -> f64 {
    judged.ranked.first().map_or(f64::INFINITY, |point| point.costs()[0])
}
