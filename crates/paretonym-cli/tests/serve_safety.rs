//! Who may ask the server, and for what: nothing is told to those who lack the token, come from another site, or try to
//! leave the working folder.

mod server;

use server::Server;

const TABLE: &str = "person,age,zip,disease\n1,31,13053,flu\n2,35,13068,flu\n3,31,13053,cold\n4,49,14850,cold\n";

fn started(arguments: &[&str]) -> (tempfile::TempDir, Server) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("work"), arguments);
    (folder, server)
}

/// Paths that need the token, also such that are not there.
const GUARDED: [&str; 7] =
    ["/index.html", "/api/state", "/api/catalog", "/api/runs/x/front", "/nothing", "/api", "/favicon.ico"];
/// The page itself, which holds no data.
const OPEN: [&str; 2] = ["/", "/assets/main.js"];

#[test]
fn nothing_without_the_token() {
    let (_folder, server) = started(&[]);
    let host = format!("127.0.0.1:{}", server.port);
    let host = ("Host", host.as_str());
    let almost = format!("{}0", &server.token[..server.token.len() - 1]);
    let other = if almost == server.token { format!("{}1", &almost[..almost.len() - 1]) } else { almost };
    for path in GUARDED {
        for method in ["GET", "POST", "DELETE", "PUT", "OPTIONS", "HEAD"] {
            assert_eq!(server.raw(method, path, &[host], b"").status, 401, "{method} {path}");
        }
    }
    for path in GUARDED.into_iter().chain(OPEN) {
        for method in ["POST", "DELETE", "PUT", "OPTIONS"] {
            assert_eq!(server.raw(method, path, &[host], b"").status, 401, "{method} {path}");
        }
        assert_eq!(server.raw("GET", &format!("{path}?token={other}"), &[host], b"").status, 401, "{path}");
        assert_eq!(server.raw("GET", &format!("{path}?token="), &[host], b"").status, 401, "{path}");
        assert_eq!(server.raw("GET", path, &[host, ("X-Paretonym-Token", &other)], b"").status, 401, "{path}");
    }
}

/// A browser sends cookies to every port of a host: there must be none to send.
#[test]
fn no_cookie_is_ever_set_or_taken() {
    let (_folder, server) = started(&[]);
    let host = format!("localhost:{}", server.port);
    let host = ("Host", host.as_str());
    let token = ("X-Paretonym-Token", server.token.as_str());
    for path in GUARDED.into_iter().chain(OPEN) {
        for name in ["paretonym", "token", "x-paretonym-token", &format!("paretonym-{}", server.port)] {
            let cookie = format!("a=b; {name}={}; c=d", server.token);
            let answer = server.raw("GET", path, &[host, ("Cookie", &cookie)], b"");
            assert_eq!(answer.status == 401, !OPEN.contains(&path), "{path} {cookie}: {}", answer.status);
            assert_eq!(answer.header("set-cookie"), None, "{path}");
        }
        for method in ["GET", "POST"] {
            assert_eq!(server.raw(method, path, &[host, token], b"").header("set-cookie"), None, "{method} {path}");
        }
        let opened = server.raw("GET", &format!("{path}?token={}", server.token), &[host], b"");
        assert_eq!(opened.header("set-cookie"), None, "{path}");
    }
    let page = server.raw("GET", &format!("/?token={}", server.token), &[host], b"");
    assert!(page.status == 200 && page.text().contains("<html"), "{}", page.text());
    assert!(!page.text().contains(&server.token));
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let script = server.raw("GET", "/assets/main.js", &[host], b"");
    assert_eq!((script.status, script.header("content-type")), (200, Some("text/javascript; charset=utf-8")));
}

