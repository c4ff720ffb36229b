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
    /// Its name, the same for all releases.
    pub name: String,
    /// A value per row, or per kind of row where `rows` says how many share it.
    pub values: Vec<f64>,
    /// Rows behind each value; one each where absent.
    pub rows: Option<Vec<u32>>,
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
    let tuple_rows = || Some(table.tuples.rows.clone());
    let property = |name: &str, vector: PropertyVector, value: &dyn Fn(f64) -> f64| Property {
        name: name.to_owned(),
        values: vector.values.iter().map(|own| value(*own)).collect(),
        rows: match vector.grain {
            Grain::Tuple => tuple_rows(),
            Grain::Attribute(attribute) => Some(table.tuples.attributes[attribute].counts.clone()),
        },
    };
    let mut properties = vec![
        property("group-size", K.vector(kept), &|size| size),
        property("utility", General::default().vector(kept), &|loss| columns * (1.0 - loss)),
    ];
    if table.sensitive().next().is_some() {
        properties.push(property("l", FrequencyL::new(table)?.vector(kept), &|level| level));
        properties.push(property("t", TCloseness::new(table)?.vector(kept), &|distance| -distance));
    }
    for attribute in table.sensitive() {
        let gone = kept.suppressed_group();
        let vector = PropertyVector::of_values(kept, attribute, |group, value| {
            let view = group.map(|group| kept.grouping.groups.view(group)).or(gone.as_ref().map(|gone| gone.view(0)));
            let (values, counts) = view.map_or((&[][..], &[][..]), |view| view.attribute(attribute));
            values.binary_search(&value).map_or(0.0, |at| f64::from(counts[at]))
        });
        let name = format!("sensitive-count:{}", table.attributes[attribute].name);
        properties.push(property(&name, vector, &|count| count));
    }
    Ok(properties)
}
