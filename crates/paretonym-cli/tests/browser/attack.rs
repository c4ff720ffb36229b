//! The owner has the page open, and in the same browser a page of another port of this machine tries everything that a page
//! can try.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::steps::Visit;

/// A page on a port of its own, and the heads of all requests that came to it.
struct Attacker {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Attacker {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let list = Arc::clone(&heard);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let list = Arc::clone(&list);
                std::thread::spawn(move || answer(stream, &list));
            }
        });
        Attacker { port, heard }
    }

    fn heard(&self) -> String {
        self.heard.lock().unwrap().join("\n")
    }
}

fn answer(mut stream: TcpStream, heard: &Mutex<Vec<String>>) {
    let mut head = [0; 16_384];
    let length = stream.read(&mut head).unwrap_or(0);
    heard.lock().unwrap().push(String::from_utf8_lossy(&head[..length]).into_owned());
    let page = "<!doctype html><title>elsewhere</title><p id=elsewhere>another port";
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: lure=1; Path=/\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{page}",
        page.len()
    );
    let _ = stream.write_all(answer.as_bytes());
}

/// Each attempt gives what it got, or "refused".
const ATTEMPTS: &str = r#"
(async (owner, paths) => {
  const got = {};
  const limit = (promise, most = 5000) => Promise.race([promise, new Promise((done) => setTimeout(done, most, "silence"))]);
  const element = (name, attributes) => limit(new Promise((done) => {
    const own = document.createElement(name);
    own.onload = () => done("loaded");
    own.onerror = () => done("refused");
    Object.assign(own, attributes);
    document.body.append(own);
  }));
  const text = (promise) => limit(promise.then(async (answer) => `${answer.type} ${answer.status} ${await answer.text()}`, () => "refused"));
  got.cookie = document.cookie;
  got.storage = JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage });
  for (const path of paths) {
    const url = owner + path;
    got[`cors ${path}`] = await text(fetch(url));
    got[`with credentials ${path}`] = await text(fetch(url, { credentials: "include" }));
    got[`no-cors ${path}`] = await text(fetch(url, { mode: "no-cors", credentials: "include" }));
    got[`with a header ${path}`] = await text(fetch(url, { headers: { "X-Paretonym-Token": "guess" } }));
    got[`script ${path}`] = await element("script", { src: url });
    got[`module ${path}`] = await limit(import(url).then(() => "loaded", () => "refused"));
    got[`style ${path}`] = await element("link", { rel: "stylesheet", href: url });
    got[`image ${path}`] = await element("img", { src: url });
    got[`events ${path}`] = await limit(new Promise((done) => {
      const source = new EventSource(url, { withCredentials: true });
      source.onopen = source.onmessage = () => done("opened");
      source.onerror = () => { source.close(); done("refused"); };
    }));
    const frame = document.createElement("iframe");
    frame.src = url;
    await limit(new Promise((done) => { frame.onload = done; document.body.append(frame); }), 1500);
    try {
      got[`frame ${path}`] = frame.contentDocument === null ? "refused" : frame.contentDocument.body.innerText;
      if (frame.contentDocument === null) got[`frame inside ${path}`] = String(frame.contentWindow.sessionStorage.length);
    } catch { got[`frame inside ${path}`] = "refused"; }
  }
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json"]) {
    got[`post ${type}`] = await text(fetch(`${owner}/api/demo`, { method: "POST", mode: type === "application/json" ? "cors" : "no-cors", credentials: "include", headers: { "Content-Type": type }, body: '{"rows": 10}' }));
  }
  navigator.sendBeacon(`${owner}/api/demo`, new Blob(['{"rows": 10}'], { type: "text/plain" }));
  for (const [action, enctype] of [["/api/demo", "text/plain"], ["/api/runs", "multipart/form-data"], ["/", "text/plain"]]) {
    const target = document.createElement("iframe");
    target.name = `target ${action}`;
    document.body.append(target);
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: owner + action, enctype, target: target.name });
    const field = document.createElement("input");
    Object.assign(field, { name: '{"rows": 10, "x": "', value: '"}' });
    form.append(field);
    document.body.append(form);
    await limit(new Promise((done) => { target.onload = done; form.submit(); }), 1500);
  }
  got.socket = await limit(new Promise((done) => {
    const socket = new WebSocket(`${owner.replace("http", "ws")}/api/state`);
    socket.onopen = () => done("opened");
    socket.onerror = () => done("refused");
  }));
  return got;
})"#;

