//! Stories of the page in a real Chromium, with the real program behind it. Each leaves pictures in the target folder.

#[path = "browser/chromium.rs"]
mod chromium;
#[path = "browser/people.rs"]
mod people;
mod program;
#[path = "browser/server.rs"]
mod server;
#[path = "browser/steps.rs"]
mod steps;

use chromium::Chromium;
use program::Folder;
use serde_json::{Value, json};
use server::Server;
use steps::Visit;

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

    page.click("#resume");
    page.wait_for(".live canvas.scatter");
    page.reload();
    page.wait_for(".live canvas.scatter");
    page.click("#stop");
    page.wait_for("#resume");
    page.wait_for("#chosen #release");
    let second = visit.folder.front(&run);
    let evaluated = |front: &Value| front["evaluated"].as_u64().unwrap();
    assert!(evaluated(&second) > evaluated(&first), "{} then {}", evaluated(&first), evaluated(&second));
    assert_eq!(page.complaints(), [] as [String; 0]);
}

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

/// Whoever lacks the token, comes from elsewhere, or looks elsewhere is refused.
#[test]
fn strangers_are_refused() {
    let folder = Folder::new();
    std::fs::write(folder.at("secret.txt"), "nobody's business").unwrap();
    let server = Server::start(&folder, "work");
    let token = format!("/?token={}", server.token());
    let with = |path: &str| format!("{path}?token={}", server.token());
    let refused = |status: u16| status == 401 || status == 403;
    for target in ["/", "/?token=0123456789abcdef", "/api/state", "/assets/main.js", "/nothing", "/../secret.txt"] {
        assert!(refused(server.status("GET", target, &[])), "{target}");
    }
    assert!(refused(server.status("GET", &token, &[("Host", "evil.example")])));
    assert!(refused(server.status("GET", &token, &[("Host", &format!("evil.example:{}", server.port))])));
    let json = ("Content-Type", "application/json");
    let evil = ("Origin", "http://evil.example");
    assert!(refused(server.status("POST", &with("/api/demo"), &[json, evil])));
    for path in ["..%2fsecret.txt", "..", "%2e%2e", "..%5csecret.txt", "../secret.txt", "....//secret.txt"] {
        for place in ["/assets", "/api/runs/x/releases", "/api/runs", "/api"] {
            let status = server.status("GET", &with(&format!("{place}/{path}")), &[]);
            assert!((400..500).contains(&status), "{place}/{path}: {status}");
        }
    }

    let Some(page) = Chromium::start() else { return };
    page.open(&format!("http://127.0.0.1:{}/?token=wrong", server.port));
    assert_eq!(page.run("document.querySelector('#page')"), Value::Null);
    page.screenshot("5-refused");
    page.open(&server.address);
    page.wait_for("#file");
    let cookie = page.run("document.cookie");
    assert_eq!(cookie, "", "scripts must not see the token");
    assert!(!page.run("location.href").as_str().unwrap().contains("token"));
    // A page of another site, here one that came from nowhere, cannot ask for anything.
    page.open("data:text/html,<p>elsewhere");
    let asked = format!(
        "fetch('http://127.0.0.1:{}/api/state', {{ credentials: 'include' }}).then(() => 'answered', () => 'refused')",
        server.port
    );
    assert_eq!(page.run(&asked), "refused");
}

/// Markup in a header or a value stays text.
#[test]
fn markup_in_a_table_stays_text() {
    let Some(visit) = Visit::start("work", |folder| folder.write("markup.csv", &people::markup(400))) else { return };
    let page = &visit.chromium;
    let harmless = |view: &str| {
        assert_eq!(
            page.run("document.querySelectorAll('main img, main script, main b img, dialog img').length"),
            0,
            "{view}"
        );
        assert_eq!(page.run("window.broken ?? null"), Value::Null, "{view}");
    };
    page.open(&visit.server.address);
    page.click_and_choose("label[for=file]", &visit.folder.at("markup.csv"));
    page.wait_for(".columns tbody tr");
    assert!(page.text(".columns").contains("<img src=x onerror=window.broken=1>"), "{}", page.text(".columns"));
    assert!(page.text(".columns").contains("<b>job</b>"));
    // Whatever was guessed: both columns are to be recoded.
    for row in [1, 3] {
        visit.set(&format!(".columns tbody tr:nth-child({row}) [data-part=role]"), "quasi");
    }
    harmless("columns");
    page.screenshot("6-columns");
    page.click(".columns tbody tr:nth-child(1) [data-part=edit]");
    page.wait_for("dialog .icicle, dialog .tree");
    visit.set("#method", "tree");
    page.wait_for("dialog .tree [role=treeitem] [role=treeitem]");
    assert!(page.text("dialog .tree").contains("<script>window.broken=2</script>"));
    harmless("taxonomy");
    page.screenshot("6-taxonomy");
    page.click("#accept");
    page.click("#start");
    page.wait_for("#chosen #look");
    harmless("front");
    page.click("#look");
    page.wait_for(".column-drawing");
    assert!(page.text(".recoded").contains("<b>job</b>"));
    harmless("solution");
    page.screenshot("6-solution");
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
