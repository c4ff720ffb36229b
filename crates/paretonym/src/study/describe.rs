//! From the entries of a search to the solutions of front.json: every number measured again on the groups.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde_json::{Map, Value, json};

use crate::engine::{Unwatched, Watch};
use crate::error::Result;
use crate::front::{Bias, FrontEntry, Solution};
use crate::group::{FrequencyTable, Grouping, Kept, Needs, PlacedRegions, Suppressed, Workspace};
use crate::loss::General;
use crate::measure::{Loss, Measure, loss_parts, weighted_level};
use crate::privacy::{FrequencyL, K, TCloseness};
use crate::problem::Problem;
use crate::recode::{ColumnRecoding, QuasiColumn, Recoding, RegionSolution};
use crate::search::lattice::{RollupSource, Views};

/// All but which tuple went where.
const NEEDS: Needs = Needs { group_of: false, ..Needs::ALL };
/// Solutions described side by side. The number does not depend on the threads.
const SIDE_BY_SIDE: usize = 8;

/// A stop leaves this much time for what is quickly described, so that a small front is whole even then.
const GRACE: Duration = Duration::from_millis(500);

/// The solutions of a front, in its order.
pub fn describe(table: &FrequencyTable, problem: &dyn Problem, entries: &[FrontEntry]) -> Result<Vec<Solution>> {
    let mut solutions = found(table, problem, entries, None);
    describe_found(table, problem, entries, None, &mut solutions, &Unwatched)?;
    Ok(solutions)
}

/// The solutions of a front as the search left them. Local recodings come beside the entries.
pub(super) fn found(
    table: &FrequencyTable,
    problem: &dyn Problem,
    entries: &[FrontEntry],
    regions: Option<&PlacedRegions>,
) -> Vec<Solution> {
    let objectives = problem.objectives();
    let solution = |(at, entry): (usize, &FrontEntry)| {
        let recoding = match regions {
            Some(placed) => region_count(&placed.regions.solutions[at]),
            None => recoding_json(&table.columns, &entry.recoding),
        };
        Solution::found(at as u32 + 1, entry, &objectives, recoding)
    };
    entries.iter().enumerate().map(solution).collect()
}

/// Describes solutions in place. After a stop those that were not reached stay as they are.
pub(super) fn describe_found(
    table: &FrequencyTable,
    problem: &dyn Problem,
    entries: &[FrontEntry],
    regions: Option<&PlacedRegions>,
    solutions: &mut [Solution],
    watch: &dyn Watch,
) -> Result<()> {
    let describer = Describer::new(table, problem)?;
    let patience = Patience::new(watch);
    watch.phase("describing solutions", Some(entries.len() as u64));
    let put = |solution: &mut Solution, entry: &FrontEntry, grouping: &Grouping| {
        // The groups may have taken a while.
        if !patience.is_over() {
            let (id, recoding) = (solution.id, std::mem::take(&mut solution.recoding));
            *solution = Solution { id, recoding, ..describer.solution(entry, grouping) };
            watch.advance(1);
        }
    };
    if let Some(placed) = regions {
        let boxes = placed.regions.solutions.par_iter().map(|own| &own.boxes);
        entries.par_iter().zip(boxes).zip(solutions).for_each(|((entry, boxes), solution)| {
            if !patience.is_over() {
                put(solution, entry, &placed.group(table, boxes, NEEDS).0);
            }
        });
        return Ok(());
    }
    // Nodes of the lattice are rolled up; other recodings start from the tuples.
    let mut views = Views::new(table, NEEDS);
    let mut workers: Vec<(Workspace, Grouping)> = Vec::new();
    workers.resize_with(SIDE_BY_SIDE, Default::default);
    for (some, solutions) in entries.chunks(SIDE_BY_SIDE).zip(solutions.chunks_mut(SIDE_BY_SIDE)) {
        if patience.is_over() {
            break;
        }
        let levels: Option<Vec<Vec<u32>>> = some.iter().map(|entry| entry.recoding.levels()).collect();
        let sources = match &levels {
            Some(levels) => views.sources(&levels.iter().map(Vec::as_slice).collect::<Vec<_>>()),
            None => vec![RollupSource::Table; some.len()],
        };
        let each = some.par_iter().zip(&sources).zip(&mut workers).zip(solutions);
        each.for_each(|(((entry, source), (workspace, grouping)), solution)| {
            if !patience.is_over() {
                workspace.group(table, source.tuples(table), &entry.recoding, NEEDS, grouping);
                put(solution, entry, grouping);
            }
        });
    }
    Ok(())
}

/// Goes on for a moment after a stop.
struct Patience<'a> {
    watch: &'a dyn Watch,
    stopped: OnceLock<Instant>,
}

impl<'a> Patience<'a> {
    fn new(watch: &'a dyn Watch) -> Self {
        Patience { watch, stopped: OnceLock::new() }
    }

    fn is_over(&self) -> bool {
        self.watch.cancelled() && self.stopped.get_or_init(Instant::now).elapsed() > GRACE
    }
}

