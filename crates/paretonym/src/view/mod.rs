//! What people are told about a front, decided once: the numbers with their names, formats and directions, which of them
//! are traded, the pairs to plot, flat regions, colours, limits and their words. The report is written from it, the page
//! gets it from the server, the program's tables use its rules. Nobody else decides a label or a format.
//!
//! Rules that must also follow a reader's hand (choosing, number formats, scales and ticks) have a twin in JavaScript,
//! one module each in `report/ui`, which report and page share; tests hold both to the same answers.

mod bound;
mod field;
mod flat;
mod live;
mod number;
mod recoding;
mod role;
mod scale;
mod shade;
#[cfg(test)]
pub(crate) mod testing;
mod words;

pub use bound::{Bound, opening_limits};
pub use field::{Field, ObjectiveField, format_of, value};
pub use flat::{FlatRegion, TIMES};
pub use live::{LiveAxes, LiveAxis};
pub use number::{Format, number, percent};
pub use recoding::{RecodedColumn, Told};
pub use role::is_price;
pub use scale::{Scale, log_ticks, ticks};
pub use shade::Shades;

use serde::Serialize;

use crate::front::{FrontFile, LeftOut, Limits, Quantity};

/// A front as it is shown. Solutions and fields are told by their positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The number of each solution.
    pub ids: Vec<u32>,
    /// Rows of the study.
    pub rows: u64,
    /// Rows that were left out before, for missing values.
    pub dropped: u64,
    /// The numbers that solutions have.
    pub fields: Vec<Field>,
    /// What was traded.
    pub objectives: Vec<ObjectiveField>,
    /// The fields that tell a solution from others in one line: privacy first, then what it costs.
    pub telling: Vec<Telling>,
    /// The fields across and up of each plot.
    pub pairs: Vec<(usize, usize)>,
    /// Whether the points of the one plot form a stair: one objective of privacy against one price.
    pub stair: bool,
    /// What may be limited.
    pub bounds: Vec<Bound>,
    /// The limits to open with.
    pub opening: Limits,
    /// Where much privacy costs little loss.
    pub flat: Vec<FlatRegion>,
    /// Colours by suppression.
    pub shades: Shades,
    /// What was traded, in one sentence.
    pub headline: String,
    /// How far the result can be trusted.
    pub trust: Trust,
    /// How it was computed: names and values.
    pub facts: Vec<(String, String)>,
    /// What concerns the whole front.
    pub warnings: Vec<String>,
    /// The same without what is said of some solutions.
    pub warnings_of_table: Vec<String>,
    /// What each solution does to each column.
    pub columns: Vec<RecodedColumn>,
    /// What each solution leaves out, for whatever reason.
    pub left_out: Told,
    /// What else concerns each solution.
    pub concerns: Told,
    /// The solutions that were not measured, since the work was stopped before.
    pub unmeasured: Vec<usize>,
}

/// A field in the line that tells of a solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Telling {
    /// The field.
    pub field: usize,
    /// What comes before its value: "k = ", "loss ".
    pub lead: String,
    /// Whether it is what the front is about.
    pub strong: bool,
}

/// How far a result can be trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trust {
    /// A word for its look.
    pub look: String,
    /// The sentence.
    pub words: String,
}

impl View {
    /// Of a front.
    pub fn new(front: &FrontFile) -> Self {
        let (fields, objectives) = field::fields(front);
        let find = |key: &str| fields.iter().position(|field| field.key == key);
        let suppressed =
            find(Quantity::Sl.name()).map_or(vec![None; front.solutions.len()], |sl| fields[sl].values.clone());
        let left_out = front.solutions.iter().map(|solution| match solution.described {
            true => LeftOut::of(front, solution).words(),
            false => "what is left out is not measured yet".to_owned(),
        });
        let concern = "Some group has but one value of a sensitive column (l = 1).";
        let unmeasured = front.solutions.iter().enumerate().filter(|(_, solution)| !solution.described);
        View {
            ids: front.solutions.iter().map(|solution| solution.id).collect(),
            rows: front.rows,
            dropped: front.dropped,
            telling: telling(front, &fields, &objectives),
            pairs: pairs(&fields, &objectives),
            stair: objectives.len() == 2 && objectives.iter().filter(|own| own.private).count() == 1,
            bounds: bound::bounds(&fields),
            opening: opening_limits(front),
            flat: flat::regions(&fields, &objectives),
            shades: Shades::new(&suppressed),
            headline: words::headline(front),
            trust: words::trust(front),
            facts: words::facts(front),
            warnings: front.warnings.clone(),
            warnings_of_table: front.warnings_of_table(),
            columns: recoding::columns(front),
            left_out: Told::new(left_out.map(Some)),
            concerns: Told::new(front.solutions.iter().map(|one| (one.one_valued > 0).then(|| concern.to_owned()))),
            unmeasured: unmeasured.map(|(at, _)| at).collect(),
            fields,
            objectives,
        }
    }

    /// A field by its name in front.json.
    pub fn find(&self, key: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.key == key)
    }

    /// A solution in a line: parts such as "k = 14" and "loss 24.80 %", with whether they are what the front is about.
    pub fn line(&self, at: usize) -> Vec<(String, bool)> {
        let part = |one: &Telling| (format!("{}{}", one.lead, self.fields[one.field].show(at)), one.strong);
        self.telling.iter().map(part).collect()
    }
}

fn telling(front: &FrontFile, fields: &[Field], objectives: &[ObjectiveField]) -> Vec<Telling> {
    let privacy: Vec<usize> = objectives.iter().filter(|own| own.private).map(|own| own.field).collect();
    let suppresses = front.solutions.iter().any(|solution| solution.suppressed > Some(0));
    let k = Quantity::K.name();
    let suppression = suppresses.then_some(Quantity::Sl.name());
    let keys = [Some(k), Some(Quantity::Loss.name()), suppression, Some(words::LEFT_OUT)].into_iter().flatten();
    let others = keys.filter_map(|key| fields.iter().position(|field| field.key == key));
    let mut list: Vec<Telling> = Vec::new();
    for field in privacy.iter().copied().chain(others) {
        if list.iter().all(|one| one.field != field) {
            let strong = privacy.contains(&field);
            let equals = strong || fields[field].key == k;
            let lead = format!("{}{}", fields[field].label, if equals { " = " } else { " " });
            list.push(Telling { field, lead, strong });
        }
    }
    list
}

/// One pair that stands for a front, or all pairs of more than two objectives.
fn pairs(fields: &[Field], objectives: &[ObjectiveField]) -> Vec<(usize, usize)> {
    if objectives.len() > 2 {
        let later = |at: usize| objectives[at + 1..].iter().map(move |y| (objectives[at].field, y.field));
        return (0..objectives.len()).flat_map(later).collect();
    }
    let find = |key: &str| fields.iter().position(|field| field.key == key);
    let of = |private: bool| objectives.iter().find(|own| own.private == private).map(|own| own.field);
    let Some(x) = of(true).or(find(Quantity::K.name())).or((!fields.is_empty()).then_some(0)) else {
        return Vec::new();
    };
    let y = of(false).or_else(|| objectives.get(1).map(|own| own.field)).or(find(Quantity::Loss.name())).unwrap_or(x);
    vec![(x, y)]
}
