//! Measures any release, whoever made it: the file is read and counted from scratch. Nothing here knows how a release
//! was made, and no code is shared with the grouping of the search, so that neither can hide the other's mistakes.

mod combinations;
mod count;
mod distance;
mod diversity;
mod groups;
mod join;
mod risk;
mod small_groups;

use paretonym::data::{Decimal, Encoding, Source};
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym::release::Audit;
use paretonym::taxonomy::Hierarchy;

pub use groups::Groups;

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct AuditRequest {
    /// The columns by which a person can be found.
    pub quasi: Vec<String>,
    /// The columns that must not be learned about a person.
    pub sensitive: Vec<SensitiveColumn>,
    /// Whether rows that show nothing but stars (or nothing at all) in the quasi columns are left out.
    pub ignore_suppressed: bool,
    /// How the numbers of the sensitive columns are written.
    pub decimal: Decimal,
    /// The risk above which a row counts as exposed.
    pub threshold: f64,
    /// The c of the recursive form of l-diversity.
    pub recursive_c: f64,
    /// How many columns are combined at most to find those that make rows unique; 0 = not looked for.
    pub combinations: usize,
    /// Lists the rows in groups smaller than this.
    pub below: Option<u64>,
    /// A file with the same columns about everybody whom the release could be about.
    pub population: Option<Source>,
}

impl AuditRequest {
    /// Only what the groups themselves tell.
    pub fn of(quasi: Vec<String>) -> Self {
        AuditRequest {
            quasi,
            sensitive: Vec::new(),
            ignore_suppressed: false,
            decimal: Decimal::Point,
            threshold: 0.2,
            recursive_c: 2.0,
            combinations: 0,
            below: None,
            population: None,
        }
    }
}

/// A sensitive column and the distance that t-closeness uses for it.
#[derive(Clone, Debug)]
pub struct SensitiveColumn {
    /// Its name.
    pub name: String,
    /// How far its values are from each other.
    pub distance: Distance,
}

/// How far the values of a sensitive column are from each other.
#[derive(Clone, Debug)]
pub enum Distance {
    /// Ordered where all values are numbers, nominal otherwise.
    Guessed,
    /// All values are equally far apart.
    Nominal,
    /// Numbers, in their order.
    Ordered,
    /// As a study says, with the original table as a second reference.
    Declared(Box<Declared>),
}

/// What a study knows of a sensitive column.
#[derive(Clone, Debug)]
pub struct Declared {
    /// How a cell becomes a value: labels and bins by position; numbers by [`Declared::numbers`]; texts by
    /// [`Declared::labels`].
    pub encoding: Encoding,
    /// The values in order.
    pub labels: Vec<String>,
    /// The values in ascending order, where they are single numbers.
    pub numbers: Vec<f64>,
    /// The value that stands for a missing cell.
    pub missing: Option<u32>,
    /// The cells that mean "missing".
    pub missing_cells: Vec<String>,
    /// Whether the order of the values counts.
    pub ordered: bool,
    /// The tree over the values, where there is one.
    pub tree: Option<Hierarchy>,
    /// Rows of the original table per value.
    pub original: Vec<u64>,
}

/// What an audit found, and the groups behind it.
pub struct Audited {
    /// The figures.
    pub audit: Audit,
    /// The groups.
    pub groups: Groups,
}

/// Measures a file.
pub fn audit(source: &Source, request: &AuditRequest, watch: &dyn Watch) -> Result<Audited> {
    if request.quasi.is_empty() {
        return Err(Error::study("name at least one quasi column: the columns by which a person can be found"));
    }
    for (at, name) in request.quasi.iter().enumerate() {
        if request.quasi[..at].contains(name) {
            return Err(Error::study(format!("quasi column {name:?} is named twice; name it once")));
        }
        if request.sensitive.iter().any(|column| column.name == *name) {
            return Err(Error::study(format!("column {name:?} is named as quasi and as sensitive; choose one")));
        }
    }
    if !(request.recursive_c > 0.0 && request.recursive_c.is_finite()) {
        return Err(Error::study("the c of recursive l-diversity must be a number above 0"));
    }
    if !(0.0..=1.0).contains(&request.threshold) {
        return Err(Error::study(format!(
            "the threshold is a risk from 0 to 1, such as 0.2, not {}",
            request.threshold
        )));
    }
    combinations::check(request.quasi.len(), request.combinations)?;
    let (groups, suppressed_rows) = count::count(source, request, watch)?;
    let population = match &request.population {
        Some(source) => {
            let plain = AuditRequest { sensitive: Vec::new(), ..request.clone() };
            Some(count::count(source, &plain, watch)?.0)
        }
        None => None,
    };
    let rows = groups.rows();
    let squares: f64 = groups.counts.iter().map(|count| (*count as f64) * (*count as f64)).sum();
    let (smallest, largest) =
        (groups.counts.iter().min().copied().unwrap_or(0), groups.counts.iter().max().copied().unwrap_or(0));
    let mut audit = Audit {
        rows,
        suppressed_rows,
        groups: groups.len() as u64,
        k: smallest,
        average_group: ratio(rows as f64, groups.len() as f64),
        weighted_k: ratio(squares, rows as f64),
        necd: ratio((largest - smallest) as f64, rows.saturating_sub(1) as f64),
        risk: risk::risk(&groups, population.as_ref(), request.threshold),
        discernibility: squares,
        group_sizes: risk::sizes(&groups),
        combinations: combinations::combinations(&groups, &request.quasi, request.combinations, watch)?,
        ..Audit::default()
    };
    if watch.cancelled() {
        return Err(Error::Cancelled);
    }
    diversity::measure(&groups, request, &mut audit);
    if let Some(k) = request.below {
        audit.below = Some(small_groups::rows_below(source, request, &groups, k, watch)?);
    }
    Ok(Audited { audit, groups })
}

/// A ratio that is 0 where there is nothing to divide by.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
