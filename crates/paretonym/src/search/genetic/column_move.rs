//! The column move: the best of all partitions of one column while the others stay as they are.

use rayon::prelude::*;

use super::{Genome, Layout, Pool};
use crate::front::Archive;
use crate::group::{FrequencyTable, Workspace};
use crate::measure::GroupCost;
use crate::problem::{Problem, Trade};
use crate::recode::Family;
use crate::search::segments::{ColumnCounts, Prices, Route, Runs};

/// Predicted costs are sums in another order than counted ones: what is better by less than this is the same.
const ROUNDING: f64 = 1e-10;
/// How often every column is moved at most on the way down; a few times do.
const ROUNDS: usize = 8;

/// What a column move is to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// The least loss with kept groups of at least so many rows.
    Size(u64),
    /// The largest mean group with at most such a loss.
    Loss(f64),
    /// All that is best for some trade-off of mean group and loss.
    TradeOffs,
}

/// Where to move from, and what for.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The recoding whose columns are moved, one at a time.
    pub genome: Genome,
    /// What for.
    pub aims: Vec<Aim>,
}

/// What column moves need to know of a table and a problem.
pub struct ColumnMoves {
    trade: Trade,
    /// What the sum of costs is divided by.
    scale: f64,
    runs: Vec<Option<Runs>>,
}

/// Buffers of one worker.
#[derive(Default)]
pub(super) struct MoveSpace {
    workspace: Workspace,
    counts: ColumnCounts,
    prices: Prices,
}

impl ColumnMoves {
    /// None where the best partition of a column cannot be worked out.
    pub fn of(table: &FrequencyTable, problem: &dyn Problem) -> Option<Self> {
        let (trade, loss) = (problem.trade(table)?, problem.loss());
        let cost = loss.group_cost(table);
        let sums = match trade {
            Trade::MeanGroup => cost == GroupCost::Cells,
            Trade::SmallestGroup { .. } | Trade::FixedSize(_) => cost != GroupCost::Other,
        };
        // Counts are held in four bytes.
        if !sums || table.rows >= 1 << 32 || table.distant.is_some() {
            return None;
        }
        let scale = if cost == GroupCost::Squares { 1.0 } else { table.rows as f64 };
        let runs = (0..table.columns.len()).map(|column| Runs::of(table, column, loss)).collect();
        Some(ColumnMoves { trade, scale, runs })
    }

    /// What is traded.
    pub fn trade(&self) -> Trade {
        self.trade
    }

    /// The recodings that column moves from some others lead to, as far as they are better than what an archive has for the
    /// same aim: wish by wish, column by column. None after a cancellation.
    pub fn better(&self, pool: &Pool, wishes: &[Wish], archive: &Archive) -> Option<Vec<Genome>> {
        let columns = self.runs.len();
        let one = |at: usize| {
            let (wish, column) = (&wishes[at / columns], at % columns);
            if pool.cancelled() {
                return None;
            }
            let moved = |runs| pool.with_move_space(|space| self.column(pool, space, wish, (column, runs), archive));
            Some(self.runs[column].as_ref().map(moved).unwrap_or_default())
        };
        let found: Option<Vec<Vec<Genome>>> = (0..wishes.len() * columns).into_par_iter().map(one).collect();
        Some(found?.concat())
    }

    /// Follows column moves from some recodings, each until none of its columns is better for its aim: where each ends. None
    /// in place of one that never reaches its aim, or of all after a cancellation.
    pub fn descend(&self, pool: &Pool, starts: &[(Genome, Aim)]) -> Option<Vec<Option<Genome>>> {
        let one = |(start, aim): &(Genome, Aim)| {
            if pool.cancelled() {
                return None;
            }
            Some(pool.with_move_space(|space| self.descend_one(pool, space, start, *aim)))
        };
        starts.par_iter().map(one).collect()
    }

    fn descend_one(&self, pool: &Pool, space: &mut MoveSpace, start: &Genome, aim: Aim) -> Option<Genome> {
        let columns = self.runs.len();
        let (mut genome, mut cost, mut idle) = (start.clone(), f64::INFINITY, 0);
        for column in (0..columns).cycle().take(ROUNDS * columns) {
            // Columns of a large table take long.
            if idle == columns || pool.cancelled() {
                break;
            }
            idle += 1;
            let Some(runs) = &self.runs[column] else { continue };
            self.count(pool, space, &genome, column);
            if let Some(route) = self.best(pool, space, runs, aim, cost) {
                genome = with_partition(pool.layout, column, &genome, &route.ends);
                (cost, idle) = (route.cost, 1);
            }
        }
        cost.is_finite().then_some(genome)
    }

