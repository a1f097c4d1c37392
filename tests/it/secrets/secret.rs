//! The secrets of a run, collected from requests and responses, with the one place where each may occur.

use crate::harness::ExchangeExt;
use lombard_tpp::HttpExchange;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use url::form_urlencoded::parse;

/// The one place where a secret may be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AllowedPlace {
    /// None.
    Nowhere,
    /// The body of an answer to its owner, as JSON.
    Json,
    /// The address a browser is sent to.
    Location,
    /// A cookie that is set.
    Cookie,
    /// The page it belongs to.
    Page,
}

/// A secret.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Secret {
    pub(super) what: &'static str,
    pub(super) value: String,
    pub(super) place: AllowedPlace,
}

impl Secret {
    pub(super) fn new(what: &'static str, value: impl Into<String>, place: AllowedPlace) -> Self {
        Self { what, value: value.into(), place }
    }

    /// Whether a text holds it: as a word of its own, since six digits also occur within other numbers.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let word = |character: char| character.is_ascii_alphanumeric() || character == '.';
        text.match_indices(&self.value).any(|(at, found)| {
            let before = text[..at].chars().next_back();
            let after = text[at + found.len()..].chars().next();
            self.value.len() > 12 || !before.into_iter().chain(after).any(word)
        })
    }

    /// Whether an answer holds it where it must not.
    pub(super) fn is_leaked_by(&self, answer: &HttpExchange) -> bool {
        let html = answer.head("content-type").starts_with("text/html");
        let skipped = |name: &str| match self.place {
            AllowedPlace::Location => name == "location",
            AllowedPlace::Cookie => name == "set-cookie",
            AllowedPlace::Nowhere | AllowedPlace::Json | AllowedPlace::Page => false,
        };
        let in_headers = answer
            .headers
            .iter()
            .any(|(name, value)| !skipped(name.as_str()) && self.is_in(&String::from_utf8_lossy(value.as_bytes())));
        let body_may = match self.place {
            AllowedPlace::Json => !html && answer.status.is_success(),
            AllowedPlace::Page => html,
            AllowedPlace::Nowhere | AllowedPlace::Location | AllowedPlace::Cookie => false,
        };
        in_headers || (!body_may && self.is_in(&answer.text()))
    }
}

/// The secrets that one exchange shows to its own caller.
pub(super) fn of_exchange(exchange: &HttpExchange) -> Vec<Secret> {
    let mut found = Vec::new();
    if let Ok(body) = exchange.json() {
        for name in ["access_token", "refresh_token", "id_token", "request_uri"] {
            found.extend(body[name].as_str().map(|value| Secret::new("a token", value, AllowedPlace::Json)));
        }
    }
    if let Some((_, answer)) = exchange.header("location").and_then(|it| it.split_once(['#', '?'])) {
        let secret = |name: &str| ["code", "id_token", "response"].contains(&name);
        let values = parse(answer.as_bytes()).filter(|(name, _)| secret(name));
        found.extend(values.map(|(_, value)| Secret::new("a code", value, AllowedPlace::Location)));
    }
    for cookie in exchange.headers.get_all("set-cookie") {
        let value = cookie.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap().1;
        found.extend((!value.is_empty()).then(|| Secret::new("a cookie", value, AllowedPlace::Cookie)));
    }
    if exchange.head("content-type").starts_with("text/html") {
        let html = exchange.text();
        let tokens = html.split("name=\"form_token\" value=\"").skip(1).filter_map(|rest| rest.split('"').next());
        found.extend(tokens.map(|token| Secret::new("a form token", token, AllowedPlace::Page)));
    }
    found
}

/// The secrets in the private files of a folder and those below it, the database left out: keys are sealed there.
pub(super) fn of_folder(folder: &Path) -> Vec<Secret> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(of_folder(&path));
            continue;
        }
        let private = path.metadata().unwrap().permissions().mode() & 0o077 == 0;
        let database = path.file_name().unwrap().to_string_lossy().starts_with("lombard.db");
        if private && !database {
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            // The first line of a key names its kind only.
            let lines = text.lines().filter(|line| line.len() >= 40 && !line.starts_with("---")).skip(1);
            found.extend(lines.map(|line| Secret::new("a private key", line.trim(), AllowedPlace::Nowhere)));
        }
    }
    found
}

#[test]
fn a_secret_is_found_as_a_word_and_a_long_one_anywhere() {
    let code = Secret::new("a one-time code", "123456", AllowedPlace::Page);
    assert!(code.is_in("code=123456") && code.is_in("\"123456\","));
    assert!(!code.is_in("took 0.123456 s") && !code.is_in("9123456") && !code.is_in("a123456"));
    let token = Secret::new("a token", "abcdefghijklmnop", AllowedPlace::Json);
    assert!(token.is_in("xabcdefghijklmnopx"));
}
