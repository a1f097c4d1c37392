//! The authorisation code grant: single use, by its client only, before expiry. Source: AS-042 to AS-044, AS-150.

use crate::harness::{Bank, CustomerAccess, EVERYTHING, ExchangeExt, ValueExt, access};
use jiff::SignedDuration;
use lombard_tpp::{ExpectedIdToken, IssuedTokens, Tpp};

#[tokio::test]
async fn as_044_a_code_buys_tokens_bound_to_consent_and_scope() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let (_, consent) = consent(&tpp).await;
        let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
        let channel = tpp.authorise_headless(&request).await.unwrap();
        let (code, _) = channel.expect_code(&request.state).unwrap();
        let tokens = IssuedTokens::from_exchange(tpp.exchange_code(code).await.unwrap()).unwrap();
        assert_eq!(tokens.scope.as_deref(), Some("openid accounts"), "AS-051");
        assert!(tokens.refresh_token.is_some(), "AS-093");
        let expected = ExpectedIdToken {
            consent: Some(&consent),
            nonce: Some(&request.nonce),
            access_token: Some(&tokens.access_token),
            ..ExpectedIdToken::default()
        };
        let keys = tpp.bank_keys().await.unwrap();
        let token = tpp.check_id_token(&tokens.id_token.unwrap(), &keys, &expected).await.unwrap();
        let refresh_end = "http://openbanking.org.uk/refresh_token_expires_at";
        assert!(!token.0.contains_key(refresh_end), "RW-039: an open consent's refresh token never ends");
    }
}

#[tokio::test]
async fn as_043_a_code_works_once_and_a_replay_ends_its_tokens() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let (own, consent) = consent(&tpp).await;
        let code = crate::harness::code(&tpp, &consent).await;
        let tokens = IssuedTokens::from_exchange(tpp.exchange_code(&code).await.unwrap()).unwrap();
        tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().ok(200);
        tpp.exchange_code(&code).await.unwrap().oauth(400, "invalid_grant");
        tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().unauthorised();
        tpp.refresh(&tokens.refresh_token.unwrap()).await.unwrap().oauth(400, "invalid_grant");
        let path = format!("aisp/account-access-consents/{consent}");
        let read = tpp.get(&own, &path).await.unwrap().ok(200);
        assert_eq!(read["Data"].text("Status"), "Authorised", "AS-098");
    }
}

#[tokio::test]
async fn as_043_of_a_thousand_at_once_one_has_it() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let (_, consent) = consent(&tpp).await;
        let code = crate::harness::code(&tpp, &consent).await;
        let mut racers = tokio::task::JoinSet::new();
        for _ in 0..1_000 {
            let tpp = tpp.clone();
            let code = code.clone();
            racers.spawn(async move { tpp.exchange_code(&code).await.unwrap() });
        }
        let answers = racers.join_all().await;
        let winners = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(winners, 1);
        answers.iter().filter(|it| it.status != 200 && !it.is_busy()).for_each(|it| it.oauth(400, "invalid_grant"));
    }
}

#[tokio::test]
async fn as_042_043_another_client_redirect_uri_or_a_late_code_is_invalid_grant() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let rival = bank.tpp("rival");
    let (_, consent) = consent(&tpp).await;

    let code = crate::harness::code(&tpp, &consent).await;
    rival.exchange_code(&code).await.unwrap().oauth(400, "invalid_grant");

    let code = crate::harness::code(&tpp, &consent).await;
    let other = &tpp.folder.details.redirect_uris[1];
    tpp.exchange_code_of(&code, other).await.unwrap().oauth(400, "invalid_grant");

    let code = crate::harness::code(&tpp, &consent).await;
    let form = [("grant_type", "authorization_code"), ("code", code.as_str())];
    let answer = tpp.request_token(&form).await.unwrap();
    assert!([400].contains(&answer.status.as_u16()), "the redirect URI is required: {}", answer.text());

    let code = crate::harness::code(&tpp, &consent).await;
    bank.clock.advance(SignedDuration::from_secs(61));
    tpp.exchange_code(&code).await.unwrap().oauth(400, "invalid_grant");
    tpp.exchange_code("nonsense").await.unwrap().oauth(400, "invalid_grant");
}

#[tokio::test]
async fn as_065_a_code_dies_with_its_consent() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let (own, consent) = consent(&tpp).await;
    let code = crate::harness::code(&tpp, &consent).await;
    tpp.delete(&own, &format!("aisp/account-access-consents/{consent}")).await.unwrap().ok(204);
    tpp.exchange_code(&code).await.unwrap().oauth(400, "invalid_grant");
}

#[tokio::test]
async fn as_099_a_new_code_exchanged_ends_the_consents_earlier_tokens() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let first = access(&tpp, &EVERYTHING).await;
        let code = crate::harness::code(&tpp, &first.consent).await;
        tpp.get(first.token(), "aisp/accounts").await.unwrap().ok(200);
        let second = IssuedTokens::from_exchange(tpp.exchange_code(&code).await.unwrap()).unwrap();
        tpp.get(&second.access_token, "aisp/accounts").await.unwrap().ok(200);
        tpp.get(first.token(), "aisp/accounts").await.unwrap().unauthorised();
        tpp.refresh(&first.tokens.refresh_token.unwrap()).await.unwrap().oauth(400, "invalid_grant");
    }
}

#[tokio::test]
async fn as_150_pkce_is_checked_if_it_was_sent() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let (_, consent) = consent(&tpp).await;
    let verifier = "a-verifier-of-at-least-forty-three-characters-x";
    let challenge = lombard_jose::base64url(&lombard_jose::sha256(verifier.as_bytes()).0);
    let challenged = async || {
        let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
        let request = request.claim("code_challenge", challenge.as_str()).claim("code_challenge_method", "S256");
        let channel = tpp.authorise_headless(&request).await.unwrap();
        channel.expect_code(&request.state).unwrap().0.to_owned()
    };
    let exchange = async |code: &str, verifier: Option<&str>| {
        let redirect_uri = tpp.redirect_uri().unwrap();
        let mut form = vec![("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect_uri)];
        form.extend(verifier.map(|verifier| ("code_verifier", verifier)));
        tpp.request_token(&form).await.unwrap()
    };
    let wrong = verifier.replace('a', "b");
    for bad in [None, Some("short"), Some(wrong.as_str())] {
        exchange(&challenged().await, bad).await.oauth(400, "invalid_grant");
    }
    exchange(&challenged().await, Some(verifier)).await.ok(200);
    let plain = crate::harness::code(&tpp, &consent).await;
    exchange(&plain, Some(verifier)).await.oauth(400, "invalid_grant");
}

async fn consent(tpp: &Tpp) -> (String, String) {
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    (own, consent)
}

#[tokio::test]
async fn rw_035_as_115_a_token_is_tied_to_one_consent() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let wide = access(&tpp, &EVERYTHING).await;
    let narrow = access(&tpp, &["ReadAccountsBasic"]).await;
    wide.read("aisp/balances").await;
    let answer = tpp.get(narrow.token(), "aisp/balances").await.unwrap();
    assert!(answer.refused(403)[0].0.ends_with("Forbidden.Permission"), "{}", answer.text());
    let again = CustomerAccess::of(&tpp, &narrow.own, &narrow.consent).await;
    assert_eq!(again.account_ids().await, wide.account_ids().await, "AIS-087: ids are stable over consents");
}
