//! Runs of the server: refused, stopped, resumed, waiting, and silent about what they read.

#[path = "server/people.rs"]
mod people;
mod program;
mod server;

use people::{long_study, people, run, started, study};
use program::Folder;
use serde_json::{Value, json};
use server::Server;

#[test]
fn wrong_studies_and_unknown_runs_are_refused() {
    let (_folder, server) = started();
    server.upload("people.csv", people(600).as_bytes()).json();
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut study = study("exact");
        change(&mut study);
        server.post("/api/runs", &json!({ "table": "people.csv", "study": study })).error(400)
    };
    assert!(refused(&|study| study["search"]["optimizer"] = json!("exat")).contains("did you mean \"exact\""));
    assert!(refused(&|study| study["search"]["eta"] = json!(7)).contains("eta"));
    assert!(refused(&|study| study["columns"][1]["name"] = json!("agee")).contains("agee"));
    assert!(refused(&|study| study["columns"][1]["rool"] = json!(1)).contains("rool"));
    assert!(refused(&|study| *study = json!({ "columns": [] })).contains("no quasi column"));
    assert!(refused(&|study| *study = json!([1])).contains("study"));
    assert!(server.post("/api/runs", &json!({ "table": "people.csv" })).error(400).contains("study"));
    server.post("/api/runs", &json!({ "table": "none.csv", "study": study("exact") })).error(404);
    assert_eq!(server.get("/api/state").json()["runs"], json!([]));

    // What only the rows can tell fails the run, with a word about it.
    let mut study = study("exact");
    study["columns"][3]["taxonomy"] = json!({ "hand": ["baker"] });
    server.post("/api/runs", &json!({ "name": "bad", "table": "people.csv", "study": study })).json();
    let end = server.wait("bad");
    assert!(end["status"] == "failed" && end["message"].as_str().unwrap().contains("job"), "{end}");
    server.get("/api/runs/bad/front").error(404);
    server.post("/api/runs/bad/choose", &json!({})).error(404);
    server.post("/api/runs", &json!({ "name": "bad", "table": "people.csv", "study": study })).error(409);

    for path in ["", "/front", "/report", "/events", "/solutions/1", "/releases/x.csv"] {
        server.get(&format!("/api/runs/none{path}")).error(404);
    }
    for path in ["stop", "resume", "choose", "compare"] {
        server.post(&format!("/api/runs/none/{path}"), &json!({})).error(404);
    }
    server.delete("/api/runs/none").error(404);
    server.delete("/api/runs/bad").json();
    server.get("/api/runs/bad").error(404);
}

