//! The progress bar of seeding.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lombard_sandbox::seed::SeedProgress;

/// A progress bar on a terminal. Without a terminal, nothing is shown.
#[derive(Debug)]
pub(super) struct ProgressDisplay {
    bar: ProgressBar,
    /// The label of the bar.
    words: &'static str,
}

impl ProgressDisplay {
    /// A progress bar on standard error, if that is a terminal. The bar appears once the total is known.
    pub(super) fn on_terminal(words: &'static str) -> Self {
        Self { bar: ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr()), words }
    }
}

impl ProgressDisplay {
    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl SeedProgress for ProgressDisplay {
    fn set_total(&self, steps: u64) {
        let style = ProgressStyle::with_template("{msg}  {bar:40}  {percent:>3} %");
        self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.bar.set_message(self.words);
        self.bar.set_length(steps);
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
        if self.bar.length().is_some_and(|length| self.bar.position() >= length) {
            self.bar.finish_and_clear();
        }
    }
}
