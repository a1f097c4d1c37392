//! A finished record, and what is shown of it.

use super::body::RecordedBody;
use super::headers::PackedHeaders;
use super::refusal::RefusedBy;
use http::Method;
use jiff::Timestamp;
use lombard_domain::ids::{ClientId, FapiInteractionId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// A request that was answered. Nothing in it is secret; the body of an answer to a read is personal and masked in the view.
#[derive(Debug, Clone)]
pub(super) struct Record {
    /// When it came (wall clock).
    pub(super) at: Timestamp,
    /// Its method; of a long one that is unknown the beginning.
    pub(super) method: Method,
    /// Path and query, masked.
    pub(super) target: String,
    pub(super) status: u16,
    pub(super) interaction: FapiInteractionId,
    /// The client, if it is known.
    pub(super) client: Option<ClientId>,
    pub(super) took: Duration,
    pub(super) refused: Option<RefusedBy>,
    pub(super) request: RecordedMessage,
    pub(super) response: RecordedMessage,
}

/// Headers and body.
#[derive(Debug, Clone, Default)]
pub(super) struct RecordedMessage {
    pub(super) headers: PackedHeaders,
    pub(super) body: RecordedBody,
}

impl RecordedMessage {
    fn bytes(&self) -> usize {
        self.headers.bytes().saturating_add(self.body.bytes())
    }

    fn view(&self) -> MessageView {
        let (body, is_whole) = self.body.view();
        MessageView { headers: self.headers.view(), body, truncated: !is_whole }
    }
}

impl Record {
    /// The bytes that it occupies.
    pub(super) fn bytes(&self) -> usize {
        let reason = self.refused.as_ref().map_or(0, |refused| refused.reason.len());
        let texts = self.target.len().saturating_add(self.interaction.as_str().len()).saturating_add(reason);
        let texts = texts.saturating_add(self.client.as_ref().map_or(0, |client| client.as_str().len()));
        let messages = self.request.bytes().saturating_add(self.response.bytes());
        size_of::<Self>().saturating_add(texts).saturating_add(messages)
    }

    /// What is shown of it.
    pub(super) fn view(&self) -> RequestView {
        RequestView {
            at: self.at.to_string(),
            method: self.method.as_str().to_owned(),
            path: self.target.clone(),
            status: self.status,
            interaction_id: self.interaction.as_str().to_owned(),
            client_id: self.client.as_ref().map(|client| client.as_str().to_owned()),
            duration_ms: self.took.as_secs_f64() * 1000.0,
            refused_by: self.refused.as_ref().map(|refused| refused.rule.to_owned()),
            reason: self.refused.as_ref().map(|refused| refused.reason.clone().into_owned()),
            request: self.request.view(),
            response: self.response.view(),
        }
    }
}

/// A request of the log, masked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RequestView {
    /// When it came (wall clock, RFC 3339).
    pub at: String,
    /// Its method.
    pub method: String,
    /// Its path, and its query with the values that are harmless.
    pub path: String,
    /// The status of the answer; 499 if the caller left before it was answered.
    pub status: u16,
    /// The `x-fapi-interaction-id` of the answer. Source: RW-050.
    pub interaction_id: String,
    /// The client, or `null` if it is not known.
    pub client_id: Option<String>,
    /// How long the answer took, in milliseconds.
    pub duration_ms: f64,
    /// The rule of the check that refused it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_by: Option<String>,
    /// Why it was refused, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was sent.
    pub request: MessageView,
    /// What was answered.
    pub response: MessageView,
}

/// A message, masked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageView {
    /// Its headers; several of one name are joined by commas.
    pub headers: BTreeMap<String, String>,
    /// Its body as JSON; `null` if there is none.
    pub body: Value,
    /// Whether only the beginning of the body is shown.
    #[serde(default, skip_serializing_if = "is_false")]
    pub truncated: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes the member by reference")]
const fn is_false(truncated: &bool) -> bool {
    !*truncated
}
