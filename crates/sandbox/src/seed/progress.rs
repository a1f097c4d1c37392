//! How far seeding is.

use std::fmt;

/// Who is told how far seeding is.
pub trait SeedProgress: Send + Sync + fmt::Debug {
    /// How many steps there will be.
    fn set_total(&self, steps: u64);
    /// So many more are done.
    fn advance(&self, steps: u64);
}

/// Discards progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSeedProgress;

impl SeedProgress for NoSeedProgress {
    fn set_total(&self, _steps: u64) {}
    fn advance(&self, _steps: u64) {}
}
