//! Studies of the random people: the same columns, whether the rows are in a file or in a database.

use crate::people::COLUMNS;

/// Two choices of quasi columns, each with a column of every hard kind.
pub const QUASI: [&[(&str, &str)]; 2] = [
    &[
        ("town", "kind = \"categorical\"\nrecode = \"levels\"\nhierarchy = \"flat\""),
        ("age", "kind = \"numeric\"\nrecode = \"levels\"\nwidths = [5, 10, 20, 40]"),
        ("Born on", "hierarchy = \"dates\"\nrecode = \"levels\""),
    ],
    &[
        ("price", "kind = \"numeric\"\nrecode = \"levels\"\nwidths = [5, 10]"),
        ("active", "kind = \"categorical\"\nrecode = \"levels\""),
        ("seen", "kind = \"categorical\"\nrecode = \"levels\"\nhierarchy = \"prefix\""),
        ("late", "kind = \"categorical\"\nrecode = \"levels\"\nhierarchy = \"flat\""),
    ],
];

/// A study: where its table is, what becomes of missing values, which columns are recoded, what is searched for.
pub fn study(data: &str, on_missing: &str, quasi: &[(&str, &str)], search: &str) -> String {
    let mut text = format!("[data]\n{data}on_missing = \"{on_missing}\"\n");
    for (name, _) in COLUMNS {
        let own = quasi.iter().find(|(quasi, _)| *quasi == name);
        let role = match (own, name) {
            (Some((_, settings)), _) => format!("role = \"quasi\"\n{settings}"),
            (None, "id") => "role = \"identifying\"".to_owned(),
            (None, "illness") => "role = \"sensitive\"\nkind = \"categorical\"".to_owned(),
            _ => "role = \"insensitive\"".to_owned(),
        };
        text += &format!("[[columns]]\nname = {}\n{role}\n", toml::Value::from(name));
    }
    text + "[search]\n" + search + "\n"
}
