//! A TPP in Rust: reads a customer's accounts, makes a signed payment, and waits for its event.
//!
//! `cargo run --example tpp -- DATA_FOLDER NAME [--browser]`, where NAME is a folder under `DATA_FOLDER/tpps`. Without `--browser` the
//! application must be headless (`lombard tpp create NAME --headless amelia`).
#![allow(clippy::print_stderr, clippy::print_stdout, reason = "it is a program for a terminal")]
#![allow(clippy::indexing_slicing, reason = "a member that is not there is null")]

use http::StatusCode;
use lombard::entropy::SystemEntropy;
use lombard_domain::version::Version;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_tpp::{AuthorisationResponse, ExpectedIdToken, ExpectedSet, IssuedTokens, SetReport, Tpp};
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (data, name, browser) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [data, name] => (data, name, false),
        [data, name, "--browser"] => (data, name, true),
        _ => return Err("usage: tpp DATA_FOLDER NAME [--browser]".into()),
    };
    for line in run(Path::new(data), name, browser).await? {
        println!("{line}");
    }
    Ok(())
}

/// Runs the application of this name and returns a report, one line for each step.
///
/// # Errors
/// Fails if the bank refuses a request, or if a file or a response cannot be read.
pub(crate) async fn run(data: &Path, name: &str, browser: bool) -> Result<Vec<String>> {
    let ids = IdGenerator::new(Arc::new(SystemEntropy), Clocks::system());
    let tpp = Tpp::open(data, name, Clocks::system(), ids, None)?.with_version(Version::V4_0);
    let mut lines = Vec::new();

    // Account information.
    let own = tpp.client_credentials("accounts").await?;
    let consent = tpp.consent_create(&own.access_token, &["ReadAccountsDetail", "ReadBalances"]).await?;
    let customer = authorise(&tpp, &consent, "accounts", browser).await?;
    let answer = tpp.get(&customer.access_token, "aisp/accounts").await?.expect_status(StatusCode::OK)?.json()?;
    for account in answer["Data"]["Account"].as_array().into_iter().flatten() {
        lines.push(format!("account {} {}", text(&account["AccountId"]), text(&account["Currency"])));
    }

    // A payment needs a consent, the customer's authorisation and an order.
    let initiation = json!({
        "InstructionIdentification": tpp.new_idempotency_key(),
        "EndToEndIdentification": "EXAMPLE-RUST",
        "InstructedAmount": {"Amount": "1.25", "Currency": "GBP"},
        "CreditorAccount": {
            "SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "20000319825731", "Name": "Tea and Scones",
        },
    });
    let own = tpp.client_credentials("payments").await?.access_token;
    let wanted = json!({"Data": {"Initiation": initiation}, "Risk": {}});
    let made = post(&tpp, &own, "pisp/domestic-payment-consents", &wanted).await?;
    let consent = text(&made["Data"]["ConsentId"]);
    let customer = authorise(&tpp, consent, "payments", browser).await?;
    let order = json!({"Data": {"ConsentId": consent, "Initiation": initiation}, "Risk": {}});
    let made = post(&tpp, &customer.access_token, "pisp/domestic-payments", &order).await?;
    let order = text(&made["Data"]["DomesticPaymentId"]);
    lines.push(format!("payment {order} {}", text(&made["Data"]["Status"])));

    lines.push(event_of(&tpp, &own, order).await?);
    let path = format!("pisp/domestic-payments/{order}");
    let now = tpp.verify_response(tpp.get(&own, &path).await?).await?.expect_status(StatusCode::OK)?.json()?;
    lines.push(format!("payment {order} {}", text(&now["Data"]["Status"])));
    Ok(lines)
}

/// Sends a signed request with a new idempotency key. Returns the body of a successful response, whose signature it verifies.
async fn post(tpp: &Tpp, token: &str, path: &str, body: &Value) -> Result<Value> {
    let answer = tpp.payment_post(token, path, &tpp.new_idempotency_key(), body).await?;
    Ok(tpp.verify_response(answer).await?.expect_status(StatusCode::CREATED)?.json()?)
}

/// Sends the customer to the bank to authorise a consent; returns the tokens of the consent.
async fn authorise(tpp: &Tpp, consent: &str, scope: &str, browser: bool) -> Result<IssuedTokens> {
    let mut request = tpp.new_authorisation_request(consent, scope).await?;
    // The sandbox's own page shows the response to a person; an application may use that page as a redirect URI.
    let page = tpp.folder.details.redirect_uris.iter().find(|uri| browser && uri.ends_with("/portal/callback"));
    let redirect_uri = page.map_or_else(|| tpp.redirect_uri(), |page| Ok(page.as_str()))?;
    request = request.claim("redirect_uri", redirect_uri);
    let answer = if browser {
        eprintln!(
            "Open {}\nand paste the address of the page on which you end here:",
            request.url(&tpp.folder.signing)?
        );
        let mut line = String::new();
        std::io::stdin().read_line(&mut line)?;
        AuthorisationResponse::read_location(line.trim(), redirect_uri)?
    } else {
        tpp.authorise_headless(&request).await?
    };
    let (code, id_token) = answer.expect_code(&request.state)?;
    let nonce = Some(request.nonce.as_str());
    let state = Some(request.state.as_str());
    let expected = ExpectedIdToken { consent: Some(consent), nonce, code: Some(code), state, access_token: None };
    tpp.check_id_token(id_token, &tpp.bank_keys().await?, &expected).await?;
    Ok(IssuedTokens::from_exchange(tpp.exchange_code_of(code, redirect_uri).await?)?)
}

/// Polls until an event of this order arrives, and acknowledges the received events. The bank holds a poll until there is an event.
async fn event_of(tpp: &Tpp, token: &str, order: &str) -> Result<String> {
    let keys = tpp.bank_keys().await?;
    let issuer = tpp.discovery().await?.issuer.clone();
    let (mut ack, mut seen): (Vec<String>, Option<String>) = (Vec::new(), None);
    while seen.is_none() {
        let answer = tpp.poll_events(token, &json!({"maxEvents": 10, "returnImmediately": false, "ack": ack})).await?;
        let answer = answer.expect_status(StatusCode::OK)?.json()?;
        ack.clear();
        for (jti, set) in answer["sets"].as_object().into_iter().flatten() {
            let audience = Some(tpp.client_id().as_str());
            let expected = ExpectedSet { issuer: Some(&issuer), audience, now: tpp.now() };
            let report = SetReport::new(text(set), &keys, &expected)?;
            if let Some((part, fault)) = report.faults().next() {
                return Err(format!("event {jti}: {part}: {fault}").into());
            }
            ack.push(jti.clone());
            if report.value("resource-update rid") == Some(order) {
                seen = Some(format!("event {jti} resource-update"));
            }
        }
    }
    tpp.poll_events(token, &json!({"maxEvents": 0, "returnImmediately": true, "ack": ack}))
        .await?
        .expect_status(StatusCode::OK)?;
    Ok(seen.unwrap_or_default())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
