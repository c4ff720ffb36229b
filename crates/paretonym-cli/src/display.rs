//! Numbers and tables for people.

use comfy_table::{ContentArrangement, Table, presets};
use paretonym::front::{FrontFile, LeftOut, Solution, l_form, l_label};
use paretonym::view::{self, Format, format_of, is_price};

/// A plain table that fits the terminal.
pub fn table<R: IntoIterator<Item = String>>(header: &[&str], rows: impl IntoIterator<Item = R>) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_BORDERS_ONLY_CONDENSED);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header.to_vec());
    rows.into_iter().for_each(|row| {
        table.add_row(row);
    });
    table.to_string()
}

/// A share as people read it; with a space that people can search for.
pub fn percent(share: f64) -> String {
    view::percent(share).replace('\u{a0}', " ")
}

/// A number without needless digits.
pub fn number(value: f64) -> String {
    view::number(value)
}

/// A number of a front, by its name in front.json.
pub fn value(front: &FrontFile, name: &str, value: f64) -> String {
    match format_of(front, name) {
        Format::Share => percent(value),
        Format::Number => number(value),
    }
}

/// Warnings, one line each.
pub fn warnings(warnings: &[String]) -> String {
    warnings.iter().map(|warning| format!("WARNING: {warning}\n")).collect()
}

/// Solutions as a table.
pub fn solutions<'a>(front: &FrontFile, solutions: impl Iterator<Item = &'a Solution>) -> String {
    let shown: Vec<&str> = front
        .objectives
        .iter()
        .map(|objective| objective.name.as_str())
        .filter(|name| *name != "k" && !is_price(name))
        .collect();
    let sensitive = front.solutions.iter().any(|solution| solution.l.is_some());
    let mut header = vec!["solution", "k"];
    header.extend(shown.iter().filter(|name| !sensitive || !matches!(**name, "l" | "t")));
    header.extend(sensitive.then_some(["l", "t"]).into_iter().flatten());
    header.push("loss");
    // Where the front is not proven: what no recoding of this privacy can lose less than.
    header.extend(front.solutions.iter().any(|solution| solution.loss_bound.is_some()).then_some("loss at least"));
    header.extend(["of it cells", "suppressed"]);
    // Rows with missing values are gone as well, whatever the solution.
    header.extend((front.dropped > 0).then_some("left out in all"));
    header.extend(["groups", "recoding"]);
    let known = |solution: &Solution, name: &str, show: &dyn Fn(f64) -> String| {
        solution.number(name).map_or_else(|| "–".to_owned(), show)
    };
    let rows = solutions.map(|solution| {
        header
            .iter()
            .map(|name| match *name {
                "solution" => solution.id.to_string(),
                "k" | "groups" => known(solution, name, &number),
                "l" if solution.l.is_some() => number(solution.l.unwrap_or_default()),
                "t" if solution.t.is_some() => number(solution.t.unwrap_or_default()),
                "loss" => known(solution, "loss", &|loss| value(front, "loss", loss)),
                "loss at least" => solution.loss_bound.map_or(String::new(), |bound| value(front, "loss", bound)),
                "of it cells" => known(solution, "gl", &percent),
                "suppressed" => known(solution, "sl", &percent),
                "left out in all" => known(solution, "sl", &|_| percent(LeftOut::of(front, solution).share())),
                "recoding" => recoding(solution),
                other => {
                    let at = front.objectives.iter().position(|objective| objective.name == other);
                    at.map_or(String::new(), |at| number(solution.objectives[at]))
                }
            })
            .collect::<Vec<_>>()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let l = l_label(l_form(&front.privacy));
    header.iter_mut().filter(|name| **name == "l").for_each(|name| *name = &l);
    table(&header, rows)
}

/// A recoding in one line: the levels, or how many sets each column shows.
fn recoding(solution: &Solution) -> String {
    let parts = solution.recoding.iter().map(|(name, shown)| {
        if let Some(count) = shown.as_u64() {
            return format!("{count} {name}");
        }
        if let Some(level) = shown.get("level") {
            return format!("{name} {level}");
        }
        let sets = shown.get("cut").or(shown.get("breaks")).and_then(|sets| sets.as_array()).map_or(0, Vec::len);
        format!("{name} {sets} {}", if sets == 1 { "set" } else { "sets" })
    });
    parts.collect::<Vec<_>>().join(", ")
}
