//! Progress on a terminal, and whether to stop.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use paretonym::engine::Watch;

static STOPPED: AtomicBool = AtomicBool::new(false);

/// Asks the work to stop and keep what it has.
pub fn stop() {
    STOPPED.store(true, Ordering::SeqCst);
}

/// A bar on stderr where that is a terminal; nothing otherwise.
pub struct Progress {
    bar: Mutex<ProgressBar>,
    limit: Option<Duration>,
}

impl Progress {
    /// Starts to watch.
    pub fn start(quiet: bool) -> Self {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        if !quiet {
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        }
        Progress { bar: Mutex::new(bar), limit: None }
    }

    /// The same for a search that may take so long.
    pub fn limited(self, limit: Option<Duration>) -> Self {
        Progress { limit, ..self }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar().finish_and_clear();
    }

    fn bar(&self) -> ProgressBar {
        self.bar.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }
}

impl Watch for Progress {
    fn phase(&self, name: &str, steps: Option<u64>) {
        let bar = self.bar();
        bar.set_position(0);
        bar.set_message(name.to_owned());
        let template = match steps {
            Some(steps) => {
                bar.set_length(steps);
                "{msg} {wide_bar} {percent}% {eta} {prefix}"
            }
            None => "{msg} {spinner} {pos} {prefix}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
    }

    fn advance(&self, steps: u64) {
        self.bar().inc(steps);
    }

    fn note(&self, text: &str) {
        self.bar().set_prefix(text.to_owned());
    }

    fn cancelled(&self) -> bool {
        STOPPED.load(Ordering::Relaxed)
    }

    fn time_limit(&self) -> Option<Duration> {
        self.limit
    }
}
