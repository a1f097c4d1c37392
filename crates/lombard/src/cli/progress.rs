//! How far seeding is, for somebody who watches.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lombard_sandbox::seed::Progress;

/// A bar on a terminal; nothing elsewhere.
#[derive(Debug)]
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// A bar that appears on standard error once there is something to count, if that is a terminal.
    pub(super) fn on_terminal() -> Self {
        Self(ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr()))
    }
}

impl Progress for Bar {
    fn total(&self, steps: u64) {
        let style = ProgressStyle::with_template("Making customers and their past  {bar:40}  {percent:>3} %");
        self.0.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.0.set_length(steps);
    }

    fn step(&self, steps: u64) {
        self.0.inc(steps);
        if self.0.length().is_some_and(|length| self.0.position() >= length) {
            self.0.finish_and_clear();
        }
    }
}
