//! The border to code that panics on damaged files. A library that reads Parquet trusts what a file says of itself in
//! places; what breaks there is the file's fault, and must read like it.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs foreign code; what went wrong, where it panics. Nothing is printed of such a panic.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let (mut work, mut done) = (Some(work), None);
    // Only this much is compiled for each kind of work.
    guard(&mut || done = work.take().map(|work| work()))?;
    done.ok_or_else(|| "nothing came of it".to_owned())
}

fn guard(work: &mut dyn FnMut()) -> Result<(), String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let loud = take_hook();
        set_hook(Box::new(move |panic| {
            if !GUARDED.with(Cell::get) {
                loud(panic);
            }
        }));
    });
    let before = GUARDED.replace(true);
    // Whatever the work was in the middle of is dropped with it: after a panic nobody looks at it again.
    let done = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(before);
    done.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        text.unwrap_or("it makes no sense").lines().next().unwrap_or_default().chars().take(200).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        assert_eq!(guarded(|| 5), Ok(5));
        let broken: Vec<u8> = Vec::new();
        assert!(guarded(|| broken[7]).unwrap_err().contains("out of bounds"));
        assert!(!GUARDED.get());
    }
}
