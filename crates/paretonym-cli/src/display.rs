//! Numbers and tables for people.

use comfy_table::{ContentArrangement, Table, presets};
use paretonym::catalog;
use paretonym::front::{FrontFile, LeftOut, Quantity, Solution};
use paretonym::recode::{WrittenColumn, WrittenRecoding};

use paretonym::view::{self, Format, format_of};

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

/// A column of the table of solutions.
#[derive(Clone, Copy)]
enum Column<'f> {
    Id,
    Number(Quantity),
    /// An objective that is no number of every solution: its position and name.
    Objective(usize, &'f str),
    /// Where the front is not proven: what no recoding of this privacy can lose less than.
    LossAtLeast,
    /// Rows with missing values are gone as well, whatever the solution.
    LeftOut,
    Recoding,
}

impl Column<'_> {
    fn header(&self, front: &FrontFile) -> String {
        let name = match self {
            Column::Id => "solution",
            Column::Number(Quantity::L) => catalog::diversity(&front.privacy).1.label(),
            Column::Number(Quantity::Gl) => "of it cells",
            Column::Number(Quantity::Sl) => "suppressed",
            Column::Number(other) => other.name(),
            Column::Objective(_, name) => name,
            Column::LossAtLeast => "loss at least",
            Column::LeftOut => "left out in all",
            Column::Recoding => "recoding",
        };
        name.to_owned()
    }

    fn cell(&self, front: &FrontFile, solution: &Solution) -> String {
        let unknown = || "–".to_owned();
        match self {
            Column::Id => solution.id.to_string(),
            Column::Number(own) => match solution.value(*own) {
                Some(number) => value(front, own.name(), number),
                // A level that no column asks for is nothing, not unknown.
                None if matches!(own, Quantity::L | Quantity::T) => String::new(),
                None => unknown(),
            },
            Column::Objective(at, _) => number(solution.objectives[*at]),
            Column::LossAtLeast => {
                solution.loss_bound.map_or(String::new(), |bound| value(front, Quantity::Loss.name(), bound))
            }
            Column::LeftOut => match solution.value(Quantity::Sl) {
                Some(_) => percent(LeftOut::of(front, solution).share()),
                None => unknown(),
            },
            Column::Recoding => recoding(solution),
        }
    }
}

/// Solutions as a table.
pub fn solutions<'a>(front: &FrontFile, solutions: impl Iterator<Item = &'a Solution>) -> String {
    let sensitive = front.solutions.iter().any(|solution| solution.l.is_some());
    let mut columns = vec![Column::Id, Column::Number(Quantity::K)];
    for (at, objective) in front.objectives.iter().enumerate().filter(|(_, own)| !own.role().is_price()) {
        match Quantity::of(&objective.name) {
            Some(Quantity::K) => {}
            Some(Quantity::L | Quantity::T) if sensitive => {}
            _ => columns.push(Column::Objective(at, &objective.name)),
        }
    }
    if sensitive {
        columns.extend([Quantity::L, Quantity::T].map(Column::Number));
    }
    columns.push(Column::Number(Quantity::Loss));
    columns.extend(front.solutions.iter().any(|solution| solution.loss_bound.is_some()).then_some(Column::LossAtLeast));
    columns.extend([Quantity::Gl, Quantity::Sl].map(Column::Number));
    columns.extend((front.dropped > 0).then_some(Column::LeftOut));
    columns.extend([Column::Number(Quantity::Groups), Column::Recoding]);
    let header: Vec<String> = columns.iter().map(|column| column.header(front)).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = solutions.map(|solution| columns.iter().map(|column| column.cell(front, solution)).collect::<Vec<_>>());
    table(&header, rows.collect::<Vec<_>>())
}

/// A recoding in one line: the levels, or how many sets each column shows.
fn recoding(solution: &Solution) -> String {
    if let WrittenRecoding::Regions(boxes) = &solution.recoding {
        return format!("{boxes} regions");
    }
    let parts = solution.recoding.columns().iter().map(|(name, shown)| {
        let sets = match shown {
            WrittenColumn::Level(level) => return format!("{name} {level}"),
            WrittenColumn::Cut(nodes) => nodes.len(),
            WrittenColumn::Breaks(runs) => runs.len(),
        };
        format!("{name} {sets} {}", if sets == 1 { "set" } else { "sets" })
    });
    parts.collect::<Vec<_>>().join(", ")
}
