//! What a release leaves out, and what it should not show: missing values, warnings, rows that are alone.

use std::fmt::Write;

use crate::steps::Visit;

/// Every ninth row has no age; the remarks cannot be recoded; each ward has its own diagnosis.
fn ward(rows: usize) -> String {
    let mut text = "born,age,ward,remark,diagnosis\n".to_owned();
    for row in 0..rows {
        let age = if row % 9 == 0 { ".".to_owned() } else { (20 + row * 7 % 50).to_string() };
        let (day, month, year) = (1 + row % 28, 1 + row * 5 % 12, 1950 + row * 3 % 40);
        let _ = writeln!(text, "{day:02}.{month:02}.{year},{age},w{},remark {},d{}", row % 4, row % 200, row % 4);
    }
    text
}

/// The choice for missing values stands with the columns, and wherever rows are counted all that go are told.
#[test]
fn what_is_left_out_and_what_tells_too_much() {
    let Some(visit) = Visit::start("work", |folder| folder.write("ward.csv", &ward(900))) else { return };
    let page = &visit.chromium;
    page.open(&visit.server.address);
    page.click_and_choose("label[for=file]", &visit.folder.at("ward.csv"));
    page.wait_for("#on-missing");
    let value = |selector: &str| page.run(&format!("document.querySelector(\"{selector}\").value"));
    assert_eq!(value("#on-missing"), "value", "dropping a ninth of the rows is not proposed");
    assert_eq!(value("tr[data-column=remark] [data-part=role]"), "drop");
    assert!(page.text("tr[data-column=born]").contains("day, month, quarter, year, decade"));
    let choose = |selector: &str, value: &str| {
        page.run(&format!(
            "{{ const own = document.querySelector(\"{selector}\"); own.value = '{value}'; own.dispatchEvent(new Event('change', {{ bubbles: true }})); }}"
        ));
    };
    choose("#on-missing", "drop-row");
    page.wait("document.querySelector('#missing-rows').textContent.includes('no release will hold them')");
    let rows = page.text("#missing-rows");
    assert!(rows.contains("100 (11.11") && rows.contains("of 900 rows"), "{rows}");
    choose("tr[data-column=remark] [data-part=role]", "insensitive");
    page.screenshot("11-columns");
    page.click("#start");
    page.wait_for("#chosen #release");
    let warnings = page.text(".head .warnings");
    assert!(warnings.contains("\"ward\" decides the sensitive column \"diagnosis\""), "{warnings}");
    assert!(page.text(".head .lead").contains("100 more rows of the table"), "{}", page.text(".head .lead"));
    assert!(page.text("#chosen .left-out").contains("100 with missing values left out"), "{}", page.text("#chosen"));
    page.screenshot("11-front");

    let run = visit.only_run();
    let front = visit.folder.front(&run);
    assert_eq!(front["dropped"], 100);
    let solutions = front["solutions"].as_array().unwrap();
    let alone = &solutions.iter().find(|one| one["k"] == 1).unwrap()["id"];
    let name = run.replace("work/runs/", "");
    page.open(&visit.server.view(&format!("/run/{name}/solution/{alone}")));
    page.wait_for("table.rows");
    assert!(page.text("table.rows").contains("left out: a value is missing"), "the first row has no age");
    assert!(!page.text("table.rows").contains("suppressed"), "no row of this solution is suppressed");
    page.screenshot("11-solution");

    // A row that is alone is released only where that is said.
    page.open(&visit.server.view(&format!("/run/{name}/release/{alone}")));
    page.wait_for("#allow-k1");
    page.click("#write");
    assert_eq!(page.run("document.querySelector('#download') === null"), true);
    page.click("#allow-k1");
    page.click("#write");
    page.wait_for("#download");
    let told = page.text(".certificate");
    assert!(told.contains("100 with missing values left out: 100 of 900"), "{told}");
    assert!(told.contains("Some rows are alone in their group (k = 1)"), "{told}");
    page.screenshot("11-release");
    assert_eq!(page.complaints(), [] as [String; 0]);
}
