//! Files of one table have the same columns, in whatever order.

use std::path::Path;

use paretonym::error::{Error, Result};

use crate::rows::file;

/// Columns that are named where files differ.
const TOLD: usize = 10;

/// Where each column of a file stands in the table that the first file describes; an error where one has a column that
/// the other lacks.
pub(crate) fn order_of(own: (&Path, &[String]), first: (&Path, &[String])) -> Result<Vec<usize>> {
    let place = |name: &String| first.1.iter().position(|other| other == name);
    let order: Option<Vec<usize>> =
        if own.1 == first.1 { Some((0..own.1.len()).collect()) } else { own.1.iter().map(place).collect() };
    order.filter(|order| order.len() == first.1.len()).ok_or_else(|| different(own, first))
}

fn different(own: (&Path, &[String]), first: (&Path, &[String])) -> Error {
    let only_in = |some: &[String], others: &[String]| {
        let only: Vec<String> =
            some.iter().filter(|name| !others.contains(name)).map(|name| format!("{name:?}")).collect();
        match only.len() {
            0 => None,
            many if many > TOLD => Some(format!("{} and {} more", only[..TOLD].join(", "), many - TOLD)),
            _ => Some(only.join(", ")),
        }
    };
    let more = only_in(own.1, first.1).map(|names| format!("it has {names}, which that file lacks"));
    let less = only_in(first.1, own.1).map(|names| format!("it lacks {names}"));
    let mut told: Vec<String> = more.into_iter().chain(less).collect();
    if told.is_empty() {
        told.push("it has a column twice".to_owned());
    }
    let problem = format!(
        "its columns are not those of {}: {}; all files of a table need the same columns",
        first.0.display(),
        told.join(", and ")
    );
    file::table(own.0, problem)
}
