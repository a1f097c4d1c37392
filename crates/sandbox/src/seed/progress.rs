//! The progress of seeding.

use std::fmt;

/// Observes the progress of seeding.
pub trait SeedProgress: Send + Sync + fmt::Debug {
    /// Sets the total number of steps.
    fn set_total(&self, steps: u64);
    /// Advances by a number of steps.
    fn advance(&self, steps: u64);
}

/// Discards progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSeedProgress;

impl SeedProgress for NoSeedProgress {
    fn set_total(&self, _steps: u64) {}
    fn advance(&self, _steps: u64) {}
}