#[test]
fn a_stopped_run_goes_on_to_the_same_front_also_after_a_restart() {
    let (folder, mut server) = started();
    run(&server, "whole", &long_study(60_000));
    let start = |name: &str| {
        let wish = json!({ "name": name, "table": "people.csv", "study": long_study(60_000) });
        server.post("/api/runs", &wish).json();
        // Until there is a front and a checkpoint.
        let events = server.events_until(name, |event, _| event == "front");
        let (_, live) = events.iter().find(|(event, _)| event == "front").expect("the run shows its front");
        assert_eq!(live["objectives"], json!(["k", "loss"]));
        let point = live["points"][0].as_array().unwrap();
        assert!(point.len() == 3 && point[0].as_f64() >= Some(1.0) && point[2].is_null(), "{point:?}");
        while !folder.at(&format!("work/runs/{name}/checkpoint.json")).exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    };
    start("stopped");
    server.post("/api/runs/stopped/resume", &json!({})).error(409);
    server.delete("/api/runs/stopped").error(409);
    server.post("/api/runs/stopped/stop", &json!({})).json();
    let end = server.wait("stopped");
    assert_eq!(end["status"], "stopped", "{end}");
    let half = folder.front("work/runs/stopped");
    assert_eq!((&half["complete"], half["evaluated"].as_u64() < Some(60_000)), (&json!(false), true));
    server.post("/api/runs/stopped/stop", &json!({})).error(409);

    // Ctrl-C ends the server well, and a run that computes keeps what it has.
    start("interrupted");
    assert!(server.interrupt());
    assert_eq!(folder.front("work/runs/interrupted")["complete"], false);
    let server = Server::start(&folder.at("work"), &[]);
    let state = server.get("/api/state").json();
    let status = |name: &str| {
        let runs = state["runs"].as_array().unwrap();
        runs.iter().find(|run| run["name"] == name).unwrap()["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        (status("stopped"), status("interrupted"), status("whole")),
        ("stopped".into(), "stopped".into(), "done".into())
    );
    assert_eq!(server.wait("stopped")["status"], "stopped", "a listener gets the end at once");

    for name in ["stopped", "interrupted"] {
        assert_eq!(server.post(&format!("/api/runs/{name}/resume"), &json!({})).json()["from_checkpoint"], true);
        assert_eq!(server.wait(name)["status"], "done");
        assert_eq!(
            folder.front(&format!("work/runs/{name}"))["solutions"],
            folder.front("work/runs/whole")["solutions"]
        );
    }
    server.post("/api/runs/whole/resume", &json!({})).error(409);
}

#[test]
fn one_run_computes_and_the_others_wait() {
    let (folder, server) = started();
    server.upload("people.csv", people(600).as_bytes()).json();
    for name in ["first", "second", "third"] {
        let study = if name == "first" { long_study(10_000_000) } else { study("exact") };
        server.post("/api/runs", &json!({ "name": name, "table": "people.csv", "study": study })).json();
    }
    server.events_until("first", |event, _| event == "front");
    let status = |name: &str| server.get(&format!("/api/runs/{name}")).json()["status"].as_str().unwrap().to_owned();
    assert_eq!(
        (status("first"), status("second"), status("third")),
        ("running".into(), "waiting".into(), "waiting".into())
    );
    server.post("/api/runs/third/stop", &json!({})).json();
    assert_eq!(server.wait("third")["status"], "stopped");
    server.post("/api/runs/first/stop", &json!({})).json();
    assert_eq!(server.wait("second")["status"], "done");
    assert_eq!(status("third"), "stopped");
    assert_eq!(server.post("/api/runs/third/resume", &json!({})).json()["from_checkpoint"], false);
    assert_eq!(server.wait("third")["status"], "done");
    assert_eq!(folder.front("work/runs/third")["solutions"], folder.front("work/runs/second")["solutions"]);
}

#[test]
fn a_folder_of_explore_is_served_as_a_run() {
    let folder = Folder::new();
    folder.run("demo --rows 400 --out my-front --quiet");
    let server = Server::start(&folder.at("my-front"), &[]);
    let runs = server.get("/api/state").json()["runs"].clone();
    assert_eq!((runs.as_array().unwrap().len(), &runs[0]["name"]), (1, &json!("my-front")));
    assert_eq!(runs[0]["status"], "done");
    assert_eq!(server.get("/api/runs/my-front/front").json(), folder.front("my-front"));
    assert!(server.get("/api/runs/my-front/solutions/1").json()["sizes"].is_array());
    let released = server.post("/api/runs/my-front/release", &json!({ "solution": 1, "name": "x.csv" })).json();
    assert_eq!(released["files"][0], "x.csv");
    assert!(folder.at("my-front/releases/x.csv").exists());
    server.delete("/api/runs/my-front").error(409);
}

#[test]
fn no_value_of_the_data_is_logged() {
    let (folder, mut server) = started();
    let table =
        people(600).replace("baker", "canary-job").replace("flu", "canary-disease").replace("p7,", "canary-id,");
    server.upload("canary-table.csv", table.as_bytes()).json();
    server.post("/api/profile", &json!({ "table": "canary-table.csv" })).json();
    // A value that the study lacks makes an error that names it.
    let wish = |name: &str, study: Value| json!({ "name": name, "table": "canary-table.csv", "study": study });
    server.post("/api/runs", &wish("bad", study("exact"))).json();
    assert!(server.wait("bad")["message"].as_str().unwrap().contains("canary-job"));
    let mut good = study("exact");
    good["columns"][3]["taxonomy"] = json!(["canary-job", ["welder", "clerk"], "teacher", "nurse"]);
    server.post("/api/runs", &wish("good", good)).json();
    assert_eq!(server.wait("good")["status"], "done");
    assert!(server.get("/api/runs/good/solutions/2").text().contains("canary"));
    server.post("/api/runs/good/release", &json!({ "solution": 2, "name": "r.csv" })).json();
    server.post("/api/runs/good/compare", &json!({ "solutions": [1, 2] })).json();
    server.ask("POST", "/api/runs", "application/json", b"{\"table\": \"canary-broken");
    server.get("/api/runs/canary-run/front").error(404);
    assert!(server.interrupt());
    let log = server.log();
    assert!(!log.contains("canary"), "{log}");
    // What the run leaves for everybody holds no row either.
    assert!(!folder.read("work/runs/good/report.html").contains("canary-id"));
}
