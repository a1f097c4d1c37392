//! Checks that every response must pass.

use lombard_domain::version::Version;
use lombard_tpp::HttpExchange;
use serde_json::Value;

/// Words that would show the server's inside to a caller.
const INTERNALS: [&str; 12] =
    ["panic", "sqlite", "postgres", "tokio", "axum", "hyper", "serde", "rustls", "SELECT ", "src/", ".rs:", "Error("];

/// Short assertions on an exchange. Each checks what all answers owe: the interaction id, a word to caches, and no internals.
pub(crate) trait ExchangeExt {
    /// A success with this status; gives the JSON body (null if there is none).
    fn ok(&self, status: u16) -> Value;
    /// A refusal of the Read/Write API; gives all its (code, path) pairs. Source: RW-120 to RW-131.
    fn refused(&self, status: u16) -> Vec<(String, String)>;
    /// A refusal with exactly this code and path.
    fn refused_with(&self, status: u16, code: &str, path: &str);
    /// A 401 without a body. Source: RW-109, RW-059.
    fn unauthorised(&self);
    /// A refusal of an OAuth endpoint. Source: AS-030, AS-037.
    fn oauth(&self, status: u16, error: &str);
    /// That the server asked to try again later, which nobody may be blamed for who sends a thousand calls at once.
    fn is_busy(&self) -> bool;
    /// What all answers owe. Source: RW-050.
    fn decent(&self);
    /// A response header, empty if absent.
    fn head(&self, name: &str) -> &str;
}

impl ExchangeExt for HttpExchange {
    fn ok(&self, status: u16) -> Value {
        self.decent();
        assert_eq!(self.status.as_u16(), status, "{} {}: {}", self.method, self.url, self.text());
        if self.body.is_empty() { Value::Null } else { self.json().unwrap() }
    }

    fn refused(&self, status: u16) -> Vec<(String, String)> {
        self.decent();
        assert_eq!(self.status.as_u16(), status, "{} {}: {}", self.method, self.url, self.text());
        let body = self.json().unwrap();
        let members: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
        assert!(members.iter().all(|it| ["Code", "Id", "Message", "Errors"].contains(it)), "RW-120: {members:?}");
        assert!(
            body.text("Code").starts_with(&format!("{status} ")) && body.text("Code").len() <= 40,
            "RW-121: {body}"
        );
        assert!(uuid::Uuid::parse_str(body.text("Id")).is_ok(), "RW-122: {body}");
        assert!((1..=500).contains(&body.text("Message").len()), "RW-120: {body}");
        let errors = body["Errors"].as_array().unwrap();
        assert!(!errors.is_empty(), "RW-120: {body}");
        let pair = |error: &Value| {
            assert!((1..=500).contains(&error.text("Message").len()), "RW-120: {body}");
            (error.text("ErrorCode").to_owned(), error.text("Path").to_owned())
        };
        errors.iter().map(pair).collect()
    }

    fn refused_with(&self, status: u16, code: &str, path: &str) {
        let found = self.refused(status);
        assert_eq!(found, [(code.to_owned(), path.to_owned())], "{} {}: {}", self.method, self.url, self.text());
    }

    fn unauthorised(&self) {
        self.decent();
        assert_eq!(self.status.as_u16(), 401, "{} {}: {}", self.method, self.url, self.text());
        assert!(self.body.is_empty(), "RW-109: a 401 has no body: {}", self.text());
        assert!(self.head("www-authenticate").starts_with("Bearer"), "RW-059");
    }

    fn oauth(&self, status: u16, error: &str) {
        self.decent();
        assert_eq!(self.status.as_u16(), status, "{} {}: {}", self.method, self.url, self.text());
        let body = self.json().unwrap();
        assert_eq!(body.text("error"), error, "{body}");
        assert!(self.head("cache-control").contains("no-store"), "AS-036: {:?}", self.headers);
        let printable = body.text("error_description").bytes().all(|byte| (0x20..0x7f).contains(&byte));
        assert!(printable, "AS-037: {body}");
    }

    fn is_busy(&self) -> bool {
        self.status == 503
    }

    fn decent(&self) {
        let id = self.head("x-fapi-interaction-id");
        assert!(!id.is_empty(), "RW-050: {} {} {} without an interaction id", self.method, self.url, self.status);
        let sent = self.request_headers.get("x-fapi-interaction-id").and_then(|it| it.to_str().ok());
        let visible = |it: &&str| (1..=128).contains(&it.len()) && it.bytes().all(|byte| byte.is_ascii_graphic());
        if let Some(sent) = sent.filter(visible) {
            assert_eq!(id, sent, "RW-050: {} {}", self.method, self.url);
        }
        let cached = self.head("cache-control");
        let is_resource = self.url.path().starts_with("/open-banking");
        assert!(!cached.is_empty(), "{} {} says nothing to caches", self.method, self.url);
        assert_eq!(self.head("x-content-type-options"), "nosniff", "{} {}", self.method, self.url);
        assert!(!is_resource || cached == "no-store", "{} {}: {cached}", self.method, self.url);
        let lower = self.text().to_lowercase();
        let shown: Vec<_> = INTERNALS.iter().filter(|word| lower.contains(&word.to_lowercase())).collect();
        let refusal = self.status.is_client_error() || self.status.is_server_error();
        assert!(!refusal || shown.is_empty(), "{} {} shows {shown:?}: {lower}", self.method, self.url);
        assert!(self.status.as_u16() < 500, "{} {}: {}", self.method, self.url, self.text());
    }

    fn head(&self, name: &str) -> &str {
        self.header(name).unwrap_or_default()
    }
}

/// What a version writes for an error that v3.1 has this code for: codes of the bank's own have become narratives.
/// Source: T4, RW-125.
pub(crate) fn code_in(version: Version, v3_1: &'static str) -> &'static str {
    match version {
        Version::V3_1 => v3_1,
        Version::V4_0 => match v3_1 {
            "UK.OBIE.Field.Expected" => "U001",
            "UK.OBIE.Field.Invalid" => "U002",
            "UK.OBIE.Field.InvalidDate" => "U003",
            "UK.OBIE.Field.Missing" => "U004",
            "UK.OBIE.Field.Unexpected" => "U005",
            "UK.OBIE.Header.Invalid" => "U006",
            "UK.OBIE.Header.Missing" => "U007",
            "UK.OBIE.Resource.InvalidFormat" => "U010",
            "UK.OBIE.Resource.NotFound" => "U011",
            "UK.OBIE.Signature.Missing" => "U019",
            own if own.starts_with("UK.Lombard.") => "NARR",
            other => panic!("write {other} down here"),
        },
    }
}

/// Short reading of JSON.
pub(crate) trait ValueExt {
    /// The text at a member, empty if absent.
    fn text(&self, member: &str) -> &str;
    /// The array at a pointer.
    fn list(&self, pointer: &str) -> Vec<Value>;
}

impl ValueExt for Value {
    fn text(&self, member: &str) -> &str {
        self.get(member).and_then(Value::as_str).unwrap_or_default()
    }

    fn list(&self, pointer: &str) -> Vec<Value> {
        let found = self.pointer(pointer).and_then(Value::as_array);
        found.unwrap_or_else(|| panic!("no array at {pointer}: {self}")).clone()
    }
}
