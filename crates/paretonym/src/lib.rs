//! What privacy costs: the recodings of a table about people that no other recoding beats in both privacy and
//! information kept.
//!
//! file → counts → groups → measures → problem → search → front → choice → release → audit

pub mod error;
pub mod data;
pub mod draft;
pub mod engine;
pub mod taxonomy;
