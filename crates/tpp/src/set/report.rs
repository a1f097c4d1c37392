//! A token as a whole: its parts in order, and every fault of them.

use super::{ExpectedSet, SetPart, claims, events, header};
use lombard_jose::{CompactJws, KeySet, Malformed};
use serde_json::{Map, Value};

/// A token taken apart. Its parts are to be believed only if there is no fault at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetReport {
    /// The header's members, then the signature, then the claims.
    pub parts: Vec<SetPart>,
}

impl SetReport {
    /// Takes a compact token apart and checks it by these keys.
    ///
    /// # Errors
    /// [`Malformed`] if it is no signed token of JSON claims.
    pub fn new(token: &str, keys: &KeySet, expected: &ExpectedSet<'_>) -> Result<Self, Malformed> {
        let token = CompactJws::parse(token)?;
        let claims: Map<String, Value> = token.claims()?;
        let mut parts = header::read(token.header(), expected.now);
        parts.push(header::signature(&token, keys));
        parts.extend(claims::read(&claims, expected));
        parts.extend(events::read(&claims));
        Ok(Self { parts })
    }

    /// Everything that is wrong, each with the part it is wrong with.
    pub fn faults(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parts.iter().flat_map(|part| part.faults.iter().map(|fault| (part.name.as_str(), fault.as_str())))
    }

    /// What a part says.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.parts.iter().find(|part| part.name == name).map(|part| part.value.as_str())
    }
}
