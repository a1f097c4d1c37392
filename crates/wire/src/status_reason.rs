//! The reason for a status, which only v4.0 has. Source: V4-002.

use crate::codes::StatusReasonCode;
use schemars::JsonSchema;
use serde::Serialize;

/// Source: `OBStatusReason`, AIS-073, V4-002.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct StatusReason {
    status_reason_code: &'static str,
    status_reason_description: &'static str,
    /// The member that the reason concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'static str>,
}

impl From<&StatusReasonCode> for StatusReason {
    fn from(reason: &StatusReasonCode) -> Self {
        let StatusReasonCode { code, description, path } = *reason;
        Self { status_reason_code: code, status_reason_description: description, path }
    }
}
