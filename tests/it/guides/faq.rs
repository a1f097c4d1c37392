//! Each mistake of `docs/tpps/faq.md`, made: the server's answer is the one that the page shows.

use super::{blocks, file};
use crate::harness::{Bank, EVERYTHING, PayingTpp, ValueExt, code, rs256};
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_tpp::{AuthorisationRequest, HttpCall, HttpExchange, Jwt, MessageJws, Protocol, Tpp};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use url::form_urlencoded::parse;

/// The members of a message signature's header.
const OWN: &str = "http://openbanking.org.uk/";

/// What an answer says, as the page writes it.
fn said(answer: &HttpExchange) -> String {
    if let Some(location) = answer.header("location") {
        let (_, response) = location.split_once('#').unwrap();
        let all: BTreeMap<_, _> = parse(response.as_bytes()).into_owned().collect();
        return format!("{}: {}", all["error"], all["error_description"]);
    }
    if let (Some(challenge), true) = (answer.header("www-authenticate"), answer.body.is_empty()) {
        return format!("{} {challenge}", answer.status.as_u16());
    }
    if answer.header("content-type").is_some_and(|it| it.starts_with("text/html")) {
        return answer.text().into_owned();
    }
    let body = answer.json().unwrap();
    if let Some(error) = body["error"].as_str() {
        return format!("{error}: {}", body.text("error_description"));
    }
    let [error] = <[Value; 1]>::try_from(body.list("/Errors")).unwrap();
    let place = error["Path"].as_str().map(|path| format!(" {path}")).unwrap_or_default();
    format!("{}{place}: {}", error.text("ErrorCode"), error.text("Message"))
}

/// Asks for a token of client credentials with this assertion.
async fn ask_for_token(through: &Tpp, assertion: &str) -> HttpExchange {
    let form = [
        ("grant_type", "client_credentials"),
        ("scope", "accounts"),
        ("client_assertion_type", lombard_tpp::ASSERTION_TYPE),
        ("client_assertion", assertion),
    ];
    through.request_token_with_form(&form.map(|(name, value)| (name.to_owned(), value.to_owned()))).await.unwrap()
}

/// The headings of the page, each with the answer that it shows.
fn shown() -> BTreeMap<String, String> {
    let page = file("docs/tpps/faq.md");
    let sections = page.split("\n## ").skip(1);
    sections
        .map(|section| {
            let (heading, _) = section.split_once('\n').unwrap();
            let first = blocks(section).into_iter().next().unwrap();
            (heading.to_owned(), first.1)
        })
        .collect()
}

/// The mistakes that are made, and what the server said.
struct Mistakes {
    bank: Bank,
    robot: Tpp,
    said: BTreeMap<String, String>,
}

impl Mistakes {
    fn note(&mut self, heading: &str, answer: &HttpExchange) {
        self.said.insert(heading.to_owned(), said(answer));
    }

    async fn request(&self) -> AuthorisationRequest {
        let own = self.robot.client_credentials("accounts").await.unwrap().access_token;
        let consent = self.robot.consent_create(&own, &EVERYTHING).await.unwrap();
        self.robot.new_authorisation_request(&consent, "accounts").await.unwrap()
    }

    /// Opens a request that was changed in this way.
    async fn open(&mut self, heading: &str, change: impl FnOnce(AuthorisationRequest) -> AuthorisationRequest) {
        let request = change(self.request().await);
        let url = request.url(&self.robot.folder.signing).unwrap();
        let answer = self.robot.open_authorisation(&url).await.unwrap();
        self.note(heading, &answer);
    }

    /// Asks for a token on this TPP's connection with the robot's assertion.
    async fn token(&mut self, heading: &str, through: &Tpp, assertion: &str) {
        let answer = ask_for_token(through, assertion).await;
        self.note(heading, &answer);
    }

    async fn assertion(&self, change: impl FnOnce(Jwt) -> Jwt) -> String {
        change(self.robot.new_client_assertion().await.unwrap()).sign(&self.robot.folder.signing).unwrap()
    }

