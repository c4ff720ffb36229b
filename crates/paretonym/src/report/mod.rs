//! A front as people see it: a picture of the front as SVG.
//! Strings only: nothing here opens a file, and nothing here knows a row of the table.
//!
//! front → fields (the numbers with their names) → plots

mod escape;
mod fields;
mod flat;
mod front_plot;
mod number;
mod plot;
mod shade;
#[cfg(test)]
mod testing;
mod words;

pub use flat::{FlatRegion, flat_regions};
pub use front_plot::front_svg;
