//! From a file to a release: with the mouse, and without it.

use crate::people;
use crate::steps::{self, Visit};

/// From a file to a downloaded release that holds what it claims, and how many clicks it takes.
#[test]
fn first_visit_to_release() {
    let Some(visit) = Visit::start("work", |folder| folder.write("people.csv", &people::people(800))) else { return };
    let page = &visit.chromium;
    page.open(&visit.server.address);
    page.wait_for("#file");
    page.screenshot("1-start");
    page.click_and_choose("label[for=file]", &visit.folder.at("people.csv"));
    page.wait_for(".columns tbody tr");
    page.screenshot("1-columns");
    page.click("#start");
    page.wait_for("#chosen #release");
    page.screenshot("1-front");
    page.click("#answer .more button.pick, #answer .best button.pick");
    page.click("#release");
    page.wait_for("#write");
    page.click("#write");
    page.wait_for("#download");
    page.screenshot("1-release");
    page.click("#download");
    let file = steps::wait_for_file(&page.downloads(), ".csv");
    println!("clicks: {}", page.clicks.get());
    assert!(page.clicks.get() < 10, "{} clicks", page.clicks.get());

    // What was downloaded is what the server keeps, and holds the k that the page promised.
    let id = page.run("location.hash.split('/').pop()").as_str().unwrap().parse::<u64>().unwrap();
    let run = visit.only_run();
    let front = visit.folder.front(&run);
    let solution = front["solutions"].as_array().unwrap().iter().find(|own| own["id"] == id).unwrap();
    let kept = std::fs::read(visit.folder.at(&format!("{run}/releases")).join(file.file_name().unwrap())).unwrap();
    assert_eq!(kept, std::fs::read(&file).unwrap());
    let quasi = solution["recoding"].as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(",");
    std::fs::copy(&file, visit.folder.at("downloaded.csv")).unwrap();
    let audit = visit.folder.run_json(&format!("audit downloaded.csv --quasi {quasi} --json"));
    assert_eq!(audit["k"], solution["k"]);
    assert!(solution["k"].as_u64().unwrap() > 1, "what is proposed must protect");
    assert!(page.text(".certificate").contains(&format!("k, smallest group\n{}", steps::grouped(&solution["k"]))));
    assert_eq!(page.complaints(), [] as [String; 0]);
}

/// From the front to a downloaded release without a mouse.
#[test]
fn keyboard_alone() {
    let Some(visit) = Visit::with_front() else { return };
    let page = &visit.chromium;
    page.run("document.getElementById('page').focus()");
    visit.tab_to("canvas.scatter");
    for _ in 0..3 {
        page.press("ArrowRight");
    }
    page.wait("!document.getElementById('tip').hidden");
    page.screenshot("8-keyboard");
    page.press("Enter");
    let chosen = page.text("#chosen h2");
    visit.tab_to("#min_k");
    page.write("4");
    page.wait("document.querySelector('.explore').dataset.confirmed === 'same'");
    assert_ne!(page.text("#chosen h2"), "", "{chosen}");
    visit.tab_to("#release");
    page.press("Enter");
    page.wait_for("#write");
    visit.tab_to("input[name=suppressed]");
    page.press("ArrowDown");
    visit.tab_to("#write");
    page.press("Enter");
    page.wait("document.activeElement?.id === 'download'");
    page.press("Enter");
    steps::wait_for_file(&page.downloads(), ".csv");
    assert_eq!(page.clicks.get(), visit.clicks_before, "the mouse was used");
    assert_eq!(page.complaints(), [] as [String; 0]);
}
