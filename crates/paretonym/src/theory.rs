//! What everything means and why it is right: the pages of `docs/`, readable beside the code.
//!
//! Start with [`families`] (which recoding to use) and [`definitions`] (what each name of the catalogue means).

/// The text of [`definitions`], one section of the third order for each entry of the catalogue.
pub const DEFINITIONS: &str = include_str!("../../../docs/definitions.md");

/// The text of [`references`](mod@references), one section of the third order for each mark that the catalogue cites.
pub const REFERENCES: &str = include_str!("../../../docs/references.md");

// The pages link to each other by files; what is said here first leads to the modules instead.

/// [references]: mod@references
/// [S0]: mod@references#s0
/// [S1]: mod@references#s1
/// [S2]: mod@references#s2
/// [S3]: mod@references#s3
/// [S4]: mod@references#s4
/// [Bayardo and Agrawal 2005]: mod@references#bayardo-and-agrawal-2005
/// [Breiman et al. 1984]: mod@references#breiman-et-al-1984
/// [Deb et al. 2002]: mod@references#deb-et-al-2002
/// [Gionis and Tassa 2009]: mod@references#gionis-and-tassa-2009
/// [LeFevre et al. 2005]: mod@references#lefevre-et-al-2005
/// [LeFevre et al. 2006]: mod@references#lefevre-et-al-2006
/// [Li, Li and Venkatasubramanian 2007]: mod@references#li-li-and-venkatasubramanian-2007
/// [Lunacek et al. 2006]: mod@references#lunacek-et-al-2006
/// [Machanavajjhala et al. 2006]: mod@references#machanavajjhala-et-al-2006
/// [Samarati 2001]: mod@references#samarati-2001
/// [Samarati and Sweeney 1998]: mod@references#samarati-and-sweeney-1998
/// [Sweeney 2002]: mod@references#sweeney-2002
/// [Truta and Vinay 2006]: mod@references#truta-and-vinay-2006
/// [Whitley 1989]: mod@references#whitley-1989
/// [Wong et al. 2006]: mod@references#wong-et-al-2006
/// [docs/theory/exact.md]: exact
/// [docs/theory/skeleton.md]: skeleton
/// [docs/theory/branch.md]: branch
/// [families]: families
/// [baselines]: baselines
/// [comparing]: comparing
///
#[doc = include_str!("../../../docs/definitions.md")]
pub mod definitions {}

/// [definitions]: definitions
/// [exact]: exact
/// [skeleton]: skeleton
/// [branch]: branch
///
#[doc = include_str!("../../../docs/references.md")]
pub mod references {}

/// [skeleton]: skeleton
/// [branch]: branch
///
#[doc = include_str!("../../../docs/theory/families.md")]
pub mod families {}

/// [skeleton]: skeleton
/// [branch]: branch
///
#[doc = include_str!("../../../docs/theory/exact.md")]
pub mod exact {}

/// [exact]: exact
///
#[doc = include_str!("../../../docs/theory/skeleton.md")]
pub mod skeleton {}

/// [exact]: exact
/// [skeleton]: skeleton
///
#[doc = include_str!("../../../docs/theory/branch.md")]
pub mod branch {}

#[doc = include_str!("../../../docs/theory/comparing.md")]
pub mod comparing {}

#[doc = include_str!("../../../docs/theory/baselines.md")]
pub mod baselines {}
