//! Before and during a search: taxonomies, stopping and resuming.

use serde_json::Value;

use crate::people;
use crate::steps::Visit;

/// A tree is edited with the keyboard alone and with the mouse; the release uses it.
#[test]
fn a_taxonomy_is_edited() {
    let Some(visit) = Visit::start("work", |folder| folder.write("people.csv", &people::people(800))) else { return };
    let page = &visit.chromium;
    page.open(&visit.server.address);
    page.click_and_choose("label[for=file]", &visit.folder.at("people.csv"));
    page.wait_for("[data-column=occupation]");
    visit.set("[data-column=occupation] [data-part=role]", "quasi");
    page.click("[data-column=occupation] [data-part=edit]");
    page.wait_for("#method");
    visit.set("#method", "tree");
    page.wait_for("dialog [role=treeitem] [role=treeitem]");
    // Whatever was guessed, start from the values alone.
    while page.run("document.querySelector('dialog [role=treeitem] [role=treeitem][aria-expanded]') !== null") == true {
        page.click("dialog [role=treeitem] [role=treeitem][aria-expanded] > .row");
        page.press("Delete");
    }
    // Keyboard: two neighbours into a group of their own.
    page.click("dialog [role=treeitem] > .row");
    page.press("ArrowDown");
    page.press(" ");
    page.press("ArrowDown");
    page.press(" ");
    page.press("g");
    page.wait_for("dialog .rename");
    page.write("At a desk");
    page.press("Enter");
    page.wait_for("dialog [data-name='At a desk'] [role=treeitem]");
    assert_eq!(page.run("document.querySelectorAll('dialog [data-name=\"At a desk\"] [role=treeitem]').length"), 2);
    // Mouse: a third value is dragged onto the group.
    visit.drag_and_drop("dialog [data-name=Retired] > .row", "dialog [data-name='At a desk'] > .row");
    page.wait("document.querySelectorAll('dialog [data-name=\"At a desk\"] [role=treeitem]').length === 3");
    page.screenshot("9-taxonomy");
    page.click("#accept");
    page.wait("document.querySelector('[data-column=occupation] .levels').innerText.includes('tree of 3 levels')");
    page.click("#start");
    page.wait_for("#chosen #look");
    let study = visit.folder.read(&format!("{}/study.toml", visit.only_run()));
    assert!(study.contains("\"At a desk\""), "{study}");
    page.click("#look");
    page.wait_for(".column-drawing .icicle");
    page.screenshot("9-solution");
    assert_eq!(page.complaints(), [] as [String; 0]);
}

/// A long search is stopped, shown, resumed, and survives a reload of the page.
#[test]
fn stop_reload_resume() {
    let Some(visit) = Visit::start("work", |folder| folder.write("people.csv", &people::people(3000))) else { return };
    let page = &visit.chromium;
    page.open(&visit.server.address);
    page.click_and_choose("label[for=file]", &visit.folder.at("people.csv"));
    page.wait_for("[data-column=age]");
    // Breaks anywhere between ages: more recodings than anybody can try.
    visit.set("[data-column=age] [data-part=role]", "quasi");
    page.click("[data-column=age] [data-part=edit]");
    visit.set("#recode", "breaks");
    page.click("#accept");
    page.wait("document.querySelector('[data-column=age] .levels').innerText.includes('breaks')");
    visit.set("#search-optimizer", "nsga2");
    page.wait_for("#search-generations");
    visit.set("#search-generations", "1000000");
    page.click("#start");
    page.wait_for(".live canvas.scatter");
    page.reload();
    page.wait_for(".live canvas.scatter");
    page.wait("document.querySelector('.facts')?.innerText.includes('Solutions so far')");
    page.screenshot("3-live");
    page.click("#stop");
    page.wait_for("#resume");
    page.wait_for("#chosen #release");
    page.screenshot("3-stopped");
    let run = visit.only_run();
    let first = visit.folder.front(&run);
    assert_eq!(first["complete"], false);
    assert!(page.text(".head").contains("ended before it was done"));

    // It goes on from its checkpoint, which is older than the front: a stop within a generation saves no state.
    let evaluated = |front: &Value| front["evaluated"].as_u64().unwrap();
    let kept = visit.folder.json(&format!("{run}/checkpoint.json"));
    let checkpoint: Value = serde_json::from_str(kept["state"].as_str().unwrap()).unwrap();
    println!("stopped after {} evaluations, checkpoint after {}", evaluated(&first), evaluated(&checkpoint));
    assert!((1..=evaluated(&first)).contains(&evaluated(&checkpoint)));
    page.click("#resume");
    page.wait("document.getElementById('said').innerText.includes('last checkpoint')");
    page.wait_for(".live canvas.scatter");
    page.reload();
    page.wait_for(".live canvas.scatter");
    page.wait(&format!(
        "[...document.querySelectorAll('.facts div')].some((own) => own.innerText.startsWith('Recodings evaluated') && \
         Number(own.querySelector('dd').innerText.replaceAll(',', '')) > {})",
        evaluated(&first)
    ));
    page.click("#stop");
    page.wait_for("#resume");
    page.wait_for("#chosen #release");
    let second = visit.folder.front(&run);
    assert!(evaluated(&second) > evaluated(&first), "{} then {}", evaluated(&first), evaluated(&second));
    assert_eq!(page.complaints(), [] as [String; 0]);
}
