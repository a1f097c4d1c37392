//! A finished record, and its masked view.

use super::body::RecordedBody;
use super::headers::MaskedHeaders;
use super::refusal::RefusedBy;
use http::Method;
use jiff::Timestamp;
use lombard_domain::ids::{ClientId, FapiInteractionId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A finished request. It contains no secret; the response body of a read is personal data and is masked in the view.
#[derive(Debug, Clone, Default)]
pub(super) struct Record {
    /// The number of the record, which grows by one with each record.
    pub(super) number: u64,
    /// The time of arrival, in microseconds since 1970 (wall clock).
    pub(super) at_micros: i64,
    /// The method; an unknown long one is truncated.
    pub(super) method: Method,
    /// The path and query, masked.
    pub(super) target: String,
    pub(super) status: u16,
    pub(super) interaction: Option<FapiInteractionId>,
    /// The client, if it is known.
    pub(super) client: Option<ClientId>,
    /// The clients whose certificate the request had, if the client is not known.
    pub(super) holders: Arc<[ClientId]>,
    pub(super) took: Duration,
    /// The check that refused the request, with its reason masked.
    pub(super) refused: Option<RefusedBy>,
    /// The `Id` of the error in the response.
    pub(super) error_id: Option<Box<str>>,
    /// The effect of a tester's fault.
    pub(super) fault: Option<Box<str>>,
    pub(super) request: RecordedMessage,
    pub(super) response: RecordedMessage,
}

/// The recorded headers and body of a message.
#[derive(Debug, Clone, Default)]
pub(super) struct RecordedMessage {
    pub(super) headers: MaskedHeaders,
    pub(super) body: RecordedBody,
}

impl RecordedMessage {
    fn view(&self) -> MessageView {
        let (body, is_whole) = self.body.view();
        MessageView { headers: self.headers.view(), body, truncated: !is_whole }
    }
}

impl Record {
    /// The memory of the record, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let texts = [
            self.interaction.as_ref().map_or(0, |id| id.as_str().len()),
            self.holders.len().saturating_mul(size_of::<ClientId>()),
            self.refused.as_ref().map_or(0, |refused| refused.reason.len()),
            self.error_id.as_ref().map_or(0, |id| id.len()),
            self.fault.as_ref().map_or(0, |fault| fault.len()),
        ];
        let messages = [&self.request, &self.response].map(|it| it.headers.bytes().saturating_add(it.body.bytes()));
        let own = size_of::<Self>().saturating_add(self.target.capacity());
        texts.into_iter().chain(messages).fold(own, usize::saturating_add)
    }

    /// Whether this is a request of this client: the client called, or the caller is unknown and the certificate is this client's.
    pub(super) fn is_of(&self, client: &ClientId) -> bool {
        self.client.as_ref() == Some(client) || self.holders.contains(client)
    }

    /// The client to show in a list of one client's requests, or of all requests.
    fn shown_client(&self, asked: Option<&ClientId>) -> Option<&ClientId> {
        let holder = || match (asked, &*self.holders) {
            (Some(asked), holders) => holders.iter().find(|it| *it == asked),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        self.client.as_ref().or_else(holder)
    }

    /// Whether the record has this id, as its interaction id or as the id of its error.
    pub(super) fn has_id(&self, id: &FapiInteractionId) -> bool {
        self.interaction.as_ref() == Some(id) || self.error_id.as_deref() == Some(id.as_str())
    }

    /// The masked view, for a list of one client's requests or of all requests.
    pub(super) fn view(&self, asked: Option<&ClientId>) -> RequestView {
        RequestView {
            at: Timestamp::from_microsecond(self.at_micros).unwrap_or_default().to_string(),
            method: self.method.to_string(),
            path: self.target.clone(),
            status: self.status,
            interaction_id: self.interaction.as_ref().map(ToString::to_string).unwrap_or_default(),
            client_id: self.shown_client(asked).map(ToString::to_string),
            by_certificate: !self.holders.is_empty(),
            duration_ms: self.took.as_secs_f64() * 1000.0,
            refused_by: self.refused.as_ref().map(|refused| refused.rule.to_owned()),
            reason: self.refused.as_ref().map(|refused| refused.reason.to_string()),
            fault: self.fault.as_deref().map(str::to_owned),
            request: self.request.view(),
            response: self.response.view(),
        }
    }
}

/// A request of the log, masked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RequestView {
    /// When the request arrived (wall clock, RFC 3339).
    pub at: String,
    /// The method of the request.
    pub method: String,
    /// The path, and the query with harmless values only.
    pub path: String,
    /// The status of the response; 499 if the caller left before the response.
    pub status: u16,
    /// The `x-fapi-interaction-id` of the response. Source: RW-050.
    pub interaction_id: String,
    /// The client, or `null` if it is not known, or the certificate belongs to several.
    pub client_id: Option<String>,
    /// Whether the client is known only by the certificate.
    #[serde(default, skip_serializing_if = "is_false")]
    pub by_certificate: bool,
    /// The duration until the response, in milliseconds.
    pub duration_ms: f64,
    /// The rule of the check that refused the request, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_by: Option<String>,
    /// Why the request was refused, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The effect of an injected fault, in the form of `x-lombard-fault`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The request as it was sent.
    pub request: MessageView,
    /// The response as it was sent.
    pub response: MessageView,
}

impl RequestView {
    /// Whether the path, or a text in the body of the request or its response, contains this id.
    pub fn names(&self, id: &str) -> bool {
        self.path.contains(id) || [&self.request, &self.response].into_iter().any(|it| has_text(&it.body, id))
    }
}

fn has_text(value: &Value, text: &str) -> bool {
    match value {
        Value::String(found) => found.contains(text),
        Value::Array(items) => items.iter().any(|item| has_text(item, text)),
        Value::Object(members) => members.values().any(|member| has_text(member, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// A message, masked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageView {
    /// The headers; several values of one name are joined by commas.
    pub headers: BTreeMap<String, String>,
    /// The body as JSON; `null` if there is none.
    pub body: Value,
    /// Whether only the beginning of the body is shown.
    #[serde(default, skip_serializing_if = "is_false")]
    pub truncated: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes the member by reference")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}
