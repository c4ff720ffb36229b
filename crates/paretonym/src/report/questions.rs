//! The publisher's questions, answered in words by the rule of [`choose`]. `ui/report.js` gives the same answers when a
//! limit is changed.

use super::escape::text;
use crate::front::{FrontFile, Limits, Relaxation, choose};
use crate::view::{Format, View, number};

/// The limits as words: "at most 25 % loss and k at least 5".
fn limit_words(view: &View, limits: &Limits) -> String {
    let words = view.bounds.iter().filter_map(|bound| Some(bound.words(&view.fields, limits.get(&bound.name)?)));
    let words: Vec<String> = words.collect();
    if words.is_empty() { "without limits".to_owned() } else { words.join(" and ") }
}

/// A solution in a line: "k = 14, loss 24.80 %, SL 0.97 % (solution 7)".
fn line(view: &View, id: u32) -> String {
    let Some(at) = view.ids.iter().position(|own| *own == id) else { return String::new() };
    let part = |(words, strong): (String, bool)| match strong {
        true => format!("<b>{}</b>", text(&words)),
        false => text(&words),
    };
    let parts: Vec<String> = view.line(at).into_iter().map(part).collect();
    format!("{} <span class=\"id\">({})</span>", parts.join(", "), pick(view, at))
}

/// A link to a solution by its position.
pub(super) fn pick(view: &View, at: usize) -> String {
    format!("<button type=\"button\" class=\"pick\" data-i=\"{at}\">solution {}</button>", view.ids[at])
}

/// The answer for some limits, as HTML.
pub(super) fn answer(front: &FrontFile, view: &View, limits: &Limits) -> String {
    let choice = match choose(front, limits) {
        Ok(choice) => choice,
        Err(error) => return format!("<p class=\"none\">{}</p>", text(&error.to_string())),
    };
    let words = capital(&limit_words(view, limits));
    let all = view.ids.len();
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
        let lines: String = choice.best.iter().map(|best| format!("<li>{}</li>", line(view, best.id))).collect();
        html.push_str(&format!("<ul class=\"best\">{lines}</ul>"));
    }
    if !choice.relaxations.is_empty() {
        let lines: String = choice.relaxations.iter().map(|one| format!("<li>{}</li>", relaxed(view, one))).collect();
        html.push_str(&format!("<h3>What a little more would buy</h3><ul class=\"more\">{lines}</ul>"));
    }
    html
}

/// "At 26.00 % loss: k = 36, …".
fn relaxed(view: &View, one: &Relaxation) -> String {
    let Some(bound) = view.bounds.iter().find(|bound| bound.name == one.limit) else { return String::new() };
    format!("{}: {}", text(&bound.room_words(&view.fields, one.to)), line(view, one.solution.id))
}

/// The questions that are asked of every front: usual levels of k, and shares of loss. Each with its one-line answer.
pub(super) fn usual(front: &FrontFile, view: &View) -> Vec<(String, String)> {
    let demand = |k: f64| Limits { min_k: Some(k), ..Limits::default() };
    let price = |loss: f64| Limits { max_loss: Some(loss), ..Limits::default() };
    let mut asked: Vec<Limits> = [3.0, 5.0, 10.0, 50.0].into_iter().map(demand).collect();
    if view.find("loss").is_some_and(|field| view.fields[field].format == Format::Share) {
        asked.extend([0.1, 0.25, 0.5].into_iter().map(price));
    }
    let mut rows = Vec::new();
    for limits in asked {
        let words = capital(&limit_words(view, &limits));
        let best = choose(front, &limits).map(|choice| choice.best).unwrap_or_default();
        let lines: Vec<String> = best.iter().map(|best| line(view, best.id)).collect();
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
    use super::*;
    use crate::view::testing::front_of;

    #[test]
    fn the_answer_and_what_a_little_more_would_buy() {
        let front = front_of(&[(36, 0.26), (14, 0.248), (5, 0.2)]);
        let html = answer(&front, &View::new(&front), &Limits { max_loss: Some(0.25), ..Limits::default() });
        let plain = html.replace('\u{a0}', " ");
        assert!(plain.contains("At most 25 % loss: 2 of 3 solutions."), "{plain}");
        assert!(plain.contains("<b>k = 14</b>, loss 24.80 %, left out in all 7.37 % <span"), "{plain}");
        assert!(plain.contains("At 26.00 % loss: <b>k = 36</b>"), "{plain}");
    }

    #[test]
    fn nothing_within_the_limits() {
        let front = front_of(&[(5, 0.2)]);
        let html = answer(&front, &View::new(&front), &Limits { min_k: Some(6.0), ..Limits::default() });
        assert!(html.contains("k at least 6: no solution."), "{html}");
        let html = answer(&front, &View::new(&front), &Limits { max_t: Some(0.1), ..Limits::default() });
        assert!(html.contains("sensitive column"), "{html}");
    }
}
