//! Classification: rows that are not of the class of their group.

use super::measure_by_sums;
use crate::error::{Error, Result};
use crate::group::{FrequencyTable, Kept, Needs};
use crate::measure::{
    CatalogEntry, GroupCost, Grouped, Loss, LossEntry, LossParts, Parameter, PropertyVector, Remaining, Takes,
};

/// What it costs to take a row of one class for another.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// The class the row has.
    pub truth: String,
    /// The class it is taken for.
    pub given: String,
    /// The cost; 1 where nothing else is said, 0 for the right class.
    pub cost: f64,
}

/// What suppressed rows pay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SuppressedClass {
    /// The maximum each.
    #[default]
    Maximum,
    /// What one group of all of them would.
    Group,
}

/// Its line in the catalogue.
pub const ENTRY: LossEntry = LossEntry {
    entry: CatalogEntry {
        name: "classification",
        aliases: &["cm"],
        summary: "rows not of their group's majority class",
        parameters: &[
            Parameter { name: "target", default: "the first", takes: Takes::Text, summary: "the class column" },
            Parameter {
                name: "suppressed",
                default: "maximum",
                takes: Takes::OneOf(&["maximum", "group"]),
                summary: "what suppressed rows pay: the maximum, or as a group of their own",
            },
            Parameter {
                name: "costs",
                default: "none",
                takes: Takes::Section,
                summary: "in [search]: true class, given class, cost",
            },
        ],
        reference: "S4 eq. 1 and 2, 3.2",
    },
    bounded_below: true,
    normalized: true,
    make: |table, call, settings| {
        let costs = settings.costs.iter();
        let costs: Vec<Cost> = costs
            .map(|(truth, given, cost)| Cost { truth: truth.clone(), given: given.clone(), cost: *cost })
            .collect();
        let forms = [("maximum", SuppressedClass::Maximum), ("group", SuppressedClass::Group)];
        let suppressed = call.choice("suppressed", &forms)?;
        Ok(Box::new(Classification::new(table, call.text("target"), &costs, suppressed)?))
    },
};

/// Classification (CM, CE): rows that are suppressed or not of their group's majority class / n. For releases that
/// classifiers are trained on.
///
/// With a cost matrix each group takes the class of least cost, costs scaled to [0, 1]; suppressed rows pay the
/// maximum, or, with `suppressed=group`, form a group of their own.
///
/// Example: S4's figure 4: 3/20.
///
/// Monotone with a lower bound, with costs too. [Reference](mod@crate::theory::references):
/// S4 eq. 1 and 2, 3.2.
///
/// In the catalogue `classification`: [definition](crate::theory::definitions#classification).
pub struct Classification {
    target: usize,
    /// `costs[truth][given]`, scaled; none for the plain form.
    costs: Option<Vec<Vec<f64>>>,
    suppressed: SuppressedClass,
}

impl Classification {
    /// For the named target, or the only categorical one.
    pub fn new(
        table: &FrequencyTable,
        target: Option<&str>,
        costs: &[Cost],
        suppressed: SuppressedClass,
    ) -> Result<Self> {
        let targets: Vec<usize> = table.targets().collect();
        let names = || targets.iter().map(|at| table.attributes[*at].name.clone()).collect::<Vec<_>>();
        let target = match target {
            Some(name) => *targets.iter().find(|at| table.attributes[**at].name == name).ok_or_else(|| {
                Error::UnknownColumn { name: name.into(), place: "the study's targets".into(), known: names() }
            })?,
            None => *targets
                .iter()
                .find(|at| table.attributes[**at].numbers().is_none())
                .or(targets.first())
                .ok_or_else(|| {
                    Error::study(
                        "the loss classification needs a class label; give a column role = \"target\" (or role = [\"quasi\", \"target\"])",
                    )
                })?,
        };
        let costs = if costs.is_empty() { None } else { Some(cost_matrix(table, target, costs)?) };
        Ok(Classification { target, costs, suppressed })
    }

    /// The class that a group is given and what its rows pay together.
    fn verdict(&self, held: impl Iterator<Item = (u32, u64)> + Clone) -> (u32, f64) {
        match &self.costs {
            None => {
                let rows: u64 = held.clone().map(|(_, count)| count).sum();
                // The first of several majorities, so that the verdict does not depend on anything else.
                let most = held.fold((0, 0), |best, own| if own.1 > best.1 { own } else { best });
                (most.0, (rows - most.1) as f64)
            }
            Some(costs) => {
                let paid = |given: usize| held.clone().map(|(v, c)| c as f64 * costs[v as usize][given]).sum::<f64>();
                let classes = (0..costs.len()).map(|given| (given as u32, paid(given)));
                classes.reduce(|best, next| if next.1 < best.1 { next } else { best }).unwrap_or_default()
            }
        }
    }

