//! Every request in an `http` block of a guide is sent to a sandbox, and its answer is the one that the guide shows.
//!
//! With `LOMBARD_WRITE_GUIDES=1` the test writes the answers that differ into the guides instead; `LOMBARD_GUIDE=vrp` chooses one guide.

use super::exchange_blocks::{Block, Compared, same, shown_anew, written};
use super::{file, repository};
use crate::harness::{Bank, Engine, ExchangeExt};
use jiff::ToSpan;
use jiff::civil::{Date, date};
use lombard_domain::calendar::london_date;
use lombard_tpp::{HttpCall, HttpExchange, SIGNATURE, Tpp};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Dates of requests are shown as if the first day of this year were today.
const YEAR: i16 = 2030;

/// The guides with exchanges.
fn guides() -> Vec<String> {
    let folder = repository().join("docs/tpps");
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut guides: Vec<_> = names.map(|name| format!("docs/tpps/{name}")).collect();
    guides.retain(|path| file(path).contains("```http"));
    guides.sort();
    guides
}

/// A reader who follows a guide as the TPP `robot`.
struct Reader<'b> {
    bank: &'b Bank,
    robot: Tpp,
    /// The version in place of v4.0.
    version: &'static str,
    /// Members of earlier answers by their names.
    known: BTreeMap<String, String>,
    /// The customer's token, with its consent.
    customer: Option<(String, String)>,
}

impl<'b> Reader<'b> {
    fn new(bank: &'b Bank, version: &'static str) -> Self {
        let robot = bank.tpp("robot");
        let known =
            [("client_id", robot.client_id().to_string()), ("redirect_uri", robot.redirect_uri().unwrap().to_owned())];
        let known = known.map(|(name, value)| (name.to_owned(), value)).into();
        Self { bank, robot, version, known, customer: None }
    }

