//! The words for a front: what the names in front.json mean to a statistician.

use super::Trust;
use super::number::{Format, number};
use super::role::is_price;
use crate::catalog;
use crate::front::{FrontFile, Quantity};
use crate::settings::within;

/// The key of the share that a release leaves out for whatever reason: no number of front.json.
pub(super) const LEFT_OUT: &str = "left_out";

/// The name of a number on the page, and what it is.
pub(super) fn field(front: &FrontFile, key: &str) -> (String, String) {
    let l = catalog::diversity(&front.privacy).1.label();
    let (label, meaning) = match Quantity::of(key) {
        Some(Quantity::K) => {
            ("k", "rows of the smallest group: each row shares its quasi values with at least k − 1 others")
        }
        Some(Quantity::Loss) => ("loss", "loss of the released table, suppressed rows included"),
        Some(Quantity::Gl) => ("GL", "general loss of the kept rows"),
        Some(Quantity::Sl) => ("SL", "share of rows suppressed"),
        Some(Quantity::WeightedK) => ("weighted k", "mean over rows of the size of their group, before suppression"),
        Some(Quantity::L) => (l, "least diversity of the sensitive columns within a group"),
        Some(Quantity::T) => ("t", "largest distance between a group's sensitive values and the table's"),
        Some(Quantity::Necd) => ("NECD", "largest minus smallest group, over rows − 1"),
        Some(Quantity::Suppressed) => ("suppressed", "rows suppressed"),
        Some(Quantity::Groups) => ("groups", "groups kept"),
        Some(Quantity::Alternatives) => ("alternatives", "other recodings that reach the same objectives"),
        None if key == LEFT_OUT => (
            "left out in all",
            "share of all rows of the table that are suppressed or have a missing value: none is released",
        ),
        None => {
            let weighted = key.strip_prefix("weighted_");
            let meaning = match weighted {
                Some(level) => format!("mean over rows of {level} of their group, before suppression"),
                None => format!("level in the study's privacy model, {}", front.privacy.join(", ")),
            };
            return (key.replace('_', " "), meaning);
        }
    };
    let meaning = match Quantity::of(key) {
        Some(Quantity::Loss) => format!("{} {meaning}", front.loss),
        Some(Quantity::Gl) if front.objectives.iter().any(|own| own.name == key) => {
            format!("{} loss of the kept rows", front.loss)
        }
        _ => meaning.to_owned(),
    };
    (label.to_owned(), meaning)
}

/// The label of an axis.
pub(super) fn axis(front: &FrontFile, key: &str, label: &str) -> String {
    match Quantity::of(key) {
        Some(Quantity::K) => "k: rows in the smallest group".to_owned(),
        Some(Quantity::Loss) => format!("loss ({})", front.loss),
        Some(Quantity::Gl) => format!("GL: loss of the kept rows ({})", front.loss),
        Some(Quantity::Sl) => "SL: rows suppressed".to_owned(),
        Some(Quantity::WeightedK) => "weighted k: mean group size over rows".to_owned(),
        Some(Quantity::L) => format!("{}: least diversity of a group", catalog::diversity(&front.privacy).1.label()),
        Some(Quantity::T) => "t: largest distance from the table".to_owned(),
        _ => label.to_owned(),
    }
}

