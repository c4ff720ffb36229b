//! The publisher's questions: the best that the limits allow, and what relaxing a limit a little would buy.

use serde::{Deserialize, Serialize};

use super::{FrontFile, Quantity, Solution};
use crate::error::{Error, Result};
use crate::measure::Sense;

/// What a publisher will accept.
///
/// None of them need be given. [`choose`] answers for a front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// The largest loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_loss: Option<f64>,
    /// The largest share of suppressed rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_suppression: Option<f64>,
    /// The smallest k.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_k: Option<f64>,
    /// The smallest l.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_l: Option<f64>,
    /// The largest t.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_t: Option<f64>,
}

/// What a limit bounds, and what "a little" beyond it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitRule {
    /// Its name: the option of the program with underscores.
    pub name: &'static str,
    /// What it bounds.
    pub quantity: Quantity,
    /// Whether solutions must be at most the value rather than at least.
    pub upper: bool,
    /// Whether it bounds what is lost rather than what is protected.
    pub price: bool,
    /// "A little" beyond the limit is this share of its value,
    pub little_share: f64,
    /// and no less than this.
    pub little_least: f64,
}

/// All limits: one percentage point of loss, suppression or t is a little; a tenth of k or l.
pub const LIMITS: [LimitRule; 5] = [
    LimitRule { price: true, ..at_most("max_loss", Quantity::Loss) },
    LimitRule { price: true, ..at_most("max_suppression", Quantity::Sl) },
    at_least("min_k", Quantity::K),
    at_least("min_l", Quantity::L),
    at_most("max_t", Quantity::T),
];

const fn at_most(name: &'static str, quantity: Quantity) -> LimitRule {
    LimitRule { name, quantity, upper: true, price: false, little_share: 0.0, little_least: 0.01 }
}

const fn at_least(name: &'static str, quantity: Quantity) -> LimitRule {
    LimitRule { name, quantity, upper: false, price: false, little_share: 0.1, little_least: 1.0 }
}

/// One limit that is set.
struct Limit {
    rule: &'static LimitRule,
    value: f64,
}

impl Limit {
    /// What it bounds, of a solution.
    fn of(&self, solution: &Solution) -> Option<f64> {
        solution.value(self.rule.quantity)
    }

    fn holds(&self, solution: &Solution) -> bool {
        self.of(solution).is_some_and(|value| self.beyond(value) <= 1e-12 * self.value.abs().max(1.0))
    }

    /// How far a value lies beyond the limit; negative within.
    fn beyond(&self, value: f64) -> f64 {
        if self.rule.upper { value - self.value } else { self.value - value }
    }

    /// How far beyond the limit "a little" is.
    fn little(&self) -> f64 {
        (self.value * self.rule.little_share).max(self.rule.little_least)
    }
}

impl Limits {
    /// A limit by its name.
    pub fn get(&self, name: &str) -> Option<f64> {
        match name {
            "max_loss" => self.max_loss,
            "max_suppression" => self.max_suppression,
            "min_k" => self.min_k,
            "min_l" => self.min_l,
            "max_t" => self.max_t,
            _ => None,
        }
    }

    fn list(&self) -> Vec<Limit> {
        LIMITS.iter().filter_map(|rule| Some(Limit { rule, value: self.get(rule.name)? })).collect()
    }
}

/// What a relaxed limit buys.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Relaxation {
    /// The limit, as the option spells it with underscores.
    pub limit: String,
    /// Its value now.
    pub from: f64,
    /// The value that lets the solution in.
    pub to: f64,
    /// What one gets.
    pub solution: Solution,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// What was asked.
    pub limits: Limits,
    /// How many solutions hold all limits.
    pub feasible: usize,
    /// The best of them: the most private where a price is limited, the cheapest where privacy is demanded.
    pub best: Vec<Solution>,
    /// For each limit the nearest relaxation that buys something, and the best within a small step.
    pub relaxations: Vec<Relaxation>,
}

