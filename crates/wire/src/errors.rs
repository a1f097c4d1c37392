//! The error body, `OBErrorResponse1`. Source: RW-120 to RW-131.
//!
//! Both versions share this form: v4.0 no longer requires `Code`, `Id` and `Message`, but older parsers do (RW-121).
//! Only the error codes differ.

use crate::codes::{StatusReasonCode, code};
use crate::describe::schema_of;
use crate::paths::{field_path, vrp_field_path};
use lombard_domain::refusal::{Fault, FaultLocation};
use lombard_domain::version::Version;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

/// An error response. Source: `OBErrorResponse1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ErrorBody {
    /// The HTTP status, such as `400 BadRequest`; at most 40 characters. Source: RW-121.
    pub code: String,
    /// The unique id of this error, at most 40 characters. Source: RW-122.
    pub id: String,
    /// The message, at most 500 characters.
    pub message: Cow<'static, str>,
    /// The errors; at least one. Source: RW-123.
    pub errors: Vec<ErrorEntry>,
}

/// One error. Source: `OBError1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ErrorEntry {
    /// The error code.
    pub error_code: Cow<'static, str>,
    /// The message, at most 500 characters.
    pub message: Cow<'static, str>,
    /// The location. Source: RW-124.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Cow<'static, str>>,
    /// A page that explains the error. Source: RW-120.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl ErrorEntry {
    /// An entry with the description of its code.
    pub fn from_code(reason: StatusReasonCode) -> Self {
        let error_code = Cow::Borrowed(reason.code);
        let message = Cow::Borrowed(reason.description);
        Self { error_code, message, path: None, url: None }
    }

    /// The entry for a fault, in the form of a version. In v4.0 the message begins with the code of v3.1. Source: V4-001.
    pub fn from_fault(fault: Fault, version: Version) -> Self {
        let at = fault.at.map(|place| match place {
            FaultLocation::Path(text) => Cow::Owned(text),
            FaultLocation::Field(field) => field_path(version, field),
            FaultLocation::PaymentField(field) => vrp_field_path(version, field),
            FaultLocation::Header(name) | FaultLocation::Query(name) => Cow::Borrowed(name),
        });
        let message = match version {
            Version::V3_1 => fault.message,
            Version::V4_0 => Cow::Owned(format!("{}: {}", code(fault.code).v3_1, fault.message)),
        };
        Self { error_code: Cow::Borrowed(code(fault.code).name(version)), message, path: at, url: None }
    }
}

impl ErrorBody {
    /// The body as JSON.
    pub fn to_json(&self) -> Vec<u8> {
        // The body consists of strings, whose serialisation cannot fail.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// The schema of error responses. Source: `OBErrorResponse1`.
pub fn error_schema() -> Value {
    schema_of::<ErrorBody>()
}
