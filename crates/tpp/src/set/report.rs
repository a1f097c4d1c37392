//! The report on a token: its parts in order, with their faults.

use super::{ExpectedSet, SetPart, claims, events, header};
use lombard_jose::{CompactJws, KeySet, Malformed};
use serde_json::{Map, Value};

/// The parts of a security event token. The reader may trust them only if there is no fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetReport {
    /// The members of the header, then the signature, then the claims.
    pub parts: Vec<SetPart>,
}

impl SetReport {
    /// Parses a compact token and checks it with these keys.
    ///
    /// # Errors
    /// [`Malformed`] if the text is not a signed token with JSON claims.
    pub fn new(token: &str, keys: &KeySet, expected: &ExpectedSet<'_>) -> Result<Self, Malformed> {
        let token = CompactJws::parse(token)?;
        let claims: Map<String, Value> = token.claims()?;
        let mut parts = header::read(token.header(), expected.now);
        parts.push(header::signature(&token, keys));
        parts.extend(claims::read(&claims, expected));
        parts.extend(events::read(&claims));
        Ok(Self { parts })
    }

    /// All faults, each with the name of the part.
    pub fn faults(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parts.iter().flat_map(|part| part.faults.iter().map(|fault| (part.name.as_str(), fault.as_str())))
    }

    /// The value of the first part with this name.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values(name).next()
    }

    /// The values of all parts with this name, because a token may contain several events.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.parts.iter().filter(move |part| part.name == name).map(|part| part.value.as_str())
    }
}
