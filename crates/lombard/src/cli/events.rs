//! `lombard events`: explains the security event tokens of a poll to a TPP's developer.

use crate::output::print_line;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use lombard_jose::KeySet;
use lombard_ports::clock::Clocks;
use lombard_tpp::{
    Endpoints, ExpectedSet, HttpCall, Protocol, SetPart, SetReport, TppError, Transport, parse_certificates,
};
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The width of the name column.
const NAME_WIDTH: usize = 34;
/// The maximum number of bytes that are read from standard input.
const INPUT_BYTES_MAX: u64 = 1 << 20;

#[derive(Debug, Subcommand)]
pub(super) enum EventsCommand {
    /// Check a security event token and explain every part of it.
    Verify(Verify),
}

#[derive(Debug, Args)]
pub(super) struct Verify {
    /// The token: one of the values in `sets` of a poll response; `-` reads it from standard input.
    token: String,
    /// The key set (JWKS) to check it with: a file or an https address. The default is that of the running server.
    #[arg(long, value_name = "FILE|URL")]
    keys: Option<String>,
    /// The certificate authority to trust when keys are fetched. The default is ca.pem of the data folder.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// The client id that the token should be issued for (`aud`).
    #[arg(long, value_name = "ID")]
    audience: Option<String>,
    /// The data folder of the running server.
    #[arg(long, value_name = "DIR", default_value = "data")]
    data: PathBuf,
}

