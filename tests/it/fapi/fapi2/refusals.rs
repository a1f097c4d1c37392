//! What a client of FAPI 2.0 is refused.

use super::{Fapi2Client, Parameters, Profile, VERIFIER, set_profile};
use crate::fapi::plan::came_of_call;
use crate::harness::{Bank, Engine, ExchangeExt, ValueExt};
use futures_util::future::BoxFuture;
use jiff::SignedDuration;
use lombard_tpp::{ASSERTION_TYPE, HttpCall, HttpExchange, Jwt};
use serde_json::{Value, json};

struct World {
    bank: Bank,
    client: Fapi2Client,
}

/// What is tried with a client of a profile, and what comes of it: `page`, `redirect ERROR` or `STATUS ERROR`.
struct Row {
    case: &'static str,
    tried: fn(&World) -> BoxFuture<'_, String>,
    outcome: &'static str,
}

const fn row(case: &'static str, tried: fn(&World) -> BoxFuture<'_, String>, outcome: &'static str) -> Row {
    Row { case, tried, outcome }
}

const INVALID: &str = "400 invalid_request";
const OBJECT: &str = "400 invalid_request_object";
const CLIENT: &str = "401 invalid_client";
const GRANT: &str = "400 invalid_grant";

/// What both profiles refuse.
const OF_BOTH: &[Row] = &[
    row("a request by value", |w| Box::pin(by_value(w)), "redirect invalid_request"),
    row("parameters in the browser", |w| Box::pin(in_the_browser(w)), "page"),
    row("a request_uri of somebody else", |w| opened(w, "https://tpp.example/request"), "page"),
    row("an unknown request_uri", |w| opened(w, "urn:ietf:params:oauth:request_uri:unknown"), "page"),
    row("hybrid", |w| pushed(w, "response_type", json!("code id_token")), "400 unauthorized_client"),
    row("implicit", |w| pushed(w, "response_type", json!("token")), "400 unsupported_response_type"),
    row("no response type", |w| pushed(w, "response_type", Value::Null), INVALID),
    row("in the fragment", |w| pushed(w, "response_mode", json!("fragment")), INVALID),
    row("signed in the fragment", |w| pushed(w, "response_mode", json!("fragment.jwt")), INVALID),
    row("by form post", |w| pushed(w, "response_mode", json!("form_post")), INVALID),
    row("no challenge", |w| pushed(w, "code_challenge", Value::Null), INVALID),
    row("a plain challenge", |w| pushed(w, "code_challenge_method", json!("plain")), INVALID),
    row("no method of the challenge", |w| pushed(w, "code_challenge_method", Value::Null), INVALID),
    row("no redirect URI", |w| pushed(w, "redirect_uri", Value::Null), INVALID),
    row("another redirect URI", |w| pushed(w, "redirect_uri", json!("https://evil.example/")), INVALID),
    row("no scope", |w| pushed(w, "scope", Value::Null), INVALID),
    row("no openid", |w| pushed(w, "scope", json!("accounts")), "400 invalid_scope"),
    row("no intent", |w| pushed(w, "claims", Value::Null), INVALID),
    row("a nonce too long", |w| pushed(w, "nonce", json!("n".repeat(2_049))), INVALID),
    row("a request_uri pushed", |w| pushed_beside(w, "request_uri", "urn:x"), INVALID),
    row("another client_id", |w| pushed_beside(w, "client_id", "somebody"), CLIENT),
    row("AS-024: aud of the token endpoint", |w| asserted(w, "token", |w| json!(endpoint(w, "token"))), CLIENT),
    row("AS-024: aud of the PAR endpoint", |w| asserted(w, "par", |w| json!(endpoint(w, "par"))), CLIENT),
    row("aud in a list", |w| asserted(w, "token", |w| json!([issuer(w)])), CLIENT),
    row("aud in a list at PAR", |w| asserted(w, "par", |w| json!([issuer(w)])), CLIENT),
    row("aud with a slash", |w| asserted(w, "introspect", |w| json!(format!("{}/", issuer(w)))), CLIENT),
    row("no verifier", |w| exchanged(w, None), GRANT),
    row("another verifier", |w| exchanged(w, Some("another-verifier-of-at-least-43-characters-x")), GRANT),
    row("AS-042: a code of a minute", |w| Box::pin(late_code(w)), GRANT),
    row("AS-152: a request twice", |w| Box::pin(twice(w)), "redirect invalid_request_uri"),
    row("AS-152: an expired request", |w| Box::pin(expired(w)), "page"),
    row("AS-152: the request of another", |w| Box::pin(of_another(w)), "page"),
];