    /// A text with the values of its names, and with dates that are as far from today as they are from the first day of the year.
    fn filled(&self, text: &str) -> String {
        let known =
            self.known.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value));
        let today = london_date(self.bank_now());
        let year = format!("\"{YEAR}-");
        let mut parts = known.split(year.as_str());
        let mut filled = parts.next().unwrap().to_owned();
        for part in parts {
            let (month_and_day, rest) = part.split_at(5);
            let shown: Date = format!("{YEAR}-{month_and_day}").parse().unwrap();
            let days = shown.since(date(YEAR, 1, 1)).unwrap().get_days();
            write!(filled, "\"{}{rest}", today.checked_add(days.days()).unwrap()).unwrap();
        }
        filled
    }

    /// The bank's time: the clock of the test, and as far ahead of it as the bank was moved.
    fn bank_now(&self) -> jiff::Timestamp {
        self.known["bank_now"].parse().unwrap()
    }

    async fn move_clock(&mut self, order: &Value) {
        let (status, answer) = self.bank.ops_post("/sandbox/clock", order).await;
        assert_eq!(status, 200, "{answer}");
        self.known.insert("bank_now".to_owned(), answer["now"].as_str().unwrap().to_owned());
    }

    /// A code for the newest consent.
    async fn code(&self, scope: &str) -> String {
        let request = self.robot.new_authorisation_request(&self.known["ConsentId"], scope).await.unwrap();
        let response = self.robot.authorise_headless(&request).await.unwrap();
        response.expect_code(&request.state).unwrap().0.to_owned()
    }

    /// The token of the customer for the newest consent.
    async fn customer(&mut self, scope: &str) -> String {
        let consent = self.known["ConsentId"].clone();
        match &self.customer {
            Some((of, token)) if *of == consent => token.clone(),
            _ => {
                let code = self.code(scope).await;
                let answer = self.robot.exchange_code(&code).await.unwrap();
                let token = answer.text_at("/access_token").unwrap();
                self.customer = Some((consent, token.clone()));
                token
            }
        }
    }

    /// A form with the proofs of the TPP in the places that are left open.
    async fn form(&self, body: &str) -> Vec<(String, String)> {
        let joined: String = body.lines().map(str::trim).collect();
        let mut form = Vec::new();
        for pair in joined.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or_else(|| panic!("no parameter: {pair}"));
            let value = match (name, value) {
                ("client_assertion", "…") => {
                    self.robot.new_client_assertion().await.unwrap().sign(&self.robot.folder.signing).unwrap()
                }
                ("request", "…") => {
                    let consent = &self.known["ConsentId"];
                    let asked = self.robot.backchannel_request(consent, "accounts").await.unwrap();
                    asked.sign(&self.robot.folder.signing).unwrap()
                }
                ("code", "{code}") => self.code("accounts").await,
                _ => {
                    let decoded = url::form_urlencoded::parse(pair.as_bytes()).into_owned().next().unwrap().1;
                    self.filled(&decoded)
                }
            };
            form.push((name.to_owned(), value));
        }
        form
    }

    /// Sends the request of a block.
    async fn send(&mut self, block: &Block) -> HttpExchange {
        if block.has("later") {
            // An order may reach the bank after the first step. The second step carries it out.
            for _ in 0..2 {
                self.move_clock(&json!({"advance_secs": 30})).await;
            }
        }
        let (method, path) = block.first.split_once(' ').unwrap();
        let path = self.filled(path).replace("/v4.0/", &format!("/{}/", self.version));
        let endpoints = self.bank.endpoints();
        let origin = if path.starts_with("/sandbox/") { &endpoints.ops } else { &endpoints.mtls };
        let mut call = HttpCall::new(method.parse().unwrap(), format!("{origin}{path}"));
        let scope = match path.split('/').nth(3) {
            Some("pisp") => "payments",
            Some("cbpii") => "fundsconfirmations",
            _ => "accounts",
        };
        let body = self.filled(&block.body);
        let media_type = block.header("content-type").unwrap_or("application/json");
        let is_form = media_type == "application/x-www-form-urlencoded";
        // A form is sent with its own media type.
        for (name, value) in block.headers.iter().filter(|(name, _)| !is_form || name != "content-type") {
            let value = match (name.as_str(), value.as_str()) {
                ("authorization", "Bearer OWN_TOKEN") => {
                    format!("Bearer {}", self.robot.client_credentials(scope).await.unwrap().access_token)
                }
                ("authorization", "Bearer CUSTOMER_TOKEN") => format!("Bearer {}", self.customer(scope).await),
                (SIGNATURE, _) => {
                    let unsigned = self.robot.new_message_signature().claim("cty", media_type);
                    unsigned.sign(&self.robot.folder.signing, body.as_bytes()).unwrap()
                }
                _ => self.filled(value),
            };
            call = call.with_header(name, value);
        }
        if is_form {
            call = call.with_form(self.form(&block.body).await);
        } else if !body.is_empty() {
            if block.header("content-type").is_none() {
                call = call.with_header("content-type", media_type);
            }
            call = call.with_body(body);
        }
        let answer =
            if origin == &endpoints.ops { self.bank.ops(call).await } else { self.robot.send(call).await.unwrap() };
        self.learn(&answer.json().unwrap_or_default());
        answer
    }

    /// Keeps the members of an answer that later requests may name.
    fn learn(&mut self, answer: &Value) {
        let mut found: Vec<(String, String)> = Vec::new();
        collect(answer, &mut found);
        let events = answer["sets"].as_object();
        found.extend(events.and_then(|sets| sets.keys().next()).map(|jti| ("jti".to_owned(), jti.clone())));
        // The first of a list is the one that goes by its name.
        self.known.extend(found.into_iter().rev());
    }
}

fn collect(value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) => found.push((name.clone(), text.clone())),
                    nested => collect(nested, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}

/// Whether an answer is as it is shown.
fn is_as_shown(shown: &Block, answer: &HttpExchange, real: &Value) -> bool {
    let headers =
        shown.headers.iter().all(|(name, value)| same(&json!(value), &json!(answer.head(name)), Compared::Values));
    let compared = if shown.has("data") { Compared::Kinds } else { Compared::Values };
    let body = match shown.body.as_str() {
        "" => answer.body.is_empty(),
        body => serde_json::from_str::<Value>(body).is_ok_and(|body| same(&body, real, compared)),
    };
    shown.status().is_none_or(|status| answer.status == status) && headers && body
}

