//! What is released: the recoding that a solution stands for, the claims that go with it, and the certificate that says
//! what the written file was measured to hold. The engine writes and measures; nothing here touches a row or a file.

mod audit;

pub use audit::{Attack, Audit, Below, Combination, Diversity, Risk, SizeClass};