    async fn of_authorisation(&mut self) {
        self.open("The response type is outside the request object only", |it| it.claim("response_type", Value::Null))
            .await;
        self.open("The response type is inside the request object only", |mut it| {
            it.query.retain(|(name, _)| name != "response_type");
            it
        })
        .await;
        self.open("The two response types differ", |it| it.parameter("response_type", "code")).await;
        self.open("The response type is code alone", |it| {
            it.claim("response_type", "code").parameter("response_type", "code")
        })
        .await;
        self.open("The aud of the request object is not the issuer", |it| it.claim("aud", "https://other.example"))
            .await;
        self.open("The redirect URI is not registered", |it| it.claim("redirect_uri", "https://other.example/cb"))
            .await;
    }

    async fn of_tokens(&mut self) {
        let robot = self.robot.clone();
        let elsewhere = self.assertion(|it| it.claim("aud", "https://other.example")).await;
        self.token("The aud of the client assertion is not the issuer", &robot, &elsewhere).await;
        let twice = self.assertion(|it| it).await;
        assert_eq!(ask_for_token(&robot, &twice).await.status, 200);
        self.token("The client assertion was sent twice", &robot, &twice).await;
        let rival = self.bank.tpp("rival");
        let honest = self.assertion(|it| it).await;
        self.token("The certificate is another application's", &rival, &honest).await;
        let nobody = robot.with_certificate(None, Protocol::Any).unwrap();
        let honest = self.assertion(|it| it).await;
        self.token("There is no client certificate", &nobody, &honest).await;
        let older = robot.new_client_assertion().await.unwrap().header("alg", "RS256");
        let older = older.sign_with(|message| rs256(&robot.folder.signing, message));
        self.token("RS256", &robot, &older).await;
        let same = self.said.remove("RS256").unwrap();
        assert_eq!(same, self.said["The certificate is another application's"], "the same text, as the page says");

        let own = robot.client_credentials("accounts").await.unwrap().access_token;
        let answer = robot.get(&own, "aisp/accounts").await.unwrap();
        self.note("Account data is asked for with the application's own token", &answer);
        let answer = rival.get(&own, "aisp/accounts").await.unwrap();
        self.note("The token is used with another certificate", &answer);

        let consent = robot.consent_create(&own, &EVERYTHING).await.unwrap();
        let used = code(&robot, &consent).await;
        assert_eq!(robot.exchange_code(&used).await.unwrap().status, 200);
        let answer = robot.exchange_code(&used).await.unwrap();
        self.note("The code is used twice", &answer);
        let late = code(&robot, &consent).await;
        self.bank.clock.advance(SignedDuration::from_secs(61));
        let answer = robot.exchange_code(&late).await.unwrap();
        self.note("The code is late", &answer);
    }

    /// Sends a body with this signature and key.
    async fn send(&mut self, heading: &str, own: &str, body: &str, message: MessageJws, key: Option<&str>) {
        let signature = message.sign(&self.robot.folder.signing, body.as_bytes()).unwrap();
        let path = "pisp/domestic-payment-consents";
        let call = HttpCall::post(self.robot.resource_url(path)).with_bearer(own);
        let call = call.with_header("content-type", "application/json").with_header("x-jws-signature", signature);
        let call = key.into_iter().fold(call, |call, key| call.with_header("x-idempotency-key", key));
        let answer = self.robot.send(call.with_body(body.to_owned())).await.unwrap();
        self.note(heading, &answer);
    }

