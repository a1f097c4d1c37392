//! A finished record, and what is shown of it.

use super::body::{BodyBeside, RecordedBody};
use super::headers::PackedHeaders;
use jiff::Timestamp;
use lombard_domain::ids::{ClientId, FapiInteractionId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// What a record takes up whose bodies are not in it, in most cases.
const USUAL_BYTES: usize = 1024;

/// A request that was answered. Nothing in it is secret; the body of an answer to a read is personal and masked in the view. In the log's
/// memory it is written in the form of `postcard`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Record<'r> {
    /// When it came: microseconds since 1970 (wall clock).
    pub(super) at_micros: i64,
    /// Its method; of a long one that is unknown the beginning.
    pub(super) method: &'r str,
    /// Path and query, masked.
    pub(super) target: &'r str,
    pub(super) status: u16,
    pub(super) interaction: &'r str,
    /// The client, if it is known.
    pub(super) client: Option<&'r str>,
    /// Otherwise the clients whose certificate came with it.
    #[serde(borrow)]
    pub(super) holders: Vec<&'r str>,
    pub(super) took: Duration,
    pub(super) refused: Option<RecordedRefusal<'r>>,
    /// The `Id` of the error that was answered.
    pub(super) error_id: Option<&'r str>,
    /// What a tester's fault did to it.
    pub(super) fault: Option<&'r str>,
    pub(super) request: RecordedMessage<'r>,
    pub(super) response: RecordedMessage<'r>,
    /// The body of the answer, if it is not written into the record.
    #[serde(skip)]
    pub(super) beside: Option<&'r BodyBeside>,
}

/// The check that was not passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RecordedRefusal<'r> {
    pub(super) rule: &'r str,
    /// Masked.
    pub(super) reason: &'r str,
}

/// Headers and body.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct RecordedMessage<'r> {
    #[serde(borrow)]
    pub(super) headers: PackedHeaders<'r>,
    pub(super) body: RecordedBody<'r>,
}

impl RecordedMessage<'_> {
    fn view(&self, beside: &[u8]) -> MessageView {
        let (body, is_whole) = self.body.view(beside);
        MessageView { headers: self.headers.view(), body, truncated: !is_whole }
    }
}

impl<'r> Record<'r> {
    /// The record that is written here; `None` if it is none.
    pub(super) fn read(written: &'r [u8]) -> Option<Self> {
        postcard::from_bytes(written).ok()
    }

    /// Writes it to the beginning of this memory; its length, or `None` if there is no room for it.
    pub(super) fn write_to(&self, memory: &mut [u8]) -> Option<usize> {
        postcard::to_slice(self, memory).ok().map(|written| written.len())
    }

    /// The record as it is written.
    pub(super) fn write(&self) -> Vec<u8> {
        // Vectors take whatever is written.
        postcard::to_extend(self, Vec::with_capacity(USUAL_BYTES)).unwrap_or_default()
    }

    /// Whether it is this client's: the client called, or it is not known who did and the certificate is this client's.
    pub(super) fn is_of(&self, client: &ClientId) -> bool {
        self.client == Some(client.as_str()) || self.holders.contains(&client.as_str())
    }

    /// The client as it is shown to whoever asked for the requests of this one, or of all.
    fn shown_client(&self, asked: Option<&ClientId>) -> Option<&'r str> {
        let holder = || match (asked, &*self.holders) {
            (Some(asked), holders) => holders.iter().find(|it| **it == asked.as_str()).copied(),
            (None, [only]) => Some(*only),
            (None, _) => None,
        };
        self.client.or_else(holder)
    }

    /// Whether it has this id: of the interaction, or of the error that was answered.
    pub(super) fn has_id(&self, id: &FapiInteractionId) -> bool {
        self.interaction == id.as_str() || self.error_id == Some(id.as_str())
    }

    /// What is shown of it to whoever asked for the requests of this client, or of all.
    pub(super) fn view(&self, asked: Option<&ClientId>) -> RequestView {
        RequestView {
            at: Timestamp::from_microsecond(self.at_micros).unwrap_or_default().to_string(),
            method: self.method.to_owned(),
            path: self.target.to_owned(),
            status: self.status,
            interaction_id: self.interaction.to_owned(),
            client_id: self.shown_client(asked).map(str::to_owned),
            by_certificate: !self.holders.is_empty(),
            duration_ms: self.took.as_secs_f64() * 1000.0,
            refused_by: self.refused.as_ref().map(|refused| refused.rule.to_owned()),
            reason: self.refused.as_ref().map(|refused| refused.reason.to_owned()),
            fault: self.fault.map(str::to_owned),
            request: self.request.view(&[]),
            response: self.response.view(self.beside.map(|body| &*body.bytes).unwrap_or_default()),
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
    /// The client, or `null` if it is not known, or the certificate belongs to several.
    pub client_id: Option<String>,
    /// Whether only the certificate says whose request it is.
    #[serde(default, skip_serializing_if = "is_false")]
    pub by_certificate: bool,
    /// How long the answer took, in milliseconds.
    pub duration_ms: f64,
    /// The rule of the check that refused it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_by: Option<String>,
    /// Why it was refused, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What a fault did that a tester planted, in the form of `x-lombard-fault`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
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
const fn is_false(flag: &bool) -> bool {
    !*flag
}
