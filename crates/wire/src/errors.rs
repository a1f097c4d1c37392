//! The error body, `OBErrorResponse1`. Source: RW-120 to RW-131.
//!
//! One shape for both versions: v4.0 no longer requires `Code`, `Id` and `Message`, but older parsers want them (RW-121).
//! What differs are the codes.

use crate::codes::{StatusReasonCode, code};
use crate::describe::schema_of;
use crate::paths::{field_path, vrp_field_path};
use lombard_domain::refusal::{Fault, FaultLocation};
use lombard_domain::version::Version;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

/// An error answer. Source: `OBErrorResponse1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ErrorBody {
    /// The status in words, `400 BadRequest`; at most 40 characters. Source: RW-121.
    pub code: String,
    /// The error's own id, at most 40 characters. Source: RW-122.
    pub id: String,
    /// What went wrong, at most 500 characters.
    pub message: Cow<'static, str>,
    /// At least one. Source: RW-123.
    pub errors: Vec<ErrorEntry>,
}

/// One thing that is wrong. Source: `OBError1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ErrorEntry {
    /// Its code.
    pub error_code: Cow<'static, str>,
    /// What is wrong, at most 500 characters.
    pub message: Cow<'static, str>,
    /// Where. Source: RW-124.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Cow<'static, str>>,
}

impl ErrorEntry {
    /// An entry that its code explains.
    pub fn from_code(reason: StatusReasonCode) -> Self {
        Self { error_code: Cow::Borrowed(reason.code), message: Cow::Borrowed(reason.description), path: None }
    }

    /// A fault as a version writes it.
    pub fn from_fault(fault: Fault, version: Version) -> Self {
        let at = fault.at.map(|place| match place {
            FaultLocation::Path(text) => Cow::Owned(text),
            FaultLocation::Field(field) => field_path(version, field),
            FaultLocation::PaymentField(field) => vrp_field_path(version, field),
            FaultLocation::Header(name) | FaultLocation::Query(name) => Cow::Borrowed(name),
        });
        Self { error_code: Cow::Borrowed(code(fault.code).name(version)), message: fault.message, path: at }
    }
}

impl ErrorBody {
    /// The body's bytes.
    pub fn to_json(&self) -> Vec<u8> {
        // Strings and lists of them: writing them cannot fail.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// The schema of every error answer. Source: `OBErrorResponse1`.
pub fn error_schema() -> Value {
    schema_of::<ErrorBody>()
}
