//! Bad claims and parameters of authorisation requests, at every endpoint that reads them: `/authorize`, `/par` under each security
//! profile, and `/bc-authorize`. Source: AS-063, AS-081, AS-181, RFC 9101, FAPI 2.0 Security Profile section 5.3.2.1.

use crate::authorise::pushed;
use crate::harness::{Bank, EVERYTHING, ExchangeExt};
use lombard_tpp::{HttpCall, HttpExchange, Jwt, Tpp};
use serde_json::{Value, json};
use url::form_urlencoded::parse;

/// An endpoint, and the profile of its client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Authorize,
    Pushed,
    PushedOfFapi2,
    PushedOfMessageSigning,
    Backchannel,
}

const PLACES: [Place; 5] =
    [Place::Authorize, Place::Pushed, Place::PushedOfFapi2, Place::PushedOfMessageSigning, Place::Backchannel];

/// A bank with a client for each place.
struct World {
    bank: Bank,
    fapi2: Tpp,
    message_signing: Tpp,
}

/// What came of a request.
#[derive(Debug)]
struct Outcome {
    /// The code of the error; `None` if the request was accepted.
    error: Option<String>,
    description: String,
}

impl World {
    async fn new() -> Self {
        let bank = Bank::start().await;
        let fapi2 = bank.create_tpp(&json!({"name": "modern", "profile": "fapi2"})).await;
        let message_signing = bank.create_tpp(&json!({"name": "signing", "profile": "fapi2-message-signing"})).await;
        Self { bank, fapi2, message_signing }
    }

    fn client(&self, place: Place) -> Tpp {
        match place {
            Place::Authorize | Place::Pushed | Place::Backchannel => self.bank.tpp("acme"),
            Place::PushedOfFapi2 => self.fapi2.clone(),
            Place::PushedOfMessageSigning => self.message_signing.clone(),
        }
    }

    /// Sends a good request with these claims instead.
    async fn send(&self, place: Place, claims: &[(&str, Value)]) -> Outcome {
        let tpp = self.client(place);
        let with = |object: Jwt| {
            let changed = claims.iter().fold(object, |object, (name, value)| object.claim(name, value.clone()));
            changed.sign(&tpp.folder.signing).unwrap()
        };
        let mut request = pushed::request(&tpp).await;
        match place {
            Place::Authorize => {
                let url = request.url_with(&with(request.object.clone())).unwrap();
                Outcome::of_redirect(&tpp.open_authorisation(&url).await.unwrap())
            }
            Place::Backchannel => {
                let own = tpp.client_credentials("accounts").await.unwrap().access_token;
                let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
                let object = tpp.backchannel_request(&consent, "accounts").await.unwrap();
                Outcome::of_json(&tpp.send_backchannel_request(&with(object)).await.unwrap())
            }
            Place::Pushed | Place::PushedOfFapi2 | Place::PushedOfMessageSigning => {
                if place != Place::Pushed {
                    request.object = request.object.claim("response_type", "code");
                }
                Outcome::of_json(&push(&tpp, &[("request", &with(request.object.clone()))]).await)
            }
        }
    }
}

/// Pushes these parameters with the TPP's own client authentication.
async fn push(tpp: &Tpp, parameters: &[(&str, &str)]) -> HttpExchange {
    let mut form = tpp.authentication().await.unwrap();
    form.extend(parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    tpp.send(HttpCall::post(pushed::endpoint(tpp).await).with_form(form)).await.unwrap()
}

impl Outcome {
    fn of_json(exchange: &HttpExchange) -> Self {
        if exchange.status.is_success() {
            return Self { error: None, description: String::new() };
        }
        assert_eq!(exchange.status.as_u16(), 400, "{}", exchange.text());
        let body = exchange.json().unwrap();
        let text = |name: &str| body[name].as_str().unwrap().to_owned();
        Self { error: Some(text("error")), description: text("error_description") }
    }

    fn of_redirect(exchange: &HttpExchange) -> Self {
        let location = exchange.head("location");
        let answer = location.split_once('#').map_or("", |(_, answer)| answer);
        let value = |wanted: &str| {
            let mut found = parse(answer.as_bytes()).filter(|(name, _)| name == wanted);
            found.next().map(|(_, value)| value.into_owned())
        };
        assert!(value("error").is_some() || location.starts_with("/interaction/"), "{location} {}", exchange.text());
        Self { error: value("error"), description: value("error_description").unwrap_or_default() }
    }
}

/// The code for a bad request object: CIBA Core section 13 lists no `invalid_request_object`.
fn object_error(place: Place) -> Option<&'static str> {
    Some(if place == Place::Backchannel { "invalid_request" } else { "invalid_request_object" })
}

