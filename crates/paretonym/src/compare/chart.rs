//! A comparison as a page: the verdict, and for each property the values of all rows, sorted, one line per release, as in
//! S2's figure 1. Strings only; no row can be told from a sorted line.

use std::fmt::Write;

use super::{Comparison, Release, verdict};
use crate::data::format_number;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 46.0;
/// Height of a line of names.
const LINE: f64 = 18.0;
/// A line has at most this many steps.
const STEPS: usize = 400;
const COLOURS: [&str; 6] = ["#0b6e99", "#c4500d", "#3a7d34", "#7d3c98", "#8a6d00", "#444444"];

/// The whole page: self-contained, without a script.
pub fn page(title: &str, releases: &[Release], comparison: &Comparison) -> String {
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title><style>body{{font:16px/1.5 \
         system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}}svg{{width:100%;height:auto}}\
         svg text{{font:12px system-ui,sans-serif}}</style></head><body><h1>{0}</h1>\n",
        escaped(title)
    );
    for sentence in verdict(comparison) {
        let _ = writeln!(html, "<p>{}</p>", escaped(&sentence));
    }
    for note in &comparison.notes {
        let _ = writeln!(html, "<p>{}</p>", escaped(note));
    }
    let is_known =
        |at: &usize| releases.iter().all(|one| one.properties[*at].values.iter().all(|value| !value.is_nan()));
    for at in (0..comparison.properties.len()).filter(is_known) {
        let kind = &comparison.properties[at].kind;
        let _ =
            writeln!(html, "<h2>{}</h2>\n<p>{}</p>\n{}", escaped(&kind.name()), kind.explained(), chart(releases, at));
    }
    html + "</body></html>\n"
}

/// The sorted values of one property of all releases as SVG.
pub fn chart(releases: &[Release], property: usize) -> String {
    let lines: Vec<Vec<(f64, f64)>> = releases.iter().map(|release| sorted(release, property)).collect();
    let values = || lines.iter().flatten().map(|point| point.1);
    let low = values().fold(f64::INFINITY, f64::min).min(0.0);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let ticks = ticks(low, if high > low { high } else { low + 1.0 });
    let (low, high) = (ticks[0], ticks[ticks.len() - 1]);
    let (legend, rows) = legend(releases);
    let top = TOP + LINE * rows as f64;
    let height = HEIGHT + LINE * rows as f64;
    let x = |share: f64| LEFT + share * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| height - BOTTOM - (value - low) / (high - low) * (height - top - BOTTOM);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"Sorted values of {}\">",
        escaped(&releases[0].properties[property].kind.name())
    );
    svg += &legend;
    for value in &ticks {
        let _ = write!(
            svg,
            "<path d=\"M{LEFT} {0:.1}H{1}\" stroke=\"#ddd\"/><text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>",
            y(*value),
            WIDTH - RIGHT,
            LEFT - 8.0,
            y(*value) + 4.0,
            format_number(*value)
        );
    }
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{} %</text>",
            x(share),
            height - BOTTOM + 18.0,
            share * 100.0
        );
    }
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">rows, from the worst off to the best off</text>",
        x(0.5),
        height - 8.0
    );
    for (at, line) in lines.iter().enumerate() {
        let mut path = String::new();
        let mut last = 0.0;
        for (share, value) in line {
            let _ = write!(
                path,
                "{}{:.1} {:.1}H{:.1}",
                if path.is_empty() { "M" } else { "L" },
                x(last),
                y(*value),
                x(*share)
            );
            last = *share;
        }
        let _ = write!(svg, "<path d=\"{path}\" {}/>", stroke(at));
    }
    svg + "</svg>"
}

/// How the line of a release is drawn.
fn stroke(at: usize) -> String {
    let dash = if at >= COLOURS.len() { " stroke-dasharray=\"5 3\"" } else { "" };
    format!("fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{dash}", COLOURS[at % COLOURS.len()])
}

