//! The report: one file, opened from disk.

use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::people::people;
use crate::program::Folder;

/// A limit that is typed into the report is answered as `paretonym choose` answers it; solutions can be pointed at, chosen
/// and sorted; nothing is loaded and nobody complains.
#[test]
fn the_report_answers_from_disk() {
    let Some(page) = Chromium::start() else { return };
    let folder = Folder::new();
    folder.write("people.csv", &people(1500));
    folder.run("init people.csv -o study.toml");
    folder.run("explore study.toml -o front --quiet");
    page.open(&format!("file://{}", folder.at("front/report.html").display()));
    page.wait_for("#chosen h3");
    for (typed, options) in [
        (json!({ "max_loss": "40" }), "--max-loss 0.4"),
        (json!({ "min_k": "7" }), "--min-k 7"),
        (json!({ "max_loss": "55", "min_k": "3" }), "--max-loss 0.55 --min-k 3"),
        (json!({ "min_k": "100000" }), "--min-k 100000"),
        (json!({}), ""),
    ] {
        page.run(&format!(
            "(() => {{ const form = document.getElementById('limits'); const typed = {typed}; \
             for (const input of form.querySelectorAll('input')) input.value = typed[input.name] ?? ''; \
             form.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
        ));
        let told = folder.run_json(&format!("choose front {options} --json"));
        let shown = |list: &str| {
            page.run(&format!(
                "[...document.querySelectorAll('#answer .{list} li')].map((own) => Number(own.dataset.id))"
            ))
        };
        let ids = |list: &Value, of: fn(&Value) -> &Value| -> Vec<Value> {
            list.as_array().unwrap().iter().map(|one| of(one)["id"].clone()).collect()
        };
        assert_eq!(shown("best"), json!(ids(&told["best"], |one| one)), "{options}");
        assert_eq!(shown("more"), json!(ids(&told["relaxations"], |one| &one["solution"])), "{options}");
    }
    page.screenshot("11-report");
    // A click in the table chooses; a click on a heading sorts.
    page.run("document.querySelector('#solutions tbody tr:nth-child(2) .pick').click()");
    assert_eq!(page.text("#chosen h3"), "Solution 2");
    page.run("document.querySelector('#solutions thead [data-sort=\"1\"]').click()");
    let losses = page.run(
        "[...document.querySelectorAll('#solutions tbody tr')].map((row) => Number(row.children[2].dataset.value))",
    );
    let losses: Vec<f64> = losses.as_array().unwrap().iter().map(|loss| loss.as_f64().unwrap()).collect();
    assert!(losses.len() > 3 && losses.is_sorted(), "{losses:?}");
    assert_eq!(page.complaints(), [] as [String; 0]);
}