#[tokio::test]
async fn as_181_iat_and_nbf_lie_at_most_a_minute_ahead_everywhere() {
    let world = World::new().await;
    let now = world.bank.now().as_second();
    for place in PLACES {
        for claim in ["iat", "nbf"] {
            for ahead in [0, 8, 10] {
                let outcome = world.send(place, &[(claim, json!(now + ahead))]).await;
                assert_eq!(outcome.error, None, "{place:?}: {claim} {ahead} s ahead: {outcome:?}");
            }
            for ahead in [61, 70, 3_000] {
                let outcome = world.send(place, &[(claim, json!(now + ahead))]).await;
                assert_eq!(outcome.error.as_deref(), object_error(place), "{place:?}: {claim} {ahead} s ahead");
                assert!(outcome.description.contains(claim), "{place:?}: {outcome:?}");
            }
        }
    }
}

#[tokio::test]
async fn as_081_a_claim_of_a_wrong_type_is_named_everywhere() {
    let world = World::new().await;
    let now = world.bank.now().as_second();
    let dates = ["exp", "nbf", "iat"].map(|claim| (claim, json!(now.to_string()), "a string"));
    let of_both =
        [("iss", json!(7), "a number"), ("aud", json!({}), "an object"), ("scope", json!(["openid"]), "a list")];
    let of_browser = [
        ("nonce", json!(true), "a boolean"),
        ("state", json!(1), "a number"),
        ("prompt", json!(["login"]), "a list"),
        ("claims", json!("{}"), "a string"),
        ("max_age", json!("soon"), "a string"),
        ("response_mode", json!(1), "a number"),
        ("code_challenge", json!(1), "a number"),
        ("id_token_hint", json!({}), "an object"),
    ];
    let of_backchannel = [
        ("jti", json!(5), "a number"),
        ("openbanking-intent-id", json!(1), "a number"),
        ("binding_message", json!(["x"]), "a list"),
        ("acr_values", json!(["x"]), "a list"),
        ("login_hint_token", json!({"sub": "amelia"}), "an object"),
        ("requested_expiry", json!(true), "a boolean"),
    ];
    for place in PLACES {
        let more: &[_] = if place == Place::Backchannel { &of_backchannel } else { &of_browser };
        for (claim, value, found) in dates.iter().chain(&of_both).chain(more) {
            let outcome = world.send(place, &[(claim, value.clone())]).await;
            assert!(outcome.error.is_some(), "{place:?} {claim}");
            let said = format!("The claim {claim} is {found}; it must be ");
            assert!(outcome.description.starts_with(&said), "{place:?} {claim}: {outcome:?}");
        }
    }
    // A client that has proven itself is also told what is wrong with its address.
    for place in [Place::Pushed, Place::PushedOfFapi2, Place::PushedOfMessageSigning] {
        let outcome = world.send(place, &[("redirect_uri", json!(["https://tpp.example/"]))]).await;
        assert!(outcome.description.starts_with("The claim redirect_uri is a list;"), "{place:?}: {outcome:?}");
    }
}

#[tokio::test]
async fn as_081_a_whole_number_may_be_written_with_a_fraction_of_zeros() {
    let world = World::new().await;
    for place in PLACES {
        let claim = if place == Place::Backchannel { "requested_expiry" } else { "max_age" };
        for value in [json!(60), json!(60.0)] {
            assert_eq!(world.send(place, &[(claim, value.clone())]).await.error, None, "{place:?}: {claim} {value}");
        }
        let outcome = world.send(place, &[(claim, json!(60.5))]).await;
        assert_eq!(outcome.error.as_deref(), Some("invalid_request"), "{place:?}: {claim} 60.5");
    }
}

