//! The server under load: those who connect and say nothing, and searches that take every core.
#![cfg(unix)]

#[path = "server/people.rs"]
mod people;
mod program;
mod server;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use people::{long_study, people, run, started, study};
use program::Folder;
use serde_json::json;
use server::Server;

/// Asks for the state; none where the connection was closed before the answer came.
fn state(server: &Server) -> Option<u16> {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
    let (port, token) = (server.port, &server.token);
    let head = format!("Host: 127.0.0.1:{port}\r\nX-Paretonym-Token: {token}\r\nConnection: close");
    stream.write_all(format!("GET /api/state HTTP/1.1\r\n{head}\r\n\r\n").as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split(' ').nth(1)?.parse().ok()
}

#[test]
fn half_open_connections_do_not_lock_the_owner_out() {
    let folder = Folder::new();
    let server = Server::with_few_files(&folder.at("work"), 128);
    server.upload("people.csv", people(600).as_bytes()).json();
    let study = long_study(100_000_000);
    server.post("/api/runs", &json!({ "name": "long", "table": "people.csv", "study": study })).json();
    server.events_until("long", |event, _| event == "front");

    // Somebody watches the run while the others come.
    let watching = std::thread::scope(|scope| {
        let (begun, begins) = std::sync::mpsc::channel();
        let server = &server;
        let watcher = scope.spawn(move || {
            server.events_until("long", |_, _| {
                let _ = begun.send(());
                false
            })
        });
        begins.recv().unwrap();
        let heads = [
            "",
            "G",
            "GET /api/state HTTP/1.1\r\nHost: x\r\n",
            "POST /api/demo HTTP/1.1\r\nContent-Length: 9\r\n\r\n{",
        ];
        let mut silent = Vec::new();
        let mut answered = 0;
        for number in 0..600 {
            if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", server.port)) {
                let _ = stream.write_all(heads[number % heads.len()].as_bytes());
                silent.push(stream);
            }
            // The owner may have to try again, though not often.
            if number % 50 == 49 {
                answered += u32::from((0..20).any(|_| state(server) == Some(200)));
            }
        }
        assert_eq!(answered, 12, "the owner was locked out");
        // The first ones had to go, though they never asked for anything.
        let mut first = &silent[0];
        first.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        assert!(matches!(first.read(&mut [0; 64]), Ok(0) | Err(_)));
        server.post("/api/runs/long/stop", &json!({})).json();
        watcher.join().unwrap()
    });
    assert_eq!(watching.last().unwrap().0, "end", "who was served already is not cut off");
}

/// A silent connection is closed by itself, also where there is room for it.
#[test]
fn a_connection_that_asks_for_nothing_is_closed() {
    let (_folder, server) = started();
    let mut streams: Vec<TcpStream> = ["", "GET / HTTP/1.1\r\nHost:"]
        .iter()
        .map(|head| {
            let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
            stream.write_all(head.as_bytes()).unwrap();
            // Far longer than it may take: the end of patience would be an error of its own kind.
            stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
            stream
        })
        .collect();
    for stream in &mut streams {
        let mut rest = Vec::new();
        let ended = stream.read_to_end(&mut rest);
        assert!(ended.is_ok() || ended.is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset));
    }
    assert_eq!(state(&server), Some(200));
}

/// A table whose sensitive column has a value of its own for almost every row.
fn many_values(rows: u32) -> String {
    let people = people(rows);
    let mut lines = people.lines();
    let mut text = format!("{}\n", lines.next().unwrap());
    for (row, line) in lines.enumerate() {
        let (rest, _) = line.rsplit_once(',').unwrap();
        text += &format!("{rest},{}\n", row as u32 * 7 % (rows * 9 / 10));
    }
    text
}

#[test]
fn what_is_asked_for_is_answered_while_a_search_runs() {
    let (folder, server) = started();
    run(&server, "done", &study("exact"));
    server.upload("many.csv", many_values(60_000).as_bytes()).json();
    let mut long = long_study(100_000_000);
    long["columns"][4] = json!({ "name": "disease", "role": "sensitive", "kind": "numeric" });
    long["search"]["privacy"] = json!("t");
    server.post("/api/runs", &json!({ "name": "long", "table": "many.csv", "study": long })).json();
    server.events_until("long", |event, _| event == "front");

    // Some of these need threads for their own work, and none waits for those of the search.
    for round in 0..25 {
        server.get("/api/state").json();
        server.get("/api/runs/done/front").json();
        server.post("/api/runs/done/choose", &json!({ "max_loss": 0.5 })).json();
        server.get("/api/runs/done/solutions/1").json();
        if round % 5 == 0 {
            server.post("/api/profile", &json!({ "table": "people.csv" })).json();
            server.post("/api/runs/done/compare", &json!({ "solutions": [1, 2] })).json();
            let wish = json!({ "solution": 1, "name": format!("r{round}.csv") });
            server.post("/api/runs/done/release", &wish).json();
        }
    }
    assert_eq!(server.get("/api/runs/long").json()["status"], "running", "all that came before the search ended");
    server.post("/api/runs/long/stop", &json!({})).json();
    assert_eq!(server.wait("long")["status"], "stopped");
    let front = folder.front("work/runs/long");
    assert!(!front["solutions"].as_array().unwrap().is_empty() && front["complete"] == false);
}

/// A release that is being written when the server is asked to end leaves no draft behind.
#[test]
fn the_server_takes_its_drafts_along() {
    for signal in ["-TERM", "-HUP", "-INT"] {
        let folder = Folder::new();
        folder.run("demo --rows 150000 --out my-front --quiet");
        let mut server = Server::start(&folder.at("my-front"), &[]);
        let release = json!({ "solution": 1, "name": "x.csv" }).to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        let (port, token) = (server.port, server.token.clone());
        let head = format!("Host: 127.0.0.1:{port}\r\nX-Paretonym-Token: {token}\r\nContent-Type: application/json");
        let request = format!(
            "POST /api/runs/my-front/release HTTP/1.1\r\n{head}\r\nContent-Length: {}\r\n\r\n{release}",
            release.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let drafts = || {
            let entries = std::fs::read_dir(folder.at("my-front/releases")).into_iter().flatten().flatten();
            entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".paretonym")).count()
        };
        let written = || folder.at("my-front/releases/x.csv").exists();
        while drafts() == 0 && !written() {
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(server.signal(signal), "{signal}");
        assert_eq!(drafts(), 0, "{signal}");
    }
}