/// What was traded, in one sentence.
pub(super) fn headline(front: &FrontFile) -> String {
    let (mut privacy, mut price) = (Vec::new(), Vec::new());
    for objective in &front.objectives {
        let side = if is_price(&objective.name) { &mut price } else { &mut privacy };
        side.push(objective_words(front, &objective.name));
    }
    let sides: Vec<String> = [privacy, price].iter().filter(|s| !s.is_empty()).map(|s| s.join(" and ")).collect();
    let traded = sides.join(" against ");
    let count = front.solutions.len();
    let solutions = match count {
        0 => "No solution".to_owned(),
        1 => "One solution".to_owned(),
        _ => format!("{} solutions", number(count as f64)),
    };
    let suppression = match front.eta {
        Some(eta) => format!("; at most {} of the rows may be suppressed", Format::Share.show_round(eta)),
        None if !catalog::suppresses(&front.problem) => "; no row is suppressed".to_owned(),
        None => String::new(),
    };
    let rivals = if front.exact {
        "no other recoding beats"
    } else if count == 1 {
        "no other recoding that was tried beats"
    } else {
        "none of the recodings tried beats"
    };
    let missing = match front.dropped {
        0 => String::new(),
        dropped => format!(
            ". {} more rows of the table, {} of it, are left out of every release because a value is missing",
            number(dropped as f64),
            Format::Share.show(dropped as f64 / (front.rows + dropped) as f64)
        ),
    };
    let within = within(&front.at_least, &front.at_most).map_or(String::new(), |limits| format!(" within {limits}"));
    format!(
        "{solutions}{within} that {rivals}: {traded}, on {} rows{}{missing}.",
        number(front.rows as f64),
        suppression
    )
}

fn objective_words(front: &FrontFile, name: &str) -> String {
    match Quantity::of(name) {
        Some(Quantity::K) => "the size of the smallest group (k)".to_owned(),
        Some(Quantity::L) => "the diversity of sensitive values (l)".to_owned(),
        Some(Quantity::T) => "the distance of sensitive values from the table (t)".to_owned(),
        Some(Quantity::WeightedK) => "the mean group size of a row (weighted k)".to_owned(),
        Some(Quantity::Loss) => format!("information loss ({})", front.loss),
        Some(Quantity::Gl) => format!("information loss of the kept rows ({})", front.loss),
        Some(Quantity::Sl) => "the share of suppressed rows".to_owned(),
        _ => name.replace('_', " "),
    }
}

/// How far the result can be trusted.
pub(super) fn trust(front: &FrontFile) -> Trust {
    let space =
        front.space.map_or("the candidates".to_owned(), |space| format!("the {} candidates", number(space as f64)));
    let within = within(&front.at_least, &front.at_most).map_or(String::new(), |limits| format!(" within {limits}"));
    let (look, words) = match (front.complete, front.exact) {
        (_, true) => ("sure", format!("Exact: proven to be the whole Pareto front of {space}{within}.")),
        (true, false) => {
            ("found", format!("The best that the search found{within}; not proven to be the whole Pareto front."))
        }
        (false, false) => {
            let ended = "The search ended before it was done, by an interruption or a spent budget: better solutions may exist.";
            ("partial", ended.to_owned())
        }
    };
    Trust { look: look.to_owned(), words }
}

/// How it was computed: names and values, as text.
pub(super) fn facts(front: &FrontFile) -> Vec<(String, String)> {
    let mut problem = front.problem.clone();
    if let Some(cutoffs) = &front.cutoffs {
        problem.push_str(&format!(" (cut-offs: {cutoffs})"));
    }
    let mut rows = number(front.rows as f64);
    if front.dropped > 0 {
        rows.push_str(&format!(
            " of {} ({} left out for missing values)",
            number((front.rows + front.dropped) as f64),
            number(front.dropped as f64)
        ));
    }
    let evaluated = match front.space {
        Some(space) => format!("{} of {} recodings", number(front.evaluated as f64), number(space as f64)),
        None => format!("{} recodings of more than 2⁶³", number(front.evaluated as f64)),
    };
    let mut facts = vec![
        ("Rows", rows),
        ("Distinct quasi tuples", number(front.distinct as f64)),
        ("Problem", problem),
        ("Privacy", front.privacy.join(", ")),
        ("Loss", front.loss.clone()),
        ("Optimizer", front.optimizer.clone()),
        ("Evaluated", evaluated),
    ];
    if let Some(eta) = front.eta {
        facts.insert(3, ("Suppression budget", Format::Share.show_round(eta)));
    }
    if let Some(within) = within(&front.at_least, &front.at_most) {
        facts.insert(4, ("Within", within));
    }
    facts.push(("Time", format!("{} s", number(front.seconds))));
    facts.push(("Seed", front.seed.to_string()));
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
