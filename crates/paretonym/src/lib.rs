//! What privacy costs: the recodings of a table about people that no other recoding beats in both privacy and
//! information kept.
//!
//! Give it a table and a [`Study`](study::Study) that says which columns could identify somebody, and it finds the
//! Pareto front between privacy (k, l, t and others) and information loss: for every level of protection the recoding
//! that keeps most. You choose from the front by what you will accept, and release what you chose.
//!
//! ```
//! use paretonym::engine::{Memory, Unwatched};
//! use paretonym::front::{Limits, choose};
//! use paretonym::study::{Study, run};
//!
//! // A table about people, and what its columns are.
//! let people = Memory::new(
//!     ["name", "age", "town", "illness"],
//!     [
//!         ["Ada", "23", "Bern", "flu"],
//!         ["Ben", "27", "Bern", "cold"],
//!         ["Cleo", "29", "Thun", "flu"],
//!         ["Dora", "21", "Thun", "asthma"],
//!         ["Egon", "34", "Basel", "cold"],
//!         ["Finn", "38", "Basel", "flu"],
//!         ["Gina", "36", "Aarau", "asthma"],
//!         ["Hugo", "31", "Aarau", "cold"],
//!     ],
//! );
//! let study = Study::from_toml(
//!     r#"
//!     data = { path = "people" }              # any name: these rows are in memory
//!     columns = [
//!         { name = "name", role = "identifying" },            # left out
//!         { name = "age", role = "quasi", widths = [5, 10] }, # recoded: as it is, in fives, in tens, or hidden
//!         { name = "town", role = "quasi", taxonomy = { south = ["Bern", "Thun"], north = ["Basel", "Aarau"] } },
//!         { name = "illness", role = "sensitive" },           # kept as it is, and protected
//!     ]
//!
//!     [search]
//!     problem = "max-suppression"             # k against loss
//!     eta = 0.0                               # no row may be left out
//!     optimizer = "exact"
//!     "#,
//!     "the study",
//! )?;
//!
//! // The front: 8 people in one group, 4, 2 or 1, each at the least loss.
//! let found = run(&study, &people, &Unwatched)?;
//! assert!(found.front.exact, "proven to be all of it");
//! let ks: Vec<u64> = found.front.solutions.iter().map(|solution| solution.k).collect();
//! assert_eq!(ks, [8, 4, 2, 1]);
//!
//! // At least four alike: what is lost least?
//! let choice = choose(&found.front, &Limits { min_k: Some(4.0), ..Limits::default() })?;
//! let best = &choice.best[0];
//! assert_eq!((best.k, best.l), (4, Some(2.0)));
//!
//! // What its columns show.
//! let recoding = serde_json::to_string(&best.recoding)?;
//! assert_eq!(recoding, r#"{"age":{"level":2},"town":{"level":1}}"#);
//! assert_eq!(found.table.columns[0].hierarchy.level(2).labels, ["[20, 30)", "[30, 40)"]);
//! assert_eq!(found.table.columns[1].hierarchy.level(1).labels, ["south", "north"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The way of a table
//!
//! file → counts → groups → measures → problem → search → front → choice → release → audit
//!
//! 1. **Counts.** An [`Engine`](engine::Engine) holds the rows and counts distinct tuples; nothing else here touches a
//!    row. [`engine::Memory`] holds rows of text, the crate `paretonym-engine` reads files. What comes back is a
//!    [`FrequencyTable`](group::FrequencyTable).
//! 2. **Groups.** A [`Recoding`](recode::Recoding) joins values of a column into sets, by the levels of a
//!    [`Hierarchy`](taxonomy::Hierarchy), by cuts through it or by breaks between values. Rows that then look alike
//!    are a group ([`Grouping`](group::Grouping)).
//! 3. **Measures.** A [`Privacy`](measure::Privacy) model gives each group a level, a [`Loss`](measure::Loss) says
//!    what was given away.
//! 4. **Problem and search.** A [`Problem`](problem::Problem) says what is traded and how many rows may be suppressed,
//!    an [`Optimizer`](search::Optimizer) which recodings are looked at.
//! 5. **Front and choice.** A [`FrontFile`](front::FrontFile) is what `front.json` holds; [`choose`](front::choose())
//!    answers a publisher's [`Limits`](front::Limits).
//! 6. **Release and audit.** A [`Plan`](release::plan()) says what each cell shows and which rows stay, a
//!    [`Certificate`](release::Certificate) what the written file was measured to hold. [`compare`] holds releases
//!    against each other, person by person.
//!
//! # Where things are
//!
//! | module | what is in it |
//! |---|---|
//! | [`study`] | the one description of a run, and [`study::run`], the one door |
//! | [`engine`] | who holds the rows, who watches; a table in memory |
//! | [`data`] | sources, roles, domains, what a counting pass is asked and answers |
//! | [`draft`] | a study for a table that nobody has described yet |
//! | [`taxonomy`], [`recode`] | trees over values; what is shown in place of values |
//! | [`group`] | distinct tuples, and the groups that a recoding makes of them |
//! | [`measure`], [`privacy`], [`loss`] | the traits, and one type per model and metric |
//! | [`problem`], [`search`] | formulations and searches |
//! | [`front`] | points, archives, solutions, choosing |
//! | [`compare`] | comparators of releases |
//! | [`release`], [`report`] | what is published, and what people read |
//! | [`catalog`] | the names of all of these, with parameters, definitions and references |
//! | [`settings`], [`error`] | the `[search]` section; everything that can go wrong, phrased as advice |
//! | [`theory`] | definitions, references, and why the searches are right |
//!
//! # To add a metric
//!
//! Write a file beside those of [`loss`]: a type with its docs, its [`Loss`](measure::Loss) (which has an example),
//! and an `ENTRY` with its name, parameters and reference. Add its line to [`catalog`], a section to
//! `docs/definitions.md` and its source to `docs/references.md`: the program's help, `paretonym catalog NAME` and
//! these pages show it from then on, and the tests name what is still missing. [`privacy`], [`problem`], [`search`]
//! and [`compare`] grow the same way. CONTRIBUTING.md says it step by step.

// What is to be told goes through results and `Watch`; only the program prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

// The order is the design: a module uses only those above it. Blank lines keep rustfmt from sorting them.
pub mod error;

pub mod theory;

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
