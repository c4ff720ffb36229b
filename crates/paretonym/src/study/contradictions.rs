//! Keys of a `[[columns]]` section that contradict each other, or that no table means.

use super::{ColumnSpec, Generated, Roles};
use crate::data::{Kind, MOST_BINS, MOST_LEAVES, MOST_NAMED_BINS, Role, unusable_number};
use crate::error::{Error, Result};
use crate::recode::Family;
use crate::taxonomy::MAX_LEVELS;

impl ColumnSpec {
    /// Keys that contradict each other.
    pub fn validate(&self) -> Result<()> {
        self.check_roles()?;
        self.check_numbers()?;
        self.check_range()?;
        self.check_sizes()?;
        self.check_levels()?;
        if self.finest.is_some() && !self.role.has(Role::Quasi) {
            return self.wrong("finest is for quasi columns, which are recoded; remove it");
        }
        self.check_weight()
    }

    fn wrong(&self, problem: &str) -> Result<()> {
        Err(Error::study(format!("column {:?}: {problem}", self.name)))
    }

    /// Roles that a column cannot have together.
    fn check_roles(&self) -> Result<()> {
        if let Roles::More(roles) = &self.role {
            let fits = |role: &Role| matches!(role, Role::Quasi | Role::Target | Role::Sensitive);
            if roles.is_empty()
                || !roles.iter().all(fits)
                || (self.role.has(Role::Quasi) && self.role.has(Role::Sensitive))
            {
                return self.wrong("several roles are for a column that is a target beside being quasi or sensitive");
            }
        }
        Ok(())
    }

    /// Numbers where there are none, and such that no table means.
    fn check_numbers(&self) -> Result<()> {
        let numeric_keys = [
            ("range", self.range.is_some()),
            ("granularity", self.granularity.is_some()),
            ("bins", self.bins.is_some()),
            ("widths", self.widths.is_some()),
        ];
        if self.kind() != Kind::Numeric
            && let Some((key, _)) = numeric_keys.iter().find(|(_, set)| *set)
        {
            return self.wrong(&format!("{key} is for numeric columns; set kind = \"numeric\" or remove it"));
        }
        let range = self.range.iter().flat_map(|(low, high)| [("range", *low), ("range", *high)]);
        let widths = self.widths.iter().flatten().map(|width| ("widths", *width));
        let single = [("granularity", self.granularity), ("weight", self.weight)];
        let single = single.into_iter().filter_map(|(key, number)| Some((key, number?)));
        // A weight is relative, so that its size means nothing; it only has to be a number.
        let unusable = |(key, number): (&str, f64)| {
            let why = unusable_number(number).filter(|_| key != "weight" || !number.is_finite())?;
            Some(format!("{key}: {why}"))
        };
        if let Some(problem) = range.chain(widths).chain(single).find_map(unusable) {
            return self.wrong(&problem);
        }
        Ok(())
    }

    /// A range and its granularity.
    fn check_range(&self) -> Result<()> {
        if self.range.is_some() != self.granularity.is_some() {
            return self.wrong("range and granularity go together, such as range = [0, 100] and granularity = 5");
        }
        if let (Some((low, high)), Some(step)) = (self.range, self.granularity) {
            if !(low < high && step > 0.0 && (high - low).is_finite()) {
                return self.wrong(
                    "range must rise and granularity must be above 0, such as range = [0, 100], granularity = 5",
                );
            }
            let named = matches!(self.recode, Some(Family::Breaks | Family::Cuts));
            let (most, how) = if named { (MOST_NAMED_BINS, " for breaks and cuts") } else { (MOST_BINS, "") };
            if (high - low) / step > most as f64 {
                return self.wrong(&format!(
                    "range and granularity make more than {most} bins, the most there can be{how}; choose a larger \
                     granularity, or a narrower range"
                ));
            }
            if low + step <= low || high - step >= high {
                return self
                    .wrong("granularity is too small beside numbers as large as those of range; choose a larger one");
            }
        }
        Ok(())
    }

    /// More bins, levels or values than there can be.
    fn check_sizes(&self) -> Result<()> {
        if self.bins == Some(0) {
            return self.wrong("bins must be at least 1");
        }
        if self.bins.is_some_and(|bins| bins > MOST_BINS) {
            return self.wrong(&format!("bins must be at most {MOST_BINS}; 32 are plenty for most columns"));
        }
        let levels = self.widths.as_ref().map_or(0, Vec::len).max(self.groups.as_ref().map_or(0, Vec::len));
        if levels > MAX_LEVELS {
            return self.wrong(&format!("{levels} levels are more than the {MAX_LEVELS} that a column may have"));
        }
        if self.order.as_ref().is_some_and(|order| order.len() > MOST_LEAVES) {
            return self.wrong(&format!("order names more than {MOST_LEAVES} values; use a coarser column"));
        }
        Ok(())
    }

    /// Where the levels come from.
    fn check_levels(&self) -> Result<()> {
        if self.bins.is_some() && self.range.is_some() {
            return self.wrong("bins (equal frequency) and range (equal width) exclude each other");
        }
        let sources = [self.taxonomy.is_some(), self.widths.is_some(), self.groups.is_some(), self.hierarchy.is_some()];
        if sources.iter().filter(|set| **set).count() > 1 {
            return self.wrong("taxonomy, widths, groups and hierarchy each make the levels; keep one of them");
        }
        if self.taxonomy.is_some() && (self.range.is_some() || self.bins.is_some()) {
            return self.wrong("a taxonomy names its own values; remove range, granularity and bins");
        }
        if self.date_format.is_some() && self.hierarchy != Some(Generated::Dates) {
            return self.wrong("date_format is for dates; set hierarchy = \"dates\" or remove it");
        }
        if self.prefixes.is_some() && self.hierarchy != Some(Generated::Prefix) {
            return self.wrong("prefixes are for codes; set hierarchy = \"prefix\" or remove them");
        }
        if self.prefixes.as_ref().is_some_and(|prefixes| prefixes.is_empty() || prefixes.contains(&0)) {
            return self.wrong("prefixes are numbers of characters, from 1 on, such as prefixes = [5, 3, 1]");
        }
        let ordered_by_itself =
            self.taxonomy.is_some() || matches!(self.hierarchy, Some(Generated::Prefix | Generated::Dates));
        if self.kind() == Kind::Ordinal && self.order.is_none() && !ordered_by_itself {
            return self.wrong("an ordinal column needs order = [...] with all its values, or a taxonomy");
        }
        Ok(())
    }

    /// A relative weight.
    fn check_weight(&self) -> Result<()> {
        if let Some(weight) = self.weight
            && !(weight >= 0.0 && weight.is_finite())
        {
            return self.wrong("weight must be a number from 0 on");
        }
        Ok(())
    }
}
