//! kl-safety: several privacy models at once.

use super::budget::rows_left;
use super::{Budget, Pieces, Problem, ProblemEntry, Ranked, Scratch, prunable_loss};
use crate::error::{Error, Result};
use crate::front::{Cutoff, LevelCosts, MAX_OBJECTIVES, Objective, Outcome, Point};
use crate::group::{GroupView, Needs};
use crate::measure::{Behaviour, CatalogEntry, Loss, Parameter, Privacy, Remaining, SAME_LEVEL, Takes};
use crate::settings::CutoffRule;

/// Its line in the catalogue.
pub const ENTRY: ProblemEntry = ProblemEntry {
    entry: CatalogEntry {
        name: "kl-safety",
        aliases: &[],
        summary: "max k, max l, min loss, at most a share eta of the rows suppressed",
        parameters: &[
            Parameter {
                name: "eta",
                default: "0.01",
                takes: Takes::Share,
                summary: "the largest share of rows that may be suppressed",
            },
            Parameter {
                name: "form",
                default: "joint",
                takes: Takes::OneOf(&["joint", "ordered"]),
                summary: "a limit for each model (joint), or the paper's order of classes (ordered)",
            },
            Parameter {
                name: "prefer",
                default: "l",
                takes: Takes::SuchAs(&["k", "l"]),
                summary: "ordered: the model more desired, k or l; groups worst in the other go first",
            },
            Parameter {
                name: "cutoffs",
                default: "all",
                takes: Takes::OneOf(&["all", "budget"]),
                summary: "ordered: every cut-off that fits, or \"budget\", the paper's rule",
            },
        ],
        reference: "S0 5.3.4",
    },
    suppresses: true,
    models: both_models,
    make: |privacy, loss, call| {
        if privacy.len() < 2 || privacy.len() >= MAX_OBJECTIVES {
            return Err(Error::study(format!(
                "the problem kl-safety takes two to {} privacy models, not {}; write privacy = [\"k\", \"frequency-l\"]",
                MAX_OBJECTIVES - 1,
                privacy.len()
            )));
        }
        let ordered = call.choice("form", &[("joint", false), ("ordered", true)])?;
        let form = if ordered { KlForm::Ordered(order(&privacy, call.text("prefer"))?) } else { KlForm::Joint };
        let Budget { eta, cutoffs } = Budget::of(call)?;
        Ok(Box::new(KlSafety { privacy, loss, eta, form, cutoffs }))
    },
};

/// A study that names one model means the pair of k and l: the other one is added.
pub(crate) fn both_models(names: Vec<&str>) -> Vec<&str> {
    use crate::privacy::{frequency_l, k};
    match names.as_slice() {
        [name] if k::ENTRY.entry.is_called(name) => vec![*name, frequency_l::ENTRY.entry.name],
        [name] => vec![k::ENTRY.entry.name, *name],
        _ => names,
    }
}

/// The order in which an ordered cut-off looks at the models: the preferred one last.
fn order(privacy: &[Box<dyn Privacy>], prefer: Option<&str>) -> Result<Vec<usize>> {
    let names: Vec<String> = privacy.iter().map(|model| model.letter().name().to_owned()).collect();
    let preferred = match prefer {
        None => privacy.len() - 1,
        Some(name) => names.iter().position(|own| own == name).ok_or_else(|| Error::UnknownName {
            what: "privacy model to prefer",
            name: name.to_owned(),
            known: names.clone(),
        })?,
    };
    Ok((0..privacy.len()).filter(|model| *model != preferred).chain([preferred]).collect())
}

/// How limits of several models go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KlForm {
    /// Each model has its own.
    Joint,
    /// One order over the levels of all models, which are looked at in this order.
    Ordered(Vec<usize>),
}

