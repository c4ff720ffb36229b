//! What the genetic searches are made of: chromosomes, operators on them, sorting, and the evaluation of many at once.

mod column_move;
mod crossover;
mod dice;
mod evaluate;
mod genome;
mod layout;
mod moves;
mod population;
mod random;
mod repair;
mod sort;
#[cfg(test)]
mod tests;

pub use column_move::{Aim, ColumnMoves, Wish};
pub use crossover::Crossover;
pub use dice::Dice;
pub use evaluate::{Judged, Pool};
pub use genome::Genome;
pub use layout::{Inner, Layout, Segment};
pub use moves::Move;
pub use population::{Member, Population};
pub use sort::{Standing, sort};
