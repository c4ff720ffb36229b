//! What an objective stands for.

/// Whether an objective is a price, that is a loss or a share of suppressed rows; all others stand for privacy.
pub fn is_price(objective: &str) -> bool {
    matches!(role_of(objective), Role::Loss | Role::Suppression)
}

/// What a quantity stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Privacy,
    Loss,
    Suppression,
}

/// The role of a quantity, by its name in front.json.
fn role_of(name: &str) -> Role {
    match name {
        "loss" | "gl" => Role::Loss,
        "sl" => Role::Suppression,
        _ => Role::Privacy,
    }
}
