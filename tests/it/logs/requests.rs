//! The log of requests: its contract, the cause of an error by its interaction id, and who is recorded. Source: RW-050, TLS-018.

use crate::harness::{Bank, EVERYTHING, Engine, ExchangeExt, ValueExt, access};
use http::Method;
use lombard_jose::SigningKey;
use lombard_tpp::{ASSERTION_TYPE, ExchangeObserver, HttpCall, Protocol, Tpp};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const INTERACTION_ID: &str = "x-fapi-interaction-id";

/// The one record with this interaction id.
async fn recorded(bank: &Bank, id: &str) -> Value {
    let answer = bank.ops_get(&format!("/sandbox/requests?interaction_id={id}")).await.ok(200);
    let requests = answer.list("/requests");
    assert_eq!(requests.len(), 1, "{id}: {answer}");
    requests[0].clone()
}

/// Sends a call; gives its record.
async fn sent(bank: &Bank, tpp: &Tpp, call: HttpCall, id: &str) -> Value {
    tpp.send(call.with_header(INTERACTION_ID, id)).await.unwrap();
    recorded(bank, id).await
}

fn names(object: &Value) -> BTreeSet<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn every_call_of_a_tpp_is_recorded_with_the_members_of_the_contract() {
    let bank = Bank::start().await;
    let robot = bank.tpp("robot");
    let access = access(&robot, &EVERYTHING).await;
    let read = HttpCall::get(robot.resource_url("aisp/accounts?x=1")).with_bearer(access.token());
    let record = sent(&bank, &robot, read, "read").await;
    let usual = "at method path status interaction_id client_id duration_ms request response";
    assert_eq!(names(&record), usual.split(' ').collect());
    assert_eq!(record["method"], "GET");
    assert_eq!(
        (record["path"].as_str(), record["status"].as_u64()),
        (Some("/open-banking/v3.1/aisp/accounts?x=[masked]"), Some(200))
    );
    assert_eq!(record.text("client_id"), robot.client_id().as_str());
    assert!(record["duration_ms"].as_f64().unwrap() > 0.0 && record.text("at").parse::<jiff::Timestamp>().is_ok());
    assert_eq!(record["request"]["headers"]["authorization"], "Bearer [masked]");
    let account = &record["response"]["body"]["Data"]["Account"][0];
    assert!(!account.text("AccountId").is_empty() && account["Account"][0]["Name"] == "[masked]", "{record}");
    assert_eq!(account["Account"][0].text("Identification").len(), "[masked]1234".len());

    let refused =
        sent(&bank, &robot, HttpCall::get(robot.resource_url("aisp/accounts")).with_bearer("x"), "refused").await;
    let all: BTreeSet<_> = usual.split(' ').chain(["refused_by", "reason", "by_certificate"]).collect();
    assert_eq!(names(&refused), all);
    assert_eq!((refused.text("refused_by"), refused.text("reason")), ("RW-109", "The access token is not known here."));
    let whose = (refused.text("client_id"), refused["by_certificate"].as_bool());
    assert_eq!(whose, (robot.client_id().as_str(), Some(true)), "its certificate says whose it is");

    // Every endpoint is there, the authorisation endpoint included; pages of customers and the discovery document are not.
    let page = bank.ops_get("/sandbox/requests?limit=100").await.ok(200);
    let paths: BTreeSet<_> =
        page.list("/requests").iter().map(|it| it.text("path").split('?').next().unwrap().to_owned()).collect();
    let expected =
        ["/authorize", "/open-banking/v3.1/aisp/account-access-consents", "/open-banking/v3.1/aisp/accounts", "/token"];
    assert_eq!(paths.into_iter().collect::<Vec<_>>(), expected);
    let ids: Vec<_> = page.list("/requests").iter().map(|it| it.text("interaction_id").to_owned()).collect();
    assert_eq!(ids[..2], ["refused", "read"], "the newest comes first");

    let count =
        async |filter: &str| bank.ops_get(&format!("/sandbox/requests?{filter}")).await.ok(200).list("/requests").len();
    assert_eq!((count("status=401").await, count("status=4xx&interaction_id=read").await), (1, 0));
    assert_eq!(count(&format!("client_id={}&status=200&interaction_id=read", robot.client_id())).await, 1);
    assert_eq!(count("client_id=nobody").await, 0);
    let same = bank.ops_get("/operations/requests?limit=100&reason=test").await.ok(200);
    assert_eq!(same, page, "operators see the same");
    bank.ops_get("/sandbox/requests?colour=red").await.decent();
}

