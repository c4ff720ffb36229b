//! Names of tables.

use paretonym::error::{Error, Result};

use crate::dialect::Dialect;

/// The name of a table, perhaps with that of its schema and catalogue before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableName {
    parts: Vec<String>,
}

impl TableName {
    /// Reads `people`, `public.people` or `"My schema"."My.table"`: dots separate parts, unless they stand in double quotes.
    pub fn read(text: &str) -> Result<Self> {
        let wrong = |problem: &str| Error::study(format!("table = {text:?}: {problem}"));
        let (mut parts, mut part, mut letters, mut quoted) =
            (Vec::new(), String::new(), text.chars().peekable(), false);
        while let Some(letter) = letters.next() {
            match letter {
                '"' if quoted && letters.peek() == Some(&'"') => part.extend(letters.next()),
                '"' => quoted = !quoted,
                '.' if !quoted => parts.push(std::mem::take(&mut part)),
                '\0' => return Err(wrong("a name holds no zero character")),
                letter => part.push(letter),
            }
        }
        parts.push(part);
        if quoted {
            return Err(wrong("a quotation mark is not closed"));
        }
        if parts.iter().any(String::is_empty) {
            return Err(wrong("a part of the name is empty; write name, schema.name or \"name with . in it\""));
        }
        Ok(TableName { parts })
    }

    /// As it stands in a query.
    pub fn quoted(&self, dialect: Dialect) -> String {
        self.parts.iter().map(|part| dialect.quote(part)).collect::<Vec<_>>().join(".")
    }

    /// As [`TableName::read`] reads it.
    pub fn text(&self) -> String {
        let quoted = |part: &String| format!("\"{}\"", part.replace('"', "\"\""));
        self.parts.iter().map(quoted).collect::<Vec<_>>().join(".")
    }

    /// The last part, without schema and catalogue.
    pub fn last(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }

    /// The part before the last, where there is one.
    pub(crate) fn schema(&self) -> Option<&str> {
        self.parts.len().checked_sub(2).map(|at| self.parts[at].as_str())
    }

    /// Another table in the same schema.
    pub fn sibling(&self, name: &str) -> Self {
        let mut parts = self.parts.clone();
        if let Some(last) = parts.last_mut() {
            name.clone_into(last);
        }
        TableName { parts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_quoted() {
        let quoted = |text: &str| TableName::read(text).unwrap().quoted(Dialect::named("postgresql").unwrap());
        assert_eq!(quoted("people"), "\"people\"");
        assert_eq!(quoted("public.people"), "\"public\".\"people\"");
        assert_eq!(quoted("\"My.schema\".\"a \"\"b\"\"\""), "\"My.schema\".\"a \"\"b\"\"\"");
        for wrong in ["", ".", "a.", "\"a", "a..b"] {
            assert!(TableName::read(wrong).unwrap_err().is_input(), "{wrong}");
        }
        let spark = TableName::read("db.people").unwrap().sibling("x`y");
        assert_eq!(spark.quoted(Dialect::named("spark").unwrap()), "`db`.`x``y`");
    }
}