/// Why a token could not be explained, or is invalid.
#[derive(Debug, thiserror::Error)]
pub(super) enum VerifyError {
    #[error("the token is invalid: {0} fault(s), see above")]
    Faults(usize),
    #[error("this is not a signed token with JSON claims")]
    Malformed(#[from] lombard_jose::Malformed),
    #[error("the token cannot be read from standard input")]
    Input(#[source] std::io::Error),
    #[error("the keys cannot be fetched: start a server on this data folder, or name a file or an address with --keys")]
    Keys(#[source] TppError),
}

pub(super) async fn run(command: EventsCommand) -> Result<(), VerifyError> {
    let EventsCommand::Verify(order) = command;
    verify(order, Clocks::system().wall_now()).await
}

async fn verify(order: Verify, now: Timestamp) -> Result<(), VerifyError> {
    let token = if order.token == "-" { from_input()? } else { order.token };
    let ca = order.ca.unwrap_or_else(|| order.data.join("ca.pem"));
    let (keys, issuer) = keys(order.keys.as_deref(), &order.data, &ca).await.map_err(VerifyError::Keys)?;
    let expected = ExpectedSet { issuer: issuer.as_deref(), audience: order.audience.as_deref(), now };
    let reading = SetReport::new(token.trim(), &keys, &expected)?;
    print_line(&explained(&reading));
    match reading.faults().count() {
        0 => Ok(()),
        faults => Err(VerifyError::Faults(faults)),
    }
}

fn from_input() -> Result<String, VerifyError> {
    let mut text = String::new();
    std::io::stdin().take(INPUT_BYTES_MAX).read_to_string(&mut text).map_err(VerifyError::Input)?;
    Ok(text)
}

/// Fetches the keys, and the issuer if they come from a discovery document.
async fn keys(place: Option<&str>, data: &Path, ca: &Path) -> Result<(KeySet, Option<String>), TppError> {
    let read = |text: &str| KeySet::parse(text).map_err(|error| TppError::Answer(format!("the key set: {error}")));
    match place {
        Some(url) if url.starts_with("https://") => Ok((read(&fetch(url, ca).await?)?, None)),
        Some(file) => {
            let text = std::fs::read_to_string(file)
                .map_err(|error| TppError::File { path: file.into(), reason: error.to_string() })?;
            Ok((read(&text)?, None))
        }
        None => {
            let endpoints = Endpoints::read_file(data)?;
            let discovery: Value = serde_json::from_str(&fetch(&endpoints.well_known, ca).await?)
                .map_err(|error| TppError::Answer(format!("the discovery document: {error}")))?;
            let jwks_uri = discovery.get("jwks_uri").and_then(Value::as_str);
            let jwks_uri = jwks_uri.ok_or_else(|| TppError::Answer("discovery names no jwks_uri".to_owned()))?;
            Ok((read(&fetch(jwks_uri, ca).await?)?, Some(endpoints.issuer)))
        }
    }
}

async fn fetch(url: &str, ca: &Path) -> Result<String, TppError> {
    let transport = Transport::new(&parse_certificates(ca)?, None, Protocol::Any, None)?;
    let answer = transport.send(HttpCall::get(url)).await?.expect_status(http::StatusCode::OK)?;
    Ok(answer.text().into_owned())
}

/// Formats the report: each part of the token, its meaning and its faults.
fn explained(reading: &SetReport) -> String {
    let mut text = String::new();
    for SetPart { name, value, meaning, faults } in &reading.parts {
        text.push_str(&format!("{name:<NAME_WIDTH$} {}\n", visible(value)));
        let lines = [meaning].into_iter().filter(|meaning| !meaning.is_empty()).map(|meaning| visible(meaning));
        for line in lines.chain(faults.iter().map(|fault| format!("WRONG: {}", visible(fault)))) {
            text.push_str(&format!("{:NAME_WIDTH$} {line}\n", ""));
        }
    }
    let verdict = if reading.faults().next().is_none() { "\nThe token is sound." } else { "\nThe token is NOT sound." };
    text + verdict
}

/// Escapes the control characters of untrusted text, which a terminal would interpret.
fn visible(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_jose::SigningKey;
    use lombard_tpp::Jwt;
    use serde_json::json;

    #[tokio::test]
    async fn a_token_is_verified_by_the_keys_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys.json").display().to_string();
        let key = SigningKey::generate().unwrap();
        std::fs::write(&file, json!({"keys": [key.public().to_jwk(&[])]}).to_string()).unwrap();
        let claims = json!({
            "iss": "https://bank.example", "iat": 10, "jti": "e", "aud": "client", "txn": "e", "toe": 9,
            "sub": "https://bank.example/open-banking/v3.1/aisp/account-access-consents/c",
            "events": {"urn:bank.example:of-our-own": {}},
        });
        let token = Jwt::ps256(key.id().as_str(), claims.as_object().unwrap().clone());
        let order = |token: Jwt, audience: &str| Verify {
            token: token.sign(&key).unwrap(),
            keys: Some(file.clone()),
            ca: None,
            audience: Some(audience.to_owned()),
            data: folder.path().to_owned(),
        };
        let now = Timestamp::from_second(20).unwrap();
        verify(order(token.clone(), "client"), now).await.unwrap();
        let refused = verify(order(token.clone(), "rival"), now).await;
        assert!(matches!(refused, Err(VerifyError::Faults(1))), "{refused:?}");
        let unkeyed = Verify { keys: None, ..order(token, "client") };
        assert!(matches!(verify(unkeyed, now).await, Err(VerifyError::Keys(_))), "no server runs there");
    }

    #[test]
    fn faults_stand_under_their_parts_and_nothing_controls_the_terminal() {
        let part = |name: &str, value: &str, faults: &[&str]| SetPart {
            name: name.to_owned(),
            value: value.to_owned(),
            meaning: "a meaning".to_owned(),
            faults: faults.iter().map(|fault| (*fault).to_owned()).collect(),
        };
        let sound = explained(&SetReport { parts: vec![part("iss", "https://bank.example", &[])] });
        assert!(sound.ends_with("\nThe token is sound."), "{sound}");
        let wrong = explained(&SetReport { parts: vec![part("jti", "\u{1b}[2J", &["it is odd"])] });
        assert!(wrong.contains("WRONG: it is odd") && wrong.ends_with("NOT sound."), "{wrong}");
        assert!(!wrong.contains('\u{1b}') && wrong.contains("\\u{1b}[2J"), "{wrong}");
    }
}
