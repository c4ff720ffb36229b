//! Solutions and files side by side.

use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::steps::Visit;

/// Two pinned solutions: every number of the page is one of `paretonym compare`.
#[test]
fn pinned_solutions_compare_as_compare_does() {
    let Some(visit) = Visit::with_front() else { return };
    let page = &visit.chromium;
    let run = visit.only_run();
    let front = visit.folder.front(&run);
    let solutions = front["solutions"].as_array().unwrap();
    let ids = [solutions[solutions.len() / 3]["id"].clone(), solutions[2 * solutions.len() / 3]["id"].clone()];
    for id in &ids {
        page.click(&format!("#solutions .pin[aria-label='Pin solution {id} to compare']"));
    }
    page.click("#steps a[href$='compare']");
    page.wait_for(".property .indices");
    page.screenshot("4-compare");
    let told = visit.folder.run_json(&format!("compare {run} --solutions {},{} --json", ids[0], ids[1]));
    expect_numbers(page, &told);
    let sentences = visit.folder.run(&format!("compare {run} --solutions {},{} --quiet", ids[0], ids[1]));
    let shown = page.text(".verdict").to_lowercase();
    for part in sentences.trim().trim_end_matches('.').split("; ") {
        assert!(shown.contains(&part.to_lowercase()), "{part}: {shown}");
    }
    assert_eq!(page.complaints(), [] as [String; 0]);
}

/// Files of other tools are compared as `paretonym compare` compares them.
#[test]
fn uploaded_releases_compare_as_compare_does() {
    let Some(visit) = Visit::with_front() else { return };
    let page = &visit.chromium;
    let run = visit.only_run();
    let solutions = visit.folder.front(&run)["solutions"].clone();
    let count = solutions.as_array().unwrap().len();
    page.click("#steps a[href$='compare']");
    for (file, at) in [("ours.csv", count / 2), ("theirs.csv", count / 3)] {
        let id = &solutions[at]["id"];
        let command = "--keep-order --allow-k1 --suppressed-rows star";
        visit.folder.run(&format!("release {run} --solution {id} {command} -o made-{file}"));
        // Without the files beside it, as one of another tool.
        std::fs::copy(visit.folder.at(&format!("made-{file}")), visit.folder.at(file)).unwrap();
        page.click_and_choose("label[for=other]", &visit.folder.at(file));
        page.wait(&format!("document.querySelector('.chips')?.innerText.includes('{file}')"));
    }
    page.wait_for(".property .indices");
    page.screenshot("4-upload");
    let quasi = solutions[0]["recoding"].as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(",");
    let told = visit
        .folder
        .run_json(&format!("compare people.csv ours.csv theirs.csv --quasi {quasi} --sensitive diagnosis --json"));
    expect_numbers(page, &told);
    assert_eq!(page.complaints(), [] as [String; 0]);
}

/// Every number of a comparison of two is on the page.
fn expect_numbers(page: &Chromium, told: &Value) {
    let mut compared = 0;
    for (property, indices) in told["properties"].as_object().unwrap() {
        for (comparator, values) in indices.as_object().unwrap() {
            for (i, j) in [(0, 1), (1, 0)] {
                let value = if values[i].is_array() { &values[i][j] } else { &values[i] };
                let Some(value) = value.as_f64().filter(|_| comparator != "notes") else { continue };
                let cell =
                    format!("[data-property={}] [data-comparator={comparator}] [data-pair='{i},{j}']", json!(property));
                let shown = page.run(&format!("Number(document.querySelector({})?.dataset.value)", json!(cell)));
                assert_eq!(shown.as_f64(), Some(value), "{property} {comparator} {i} {j}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 20, "{compared}");
}
