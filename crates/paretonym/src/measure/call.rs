//! A name with parameters, as studies and options write it.

use super::CatalogEntry;
use crate::error::{Error, Result};

/// A name with parameters: `recursive-l(c=2)`.
///
/// ```
/// use paretonym::measure::Call;
///
/// let call = Call::parse("recursive-l(c=2.5)")?;
/// assert_eq!(call.name, "recursive-l");
/// assert_eq!(call.number("c", 2.0)?, 2.5);
/// assert_eq!(call.text("l"), None);
/// assert!(Call::parse("recursive-l(c=2").is_err());
/// # Ok::<(), paretonym::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The name.
    pub name: String,
    arguments: Vec<(String, String)>,
}

impl Call {
    /// Reads `name` or `name(a=1, b=x)`.
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        let malformed = || Error::study(format!("{text:?} is not a name with parameters such as recursive-l(c=2)"));
        let Some((name, rest)) = text.split_once('(') else {
            return Ok(Call { name: text.to_owned(), arguments: Vec::new() });
        };
        let inside = rest.strip_suffix(')').ok_or_else(malformed)?;
        let arguments = inside
            .split(',')
            .filter(|argument| !argument.trim().is_empty())
            .map(|argument| {
                let (name, value) = argument.split_once('=').ok_or_else(malformed)?;
                Ok((name.trim().to_owned(), value.trim().to_owned()))
            })
            .collect::<Result<_>>()?;
        Ok(Call { name: name.trim().to_owned(), arguments })
    }

    /// Adds parameters that were set elsewhere. What stands in the brackets counts before them.
    pub fn add(&mut self, name: &str, value: String) {
        if self.text(name).is_none() {
            self.arguments.push((name.to_owned(), value));
        }
    }

    /// The entry that goes by this name, with its parameters checked.
    pub fn find<'e, T>(&self, what: &'static str, all: &'e [T], entry: fn(&T) -> &CatalogEntry) -> Result<&'e T> {
        let found = all.iter().find(|one| entry(one).is_called(&self.name)).ok_or_else(|| Error::UnknownName {
            what,
            name: self.name.clone(),
            known: all.iter().map(|one| entry(one).name.to_owned()).collect(),
        })?;
        let known = entry(found).parameters;
        for (name, value) in &self.arguments {
            if known.is_empty() {
                return Err(Error::study(format!("{} has no parameters; leave out {name:?}", self.name)));
            }
            let own = known.iter().find(|parameter| parameter.name == name).ok_or_else(|| Error::UnknownName {
                what: "parameter",
                name: name.clone(),
                known: known.iter().map(|parameter| parameter.name.to_owned()).collect(),
            })?;
            own.takes.check(own.name, value)?;
        }
        Ok(found)
    }

    /// A parameter as text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// A parameter as a number.
    pub fn number<T: std::str::FromStr>(&self, name: &str, default: T) -> Result<T> {
        let Some(text) = self.text(name) else { return Ok(default) };
        let wrong = || Error::study(format!("{}: {name} must be a number, not {text:?}", self.name));
        // Rust reads "nan" and "inf" as numbers too, and no limit holds against them.
        if text.parse::<f64>().is_ok_and(|number| !number.is_finite()) {
            return Err(wrong());
        }
        text.parse().map_err(|_| wrong())
    }

    /// A parameter as a number, where it is set.
    pub fn optional<T: std::str::FromStr + Default>(&self, name: &str) -> Result<Option<T>> {
        self.text(name).map(|_| self.number(name, T::default())).transpose()
    }

    /// A parameter that is on or off; off where it is not set.
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == Some("true")
    }

    /// A parameter as one of several words.
    pub fn choice<T: Copy>(&self, name: &'static str, choices: &[(&str, T)]) -> Result<T> {
        let text = self.text(name).unwrap_or(choices[0].0);
        let found = choices.iter().find(|(word, _)| *word == text);
        found.map(|(_, value)| *value).ok_or_else(|| Error::UnknownName {
            what: name,
            name: text.to_owned(),
            known: choices.iter().map(|(word, _)| (*word).to_owned()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_parameters() {
        let call = Call::parse("recursive-l(c=2.5, x = y)").unwrap();
        assert_eq!((call.name.as_str(), call.text("x")), ("recursive-l", Some("y")));
        assert_eq!(call.number("c", 1.0).unwrap(), 2.5);
        assert_eq!(call.number("absent", 7u32).unwrap(), 7);
        assert!(call.number("x", 1.0).is_err());
        for odd in ["nan", "inf", "-inf", "1e999"] {
            assert!(Call::parse(&format!("l(c={odd})")).unwrap().number("c", 1.0).is_err(), "{odd}");
        }
        let plain = [CatalogEntry { name: "k", aliases: &[], summary: "", parameters: &[], reference: "" }];
        let told = Call::parse("k(c=2)").unwrap().find("model", &plain, |one| one).unwrap_err().to_string();
        assert!(told.contains("has no parameters"), "{told}");
        assert!(Call::parse("l(2)").is_err());
        assert!(Call::parse("l(c=2").is_err());
        assert_eq!(Call::parse(" k ").unwrap().name, "k");
    }
}
