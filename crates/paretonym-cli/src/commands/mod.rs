//! One file per command: its arguments with help and examples, and `run`.

pub mod audit;
pub mod catalog;
pub mod choose;
pub mod compare;
pub mod demo;
pub mod explore;
pub mod init;
pub mod reapply;
pub mod release;
pub mod serve;
pub mod sql;
