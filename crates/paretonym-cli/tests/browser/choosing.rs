//! The front: limits, numbers, and many solutions.

use crate::people;
use crate::steps::{self, Visit};

/// Limits, typed and drawn, lead to what `paretonym choose` answers.
#[test]
fn limits_answer_as_choose_does() {
    let Some(visit) = Visit::with_front() else { return };
    let page = &visit.chromium;
    let run = visit.only_run();
    for (typed, options) in [
        (vec![("max_loss", "40")], "--max-loss 0.4"),
        (vec![("min_k", "7")], "--min-k 7"),
        (vec![("max_loss", "55"), ("min_k", "3")], "--max-loss 0.55 --min-k 3"),
        (vec![("max_suppression", "0.5"), ("max_loss", "60")], "--max-suppression 0.005 --max-loss 0.6"),
        (vec![("min_k", "100000")], "--min-k 100000"),
        (vec![], ""),
    ] {
        page.click("#clear");
        for (name, value) in &typed {
            page.click(&format!("#{name}"));
            page.write(value);
        }
        visit.expect_choice(&run, options);
    }
    page.click("#clear");
    page.wait_for("#answer .best");
    page.run("document.querySelector('canvas.scatter').scrollIntoView({ block: 'center' })");
    let place = page.run(
        "(() => { const box = document.querySelector('canvas.scatter').getBoundingClientRect(); \
         return [box.left, box.top, box.width, box.height]; })()",
    );
    let at = |x: f64, y: f64| {
        let of = |at: usize| place[at].as_f64().unwrap();
        (of(0) + of(2) * x, of(1) + of(3) * y)
    };
    for (from, to) in [(at(0.3, 0.35), at(0.9, 0.8)), (at(0.5, 0.2), at(0.95, 0.85)), (at(0.2, 0.6), at(0.6, 0.88))] {
        page.drag(from, to);
        let limit = |name: &str| page.run(&format!("document.getElementById('{name}').value"));
        let (loss, k) = (limit("max_loss"), limit("min_k"));
        let (loss, k) = (loss.as_str().unwrap().parse::<f64>().unwrap(), k.as_str().unwrap().to_owned());
        visit.expect_choice(&run, &format!("--max-loss {} --min-k {k}", steps::hundredth(loss)));
        page.screenshot("2-brush");
    }
    assert_eq!(page.complaints(), [] as [String; 0]);
}

/// The table, the card and a solution from near have the numbers of front.json to the last digit.
#[test]
fn every_number_is_that_of_the_front() {
    let Some(visit) = Visit::with_front() else { return };
    let page = &visit.chromium;
    let front = visit.folder.front(&visit.only_run());
    let names = page.run("[...document.querySelectorAll('#solutions thead button')].map((own) => own.textContent)");
    let names: Vec<String> =
        names.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_lowercase().replace(' ', "_")).collect();
    let rows = page.run(
        "[...document.querySelectorAll('#solutions tbody tr')].map((row) => [row.querySelector('th').textContent, \
         ...[...row.querySelectorAll('td[title]')].map((own) => own.title)].map(Number))",
    );
    let (rows, solutions) = (rows.as_array().unwrap(), front["solutions"].as_array().unwrap());
    assert_eq!(rows.len(), solutions.len());
    for (row, solution) in rows.iter().zip(solutions) {
        for (at, name) in names.iter().enumerate() {
            let key = match name.as_str() {
                "solution" => "id",
                own if own.starts_with("l_(") => "l",
                own => own,
            };
            assert_eq!(row[at].as_f64(), solution[key].as_f64(), "{name} of {}", solution["id"]);
        }
    }
    page.click("#look");
    page.wait_for(".column-drawing");
    let id = page.run("Number(location.hash.split('/').pop())").as_f64().unwrap();
    let solution = solutions.iter().find(|solution| solution["id"].as_f64() == Some(id)).unwrap();
    let shown = page.run("Object.fromEntries([...document.querySelectorAll('.numbers-wide > div')].map((own) => \
                          [own.querySelector('dt').textContent.toLowerCase().replace(' ', '_'), Number(own.querySelector('dd').title)]))");
    for (name, value) in shown.as_object().unwrap() {
        let key = if name.starts_with("l_(") { "l" } else { name };
        assert_eq!(value.as_f64(), solution[key].as_f64(), "{name}");
    }
    // The histogram counts every kept row once.
    let told = page.run("[...document.querySelectorAll('.chart .bar title')].map((own) => own.textContent)");
    let rows: u64 = told
        .as_array()
        .unwrap()
        .iter()
        .map(|words| {
            let words = words.as_str().unwrap().trim_end_matches(" rows");
            words.rsplit(' ').next().unwrap().replace(',', "").parse::<u64>().unwrap()
        })
        .sum();
    assert_eq!(rows, front["rows"].as_u64().unwrap() - solution["suppressed"].as_u64().unwrap());
    assert_eq!(page.complaints(), [] as [String; 0]);
}

/// Ten thousand solutions: how long a moving limit waits for its answer. The time is told, the answer is checked.
#[test]
fn ten_thousand_solutions_stay_fluid() {
    let front = people::large_front(10_000);
    let Some(visit) = Visit::start("large", |folder| {
        std::fs::create_dir(folder.at("large")).unwrap();
        folder.write("large/front.json", &front.to_string());
    }) else {
        return;
    };
    let page = &visit.chromium;
    page.open(&visit.server.address);
    page.click(".list tbody a");
    page.wait("document.querySelector('.explore')?.dataset.confirmed === 'same'");
    let times = page.run(
        "(async () => { const slider = document.getElementById('slide-max_loss'); const times = []; \
         for (let at = 0; at < 50; at++) { \
           slider.value = String(100 + 17 * at); const began = performance.now(); \
           slider.dispatchEvent(new Event('input', { bubbles: true })); \
           await new Promise((done) => requestAnimationFrame(() => { \
             const channel = new MessageChannel(); channel.port1.onmessage = done; channel.port2.postMessage(0); })); \
           times.push(performance.now() - began); } \
         return times; })()",
    );
    let mut times: Vec<f64> = times.as_array().unwrap().iter().map(|time| time.as_f64().unwrap()).collect();
    times.sort_by(f64::total_cmp);
    println!("50 brushes over 10,000 solutions: median {:.1} ms, worst {:.1} ms, drawn", times[25], times[49]);
    let limit = page.run("document.getElementById('max_loss').value");
    let loss = steps::hundredth(limit.as_str().unwrap().parse().unwrap());
    visit.expect_choice("large", &format!("--max-loss {loss}"));
    page.click("#clear");
    for (name, value) in [("min_k", "500"), ("max_t", "0.3"), ("min_l", "2")] {
        page.click(&format!("#{name}"));
        page.write(value);
    }
    visit.expect_choice("large", "--min-k 500 --max-t 0.3 --min-l 2");
    page.screenshot("7-large");
    assert_eq!(page.complaints(), [] as [String; 0]);
}