#[tokio::test]
async fn as_063_a_parameter_that_would_change_the_request_is_not_ignored() {
    let world = World::new().await;
    let parameters = [
        ("authorization_details", json!([{"type": "payment_initiation"}])),
        ("dpop_jkt", json!("x".repeat(43))),
        ("resource", json!("https://bank.example/")),
        ("grant_id", json!("x")),
        ("grant_management_action", json!("replace")),
    ];
    for (name, value) in &parameters {
        for place in PLACES {
            let outcome = world.send(place, &[(name, value.clone())]).await;
            assert_eq!(outcome.error.as_deref(), Some("invalid_request"), "{place:?}: {name}");
            assert!(outcome.description.contains(name), "{place:?}: {outcome:?}");
        }
    }
    let outcome = world.send(Place::Backchannel, &[("user_code", json!("1234"))]).await;
    assert_eq!(outcome.error.as_deref(), Some("invalid_request"), "{outcome:?}");

    // The same parameters in a form, where a request needs no object, and at the token endpoint.
    let tpp = &world.fapi2;
    for (name, value) in &parameters {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        push(tpp, &plain(tpp, &[(name, &text)]).await).await.oauth(400, "invalid_request");
        let fields = [("grant_type", "client_credentials"), ("scope", "accounts"), (name, text.as_str())];
        tpp.request_token(&fields).await.unwrap().oauth(400, "invalid_request");
    }
    push(tpp, &plain(tpp, &[]).await).await.ok(201);
}

#[tokio::test]
async fn as_081_unsigned_claims_name_everything_once() {
    let world = World::new().await;
    let tpp = &world.fapi2;
    let good = plain(tpp, &[]).await;
    let claims = good.iter().find(|(name, _)| *name == "claims").unwrap().1.to_owned();
    let twice = claims.replacen('{', r#"{"id_token":{},"#, 1);
    let inside = claims.replacen(r#""essential":true"#, r#""essential":false,"essential":true"#, 1);
    assert!(twice != claims && inside != claims);
    for bad in [twice, inside, "[]".to_owned(), format!("{claims} x")] {
        let bad = plain(tpp, &[("claims", &bad)]).await;
        push(tpp, &bad).await.oauth(400, "invalid_request");
    }
}

/// The parameters of a good request of FAPI 2.0 without a request object, with these instead.
async fn plain<'a>(tpp: &Tpp, changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let request = pushed::request(tpp).await;
    let object = request.object.claim("response_type", "code");
    let wanted =
        ["response_type", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method", "claims"];
    let mut fields = Vec::new();
    for name in wanted {
        let value = &object.claims()[name];
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        // Leaked, so that literals and texts of a request can stand in one list of a test.
        fields.push((name, &*text.leak()));
    }
    fields.retain(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
    fields.extend(changes);
    fields
}

#[tokio::test]
async fn as_081_a_claim_of_an_assertion_of_a_wrong_type_is_named() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    for (claim, value, found) in [
        ("iss", json!(7), "a number"),
        ("sub", json!(["x"]), "a list"),
        ("aud", json!(7), "a number"),
        ("exp", json!("soon"), "a string"),
        ("nbf", json!("now"), "a string"),
        ("iat", json!("now"), "a string"),
        ("jti", json!(5), "a number"),
    ] {
        let assertion =
            tpp.new_client_assertion().await.unwrap().claim(claim, value).sign(&tpp.folder.signing).unwrap();
        let form = [
            ("grant_type", "client_credentials"),
            ("client_assertion_type", lombard_tpp::ASSERTION_TYPE),
            ("client_assertion", &assertion),
        ];
        let url = tpp.discovery().await.unwrap().token_endpoint.clone();
        let refused = tpp.send(HttpCall::post(url).with_form(form)).await.unwrap();
        refused.oauth(401, "invalid_client");
        let said = refused.json().unwrap()["error_description"].as_str().unwrap().to_owned();
        assert!(said.starts_with(&format!("The claim {claim} is {found}; it must be ")), "{said}");
    }
}