    async fn of_payments(&mut self) {
        let paying = PayingTpp::robot(&self.bank).await.through(Version::V4_0);
        let robot = paying.tpp.clone();
        self.robot = robot.clone();
        let product = PaymentProduct::DomesticPayment;
        let asked = paying.asking(product);
        let own = paying.own.as_str();
        let body = asked.to_string();
        let crit = json!(["b64", format!("{OWN}iat"), format!("{OWN}iss"), format!("{OWN}tan")]);
        let unencoded = robot.new_message_signature().claim("b64", false).claim("crit", crit);
        self.send_first("The signature has b64", own, &body, unencoded).await;
        let key = robot.new_idempotency_key();
        let alone = robot.new_message_signature().claim(&format!("{OWN}iss"), robot.folder.details.org_id.as_str());
        self.send("The issuer of the signature is the organisation alone", own, &body, alone, Some(&key)).await;
        let millis = robot.new_message_signature().claim(&format!("{OWN}iat"), robot.now().as_millisecond());
        self.send("The signature's time is in milliseconds", own, &body, millis, Some(&key)).await;
        self.send("There is no idempotency key", own, &body, robot.new_message_signature(), None).await;

        let signature = robot.new_message_signature().sign(&robot.folder.signing, body.as_bytes()).unwrap();
        let call = HttpCall::post(robot.resource_url("pisp/domestic-payment-consents")).with_bearer(own);
        let call = call.with_header("x-idempotency-key", &key).with_header("x-jws-signature", signature);
        let other = serde_json::to_string_pretty(&asked).unwrap();
        let call = call.with_header("content-type", "application/json").with_body(other);
        let answer = robot.send(call).await.unwrap();
        self.note("The signature is of other bytes", &answer);

        let mut number = asked.clone();
        number["Data"]["Initiation"]["InstructedAmount"]["Amount"] = json!(1.25);
        self.send(
            "The amount is a number",
            own,
            &number.to_string(),
            robot.new_message_signature(),
            Some(&robot.new_idempotency_key()),
        )
        .await;
        let path = crate::harness::paying::consents(product);
        paying.post_as(own, path, &key, &asked).await;
        let mut other = asked.clone();
        other["Data"]["Initiation"]["InstructedAmount"]["Amount"] = json!("1.26");
        let answer = paying.post_as(own, path, &key, &other).await;
        self.note("The idempotency key came with another body", &answer);

        let agreed = paying.agreed(product).await;
        let orders = crate::harness::paying::orders(product);
        let mut other = agreed.order();
        other["Data"]["Initiation"]["CreditorAccount"]["Name"] = json!("Another name");
        let answer = paying.post(&agreed.token, orders, &other).await;
        self.note("The order differs from its consent", &answer);
        paying.ordered(&agreed).await;
        let answer = paying.post(&agreed.token, orders, &agreed.order()).await;
        self.note("The consent is used up", &answer);
    }

    /// Sends a body with this signature; the first of several errors is noted.
    async fn send_first(&mut self, heading: &str, own: &str, body: &str, message: MessageJws) {
        let signature = message.sign(&self.robot.folder.signing, body.as_bytes()).unwrap();
        let call = HttpCall::post(self.robot.resource_url("pisp/domestic-payment-consents")).with_bearer(own);
        let call = call.with_header("content-type", "application/json").with_header("x-jws-signature", signature);
        let call = call.with_header("x-idempotency-key", self.robot.new_idempotency_key()).with_body(body.to_owned());
        let answer = self.robot.send(call).await.unwrap();
        let first = answer.json().unwrap().list("/Errors").remove(0);
        let told = format!("{} {}: {}", first.text("ErrorCode"), first.text("Path"), first.text("Message"));
        self.said.insert(heading.to_owned(), told);
    }

    async fn of_headers(&mut self) {
        let robot = self.bank.tpp("robot").with_version(Version::V4_0);
        let own = robot.client_credentials("accounts").await.unwrap().access_token;
        let consent = robot.consent_create(&own, &EVERYTHING).await.unwrap();
        let path = robot.resource_url(&format!("aisp/account-access-consents/{consent}"));
        let call = HttpCall::get(path).with_bearer(&own).with_header("x-fapi-interaction-id", "two words");
        let answer = robot.send(call).await.unwrap();
        self.note("The interaction id cannot be repeated", &answer);
    }
}

#[tokio::test]
async fn each_mistake_is_answered_as_the_page_shows() {
    let bank = Bank::start().await;
    let mut mistakes = Mistakes { robot: bank.tpp("robot"), bank, said: BTreeMap::new() };
    mistakes.of_authorisation().await;
    mistakes.of_tokens().await;
    mistakes.of_headers().await;
    mistakes.of_payments().await;
    let shown = shown();
    let headings = |all: &BTreeMap<String, String>| all.keys().cloned().collect::<Vec<_>>();
    assert_eq!(headings(&mistakes.said), headings(&shown), "every mistake of the page is made here");
    for (heading, expected) in shown {
        let said = &mistakes.said[&heading];
        if heading == "The redirect URI is not registered" {
            // A page for the customer, with code and text.
            let (code, text) = expected.split_once(": ").unwrap();
            assert!(said.contains(code) && said.contains(text), "{heading}: {said}");
        } else if heading == "The signature is of other bytes" {
            // The length and the digest differ with each request.
            assert!(said.starts_with(&expected) && said.contains("SHA-256 begins with"), "{heading}: {said}");
        } else {
            assert_eq!(said, &expected, "{heading}");
        }
    }
}
