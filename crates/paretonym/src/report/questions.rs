//! The publisher's questions, answered in words by the rule of [`choose`]. `report.js` gives the same answers when a
//! limit is changed.

use super::escape::text;
use super::fields::Fields;
use super::number::{Kind, number};
use crate::front::{Limits, Relaxation, Solution, choose};

/// One limit as the page asks for it.
pub(super) struct Asked {
    /// Its name, as the option of the program spells it with underscores.
    pub name: &'static str,
    /// The field that it bounds.
    pub field: usize,
    pub value: Option<f64>,
    /// Whether solutions must be at most the value rather than at least.
    pub upper: bool,
}

/// The limits that make sense for a front.
pub(super) fn asked(fields: &Fields, limits: &Limits) -> Vec<Asked> {
    let all = [
        ("max_loss", "loss", limits.max_loss, true),
        ("max_suppression", "sl", limits.max_suppression, true),
        ("min_k", "k", limits.min_k, false),
        ("min_l", "l", limits.min_l, false),
        ("max_t", "t", limits.max_t, true),
    ];
    let found = |(name, key, value, upper)| Some(Asked { name, field: fields.find(key)?, value, upper });
    all.into_iter().filter_map(found).collect()
}

/// The limits as words: "at most 25 % loss and k at least 5".
fn limit_words(fields: &Fields, limits: &Limits) -> String {
    let words: Vec<String> = asked(fields, limits)
        .iter()
        .filter_map(|asked| {
            asked.value.map(|value| {
                one_limit(fields, asked.name, asked.field, &fields.list[asked.field].kind.show_round(value))
            })
        })
        .collect();
    if words.is_empty() { "without limits".to_owned() } else { words.join(" and ") }
}

fn one_limit(fields: &Fields, name: &str, field: usize, value: &str) -> String {
    match name {
        "max_loss" if fields.list[field].kind == Kind::Share => format!("at most {value} loss"),
        "max_loss" => format!("a loss of at most {value}"),
        "max_suppression" => format!("at most {value} suppressed"),
        "min_k" => format!("k at least {value}"),
        "min_l" => format!("l at least {value}"),
        _ => format!("t at most {value}"),
    }
}

/// A solution in a line: "k = 14, loss 24.80 %, SL 0.97 % (solution 7)".
pub(super) fn line(fields: &Fields, solution: &Solution) -> String {
    let Some(at) = fields.front.solutions.iter().position(|own| own.id == solution.id) else { return String::new() };
    let privacy: Vec<usize> =
        (0..fields.objectives.len()).filter(|at| fields.is_privacy(*at)).map(|at| fields.objectives[at]).collect();
    let parts: Vec<String> = fields
        .telling()
        .into_iter()
        .map(|field| {
            let own = &fields.list[field];
            let (label, value) = (text(&own.label), own.show(at));
            if privacy.contains(&field) {
                format!("<b>{label} = {value}</b>")
            } else if own.key == "k" {
                format!("{label} = {value}")
            } else {
                format!("{label} {value}")
            }
        })
        .collect();
    format!("{} <span class=\"id\">({})</span>", parts.join(", "), pick(at, solution.id))
}

/// A link to a solution by its position.
pub(super) fn pick(at: usize, id: u32) -> String {
    format!("<button type=\"button\" class=\"pick\" data-i=\"{at}\">solution {id}</button>")
}

