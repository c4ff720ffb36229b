//! The page: its parts in the order in which they are read.

use std::fmt::Write;

use super::Page;
use super::curves::curves;
use super::escape::{script_json, text};
use super::front_plot::plots;
use super::inline::script;
use super::picture::fitted;
use super::questions::{answer, pick, usual};
use super::table::{WRITTEN, table};
use crate::front::{FrontFile, Limits};
use crate::view::{Bound, Format, TIMES, View, number};

/// What the page may load: nothing but itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// The report of a front: one file, all in it.
pub fn html(page: &Page) -> String {
    let view = View::new(page.front);
    let title = text(page.title);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title>\n<style>\n{}{}</style></head>\n<body>\n",
        include_str!("plot.css"),
        include_str!("report.css"),
    );
    html.push_str(&head(page, &view));
    html.push_str("<main>\n");
    html.push_str(&front(page, &view));
    html.push_str(&group_sizes(page));
    html.push_str(&solutions(&view));
    html.push_str("</main>\n<div id=\"tip\" role=\"status\" hidden></div>\n");
    let data = script_json(&serde_json::json!(view));
    let _ = writeln!(html, "<script type=\"application/json\" id=\"data\">{data}</script>");
    let _ = writeln!(html, "<script>\n{}</script>\n</body></html>", script());
    html
}

/// What was traded, how it was computed, how far to trust it.
fn head(page: &Page, view: &View) -> String {
    let mut html = format!(
        "<header><h1>{}</h1><p class=\"lead\">{}</p><p class=\"trust {}\">{}</p>",
        text(page.title),
        symbols(&view.headline),
        view.trust.look,
        text(&view.trust.words)
    );
    html.push_str("<dl class=\"facts\">");
    for (name, value) in &view.facts {
        let _ = write!(html, "<div><dt>{name}</dt><dd>{}</dd></div>", text(value));
    }
    html.push_str("</dl>");
    if !page.front.warnings.is_empty() {
        html.push_str("<ul class=\"notes warnings\">");
        let warnings = page.front.warnings.iter();
        warnings.for_each(|warning| html.push_str(&format!("<li><b>Warning:</b> {}</li>", text(warning))));
        html.push_str("</ul>");
    }
    if !page.front.notes.is_empty() {
        html.push_str("<ul class=\"notes\">");
        page.front.notes.iter().for_each(|note| html.push_str(&format!("<li>{}</li>", text(note))));
        html.push_str("</ul>");
    }
    html + "</header>\n"
}

/// Text in which the symbols of measures are set as such.
fn symbols(words: &str) -> String {
    let letters = ["k", "l", "t"].iter();
    letters.fold(text(words), |text, letter| {
        let (alone, weighted) = (format!("({letter})"), format!("(weighted {letter})"));
        text.replace(&alone, &format!("(<i>{letter}</i>)")).replace(&weighted, &format!("(weighted <i>{letter}</i>)"))
    })
}

/// The plots with, beside them, the limits and the solution that is looked at, and the usual questions.
fn front(page: &Page, view: &View) -> String {
    let shape = if view.objectives.len() > 2 { "front wide" } else { "front" };
    let mut html = format!("<section class=\"{shape}\"><div class=\"figure\"><h2>The front</h2>");
    html.push_str(&plots(view, page.backdrops));
    html.push_str(&fit_words(view));
    html.push_str(&flat_words(view));
    html.push_str(
        "</div><aside><div class=\"ask\"><h2>What do your limits allow?</h2><form id=\"limits\" autocomplete=\"off\">",
    );
    view.bounds.iter().for_each(|bound| html.push_str(&limit_field(view, bound, &page.limits)));
    html.push_str("<button type=\"reset\">Clear</button></form>");
    let answer = answer(page.front, view, &page.limits);
    let _ = write!(html, "</div><div id=\"answer\" aria-live=\"polite\">{answer}</div>");
    html.push_str("<div id=\"chosen\" hidden></div></aside>");
    html.push_str(&questions(page.front, view));
    html.push_str("</section>\n");
    html
}

