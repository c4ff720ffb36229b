//! What is released: the recoding that a solution stands for, the claims that go with it, and the certificate that says
//! what the written file was measured to hold. The engine writes and measures; nothing here touches a row or a file.
//!
//! solution → recoding → plan (which rows stay, what each cell shows) → claim → certificate

mod applied;
mod audit;
mod certificate;
mod check;
mod claim;
mod column;
mod enforce;
mod file_rows;
mod finder;
mod joined;
mod local;
mod local_sql;
mod markdown;
mod plan;
mod public;
mod reapply;
mod rest;
mod rows;
mod saved;
mod sql;
mod table;

pub use applied::AppliedSolution;
pub use audit::{Attack, Audit, Below, Combination, Diversity, Risk, SizeClass};
pub use certificate::{
    CERTIFICATE_FORMAT, Certificate, ColumnFate, Commitments, CommittedColumn, FileFacts, Fresh, InputFacts, Reapplied,
};
pub use claim::{Claim, Difference};
pub use enforce::Enforce;
pub use file_rows::{incomplete_rows, text_leaves};
pub use finder::Finder;
pub use local::BoxFinder;
pub use local_sql::{region_query, region_table, values_of_labels};
pub use markdown::markdown;
pub use plan::{ReleasePlan, plan};
pub use public::{PUBLIC_RECODING_FORMAT, PublicColumn, PublicRecoding, PublicSet, is_id, rounded_up, rounded_up_rows};
pub use reapply::{Reapplication, reapply};
pub use rest::describe_rest;
pub use rows::{Fate, KeptGroups, fates};
pub use saved::{
    MappedBin, MappedNumber, MappedValue, Mapping, RECODING_FORMAT, SavedColumn, SavedRecoding, SavedRegions, SavedSet,
    Shown, Unknown,
};
pub use sql::{case_expression, value_table};
pub use table::ReleaseTable;
