//! Asks the shared modules in Node.js.

use std::process::Command;

use paretonym::report::MODULES;
use serde_json::Value;

/// What a module that exports `answer` makes of some JSON, with all shared modules beside it. None where there is no Node.js.
pub fn ask(module: &str, input: &Value) -> Option<Value> {
    if Command::new("node").arg("--version").output().is_err() {
        println!("skipped: there is no Node.js here");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    MODULES.iter().for_each(|module| write(module.name, module.text));
    write("package.json", r#"{ "type": "module" }"#);
    write("input.json", &input.to_string());
    write("asked.js", module);
    write(
        "main.js",
        "import { readFileSync } from 'node:fs'; import { answer } from './asked.js';\n\
         process.stdout.write(JSON.stringify(answer(JSON.parse(readFileSync('input.json', 'utf8')))));",
    );
    let output = Command::new("node").arg("main.js").current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}