    /// What taking a row of one class for another costs.
    fn cost(&self, truth: u32, given: u32) -> f64 {
        match &self.costs {
            None => f64::from(u8::from(truth != given)),
            Some(costs) => costs[truth as usize][given as usize],
        }
    }

    /// The verdict on all suppressed rows as one group, from their class counts.
    fn suppressed_verdict(&self, counts: &[f64]) -> (u32, f64) {
        let held = counts.iter().enumerate().filter(|(_, count)| **count > 0.0);
        self.verdict(held.map(|(value, count)| (value as u32, *count as u64)))
    }

    fn row_losses(&self, kept: &Kept) -> PropertyVector {
        let groups = &kept.grouping.groups;
        let verdicts: Vec<u32> =
            (0..groups.len()).map(|group| self.verdict(groups.attributes[self.target].of(group).iter()).0).collect();
        let gone = kept
            .suppressed_group()
            .filter(|_| self.suppressed == SuppressedClass::Group)
            .map(|group| self.verdict(group.attributes[self.target].of(0).iter()).0);
        PropertyVector::of_values(kept, self.target, |group, value| match (group, gone) {
            (Some(group), _) => self.cost(value, verdicts[group]),
            (None, Some(given)) => self.cost(value, given),
            (None, None) => 1.0,
        })
    }
}

/// The matrix with 1 for every unnamed mistake, scaled so that the largest cost is 1.
fn cost_matrix(table: &FrequencyTable, target: usize, costs: &[Cost]) -> Result<Vec<Vec<f64>>> {
    let attribute = &table.attributes[target];
    let class = |name: &str| {
        attribute.domain.labels.iter().position(|label| label == name).ok_or_else(|| Error::UnknownName {
            what: "class in the target column",
            name: name.to_owned(),
            known: attribute.domain.labels.clone(),
        })
    };
    let size = attribute.domain.len();
    let mut matrix: Vec<Vec<f64>> =
        (0..size).map(|truth| (0..size).map(|given| f64::from(u8::from(truth != given))).collect()).collect();
    for entry in costs {
        if !(entry.cost >= 0.0 && entry.cost.is_finite()) {
            return Err(Error::study(format!("a cost must be a number from 0 on, not {}", entry.cost)));
        }
        matrix[class(&entry.truth)?][class(&entry.given)?] = entry.cost;
    }
    let largest = matrix.iter().flatten().copied().fold(0.0, f64::max);
    if largest > 0.0 {
        matrix.iter_mut().flatten().for_each(|cost| *cost /= largest);
    }
    Ok(matrix)
}

measure_by_sums!(Classification, Needs { attributes: true, ..Needs::default() }, |loss: &Classification| {
    match loss.suppressed {
        SuppressedClass::Maximum => "classification".to_owned(),
        SuppressedClass::Group => "classification(suppressed=group)".to_owned(),
    }
});

impl Loss for Classification {
    /// What kept rows pay, then (where suppressed rows form a group) the kept rows of each class.
    fn sums(&self, table: &FrequencyTable) -> usize {
        match self.suppressed {
            SuppressedClass::Maximum => 1,
            SuppressedClass::Group => 1 + table.attributes[self.target].domain.len(),
        }
    }

    fn add(&self, grouped: Grouped, group: usize, sums: &mut [f64]) {
        let held = grouped.grouping.groups.attributes[self.target].of(group);
        sums[0] += self.verdict(held.iter()).1;
        if self.suppressed == SuppressedClass::Group {
            held.iter().for_each(|(value, count)| sums[1 + value as usize] += count as f64);
        }
    }

    fn parts(&self, table: &FrequencyTable, sums: &[f64], remaining: Remaining) -> LossParts {
        let rows = table.rows as f64;
        let gone = match self.suppressed {
            SuppressedClass::Maximum => (table.rows - remaining.rows) as f64,
            SuppressedClass::Group => {
                let totals = table.attributes[self.target].totals.iter();
                let gone: Vec<f64> = totals.zip(&sums[1..]).map(|(total, kept)| *total as f64 - kept).collect();
                self.suppressed_verdict(&gone).1
            }
        };
        LossParts { kept: sums[0] / rows, suppressed: gone / rows }
    }

    /// One verdict for joined groups costs no less than the best one for each, whatever the costs and whether the groups
    /// are joined by generalizing or by suppressing them as one.
    fn bounded_below(&self) -> bool {
        true
    }

    /// Costs, and suppressed rows that form a group, are not said so simply.
    fn group_cost(&self, _: &FrequencyTable) -> GroupCost {
        match (&self.costs, self.suppressed) {
            (None, SuppressedClass::Maximum) => GroupCost::Minority(self.target),
            _ => GroupCost::Other,
        }
    }

    /// Rows of a wrong class are counted; costs are not whole.
    fn is_whole(&self, _: &FrequencyTable) -> bool {
        self.costs.is_none()
    }
}