/// The place to write a limit into.
fn limit_field(view: &View, bound: &Bound, limits: &Limits) -> String {
    let share = view.fields[bound.field].format == Format::Share;
    // A letter alone is a symbol.
    let label = match bound.label.split_once(' ') {
        Some((symbol, rest)) if symbol.len() == 1 => format!("<i>{symbol}</i> {rest}"),
        _ => bound.label.clone(),
    };
    let value = limits.get(&bound.name).map_or(String::new(), |value| {
        crate::data::format_number(crate::front::round(if share { value * 100.0 } else { value }))
    });
    format!(
        "<label><span>{label}</span><input name=\"{}\" type=\"number\" min=\"0\" step=\"any\" inputmode=\"decimal\" value=\"{value}\"><span class=\"unit\">{}</span></label>",
        bound.name,
        if share { "%" } else { "" }
    )
}

/// The fitted curve, on request: its formula and how far it is off.
fn fit_words(view: &View) -> String {
    let (Some(fit), Some((x, y))) = (fitted(view), view.pairs.first()) else { return String::new() };
    let (across, up) = (&view.fields[*x], &view.fields[*y]);
    format!(
        "<p class=\"fit-ask\"><label><input type=\"checkbox\" id=\"fitted\"> fitted curve</label></p><p class=\"fit-words\">{} ≈ {}. Off by {} on average (root of the mean square), by {} at most. It describes this front and promises nothing between its points.</p>",
        text(&up.label),
        text(&fit.formula(&across.label)),
        up.format.show_difference(fit.error),
        up.format.show_difference(fit.largest)
    )
}

/// The flat regions in words.
fn flat_words(view: &View) -> String {
    if view.flat.is_empty() {
        return String::new();
    }
    let mut html = format!(
        "<p class=\"flat-words\"><b>Flat regions</b> (shaded): much privacy for little loss, at {} times the front’s average pace or better.</p><ol class=\"flat-list\">",
        number(TIMES)
    );
    for region in &view.flat {
        let (from, to) = (pick(view, region.from), pick(view, region.to));
        let _ = write!(html, "<li>{} ({from} → {to})</li>", text(&region.words));
    }
    html + "</ol>"
}

fn questions(front: &FrontFile, view: &View) -> String {
    if view.ids.is_empty() {
        return String::new();
    }
    let mut html = "<div class=\"usual-questions\"><h2>Usual questions</h2><table class=\"usual\"><tbody>".to_owned();
    for (question, answer) in usual(front, view) {
        let _ = write!(html, "<tr><th scope=\"row\">{question}</th><td>{answer}</td></tr>");
    }
    html + "</tbody></table></div>"
}

fn group_sizes(page: &Page) -> String {
    let plot = curves(page.front, page.curves);
    if plot.is_empty() {
        return String::new();
    }
    let words = "A row in a group of <i>n</i> rows cannot be told apart from <i>n</i> − 1 others. Where a line lies far to the right of <i>k</i>, most rows are protected better than <i>k</i> says.";
    format!(
        "<section class=\"sizes\"><h2>Group sizes of chosen solutions</h2><p class=\"note\">{words}</p><div class=\"plots one\">{plot}</div></section>\n"
    )
}

