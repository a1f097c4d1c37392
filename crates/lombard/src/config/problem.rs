//! Faults of a configuration, with their remedies.

use std::fmt;

/// A fault of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The setting (such as `server.public_port`), the variable or the file with the fault.
    pub at: String,
    /// A description of the fault and its remedy. It never repeats the value, which may be a secret.
    pub message: String,
}

impl Problem {
    pub(crate) fn new(at: impl Into<String>, message: impl Into<String>) -> Self {
        Self { at: at.into(), message: message.into() }
    }
}

/// All faults of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn new(problems: Vec<Problem>) -> Self {
        Self(problems)
    }

    /// The faults: first of settings, then of the files they name, then of the database, each in the order of the settings.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the configuration cannot be used:")?;
        self.0.iter().try_for_each(|problem| write!(f, "\n  {}: {}", problem.at, problem.message))
    }
}

impl std::error::Error for Problems {}
