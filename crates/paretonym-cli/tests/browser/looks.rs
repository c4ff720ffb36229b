//! Sizes of screens, light and dark.

use crate::steps::{self, Visit};

/// Every view fits a laptop and a tablet, in light and dark, with readable contrast.
#[test]
fn light_dark_laptop_tablet() {
    let Some(visit) = Visit::with_front() else { return };
    let page = &visit.chromium;
    let run = visit.only_run().replace("work/runs/", "");
    let front = visit.folder.front(&visit.only_run());
    let solutions = front["solutions"].as_array().unwrap();
    let (a, b) = (&solutions[solutions.len() / 2]["id"], &solutions[solutions.len() / 3]["id"]);
    for id in [a, b] {
        page.click(&format!("#solutions .pin[aria-label='Pin solution {id} to compare']"));
    }
    let views = [
        ("start", "/".to_owned(), ".list"),
        ("columns", "/table/people.csv".to_owned(), ".columns tbody tr"),
        ("front", format!("/run/{run}"), "#chosen #release"),
        ("solution", format!("/run/{run}/solution/{a}"), ".column-drawing"),
        ("compare", format!("/run/{run}/compare"), ".property .indices"),
        ("release", format!("/run/{run}/release/{a}"), "#write"),
    ];
    for (look, dark, width, height) in
        [("tablet", false, 820, 1180), ("dark", true, 1280, 800), ("tablet-dark", true, 820, 1180)]
    {
        page.size(width, height);
        page.dark(dark);
        for (name, hash, there) in &views {
            page.open("about:blank");
            page.open(&visit.server.view(hash));
            page.wait_for(there);
            page.screenshot(&format!("10-{look}-{name}"));
            let wide = page.run("document.documentElement.scrollWidth - innerWidth");
            assert!(wide.as_f64().unwrap() <= 0.0, "{name} at {width} is {wide} pixels too wide");
        }
        for pair in steps::contrasts(page) {
            assert!(pair.1 >= 4.5, "{look}: {} has a contrast of {:.2}", pair.0, pair.1);
        }
    }
}
