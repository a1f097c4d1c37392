//! The claims of a verified request object.

use super::faults::{invalid, invalid_object};
use crate::claims::{NumericDate, wrong_type};
use crate::error::OAuthError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The claims of a request object. Only the signature over them has been verified.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct RequestObjectClaims(pub Map<String, Value>);

impl RequestObjectClaims {
    /// The value of a claim; `null` counts as absent.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// The value of a date claim, in seconds since 1970; `None` if the claim is absent. Source: AS-081.
    ///
    /// # Errors
    /// `invalid_request_object` if the claim is present and is not a date.
    pub(crate) fn date(&self, name: &str) -> Result<Option<i64>, OAuthError> {
        let read = |value| NumericDate::deserialize(value).map_err(|_| invalid_object(wrong_claim(name, value)));
        Ok(self.value(name).map(read).transpose()?.map(|date| date.0))
    }

    /// The value of a text claim; `None` if the claim is absent.
    ///
    /// # Errors
    /// `invalid_request` if the claim is present and is not text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, OAuthError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        value.as_str().map(Some).ok_or_else(|| invalid(wrong_claim(name, value)))
    }
}

/// The error description for a claim of a wrong type.
pub(crate) fn wrong_claim(name: &str, value: &Value) -> &'static str {
    wrong_type(name, value).unwrap_or("A claim of the request object has a wrong type.")
}
