//! Strangers, and tables that are up to something.

use serde_json::Value;

use crate::chromium::Chromium;
use crate::people;
use crate::program::Folder;
use crate::server::Server;
use crate::steps::Visit;

/// Whoever lacks the token, comes from elsewhere, or looks elsewhere is refused.
#[test]
fn strangers_are_refused() {
    let folder = Folder::new();
    std::fs::write(folder.at("secret.txt"), "nobody's business").unwrap();
    let server = Server::start(&folder, "work");
    let token = format!("/?token={}", server.token());
    let with = |path: &str| format!("{path}?token={}", server.token());
    let refused = |status: u16| status == 401 || status == 403;
    for target in ["/?token=0123456789abcdef", "/api/state", "/api/runs", "/nothing", "/../secret.txt"] {
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
    assert_eq!(page.run("document.cookie"), "", "there are no cookies");
    assert!(!page.run("location.href").as_str().unwrap().contains("token"));
    // The token stays with the tab: it can be loaded again, and another tab has nothing.
    page.reload();
    page.wait_for("#file");
    let own = page.open_tab(&server.view("/"));
    page.wait_for(".trouble");
    assert!(page.text(".trouble").contains("This tab has no token"), "{}", page.text(".trouble"));
    page.switch(&own);
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