/// Opens the owner's page in a window and tries to look inside.
const WINDOW: &str = r#"
(async (url) => {
  const opened = window.open(url);
  if (!opened) return ["blocked"];
  await new Promise((done) => setTimeout(done, 1500));
  const attempt = (look) => { try { return String(look()); } catch { return "refused"; } };
  return [attempt(() => opened.document.body.innerText), attempt(() => opened.sessionStorage.token), attempt(() => opened.location.href), `closed ${opened.closed}`];
})"#;

#[test]
fn a_page_of_another_port_gets_nothing() {
    let Some(visit) = Visit::with_front() else { return };
    let (page, server) = (&visit.chromium, &visit.server);
    let attacker = Attacker::start();
    let before = visit.folder.names();
    let run = visit.only_run().split('/').next_back().unwrap().to_owned();
    let owner = format!("http://127.0.0.1:{}", server.port);
    let paths: Vec<String> = ["/", "/assets/token.js", "/api/state"]
        .into_iter()
        .map(str::to_owned)
        .chain(["front", "report", "events"].iter().map(|part| format!("/api/runs/{run}/{part}")))
        .collect();

    for host in ["127.0.0.1", "localhost"] {
        let owners_tab = page.open_tab(&format!("http://{host}:{}/", attacker.port));
        page.wait_for("#elsewhere");
        let got = page.run(&format!("{ATTEMPTS}({}, {})", json!(owner), json!(paths)));
        let got = got.as_object().unwrap();
        assert!(got.len() > 60, "{got:?}");
        for (attempt, result) in got {
            let expected = match attempt.as_str() {
                // Its own cookie, and nothing else.
                "cookie" => "lure=1",
                "storage" => "{}{}",
                _ => "refused",
            };
            assert_eq!(result, expected, "{attempt} from {host}");
        }
        for address in [owner.clone(), format!("{owner}/api/state"), format!("{owner}/api/runs/{run}/report")] {
            let seen = page.run_clicked(&format!("{WINDOW}({})", json!(address)));
            for what in seen.as_array().unwrap() {
                // A window that was cut off shows what it was before: an empty page of the attacker's own.
                const NOTHING: [&str; 8] =
                    ["refused", "blocked", "closed true", "closed false", "", "about:blank", "undefined", "null"];
                let nothing = what.as_str().is_some_and(|what| NOTHING.contains(&what));
                assert!(nothing, "{address} from {host}: {seen}");
            }
        }
        // The owner's tab goes where the attacker is: nothing of it goes along.
        page.switch(&owners_tab);
        page.open(&format!("http://{host}:{}/", attacker.port));
        assert_eq!(page.run("document.cookie + JSON.stringify({ ...sessionStorage }) + document.referrer"), "lure=1{}");
        page.open(&server.view(&format!("/run/{run}")));
        page.wait_for("#chosen #release");
    }
    let heard = attacker.heard();
    assert!(heard.contains("GET / ") && !heard.contains(server.token()), "the token went to another port");
    assert!(!heard.to_ascii_lowercase().contains("paretonym"), "{heard}");

    // Nothing was made, nothing was started, and the owner goes on.
    let header = ("X-Paretonym-Token", server.token());
    assert_eq!(server.status("GET", "/api/state", &[header]), 200);
    let tables: Vec<_> = std::fs::read_dir(visit.folder.at("work/tables")).unwrap().map(|one| one.unwrap()).collect();
    assert_eq!(tables.len(), 1, "{tables:?}");
    visit.only_run();
    assert_eq!(visit.folder.names(), before);
    page.reload();
    page.wait_for("#chosen #release");
    assert_eq!(page.run("window.opener"), Value::Null);
}