/// The answer for some limits, as HTML.
pub(super) fn answer(fields: &Fields, limits: &Limits) -> String {
    let choice = match choose(fields.front, limits) {
        Ok(choice) => choice,
        Err(error) => return format!("<p class=\"none\">{}</p>", text(&error.to_string())),
    };
    let words = capital(&limit_words(fields, limits));
    let all = fields.front.solutions.len();
    let mut html = if choice.feasible == 0 {
        format!("<p class=\"none\">{}: no solution.</p>", text(&words))
    } else {
        format!(
            "<p>{}: {} of {} solutions. The best:</p>",
            text(&words),
            number(choice.feasible as f64),
            number(all as f64)
        )
    };
    if !choice.best.is_empty() {
        let lines: String = choice.best.iter().map(|best| format!("<li>{}</li>", line(fields, best))).collect();
        html.push_str(&format!("<ul class=\"best\">{lines}</ul>"));
    }
    if !choice.relaxations.is_empty() {
        let lines: String = choice.relaxations.iter().map(|one| format!("<li>{}</li>", relaxed(fields, one))).collect();
        html.push_str(&format!("<p>With more room:</p><ul class=\"more\">{lines}</ul>"));
    }
    html
}

/// "At 26.00 % loss: k = 36, …".
fn relaxed(fields: &Fields, one: &Relaxation) -> String {
    let limits = Limits::default();
    let asked = asked(fields, &limits);
    let Some(limit) = asked.iter().find(|asked| asked.name == one.limit) else { return String::new() };
    let own = &fields.list[limit.field];
    let value = own.kind.show(one.to);
    let room = match one.limit.as_str() {
        "max_loss" if own.kind == Kind::Share => format!("At {value} loss"),
        "max_loss" => format!("At a loss of {value}"),
        "max_suppression" => format!("At {value} suppressed"),
        _ => format!("At {} = {value}", own.label),
    };
    format!("{}: {}", text(&room), line(fields, &one.solution))
}

/// The questions that are asked of every front: usual levels of k, and shares of loss. Each with its one-line answer.
pub(super) fn usual(fields: &Fields) -> Vec<(String, String)> {
    let demand = |k: f64| Limits { min_k: Some(k), ..Limits::default() };
    let price = |loss: f64| Limits { max_loss: Some(loss), ..Limits::default() };
    let mut asked: Vec<Limits> = [3.0, 5.0, 10.0, 50.0].into_iter().map(demand).collect();
    if fields.find("loss").is_some_and(|field| fields.list[field].kind == Kind::Share) {
        asked.extend([0.1, 0.25, 0.5].into_iter().map(price));
    }
    let mut rows = Vec::new();
    for limits in asked {
        let words = capital(&limit_words(fields, &limits));
        let best = choose(fields.front, &limits).map(|choice| choice.best).unwrap_or_default();
        let lines: Vec<String> = best.iter().map(|best| line(fields, best)).collect();
        rows.push((text(&words), if lines.is_empty() { "no solution".to_owned() } else { lines.join("<br>") }));
    }
    rows
}

fn capital(words: &str) -> String {
    // "k at least 5" stays: k is a symbol.
    if words.starts_with("k ") || words.starts_with("l ") || words.starts_with("t ") {
        return words.to_owned();
    }
    let mut chars = words.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::super::testing::front_of;
    use super::*;

    #[test]
    fn the_answer_and_what_a_little_more_would_buy() {
        let front = front_of(&[(36, 0.26), (14, 0.248), (5, 0.2)]);
        let html = answer(&Fields::new(&front), &Limits { max_loss: Some(0.25), ..Limits::default() });
        let plain = html.replace('\u{a0}', " ");
        assert!(plain.contains("At most 25 % loss: 2 of 3 solutions."), "{plain}");
        assert!(plain.contains("<b>k = 14</b>, loss 24.80 %, left out in all 7.37 % <span"), "{plain}");
        assert!(plain.contains("At 26.00 % loss: <b>k = 36</b>"), "{plain}");
    }

    #[test]
    fn nothing_within_the_limits() {
        let front = front_of(&[(5, 0.2)]);
        let html = answer(&Fields::new(&front), &Limits { min_k: Some(6.0), ..Limits::default() });
        assert!(html.contains("k at least 6: no solution."), "{html}");
        let html = answer(&Fields::new(&front), &Limits { max_t: Some(0.1), ..Limits::default() });
        assert!(html.contains("sensitive column"), "{html}");
    }
}
