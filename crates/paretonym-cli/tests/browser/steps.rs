//! What several stories do.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::people::people;
use crate::program::Folder;
use crate::server::Server;

/// A browser in front of a server in front of a folder.
pub struct Visit {
    pub chromium: Chromium,
    pub server: Server,
    pub folder: Folder,
    /// Clicks that the preparation took.
    pub clicks_before: u32,
}

impl Visit {
    /// None where there is no Chromium.
    pub fn start(served: &str, prepare: impl FnOnce(&Folder)) -> Option<Self> {
        let chromium = Chromium::start()?;
        let folder = Folder::new();
        prepare(&folder);
        let server = Server::start(&folder, served);
        Some(Visit { chromium, server, folder, clicks_before: 0 })
    }

    /// At the front of a table of people.
    pub fn with_front() -> Option<Self> {
        let mut visit = Visit::start("work", |folder| folder.write("people.csv", &people(1500)))?;
        let page = &visit.chromium;
        page.open(&visit.server.address);
        page.click_and_choose("label[for=file]", &visit.folder.at("people.csv"));
        page.wait_for(".columns tbody tr");
        page.click("#start");
        page.wait_for("#chosen #release");
        page.wait("document.querySelector('.explore').dataset.confirmed === 'same'");
        visit.clicks_before = page.clicks.get();
        Some(visit)
    }

    /// The folder of the one run.
    pub fn only_run(&self) -> String {
        let runs: Vec<PathBuf> =
            std::fs::read_dir(self.folder.at("work/runs")).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(runs.len(), 1, "{runs:?}");
        format!("work/runs/{}", runs[0].file_name().unwrap().to_str().unwrap())
    }

    /// The page shows what `paretonym choose` answers to the same limits, and found it before the server told.
    pub fn expect_choice(&self, run: &str, options: &str) {
        let page = &self.chromium;
        page.wait("document.querySelector('.explore').dataset.confirmed !== 'false'");
        assert_eq!(page.run("document.querySelector('.explore').dataset.confirmed"), "same", "{options}");
        let told = self.folder.run_json(&format!("choose {run} {options} --json"));
        let ids = |list: &Value, of: fn(&Value) -> &Value| -> Vec<Value> {
            list.as_array().unwrap().iter().map(|one| of(one)["id"].clone()).collect()
        };
        let shown = |list: &str| {
            page.run(&format!(
                "[...document.querySelectorAll('#answer .{list} li')].map((own) => Number(own.dataset.id))"
            ))
        };
        assert_eq!(shown("best"), json!(ids(&told["best"], |one| one)), "{options}");
        assert_eq!(shown("more"), json!(ids(&told["relaxations"], |one| &one["solution"])), "{options}");
        let feasible = grouped(&told["feasible"]);
        if told["feasible"] != 0 {
            assert!(page.text("#answer").contains(&format!(": {feasible} of ")), "{}", page.text("#answer"));
            let k = grouped(&told["best"][0]["k"]);
            assert_eq!(page.text("#chosen [data-field=k]"), k);
            let loss = page.run("Number(document.querySelector('#chosen [data-field=loss]').title)");
            assert_eq!(loss.as_f64(), told["best"][0]["loss"].as_f64());
        } else {
            assert!(page.text("#answer").contains("no solution"), "{}", page.text("#answer"));
        }
    }

    /// Chooses from a list, or fills a field, as the browser does after a person did.
    pub fn set(&self, selector: &str, value: &str) {
        self.chromium.wait_for(selector);
        self.chromium.run(&format!(
            "(() => {{ const own = document.querySelector({}); own.closest('details')?.setAttribute('open', ''); own.focus(); own.value = {}; \
             own.dispatchEvent(new Event('input', {{ bubbles: true }})); \
             own.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
            json!(selector),
            json!(value)
        ));
    }

    /// Tab until something has the focus.
    pub fn tab_to(&self, selector: &str) {
        for _ in 0..400 {
            self.chromium.press("Tab");
            if self.chromium.run(&format!("document.activeElement?.matches({}) ?? false", json!(selector))) == true {
                return;
            }
        }
        panic!("{selector} cannot be reached with Tab");
    }

    /// Drags one element onto another with the events of a real drag.
    pub fn drag_and_drop(&self, from: &str, to: &str) {
        let page = &self.chromium;
        page.call("Input.setInterceptDrags", json!({"enabled": true}));
        let middle = |selector: &str| {
            let place = page.run(&format!(
                "(() => {{ const box = document.querySelector({}).getBoundingClientRect(); \
                 return [box.x + Math.min(box.width, 120) / 2, box.y + box.height / 2]; }})()",
                json!(selector)
            ));
            (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
        };
        page.run(&format!("document.querySelector({}).scrollIntoView({{ block: 'nearest' }})", json!(from)));
        let (start, end) = (middle(from), middle(to));
        let mouse = |kind: &str, (x, y): (f64, f64), buttons: u8| {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1});
            page.call("Input.dispatchMouseEvent", event);
        };
        mouse("mousePressed", start, 1);
        mouse("mouseMoved", (start.0 + 4.0, start.1 + 4.0), 1);
        mouse("mouseMoved", (start.0 + 12.0, start.1 + 8.0), 1);
        let data = page.event("Input.dragIntercepted")["data"].clone();
        for kind in ["dragEnter", "dragOver", "drop"] {
            page.call("Input.dispatchDragEvent", json!({"type": kind, "x": end.0, "y": end.1, "data": data}));
        }
        mouse("mouseReleased", end, 0);
        page.call("Input.setInterceptDrags", json!({"enabled": false}));
    }
}

/// Waits for a download to be whole.
pub fn wait_for_file(folder: &Path, ending: &str) -> PathBuf {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        if let Some(file) = files.into_iter().find(|path| path.to_string_lossy().ends_with(ending)) {
            return file;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("nothing was downloaded");
}

/// A whole number with commas, as the page shows it.
pub fn grouped(value: &Value) -> String {
    let digits = value.as_u64().unwrap().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share from its per cent, without the noise of a division.
pub fn hundredth(percent: f64) -> f64 {
    format!("{:.12}", percent / 100.0).parse().unwrap()
}

/// The contrast of each pair of colours that text is written in.
pub fn contrasts(page: &Chromium) -> Vec<(String, f64)> {
    let pairs = page.run(
        "(() => { const style = getComputedStyle(document.documentElement); \
         const light = (name) => { const hex = style.getPropertyValue('--' + name).trim(); \
           const part = (at) => { const v = parseInt(hex.slice(at, at + 2), 16) / 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }; \
           return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5); }; \
         const pairs = [['ink', 'paper'], ['ink', 'ground'], ['ink', 'accent-soft'], ['soft', 'paper'], ['soft', 'ground'], ['soft', 'panel'], \
           ['accent', 'paper'], ['accent', 'ground'], ['accent', 'accent-soft'], ['on-accent', 'accent'], ['on-accent', 'accent-strong'], \
           ['warn', 'paper'], ['warn', 'ground'], ['warn', 'warn-soft'], ['good', 'paper'], ['good', 'ground'], ['good', 'good-soft'], \
           ['bad', 'paper'], ['bad', 'bad-soft'], ['ink', 'bad-soft']]; \
         return pairs.map(([text, behind]) => { const [a, b] = [light(text), light(behind)].sort((x, y) => y - x); return [text + ' on ' + behind, (a + 0.05) / (b + 0.05)]; }); })()",
    );
    let pairs = pairs.as_array().unwrap();
    pairs.iter().map(|pair| (pair[0].as_str().unwrap().to_owned(), pair[1].as_f64().unwrap())).collect()
}
