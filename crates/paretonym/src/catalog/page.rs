//! The reference pages of the catalogue: what `docs/definitions.md` and `docs/references.md` say of one entry.

use serde_json::{Value, json};

use super::all;
use super::json::entry_json;
use crate::error::{Error, Result};
use crate::measure::{Call, CatalogEntry};
use crate::theory::{DEFINITIONS, REFERENCES};

/// Everything that is said of one entry.
#[derive(Clone, Debug)]
pub struct Page {
    /// "privacy", "loss", "problem", …
    pub section: &'static str,
    /// Its line in the catalogue.
    pub entry: CatalogEntry,
    /// What its section says beside the entry, such as "monotone: per-row".
    pub property: String,
    /// Its definition, in Markdown.
    pub definition: &'static str,
    /// The works that it cites: the mark, and the work in full.
    pub references: Vec<(&'static str, &'static str)>,
}

/// The page of an entry by its name or an alias of it; parameters in brackets are passed over.
///
/// ```
/// let page = paretonym::catalog::page("t-closeness")?;
/// assert_eq!((page.section, page.entry.name), ("privacy", "t"));
/// assert!(page.definition.contains("earth mover's distance"));
/// assert!(page.references[0].1.contains("ICDE"));
///
/// let wrong = paretonym::catalog::page("recursiv-l").unwrap_err();
/// assert!(wrong.to_string().contains("did you mean \"recursive-l\"?"));
/// # Ok::<(), paretonym::error::Error>(())
/// ```
pub fn page(name: &str) -> Result<Page> {
    let call = Call::parse(name)?;
    let entries = all();
    // A name of its own comes before an alias: "weighted" is a loss, and what some call a comparator of sets.
    let place = entries.iter().position(|(_, entry, _)| entry.name == call.name);
    let place = place.or_else(|| entries.iter().position(|(_, entry, _)| entry.is_called(&call.name)));
    let (section, entry, property) = match place {
        Some(at) => entries[at].clone(),
        None => {
            let known = entries.iter().map(|(_, entry, _)| entry.name.to_owned()).collect();
            return Err(Error::UnknownName { what: "entry of the catalogue", name: call.name, known });
        }
    };
    let definition = section_of(DEFINITIONS, entry.name).unwrap_or_default();
    let references = cited(entry.reference);
    let references = references.into_iter().filter_map(|mark| Some((mark, section_of(REFERENCES, mark)?))).collect();
    Ok(Page { section, entry, property, definition, references })
}

impl Page {
    /// As people read it on a terminal.
    pub fn to_text(&self) -> String {
        let CatalogEntry { name, aliases, summary, parameters, .. } = self.entry;
        let mut text = format!("{name} ({})\n{summary}\n", self.section);
        if !aliases.is_empty() {
            text += &format!("also called {}\n", aliases.join(", "));
        }
        if !self.property.is_empty() {
            text += &format!("{}\n", self.property);
        }
        if !parameters.is_empty() {
            text += "\nParameters\n";
        }
        let width = parameters.iter().map(|one| one.name.chars().count()).max().unwrap_or_default();
        for one in parameters {
            text += &format!("  {:width$}  {} (default: {})\n", one.name, one.summary, one.default);
        }
        text += &format!("\nDefinition\n{}\n\nReference: {}\n", plain(self.definition), self.entry.reference);
        for (mark, work) in &self.references {
            text += &format!("\n[{mark}]\n{}\n", plain(work));
        }
        text
    }

    /// As other programs read it: what [`to_json`](super::to_json) says of it, with definition and references.
    pub fn to_json(&self) -> Value {
        let mut page = entry_json(self.section, &self.entry, &self.property);
        let references: Vec<Value> =
            self.references.iter().map(|(mark, work)| json!({ "mark": mark, "work": work })).collect();
        page["definition"] = json!(self.definition);
        page["references"] = json!(references);
        page
    }
}