/// Max k, max l, min loss, with at most a share eta of the rows suppressed; or any two or more privacy models in place
/// of k and l.
///
/// - [`KlForm::Joint`]: a cut-off is one limit per model, everything worse than any of them is suppressed, and
///   every combination of limits that fits the budget is an outcome. What is reported holds.
/// - [`KlForm::Ordered`]: S0's rule. Classes of groups are suppressed in the order of the levels, the least
///   desired model first (`prefer = "l"`, written k << l in the paper: all groups of size 1, then of size 2, and
///   so on), up to the budget. S0 says that the first class which stays names the safety of all; it does not,
///   since a large group of low diversity comes late in the order. So the levels are those measured on what stays.
///
/// Example: groups (rows, l) of (2, 2), (3, 1), (9, 1), (9, 3) and a budget of 3 rows: joint gives (2, 1) and, without
/// the first group, (3, 1); l = 2 would take 12 rows.
///
/// [Reference](mod@crate::theory::references): S0 5.3.4, eq. 8 and 9.
///
/// In the catalogue `kl-safety`: [definition](crate::theory::definitions#kl-safety).
pub struct KlSafety {
    /// The models whose levels are maximised, two or more.
    pub privacy: Vec<Box<dyn Privacy>>,
    /// The loss that is minimised.
    pub loss: Box<dyn Loss>,
    /// The largest share of rows that may be suppressed.
    pub eta: f64,
    /// How the limits of the models go together.
    pub form: KlForm,
    /// Which cut-offs are outcomes; all of them in the joint form.
    pub cutoffs: CutoffRule,
}

/// A judgement under way: what is suppressed so far and what that leaves.
struct Cut {
    gone: Vec<bool>,
    rows: u64,
    sums: Vec<f64>,
    remaining: Remaining,
}

impl KlSafety {
    fn costs(&self, pieces: &dyn Pieces) -> Vec<Vec<f64>> {
        let of = |(place, model): (usize, &dyn Privacy)| {
            let mut costs = Vec::with_capacity(pieces.len());
            pieces.costs(place, model, &mut costs);
            costs
        };
        self.models().into_iter().enumerate().map(of).collect()
    }

    fn start(&self, pieces: &dyn Pieces, scratch: &mut Scratch) -> Cut {
        let remaining = scratch.start_sums(pieces, self.loss.as_ref());
        Cut { gone: vec![false; pieces.len()], rows: 0, sums: scratch.sums.clone(), remaining }
    }

    /// Takes a group out unless it has already gone.
    fn suppress(&self, pieces: &dyn Pieces, scratch: &mut Scratch, group: usize, cut: &mut Cut) {
        if std::mem::replace(&mut cut.gone[group], true) {
            return;
        }
        std::mem::swap(&mut scratch.sums, &mut cut.sums);
        scratch.suppress(pieces, self.loss.as_ref(), group, &mut cut.remaining);
        std::mem::swap(&mut scratch.sums, &mut cut.sums);
        cut.rows += pieces.rows().get(group);
    }

    /// The outcome of a cut, with the levels measured on what stays.
    fn outcome(&self, pieces: &dyn Pieces, costs: &[Vec<f64>], cut: &Cut) -> Outcome {
        let kept = || (0..cut.gone.len()).filter(|group| !cut.gone[*group]);
        let worst = |costs: &Vec<f64>| kept().map(|group| costs[group]).fold(f64::NEG_INFINITY, f64::max);
        let mut point: Vec<f64> = costs.iter().map(worst).collect();
        let mut remaining = cut.remaining;
        if self.loss.needs_smallest() {
            let sizes = kept().map(|piece| pieces.sizes().get(piece));
            remaining.smallest = sizes.min().unwrap_or_default();
        }
        let cutoff = match &self.form {
            _ if cut.rows == 0 => Cutoff::Nothing,
            KlForm::Joint => Cutoff::WorseThanAny(LevelCosts::new(&point)),
            KlForm::Ordered(order) => {
                let class = |group: usize| order.iter().map(move |model| costs[*model][group]);
                let first = kept().max_by(|a, b| compare(class(*a), class(*b))).expect("something stays");
                Cutoff::Before(LevelCosts::new(&class(first).collect::<Vec<f64>>()))
            }
        };
        point.push(self.loss.parts(pieces.table(), &cut.sums, remaining).total());
        Outcome { point: Point::new(&point), cutoff }
    }

