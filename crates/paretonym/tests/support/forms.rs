//! Every measure of the catalogue, in its plain form and in those that its parameters make.

/// Privacy models. The tests check that every entry of the catalogue is among them.
pub const PRIVACY_FORMS: &[&str] = &[
    "k",
    "frequency-l",
    "distinct-l",
    "entropy-l",
    "recursive-l",
    "recursive-l(c=3)",
    "recursive-l(c=0.5)",
    "t",
    "alpha",
    "alpha(k=2)",
    "p-sensitive",
    "p-sensitive(k=3)",
];

/// The models that can be asked of a table without a sensitive column.
pub const NEEDS_NO_SENSITIVE: &[&str] = &["k"];

/// A loss, and whether the study gives costs of wrong classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LossForm {
    /// As a study writes it.
    pub name: &'static str,
    /// Whether [`class_costs`] go with it.
    pub costs: bool,
}

const fn plain(name: &'static str) -> LossForm {
    LossForm { name, costs: false }
}

/// Loss metrics. The tests check that every entry of the catalogue is among them.
pub const LOSS_FORMS: &[LossForm] = &[
    plain("general"),
    plain("general(numeric=interval)"),
    plain("weighted"),
    plain("weighted(numeric=interval)"),
    plain("discernibility"),
    plain("classification"),
    plain("classification(suppressed=group)"),
    LossForm { name: "classification", costs: true },
    LossForm { name: "classification(suppressed=group)", costs: true },
    plain("regression"),
    plain("regression(deviation=absolute)"),
    plain("precision"),
    plain("entropy"),
    plain("average-class"),
];

/// Costs of taking one class for another: dear one way, cheap the other, and a right answer that is not quite free.
pub fn class_costs(classes: &[String]) -> Vec<(String, String, f64)> {
    let (first, last) = (&classes[0], &classes[classes.len() - 1]);
    let mut costs = vec![(first.clone(), first.clone(), 0.25)];
    if first != last {
        costs.push((first.clone(), last.clone(), 3.0));
        costs.push((last.clone(), first.clone(), 0.5));
    }
    costs
}
