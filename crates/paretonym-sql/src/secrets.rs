//! What a connection must not tell: passwords and whatever else its options hold. Drivers repeat such things in their errors;
//! nothing of what they say is shown before it went through here.

use std::fmt;

/// What stands where a secret was.
const HIDDEN: &str = "…";

/// Texts shorter than this stand in too many innocent places to be taken out of a sentence.
const SHORTEST: usize = 3;

/// Texts that are shown to nobody.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// Whatever these values hold: each as a whole, the name and the password of an address in it, and the values of its
    /// settings, as they are written and as they are meant.
    pub fn in_values<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut secrets: Vec<String> = Vec::new();
        for value in values {
            secrets.push(value.to_owned());
            secrets.extend(parts(value).flat_map(|part| [decoded(part), part.to_owned()]));
        }
        secrets.retain(|secret| secret.chars().count() >= SHORTEST);
        // A long secret that holds a short one goes first.
        secrets.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        secrets.dedup();
        Secrets(secrets)
    }

    /// A sentence without them.
    pub fn hide(&self, sentence: &str) -> String {
        self.0.iter().fold(sentence.to_owned(), |sentence, secret| sentence.replace(secret.as_str(), HIDDEN))
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secrets(…)")
    }
}

/// The parts of a value that may be secret by themselves: `name:password@` of an address, and what stands behind the equals
/// signs of settings.
fn parts(value: &str) -> impl Iterator<Item = &str> {
    let address = value.split_once("://").map_or(value, |(_, rest)| rest);
    // A password may hold any sign, an `@` among them: the last one ends it.
    let person = address.split(['/', '?']).next().and_then(|place| place.rsplit_once('@')).map(|(person, _)| person);
    let person = person.into_iter().flat_map(|person| person.splitn(2, ':'));
    let settings = value.split(['?', '&', ';', ' ']).filter_map(|setting| setting.split_once('=')).map(|(_, own)| own);
    person.chain(settings.map(|own| own.trim_matches(['\'', '"'])))
}

/// A part of an address with its percent signs read.
fn decoded(part: &str) -> String {
    let bytes = part.as_bytes();
    let (mut read, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let pair = part.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(byte) => {
                read.push(byte);
                at += 3;
            }
            None => {
                read.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&read).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_form_of_a_password_is_shown() {
        let secrets =
            Secrets::in_values(["postgresql://anna:p%40ss:word@db.example:5432/x?sslpassword=geheim", "token77"]);
        let said = secrets.hide(
            "FATAL: p@ss:word of anna (p%40ss:word) at postgresql://anna:p%40ss:word@db.example:5432/x?sslpassword=geheim, geheim token77",
        );
        for secret in ["p@ss", "p%40ss", "anna", "geheim", "token77"] {
            assert!(!said.contains(secret), "{said}");
        }
        assert!(said.starts_with("FATAL: "), "{said}");
        let settings = Secrets::in_values(["host=db user=anna password='s e c' dbname=x"]);
        assert!(!settings.hide("user anna").contains("anna"));
        assert_eq!(format!("{settings:?}"), "Secrets(…)");
    }

    #[test]
    fn words_too_short_to_be_secrets_stay() {
        assert_eq!(Secrets::in_values(["a", "x=1"]).hide("a sentence"), "a sentence");
    }
}
