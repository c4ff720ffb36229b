//! Signals that ask the program to end: Ctrl-C, and where there are such SIGTERM and the SIGHUP of a terminal that goes. The
//! first lets the work stop and keep what it has; the second ends the program at once, without leaving drafts behind.

use paretonym_engine::remove_scratch;

/// Calls `first` at the first signal from now on. Where no handler can be set, a signal ends the program at once; files are
/// renamed into place, so none breaks.
pub fn on_first(first: impl Fn() + Send + 'static) {
    let mut asked = false;
    let asked = move || {
        if asked {
            remove_scratch();
            std::process::exit(1);
        }
        asked = true;
        first();
    };
    listen(asked);
}

#[cfg(unix)]
fn listen(mut asked: impl FnMut() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut wanted = vec![SIGINT, SIGTERM];
    // Under nohup the work is to go on when the terminal goes.
    wanted.extend((!is_ignored(SIGHUP)).then_some(SIGHUP));
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) {
        std::thread::spawn(move || signals.forever().for_each(|_| asked()));
    }
}

/// Whether the program was started so that it does not hear a signal; not everywhere can that be known.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let ignored = || {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    ignored().is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(not(unix))]
fn listen(asked: impl FnMut() + Send + 'static) {
    let _ = ctrlc::set_handler(asked);
}
