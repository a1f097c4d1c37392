//! Authorisation requests that must not cause a redirect. Source: AS-064, AS-066, AS-070.

use crate::harness::{Bank, EVERYTHING, ExchangeExt, rs256};
use aws_lc_rs::hmac;
use lombard_jose::SigningKey;
use lombard_tpp::{AuthorisationRequest, HttpExchange, Tpp};
use serde_json::{Value, json};

#[tokio::test]
async fn as_064_070_a_request_that_cannot_be_verified_is_a_page() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let request = request(&tpp).await;
    let object = &request.object;
    let foreign = SigningKey::generate().unwrap();
    let rivals = bank.tpp("rival").folder.signing.clone();
    let public = tpp.folder.signing.public().to_jwk(&[]).to_string();
    let secret = hmac::Key::new(hmac::HMAC_SHA256, public.as_bytes());
    let forged = [
        ("alg none", object.clone().header("alg", "none").sign_with(|_| Vec::new())),
        ("no signature", object.sign_with(|_| Vec::new())),
        ("RS256", object.clone().header("alg", "RS256").sign_with(|message| rs256(&tpp.folder.signing, message))),
        ("HS256", object.clone().header("alg", "HS256").sign_with(|it| hmac::sign(&secret, it).as_ref().to_vec())),
        ("a key of nobody", object.sign(&foreign).unwrap()),
        ("a key of another client", object.sign(&rivals).unwrap()),
        ("an unknown kid", object.clone().header("kid", "x").sign(&tpp.folder.signing).unwrap()),
        ("a key in the header", object.clone().header("jwk", foreign.public().to_jwk(&[])).sign(&foreign).unwrap()),
        ("no JWS", "nonsense".to_owned()),
        ("too large", "x".repeat(13 * 1024)),
    ];
    for (what, forged) in forged {
        let answer = tpp.open_authorisation(&request.url_with(&forged).unwrap()).await.unwrap();
        page(&answer, what);
    }
}

#[tokio::test]
async fn as_064_an_address_that_is_not_registered_is_never_redirected_to() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let ours = tpp.redirect_uri().unwrap().to_owned();
    let addresses = [
        Value::Null,
        json!(""),
        json!(1),
        json!("https://evil.example/"),
        json!(format!("{ours}/")),
        json!(format!("{ours}?x=1")),
        json!(format!("{ours}#x")),
        json!(format!("{ours}.evil.example")),
        json!(ours.to_uppercase()),
        json!(ours.replace("https://", "http://")),
        json!(ours.replace(":8445", "")),
        json!(ours.replace("https://", "https://user@")),
        json!(ours.replace("/callback", "/x/../callback")),
        json!(format!("{ours} https://evil.example/")),
    ];
    for address in addresses {
        let request = request(&tpp).await.claim("redirect_uri", address.clone());
        // A fault beside it must not open the way either.
        for request in [request.clone(), request.claim("nonce", Value::Null)] {
            let request = request.parameter("redirect_uri", &ours);
            let answer = tpp.open_authorisation(&request.url(&tpp.folder.signing).unwrap()).await.unwrap();
            page(&answer, &address.to_string());
        }
    }
}

#[tokio::test]
async fn as_064_066_unknown_clients_and_repeated_parameters_are_a_page() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let request = request(&tpp).await;
    let honest = request.url(&tpp.folder.signing).unwrap();
    let unknown = request.clone().parameter("client_id", "nobody").url(&tpp.folder.signing).unwrap();
    page(&tpp.open_authorisation(&unknown).await.unwrap(), "an unknown client");
    let other = bank.tpp("rival").client_id().to_string();
    let other = request.clone().parameter("client_id", &other).url(&tpp.folder.signing).unwrap();
    page(&tpp.open_authorisation(&other).await.unwrap(), "another client's id");
    for name in ["state", "client_id", "request", "scope"] {
        let twice = format!("{honest}&{name}=x&{name}=y");
        page(&tpp.open_authorisation(&twice).await.unwrap(), name);
    }
    let endpoint = &tpp.discovery().await.unwrap().authorization_endpoint;
    page(&tpp.open_authorisation(endpoint).await.unwrap(), "nothing at all");
    let none = format!("{endpoint}?client_id={}&response_type=code%20id_token&scope=openid", tpp.client_id());
    page(&tpp.open_authorisation(&none).await.unwrap(), "no request object");
    let long = tpp.open_authorisation(&format!("{honest}&x={}", "x".repeat(17 * 1024))).await.unwrap();
    assert!([400, 414].contains(&long.status.as_u16()), "AS-066: {}", long.status);
    assert!(long.header("location").is_none());
}

#[tokio::test]
async fn as_064_the_page_does_not_tell_which_clients_exist() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let request = request(&tpp).await;
    let unknown = request.clone().parameter("client_id", "nobody").url(&tpp.folder.signing).unwrap();
    let forged = request.url_with(&request.object.sign_with(|_| Vec::new())).unwrap();
    let visible = |answer: HttpExchange| {
        let id = answer.head("x-fapi-interaction-id").to_owned();
        answer.text().replace(&id, "ID")
    };
    let unknown = visible(tpp.open_authorisation(&unknown).await.unwrap());
    let forged = visible(tpp.open_authorisation(&forged).await.unwrap());
    assert_eq!(unknown, forged);
}

/// An error page: 400, HTML, no redirect, safe to show. Source: AS-140.
fn page(answer: &HttpExchange, what: &str) {
    answer.decent();
    assert_eq!(answer.status, 400, "{what}: {} {}", answer.head("location"), answer.text());
    assert!(answer.header("location").is_none(), "{what}");
    assert!(answer.head("content-type").starts_with("text/html"), "{what}");
    assert!(answer.head("content-security-policy").contains("frame-ancestors 'none'"), "{what}");
    assert_eq!(answer.head("x-content-type-options"), "nosniff", "{what}");
    assert!(!answer.text().contains("evil.example"), "{what} is echoed");
}

async fn request(tpp: &Tpp) -> AuthorisationRequest {
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    tpp.new_authorisation_request(&consent, "accounts").await.unwrap()
}