/// Measures groups.
pub(crate) struct Describer<'a> {
    table: &'a FrequencyTable,
    problem: &'a dyn Problem,
    frequency: Option<FrequencyL>,
    closeness: Option<TCloseness>,
}

impl<'a> Describer<'a> {
    /// For the groups of one table.
    pub(crate) fn new(table: &'a FrequencyTable, problem: &'a dyn Problem) -> Result<Self> {
        let protected = table.sensitive().next().is_some();
        let (frequency, closeness) =
            if protected { (Some(FrequencyL::new(table)?), Some(TCloseness::new(table)?)) } else { (None, None) };
        Ok(Describer { table, problem, frequency, closeness })
    }

    /// The numbers of a solution, given the groups of its recoding; it has neither id nor recoding yet.
    pub(crate) fn solution(&self, entry: &FrontEntry, grouping: &Grouping) -> Solution {
        let Describer { table, problem, .. } = *self;
        let models = problem.models();
        let gone = |group: usize| problem.suppresses(&entry.cutoff, grouping.groups.view(group));
        let suppressed = Suppressed::by(grouping, gone);
        let kept = Kept { table, grouping, suppressed: &suppressed };
        let own_l = models.iter().find(|model| model.name().split('(').next().is_some_and(|name| name.ends_with("-l")));
        let l = match own_l {
            Some(model) => Some(model.score(&kept)),
            None => self.frequency.as_ref().map(|model| model.score(&kept)),
        };
        let parts = loss_parts(problem.loss(), &kept);
        let sizes = || kept.groups().map(|group| u64::from(grouping.groups.rows[group]));
        let (smallest, largest) = (sizes().min().unwrap_or_default(), sizes().max().unwrap_or_default());
        let objectives = problem.objectives();
        Solution {
            id: 0,
            objectives: entry.point.costs().iter().zip(&objectives).map(|(cost, o)| o.sense.cost(*cost)).collect(),
            k: smallest,
            loss: rounded(parts.total()),
            gl: rounded(general_part(problem.loss(), &kept)),
            sl: suppressed.rows as f64 / table.rows as f64,
            weighted_k: rounded(weighted_level(&K, grouping)),
            l: l.map(rounded),
            t: self.closeness.as_ref().map(|t| rounded(t.score(&kept))),
            privacy: models.iter().map(|model| rounded(model.score(&kept))).collect(),
            necd: rounded((largest - smallest) as f64 / (table.rows - 1) as f64),
            suppressed: suppressed.rows,
            groups: kept.groups().count() as u64,
            loss_bound: None,
            gap: None,
            one_valued: self.one_valued(&kept),
            alternatives: entry.alternatives,
            cutoff: entry.cutoff,
            bias: Bias::of_sizes(sizes()),
            recoding: Map::new(),
            described: true,
        }
    }
}

impl Describer<'_> {
    /// Rows in groups that have but one value of some sensitive column.
    fn one_valued(&self, kept: &Kept) -> u64 {
        let groups = &kept.grouping.groups;
        let single = |group: &usize| {
            let view = groups.view(*group);
            self.table.sensitive().any(|attribute| view.attribute(attribute).0.len() == 1)
        };
        kept.groups().filter(single).map(|group| u64::from(groups.rows[group])).sum()
    }
}

/// The same rounding as the objectives, so that a number reads alike wherever it is shown.
fn rounded(value: f64) -> f64 {
    crate::front::round(value)
}

/// GL: of the study's own loss where that is the general one, in its form.
fn general_part(loss: &dyn Loss, kept: &Kept) -> f64 {
    let own = loss.name().starts_with("general");
    if own { loss_parts(loss, kept).kept } else { loss_parts(&General::default(), kept).kept }
}

/// A local recoding as front.json has it: the number of its boxes that are released; they are listed in regions.json.
fn region_count(solution: &RegionSolution) -> Map<String, Value> {
    let kept = solution.boxes.len() - solution.suppressed.len();
    Solution::local_recoding(kept as u64)
}

/// What each column shows, as front.json has it.
fn recoding_json(columns: &[QuasiColumn], recoding: &Recoding) -> Map<String, Value> {
    let shown = columns.iter().zip(&recoding.columns).map(|(column, recoded)| {
        let value = match recoded {
            ColumnRecoding::Level(level) => json!({ "level": level }),
            ColumnRecoding::Cut(nodes) => {
                let all = column.hierarchy.nodes();
                json!({ "cut": nodes.iter().map(|node| &all[*node as usize].label).collect::<Vec<_>>() })
            }
            ColumnRecoding::Breaks(bits) => {
                let mut runs: Vec<Vec<&str>> = vec![Vec::new()];
                for (leaf, label) in column.domain.labels.iter().enumerate() {
                    if leaf > 0 && bits.get(leaf - 1) {
                        runs.push(Vec::new());
                    }
                    runs.last_mut().expect("there is a run").push(label);
                }
                json!({ "breaks": runs })
            }
        };
        (column.name.clone(), value)
    });
    shown.collect()
}