    /// Every combination of limits that fits: model by model, each from no limit to the strictest that fits.
    fn joint(&self, pieces: &dyn Pieces, scratch: &mut Scratch, take: &mut dyn FnMut(Outcome)) {
        let budget = rows_left(self.eta, pieces);
        let costs = self.costs(pieces);
        let orders: Vec<Vec<(usize, Vec<usize>)>> = costs
            .iter()
            .map(|costs| {
                scratch.costs.clone_from(costs);
                scratch.find_cutoffs(pieces, budget);
                let mut start = 0;
                let steps = scratch.cutoffs.iter().map(|(end, _)| {
                    let groups = scratch.order[start..*end].iter().map(|(_, group)| *group as usize).collect();
                    start = *end;
                    (*end, groups)
                });
                steps.collect()
            })
            .collect();
        // The model with the most cut-offs is walked innermost, where a step costs only the groups that go.
        let mut models: Vec<usize> = (0..orders.len()).collect();
        models.sort_by_key(|model| orders[*model].len());
        let start = self.start(pieces, scratch);
        let mut last = (u64::MAX, u64::MAX);
        let mut walk = Walk { problem: self, pieces, costs: &costs, orders: &orders, models: &models, budget };
        walk.visit(0, start, scratch, &mut |rows, groups, outcome| {
            // Limits that take nothing more are the same outcome.
            if std::mem::replace(&mut last, (rows, groups)) != (rows, groups) {
                take(outcome);
            }
        });
    }

    /// The classes in their order, as many as fit.
    fn ordered(&self, order: &[usize], pieces: &dyn Pieces, scratch: &mut Scratch, take: &mut dyn FnMut(Outcome)) {
        let budget = rows_left(self.eta, pieces);
        let costs = self.costs(pieces);
        let rows = pieces.rows();
        let class = |group: usize| order.iter().map(|model| costs[*model][group]).collect::<Vec<f64>>();
        // Whatever goes is a group within the budget; the others need not be sorted, but end the order.
        let mut groups: Vec<(Vec<f64>, usize)> = (0..rows.len()).map(|group| (class(group), group)).collect();
        groups.sort_by(|a, b| compare(b.0.iter().copied(), a.0.iter().copied()).then(a.1.cmp(&b.1)));
        let mut cut = self.start(pieces, scratch);
        let mut pending = None;
        let mut at = 0;
        loop {
            let outcome = self.outcome(pieces, &costs, &cut);
            if self.cutoffs == CutoffRule::All {
                take(outcome);
            } else {
                pending = Some(outcome);
            }
            let same =
                |group: &(Vec<f64>, usize)| compare(group.0.iter().copied(), groups[at].0.iter().copied()).is_eq();
            let end = at + groups[at..].iter().take_while(|group| same(group)).count();
            let more: u64 = groups[at..end].iter().map(|(_, group)| rows.get(*group)).sum();
            if cut.rows + more > budget || end == groups.len() {
                break;
            }
            groups[at..end].iter().for_each(|(_, group)| self.suppress(pieces, scratch, *group, &mut cut));
            at = end;
        }
        pending.into_iter().for_each(take);
    }
}

/// By the first cost that differs by more than rounding.
fn compare(a: impl Iterator<Item = f64>, b: impl Iterator<Item = f64>) -> std::cmp::Ordering {
    let mut pairs = a.zip(b);
    let differs = |(a, b): &(f64, f64)| (a - b).abs() > SAME_LEVEL * a.abs().max(1.0);
    pairs.find(differs).map_or(std::cmp::Ordering::Equal, |(a, b)| a.total_cmp(&b))
}

/// The nested loops over the limits of each model.
struct Walk<'a> {
    problem: &'a KlSafety,
    pieces: &'a dyn Pieces,
    costs: &'a [Vec<f64>],
    orders: &'a [Vec<(usize, Vec<usize>)>],
    models: &'a [usize],
    budget: u64,
}

