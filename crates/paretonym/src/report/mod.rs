//! A front as people read it: one HTML file that opens from disk without a network, and a picture of the front as SVG.
//! Strings only: nothing here opens a file, and nothing here knows a row of the table.
//!
//! front → view (see [`crate::view`]) → plots, questions, table → page

mod curves;
mod escape;
mod fit;
mod front_plot;
mod inline;
mod legend;
mod page;
mod picture;
mod plot;
mod questions;
mod stair;
mod table;

pub use front_plot::front_svg;
pub use inline::{MODULES, Module};
pub use page::html;

use crate::front::{FrontFile, Limits};

/// What a report shows.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The headline, such as the name of the table.
    pub title: &'a str,
    /// The front.
    pub front: &'a FrontFile,
    /// Fronts of other families on the same table, each with its name, laid behind the front.
    pub backdrops: &'a [(String, &'a FrontFile)],
    /// Cumulative group sizes of some solutions; may be empty.
    pub curves: &'a [GroupCurve],
    /// The limits that the page opens with.
    pub limits: Limits,
}

/// How the rows of a solution are spread over its groups.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupCurve {
    /// The solution.
    pub id: u32,
    /// A group size and the share of rows in groups of at most that size, ascending.
    pub points: Vec<(u64, f64)>,
}
