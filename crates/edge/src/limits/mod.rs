//! Limits for each client: rates, and permits for long operations.

mod permits;
pub mod throttle;

pub use permits::{ClientPermit, ClientPermitLimits, ClientPermits};
pub use throttle::{Attempt, RateExceeded, RateLimit, RateLimitKey, RateLimiter, RemainingCalls};
