//! The error type of tasks.

/// The error of a task; its text is for the person who started the task.
pub(crate) type TaskError = Box<dyn std::error::Error>;
