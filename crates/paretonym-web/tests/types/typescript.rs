//! Types of Rust, as TypeScript writes them.

use std::collections::BTreeMap;
use std::fmt::Write;

use syn::{GenericArgument, PathArguments, Type};

use crate::rust::{Case, Declared, Property, Shape};

type Declarations = BTreeMap<String, Vec<Declared>>;

/// The declarations of some types and of all that they hold.
pub fn declarations(types: &Declarations, roots: &[&str]) -> String {
    let mut text = String::from(
        "// Generated from the Rust source by crates/paretonym-web/tests/types.rs, which says how. For the type checker\n// only; never sent to a browser. What the page does not look into is unknown.\n",
    );
    let mut waiting: Vec<String> = roots.iter().rev().map(ToString::to_string).collect();
    let mut done: Vec<String> = Vec::new();
    while let Some(name) = waiting.pop() {
        if done.contains(&name) {
            continue;
        }
        let mut used: Vec<String> = Vec::new();
        let declared = only(types, &name);
        let body = match &declared.shape {
            Shape::Object(properties) => object(types, properties, &mut used),
            Shape::Either(cases) => either(types, cases, &mut used),
            Shape::Wraps(of) => typescript(types, of, &mut used),
            Shape::As(other) => match types.get(other).map(|_| &only(types, other).shape) {
                Some(Shape::Object(properties)) => object(types, properties, &mut used),
                _ => typescript(types, &syn::parse_str(other).expect("a type"), &mut used),
            },
        };
        let _ = write!(text, "\n/** {} */\nexport type {name} = {body};\n", declared.about);
        done.push(name);
        waiting.extend(used.into_iter().rev());
    }
    text
}

fn only<'a>(types: &'a Declarations, name: &str) -> &'a Declared {
    match types.get(name).map(Vec::as_slice) {
        Some([one]) => one,
        Some(_) => panic!("several types are called {name}; the page needs one of them: rename the others"),
        None => panic!("there is no type {name} that derives Serialize"),
    }
}

fn object(types: &Declarations, properties: &[Property], used: &mut Vec<String>) -> String {
    let mut text = "{\n".to_owned();
    let mut beside = String::new();
    for Property { name, about, of, optional, flat, with } in properties {
        // Where nothing stands for none, null never does.
        let inner = inside(of, "Option").filter(|_| *optional || *flat);
        let own = typescript(types, inner.unwrap_or(of), used);
        let own = match with.as_deref() {
            None => own,
            // Numbers that may not be known yet.
            Some("unknown_number" | "unknown_count") => format!("{own} | null"),
            Some(_) => "unknown".to_owned(),
        };
        if *flat {
            let _ =
                write!(beside, "{}", if inner.is_some() { format!(" & Partial<{own}>") } else { format!(" & {own}") });
            continue;
        }
        if !about.is_empty() {
            let _ = writeln!(text, "  /** {about} */");
        }
        let _ = writeln!(text, "  {name}{}: {own};", if *optional { "?" } else { "" });
    }
    text + "}" + &beside
}

fn either(types: &Declarations, cases: &[Case], used: &mut Vec<String>) -> String {
    let case = |case: &Case| match case {
        Case::Word(word) => format!("\"{word}\""),
        Case::Untagged(of) => typescript(types, of, used),
        Case::Tagged(name, of) => format!("{{ \"{name}\": {} }}", typescript(types, of, used)),
    };
    cases.iter().map(case).collect::<Vec<_>>().join(" | ")
}

/// The argument of a generic type of some name.
fn inside<'a>(of: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.last()? {
        GenericArgument::Type(inner) if last.ident == name => Some(inner),
        _ => None,
    }
}

fn typescript(types: &Declarations, of: &Type, used: &mut Vec<String>) -> String {
    let list = |own: String| {
        if own.contains(' ') && !own.starts_with('{') { format!("({own})[]") } else { format!("{own}[]") }
    };
    match of {
        Type::Reference(to) => return typescript(types, &to.elem, used),
        Type::Slice(slice) => return list(typescript(types, &slice.elem, used)),
        Type::Tuple(tuple) => {
            let parts: Vec<String> = tuple.elems.iter().map(|part| typescript(types, part, used)).collect();
            return format!("[{}]", parts.join(", "));
        }
        _ => {}
    }
    if let Some(inner) = inside(of, "Option") {
        return format!("{} | null", typescript(types, inner, used));
    }
    if let Some(inner) = inside(of, "Vec") {
        return list(typescript(types, inner, used));
    }
    if let Some(inner) = ["BTreeMap", "HashMap", "Map"].iter().find_map(|name| inside(of, name)) {
        return format!("{{ [key: string]: {} }}", typescript(types, inner, used));
    }
    let Type::Path(path) = of else { return "unknown".to_owned() };
    let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    match name.as_str() {
        "String" | "str" | "PathBuf" | "char" => "string".to_owned(),
        "bool" => "boolean".to_owned(),
        "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64" | "f32" | "f64" => "number".to_owned(),
        _ if types.contains_key(&name) => {
            used.push(name.clone());
            name
        }
        _ => "unknown".to_owned(),
    }
}