/// What the profile without Message Signing refuses besides.
const OF_SECURITY: &[Row] = &[
    row("claims that are no object", |w| pushed(w, "claims", json!("[]")), INVALID),
    row("claims that are no JSON", |w| pushed(w, "claims", json!("{")), INVALID),
    row("max_age that is no number", |w| pushed(w, "max_age", json!("soon")), INVALID),
];

/// What Message Signing refuses besides.
const OF_MESSAGE_SIGNING: &[Row] = &[
    row(
        "parameters without a request object",
        |w| Box::pin(async move { came_of_call(&w.client.push_plain(&w.client.request().await).await) }),
        INVALID,
    ),
    row("no aud", |w| object(w, |_, it| it.claim("aud", Value::Null)), OBJECT),
    row("aud of the PAR endpoint", |w| object(w, |w, it| it.claim("aud", endpoint(w, "par"))), OBJECT),
    row("no nbf", |w| object(w, |_, it| it.claim("nbf", Value::Null)), OBJECT),
    row("no exp", |w| object(w, |_, it| it.claim("exp", Value::Null)), OBJECT),
    row("expired", |w| object(w, |w, it| it.claim("exp", w.bank.now().as_second())), OBJECT),
    row("an hour and a second", |w| object(w, |w, it| it.claim("exp", w.bank.now().as_second() + 3_601)), OBJECT),
    row("another type", |w| object(w, |_, it| it.header("typ", "at+jwt")), OBJECT),
    row("another key", |w| Box::pin(other_key(w)), OBJECT),
];

/// What comes of pushing a good request with this parameter instead; `null` takes it out.
fn pushed<'a>(world: &'a World, name: &'static str, value: Value) -> BoxFuture<'a, String> {
    Box::pin(async move {
        let mut request = world.client.request().await;
        request.insert(name.to_owned(), value);
        request.retain(|_, value| !value.is_null());
        came_of_call(&world.client.push(&request).await)
    })
}

/// What comes of pushing a good request object or parameters with this field beside.
fn pushed_beside<'a>(world: &'a World, name: &'static str, value: &'static str) -> BoxFuture<'a, String> {
    Box::pin(async move {
        let request = world.client.request().await;
        let object = world.client.object(&request).sign(&world.client.tpp.folder.signing).unwrap();
        let fields = [("request", object.as_str()), (name, value)];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
        came_of_call(&world.client.push_fields(fields.into()).await)
    })
}

/// What comes of pushing a request object that was changed in this way.
fn object(world: &World, change: fn(&World, Jwt) -> Jwt) -> BoxFuture<'_, String> {
    Box::pin(async move {
        let object = change(world, world.client.object(&world.client.request().await));
        let object = object.sign(&world.client.tpp.folder.signing).unwrap();
        came_of_call(&world.client.push_fields(vec![("request".to_owned(), object)]).await)
    })
}

async fn other_key(world: &World) -> String {
    let object = world.client.object(&world.client.request().await);
    let object = object.sign(&world.bank.tpp("rival").folder.signing).unwrap();
    came_of_call(&world.client.push_fields(vec![("request".to_owned(), object)]).await)
}

fn issuer(world: &World) -> String {
    world.client.tpp.endpoints.issuer.clone()
}

fn endpoint(world: &World, name: &str) -> String {
    format!("{}/{name}", world.client.tpp.endpoints.mtls)
}

/// What comes of a call of this endpoint with an assertion for this audience.
fn asserted<'a>(world: &'a World, at: &'static str, audience: fn(&World) -> Value) -> BoxFuture<'a, String> {
    Box::pin(async move {
        let tpp = &world.client.tpp;
        let assertion = tpp.new_client_assertion().await.unwrap().claim("aud", audience(world));
        let assertion = assertion.sign(&tpp.folder.signing).unwrap();
        let form = [
            ("client_assertion_type", ASSERTION_TYPE),
            ("client_assertion", assertion.as_str()),
            ("grant_type", "client_credentials"),
            ("token", "x"),
        ];
        came_of_call(&tpp.send(HttpCall::post(endpoint(world, at)).with_form(form)).await.unwrap())
    })
}

/// What came of a browser's request.
async fn came_of_browser(world: &World, exchange: &HttpExchange) -> String {
    if exchange.header("location").is_none() {
        exchange.decent();
        assert_eq!(exchange.status, 400, "AS-064");
        assert!(exchange.head("content-type").starts_with("text/html"), "{}", exchange.text());
        return "page".to_owned();
    }
    let response = world.client.response(exchange).await;
    match response.get("error") {
        Some(error) => format!("redirect {}", error.as_str().unwrap()),
        None => "code".to_owned(),
    }
}

