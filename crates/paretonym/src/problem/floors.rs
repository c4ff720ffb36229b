//! Levels that every kept group must reach, whatever a problem trades.

use std::sync::Arc;

use crate::engine::LooksAt;
use crate::group::{GroupView, Kept, Needs};
use crate::measure::{Behaviour, Letter, Measure, Privacy, PropertyVector, SAME_LEVEL, Sense, worst_level};

/// A level that every kept group must reach in a privacy model.
#[derive(Clone)]
pub struct Floor {
    /// The model.
    pub model: Arc<dyn Privacy>,
    /// The level.
    pub level: f64,
}

impl Floor {
    fn misses(&self, group: GroupView) -> bool {
        let limit = self.model.sense().cost(self.level);
        self.model.cost(group) > limit + SAME_LEVEL * limit.abs().max(1.0)
    }
}

/// Several of them, all of which must hold.
///
/// As a privacy model they have two levels: 0 for a group that reaches them all, and 1 for one that does not.
#[derive(Clone, Default)]
pub struct Floors {
    /// The fewest rows of a group: what floors of k come to.
    rows: u64,
    /// The others.
    others: Vec<Floor>,
}

impl Floors {
    /// From levels in any models.
    pub fn new(floors: impl IntoIterator<Item = Floor>) -> Self {
        let mut own = Floors::default();
        for floor in floors {
            if floor.model.counts_rows() {
                let least = floor.level - SAME_LEVEL * floor.level.max(1.0);
                own.rows = own.rows.max(least.ceil() as u64);
            } else {
                own.others.push(floor);
            }
        }
        own
    }

    /// The fewest rows of a group.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Whether they ask for anything but rows.
    pub fn look_inside(&self) -> bool {
        !self.others.is_empty()
    }

    /// How many rows a group must lose at least before the rest of it can be cut into groups that reach them all.
    pub(super) fn least_lost(&self, group: GroupView) -> u64 {
        self.others.iter().map(|floor| floor.model.least_lost(group, floor.level)).max().unwrap_or_default()
    }

    /// Whether a group misses one of them.
    pub fn misses(&self, group: GroupView) -> bool {
        group.rows() < self.rows || self.others.iter().any(|floor| floor.misses(group))
    }

    /// Those that no finer recoding reaches with rows that miss them in a coarser one: the level of a row never falls when
    /// generalizing, or nothing is suppressed and that of the worst group does not.
    pub(super) fn bounding(&self, suppresses: bool) -> Floors {
        let bounds = |floor: &&Floor| match floor.model.behaviour() {
            Behaviour::PerRow => true,
            Behaviour::WorstGroup => !suppresses,
            Behaviour::Nothing => false,
        };
        Floors { rows: self.rows, others: self.others.iter().filter(bounds).cloned().collect() }
    }

    /// How many they are, those of k counting as one.
    pub(super) fn len(&self) -> usize {
        self.others.len() + usize::from(self.rows > 0)
    }
}

impl Measure for Floors {
    fn name(&self) -> String {
        "floors".to_owned()
    }

    fn sense(&self) -> Sense {
        Sense::Min
    }

    fn needs(&self) -> Needs {
        self.others.iter().fold(Needs::default(), |needs, floor| needs.or(floor.model.needs()))
    }

    fn score(&self, kept: &Kept) -> f64 {
        worst_level(self, kept)
    }

    fn vector(&self, kept: &Kept) -> PropertyVector {
        PropertyVector::of_levels(self, kept)
    }
}

impl Privacy for Floors {
    fn level(&self, group: GroupView) -> f64 {
        f64::from(self.misses(group))
    }

    fn looks_at(&self) -> LooksAt {
        self.others.iter().map(|floor| floor.model.looks_at()).max().unwrap_or(LooksAt::Rows)
    }

    fn behaviour(&self) -> Behaviour {
        Behaviour::Nothing
    }

    fn letter(&self) -> Letter {
        Letter::Other("floors")
    }
}
