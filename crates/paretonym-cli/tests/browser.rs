//! Stories of the page in a real Chromium, with the real program behind it. Each leaves pictures in the target folder.

#[path = "browser/attack.rs"]
mod attack;
#[path = "browser/choosing.rs"]
mod choosing;
#[path = "browser/chromium.rs"]
mod chromium;
#[path = "browser/comparing.rs"]
mod comparing;
#[path = "browser/databases.rs"]
mod databases;
#[path = "browser/looks.rs"]
mod looks;
#[path = "browser/missing.rs"]
mod missing;
#[path = "browser/people.rs"]
mod people;
mod program;
#[path = "browser/report.rs"]
mod report;
#[path = "browser/running.rs"]
mod running;
#[path = "browser/safety.rs"]
mod safety;
#[path = "browser/server.rs"]
mod server;
#[path = "browser/steps.rs"]
mod steps;
#[path = "browser/visiting.rs"]
mod visiting;
