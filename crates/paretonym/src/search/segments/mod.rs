//! **Segments.** The best of all partitions of one column while all other columns stay as they are.
//!
//! With the others fixed, a group is what they show (its *context*) and one run of leaves of the column. So whatever is a
//! sum over groups is a sum over the runs of a partition, and the best partition is a cheapest path from the first leaf to
//! the last, along runs: all of them for breaks, the nodes of the tree for cuts; of levels there are few enough to try.
//! [`ColumnCounts`] holds the rows of each context and leaf, [`Runs`] the runs that a column may show, [`Prices`] what each of
//! them comes to, and [`Route`] the path. Two sums are kept for each run, its cost and its weight, and a path is asked
//! for the least cost, for the least cost within a limit of weight, or for all that are best for some trade-off of the two:
//!
//! - at a size of groups k, a run costs what its groups of k rows and more lose and what the rows of smaller ones pay; these
//!   rows are its weight, and the limit is the budget of suppression;
//! - for the mean size of a row's group, where nothing is suppressed, a run costs what its groups lose; its weight is the sum
//!   of their squared sizes below zero.
//!
//! It holds where the loss is such a sum ([`GroupCost`](crate::measure::GroupCost)) and the level of a group is its number of
//! rows. Levels of other models would take a table of sensitive values for each run, and losses that divide by the number of
//! groups, or judge all suppressed rows together, are no sums over groups: there is no column move for those.

mod counts;
mod path;
mod price;
mod runs;
#[cfg(test)]
mod tests;

pub use counts::ColumnCounts;
pub use path::Route;
pub use price::Prices;
pub use runs::Runs;