/// The text below a heading of the third order, up to the next heading or the links at the end of the file.
fn section_of(text: &'static str, heading: &str) -> Option<&'static str> {
    let line = format!("\n### {heading}\n");
    let start = text.find(&line)? + line.len();
    let rest = &text[start..];
    let ends = ["\n## ", "\n### "].map(|heading| rest.find(heading).unwrap_or(rest.len()));
    // A link at the end of the file is "[mark]: file"; a paragraph may begin with a mark as well.
    let links = rest.match_indices("\n[").find(|(at, _)| is_link(rest[at + 1..].lines().next().unwrap_or_default()));
    let end = ends[0].min(ends[1]).min(links.map_or(rest.len(), |(at, _)| at));
    Some(rest[..end].trim())
}

fn is_link(line: &str) -> bool {
    line.starts_with('[') && line.contains("]: ")
}

/// The marks that a reference cites: its parts begin with them.
fn cited(reference: &str) -> Vec<&'static str> {
    let marks = || REFERENCES.lines().filter_map(|line| line.strip_prefix("### "));
    let begins = |part: &str, mark: &str| {
        let rest = part.strip_prefix(mark);
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    };
    let longest = |part: &str| marks().filter(|mark| begins(part, mark)).max_by_key(|mark| mark.len());
    reference.split("; ").filter_map(longest).collect()
}

/// Markdown as it looks best on a terminal: no fences, and links that say where they lead.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    let mut fenced = false;
    for line in markdown.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
            continue;
        }
        text += if fenced { "    " } else { "" };
        text += line;
        text.push('\n');
    }
    for link in DEFINITIONS.lines().chain(REFERENCES.lines()).filter(|line| is_link(line)) {
        let (mark, file) = link.split_once("]: ").unwrap_or_default();
        text = text.replace(&format!("]{mark}]"), &format!("] (docs/{file})"));
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_a_definition_and_full_references() {
        for (_, entry, _) in all() {
            let page = page(entry.name).unwrap();
            assert_eq!(page.entry.name, entry.name);
            assert!(page.definition.len() > 60, "docs/definitions.md has no section ### {}", entry.name);
            assert_eq!(
                page.references.len(),
                entry.reference.split("; ").count(),
                "{}: docs/references.md does not list all of {:?}",
                entry.name,
                entry.reference
            );
        }
    }

    #[test]
    fn definitions_cite_what_the_references_list() {
        let marks: Vec<&str> = REFERENCES.lines().filter_map(|line| line.strip_prefix("### ")).collect();
        let links: Vec<(&str, &str)> =
            DEFINITIONS.lines().filter(|line| is_link(line)).filter_map(|line| line.split_once("]: ")).collect();
        assert!(links.len() > 20);
        for (mark, file) in links {
            let mark = &mark[1..];
            if let Some(anchor) = file.strip_prefix("references.md#") {
                assert!(marks.contains(&mark), "docs/references.md has no section ### {mark}");
                assert_eq!(anchor, anchor_of(mark));
            }
        }
        for (at, mark) in marks.iter().enumerate() {
            assert!(!marks[..at].contains(mark), "{mark} is listed twice");
        }
    }

    /// As both GitHub and rustdoc make it of a heading.
    fn anchor_of(heading: &str) -> String {
        let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || *letter == ' ' || *letter == '-');
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    }

    #[test]
    fn pages_read_well_on_a_terminal() {
        let text = page("recursive-l(c=3)").unwrap().to_text();
        assert!(text.starts_with("recursive-l (privacy)\nlargest l with"), "{text}");
        assert!(text.contains("  c  how dominant the most frequent value may be (default: 2)"), "{text}");
        assert!(text.contains("\n    r1 < c (rl + ... + rm)"), "{text}");
        assert!(text.contains("\n[S0]\nR. Dewri"), "{text}");
        assert!(!text.contains("```") && !text.contains("]: "), "{text}");
        assert!(page("datafly").unwrap().to_text().contains("baselines] (docs/theory/baselines.md)"));
    }

    #[test]
    fn a_name_comes_before_an_alias() {
        assert_eq!(page("weighted").unwrap().section, "loss");
        assert_eq!(page("lexicographic").unwrap().entry.name, "lex");
    }
}
