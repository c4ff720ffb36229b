//! A Chromium without a window, told what to do over its debugging pipe: JSON ended by a zero byte, both ways.

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Long enough for a busy machine; a browser that says nothing for so long has hung.
const PATIENCE: Duration = Duration::from_secs(90);

pub struct Chromium {
    child: Child,
    pipe: RefCell<ChildStdin>,
    said: Receiver<Value>,
    asked: Cell<u64>,
    page: RefCell<Option<String>>,
    /// What the browser told by itself: errors of the page, downloads, dialogs.
    events: RefCell<Vec<Value>>,
    /// Clicks since the start, as a person would count them.
    pub clicks: Cell<u32>,
    folder: tempfile::TempDir,
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where Chromium is, or none.
fn program() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    named.or_else(|| names.iter().flat_map(|name| folders.iter().map(move |at| at.join(name))).find(|at| at.is_file()))
}

impl Chromium {
    /// Starts one with an empty profile; none, with a message, where there is no Chromium.
    pub fn start() -> Option<Self> {
        let Some(program) = program() else {
            println!("skipped: there is no Chromium; ./test installs it where the package manager is apt");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        // The pipe is expected at the descriptors 3 and 4; a shell puts it there.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null", "sh"])
            .arg(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--remote-debugging-pipe", "--window-size=1280,800"])
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let pipe = child.stdin.take().unwrap();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        let (sender, said) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while reader.read_until(0, &mut message).is_ok_and(|read| read > 0) {
                message.pop();
                let Ok(value) = serde_json::from_slice(&message) else { break };
                if sender.send(value).is_err() {
                    break;
                }
                message.clear();
            }
        });
        let chromium = Chromium {
            child,
            pipe: RefCell::new(pipe),
            said,
            asked: Cell::new(0),
            page: RefCell::new(None),
            events: RefCell::default(),
            clicks: Cell::new(0),
            folder,
        };
        let targets = chromium.call("Target.getTargets", json!({}));
        let targets = targets["targetInfos"].as_array().unwrap();
        let page = targets.iter().find(|target| target["type"] == "page").unwrap();
        let session =
            chromium.call("Target.attachToTarget", json!({"targetId": page["targetId"], "flatten": true}))["sessionId"]
                .as_str()
                .unwrap()
                .to_owned();
        *chromium.page.borrow_mut() = Some(session);
        for domain in ["Page", "Runtime", "Log", "DOM"] {
            chromium.call(&format!("{domain}.enable"), json!({}));
        }
        chromium.call("Page.setInterceptFileChooserDialog", json!({"enabled": true}));
        let downloads = json!({"behavior": "allow", "downloadPath": chromium.downloads()});
        chromium.call("Browser.setDownloadBehavior", downloads);
        chromium.size(1280, 800);
        Some(chromium)
    }

