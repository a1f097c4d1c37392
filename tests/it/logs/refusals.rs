//! One interaction id links the error response, its access log line and the line with the cause. Source: RW-050, RW-109,
//! AS-030.

use crate::harness::{Bank, Engine, ServerProcess, rs256};
use lombard_jose::SigningKey;
use lombard_tpp::{ASSERTION_TYPE, HttpCall, HttpExchange, Jwt, Protocol, Tpp};
use serde_json::{Value, json};
use std::collections::HashMap;

const INTERACTION_ID: &str = "x-fapi-interaction-id";
const SCOPE: [(&str, &str); 2] = [("grant_type", "client_credentials"), ("scope", "accounts")];

/// Reasons that the answer's code or sentence says too.
const TOLD: [&str; 3] = ["secret", "invalid_request", "unsupported_grant_type"];

/// Refusals that were asked for: what each was, the answer, and what the log must name.
#[derive(Debug, Default)]
struct Refused(Vec<(&'static str, HttpExchange, &'static str)>);

impl Refused {
    /// Sends a call under an id of its own.
    async fn ask(&mut self, what: &'static str, tpp: &Tpp, call: HttpCall, status: u16, reason: &'static str) {
        let answer = tpp.send(call.with_header(INTERACTION_ID, format!("id-{}", self.0.len()))).await.unwrap();
        assert_eq!(answer.status, status, "{what}: {}", answer.text());
        assert_eq!(answer.header(INTERACTION_ID), Some(format!("id-{}", self.0.len()).as_str()), "{what}");
        self.0.push((what, answer, reason));
    }

    /// Each answer's id is on its access line and on a line with the reason, which the caller is not told.
    fn are_explained_by(&self, logs: &str) {
        let mut lines: HashMap<String, Vec<Value>> = HashMap::new();
        for line in logs.lines().filter(|line| line.starts_with('{')) {
            let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            if let Some(id) = line["interaction.id"].as_str() {
                lines.entry(id.to_owned()).or_default().push(line);
            }
        }
        for (what, answer, reason) in &self.0 {
            let own = &lines[answer.header(INTERACTION_ID).unwrap()];
            let (access, others): (Vec<_>, Vec<_>) = own.iter().partition(|line| line["target"] == "lombard::access");
            assert_eq!(access.len(), 1, "{what}: {own:?}");
            assert_eq!(access[0]["http.status"], json!(answer.status.as_u16()), "{what}");
            let says =
                |name: &str, line: &Value| line[name].as_str().is_some_and(|it| it.split(' ').any(|it| it == *reason));
            let told = others.iter().any(|line| says("security.refusal", line) || says("error.codes", line));
            assert!(told, "{what}: no line says {reason}: {own:?}");
            let is_public = reason.starts_with("UK.") || TOLD.contains(reason);
            assert!(is_public || !answer.text().contains(reason), "{what}: the caller is told: {}", answer.text());
        }
    }
}

#[tokio::test]
async fn rw_050_a_refusal_is_logged_with_the_id_of_its_answer_and_its_reason() {
    let bank = Bank::unstarted(Engine::Sqlite).await;
    let server = ServerProcess::logging(&bank, "info").await;
    let mut refused = Refused::default();
    resources(&bank, &mut refused).await;
    tokens(&bank, &mut refused).await;
    refused.are_explained_by(&server.kill().await);
}

/// 401, 403, 400, 404 and 405 of resources.
async fn resources(bank: &Bank, refused: &mut Refused) {
    let robot = bank.tpp("robot");
    let rival = bank.tpp("rival");
    let accounts = robot.resource_url("aisp/accounts");
    let consents = robot.resource_url("aisp/account-access-consents");
    let own = robot.client_credentials("accounts").await.unwrap().access_token;
    let payments = robot.client_credentials("payments").await.unwrap().access_token;
    let naked = robot.with_certificate(None, Protocol::Any).unwrap();
    let get = |token: &str| HttpCall::get(&accounts).with_bearer(token);
    refused.ask("no certificate", &naked, get(&own), 401, "TLS-004").await;
    refused.ask("no token", &robot, HttpCall::get(&accounts), 401, "missing").await;
    let basic = HttpCall::get(&accounts).with_header("authorization", "Basic eDp5");
    refused.ask("not a bearer token", &robot, basic, 401, "malformed").await;
    refused.ask("an unknown token", &robot, get("nobody-knows-this-token"), 401, "unknown").await;
    refused.ask("another certificate", &rival, get(&own), 401, "other_certificate").await;
    refused.ask("a token without a customer", &robot, get(&own), 401, "other_grant").await;
    let expired = robot.client_credentials("accounts").await.unwrap().access_token;
    expire_newest_token(bank);
    let create = |token: &str, body: &Value| HttpCall::post(&consents).with_bearer(token).with_json(body);
    let body = json!({"Data": {"Permissions": ["ReadBalances"]}, "Risk": {}});
    refused.ask("an expired token", &robot, create(&expired, &body), 401, "expired").await;
    refused.ask("another scope", &robot, create(&payments, &body), 403, "UK.Lombard.Forbidden.Scope").await;
    refused.ask("an empty body", &robot, create(&own, &json!({})), 400, "UK.OBIE.Field.Missing").await;
    let nowhere = HttpCall::get(robot.resource_url("aisp/nothing"));
    refused.ask("no such path", &robot, nowhere, 404, "UK.Lombard.Path.NotFound").await;
    let put = HttpCall::new(http::Method::PUT, &accounts).with_bearer(&own);
    refused.ask("no such method", &robot, put, 405, "UK.Lombard.Method.NotAllowed").await;
}

