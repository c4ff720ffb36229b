//! What privacy costs: the recodings of a table about people that no other recoding beats in both privacy and
//! information kept.
//!
//! file → counts → groups → measures → problem → search → front → choice → release → audit

pub mod error;

pub mod data;
pub mod draft;
pub mod engine;
pub mod settings;
pub mod taxonomy;

pub mod recode;

pub mod group;

pub mod measure;

pub mod privacy;

pub mod loss;

pub mod front;

pub mod problem;

pub mod search;

pub mod catalog;