    /// Where downloads go.
    pub fn downloads(&self) -> PathBuf {
        let folder = self.folder.path().join("downloads");
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// One command and its answer.
    pub fn call(&self, method: &str, parameters: Value) -> Value {
        self.try_call(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    pub fn try_call(&self, method: &str, parameters: Value) -> Result<Value, Value> {
        let id = self.asked.get() + 1;
        self.asked.set(id);
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let Some(page) =
            self.page.borrow().as_ref().filter(|_| !method.starts_with("Browser.") && !method.starts_with("Target."))
        {
            message["sessionId"] = json!(page);
        }
        let mut pipe = self.pipe.borrow_mut();
        pipe.write_all(format!("{message}\0").as_bytes()).and_then(|()| pipe.flush()).expect("the browser is gone");
        drop(pipe);
        loop {
            let mut said = self.said.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to {method}"));
            if said["id"] == id {
                return if said["error"].is_null() { Ok(said["result"].take()) } else { Err(said["error"].take()) };
            }
            self.events.borrow_mut().push(said);
        }
    }

    /// The first event of a kind, taken away; waits for it.
    pub fn event(&self, method: &str) -> Value {
        let began = Instant::now();
        loop {
            let mut events = self.events.borrow_mut();
            if let Some(at) = events.iter().position(|event| event["method"] == method) {
                return events.remove(at)["params"].take();
            }
            drop(events);
            assert!(began.elapsed() < PATIENCE, "no event {method}");
            if let Ok(said) = self.said.recv_timeout(Duration::from_millis(100)) {
                self.events.borrow_mut().push(said);
            }
        }
    }

    /// What was told of a kind so far.
    pub fn events_of(&self, method: &str) -> Vec<Value> {
        self.run("1");
        let events = self.events.borrow();
        events.iter().filter(|event| event["method"] == method).map(|event| event["params"].clone()).collect()
    }

    /// What the page complained about: exceptions, refused scripts and styles, failed requests.
    pub fn complaints(&self) -> Vec<String> {
        self.run("1");
        let events = self.events.borrow();
        let bad = events.iter().filter_map(|event| match event["method"].as_str()? {
            "Runtime.exceptionThrown" => Some(event["params"]["exceptionDetails"].to_string()),
            "Log.entryAdded" if event["params"]["entry"]["level"] == "error" => {
                Some(event["params"]["entry"].to_string())
            }
            _ => None,
        });
        bad.collect()
    }

    /// The value of an expression in the page.
    pub fn run(&self, expression: &str) -> Value {
        let mut answer = self
            .call("Runtime.evaluate", json!({"expression": expression, "awaitPromise": true, "returnByValue": true}));
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].take()
    }

    /// The value of an expression in the page, as if a person had just clicked.
    pub fn run_clicked(&self, expression: &str) -> Value {
        let how = json!({"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true});
        let mut answer = self.call("Runtime.evaluate", how);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].take()
    }

    /// Opens an address in another tab of the same browser and goes there; the tab that was left.
    pub fn open_tab(&self, address: &str) -> String {
        let target = self.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = self.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        let left = self.switch(attached["sessionId"].as_str().unwrap());
        for domain in ["Page", "Runtime", "Log"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        self.open(address);
        left
    }

    /// Goes to another tab; the one that was left.
    pub fn switch(&self, tab: &str) -> String {
        let left = self.page.borrow_mut().replace(tab.to_owned()).unwrap_or_default();
        // A page in the background draws nothing.
        self.call("Page.bringToFront", json!({}));
        left
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str) {
        let began = Instant::now();
        loop {
            // A page that is just being left has no value to give.
            let asked = json!({"expression": format!("Boolean({expression})"), "returnByValue": true});
            let answer = self.try_call("Runtime.evaluate", asked);
            if answer.is_ok_and(|answer| answer["result"]["value"] == true) {
                return;
            }
            if began.elapsed() > PATIENCE {
                self.screenshot("gave-up");
                panic!("waited in vain for {expression}; the page says: {}", self.run("document.body.innerText"));
            }
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    /// Waits for an element.
    pub fn wait_for(&self, selector: &str) {
        self.wait(&format!("document.querySelector({})", json!(selector)));
    }

    /// The text of an element.
    pub fn text(&self, selector: &str) -> String {
        let text = self.run(&format!("document.querySelector({})?.innerText ?? ''", json!(selector)));
        text.as_str().unwrap().replace('\u{a0}', " ")
    }

    /// Goes to an address.
    pub fn open(&self, address: &str) {
        self.call("Page.navigate", json!({"url": address}));
        self.wait("document.readyState === 'complete'");
    }

    pub fn reload(&self) {
        self.run("window.beforeReload = true");
        self.call("Page.reload", json!({}));
        self.wait("!window.beforeReload && document.readyState === 'complete'");
    }

    /// The middle of an element, after it was brought into sight.
    fn middle(&self, selector: &str) -> (f64, f64) {
        self.wait_for(selector);
        let place = self.run(&format!(
            "(() => {{ const own = document.querySelector({}); own.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             const box = own.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        ));
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    /// A click of the left button in the middle of an element.
    pub fn click(&self, selector: &str) {
        let (x, y) = self.middle(selector);
        self.click_at(x, y);
    }

    pub fn click_at(&self, x: f64, y: f64) {
        self.clicks.set(self.clicks.get() + 1);
        self.mouse("mouseMoved", x, y, 0);
        self.mouse("mousePressed", x, y, 1);
        self.mouse("mouseReleased", x, y, 0);
    }

    /// From one place to another with the button held, in steps.
    pub fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        self.mouse("mouseMoved", from.0, from.1, 0);
        self.mouse("mousePressed", from.0, from.1, 1);
        for step in 1..=8 {
            let share = f64::from(step) / 8.0;
            self.mouse("mouseMoved", from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share, 1);
        }
        self.mouse("mouseReleased", to.0, to.1, 0);
    }

    fn mouse(&self, kind: &str, x: f64, y: f64, buttons: u8) {
        let button = if kind == "mouseMoved" && buttons == 0 { "none" } else { "left" };
        let event = json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", event);
    }

    /// A click that opens the choice of a file, and the choice.
    pub fn click_and_choose(&self, selector: &str, file: &Path) {
        self.click(selector);
        let chooser = self.event("Page.fileChooserOpened");
        let files = json!({"files": [file], "backendNodeId": chooser["backendNodeId"]});
        self.call("DOM.setFileInputFiles", files);
    }

    /// A key, such as "Tab", "Enter", "ArrowRight" or "g".
    pub fn press(&self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            "Escape" => (27, ""),
            " " => (32, " "),
            "End" => (35, ""),
            "Home" => (36, ""),
            "ArrowLeft" => (37, ""),
            "ArrowUp" => (38, ""),
            "ArrowRight" => (39, ""),
            "ArrowDown" => (40, ""),
            "Delete" => (46, ""),
            letter => (u32::from(letter.to_ascii_uppercase().as_bytes()[0]), letter),
        };
        let mut down = json!({"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code});
        if !text.is_empty() {
            down["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", down);
        self.call(
            "Input.dispatchKeyEvent",
            json!({"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code}),
        );
    }

    /// Text as if typed into what has the focus.
    pub fn write(&self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// The size of the page in pixels.
    pub fn size(&self, width: u32, height: u32) {
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}),
        );
    }

    /// Light or dark, as the system would ask for.
    pub fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        self.call(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-color-scheme", "value": value}]}),
        );
    }

    /// What the page looks like, as a file beside the built tests.
    pub fn screenshot(&self, name: &str) {
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("page-{name}.png"));
        std::fs::write(&path, from_base64(picture["data"].as_str().unwrap())).unwrap();
        println!("picture: {}", path.display());
    }
}

/// Bytes from their usual spelling in 64 letters.
fn from_base64(text: &str) -> Vec<u8> {
    let letter = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0u32, 0);
    for value in text.bytes().filter_map(letter) {
        held = held << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
        }
    }
    bytes
}