/// A ticket opens the one path that it was given for, once, and nothing else.
#[test]
fn a_download_takes_a_ticket() {
    let (folder, server) = started(&[]);
    let run = folder.path().join("work/runs/x");
    std::fs::create_dir_all(run.join("releases")).unwrap();
    std::fs::write(run.join("study.toml"), "[data]\npath = \"x\"\n").unwrap();
    std::fs::write(run.join("front.json"), "{}").unwrap();
    std::fs::write(run.join("report.html"), "<html>report").unwrap();
    std::fs::write(run.join("releases/y.csv"), "released").unwrap();
    let host = format!("127.0.0.1:{}", server.port);
    let host = ("Host", host.as_str());
    let ticket = |path: &str| {
        let given = server.post("/api/tickets", &serde_json::json!({ "path": path })).json();
        given["ticket"].as_str().unwrap().to_owned()
    };
    for (path, content) in [("/api/runs/x/report", "<html>report"), ("/api/runs/x/releases/y.csv", "released")] {
        let own = ticket(path);
        let get = |path: &str, more: &[(&str, &str)]| {
            server.raw("GET", &format!("{path}?ticket={own}"), &[&[host], more].concat(), b"")
        };
        assert_eq!(get("/api/state", &[]).status, 401);
        assert_eq!(get("/api/runs/x/front", &[]).status, 401);
        assert_eq!(get(path, &[("Sec-Fetch-Site", "same-site")]).status, 403);
        assert_eq!(get(path, &[("Origin", "http://127.0.0.1:1")]).status, 403);
        let answer = get(path, &[("Sec-Fetch-Site", "same-origin")]);
        assert_eq!((answer.status, answer.text().as_str()), (200, content));
        assert!(answer.header("content-disposition").is_some_and(|how| how.starts_with("attachment")));
        assert_eq!(get(path, &[]).status, 401, "it is used up");
        assert_eq!(server.raw("GET", &format!("{path}?ticket=0123"), &[host], b"").status, 401);
    }
    for path in ["/api/state", "/api/runs/x/front", "/api/runs/x", "", "/api/runs/x/releases/y.csv?z"] {
        let refused = server.post("/api/tickets", &serde_json::json!({ "path": path })).status;
        assert!(refused == 400 || path.ends_with("?z"), "{path}: {refused}");
    }
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let (_folder, server) = started(&[]);
    let host = format!("127.0.0.1:{}", server.port);
    let token = ("X-Paretonym-Token", server.token.as_str());
    for path in GUARDED.into_iter().chain(OPEN) {
        for foreign in ["example.org", &format!("example.org:{}", server.port), "127.0.0.1", "[::1]:80", ""] {
            assert_eq!(server.raw("GET", path, &[("Host", foreign), token], b"").status, 403, "{path} {foreign}");
        }
        for foreign in ["http://example.org", "null", "http://localhost:1", &format!("https://{host}")] {
            let headers = [("Host", host.as_str()), token, ("Origin", foreign)];
            for method in ["GET", "POST"] {
                assert_eq!(server.raw(method, path, &headers, b"").status, 403, "{method} {path} {foreign}");
            }
        }
        // To a browser another port of this machine is the same site.
        for site in ["same-site", "cross-site"] {
            let headers = [("Host", host.as_str()), token, ("Sec-Fetch-Site", site)];
            assert_eq!(server.raw("GET", path, &headers, b"").status, 403, "{site} {path}");
        }
        let answer = server.raw("GET", path, &[("Host", &host), token], b"");
        let shared = answer.headers.iter().find(|(name, _)| name.starts_with("access-control"));
        assert_eq!(shared, None, "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"), "{path}");
        assert_eq!(answer.header("cross-origin-opener-policy"), Some("same-origin"), "{path}");
    }
    let from = |site: &str, path: &str| {
        server.raw("GET", path, &[("Host", &host), token, ("Sec-Fetch-Site", site)], b"").status
    };
    assert_eq!((from("same-origin", "/api/state"), from("none", "/")), (200, 200));
    let form = [("Host", host.as_str()), token, ("Content-Type", "application/x-www-form-urlencoded")];
    assert_eq!(server.raw("POST", "/api/demo", &form, b"{\"rows\":10}").status, 415);
    assert_eq!(server.raw("POST", "/api/demo", &form[..2], b"{\"rows\":10}").status, 415);
}

