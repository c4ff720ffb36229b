//! The numbers of a solution, by the names that front.json gives them.

/// A number that every solution has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Size of the smallest group.
    K,
    /// The study's loss.
    Loss,
    /// General loss of the kept rows.
    Gl,
    /// Share of suppressed rows.
    Sl,
    /// Mean over rows of the size of their group.
    WeightedK,
    /// The least l.
    L,
    /// The largest t.
    T,
    /// Spread of group sizes.
    Necd,
    /// Suppressed rows.
    Suppressed,
    /// Groups.
    Groups,
    /// Other recodings that reach the same objectives.
    Alternatives,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Quantity; 11] = [
        Quantity::K,
        Quantity::Loss,
        Quantity::Gl,
        Quantity::Sl,
        Quantity::WeightedK,
        Quantity::L,
        Quantity::T,
        Quantity::Necd,
        Quantity::Suppressed,
        Quantity::Groups,
        Quantity::Alternatives,
    ];

    /// As front.json spells it.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::K => "k",
            Quantity::Loss => "loss",
            Quantity::Gl => "gl",
            Quantity::Sl => "sl",
            Quantity::WeightedK => "weighted_k",
            Quantity::L => "l",
            Quantity::T => "t",
            Quantity::Necd => "necd",
            Quantity::Suppressed => "suppressed",
            Quantity::Groups => "groups",
            Quantity::Alternatives => "alternatives",
        }
    }

    /// The quantity that front.json spells so; none for an objective that only its problem knows.
    pub fn of(name: &str) -> Option<Self> {
        Quantity::ALL.into_iter().find(|own| own.name() == name)
    }

    /// What it is to a publisher.
    pub fn role(self) -> Role {
        match self {
            Quantity::Loss | Quantity::Gl => Role::Loss,
            Quantity::Sl => Role::Suppression,
            Quantity::K | Quantity::WeightedK | Quantity::L | Quantity::T => Role::Privacy,
            Quantity::Necd | Quantity::Suppressed | Quantity::Groups | Quantity::Alternatives => Role::Other,
        }
    }
}

/// What a number is to a publisher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// How well people are protected.
    Privacy,
    /// What is lost in the cells that are kept, or in all.
    Loss,
    /// What is lost in rows that are not released.
    Suppression,
    /// None of them, or the same in another unit.
    Other,
}

impl Role {
    /// Whether it is a price: loss of cells or of rows.
    pub fn is_price(self) -> bool {
        matches!(self, Role::Loss | Role::Suppression)
    }
}