    fn column(
        &self,
        pool: &Pool,
        space: &mut MoveSpace,
        wish: &Wish,
        (column, runs): (usize, &Runs),
        archive: &Archive,
    ) -> Vec<Genome> {
        let mut found = Vec::new();
        let mut take = |route: &Route| {
            let genome = with_partition(pool.layout, column, &wish.genome, &route.ends);
            if genome != wish.genome && !found.contains(&genome) {
                found.push(genome);
            }
        };
        self.count(pool, space, &wish.genome, column);
        let rows = pool.table.rows as f64;
        for &aim in &wish.aims {
            match aim {
                Aim::Size(size) => {
                    let below = least_loss(archive, size) * self.scale;
                    self.best(pool, space, runs, aim, below).iter().for_each(&mut take);
                }
                Aim::Loss(most) => {
                    let entries = archive.entries();
                    let best = entries.get(entries.partition_point(|entry| entry.point.costs()[1] > most));
                    let below = best.map_or(0.0, |entry| entry.point.costs()[0]) * rows;
                    self.best(pool, space, runs, aim, below).iter().for_each(&mut take);
                }
                Aim::TradeOffs => {
                    space.prices.of_squares(&space.counts, runs);
                    Route::each_trade_off(runs, &space.prices, &mut |route| {
                        let costs = [route.weight / rows, route.cost / self.scale];
                        let near = [costs[0] + ROUNDING * costs[0].abs(), costs[1] + ROUNDING];
                        if !archive.beats(&near) {
                            take(&route);
                        }
                    });
                }
            }
        }
        found
    }

    /// Counts the rows by a column and by what the others show.
    fn count(&self, pool: &Pool, space: &mut MoveSpace, genome: &Genome, column: usize) {
        let bits = pool.layout.segments[column].bits.clone();
        let side = |value: bool| {
            let mut genome = genome.clone();
            genome.fill(bits.clone(), value);
            pool.layout.decode(pool.table, &genome)
        };
        let sides = [&side(true), &side(false)];
        space.counts.fill(pool.table, &mut space.workspace, pool.problem.loss(), column, sides);
    }

    /// The best partition of a counted column for an aim, where it costs less than `below`.
    fn best(&self, pool: &Pool, space: &mut MoveSpace, runs: &Runs, aim: Aim, below: f64) -> Option<Route> {
        let table = pool.table;
        match aim {
            Aim::Size(size) => {
                let most = match self.trade {
                    Trade::SmallestGroup { most_suppressed, .. } => most_suppressed,
                    _ => table.rows - 1,
                };
                let size = size.min(u64::from(u32::MAX)) as u32;
                space.prices.at_size(table, pool.problem.loss(), &space.counts, runs, size);
                Route::cheapest_within(runs, &space.prices, most as f64, below)
            }
            Aim::Loss(most) => {
                space.prices.of_squares(&space.counts, runs);
                space.prices.swap();
                Route::cheapest_within(runs, &space.prices, most * self.scale, below)
            }
            Aim::TradeOffs => None,
        }
    }
}

/// The least loss that an archive has with kept groups of so many rows; infinite where it has none.
fn least_loss(archive: &Archive, size: u64) -> f64 {
    let entries = archive.entries();
    match entries.first().map(|entry| entry.point.costs()) {
        None => f64::INFINITY,
        Some([loss]) => *loss,
        Some(_) => {
            let reaching = entries.partition_point(|entry| entry.point.costs()[0] <= -(size as f64));
            entries[..reaching].last().map_or(f64::INFINITY, |entry| entry.point.costs()[1])
        }
    }
}

/// A chromosome with another partition of a column, given by the leaf behind each run.
fn with_partition(layout: &Layout, column: usize, genome: &Genome, ends: &[u32]) -> Genome {
    let segment = &layout.segments[column];
    let mut to = genome.clone();
    to.fill(segment.bits.clone(), false);
    match segment.family {
        Family::Levels => {
            // Of levels of equally many sets, which show the same, the lowest.
            let level = segment.sets.iter().position(|sets| *sets == ends.len()).expect("the sets of a level");
            to.fill(segment.bits.start..segment.bits.end - level, true);
        }
        Family::Cuts | Family::Breaks => {
            let (_, inner) = ends.split_last().expect("a column has leaves");
            inner.iter().for_each(|end| to.set(segment.bits.start + *end as usize - 1, true));
        }
    }
    to
}
