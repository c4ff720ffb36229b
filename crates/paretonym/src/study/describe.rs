//! From the entries of a search to the solutions of front.json: every number measured again on the groups.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::{Study, count_groups};
use crate::engine::{Engine, Unwatched, Watch};
use crate::error::Result;
use crate::front::{Bias, FrontEntry, Solution};
use crate::group::{FrequencyTable, Grouping, Kept, Needs, PlacedRegions, Suppressed, Workspace};
use crate::loss::General;
use crate::measure::{Letter, Loss, Measure, loss_parts, weighted_level};
use crate::privacy::{FrequencyL, K, TCloseness};
use crate::problem::Problem;
use crate::recode::{Recoding, WrittenRecoding};
use crate::search::FoundRecoding;
use crate::search::lattice::{Buffers, RollupSource, Views};

/// Recodings described side by side. The number does not depend on the threads.
const SIDE_BY_SIDE: usize = 8;

/// What views take of the memory of the table. Nodes come in the order in which views are made from each other: few are needed
/// at a time.
const TENTHS: usize = 3;

/// A stop leaves this much time for what is quickly described, so that a small front is whole even then.
const GRACE: Duration = Duration::from_millis(500);

/// Recodings whose groups are counted for themselves because they are not here.
const DISTANT_RECODINGS: usize = 8;

/// What a search found, ready to be described.
pub(super) struct Front<'a> {
    pub table: &'a FrequencyTable,
    pub problem: &'a dyn Problem,
    pub entries: &'a [FrontEntry<FoundRecoding>],
    /// The boxes of local recodings.
    pub regions: Option<&'a PlacedRegions>,
}

/// The solutions of a front of table-wide recodings, in its order.
pub fn describe(
    table: &FrequencyTable,
    problem: &dyn Problem,
    entries: &[FrontEntry<FoundRecoding>],
) -> Result<Vec<Solution>> {
    let front = Front { table, problem, entries, regions: None };
    let mut solutions = front.undescribed();
    front.describe(&mut solutions, &Unwatched)?;
    Ok(solutions)
}

impl Front<'_> {
    /// The solutions as the search left them.
    pub fn undescribed(&self) -> Vec<Solution> {
        let objectives = self.problem.objectives();
        let recoding = |entry: &FrontEntry<FoundRecoding>| match &entry.recoding {
            FoundRecoding::TableWide(recoding) => WrittenRecoding::of(&self.table.columns, recoding),
            FoundRecoding::Local(at) => {
                let own = self.regions.map(|placed| &placed.regions.solutions[*at]);
                WrittenRecoding::Regions(own.map_or(0, |own| own.boxes.len() - own.suppressed.len()) as u64)
            }
        };
        let solution =
            |(at, entry): (usize, &FrontEntry<_>)| Solution::found(at as u32 + 1, entry, &objectives, recoding(entry));
        self.entries.iter().enumerate().map(solution).collect()
    }

    /// What is shown of every solution needs the values of the groups; the rest is the problem's.
    fn needs(&self) -> Needs {
        self.problem.needs().or(Needs { attributes: true, ..Needs::default() })
    }

    /// Describes solutions in place. After a stop those that were not reached stay as they are.
    pub fn describe(&self, solutions: &mut [Solution], watch: &dyn Watch) -> Result<()> {
        let describer = Describer::new(self.table, self.problem)?;
        let patience = Patience::new(watch);
        watch.phase("describing solutions", Some(self.entries.len() as u64));
        let put = |solution: &mut Solution, entry: &FrontEntry<_>, grouping: &Grouping| {
            // The groups may have taken a while.
            if !patience.is_over() {
                let (id, recoding) = (solution.id, solution.recoding.clone());
                *solution = describer.solution(id, recoding, entry, grouping);
                watch.advance(1);
            }
        };
        match self.regions {
            Some(placed) => self.each_local(placed, solutions, &patience, &put),
            None => self.each_table_wide(solutions, &patience, &put),
        }
        Ok(())
    }

    /// Whether the groups of a recoding are not here.
    fn is_distant(&self, recoding: &Recoding) -> bool {
        let distant = self.table.distant.as_ref();
        distant.is_some_and(|distant| recoding.levels().is_none_or(|node| !distant.is_here(&node)))
    }

    /// Describes solutions whose groups are not here, as far as they may come: those of the first few recodings, each from a
    /// count of its own. A release measures its own solution in any case.
    pub fn describe_distant(
        &self,
        study: &Study,
        solutions: &mut [Solution],
        engine: &dyn Engine,
        watch: &dyn Watch,
    ) -> Result<()> {
        let (Some(distant), Some(most)) = (&self.table.distant, study.data.most_tuples()) else { return Ok(()) };
        let mut recodings: Vec<&Recoding> = Vec::new();
        for recoding in self.entries.iter().filter_map(|entry| entry.recoding.table_wide()) {
            let few = || recoding.levels().and_then(|node| distant.groups(&node)).is_some_and(|groups| groups <= most);
            if self.is_distant(recoding) && !recodings.contains(&recoding) && few() {
                recodings.push(recoding);
            }
        }
        for recoding in recodings.into_iter().take(DISTANT_RECODINGS) {
            if watch.cancelled() {
                return Ok(());
            }
            let Some(counted) = count_groups(study, |_| Ok(Some(recoding.clone())), engine, watch)? else { continue };
            let mut grouping = Grouping::default();
            let table = &counted.table;
            Workspace::default().group(table, &table.tuples, recoding, Needs::ALL, &mut grouping);
            let describer = Describer::new(table, self.problem)?;
            let own = self.entries.iter().zip(solutions.iter_mut());
            for (entry, solution) in own.filter(|(entry, _)| entry.recoding.table_wide() == Some(recoding)) {
                *solution = describer.solution(solution.id, solution.recoding.clone(), entry, &grouping);
            }
        }
        Ok(())
    }

    fn each_local(&self, placed: &PlacedRegions, solutions: &mut [Solution], patience: &Patience, put: &Put) {
        self.entries.par_iter().zip(solutions).for_each(|(entry, solution)| {
            if let FoundRecoding::Local(at) = entry.recoding
                && !patience.is_over()
            {
                put(solution, entry, &placed.group(self.table, &placed.regions.solutions[at].boxes, self.needs()).0);
            }
        });
    }

    /// Nodes of the lattice are rolled up; other recodings start from the tuples. Solutions that differ in what they suppress
    /// alone are described together.
    fn each_table_wide(&self, solutions: &mut [Solution], patience: &Patience, put: &Put) {
        let table = self.table;
        let mut recodings: Vec<Alike> = Vec::new();
        let mut places: HashMap<&Recoding, usize> = HashMap::new();
        for (entry, solution) in self.entries.iter().zip(solutions) {
            let Some(recoding) = entry.recoding.table_wide() else { continue };
            // Groups that are not here are measured where they are.
            if self.is_distant(recoding) {
                continue;
            }
            let place = *places.entry(recoding).or_insert(recodings.len());
            if place == recodings.len() {
                recodings.push(Alike { recoding, solutions: Vec::new() });
            }
            recodings[place].solutions.push((entry, solution));
        }
        // Nodes that are made from the same groups follow each other: such groups need not be kept for long.
        let mut views = Views::new(table, self.needs(), TENTHS);
        recodings.sort_by_cached_key(|alike| alike.recoding.levels().map(|levels| views.in_order(&levels)));
        for some in recodings.chunks_mut(SIDE_BY_SIDE) {
            if patience.is_over() {
                break;
            }
            let levels: Option<Vec<Vec<u32>>> = some.iter().map(|alike| alike.recoding.levels()).collect();
            let sources = match &levels {
                Some(levels) => views.sources(&levels.iter().map(Vec::as_slice).collect::<Vec<_>>()),
                None => vec![RollupSource::Table; some.len()],
            };
            some.par_iter_mut().zip(&sources).filter(|_| !patience.is_over()).for_each(|(alike, source)| {
                views.lend(|Buffers { workspace, grouping, .. }| {
                    workspace.group(table, source.tuples(table), alike.recoding, self.needs(), grouping);
                    alike.solutions.iter_mut().for_each(|(entry, solution)| put(solution, entry, grouping));
                });
            });
        }
    }
}