#[test]
fn every_answer_carries_the_policy() {
    let (_folder, server) = started(&[]);
    let host = format!("127.0.0.1:{}", server.port);
    let answers = [
        server.get("/"),
        server.get("/assets/main.js"),
        server.get("/api/state"),
        server.get("/api/runs/none/front"),
        server.get("/nothing"),
        server.raw("GET", "/", &[("Host", &host)], b""),
        server.raw("GET", "/", &[("Host", "example.org")], b""),
        server.raw("GET", &format!("/?token={}", server.token), &[("Host", &host)], b""),
        server.ask("PUT", "/api/state", "application/json", b"{}"),
    ];
    for answer in &answers {
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
    assert_eq!(answers[8].status, 405);
}

#[test]
fn no_path_leaves_the_folder() {
    let (folder, server) = started(&[]);
    std::fs::write(folder.path().join("front.json"), "{\"secret\": true}").unwrap();
    std::fs::write(folder.path().join("study.toml"), "secret = true").unwrap();
    std::fs::create_dir_all(folder.path().join("releases")).unwrap();
    std::fs::write(folder.path().join("releases/secret.csv"), "secret").unwrap();
    let ups = ["..", "%2e%2e", "%2E%2e", ".%2e", "..%2f..", "..%5c..", "%252e%252e", "..%00", "....", "%c0%ae%c0%ae"];
    for up in ups {
        let paths = [
            format!("/api/runs/{up}/front"),
            format!("/api/runs/{up}/{up}/front"),
            format!("/api/runs/{up}/report"),
            format!("/api/runs/{up}/releases/secret.csv"),
            format!("/api/runs/x/releases/{up}"),
            format!("/api/runs/x/releases/{up}%2f{up}%2freleases%2fsecret.csv"),
            format!("/assets/{up}"),
            format!("/assets/{up}/{up}/Cargo.toml"),
            format!("/assets/{up}%2fCargo.toml"),
            format!("/{up}/{up}/study.toml"),
        ];
        for path in paths {
            let answer = server.get(&path);
            assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
            assert!(!answer.text().contains("secret\": true"), "{path}");
        }
        let upload = server.upload(&format!("{up}%2fx.csv"), TABLE.as_bytes());
        assert_eq!(upload.status, 400, "{up}");
        let bodies = ["../work/tables/x.csv", "/etc/passwd", up, "..\\x", ".hidden", ""];
        for name in bodies {
            let answer = server.post("/api/profile", &serde_json::json!({ "table": name }));
            assert!(matches!(answer.status, 400 | 404), "{name}: {}", answer.text());
            let run = serde_json::json!({ "table": "x.csv", "name": name, "study": {} });
            assert!(matches!(server.post("/api/runs", &run).status, 400 | 404), "{name}");
        }
    }
    let mut inside: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|one| one.unwrap().file_name()).collect();
    inside.sort();
    assert_eq!(inside, ["front.json", "releases", "study.toml", "work", "work.log"]);
}

#[test]
fn a_study_reads_no_other_file() {
    let (folder, server) = started(&[]);
    let outside = folder.path().join("outside.csv");
    std::fs::write(&outside, "13053;*\n13068;*\n14850;*\n").unwrap();
    assert_eq!(server.upload("people.csv", TABLE.as_bytes()).status, 200);
    let profile = server.post("/api/profile", &serde_json::json!({ "table": "people.csv" })).json();
    let mut study = profile["study"].clone();
    // The path of the data is the server's to say.
    study["data"]["path"] = serde_json::json!(outside.display().to_string());
    let columns = study["columns"].as_array_mut().unwrap();
    let zip = columns.iter_mut().find(|column| column["name"] == "zip").unwrap();
    *zip = serde_json::json!({ "name": "zip", "role": "quasi", "taxonomy": outside.display().to_string() });
    let run = serde_json::json!({ "table": "people.csv", "study": study });
    let said = server.post("/api/runs", &run).error(400);
    assert!(said.contains("zip") && said.contains("in the study itself"), "{said}");
}

#[test]
fn a_file_that_is_too_large_is_refused_and_not_kept() {
    let (folder, server) = started(&["--max-upload", "64K"]);
    let said = server.upload("large.csv", &vec![b'x'; 70_000]).error(413);
    assert!(said.contains("64 KiB") && said.contains("--max-upload"), "{said}");
    assert_eq!(server.upload("fits.csv", TABLE.as_bytes()).status, 200);
    assert!(server.upload("empty.csv", b"").error(400).contains("empty"));
    let kept: Vec<_> = std::fs::read_dir(folder.path().join("work/tables")).unwrap().map(|one| one.unwrap()).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&kept[0].path()), 0o600);
        assert_eq!(mode(&folder.path().join("work/tables")), 0o700);
        assert_eq!(mode(&folder.path().join("work")), 0o700);
    }
    assert_eq!(server.get("/api/state").json()["upload_limit"], 65_536);
}