impl Walk<'_> {
    fn visit(&mut self, depth: usize, mut cut: Cut, scratch: &mut Scratch, take: &mut dyn FnMut(u64, u64, Outcome)) {
        let innermost = depth + 1 == self.models.len();
        for (_, groups) in &self.orders[self.models[depth]] {
            for &group in groups {
                self.problem.suppress(self.pieces, scratch, group, &mut cut);
            }
            if cut.rows > self.budget {
                return;
            }
            if innermost {
                let outcome = self.problem.outcome(self.pieces, self.costs, &cut);
                take(cut.rows, cut.remaining.groups, outcome);
            } else {
                let inner = Cut { gone: cut.gone.clone(), sums: cut.sums.clone(), ..cut };
                self.visit(depth + 1, inner, scratch, take);
            }
        }
    }
}

impl Problem for KlSafety {
    fn name(&self) -> &'static str {
        "kl-safety"
    }

    fn objectives(&self) -> Vec<Objective> {
        let short: Vec<String> = self.privacy.iter().map(|model| model.letter().name().to_owned()).collect();
        // Two forms of l need their whole names to be told apart.
        let name = |at: usize| match short.iter().filter(|name| **name == short[at]).count() {
            1 => short[at].clone(),
            _ => self.privacy[at].name(),
        };
        let privacy = self.privacy.iter().enumerate();
        let privacy = privacy.map(|(at, model)| Objective { name: name(at), sense: model.sense() });
        privacy.chain([Objective::min("loss")]).collect()
    }

    fn budget(&self) -> Option<Budget> {
        Some(Budget { eta: self.eta, cutoffs: self.cutoffs })
    }

    fn needs(&self) -> Needs {
        self.privacy.iter().fold(self.loss.needs(), |needs, model| needs.or(model.needs()))
    }

    fn outcomes(&self, pieces: &dyn Pieces, scratch: &mut Scratch, take: &mut dyn FnMut(Outcome)) {
        // Two cut-offs may come to the same point; the recoding reaches it once.
        let mut met: Vec<Point> = Vec::new();
        let mut once = |outcome: Outcome| {
            if !met.contains(&outcome.point) {
                met.push(outcome.point);
                take(outcome);
            }
        };
        match &self.form {
            KlForm::Joint => self.joint(pieces, scratch, &mut once),
            KlForm::Ordered(order) => self.ordered(order, pieces, scratch, &mut once),
        }
    }

    fn models(&self) -> Vec<&dyn Privacy> {
        self.privacy.iter().map(AsRef::as_ref).collect()
    }

    fn suppresses(&self, cutoff: &Cutoff, group: GroupView) -> bool {
        let costs: Vec<f64> = match &self.form {
            KlForm::Joint => self.privacy.iter().map(|model| model.cost(group)).collect(),
            KlForm::Ordered(order) => order.iter().map(|model| self.privacy[*model].cost(group)).collect(),
        };
        cutoff.suppresses_any(&costs)
    }

    fn loss(&self) -> &dyn Loss {
        self.loss.as_ref()
    }

    /// In the joint form a pair of levels that a finer recoding reaches within the budget is reached by a coarser one
    /// too, since no row's level falls.
    fn prunable(&self) -> Result<(), String> {
        if self.form != KlForm::Joint {
            return Err("the ordered form of kl-safety suppresses by an order that has no bound".to_owned());
        }
        let falling = self.models().into_iter().find(|model| match model.behaviour() {
            Behaviour::PerRow => false,
            Behaviour::WorstGroup => self.eta > 0.0,
            Behaviour::Nothing => true,
        });
        if let Some(model) = falling {
            return Err(format!("with suppression the level of {} can fall when generalizing", model.name()));
        }
        prunable_loss(self.loss.as_ref())
    }

    fn ranked(&self) -> Ranked {
        match self.form {
            KlForm::Joint => Ranked::Every,
            KlForm::Ordered(_) => Ranked::Last,
        }
    }
}
