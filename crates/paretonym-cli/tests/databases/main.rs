//! Tables in databases: whatever the engine, the same fronts and releases as from a file. Runs on the engines that
//! `databases/set-up` installed into the folder that `$PARETONYM_DATABASES` names; what is not there is skipped, and said.

#![cfg(unix)]

mod cluster;
mod commands;
mod distant;
mod engines;
mod failures;
mod fronts;
mod inside;
mod mistakes;
mod people;
mod printed;
#[path = "../program/mod.rs"]
mod program;
mod releases;
mod secrets;
mod servers;
mod site;
mod studies;
mod tables;
mod wire;
