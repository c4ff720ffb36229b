//! The scripts of the report: the page's own modules put into one script, since a file that is opened from disk may not
//! load modules.
//!
//! Only what our modules use is understood: imports by name from a file beside, and exports of functions, classes and
//! constants, each at the start of a line. Comments stay behind.

/// A file of JavaScript.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// Its name, by which others import it.
    pub name: &'static str,
    /// Its contents.
    pub text: &'static str,
}

macro_rules! modules {
    ($($name:literal),+ $(,)?) => {
        &[$(Module { name: $name, text: include_str!(concat!("ui/", $name)) }),+]
    };
}

/// The modules that report and page share, each behind those that it uses. The server serves these very files.
pub const MODULES: &[Module] = modules!["dom.js", "number.js", "scale.js", "choose.js", "view.js", "answer.js"];

/// What the report adds to them.
const OWN: &[Module] = modules!["report-plot.js", "report-table.js", "report.js"];

/// The one script of the report.
pub(super) fn script() -> String {
    let modules: String = MODULES.iter().chain(OWN).map(wrapped).collect();
    format!("\"use strict\";\n(() => {{\nconst modules = {{}};\n{modules}}})();\n")
}

/// A module as a function that is called at once and returns what it exports.
fn wrapped(module: &Module) -> String {
    let mut exports: Vec<&str> = Vec::new();
    let mut body = String::new();
    let code = without_comments(module.text);
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("import ") {
            let mut import = line.to_owned();
            while !import.ends_with(';') {
                let Some(more) = lines.next() else { break };
                import.push_str(more);
            }
            body.push_str(&binding(&import));
        } else if let Some(declared) = line.strip_prefix("export ") {
            exports.push(declared_name(declared));
            body.push_str(declared);
        } else {
            body.push_str(line);
        }
        body.push('\n');
    }
    let name = module.name;
    format!("modules[\"{name}\"] = (() => {{\n{body}return {{ {} }};\n}})();\n", exports.join(", "))
}

/// `import { a, b as c } from "./x.js";` → `const { a, b: c } = modules["x.js"];`
fn binding(import: &str) -> String {
    let inside = import.trim_start_matches("import ").trim_end_matches(';');
    let (names, file) = inside.rsplit_once(" from ").unwrap_or_default();
    let file = file.trim_matches('"').trim_start_matches("./");
    let names = names.trim_start_matches("* as ").replace(" as ", ": ");
    format!("const {names} = modules[\"{file}\"];")
}

/// The name in `async function name(…`, `class Name …` or `const name = …`.
fn declared_name(declared: &str) -> &str {
    let mut words =
        declared.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty());
    words.find(|word| !matches!(*word, "async" | "function" | "class" | "const")).unwrap_or_default()
}

/// Without the comments that types are written in, lines of comments and empty lines.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/**") {
        code.push_str(&rest[..start]);
        rest = rest[start..].split_once("*/").map_or("", |(_, behind)| behind);
    }
    code.push_str(rest);
    let lines = code.lines().map(str::trim_end);
    let lines = lines.filter(|line| !line.is_empty() && !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_functions() {
        let text = "// @ts-check\nimport { a, b as c } from \"./x.js\";\nimport {\n  d,\n  e,\n} from \"./y.js\";\n\n/** A. @param {number} n */\nexport const f = (/** @type {number} */ n) => a(n);\nexport async function g() {}\nexport class H {}\nconst i = 1;\n";
        let expected = "modules[\"z.js\"] = (() => {\nconst { a, b: c } = modules[\"x.js\"];\nconst {  d,  e,} = modules[\"y.js\"];\nconst f = ( n) => a(n);\nasync function g() {}\nclass H {}\nconst i = 1;\nreturn { f, g, H };\n})();\n";
        assert_eq!(wrapped(&Module { name: "z.js", text }), expected);
    }

    #[test]
    fn a_module_stands_behind_those_that_it_uses() {
        let mut known: Vec<&str> = Vec::new();
        for module in MODULES.iter().chain(OWN) {
            let imports = module.text.lines().filter_map(|line| line.split(" from \"./").nth(1));
            for import in imports.map(|import| import.trim_end_matches("\";")) {
                assert!(known.contains(&import), "{} uses {import} too soon", module.name);
            }
            known.push(module.name);
        }
    }

    #[test]
    fn nothing_is_left_of_modules_in_the_script() {
        let script = script();
        for left in ["\nimport ", "\nexport ", "import(", "*/", "// "] {
            assert!(!script.contains(left), "{left:?}");
        }
    }
}
