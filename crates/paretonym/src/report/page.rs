//! The page: its parts in the order in which they are read.

use std::fmt::Write;

use super::Page;
use super::curves::curves;
use super::data::data;
use super::escape::{script_json, text};
use super::fields::Fields;
use super::flat::{self, regions};
use super::front_plot::{fitted, main_pair, plots};
use super::number::{Kind, number};
use super::questions::{answer, asked, pick, usual};
use super::table::{WRITTEN, table};
use super::words;

/// What the page may load: nothing but itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// The report of a front: one file, all in it.
pub fn html(page: &Page) -> String {
    let fields = Fields::new(page.front);
    let title = text(page.title);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title>\n<style>\n{}{}</style></head>\n<body>\n",
        include_str!("plot.css"),
        include_str!("report.css"),
    );
    html.push_str(&head(page));
    html.push_str("<main>\n");
    html.push_str(&front(page, &fields));
    html.push_str(&group_sizes(page));
    html.push_str(&solutions(&fields));
    html.push_str("</main>\n<div id=\"tip\" role=\"status\" hidden></div>\n");
    let _ = writeln!(
        html,
        "<script type=\"application/json\" id=\"data\">{}</script>",
        script_json(&data(&fields, &page.limits))
    );
    let _ = writeln!(html, "<script>\n{}</script>\n</body></html>", include_str!("report.js"));
    html
}

/// What was traded, how it was computed, how far to trust it.
fn head(page: &Page) -> String {
    let (look, trust) = words::trust(page.front);
    let mut html = format!(
        "<header><h1>{}</h1><p class=\"lead\">{}</p><p class=\"trust {look}\">{}</p>",
        text(page.title),
        words::headline(page.front),
        text(&trust)
    );
    html.push_str("<dl class=\"facts\">");
    for (name, value) in words::facts(page.front) {
        let _ = write!(html, "<div><dt>{name}</dt><dd>{}</dd></div>", text(&value));
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

/// The plots with, beside them, the limits and the solution that is looked at, and the usual questions.
fn front(page: &Page, fields: &Fields) -> String {
    let shape = if fields.objectives.len() > 2 { "front wide" } else { "front" };
    let mut html = format!("<section class=\"{shape}\"><div class=\"figure\"><h2>The front</h2>");
    html.push_str(&plots(fields, page.backdrops));
    html.push_str(&fit_words(fields));
    html.push_str(&flat_words(fields));
    html.push_str(
        "</div><aside><div class=\"ask\"><h2>What do your limits allow?</h2><form id=\"limits\" autocomplete=\"off\">",
    );
    for one in asked(fields, &page.limits) {
        let share = fields.list[one.field].kind == Kind::Share;
        let label = match one.name {
            "max_loss" => "loss at most",
            "max_suppression" => "suppressed at most",
            "min_k" => "<i>k</i> at least",
            "min_l" => "<i>l</i> at least",
            _ => "<i>t</i> at most",
        };
        let value = one.value.map_or(String::new(), |value| {
            crate::data::format_number(crate::front::round(if share { value * 100.0 } else { value }))
        });
        let unit = if share { "%" } else { "" };
        let _ = write!(
            html,
            "<label><span>{label}</span><input name=\"{}\" type=\"number\" min=\"0\" step=\"any\" inputmode=\"decimal\" value=\"{value}\"><span class=\"unit\">{unit}</span></label>",
            one.name
        );
    }
    html.push_str("<button type=\"reset\">Clear</button></form>");
    let _ = write!(html, "</div><div id=\"answer\" aria-live=\"polite\">{}</div>", answer(fields, &page.limits));
    html.push_str("<div id=\"chosen\" hidden></div></aside>");
    html.push_str(&questions(fields));
    html.push_str("</section>\n");
    html
}

/// The fitted curve, on request: its formula and how far it is off.
fn fit_words(fields: &Fields) -> String {
    let Some(fit) = fitted(fields) else { return String::new() };
    let (x, y) = main_pair(fields);
    let (across, up) = (&fields.list[x], &fields.list[y]);
    let off = |error: f64| match up.kind {
        Kind::Share => format!("{} points", Kind::Share.show(error).replace("\u{a0}%", "")),
        _ => number(crate::front::round(error)),
    };
    format!(
        "<p class=\"fit-ask\"><label><input type=\"checkbox\" id=\"fitted\"> fitted curve</label></p><p class=\"fit-words\">{} ≈ {}. Off by {} on average (root of the mean square), by {} at most. It describes this front and promises nothing between its points.</p>",
        text(&up.label),
        text(&fit.formula(&across.label)),
        off(fit.error),
        off(fit.largest)
    )
}

/// The flat regions in words.
fn flat_words(fields: &Fields) -> String {
    let regions = regions(fields);
    if regions.is_empty() {
        return String::new();
    }
    let (x, y) =
        (fields.telling()[0], fields.objectives.iter().copied().find(|field| fields.list[*field].key == "loss"));
    let mut html = format!(
        "<p class=\"flat-words\"><b>Flat regions</b> (shaded): much privacy for little loss, at {} times the front’s average pace or better.</p><ol class=\"flat-list\">",
        number(flat::TIMES)
    );
    let across = &fields.list[x];
    for region in regions {
        let pay = match y.map(|y| fields.list[y].kind) {
            Some(Kind::Share) => format!("{} points", Kind::Share.show(region.pay).replace("\u{a0}%", "")),
            _ => number(crate::front::round(region.pay)),
        };
        let solutions = &fields.front.solutions;
        let _ = write!(
            html,
            "<li>{} {} → {} for {pay} of loss ({} → {})</li>",
            text(&across.label),
            across.show(region.from),
            across.show(region.to),
            pick(region.from, solutions[region.from].id),
            pick(region.to, solutions[region.to].id),
        );
    }
    html + "</ol>"
}

fn questions(fields: &Fields) -> String {
    if fields.front.solutions.is_empty() {
        return String::new();
    }
    let mut html = "<div class=\"usual-questions\"><h2>Usual questions</h2><table class=\"usual\"><tbody>".to_owned();
    for (question, answer) in usual(fields) {
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

fn solutions(fields: &Fields) -> String {
    let count = fields.front.solutions.len();
    let shown = count.min(WRITTEN);
    format!(
        "<section><h2>All solutions</h2><p class=\"note\">The numbers of front.json, rounded; point at one for all its digits. A click on a heading sorts. <label><input type=\"checkbox\" id=\"within\"> only those within the limits</label> <span id=\"count\">{} of {} shown</span> <button type=\"button\" id=\"all\"{}>Show all</button></p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"All solutions\">{}</div></section>\n",
        number(shown as f64),
        number(count as f64),
        if shown < count { "" } else { " hidden" },
        table(fields),
    )
}

#[cfg(test)]
mod tests {
    use super::super::testing::front_of;
    use super::*;
    use crate::front::{FrontFile, Limits, Objective};
    use crate::recode::{WrittenColumn, WrittenRecoding};

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
