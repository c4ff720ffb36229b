//! The Python package: a thin layer over the doors of the library and the engine that the program uses too.
//!
//! What goes in and out is Arrow (`capsules.rs`) and JSON; whatever people see, the classes and their words, is in Python, in
//! `python/paretonym`. Long work runs on a thread of its own while the interpreter goes on (`work.rs`).

mod capsules;
mod errors;
mod frame;
mod front;
mod measures;
mod program;
mod release;
mod study;
mod work;

use pyo3::prelude::*;

/// What the Python package is made of. For its own use: nothing here is promised to anybody else.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::errors::{
        DataError, DatabaseError, FileError, InternalError, ParetonymError, StudyError, VerificationError,
    };
    #[pymodule_export]
    use crate::frame::{Frame, read_frame, texts};
    #[pymodule_export]
    use crate::front::{Run, explore, load, restore};
    #[pymodule_export]
    use crate::measures::{audit, catalog, compare};
    #[pymodule_export]
    use crate::program::{main, version};
    #[pymodule_export]
    use crate::release::{Released, reapply, reapply_file};
    #[pymodule_export]
    use crate::study::{check_study, draft, read_study, study_from_toml, study_to_toml};
}
