//! What a release shows of a column, in words: what a publisher should read before anything is searched.

use super::{ColumnSpec, Generated, Roles};
use crate::data::{Role, format_number};

impl Roles {
    /// As a study writes it: "quasi", "quasi and target".
    pub fn words(&self) -> String {
        let word = |role: &Role| match role {
            Role::Identifying => "identifying",
            Role::Drop => "drop",
            Role::Quasi => "quasi",
            Role::Sensitive => "sensitive",
            Role::Target => "target",
            Role::Insensitive => "insensitive",
        };
        match self {
            Roles::One(role) => word(role).to_owned(),
            Roles::More(roles) => roles.iter().map(word).collect::<Vec<_>>().join(" and "),
        }
    }
}

impl ColumnSpec {
    /// "left out", "recoded (levels of 5, 10, 20)" or "shown as it is".
    pub fn shown(&self) -> String {
        if self.role.has(Role::Quasi) {
            return format!("recoded ({})", self.levels());
        }
        let gone = self.role.has(Role::Identifying) || self.role.has(Role::Drop);
        if gone { "left out" } else { "shown as it is" }.to_owned()
    }

    fn levels(&self) -> String {
        let list = |numbers: Vec<String>| numbers.join(", ");
        if let Some(widths) = &self.widths {
            return format!("levels of {}", list(widths.iter().map(|width| format_number(*width)).collect()));
        }
        let start = match (self.bins, self.granularity) {
            (Some(bins), _) => format!("{bins} bins with equally many rows, "),
            (None, Some(step)) => format!("intervals of {}, ", format_number(step)),
            _ => String::new(),
        };
        let rest = match (&self.groups, self.hierarchy, &self.taxonomy) {
            (Some(groups), ..) => format!("joined by {}", list(groups.iter().map(usize::to_string).collect())),
            (_, Some(Generated::Prefix), _) if self.prefixes.is_some() => {
                let shown = self.prefixes.iter().flatten().map(usize::to_string).collect();
                format!("the first {} characters shown", list(shown))
            }
            (_, Some(Generated::Prefix), _) => "the last characters masked".to_owned(),
            (_, Some(Generated::Dates), _) => "day, month, quarter, year, decade".to_owned(),
            (.., Some(_)) => "by its taxonomy".to_owned(),
            _ if start.is_empty() => "shown or hidden".to_owned(),
            _ => "joined".to_owned(),
        };
        start + &rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_in_words() {
        let shown = |text: &str| toml::from_str::<ColumnSpec>(&format!("name = \"x\"\n{text}")).unwrap().shown();
        assert_eq!(shown("role = \"drop\""), "left out");
        assert_eq!(shown("role = \"identifying\""), "left out");
        assert_eq!(shown("role = \"sensitive\""), "shown as it is");
        assert_eq!(shown("role = [\"quasi\", \"target\"]\nwidths = [5, 10, 20]"), "recoded (levels of 5, 10, 20)");
        assert_eq!(shown("role = \"quasi\"\nhierarchy = \"flat\""), "recoded (shown or hidden)");
        assert_eq!(
            shown("role = \"quasi\"\nbins = 32\ngroups = [2, 4]"),
            "recoded (32 bins with equally many rows, joined by 2, 4)"
        );
    }
}