/// Solutions of one recoding.
struct Alike<'a> {
    recoding: &'a Recoding,
    solutions: Vec<(&'a FrontEntry<FoundRecoding>, &'a mut Solution)>,
}

/// Takes the groups of a solution.
type Put<'p> = dyn Fn(&mut Solution, &FrontEntry<FoundRecoding>, &Grouping) + Sync + 'p;

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

    /// A solution, given the groups of its recoding.
    pub(crate) fn solution<P>(
        &self,
        id: u32,
        recoding: WrittenRecoding,
        entry: &FrontEntry<P>,
        grouping: &Grouping,
    ) -> Solution {
        let Describer { table, problem, .. } = *self;
        let models = problem.models();
        let gone = |group: usize| problem.suppresses(&entry.cutoff, grouping.groups.view(group));
        let suppressed = Suppressed::by(grouping, gone);
        let kept = Kept { table, grouping, suppressed: &suppressed };
        let own_l = models.iter().find(|model| matches!(model.letter(), Letter::L(_)));
        let l = match own_l {
            Some(model) => Some(model.score(&kept)),
            None => self.frequency.as_ref().map(|model| model.score(&kept)),
        };
        let parts = loss_parts(problem.loss(), &kept);
        let sizes = || kept.groups().map(|group| grouping.groups.rows.get(group));
        let (smallest, largest) = (sizes().min().unwrap_or_default(), sizes().max().unwrap_or_default());
        let objectives = problem.objectives();
        Solution {
            id,
            objectives: entry.point.costs().iter().zip(&objectives).map(|(cost, o)| o.sense.cost(*cost)).collect(),
            k: smallest,
            loss: rounded(parts.total()),
            gl: rounded(general_part(problem.loss(), &kept)),
            sl: suppressed.rows as f64 / table.rows as f64,
            weighted_k: rounded(weighted_level(&K, grouping)),
            l: l.map(rounded),
            t: self.closeness.as_ref().map(|t| rounded(t.score(&kept))),
            privacy: models.iter().map(|model| rounded(model.score(&kept))).collect(),
            necd: rounded((largest - smallest) as f64 / table.rows.saturating_sub(1).max(1) as f64),
            suppressed: Some(suppressed.rows),
            groups: kept.groups().count() as u64,
            loss_bound: None,
            gap: None,
            one_valued: self.one_valued(&kept),
            alternatives: entry.alternatives,
            cutoff: entry.cutoff,
            bias: Bias::of_sizes(sizes()),
            recoding,
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
            self.table.sensitive().any(|attribute| view.attribute(attribute).len() == 1)
        };
        kept.groups().filter(single).map(|group| groups.rows.get(group)).sum()
    }
}

/// The same rounding as the objectives, so that a number reads alike wherever it is shown.
fn rounded(value: f64) -> f64 {
    crate::front::round(value)
}

/// GL: of the study's own loss where that is the general one, in its form.
fn general_part(loss: &dyn Loss, kept: &Kept) -> f64 {
    if loss.is_general() { loss_parts(loss, kept).kept } else { loss_parts(&General::default(), kept).kept }
}
