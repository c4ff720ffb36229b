//! The types of the Rust source that can become JSON.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use syn::{Attribute, Expr, Fields, Item, Lit, Meta, Type};

/// A type that is serialized.
pub struct Declared {
    pub about: String,
    pub shape: Shape,
}

/// What its JSON looks like.
pub enum Shape {
    /// An object.
    Object(Vec<Property>),
    /// One of some words, or one of some types.
    Either(Vec<Case>),
    /// As another type.
    As(String),
    /// As what it wraps.
    Wraps(Type),
}

/// A field of an object.
pub struct Property {
    pub name: String,
    pub about: String,
    pub of: Type,
    /// It may be left out.
    pub optional: bool,
    /// Its own fields stand in its place.
    pub flat: bool,
    /// How it is written, where serde is told a way of ours.
    pub with: Option<String>,
}

/// One variant of an enum.
pub enum Case {
    /// `"word"`
    Word(String),
    /// What it holds, without a name.
    Untagged(Type),
    /// `{ "name": what it holds }`
    Tagged(String, Type),
}

/// All types below some folders that derive `Serialize`, by name. Some names stand twice; that matters only where they are asked for.
pub fn answers(folders: &[PathBuf]) -> BTreeMap<String, Vec<Declared>> {
    let mut found: BTreeMap<String, Vec<Declared>> = BTreeMap::new();
    for file in folders.iter().flat_map(|folder| rust_files(folder)) {
        let text = std::fs::read_to_string(&file).unwrap();
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for item in parsed.items {
            let (name, attributes, shape) = match &item {
                Item::Struct(own) if is_serialized(&own.attrs) => {
                    (&own.ident, &own.attrs, object(&own.attrs, &own.fields))
                }
                Item::Enum(own) if is_serialized(&own.attrs) => (&own.ident, &own.attrs, either(own)),
                _ => continue,
            };
            let declared = Declared { about: about(attributes), shape };
            found.entry(name.to_string()).or_default().push(declared);
        }
    }
    assert!(found.len() > 40, "the source was not found");
    found
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn is_serialized(attributes: &[Attribute]) -> bool {
    let mut derives = attributes.iter().filter(|own| own.path().is_ident("derive"));
    derives.any(|own| matches!(&own.meta, Meta::List(list) if list.tokens.to_string().split(", ").any(|name| name.trim() == "Serialize")))
}

/// The first line of a doc comment.
fn about(attributes: &[Attribute]) -> String {
    let text = attributes.iter().filter(|own| own.path().is_ident("doc")).find_map(|own| match &own.meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    text.unwrap_or_default()
}

/// What serde is told: names, with their values where they have one.
fn told(attributes: &[Attribute]) -> BTreeMap<String, String> {
    let mut told = BTreeMap::new();
    for own in attributes.iter().filter(|own| own.path().is_ident("serde")) {
        own.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            let value = if meta.input.peek(syn::Token![=]) {
                meta.value()?.parse::<syn::LitStr>()?.value()
            } else {
                String::new()
            };
            told.insert(name, value);
            Ok(())
        })
        .unwrap();
    }
    told
}

fn object(attributes: &[Attribute], fields: &Fields) -> Shape {
    if let Some(other) = told(attributes).get("into") {
        return Shape::As(other.clone());
    }
    if let Fields::Unnamed(inside) = fields
        && inside.unnamed.len() == 1
    {
        return Shape::Wraps(inside.unnamed[0].ty.clone());
    }
    let property = |field: &syn::Field| {
        let told = told(&field.attrs);
        let own = field.ident.as_ref()?.to_string();
        (!told.contains_key("skip") && !told.contains_key("skip_serializing")).then(|| Property {
            name: told.get("rename").cloned().unwrap_or(own),
            about: about(&field.attrs),
            of: field.ty.clone(),
            optional: told.contains_key("skip_serializing_if"),
            flat: told.contains_key("flatten"),
            with: told.get("with").cloned(),
        })
    };
    Shape::Object(fields.iter().filter_map(property).collect())
}

fn either(own: &syn::ItemEnum) -> Shape {
    let told_all = told(&own.attrs);
    let unknown = || Case::Untagged(syn::parse_str("Unknown").expect("a type"));
    let case = |variant: &syn::Variant| {
        let name = told(&variant.attrs).get("rename").cloned();
        let name = name.unwrap_or_else(|| renamed(&variant.ident.to_string(), told_all.get("rename_all")));
        match &variant.fields {
            Fields::Unit => Case::Word(name),
            Fields::Unnamed(inside) if inside.unnamed.len() == 1 && told_all.contains_key("untagged") => {
                Case::Untagged(inside.unnamed[0].ty.clone())
            }
            Fields::Unnamed(inside) if inside.unnamed.len() == 1 => Case::Tagged(name, inside.unnamed[0].ty.clone()),
            _ => unknown(),
        }
    };
    match told_all.contains_key("tag") {
        // Nothing that the page reads has such a shape; it may not look inside.
        true => Shape::Either(vec![unknown()]),
        false => Shape::Either(own.variants.iter().map(case).collect()),
    }
}

/// `TwoWords` as serde renames it.
fn renamed(name: &str, rule: Option<&String>) -> String {
    let between = match rule.map(String::as_str) {
        None => return name.to_owned(),
        Some("lowercase") => return name.to_lowercase(),
        Some("kebab-case") => "-",
        Some("snake_case") => "_",
        Some(other) => panic!("{name}: the rule {other:?} is not understood"),
    };
    let mut text = String::new();
    for (at, letter) in name.char_indices() {
        if at > 0 && letter.is_uppercase() {
            text.push_str(between);
        }
        text.extend(letter.to_lowercase());
    }
    text
}