/// The best solutions of a front within some limits, and what the nearest relaxation of each limit would buy: the most private
/// where a price is limited, the cheapest where privacy is demanded.
///
/// ```
/// use paretonym::engine::{Memory, Unwatched};
/// use paretonym::front::{Limits, choose};
/// use paretonym::study::{Study, run};
///
/// let study = r#"
///     data = { path = "memory" }
///     columns = [{ name = "age", role = "quasi", widths = [2, 4] }]
/// "#;
/// let people = Memory::new(["age"], [["0"], ["1"], ["2"], ["3"], ["4"], ["5"], ["6"], ["7"]]);
/// let front = run(&Study::from_toml(study, "study")?, &people, &Unwatched)?.front;
///
/// let choice = choose(&front, &Limits { max_loss: Some(0.2), ..Limits::default() })?;
/// assert_eq!(choice.best[0].k, 2, "pairs of ages cost 1/7");
/// let more = &choice.relaxations[0];
/// assert_eq!((more.limit.as_str(), more.solution.k), ("max_loss", 4), "four at a time would cost 3/7");
/// # Ok::<(), paretonym::error::Error>(())
/// ```
pub fn choose(front: &FrontFile, limits: &Limits) -> Result<Choice> {
    let list = limits.list();
    for limit in &list {
        if !limit.value.is_finite() || limit.value < 0.0 {
            return Err(Error::study(format!("{} must be a number from 0 on, not {}", limit.rule.name, limit.value)));
        }
        if front.solutions.iter().all(|solution| limit.of(solution).is_none()) {
            if front.solutions.iter().any(|solution| !solution.described) {
                return Err(Error::study(format!(
                    "{} was not measured: the work was stopped before the solutions of this front were described; explore again",
                    limit.rule.name
                )));
            }
            return Err(Error::study(format!(
                "{} needs a sensitive column, and this front was explored without one; give a column role = \"sensitive\" and explore again",
                limit.rule.name
            )));
        }
    }
    let feasible: Vec<&Solution> =
        front.solutions.iter().filter(|solution| list.iter().all(|limit| limit.holds(solution))).collect();

    let prices = list.iter().any(|limit| limit.rule.price);
    let demands = list.iter().any(|limit| !limit.rule.price);
    let mut best: Vec<Solution> = Vec::new();
    let mut take = |solution: Option<&Solution>| {
        if let Some(solution) = solution.filter(|solution| best.iter().all(|own| own.id != solution.id)) {
            best.push(solution.clone());
        }
    };
    if prices || !demands {
        privacy_objectives(front).for_each(|at| take(most_private(front, at, feasible.iter().copied())));
    }
    if demands {
        take(feasible.iter().copied().min_by(|a, b| a.loss.total_cmp(&b.loss).then(a.id.cmp(&b.id))));
    }

    let mut relaxations: Vec<Relaxation> = Vec::new();
    for limit in &list {
        let others =
            |solution: &&Solution| list.iter().all(|other| other.rule.name == limit.rule.name || other.holds(solution));
        let outside: Vec<&Solution> = front
            .solutions
            .iter()
            .filter(|solution| limit.of(solution).is_some() && !limit.holds(solution))
            .filter(others)
            .collect();
        for solution in bought(front, limit, &feasible, &outside) {
            let to = limit.of(solution).unwrap_or(limit.value);
            relaxations.push(Relaxation {
                limit: limit.rule.name.to_owned(),
                from: limit.value,
                to,
                solution: solution.clone(),
            });
        }
    }
    Ok(Choice { limits: *limits, feasible: feasible.len(), best, relaxations })
}

/// The nearest solution beyond a limit that is better than anything within, and the best one within a small step.
fn bought<'a>(
    front: &FrontFile,
    limit: &Limit,
    feasible: &[&'a Solution],
    outside: &[&'a Solution],
) -> Vec<&'a Solution> {
    let distance = |solution: &Solution| limit.beyond(limit.of(solution).unwrap_or(f64::INFINITY));
    // A price buys privacy; a demand that is let down buys less loss.
    let gain = |solution: &Solution| {
        if limit.rule.price {
            privacy_objectives(front).map(|at| worth(front, at, solution)).fold(f64::NEG_INFINITY, f64::max)
        } else {
            -solution.loss
        }
    };
    let have = feasible.iter().map(|solution| gain(solution)).fold(f64::NEG_INFINITY, f64::max);
    let better = || outside.iter().copied().filter(|solution| gain(solution) > have);
    let nearest = better().min_by(|a, b| distance(a).total_cmp(&distance(b)).then(gain(b).total_cmp(&gain(a))));
    let step = better()
        .filter(|solution| distance(solution) <= limit.little() * (1.0 + 1e-9))
        .max_by(|a, b| gain(a).total_cmp(&gain(b)).then(distance(b).total_cmp(&distance(a))));
    let mut bought: Vec<&Solution> = nearest.into_iter().collect();
    bought.extend(step.filter(|step| nearest.is_none_or(|nearest| nearest.id != step.id)));
    bought
}

/// Positions of the objectives that stand for privacy: all that are not a loss.
fn privacy_objectives(front: &FrontFile) -> impl Iterator<Item = usize> + '_ {
    (0..front.objectives.len()).filter(|at| !front.objectives[*at].role().is_price())
}

/// The value of an objective, larger = better.
fn worth(front: &FrontFile, at: usize, solution: &Solution) -> f64 {
    match front.objectives[at].sense {
        Sense::Max => solution.objectives[at],
        Sense::Min => -solution.objectives[at],
    }
}

/// The best in one privacy objective, ties by loss.
fn most_private<'a>(
    front: &FrontFile,
    at: usize,
    solutions: impl Iterator<Item = &'a Solution>,
) -> Option<&'a Solution> {
    solutions.max_by(|a, b| {
        let (left, right) = (worth(front, at, a), worth(front, at, b));
        left.total_cmp(&right).then(b.loss.total_cmp(&a.loss)).then(b.id.cmp(&a.id))
    })
}