async fn open(world: &World, url: &str) -> String {
    came_of_browser(world, &world.client.tpp.open_authorisation(url).await.unwrap()).await
}

/// What comes of the authorisation endpoint with these parameters.
async fn open_with(world: &World, parameters: &[(&str, &str)]) -> String {
    let tpp = &world.client.tpp;
    let mut url: url::Url = tpp.discovery().await.unwrap().authorization_endpoint.parse().unwrap();
    url.query_pairs_mut().append_pair("client_id", tpp.client_id().as_str()).extend_pairs(parameters);
    open(world, url.as_str()).await
}

fn opened<'a>(world: &'a World, reference: &'static str) -> BoxFuture<'a, String> {
    Box::pin(async move { open_with(world, &[("request_uri", reference)]).await })
}

async fn by_value(world: &World) -> String {
    let object = world.client.object(&world.client.request().await).sign(&world.client.tpp.folder.signing).unwrap();
    open_with(world, &[("response_type", "code"), ("scope", "openid accounts"), ("request", &object)]).await
}

async fn in_the_browser(world: &World) -> String {
    let request: Parameters = world.client.request().await;
    let texts: Vec<_> = request.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?))).collect();
    open_with(world, &texts).await
}

fn exchanged<'a>(world: &'a World, verifier: Option<&'static str>) -> BoxFuture<'a, String> {
    Box::pin(async move { came_of_call(&world.client.exchange(&world.client.code().await, verifier).await) })
}

async fn late_code(world: &World) -> String {
    let code = world.client.code().await;
    world.bank.clock.advance(SignedDuration::from_secs(60));
    came_of_call(&world.client.exchange(&code, Some(VERIFIER)).await)
}

async fn twice(world: &World) -> String {
    let url = world.client.url(&world.client.request().await).await;
    assert_eq!(open(world, &url).await, "code");
    open(world, &url).await
}

async fn expired(world: &World) -> String {
    let pushed = world.client.push(&world.client.request().await).await;
    let url = world.client.url_of(&pushed).await;
    let secs = pushed.ok(201)["expires_in"].as_i64().unwrap();
    world.bank.clock.advance(SignedDuration::from_secs(secs));
    open(world, &url).await
}

async fn of_another(world: &World) -> String {
    let url = world.client.url(&world.client.request().await).await;
    let rival = world.bank.tpp("rival").client_id().to_string();
    let foreign = url.replace(world.client.tpp.client_id().as_str(), &rival);
    assert_ne!(foreign, url);
    open(world, &foreign).await
}

#[tokio::test]
async fn as_154_what_fapi_2_forbids_is_refused() {
    let mut wrong = Vec::new();
    let profiles = [(Profile::Security, OF_SECURITY), (Profile::MessageSigning, OF_MESSAGE_SIGNING)];
    for ((profile, own), engine) in
        profiles.into_iter().flat_map(|one| Engine::at_hand().into_iter().map(move |engine| (one, engine)))
    {
        let bank = Bank::start_on(engine).await;
        let client = Fapi2Client::create(&bank, profile, json!({"name": "mover", "headless": "amelia"})).await;
        let world = World { bank, client };
        for Row { case, tried, outcome } in OF_BOTH.iter().chain(own) {
            let came = tried(&world).await;
            if came != *outcome {
                wrong.push(format!("{profile:?} on {engine:?}: {case}: {came}, not {outcome}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn as_154_an_operator_sets_only_known_profiles_and_fapi_1_par_is_signed() {
    let bank = Bank::start().await;
    let url = |name: &str| format!("{}/operations/tpps/{name}/profile", bank.endpoints().ops);
    for body in [json!({"profile": "fapi3"}), json!({"profile": ""}), json!({"profile": "FAPI2"})] {
        let answer = bank.ops(HttpCall::new(http::Method::PUT, url("robot")).with_json(&body)).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
    }
    let refused =
        bank.ops_post("/operations/tpps", &json!({"name": "a", "unregistered": true, "profile": "fapi2"})).await;
    assert_eq!(refused.0, 400, "{}", refused.1);
    assert_eq!(bank.ops_get("/operations/tpps/robot").await.ok(200).text("profile"), "fapi1");
    let client = Fapi2Client { tpp: bank.tpp("robot"), profile: Profile::Security };
    assert_eq!(came_of_call(&client.push_plain(&client.request().await).await), INVALID);
    set_profile(&bank, "robot", "fapi2").await;
    client.push_plain(&client.request().await).await.ok(201);
}
