//! Regression: how much of what numeric targets vary is lost within groups.

use super::measure_by_sums;
use crate::error::{Error, Result};
use crate::group::{FrequencyTable, GroupView, Kept, Needs};
use crate::measure::{CatalogEntry, Grouped, Loss, LossEntry, LossParts, Parameter, PropertyVector, Remaining, Takes};

/// How far a row is from the middle of its group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deviation {
    /// Square of the distance to the mean.
    #[default]
    Squared,
    /// Distance to the median.
    Absolute,
}

/// Its line in the catalogue.
pub const ENTRY: LossEntry = LossEntry {
    entry: CatalogEntry {
        name: "regression",
        aliases: &[],
        summary: "deviation of numeric targets from their group over that from the table",
        parameters: &[Parameter {
            name: "deviation",
            default: "squared",
            takes: Takes::OneOf(&["squared", "absolute"]),
            summary: "squared from the mean, or absolute from the median",
        }],
        reference: "S4 3.3",
    },
    bounded_below: true,
    normalized: true,
    make: |table, call, _| {
        let forms = [("squared", Deviation::Squared), ("absolute", Deviation::Absolute)];
        Ok(Box::new(Regression::new(table, call.choice("deviation", &forms)?)?))
    },
};

/// Regression: [sum over kept rows of the deviation from their group + sum over suppressed rows of the deviation from
/// the table] / [sum over all rows of the deviation from the table].
///
/// Squared deviation from the mean, or, with `deviation=absolute`, absolute deviation from the median. Several
/// targets: the weighted sum.
///
/// Example: values 1, 3 in one group and 7, 9 in another: (2 + 2) / 40 = 0.1.
///
/// Monotone; unsuppressed value is a lower bound. [Reference](mod@crate::theory::references): S4 3.3.
///
/// In the catalogue `regression`: [definition](crate::theory::definitions#regression).
pub struct Regression {
    targets: Vec<Target>,
    deviation: Deviation,
}

/// One dependent variable.
struct Target {
    attribute: usize,
    numbers: Vec<f64>,
    /// Mean or median of the whole table.
    middle: f64,
    /// What a unit of deviation costs: the weight of the target over the deviation of all rows from the middle.
    price: f64,
}

impl Regression {
    /// For the numeric targets of a table, equally weighted.
    pub fn new(table: &FrequencyTable, deviation: Deviation) -> Result<Self> {
        let numeric: Vec<(usize, Vec<f64>)> =
            table.targets().filter_map(|at| table.attributes[at].numbers().map(|numbers| (at, numbers))).collect();
        if numeric.is_empty() {
            return Err(Error::study(
                "the loss regression needs a dependent variable; give a numeric column role = \"target\"",
            ));
        }
        let weight = 1.0 / numeric.len() as f64;
        let targets = numeric.into_iter().map(|(attribute, numbers)| {
            let totals = &table.attributes[attribute].totals;
            let held = || totals.iter().enumerate().map(|(value, count)| (value as u32, *count));
            let middle = middle(held(), &numbers, deviation);
            let everything = spread(held(), &numbers, middle, deviation);
            // A target that is the same in all rows cannot lose anything; rounding must not make it a price.
            let varies = totals.iter().filter(|count| **count > 0).count() > 1 && everything > 0.0;
            Target { attribute, numbers, middle, price: if varies { weight / everything } else { 0.0 } }
        });
        Ok(Regression { targets: targets.collect(), deviation })
    }

    /// What a group's rows cost for one target, shown as a group or (`hidden`) suppressed.
    fn paid(&self, target: &Target, group: GroupView, hidden: bool) -> f64 {
        let held = group.attribute(target.attribute);
        let at = if hidden { target.middle } else { middle(held.iter(), &target.numbers, self.deviation) };
        target.price * spread(held.iter(), &target.numbers, at, self.deviation)
    }

