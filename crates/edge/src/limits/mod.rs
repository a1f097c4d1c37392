//! Limits for each client: rates, and permits for long operations.

mod download_permits;
mod patch_permits;
mod permits;
pub mod throttle;
mod upload_permits;

pub use download_permits::{DownloadPermit, DownloadPermits};
pub use patch_permits::PatchPermits;
pub use permits::ClientPermitLimits;
pub use throttle::{Attempt, RateExceeded, RateLimit, RateLimitKey, RateLimiter, RemainingCalls};
pub use upload_permits::UploadPermits;
