//! Parses the requests of testers.

use super::reader_messages::{not_json, plain_words};
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use http::{StatusCode, header};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::{BankAccountId, ClientId, PsuId};
use lombard_ports::controls::{ClockMove, ConsentDecision, DecisionChoice, ResetContents};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Unexpected};
use serde_json::Value;
use std::error::Error;
use std::str::FromStr;

/// A malformed command, with a sentence that states how to write it.
#[derive(Debug)]
pub(crate) struct InvalidControlRequest {
    pub(super) status: StatusCode,
    pub(super) text: String,
}

impl InvalidControlRequest {
    /// The sentence that states how to write the command.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    pub(crate) fn new(text: &str) -> Self {
        Self { status: StatusCode::BAD_REQUEST, text: text.to_owned() }
    }

    fn not_json() -> Self {
        let text = "send the order as Content-Type: application/json".to_owned();
        Self { status: StatusCode::UNSUPPORTED_MEDIA_TYPE, text }
    }
}

/// The JSON body of a command.
pub(crate) struct PostedJson<T>(Result<T, InvalidControlRequest>);

impl<T> PostedJson<T> {
    pub(crate) fn and_then<U>(
        self,
        read: impl FnOnce(T) -> Result<U, InvalidControlRequest>,
    ) -> Result<U, InvalidControlRequest> {
        self.0.and_then(read)
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for PostedJson<T> {
    type Rejection = std::convert::Infallible;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        let body = Json::<T>::from_request(request, state).await;
        Ok(Self(body.map(|Json(order)| order).map_err(invalid_command)))
    }
}

fn invalid_command(rejection: JsonRejection) -> InvalidControlRequest {
    let status = match &rejection {
        JsonRejection::JsonDataError(_) | JsonRejection::JsonSyntaxError(_) => StatusCode::BAD_REQUEST,
        other => other.status(),
    };
    if status == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return InvalidControlRequest::not_json();
    }
    let said = innermost(&rejection).to_string();
    let text = match rejection {
        JsonRejection::JsonSyntaxError(_) => not_json(&said),
        _ => plain_words(&said),
    };
    InvalidControlRequest { status, text }
}

fn innermost<'e>(mut error: &'e (dyn Error + 'static)) -> &'e (dyn Error + 'static) {
    while let Some(cause) = error.source() {
        error = cause;
    }
    error
}

/// The bytes of a file with a JSON content type, which no form of a web page can send.
pub(crate) struct PostedFile(pub(crate) Result<Bytes, InvalidControlRequest>);

impl<S: Send + Sync> FromRequest<S> for PostedFile {
    type Rejection = std::convert::Infallible;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        let said = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let kind = said.and_then(|said| said.split(';').next()).unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Ok(Self(Err(InvalidControlRequest::not_json())));
        }
        let body = Bytes::from_request(request, state).await;
        Ok(Self(
            body.map_err(|rejection| InvalidControlRequest { status: rejection.status(), text: rejection.body_text() }),
        ))
    }
}

/// Parses an integer in any notation: `2.0` is 2.
pub(super) fn whole_number<'de, T: FromStr, D: Deserializer<'de>>(json: D) -> Result<Option<T>, D::Error> {
    const WANTED: &str = "a whole number within the bounds";
    let found = Value::deserialize(json)?;
    let unexpected = match &found {
        Value::Null => return Ok(None),
        Value::Number(number) => {
            let text = number.to_string();
            return text.strip_suffix(".0").unwrap_or(&text).parse().map(Some).map_err(|_| {
                let kind = if text.contains('.') { "a fraction" } else { "a number beyond them" };
                D::Error::invalid_value(Unexpected::Other(kind), &WANTED)
            });
        }
        Value::String(_) => Unexpected::Other("a string"),
        Value::Bool(_) => Unexpected::Other("a boolean"),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    };
    Err(D::Error::invalid_type(unexpected, &WANTED))
}

/// The query `?rebase=true`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportOptions {
    #[serde(default)]
    pub(crate) rebase: bool,
}

/// The query `?empty=true`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResetOptions {
    #[serde(default)]
    empty: bool,
}

impl ResetOptions {
    pub(crate) const fn to(&self) -> ResetContents {
        if self.empty { ResetContents::Empty } else { ResetContents::Seeded }
    }
}

/// The request `{"advance_secs": n}` or `{"set": "…"}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClockRequest {
    #[serde(default, deserialize_with = "whole_number")]
    advance_secs: Option<i64>,
    set: Option<String>,
}

impl ClockRequest {
    pub(super) fn read(self) -> Result<ClockMove, InvalidControlRequest> {
        match (self.advance_secs, self.set) {
            (Some(secs), None) => Ok(ClockMove::By(SignedDuration::from_secs(secs))),
            (None, Some(text)) => {
                let whole = |at: Timestamp| Timestamp::from_microsecond(at.as_microsecond()).ok();
                let at = text.parse::<Timestamp>().ok().and_then(whole);
                at.map(ClockMove::To).ok_or_else(|| {
                    InvalidControlRequest::new("set: an RFC 3339 time with its offset, such as 2030-01-31T09:00:00Z")
                })
            }
            _ => Err(InvalidControlRequest::new(
                "say either {\"advance_secs\": 3600} or {\"set\": \"2030-01-31T09:00:00Z\"}",
            )),
        }
    }
}

/// The request `{"client_id", "count"?}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventsRequest {
    pub(super) client_id: ClientId,
    #[serde(default, deserialize_with = "whole_number")]
    pub(super) count: Option<u32>,
}

/// The request `{"psu", "accounts"?, "decision"}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionRequest {
    psu: PsuId,
    accounts: Option<Vec<BankAccountId>>,
    decision: DecisionWord,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum DecisionWord {
    Approve,
    Reject,
}

impl DecisionRequest {
    pub(super) fn read(self) -> Result<ConsentDecision, InvalidControlRequest> {
        let choice = match (self.decision, self.accounts) {
            (DecisionWord::Approve, accounts) => DecisionChoice::Approve(accounts),
            (DecisionWord::Reject, None) => DecisionChoice::Reject,
            (DecisionWord::Reject, Some(_)) => {
                return Err(InvalidControlRequest::new(
                    "accounts: only an approval shares accounts; leave them out to reject",
                ));
            }
        };
        Ok(ConsentDecision { psu: self.psu, choice })
    }
}