/// The payload of the first event of an answer.
fn event_of(answer: &Value) -> Value {
    let (_, token) = answer["sets"].as_object().unwrap().iter().next().unwrap();
    let payload = token.as_str().unwrap().split('.').nth(1).unwrap();
    serde_json::from_slice(&lombard_jose::from_base64url(payload).unwrap()).unwrap()
}

/// The text of a body, with what the guide left out, and with the addresses of a sandbox.
fn body_anew(shown: &Block, real: &Value, bank: &Bank) -> String {
    let before = serde_json::from_str(&shown.body).unwrap_or_default();
    let endpoints = bank.endpoints();
    let text = written(&shown_anew(&before, real));
    text.replace(&endpoints.mtls, "https://localhost:8444").replace(&endpoints.public, "https://localhost:8443")
}

/// Follows a guide, and gives its text with the answers as they are.
async fn follow(path: &str, version: &'static str) -> String {
    let page = file(path);
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("payments.rate_movement", "0")]).await;
    bank.set_working_morning().await;
    let mut reader = Reader::new(&bank, version);
    reader.move_clock(&json!({"advance_secs": 1})).await;
    let mut changes = Vec::new();
    let mut last: Option<HttpExchange> = None;
    for block in Block::of_page(&page) {
        let is_request = block.status().is_none() && !block.has("event");
        if is_request {
            let is_left_out = version == "v3.1" && !block.has("both");
            last = if is_left_out { None } else { Some(reader.send(&block).await) };
            continue;
        }
        let Some(answer) = &last else { continue };
        if version == "v3.1" {
            if let Some(status) = block.status() {
                assert_eq!(answer.status, status, "{path}: {} {}: {}", answer.method, answer.url, answer.text());
            }
            continue;
        }
        let body = answer.json().unwrap_or_default();
        let real = if block.has("event") { event_of(&body) } else { body };
        if is_as_shown(&block, answer, &real) {
            continue;
        }
        let writes = std::env::var_os("LOMBARD_WRITE_GUIDES").is_some();
        let said =
            format!("{} {}: {} {:?} {}", answer.method, answer.url, answer.status, answer.headers, written(&real));
        assert!(writes && block.status().is_none_or(|status| answer.status == status), "{path}: {said}\n{block:?}");
        changes.push((block.span, body_anew(&block, &real, &bank)));
    }
    let mut anew = page;
    for ((begin, end), body) in changes.into_iter().rev() {
        anew.replace_range(begin..end, &body);
    }
    anew
}

#[tokio::test]
async fn the_requests_of_the_guides_are_answered_as_shown() {
    let only = std::env::var("LOMBARD_GUIDE").unwrap_or_default();
    for path in guides().into_iter().filter(|path| path.contains(&only)) {
        let anew = follow(&path, "v4.0").await;
        if anew != file(&path) {
            std::fs::write(repository().join(&path), anew).unwrap();
        }
    }
}

#[tokio::test]
async fn requests_that_both_versions_take_are_sent_through_v3_1_too() {
    for path in guides() {
        if Block::of_page(&file(&path)).iter().any(|block| block.has("both")) {
            follow(&path, "v3.1").await;
        }
    }
}

#[test]
fn the_guides_to_resources_show_requests_with_bodies() {
    for name in ["accounts", "payments", "international", "files", "vrp", "funds", "events"] {
        let page = file(&format!("docs/tpps/{name}.md"));
        let blocks = Block::of_page(&page);
        let requests = blocks.iter().filter(|block| block.status().is_none());
        let with_bodies = requests.filter(|block| !block.body.is_empty()).count();
        let answers = blocks.iter().filter(|block| block.status().is_some()).count();
        assert!(with_bodies >= 1 && answers >= 2, "{name}: {with_bodies} bodies, {answers} answers");
    }
}
