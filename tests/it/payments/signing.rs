//! Signatures of requests. Signatures of responses are verified in all other tests of payments.

use crate::harness::paying::{TRANSFERS, consents, orders};
use crate::harness::{Bank, Engine, ExchangeExt, PayingTpp, ValueExt, rs256};
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{HttpCall, HttpExchange, MessageJws, SIGNATURE};
use serde_json::{Value, json};

const IAT: &str = "http://openbanking.org.uk/iat";
const ISS: &str = "http://openbanking.org.uk/iss";
const TAN: &str = "http://openbanking.org.uk/tan";
const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

/// Asks for a consent with this signature.
async fn ask(paying: &PayingTpp, body: &str, signature: Option<&str>) -> HttpExchange {
    let call = HttpCall::post(paying.tpp.resource_url(consents(NOW))).with_bearer(&paying.own);
    let call = call
        .with_header("x-idempotency-key", paying.tpp.new_idempotency_key())
        .with_header("content-type", "application/json");
    let call = signature.into_iter().fold(call, |call, it| call.with_header(SIGNATURE, it));
    paying.send(call.with_body(body.to_owned())).await
}

#[tokio::test]
async fn pis_070_rw_215_216_requests_are_signed_by_a_detached_jws() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let body = paying.asking(NOW).to_string();
    let rows = bank.rows();
    ask(&paying, &body, None).await.refused_with(400, "UK.OBIE.Signature.Missing", SIGNATURE);
    let good = paying.tpp.new_message_signature().sign(&paying.tpp.folder.signing, body.as_bytes()).unwrap();
    let (header, signature) = good.split_once("..").unwrap();
    for malformed in [
        "",
        "x",
        "..",
        "a.b",
        "a.b.c",
        "a..b..c",
        &format!("{header}.{signature}"),
        &format!("{header}.e30.{signature}"),
        &format!("{header}..!!"),
        &format!("!!..{signature}"),
        &format!("W10..{signature}"),
    ] {
        let answer = ask(&paying, &body, Some(malformed)).await;
        answer.refused_with(400, "UK.OBIE.Signature.Malformed", SIGNATURE);
    }
    assert_eq!(bank.rows(), rows, "RW-218: nothing is stored");
    ask(&paying, &body, Some(&good)).await.ok(201);
}

#[tokio::test]
async fn pis_070_071_072_t5_every_claim_is_judged_before_the_cryptography() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let body = paying.asking(NOW).to_string();
    let now = paying.now().as_second();
    let rows = bank.rows();
    let missing = "UK.OBIE.Signature.MissingClaim";
    let invalid = "UK.OBIE.Signature.InvalidClaim";
    // Neither signature belongs to the body: the claims are told all the same.
    let refuse = async |jws: MessageJws, code: &str, claim: &str| {
        let signature = jws.sign(&paying.tpp.folder.signing, b"another body").unwrap();
        ask(&paying, &body, Some(&signature)).await.refused_with(400, code, claim);
    };
    for claim in ["alg", "kid", IAT, ISS, TAN, "crit"] {
        refuse(paying.tpp.new_message_signature().claim(claim, Value::Null), missing, claim).await;
    }
    let rival = bank.tpp("rival").folder.details.clone();
    for (claim, value) in [
        ("alg", json!("RS256")),
        ("alg", json!("none")),
        ("alg", json!("ES256")),
        ("kid", json!(1)),
        ("typ", json!("JWT")),
        ("cty", json!("text/xml")),
        ("b64", json!(false)),
        ("b64", json!(true)),
        (IAT, json!("now")),
        (IAT, json!(now + 61)),
        (ISS, json!("somebody")),
        (ISS, json!(paying.tpp.folder.details.org_id.as_str())),
        (ISS, json!(format!("{}/{}", rival.org_id, rival.software_id))),
        (TAN, json!("example.com")),
        ("crit", json!([IAT, ISS])),
        ("crit", json!([IAT, ISS, TAN, "b64"])),
        ("crit", json!([IAT, IAT, ISS, TAN])),
        ("jku", json!("https://example.com")),
        ("x5c", json!([])),
    ] {
        refuse(paying.tpp.new_message_signature().claim(claim, value), invalid, claim).await;
    }
    let several = paying.tpp.new_message_signature().claim("typ", "JWT").claim(TAN, "x");
    let signature = several.sign(&paying.tpp.folder.signing, body.as_bytes()).unwrap();
    let found = ask(&paying, &body, Some(&signature)).await.refused(400);
    assert_eq!(found.len(), 2, "RW-123: {found:?}");
    assert_eq!(bank.rows(), rows);
}