#[tokio::test]
async fn as_030_the_check_that_refused_a_call_is_found_by_its_interaction_id() {
    let bank = Bank::start().await;
    let robot = bank.tpp("robot");
    let rival = bank.tpp("rival");
    let url = robot.discovery().await.unwrap().token_endpoint.clone();
    let fresh = robot.new_client_assertion().await.unwrap();
    let token = |assertion: &str| {
        HttpCall::post(&url).with_form([
            ("grant_type", "client_credentials"),
            ("scope", "accounts"),
            ("client_assertion_type", ASSERTION_TYPE),
            ("client_assertion", assertion),
        ])
    };
    let signed = |jwt: lombard_tpp::Jwt| jwt.sign(&robot.folder.signing).unwrap();
    let forged = token(&fresh.sign(&SigningKey::generate().unwrap()).unwrap());
    let elsewhere = token(&signed(fresh.clone().claim("aud", "https://elsewhere.example")));
    let late = token(&signed(fresh.clone().claim("exp", bank.now().as_second() - 300)));
    let nobody = token(&signed(fresh.clone().claim("iss", "nobody").claim("sub", "nobody")));
    let own = robot.client_credentials("accounts").await.unwrap().access_token;
    let payments = robot.client_credentials("payments").await.unwrap().access_token;
    let consents = robot.resource_url("aisp/account-access-consents");
    let create = |token: &str, body: &Value| HttpCall::post(&consents).with_bearer(token).with_json(body);
    let good = json!({"Data": {"Permissions": ["ReadBalances"]}, "Risk": {}});
    let consent = robot.consent_create(&own, &EVERYTHING).await.unwrap();
    let mut request = robot.new_authorisation_request(&consent, "accounts").await.unwrap();
    request = request.claim("aud", "https://elsewhere.example");
    let naked = robot.with_certificate(None, Protocol::Any).unwrap();
    let register = HttpCall::post(format!("{}/register", robot.endpoints.mtls)).with_json(&json!({}));
    let known = Some(robot.client_id().as_str().to_owned());
    let of_rival = Some(rival.client_id().as_str().to_owned());
    for (what, tpp, call, rule, client) in [
        ("a forged assertion", &robot, forged, "AS-023", &known),
        ("another audience", &robot, elsewhere, "AS-024", &known),
        ("an assertion too late", &robot, late, "AS-025", &known),
        ("an unknown client", &robot, nobody, "AS-030", &known),
        ("no certificate", &naked, create(&own, &good), "TLS-004", &None),
        ("another certificate", &rival, create(&own, &good), "AS-111", &of_rival),
        ("another scope", &robot, create(&payments, &good), "RW-105", &known),
        ("a missing member", &robot, create(&own, &json!({"Risk": {}})), "RW-140", &known),
        (
            "another grant",
            &robot,
            HttpCall::get(robot.resource_url("aisp/accounts")).with_bearer(&own),
            "RW-047",
            &known,
        ),
        ("no such path", &robot, HttpCall::get(robot.resource_url("aisp/nothing")), "RW-008", &known),
        (
            "another method",
            &robot,
            HttpCall::new(Method::PUT, robot.resource_url("aisp/accounts")).with_bearer(&own),
            "RW-110",
            &known,
        ),
        ("another media type", &robot, register, "DCR-002", &known),
        (
            "a request object for another",
            &robot,
            HttpCall::get(request.url(&robot.folder.signing).unwrap()),
            "AS-072",
            &known,
        ),
    ] {
        let record = sent(&bank, tpp, call, &what.replace(' ', "-")).await;
        assert_eq!(record.text("refused_by"), rule, "{what}: {record}");
        assert_eq!(record["client_id"].as_str().map(str::to_owned), *client, "{what}");
        let reason = record.text("reason");
        assert!(reason.contains(' ') && reason.ends_with('.'), "{what}: {reason}");
        // Its client finds it, by the id of the error too, and another one does not.
        let Some(client) = client else { continue };
        let ids = [Some(record.text("interaction_id")), record["response"]["body"]["Id"].as_str()];
        for id in ids.into_iter().flatten() {
            let search = format!("/sandbox/requests?interaction_id={id}");
            let other = if Some(client) == known.as_ref() { &rival } else { &robot };
            for (whose, count) in [(client.as_str(), 1), (other.client_id().as_str(), 0)] {
                let page = bank.ops_get(&format!("{search}&client_id={whose}")).await.ok(200);
                assert_eq!(page.list("/requests").len(), count, "{what}: {id} {whose}");
            }
        }
    }
}

#[tokio::test]
async fn a_planted_fault_is_named_by_the_calls_that_it_struck() {
    let bank = Bank::start().await;
    let robot = bank.tpp_watched("robot", ExchangeObserver::new(|_| {}));
    let access = access(&robot, &EVERYTHING).await;
    for (fault, status, shown) in [
        ("delay_ms=1", 200, "delay_ms=1"),
        ("cut=before", 503, "cut=before (the caller got no answer)"),
        ("slow_body=1; cut=after", 400, ""),
    ] {
        let call = HttpCall::get(robot.resource_url("aisp/accounts")).with_bearer(access.token());
        let id = fault.replace([';', ' '], "");
        // A connection that is cut gives no answer.
        let _ = robot.send(call.with_header("x-lombard-fault", fault).with_header(INTERACTION_ID, &id)).await;
        let record = recorded(&bank, &id.replace('=', "%3D")).await;
        assert_eq!((record["status"].as_u64(), record["fault"].as_str().unwrap_or_default()), (Some(status), shown));
    }
}

#[tokio::test]
async fn one_tpp_does_not_displace_the_requests_of_another() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("request_log.bytes_max", "60000")]).await;
    let robot = bank.tpp("robot");
    let rival = bank.tpp("rival");
    let token = async |tpp: &Tpp| tpp.client_credentials("accounts").await.unwrap().access_token;
    let quiet = token(&rival).await;
    let loud = token(&robot).await;
    let read = HttpCall::get(rival.resource_url("aisp/account-access-consents/none")).with_bearer(&quiet);
    sent(&bank, &rival, read, "quiet").await;
    for _ in 0..100 {
        robot.get(&loud, "aisp/account-access-consents/none").await.unwrap();
    }
    assert_eq!(recorded(&bank, "quiet").await["status"], 400);
    let all = bank.ops_get("/sandbox/requests?limit=100").await.ok(200);
    let of_robot = all.list("/requests").iter().filter(|it| it["client_id"] == robot.client_id().as_str()).count();
    assert!((2..50).contains(&of_robot), "{of_robot}");

    bank.stop().await;
    bank.restart_with(&[("request_log.bytes_max", "0")]).await;
    bank.tpp("robot").get(&loud, "aisp/accounts").await.unwrap();
    let off = bank.ops_get("/sandbox/requests").await;
    assert_eq!(off.status.as_u16(), 400, "{}", off.text());
}
