//! What a publisher may limit in a front, and the words for it.

use serde::Serialize;

use super::field::{Field, format_of};
use super::number::Format;
use crate::front::{FrontFile, LIMITS, LimitRule, Limits, Quantity, choose};

/// What stands for a value in a sentence.
const VALUE: &str = "{}";

/// A limit that can be set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bound {
    /// Its name: the option of the program with underscores.
    pub name: String,
    /// The position of the field that it bounds.
    pub field: usize,
    /// Whether solutions must be at most the value rather than at least.
    pub upper: bool,
    /// Whether it bounds a price rather than demands privacy.
    pub price: bool,
    /// "A little" beyond the limit is this share of its value,
    pub little_share: f64,
    /// and no less than this.
    pub little_least: f64,
    /// Its name beside a place to write a value: "loss at most".
    pub label: String,
    /// It in a sentence, with `{}` for the value: "at most {} loss".
    pub sentence: String,
    /// The same for a value that lets more in: "At {} loss".
    pub room: String,
}

impl Bound {
    /// "at most 25 % loss"
    pub fn words(&self, fields: &[Field], value: f64) -> String {
        self.sentence.replace(VALUE, &fields[self.field].format.show_round(value))
    }

    /// "At 26.00 % loss"
    pub fn room_words(&self, fields: &[Field], value: f64) -> String {
        self.room.replace(VALUE, &fields[self.field].format.show(value))
    }
}

/// The limits that make sense for a front.
pub(super) fn bounds(fields: &[Field]) -> Vec<Bound> {
    LIMITS.iter().filter_map(|rule| bound(rule, fields)).collect()
}

fn bound(rule: &LimitRule, fields: &[Field]) -> Option<Bound> {
    let place = fields.iter().position(|field| field.key == rule.quantity.name())?;
    let field = &fields[place];
    let name = match rule.quantity {
        Quantity::Sl => "suppressed",
        other => other.name(),
    };
    let way = if rule.upper { "at most" } else { "at least" };
    let (sentence, room) = match (rule.price, field.format) {
        (true, Format::Share) => (format!("at most {VALUE} {name}"), format!("At {VALUE} {name}")),
        (true, Format::Number) => (format!("a {name} of at most {VALUE}"), format!("At a {name} of {VALUE}")),
        (false, _) => (format!("{name} {way} {VALUE}"), format!("At {} = {VALUE}", field.label)),
    };
    Some(Bound {
        name: rule.name.to_owned(),
        field: place,
        upper: rule.upper,
        price: rule.price,
        little_share: rule.little_share,
        little_least: rule.little_least,
        label: format!("{name} {way}"),
        sentence,
        room,
    })
}

/// The limits that a front opens with: a quarter of loss where that buys some privacy, else a usual k, else a k at all.
pub fn opening_limits(front: &FrontFile) -> Limits {
    let price = (format_of(front, Quantity::Loss.name()) == Format::Share)
        .then_some(Limits { max_loss: Some(0.25), ..Limits::default() });
    let demand = |k: f64| Limits { min_k: Some(k), ..Limits::default() };
    let tries: Vec<Limits> = price.into_iter().chain([demand(5.0), demand(2.0)]).collect();
    let best = |limits: &Limits| choose(front, limits).map(|choice| choice.best).unwrap_or_default();
    let protects = |limits: &&Limits| best(limits).first().is_some_and(|solution| solution.k >= 3);
    let some = || tries.iter().find(|limits| !best(limits).is_empty());
    tries.iter().find(protects).or_else(some).copied().unwrap_or_default()
}
