//! How tasks fail.

/// Why a task failed, for the person who started it.
pub(crate) type TaskError = Box<dyn std::error::Error>;
