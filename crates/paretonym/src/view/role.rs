//! What an objective stands for.

use crate::front::Quantity;

/// Whether an objective is a price, that is a loss or a share of suppressed rows; all others stand for privacy.
pub fn is_price(objective: &str) -> bool {
    Quantity::of(objective).is_some_and(|own| own.role().is_price())
}
