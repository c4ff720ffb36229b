//! One `[[columns]]` section of a study.

use serde::{Deserialize, Serialize, Serializer};

use crate::data::{DateFormat, Kind, Role};
use crate::recode::Family;

/// What a study says of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnSpec {
    /// Its name in the table.
    pub name: String,
    /// What it is to a release.
    pub role: Roles,
    /// How its values relate; guessed from the other keys where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// How it may be recoded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recode: Option<Family>,
    /// Numeric: the domain, cut into bins of `granularity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
    /// Numeric: the width of a bin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granularity: Option<f64>,
    /// Numeric: at most this many bins of equal frequency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bins: Option<usize>,
    /// Numeric: levels by interval width.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub widths: Option<Vec<f64>>,
    /// Ordered columns: levels by number of neighbouring leaves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<usize>>,
    /// Generated levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<Generated>,
    /// How many characters the levels of `hierarchy = "prefix"` show; one level for each number of them where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefixes: Option<Vec<usize>>,
    /// How the dates of `hierarchy = "dates"` are written, such as dd.mm.yyyy; guessed where only one way fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_format: Option<DateFormat>,
    /// A file of leaf lines, or nested lists.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "in_written_order")]
    pub taxonomy: Option<toml::Value>,
    /// Ordinal: all values in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<toml::Value>>,
    /// Relative weight in the weighted loss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Quasi columns: the finest level that any recoding shows; the values below it are not even counted by tuple.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finest: Option<u32>,
}

/// A taxonomy in a form that keeps the order of its nodes. TOML writes the lists of a table before its tables, which would
/// move leaves about; a list of tables with one entry each says the same and stays as it is.
fn in_written_order<S: Serializer>(taxonomy: &Option<toml::Value>, serializer: S) -> Result<S::Ok, S::Error> {
    fn ordered(value: &toml::Value) -> toml::Value {
        match value {
            toml::Value::Table(entries) => toml::Value::Array(single(entries).collect()),
            toml::Value::Array(items) => {
                // A table within a list adds its nodes to that list.
                let parts = items.iter().flat_map(|item| match item {
                    toml::Value::Table(entries) => single(entries).collect(),
                    other => vec![ordered(other)],
                });
                toml::Value::Array(parts.collect())
            }
            other => other.clone(),
        }
    }
    fn single(entries: &toml::Table) -> impl Iterator<Item = toml::Value> {
        let one = |(key, below): (&String, &toml::Value)| toml::Table::from_iter([(key.clone(), ordered(below))]);
        entries.iter().map(one).map(toml::Value::Table)
    }
    taxonomy.as_ref().map(ordered).serialize(serializer)
}

/// Levels that are made from the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Generated {
    /// 13053 → 1305* → 130** → …
    Prefix,
    /// Day → month → quarter → year → decade.
    Dates,
    /// Leaf → *.
    Flat,
}

/// One role, or several for a column that is quasi and target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Roles {
    /// One.
    One(Role),
    /// Several.
    More(Vec<Role>),
}

impl Roles {
    /// Whether a role is among them.
    pub fn has(&self, role: Role) -> bool {
        match self {
            Roles::One(own) => *own == role,
            Roles::More(own) => own.contains(&role),
        }
    }
}

impl ColumnSpec {
    /// Whether its values are counted: as part of a tuple, or inside of groups.
    pub fn is_counted(&self) -> bool {
        [Role::Quasi, Role::Sensitive, Role::Target].iter().any(|role| self.role.has(*role))
    }

    /// A column with nothing but a role.
    pub fn new(name: &str, role: Role) -> Self {
        ColumnSpec {
            name: name.to_owned(),
            role: Roles::One(role),
            kind: None,
            recode: None,
            range: None,
            granularity: None,
            bins: None,
            widths: None,
            groups: None,
            hierarchy: None,
            prefixes: None,
            date_format: None,
            taxonomy: None,
            order: None,
            weight: None,
            finest: None,
        }
    }

    /// The declared kind, or what the other keys say.
    pub fn kind(&self) -> Kind {
        self.kind.unwrap_or_else(|| {
            if self.range.is_some() || self.granularity.is_some() || self.bins.is_some() || self.widths.is_some() {
                Kind::Numeric
            } else if self.order.is_some() {
                Kind::Ordinal
            } else {
                Kind::Categorical
            }
        })
    }

    /// The values of `order` as text.
    pub fn order(&self) -> Option<Vec<String>> {
        // Cells are trimmed, and so are the values of taxonomies.
        let text =
            |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned());
        self.order.as_ref().map(|order| order.iter().map(text).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taxonomy::from_nested;

    #[test]
    fn a_written_study_keeps_the_order_of_a_taxonomy() {
        let text = "name = \"x\"\nrole = \"quasi\"\nweight = 1.0\n[taxonomy]\n\"not married\".never = []\n\
                    \"not married\".once = [\"divorced\", \"widowed\"]\nmarried = [\"b\", \"a\"]\nother = []\n";
        let column: ColumnSpec = toml::from_str(text).unwrap();
        let written: ColumnSpec = toml::from_str(&toml::to_string_pretty(&column).unwrap()).unwrap();
        let tree = |column: &ColumnSpec| from_nested("x", column.taxonomy.as_ref().unwrap()).unwrap();
        assert_eq!(tree(&column).0, ["never", "divorced", "widowed", "b", "a", "other"]);
        assert_eq!(tree(&column), tree(&written));
        let again: ColumnSpec = toml::from_str(&toml::to_string_pretty(&written).unwrap()).unwrap();
        assert_eq!(written, again);
    }
}
