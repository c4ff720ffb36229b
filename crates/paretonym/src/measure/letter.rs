//! The letters by which people know privacy models.

/// What a privacy model's level is called where people read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letter {
    /// Rows in a group.
    K,
    /// Diversity of the sensitive values in a group.
    L(Diversity),
    /// Distance of a group's sensitive values from those of the table.
    T,
    /// A level that has a name only.
    Other(&'static str),
}

impl Letter {
    /// As an objective of front.json is called.
    pub fn name(self) -> &'static str {
        match self {
            Letter::K => "k",
            Letter::L(_) => "l",
            Letter::T => "t",
            Letter::Other(name) => name,
        }
    }
}

/// The forms of l-diversity: one number l means something else in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diversity {
    /// Rows over those of the most frequent value, rounded down.
    Frequency,
    /// Distinct values.
    Distinct,
    /// The exponential of the entropy.
    Entropy,
    /// The largest l of (c, l)-diversity.
    Recursive,
}

impl Diversity {
    /// What `l` is called where people read it: the form by frequency is a whole number, which 1.75 does not reach 2 in.
    pub fn label(self) -> &'static str {
        match self {
            Diversity::Frequency => "l (frequency, rounded down)",
            Diversity::Distinct => "l (distinct)",
            Diversity::Entropy => "l (entropy)",
            Diversity::Recursive => "l (recursive)",
        }
    }
}