/// The names of the releases above the chart, and how many lines they take.
fn legend(releases: &[Release]) -> (String, usize) {
    let (mut svg, mut left, mut row) = (String::new(), LEFT, 1);
    for (at, release) in releases.iter().enumerate() {
        let width = 44.0 + 7.0 * release.name.chars().count() as f64;
        if left > LEFT && left + width > WIDTH - RIGHT {
            (left, row) = (LEFT, row + 1);
        }
        let y = TOP + LINE * (row as f64 - 1.0);
        let _ = write!(
            svg,
            "<path d=\"M{left} {:.1}h22\" {}/><text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            y - 4.0,
            stroke(at),
            left + 28.0,
            escaped(&release.name)
        );
        left += width;
    }
    (svg, row)
}

/// Round numbers that cover a range, from at most its lower end to at least its upper one.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 4.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|part| part * power).into_iter().find(|step| *step >= rough * 0.999);
    let step = step.unwrap_or(10.0 * power);
    let (first, last) = ((low / step).floor() as i64, (high / step - 1e-9).ceil() as i64);
    // Twelve digits, so that 3 × 0.1 is 0.3.
    (first..=last.max(first + 1)).map(|at| crate::front::round(at as f64 * step)).collect()
}

/// Values in rising order, each with the share of rows up to and including it.
fn sorted(release: &Release, property: usize) -> Vec<(f64, f64)> {
    let own = &release.properties[property];
    let rows = |at: usize| own.rows.as_ref().map_or(1.0, |rows| rows[at] as f64);
    let mut order: Vec<usize> = (0..own.values.len()).collect();
    order.sort_by(|a, b| own.values[*a].total_cmp(&own.values[*b]));
    let total: f64 = (0..own.values.len()).map(rows).sum();
    let (mut points, mut before): (Vec<(f64, f64)>, f64) = (Vec::new(), 0.0);
    for at in order {
        before += rows(at);
        let point = (before / total, own.values[at]);
        match points.last_mut() {
            Some(last) if last.1 == point.1 => last.0 = point.0,
            _ => points.push(point),
        }
    }
    let step = points.len().div_ceil(STEPS).max(1);
    let last = points.len().saturating_sub(1);
    points.into_iter().enumerate().filter(|(at, _)| at % step == 0 || *at == last).map(|(_, point)| point).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::PropertyKind;
    use crate::compare::{Comparators, Matched, Property};

    fn release(name: &str, values: &[f64]) -> Release {
        let property = Property { kind: PropertyKind::GroupSize, values: values.to_vec(), rows: None };
        Release::new(name, vec![property], Matched::Solution)
    }

    #[test]
    fn lines_rise_to_all_rows() {
        let line = sorted(&release("A", &[4.0, 3.0, 3.0, 4.0, 7.0]), 0);
        assert_eq!(line, [(0.4, 3.0), (0.8, 4.0), (1.0, 7.0)]);
        let long: Vec<f64> = (0..10_000).map(f64::from).collect();
        let line = sorted(&release("A", &long), 0);
        assert!(line.len() <= STEPS + 1 && line[line.len() - 1] == (1.0, 9999.0));
    }

    #[test]
    fn axes_have_round_numbers() {
        assert_eq!(ticks(0.0, 1166.0), [0.0, 500.0, 1000.0, 1500.0]);
        assert_eq!(ticks(0.0, 9.0), [0.0, 2.5, 5.0, 7.5, 10.0]);
        assert_eq!(ticks(0.0, 0.4), [0.0, 0.1, 0.2, 0.3, 0.4]);
        assert_eq!(ticks(-3.0, 5.0), [-4.0, -2.0, 0.0, 2.0, 4.0, 6.0]);
    }

    #[test]
    fn names_cannot_break_the_page() {
        let releases = [release("<script>", &[1.0, 2.0]), release("B", &[2.0, 2.0])];
        let comparison = Comparison::new(&releases, &Comparators::default()).unwrap();
        let html = page("a & b", &releases, &comparison);
        assert!(!html.contains("<script") && html.contains("a &amp; b") && html.matches("<svg").count() == 1);
    }
}
