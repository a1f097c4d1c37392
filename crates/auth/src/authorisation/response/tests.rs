//! The form of authorisation responses in a redirect URI.

use super::*;
use crate::authorisation::journey::{self, JourneyStep, JourneySubmission, StartedJourney};
use crate::authorisation::rules::RawRequest;
use crate::authorisation::testing::{ACME_KEY, ISSUER, REDIRECT_URI, World, client, signed};
use crate::authorisation::{AuthorisationReply, handle_authorisation_request};
use crate::error::OAuthErrorCode;
use crate::submission::SubmittedPage;
use lombard_domain::client::Client;
use lombard_domain::ids::ConsentId;
use lombard_jose::CompactJws;
use serde_json::json;

fn to<'a>(
    client: &'a ClientId,
    mode: ResponseMode,
    redirect_uri: &'a str,
    state: Option<&'a str>,
) -> ResponseTarget<'a> {
    ResponseTarget { client, redirect_uri, state, mode }
}

/// A world with a client that has these addresses.
async fn world_with(addresses: &[&str]) -> (World, ClientId) {
    let world = World::new().await;
    let redirect_uris = addresses.iter().map(|address| (*address).to_owned()).collect();
    world.register(Client { redirect_uris, ..client("shop", &ACME_KEY) }).await;
    (world, "shop".into())
}

#[tokio::test]
async fn as_184_an_address_that_is_not_registered_gets_no_answer() {
    let (world, client) = world_with(&["https://tpp.test/cb"]).await;
    let nobody = "nobody".into();
    let refusal = OAuthError::new(OAuthErrorCode::InvalidScope, "No.");
    for mode in [ResponseMode::Fragment, ResponseMode::Query, ResponseMode::FragmentJwt, ResponseMode::QueryJwt] {
        for (client, address) in [(&client, "https://tpp.test/cb/"), (&nobody, "https://tpp.test/cb")] {
            let to = to(client, mode, address, Some("s"));
            for answer in [to.success(&world.auth, "c0de", None).await, to.error(&world.auth, &refusal).await] {
                assert!(is_unregistered_return(&answer.unwrap_err()), "{mode:?} {address}");
            }
        }
        to(&client, mode, "https://tpp.test/cb", Some("s")).success(&world.auth, "c0de", None).await.unwrap();
    }
    // A page of the server is no address of the client.
    to(&client, ResponseMode::Page, "https://bank.test/", None).error(&world.auth, &refusal).await.unwrap();
}

#[tokio::test]
async fn as_088_code_comes_first_then_id_token_then_state() {
    let (world, client) = world_with(&["https://tpp.test/cb?a=1"]).await;
    let to = to(&client, ResponseMode::Fragment, "https://tpp.test/cb?a=1", Some("s t+&#é"));
    let redirect = to.success(&world.auth, "c0de", Some("a.b.c")).await.unwrap();
    assert_eq!(redirect.location, "https://tpp.test/cb?a=1#code=c0de&id_token=a.b.c&state=s%20t%2B%26%23%C3%A9");
}

#[tokio::test]
async fn as_088_as_154_a_code_only_response_is_in_the_query_with_the_issuer() {
    let (world, client) = world_with(&["https://tpp.test/cb", "https://a.test/?b=c"]).await;
    let error = OAuthError::new(OAuthErrorCode::InvalidScope, "No.");
    for (address, start) in
        [("https://tpp.test/cb", "https://tpp.test/cb?"), ("https://a.test/?b=c", "https://a.test/?b=c&")]
    {
        let to = to(&client, ResponseMode::Query, address, Some("s"));
        let iss = "iss=https%3A%2F%2Fbank.example";
        let success = to.success(&world.auth, "c0de", None).await.unwrap();
        assert_eq!(success.location, format!("{start}code=c0de&state=s&{iss}"));
        let refusal = to.error(&world.auth, &error).await.unwrap();
        assert_eq!(refusal.location, format!("{start}error=invalid_scope&error_description=No.&state=s&{iss}"));
    }
}

#[tokio::test]
async fn as_075_without_a_state_none_is_returned() {
    let (world, client) = world_with(&["https://tpp.test/cb"]).await;
    let error = OAuthError::new(OAuthErrorCode::InvalidScope, "No.");
    let redirect =
        to(&client, ResponseMode::Fragment, "https://tpp.test/cb", None).error(&world.auth, &error).await.unwrap();
    assert_eq!(redirect.location, "https://tpp.test/cb#error=invalid_scope&error_description=No.");
}

#[tokio::test]
async fn as_153_a_signed_answer_says_from_whom_for_whom_and_until_when() {
    let (world, client) = world_with(&["https://tpp.test/cb", "https://tpp.test/cb?a=1"]).await;
    for (mode, redirect_uri, start) in [
        (ResponseMode::QueryJwt, "https://tpp.test/cb", "https://tpp.test/cb?response="),
        (ResponseMode::QueryJwt, "https://tpp.test/cb?a=1", "https://tpp.test/cb?a=1&response="),
        (ResponseMode::FragmentJwt, "https://tpp.test/cb", "https://tpp.test/cb#response="),
    ] {
        let redirect = to(&client, mode, redirect_uri, Some("s t")).success(&world.auth, "c0de", None).await.unwrap();
        let response = CompactJws::parse(redirect.location.strip_prefix(start).unwrap()).unwrap();
        response.verify(&world.auth.keys.verification_keys()).unwrap();
        assert!(response.header().alg == "PS256" && response.header().kid.is_some());
        let claims: Value = response.claims().unwrap();
        let exp = claims["exp"].as_i64().unwrap() - world.clock_seconds();
        assert!((1..=600).contains(&exp), "{exp}");
        let expected = json!({"iss": ISSUER, "aud": "shop", "exp": claims["exp"], "code": "c0de", "state": "s t"});
        assert_eq!(claims, expected);
    }
}