    /// Each row's share, scaled so that the mean over all rows is the score. The rows differ by the first target; of
    /// further targets a row carries its group's mean.
    fn row_losses(&self, kept: &Kept) -> PropertyVector {
        let (first, others) = self.targets.split_first().expect("there is a target");
        let rows = kept.table.rows as f64;
        let of_group = |group: GroupView, hidden: bool| {
            let held = group.attribute(first.attribute);
            let at = if hidden { first.middle } else { middle(held.iter(), &first.numbers, self.deviation) };
            let rest: f64 = others.iter().map(|target| self.paid(target, group, hidden)).sum();
            (at, rest / group.rows() as f64)
        };
        let groups = &kept.grouping.groups;
        let shown: Vec<(f64, f64)> = (0..groups.len()).map(|group| of_group(groups.view(group), false)).collect();
        let gone = kept.suppressed_group().map(|group| of_group(group.view(0), true)).unwrap_or_default();
        PropertyVector::of_values(kept, first.attribute, |group, value| {
            let (at, rest) = group.map_or(gone, |group| shown[group]);
            rows * (first.price * distance(first.numbers[value as usize], at, self.deviation) + rest)
        })
    }
}

/// How far a number is from a middle.
fn distance(number: f64, middle: f64, deviation: Deviation) -> f64 {
    match deviation {
        Deviation::Squared => (number - middle).powi(2),
        Deviation::Absolute => (number - middle).abs(),
    }
}

/// The mean or the median of counted values, which come in ascending order.
fn middle(held: impl Iterator<Item = (u32, u64)> + Clone, numbers: &[f64], deviation: Deviation) -> f64 {
    let entries = || held.clone().map(|(value, count)| (numbers[value as usize], count as f64));
    let rows: f64 = entries().map(|(_, count)| count).sum();
    match deviation {
        Deviation::Squared => entries().map(|(number, count)| number * count).sum::<f64>() / rows,
        Deviation::Absolute => {
            // Of an even number of rows the median lies halfway between the two in the middle.
            let at = |rank: f64| {
                let mut below = 0.0;
                let found = entries().find(|(_, count)| {
                    below += count;
                    below > rank
                });
                found.map_or(0.0, |(number, _)| number)
            };
            (at(((rows - 1.0) / 2.0).floor()) + at((rows / 2.0).floor())) / 2.0
        }
    }
}

/// The deviation of counted values from a middle.
fn spread(held: impl Iterator<Item = (u32, u64)>, numbers: &[f64], middle: f64, deviation: Deviation) -> f64 {
    held.map(|(value, count)| count as f64 * distance(numbers[value as usize], middle, deviation)).sum()
}

measure_by_sums!(Regression, Needs { attributes: true, ..Needs::default() }, |loss: &Regression| {
    match loss.deviation {
        Deviation::Squared => "regression".to_owned(),
        Deviation::Absolute => "regression(deviation=absolute)".to_owned(),
    }
});

impl Loss for Regression {
    /// What kept rows cost, and what they would cost suppressed.
    fn sums(&self, _: &FrequencyTable) -> usize {
        2
    }

    fn add(&self, grouped: Grouped, group: usize, sums: &mut [f64]) {
        let view = grouped.grouping.groups.view(group);
        for target in &self.targets {
            sums[0] += self.paid(target, view, false);
            sums[1] += self.paid(target, view, true);
        }
    }

    fn parts(&self, table: &FrequencyTable, sums: &[f64], remaining: Remaining) -> LossParts {
        // With everything kept nothing is paid for suppression, whatever rounding says.
        let everything: f64 = self.targets.iter().filter(|target| target.price > 0.0).count() as f64;
        let everything = everything / self.targets.len() as f64;
        let suppressed = if remaining.rows == table.rows { 0.0 } else { (everything - sums[1]).max(0.0) };
        LossParts { kept: sums[0].max(0.0), suppressed }
    }

    fn bounded_below(&self) -> bool {
        true
    }
}
