//! What privacy costs: the recodings of a table about people that no other recoding beats in both privacy and
//! information kept.
//!
//! file → counts → groups → measures → problem → search → front → choice → release → audit

// The order is the design: a module uses only those above it. Blank lines keep rustfmt from sorting them.
pub mod error;

pub mod data;

pub mod engine;

pub mod taxonomy;

pub mod draft;

pub mod settings;

pub mod recode;

pub mod group;

pub mod measure;

pub mod privacy;

pub mod loss;

pub mod front;

pub mod problem;

pub mod search;

pub mod compare;

pub mod catalog;

pub mod study;

pub mod release;

pub mod view;

pub mod report;
