//! One HTTP request and its response.

use crate::TppError;
use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::time::Duration;
use url::Url;

/// The maximum number of characters of a body that an error message repeats.
const SHOWN_MAX: usize = 400;

/// An HTTP request with its response.
#[derive(Debug, Clone)]
pub struct HttpExchange {
    /// The method sent.
    pub method: Method,
    /// The URL called.
    pub url: Url,
    /// The request headers that the client set.
    pub request_headers: HeaderMap,
    /// The response status.
    pub status: StatusCode,
    /// The response headers.
    pub headers: HeaderMap,
    /// The response body.
    pub body: Bytes,
    /// The time from sending the request to the last byte of the response.
    pub duration: Duration,
}

impl HttpExchange {
    /// A response header as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The body as text.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// [`TppError::Answer`] if it is not JSON.
    pub fn json(&self) -> Result<Value, TppError> {
        serde_json::from_slice(&self.body)
            .map_err(|error| TppError::Answer(format!("{} {} is not JSON: {error}", self.method, self.url.path())))
    }

    /// The text at a JSON pointer of the body.
    ///
    /// # Errors
    /// [`TppError::Answer`] if the pointer leads to no text.
    pub fn text_at(&self, pointer: &str) -> Result<String, TppError> {
        let found = self.json()?.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        found.ok_or_else(|| TppError::Answer(format!("{} {} has no {pointer}", self.method, self.url.path())))
    }

    /// Returns the exchange if its response has this status.
    ///
    /// # Errors
    /// [`TppError::Status`] if it has another status.
    pub fn expect_status(self, wanted: StatusCode) -> Result<Self, TppError> {
        if self.status == wanted {
            return Ok(self);
        }
        Err(TppError::Status {
            method: self.method.to_string(),
            path: self.url.path().to_owned(),
            status: self.status,
            wanted,
            body: self.text().chars().take(SHOWN_MAX).collect(),
        })
    }

    /// Formats the exchange as a JSON document: method, path, status, the headers of both sides and the body.
    pub fn to_record(&self) -> Value {
        let body = if self.body.is_empty() {
            Value::Null
        } else {
            serde_json::from_slice(&self.body).unwrap_or_else(|_| Value::String(self.text().into_owned()))
        };
        json!({
            "method": self.method.as_str(),
            "path": self.url.path(),
            "status": self.status.as_u16(),
            "request_headers": headers(&self.request_headers),
            "response_headers": headers(&self.headers),
            "body": body,
        })
    }
}

/// Converts headers to a JSON object. Repeated headers are joined by a comma, and credentials are left out.
fn headers(map: &HeaderMap) -> Value {
    let mut object = Map::new();
    for name in map.keys().filter(|name| !matches!(name.as_str(), "authorization" | "cookie" | "set-cookie")) {
        let values: Vec<_> = map.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
        object.insert(name.as_str().to_owned(), Value::String(values.join(", ")));
    }
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_keeps_everything_but_credentials() {
        let mut request_headers = HeaderMap::new();
        request_headers.insert("authorization", "Bearer secret".parse().unwrap());
        request_headers.insert("accept", "application/json".parse().unwrap());
        let exchange = HttpExchange {
            method: Method::GET,
            url: "https://bank.example/a?b=c".parse().unwrap(),
            request_headers,
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: Bytes::from_static(br#"{"Data":{"Id":"x"}}"#),
            duration: Duration::ZERO,
        };
        let record = exchange.to_record();
        assert_eq!(record["path"], "/a");
        assert_eq!(record["status"], 200);
        assert_eq!(record["request_headers"], json!({"accept": "application/json"}));
        assert_eq!(record["body"]["Data"]["Id"], "x");
        assert_eq!(exchange.text_at("/Data/Id").unwrap(), "x");
        assert!(exchange.text_at("/Data/Other").is_err());
        assert!(exchange.expect_status(StatusCode::CREATED).is_err());
    }
}
