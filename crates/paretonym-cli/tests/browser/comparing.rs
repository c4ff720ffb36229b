//! Solutions and files side by side.

use serde_json::json;

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
    let sentences = visit.folder.run(&format!("compare {run} --solutions {},{} --quiet", ids[0], ids[1]));
    let shown = page.text(".verdict").to_lowercase();
    for part in sentences.trim().trim_end_matches('.').split("; ") {
        assert!(shown.contains(&part.to_lowercase()), "{part}: {shown}");
    }
    assert_eq!(page.complaints(), [] as [String; 0]);
}

/// A file of another tool takes part in a comparison: here a solution's own release, which nobody can tell from it.
#[test]
fn an_uploaded_release_is_compared() {
    let Some(visit) = Visit::with_front() else { return };
    let page = &visit.chromium;
    let run = visit.only_run();
    let solutions = visit.folder.front(&run)["solutions"].clone();
    let id = &solutions[solutions.as_array().unwrap().len() / 2]["id"];
    visit.folder.run(&format!("release {run} --solution {id} --keep-order --suppressed-rows star -o other.csv"));
    page.click(&format!("#solutions .pin[aria-label='Pin solution {id} to compare']"));
    page.click("#steps a[href$='compare']");
    page.click_and_choose("label[for=other]", &visit.folder.at("other.csv"));
    page.wait_for(".property .indices");
    page.screenshot("4-upload");
    assert!(page.text(".indices").contains("other.csv"), "{}", page.text(".indices"));
    let cells = page.run(
        "[...document.querySelectorAll('[data-property=group-size] [data-comparator=mean] td, [data-property=utility] [data-comparator=mean] td')].map((own) => Number(own.dataset.value))",
    );
    let cells: Vec<f64> = cells.as_array().unwrap().iter().map(|cell| cell.as_f64().unwrap()).collect();
    assert_eq!(cells.len(), 4);
    assert_eq!((cells[0], cells[2]), (cells[1], cells[3]));
    assert_eq!(page.complaints(), [] as [String; 0]);
}
