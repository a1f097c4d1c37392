//! The parts of a security event token.

use serde_json::Value;

/// One part of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetPart {
    /// The name of the part. The names of nested members are joined by a space.
    pub name: String,
    /// The value of the part.
    pub value: String,
    /// The meaning of the value.
    pub meaning: String,
    /// The faults of the part.
    pub faults: Vec<String>,
}

impl SetPart {
    pub(super) fn new(name: impl Into<String>, value: &Value, meaning: impl Into<String>) -> Self {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Self { name: name.into(), value, meaning: meaning.into(), faults: Vec::new() }
    }

    /// A required part that is absent.
    pub(super) fn absent(name: &str, rule: &str) -> Self {
        let part = Self { name: name.into(), value: "(absent)".into(), meaning: String::new(), faults: Vec::new() };
        part.fault(format!("it must be there ({rule})"))
    }

    pub(super) fn fault(mut self, fault: impl Into<String>) -> Self {
        self.faults.push(fault.into());
        self
    }

    pub(super) fn fault_unless(self, holds: bool, fault: &str) -> Self {
        if holds { self } else { self.fault(fault) }
    }
}
