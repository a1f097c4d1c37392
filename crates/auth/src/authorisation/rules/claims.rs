//! The claims of a verified request object.

use super::faults::invalid;
use crate::claims::NumericDate;
use crate::error::OAuthError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The claims of a request object whose signature was verified. Nothing else about them was.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct RequestObjectClaims(pub Map<String, Value>);

impl RequestObjectClaims {
    /// A claim; `null` counts as absent.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// A claim that is a date, as seconds since the epoch. Source: AS-081.
    pub(crate) fn date(&self, name: &str) -> Option<i64> {
        serde_json::from_value::<NumericDate>(self.value(name)?.clone()).ok().map(|date| date.0)
    }

    /// A claim that is text if it is there.
    ///
    /// # Errors
    /// `invalid_request` if it is there and not text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, OAuthError> {
        self.value(name)
            .map(|value| value.as_str().ok_or_else(|| invalid("A parameter of the request object must be a string.")))
            .transpose()
    }
}