fn solutions(view: &View) -> String {
    let count = view.ids.len();
    let shown = count.min(WRITTEN);
    format!(
        "<section><h2>All solutions</h2><p class=\"note\">The numbers of front.json, rounded; point at one for all its digits. A click on a heading sorts. <label><input type=\"checkbox\" id=\"within\"> only those within the limits</label> <span id=\"count\">{} of {} shown</span> <button type=\"button\" id=\"all\"{}>Show all</button></p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"All solutions\">{}</div></section>\n",
        number(shown as f64),
        number(count as f64),
        if shown < count { "" } else { " hidden" },
        table(view),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::Objective;
    use crate::recode::{WrittenColumn, WrittenRecoding};
    use crate::view::testing::front_of;

    fn page_of(front: &FrontFile) -> String {
        html(&Page { title: "t", front, backdrops: &[], curves: &[], limits: Limits::default() })
    }

    #[test]
    fn labels_stay_text() {
        let evil = "</script><script>alert(1)</script><img src=x onerror=\"alert(2)\">'";
        let mut front = front_of(&[(9, 0.4), (5, 0.3)]);
        let shown = (evil.to_owned(), WrittenColumn::Cut(vec![evil.to_owned()]));
        front.solutions[0].recoding = WrittenRecoding::TableWide(vec![shown]);
        front.notes.push(evil.to_owned());
        front.loss = evil.to_owned();
        front.objectives[0].name = evil.to_owned();
        let backdrop = front.clone();
        let backdrops = [(evil.to_owned(), &backdrop)];
        let page = Page { title: evil, front: &front, backdrops: &backdrops, curves: &[], limits: Limits::default() };
        let html = html(&page);
        assert_eq!(html.matches("<script").count(), 2);
        assert_eq!(html.matches("</script").count(), 2);
        assert!(!html.contains("<img"));
        let svg = super::super::front_svg(&front, evil, &backdrops);
        assert!(!svg.contains("<script") && !svg.contains("<img"));
    }

    #[test]
    fn nothing_is_loaded() {
        let front = front_of(&[(9, 0.4), (5, 0.3)]);
        let html = page_of(&front);
        let mut rest = html.replace("http-equiv", "");
        rest.make_ascii_lowercase();
        for reference in ["http", "src=", "href=", "url(", "@import", "<link", "fetch(", "xmlhttp", "import("] {
            assert!(!rest.contains(reference), "{reference}");
        }
    }

    #[test]
    fn the_table_holds_the_numbers_of_the_front() {
        let front = front_of(&[(99_999, 0.512_345_678_9), (14, 0.248), (5, 0.3)]);
        let html = page_of(&front);
        let rows: Vec<&str> = html.split("<tr data-i=").skip(1).collect();
        assert_eq!(rows.len(), 3);
        for (row, solution) in rows.iter().zip(&front.solutions) {
            let cells: Vec<f64> = row
                .split("data-value=\"")
                .skip(1)
                .map(|cell| cell.split('"').next().unwrap().parse().unwrap())
                .collect();
            let expected = [
                solution.k as f64,
                solution.loss,
                solution.gl,
                solution.sl,
                solution.weighted_k,
                solution.necd,
                solution.suppressed.unwrap_or_default() as f64,
                front.dropped as f64 / (front.rows + front.dropped) as f64,
                solution.groups as f64,
                solution.alternatives as f64,
            ];
            assert_eq!(cells, expected);
        }
        assert!(rows[0].contains(">99,999<") && rows[0].contains(">51.23\u{a0}%<"), "{}", rows[0]);
    }

    #[test]
    fn all_that_is_left_out_and_every_warning_is_told() {
        let mut front = front_of(&[(14, 0.248)]);
        front.solutions[0].suppressed = Some(242);
        front.warnings = vec!["Column \"<b>\" is released as it is.".to_owned()];
        let html = page_of(&front);
        assert!(html.contains("2,399 more rows of the table, 7.37\u{a0}% of it, are left out"), "{html}");
        assert!(html.contains("30,162 of 32,561 (2,399 left out for missing values)"));
        assert!(html.contains("left out in all") && html.contains("8.11\u{a0}%"));
        assert!(html.contains("<b>Warning:</b> Column &quot;&lt;b&gt;&quot; is released"), "{html}");
        front.dropped = 0;
        assert!(!page_of(&front).contains("left out in all"));
    }

    #[test]
    fn three_objectives_have_three_plots() {
        let mut front = front_of(&[(9, 0.4), (5, 0.3)]);
        front.objectives = vec![Objective::max("k"), Objective::max("l"), Objective::min("loss")];
        for solution in &mut front.solutions {
            solution.l = Some(2.0);
            solution.objectives.insert(1, 2.0);
        }
        assert_eq!(page_of(&front).matches("data-plot=").count(), 3);
    }

    #[test]
    fn a_fitted_curve_is_there_on_request() {
        let points: Vec<(u64, f64)> = (1..20).rev().map(|k| (k, (k as f64).ln() / 5.0)).collect();
        let html = page_of(&front_of(&points));
        assert!(html.contains("<path class=\"fit\"") && html.contains("id=\"fitted\""));
        assert!(html.contains("≈ 0.0000 + 2.0000e-1 ln "), "{}", html.split("fit-words").last().unwrap());
        assert!(!page_of(&front_of(&points[..3])).contains("id=\"fitted\""));
    }

    #[test]
    fn an_empty_front_is_a_page() {
        assert!(page_of(&front_of(&[])).contains("No solution"));
    }
}
