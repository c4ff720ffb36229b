//! What the genetic searches are made of: chromosomes, operators on them, sorting, and the evaluation of many at once.

mod crossover;
mod dice;
mod genome;
mod layout;
mod moves;
mod random;
mod repair;
#[cfg(test)]
mod tests;

pub use crossover::Crossover;
pub use dice::Dice;
pub use genome::Genome;
pub use layout::{Inner, Layout, Segment};
pub use moves::Move;