#[tokio::test]
async fn pis_073_rw_202_203_217_221_222_the_callers_key_signed_these_very_bytes() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let body = paying.asking(NOW).to_string();
    let rows = bank.rows();
    let key = &paying.tpp.folder.signing;
    let message = || paying.tpp.new_message_signature();
    let invalid = "UK.OBIE.Signature.Invalid";
    let rival = bank.tpp("rival");
    let raw = |message: &MessageJws| {
        // The form of before 3.1.4: the bytes themselves are signed.
        let header = message.sign_with(b"", |_| Vec::new());
        let part = header.split("..").next().unwrap().to_owned();
        let signed = [part.as_bytes(), b".", body.as_bytes()].concat();
        format!("{part}..{}", lombard_jose::base64url(&key.sign_ps256(&signed).unwrap()))
    };
    for (what, signature) in [
        ("another body", message().sign(key, b"{}").unwrap()),
        ("one blank more", message().sign(key, format!("{body} ").as_bytes()).unwrap()),
        ("RW-202: the padding of RS256", message().sign_with(body.as_bytes(), |input| rs256(key, input))),
        ("RW-221: another TPP's key under our id", message().sign(&rival.folder.signing, body.as_bytes()).unwrap()),
        ("RW-203: not in base64url", raw(&message())),
        ("nothing", message().sign_with(body.as_bytes(), |_| Vec::new())),
    ] {
        let answer = ask(&paying, &body, Some(&signature)).await;
        assert_eq!(answer.refused(400), [(invalid.to_owned(), SIGNATURE.to_owned())], "{what}");
    }
    let foreign = message().claim("kid", rival.folder.details.signing_kid.as_str());
    let foreign = foreign.sign(&rival.folder.signing, body.as_bytes()).unwrap();
    ask(&paying, &body, Some(&foreign)).await.refused_with(400, "UK.OBIE.Signature.InvalidClaim", "kid");
    assert_eq!(bank.rows(), rows);
}

#[tokio::test]
async fn rw_219_220_t5_what_a_signature_may_look_like() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let body = paying.asking(NOW).to_string();
    let now = paying.now().as_second();
    let message = || paying.tpp.new_message_signature();
    for good in [
        message().claim("typ", Value::Null).claim("cty", Value::Null),
        message().claim("cty", "json"),
        message().claim("crit", json!([TAN, IAT, ISS])),
        message().claim(IAT, now + 60),
        message().claim(IAT, now - 10_000_000),
        message().claim(IAT, json!(1_600_000_000.5)),
    ] {
        let signature = good.sign(&paying.tpp.folder.signing, body.as_bytes()).unwrap();
        ask(&paying, &body, Some(&signature)).await.ok(201);
    }
}

#[tokio::test]
async fn rw_219_a_bank_may_refuse_old_signatures() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("signing.request_age_secs_max", "300")]).await;
    let paying = PayingTpp::robot(&bank).await;
    let body = paying.asking(NOW).to_string();
    let now = paying.now().as_second();
    for (age, taken) in [(299, true), (300, true), (301, false)] {
        let message = paying.tpp.new_message_signature().claim(IAT, now - age);
        let signature = message.sign(&paying.tpp.folder.signing, body.as_bytes()).unwrap();
        let answer = ask(&paying, &body, Some(&signature)).await;
        if taken {
            answer.ok(201);
        } else {
            answer.refused_with(400, "UK.OBIE.Signature.InvalidClaim", IAT);
        }
    }
}

#[tokio::test]
async fn rw_204_222_the_body_is_verified_as_it_came() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let data = &paying.asking(NOW)["Data"];
    for body in [
        format!("{{\"Risk\":{{}},\r\n\t\"Data\":{data}}}\n"),
        format!("{{\"Data\":{},\"Risk\":{{}}}}", data.to_string().replace("Somebody", "S\\u006fmeb\u{f6}dy")),
    ] {
        let signature = paying.tpp.new_message_signature().sign(&paying.tpp.folder.signing, body.as_bytes()).unwrap();
        ask(&paying, &body, Some(&signature)).await.ok(201);
    }
}

#[tokio::test]
async fn pis_075_rw_225_226_where_none_is_needed_a_signature_is_not_looked_at() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let made = paying.consent(NOW, &paying.asking(NOW)).await;
    let path = paying.tpp.resource_url(&format!("{}/{}", consents(NOW), made["Data"].text("ConsentId")));
    paying.send(HttpCall::get(path).with_bearer(&paying.own).with_header(SIGNATURE, "garbage")).await.ok(200);
    let own = paying.tpp.client_credentials("accounts").await.unwrap().access_token;
    let account = json!({"Data": {"Permissions": ["ReadAccountsBasic"]}, "Risk": {}});
    let call = HttpCall::post(paying.tpp.resource_url("aisp/account-access-consents")).with_bearer(&own);
    let answer = paying.tpp.send(call.with_header(SIGNATURE, "garbage").with_json(&account)).await.unwrap();
    answer.ok(201);
    assert!(answer.header(SIGNATURE).is_none(), "RW-227");
}

#[tokio::test]
async fn pis_070_every_signed_row_asks_for_its_signature() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    for product in TRANSFERS {
        let agreed = paying.agreed(product).await;
        for (path, token, body) in
            [(consents(product), &paying.own, agreed.asked.clone()), (orders(product), &agreed.token, agreed.order())]
        {
            let call = HttpCall::post(paying.tpp.resource_url(path)).with_bearer(token);
            let answer = paying.send(call.with_header("x-idempotency-key", "k").with_json(&body)).await;
            answer.refused_with(400, "UK.OBIE.Signature.Missing", SIGNATURE);
        }
    }
}

#[tokio::test]
async fn rw_223_224_answers_are_signed_with_the_key_of_the_day() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let kid = |answer: &HttpExchange| {
        let header = answer.head(SIGNATURE).split("..").next().unwrap().to_owned();
        let header: Value = serde_json::from_slice(&lombard_jose::from_base64url(&header).unwrap()).unwrap();
        header.text("kid").to_owned()
    };
    let missing = format!("{}/unknown", consents(NOW));
    let before = kid(&paying.get(&paying.own, &missing).await);
    assert!(!before.is_empty());
    let published = paying.tpp.bank_keys().await.unwrap();
    assert!(published.iter().any(|key| key.id().is_some_and(|id| id.as_str() == before)));
}