/// 401 and 400 of the token endpoint.
async fn tokens(bank: &Bank, refused: &mut Refused) {
    let robot = bank.tpp("robot");
    let rival = bank.tpp("rival");
    let url = robot.discovery().await.unwrap().token_endpoint.clone();
    let post = |more: &[(&str, &str)]| {
        HttpCall::post(&url).with_form(SCOPE.iter().chain(more).map(|(name, value)| (*name, *value)))
    };
    let assertion = |text: &str| post(&[("client_assertion_type", ASSERTION_TYPE), ("client_assertion", text)]);
    let signed = |jwt: Jwt| jwt.sign(&robot.folder.signing).unwrap();
    let fresh = robot.new_client_assertion().await.unwrap();
    let naked = robot.with_certificate(None, Protocol::Any).unwrap();
    let disguised = robot.with_certificate(Some(&rival.folder.identity), Protocol::Any).unwrap();
    let now = bank.now().as_second();

    refused.ask("no certificate", &naked, assertion(&signed(fresh.clone())), 401, "no_certificate").await;
    let forged = fresh.sign(&SigningKey::generate().unwrap()).unwrap();
    refused.ask("a forged assertion", &robot, assertion(&forged), 401, "assertion_signature").await;
    let unknown = signed(fresh.clone().header("kid", "unknown"));
    refused.ask("an unknown key", &robot, assertion(&unknown), 401, "assertion_key_unknown").await;
    let older = fresh.clone().header("alg", "RS256").sign_with(|message| rs256(&robot.folder.signing, message));
    refused.ask("another algorithm", &robot, assertion(&older), 401, "assertion_algorithm").await;
    let nobody = fresh.clone().claim("iss", "nobody").claim("sub", "nobody");
    refused.ask("an unknown client", &robot, assertion(&signed(nobody)), 401, "unknown_client").await;
    refused.ask("another's certificate", &disguised, assertion(&signed(fresh.clone())), 401, "other_certificate").await;
    let method = post(&[("client_id", robot.client_id().as_str())]);
    refused.ask("another method", &robot, method, 401, "other_method").await;
    let elsewhere = signed(fresh.clone().claim("aud", "https://elsewhere.example"));
    refused.ask("another audience", &robot, assertion(&elsewhere), 401, "assertion_audience").await;
    let late = signed(fresh.clone().claim("exp", now - 300));
    refused.ask("an assertion too late", &robot, assertion(&late), 401, "assertion_expired").await;
    let used = signed(fresh);
    robot.send(assertion(&used)).await.unwrap().expect_status(http::StatusCode::OK).unwrap();
    refused.ask("an assertion again", &robot, assertion(&used), 401, "assertion_replayed").await;
    let secret = post(&[("client_secret", "hunter2")]);
    refused.ask("a secret", &robot, secret, 401, "secret").await;
    let twice = HttpCall::post(&url).with_form([("scope", "accounts"), ("scope", "payments")]);
    refused.ask("a parameter twice", &robot, twice, 400, "invalid_request").await;
    let again = signed(robot.new_client_assertion().await.unwrap());
    let proof = [("client_assertion_type", ASSERTION_TYPE), ("client_assertion", again.as_str())];
    let password = HttpCall::post(&url)
        .with_form([("grant_type", "password")].iter().chain(&proof).map(|(name, value)| (*name, *value)));
    refused.ask("a grant there is not", &robot, password, 400, "unsupported_grant_type").await;
}

/// The token that was issued last has expired, as the database says.
fn expire_newest_token(bank: &Bank) {
    let database = rusqlite::Connection::open(bank.data_dir().join("lombard.db")).unwrap();
    let newest = "UPDATE tokens SET expires_at = 1 WHERE rowid = (SELECT max(rowid) FROM tokens)";
    assert_eq!(database.execute(newest, []).unwrap(), 1);
}
