//! Security event tokens as a careful TPP reads them: every part checked, and explained in plain words. Source: SET-001 to
//! SET-041.

mod claims;
mod events;
mod header;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use lombard_jose::{CompactJws, KeySet, Malformed};
use serde_json::{Map, Value};

/// The longest an id may be. Source: SET-013, SET-014, SET-016, SET-022.
const ID_CHARS_MAX: usize = 128;

/// Seconds that the clocks of bank and TPP may differ.
const SKEW_SECS: i64 = 60;

/// What a token is held against.
#[derive(Debug, Clone, Copy)]
pub struct ExpectedSet<'a> {
    /// The issuer of the bank's discovery document, if it is known.
    pub issuer: Option<&'a str>,
    /// The reader's client id, if the reader is the one the token is for.
    pub audience: Option<&'a str>,
    /// The time (wall clock).
    pub now: Timestamp,
}

/// One part of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetPart {
    /// Its name; members of members are joined by a space.
    pub name: String,
    /// What it says.
    pub value: String,
    /// What that means.
    pub meaning: String,
    /// What is wrong with it.
    pub faults: Vec<String>,
}

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

impl SetPart {
    fn new(name: impl Into<String>, value: &Value, meaning: impl Into<String>) -> Self {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Self { name: name.into(), value, meaning: meaning.into(), faults: Vec::new() }
    }

    /// A part that should be there and is not.
    fn absent(name: &str, rule: &str) -> Self {
        let part = Self { name: name.into(), value: "(absent)".into(), meaning: String::new(), faults: Vec::new() };
        part.fault(format!("it must be there ({rule})"))
    }

    fn fault(mut self, fault: impl Into<String>) -> Self {
        self.faults.push(fault.into());
        self
    }

    fn fault_unless(self, holds: bool, fault: &str) -> Self {
        if holds { self } else { self.fault(fault) }
    }
}

/// Seconds since 1970 as a time for people, if they are an integer.
fn time(value: &Value) -> Option<(i64, String)> {
    let seconds = value.as_i64()?;
    Some((seconds, Timestamp::from_second(seconds).ok()?.to_string()))
}

/// Whether a value is text of a length that ids may have.
fn is_id(value: &Value) -> bool {
    value.as_str().is_some_and(|text| (1..=ID_CHARS_MAX).contains(&text.chars().count()))
}

/// Whether a value is an absolute `https` address.
fn is_address(value: &Value) -> bool {
    value.as_str().and_then(|text| url::Url::parse(text).ok()).is_some_and(|url| url.scheme() == "https")
}
