//! The properties of a release, row by row, higher = better: how many people a person hides among, how much of a row can
//! still be read, how diverse a group is.

use serde::Serialize;

use crate::error::Result;
use crate::group::Kept;
use crate::loss::General;
use crate::measure::{Grain, Measure, PropertyVector};
use crate::privacy::{FrequencyL, K, TCloseness};

/// One property of one release.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// What it says of a row, the same for all releases.
    pub kind: PropertyKind,
    /// A value per row, or per kind of row where `rows` says how many share it.
    pub values: Vec<f64>,
    /// Rows behind each value; one each where absent.
    pub rows: Option<Vec<u64>>,
}

/// What a property says of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// Rows that share the row's shown values.
    GroupSize,
    /// How much of the row can still be read.
    Utility,
    /// Diversity of the sensitive values in its group.
    Diversity,
    /// Closeness of the sensitive values in its group to those of the table.
    Closeness,
    /// How often its value of a sensitive column occurs in its group.
    SensitiveCount(String),
}

impl PropertyKind {
    /// As `compare --json` spells it.
    pub fn name(&self) -> String {
        match self {
            PropertyKind::GroupSize => "group-size".to_owned(),
            PropertyKind::Utility => "utility".to_owned(),
            PropertyKind::Diversity => "l".to_owned(),
            PropertyKind::Closeness => "t".to_owned(),
            PropertyKind::SensitiveCount(column) => format!("sensitive-count:{column}"),
        }
    }

    /// What a value says, for those who look at a chart.
    pub fn explained(&self) -> &'static str {
        match self {
            PropertyKind::GroupSize => "Rows that share the row's shown values: more hide it better.",
            PropertyKind::Utility => {
                "Columns of the row that are still there, as a sum of shares: more keeps more detail."
            }
            PropertyKind::Diversity | PropertyKind::Closeness => "",
            PropertyKind::SensitiveCount(_) => "How often the row's sensitive value occurs in its group.",
        }
    }

    /// What a release that is better in it does for `{}`.
    pub fn gain(&self) -> Option<&'static str> {
        match self {
            PropertyKind::GroupSize => Some("gives {} a larger group"),
            PropertyKind::Utility => Some("keeps more detail for {}"),
            PropertyKind::Diversity => Some("puts {} into a more diverse group"),
            PropertyKind::Closeness => Some("puts {} into a group closer to the whole table"),
            PropertyKind::SensitiveCount(_) => None,
        }
    }
}

/// How the rows of a release were found to be those of the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matched {
    /// It is a solution of a front, whose rows are the table's.
    Solution,
    /// By a column that tells rows apart.
    Id,
    /// By the row keys that are kept of our own releases.
    RowKey,
    /// By their order, which nothing contradicts.
    Position,
}

/// A release and its properties, in the same order for all releases that are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Release {
    /// What it is called.
    pub name: String,
    /// Its properties. Those of a release whose rows could not be matched have their values in rising order, and no
    /// number (NaN) where a value depends on the row.
    pub properties: Vec<Property>,
    /// How its rows were matched; none where they could not be.
    pub matched: Option<Matched>,
    /// What the reader should know of it.
    pub notes: Vec<String>,
}

impl Release {
    /// A release whose values are those of the table's rows.
    pub fn new(name: impl Into<String>, properties: Vec<Property>, matched: Matched) -> Self {
        Release { name: name.into(), properties, matched: Some(matched), notes: Vec::new() }
    }
}

/// The properties of a recoding. Suppressed rows stay, as one fully generalized group. Needs a grouping that knows the
/// group of each tuple, with attributes where the table has sensitive columns.
pub fn properties_of(kept: &Kept) -> Result<Vec<Property>> {
    let table = kept.table;
    let columns = table.columns.len() as f64;
    let tuple_rows = || Some(table.tuples.rows.iter().collect());
    let property = |kind: PropertyKind, vector: PropertyVector, value: &dyn Fn(f64) -> f64| Property {
        kind,
        values: vector.values.iter().map(|own| value(*own)).collect(),
        rows: match vector.grain {
            Grain::Tuple => tuple_rows(),
            Grain::Attribute(attribute) => Some(table.tuples.attributes[attribute].counts.iter().collect()),
        },
    };
    let mut properties = vec![
        property(PropertyKind::GroupSize, K.vector(kept), &|size| size),
        property(PropertyKind::Utility, General::default().vector(kept), &|loss| columns * (1.0 - loss)),
    ];
    if table.sensitive().next().is_some() {
        properties.push(property(PropertyKind::Diversity, FrequencyL::new(table)?.vector(kept), &|level| level));
        properties.push(property(PropertyKind::Closeness, TCloseness::new(table)?.vector(kept), &|distance| -distance));
    }
    for attribute in table.sensitive() {
        let gone = kept.suppressed_group();
        let vector = PropertyVector::of_values(kept, attribute, |group, value| {
            let view = group.map(|group| kept.grouping.groups.view(group)).or(gone.as_ref().map(|gone| gone.view(0)));
            view.map_or(0.0, |view| view.attribute(attribute).rows(value) as f64)
        });
        let kind = PropertyKind::SensitiveCount(table.attributes[attribute].name.clone());
        properties.push(property(kind, vector, &|count| count));
    }
    Ok(properties)
}