/// A request with this response type and mode, inside and outside.
fn request(world: &World, client: &str, consent: &ConsentId, of: (&str, Option<&str>), change: &Value) -> RawRequest {
    let mut claims = world.claims(client, consent);
    claims["response_type"] = json!(of.0);
    claims["response_mode"] = json!(of.1);
    let changes = change.as_object().unwrap().clone();
    claims.as_object_mut().unwrap().extend(changes);
    let object = signed(&ACME_KEY, &claims);
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.extend_pairs([("client_id", client), ("response_type", of.0), ("request", &object)]);
    RawRequest { encoded: form.finish() }
}

/// The response to a request: the character between the address and the response, and the response parameters.
async fn answered(world: &World, raw: &RawRequest) -> (char, Value) {
    let AuthorisationReply::Redirect(redirect) = handle_authorisation_request(&world.auth, raw).await else {
        panic!("not answered")
    };
    read(world, &redirect)
}

fn read(world: &World, redirect: &Redirect) -> (char, Value) {
    let rest = redirect.location.strip_prefix(REDIRECT_URI).unwrap();
    let place = rest.chars().next().unwrap();
    let Some(response) = rest[1..].strip_prefix("response=") else {
        let plain: Map<_, _> =
            form_urlencoded::parse(&rest.as_bytes()[1..]).map(|(name, value)| (name.into(), json!(value))).collect();
        return (place, Value::Object(plain));
    };
    let response = CompactJws::parse(response).unwrap();
    response.verify(&world.auth.keys.verification_keys()).unwrap();
    let claims: Value = response.claims().unwrap();
    assert_eq!((&claims["iss"], claims["aud"].is_string()), (&json!(ISSUER), true), "signed");
    (place, claims)
}

#[tokio::test]
async fn as_153_a_client_that_asks_for_signed_answers_gets_no_other() {
    let world = World::new().await;
    let consent = world.consent("robot").await;
    let wrong_scope = json!({"scope": "accounts"});
    for (of, place, has_id_token) in [
        (("code id_token", Some("jwt")), '#', true),
        (("code id_token", Some("fragment.jwt")), '#', true),
        (("code", Some("jwt")), '?', false),
        (("code", Some("query.jwt")), '?', false),
    ] {
        let (at, claims) = answered(&world, &request(&world, "robot", &consent, of, &json!({}))).await;
        assert_eq!(at, place, "{of:?}");
        assert!(claims["aud"] == "robot" && claims["code"].is_string() && claims["state"].is_string(), "{claims}");
        assert_eq!(claims["id_token"].is_string(), has_id_token, "{of:?}");
        let (at, claims) = answered(&world, &request(&world, "robot", &consent, of, &wrong_scope)).await;
        assert_eq!((at, &claims["error"], claims["state"].is_string()), (place, &json!("invalid_scope"), true));
        assert!(claims["code"].is_null() && claims["aud"] == "robot");
    }
}

#[tokio::test]
async fn as_085_as_086_no_code_stands_in_a_query_unless_it_is_signed() {
    let world = World::new().await;
    let consent = world.consent("robot").await;
    for (of, error, is_signed) in [
        (("code", None), "unsupported_response_type", false),
        (("code", Some("query")), "invalid_request", false),
        (("code", Some("fragment")), "invalid_request", false),
        (("token", Some("jwt")), "unsupported_response_type", true),
        (("code", Some("fragment.jwt")), "invalid_request", true),
        (("code id_token", Some("query.jwt")), "invalid_request", true),
        (("code id_token", Some("query")), "invalid_request", false),
        (("code id_token", Some("form_post.jwt")), "invalid_request", false),
    ] {
        let (place, answer) = answered(&world, &request(&world, "robot", &consent, of, &json!({}))).await;
        assert_eq!((place, &answer["error"]), ('#', &json!(error)), "{of:?}");
        assert_eq!((answer["code"].is_null(), answer["aud"].is_string()), (true, is_signed), "{of:?}");
    }
}

#[tokio::test]
async fn as_153_a_journey_remembers_how_to_answer() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let raw = request(&world, "acme", &consent, ("code", Some("jwt")), &json!({}));
    let AuthorisationReply::Journey(StartedJourney { id, browser }) =
        handle_authorisation_request(&world.auth, &raw).await
    else {
        panic!("no journey")
    };
    let form_token = journey::view_journey(&world.auth, &id, &browser).await.unwrap().form_token;
    let page = SubmittedPage { browser, form_token, from: [127, 0, 0, 1].into(), devices: Default::default() };
    let refusal = journey::cancel_journey(&world.auth, &JourneySubmission { id, page }).await;
    let Ok(JourneyStep::Redirect(redirect)) = refusal else { panic!("did not leave") };
    let (place, claims) = read(&world, &redirect);
    assert_eq!((place, &claims["error"], &claims["aud"]), ('?', &json!("access_denied"), &json!("acme")));
}

#[tokio::test]
async fn as_153_an_answer_that_cannot_be_signed_is_not_given_unsigned() {
    let mut world = World::new().await;
    let consent = world.consent("robot").await;
    let raw = request(&world, "robot", &consent, ("code", Some("jwt")), &json!({"scope": "accounts"}));
    world.auth.keys = crate::testing::World::new().await.without_keys().await;
    let AuthorisationReply::ErrorPage(problem) = handle_authorisation_request(&world.auth, &raw).await else {
        panic!("did not stay")
    };
    assert_eq!(problem.error.code, OAuthErrorCode::ServerError);
}
