use crate::harness::{Bank, EVERYTHING, ExchangeExt, ValueExt};
use lombard_tpp::{HttpCall, HttpExchange, Protocol, Tpp};
use serde_json::{Value, json};

#[tokio::test]
async fn ais_012_a_consent_comes_back_as_it_was_sent() {
    for bank in Bank::each_engine().await {
        let (tpp, own) = ready(&bank).await;
        let data = json!({
            "Permissions": ["ReadAccountsBasic", "ReadAccountsDetail", "ReadAccountsBasic", "ReadBalances"],
            "ExpirationDateTime": "2999-05-02T00:00:00+01:00",
            "TransactionFromDateTime": "2017-05-03T00:00:00+00:00",
            "TransactionToDateTime": "2999-12-03T00:00:00+00:00",
        });
        let answer = tpp.consent_post(&own, &json!({"Data": data, "Risk": {}})).await.unwrap();
        let body = answer.ok(201);
        assert_eq!(answer.head("content-type"), "application/json; charset=utf-8", "RW-071");
        for (name, value) in data.as_object().unwrap() {
            let sent = value;
            let got = &body["Data"][name];
            let same = sent == got || instant(sent).is_some_and(|it| Some(it) == instant(got));
            assert!(same, "AIS-018, AIS-075, RW-083: {name}: {got}");
        }
        assert_eq!(body["Data"].text("Status"), "AwaitingAuthorisation");
        assert_eq!(body["Data"]["CreationDateTime"], body["Data"]["StatusUpdateDateTime"], "RW-309");
        assert_eq!(instant(&body["Data"]["CreationDateTime"]).map(|it| it.as_second()), Some(bank.now().as_second()));
        assert_eq!(body["Risk"], json!({}), "RW-240");
        let id = body["Data"].text("ConsentId");
        assert_eq!(
            body["Links"].text("Self"),
            tpp.resource_url(&format!("aisp/account-access-consents/{id}")),
            "RW-243"
        );
        assert!(body["Meta"].is_object(), "RW-242");
    }
}

#[tokio::test]
async fn ais_013_rw_186_posting_is_not_idempotent_and_ignores_the_key() {
    let bank = Bank::start().await;
    let (tpp, own) = ready(&bank).await;
    let key = "k".repeat(60);
    let body = json!({"Data": {"Permissions": ["ReadAccountsBasic"]}, "Risk": {}});
    let mut ids = std::collections::HashSet::new();
    for _ in 0..2 {
        let call = HttpCall::post(url(&tpp)).with_bearer(&own).with_header("x-idempotency-key", &key).with_json(&body);
        ids.insert(tpp.send(call).await.unwrap().ok(201)["Data"].text("ConsentId").to_owned());
    }
    assert_eq!(ids.len(), 2);
}

#[tokio::test]
async fn ais_010_to_035_each_fault_has_its_code_and_path() {
    let bank = Bank::start().await;
    let (tpp, own) = ready(&bank).await;
    let good = ["ReadAccountsBasic"];
    let with = |name: &str, value: Value| {
        let mut body = json!({"Data": {"Permissions": good}, "Risk": {}});
        body["Data"][name] = value;
        body
    };
    let permissions = |codes: &[&str]| json!({"Data": {"Permissions": codes}, "Risk": {}});
    let cases: Vec<(&str, Value, &str, &str)> = vec![
        ("RW-140: no Data", json!({"Risk": {}}), "Field.Missing", "Data"),
        ("RW-142: Data null", json!({"Data": null, "Risk": {}}), "Field.Missing", "Data"),
        ("AIS-032: no Permissions", json!({"Data": {}, "Risk": {}}), "Field.Missing", "Data.Permissions"),
        ("AIS-032: empty Permissions", permissions(&[]), "Field.Invalid", "Data.Permissions"),
        ("AIS-031: no account", permissions(&["ReadBalances"]), "Field.Expected", "Data.Permissions"),
        ("AIS-033: unknown", permissions(&["ReadAccountsBasic", "ReadX"]), "Field.Invalid", "Data.Permissions[1]"),
        (
            "AIS-030: case",
            permissions(&["readaccountsbasic", "ReadAccountsBasic"]),
            "Field.Invalid",
            "Data.Permissions[0]",
        ),
        ("AIS-034", permissions(&["ReadAccountsBasic", "ReadTransactionsBasic"]), "Field.Expected", "Data.Permissions"),
        (
            "AIS-035",
            permissions(&["ReadAccountsBasic", "ReadTransactionsDebits"]),
            "Field.Expected",
            "Data.Permissions",
        ),
        ("AIS-011: no Risk", json!({"Data": {"Permissions": good}}), "Field.Missing", "Risk"),
        ("AIS-011: Risk null", json!({"Data": {"Permissions": good}, "Risk": null}), "Field.Missing", "Risk"),
        (
            "AIS-011: Risk filled",
            json!({"Data": {"Permissions": good}, "Risk": {"X": 1}}),
            "Field.Unexpected",
            "Risk.X",
        ),
        ("RW-141: root", json!({"Data": {"Permissions": good}, "Risk": {}, "X": 1}), "Field.Unexpected", "X"),
        (
            "AIS-016: past",
            with("ExpirationDateTime", json!("2001-01-01T00:00:00Z")),
            "Field.InvalidDate",
            "Data.ExpirationDateTime",
        ),
        ("RW-089: no date", with("ExpirationDateTime", json!("soon")), "Field.InvalidDate", "Data.ExpirationDateTime"),
        (
            "RW-089: 30 February",
            with("TransactionFromDateTime", json!("2024-02-30T00:00:00Z")),
            "Field.InvalidDate",
            "Data.TransactionFromDateTime",
        ),
        ("RW-140: list", json!([]), "Resource.InvalidFormat", ""),
        ("RW-140: text", json!("x"), "Resource.InvalidFormat", ""),
        ("RW-140: Data a list", json!({"Data": [], "Risk": {}}), "Resource.InvalidFormat", "Data"),
        (
            "RW-140: Permissions text",
            json!({"Data": {"Permissions": "x"}, "Risk": {}}),
            "Resource.InvalidFormat",
            "Data.Permissions",
        ),
        (
            "RW-140: a number",
            json!({"Data": {"Permissions": [1]}, "Risk": {}}),
            "Resource.InvalidFormat",
            "Data.Permissions[0]",
        ),
        (
            "RW-140: date a number",
            with("ExpirationDateTime", json!(1)),
            "Resource.InvalidFormat",
            "Data.ExpirationDateTime",
        ),
    ];
    let rows = bank.rows();
    for (what, body, code, path) in cases {
        let answer = tpp.consent_post(&own, &body).await.unwrap();
        let found = answer.refused(400);
        assert_eq!(found, [(format!("UK.OBIE.{code}"), path.to_owned())], "{what}: {}", answer.text());
    }
    let mut dates = with("TransactionFromDateTime", json!("2024-02-02T00:00:00Z"));
    dates["Data"]["TransactionToDateTime"] = json!("2024-02-01T00:00:00Z");
    let answer = tpp.consent_post(&own, &dates).await.unwrap();
    answer.refused_with(400, "UK.OBIE.Field.InvalidDate", "Data.TransactionToDateTime");
    assert_eq!(bank.rows(), rows, "nothing is stored");
}

#[tokio::test]
async fn rw_123_every_fault_is_told_at_once() {
    let bank = Bank::start().await;
    let (tpp, own) = ready(&bank).await;
    let body = json!({
        "Data": {
            "Permissions": ["ReadX", "ReadAccountsBasic", "ReadY"],
            "ExpirationDateTime": "soon",
            "TransactionFromDateTime": "never",
        },
        "Extra": true,
    });
    let mut found = tpp.consent_post(&own, &body).await.unwrap().refused(400);
    found.sort();
    let wanted = [
        ("UK.OBIE.Field.Invalid", "Data.Permissions[0]"),
        ("UK.OBIE.Field.Invalid", "Data.Permissions[2]"),
        ("UK.OBIE.Field.InvalidDate", "Data.ExpirationDateTime"),
        ("UK.OBIE.Field.InvalidDate", "Data.TransactionFromDateTime"),
        ("UK.OBIE.Field.Missing", "Risk"),
        ("UK.OBIE.Field.Unexpected", "Extra"),
    ];
    assert_eq!(found, wanted.map(|(code, path)| (code.to_owned(), path.to_owned())));
}

#[tokio::test]
async fn rw_140_what_is_not_one_json_object_is_invalid_format() {
    let bank = Bank::start().await;
    let (tpp, own) = ready(&bank).await;
    let rows = bank.rows();
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let bodies: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b" ".to_vec(),
        b"nonsense".to_vec(),
        b"{\"Data\":".to_vec(),
        b"{} {}".to_vec(),
        b"{\"Data\":{\"Permissions\":[\"ReadAccountsBasic\"]},\"Risk\":{},\"Risk\":{}}".to_vec(),
        b"{\"Data\":{\"Permissions\":[\"ReadAccountsBasic\"],\"Permissions\":[]},\"Risk\":{}}".to_vec(),
        b"\xff\xfe{}".to_vec(),
        b"{\"Data\":\"\xc3\x28\"}".to_vec(),
        format!("{{\"Data\":{{\"Permissions\":[\"ReadAccountsBasic\"],\"X\":{deep}}},\"Risk\":{{}}}}").into_bytes(),
        deep.into_bytes(),
    ];
    for body in bodies {
        let shown = String::from_utf8_lossy(&body).chars().take(80).collect::<String>();
        let call =
            HttpCall::post(url(&tpp)).with_bearer(&own).with_header("content-type", "application/json").with_body(body);
        let found = tpp.send(call).await.unwrap().refused(400);
        assert_eq!(found[0].0, "UK.OBIE.Resource.InvalidFormat", "{shown}");
    }
    assert_eq!(bank.rows(), rows, "nothing is stored");
}

#[tokio::test]
async fn rw_115_a_body_too_large_is_answered_413_and_the_answer_arrives() {
    let bank = Bank::start().await;
    let (tpp, own) = ready(&bank).await;
    let rows = bank.rows();
    let body = vec![b' '; 8 * 1024 * 1024];
    for protocol in [Protocol::Http1, Protocol::Any] {
        let tpp = tpp.with_certificate(Some(&tpp.folder.identity), protocol).unwrap();
        let call = HttpCall::post(url(&tpp))
            .with_bearer(&own)
            .with_header("content-type", "application/json")
            .with_body(body.clone());
        let answer = tpp.send(call).await.unwrap();
        answer.refused(413);
        tpp.get(&own, "aisp/account-access-consents/x").await.unwrap().refused(400);
    }
    assert_eq!(bank.rows(), rows, "nothing is stored");
}

#[tokio::test]
async fn rw_067_to_073_media_types() {
    let bank = Bank::start().await;
    let (tpp, own) = ready(&bank).await;
    let good = json!({"Data": {"Permissions": ["ReadAccountsBasic"]}, "Risk": {}}).to_string();
    let post = |content_type: Option<&str>, accept: Option<&str>| {
        let mut call = HttpCall::post(url(&tpp)).with_bearer(&own).with_body(good.clone());
        call = content_type.into_iter().fold(call, |call, it| call.with_header("content-type", it));
        accept.into_iter().fold(call, |call, it| call.with_header("accept", it))
    };
    let json = Some("application/json");
    for content_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jose+jwe",
        "application/json; charset=iso-8859-1",
        "nonsense",
    ] {
        let answer = tpp.send(post(Some(content_type), None)).await.unwrap();
        answer.refused_with(415, "UK.OBIE.Header.Invalid", "Content-Type");
    }
    tpp.send(post(None, None)).await.unwrap().refused_with(400, "UK.OBIE.Header.Missing", "Content-Type");
    for accept in [
        "text/html",
        "application/xml",
        "application/json;q=0",
        "application/json; charset=iso-8859-1",
        "application/jose+jwe",
    ] {
        tpp.send(post(json, Some(accept))).await.unwrap().refused_with(406, "UK.OBIE.Header.Invalid", "Accept");
    }
    for accept in
        ["application/json", "application/json; charset=utf-8", "application/*", "*/*", "text/html, */*;q=0.1"]
    {
        tpp.send(post(json, Some(accept))).await.unwrap().ok(201);
    }
    for content_type in ["application/json; charset=utf-8", "APPLICATION/JSON;charset=\"UTF-8\""] {
        tpp.send(post(Some(content_type), None)).await.unwrap().ok(201);
    }
}

#[tokio::test]
async fn rw_080_081_every_way_to_write_a_date_is_read() {
    let bank = Bank::start().await;
    let (tpp, own) = ready(&bank).await;
    for date in [
        "2999-01-01T10:40:02+01:00",
        "2999-01-01T10:40:02+0100",
        "2999-01-01T10:40:02+01",
        "2999-01-01T10:40Z",
        "2999-01-01T10:40:02.123Z",
        "29990101T104002Z",
        "29990101T104002.567+01",
        "2999-01-01T10:40:02",
        "2999-01-01",
    ] {
        let body = json!({"Data": {"Permissions": ["ReadAccountsBasic"], "ExpirationDateTime": date}, "Risk": {}});
        let answer = tpp.consent_post(&own, &body).await.unwrap().ok(201);
        let back = &answer["Data"]["ExpirationDateTime"];
        assert!(instant(back).is_some(), "RW-083: {date} came back as {back}");
    }
}

#[tokio::test]
async fn ais_030_every_permission_of_the_standard_is_taken() {
    let bank = Bank::start().await;
    let (tpp, own) = ready(&bank).await;
    let all: Vec<_> = lombard_domain::consent::Permission::ALL.iter().map(|it| it.name()).collect();
    let answer = tpp.consent_post(&own, &json!({"Data": {"Permissions": all}, "Risk": {}})).await.unwrap();
    assert_eq!(answer.ok(201)["Data"]["Permissions"], json!(all));
    assert_eq!(EVERYTHING.iter().filter(|it| all.contains(it)).count(), EVERYTHING.len());
}

async fn ready(bank: &Bank) -> (Tpp, String) {
    let tpp = bank.tpp("robot");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    (tpp, own)
}

fn url(tpp: &Tpp) -> String {
    tpp.resource_url("aisp/account-access-consents")
}

fn instant(value: &Value) -> Option<jiff::Timestamp> {
    value.as_str()?.parse().ok()
}

#[tokio::test]
async fn rw_050_051_057_the_interaction_id_comes_back_as_it_was_sent() {
    let bank = Bank::start().await;
    let (tpp, own) = ready(&bank).await;
    let get = |ids: &[&str]| {
        let call = HttpCall::get(tpp.resource_url("aisp/account-access-consents/x")).with_bearer(&own);
        ids.iter().fold(call, |call, id| call.with_header("x-fapi-interaction-id", id))
    };
    let sent = |answer: HttpExchange| answer.head("x-fapi-interaction-id").to_owned();
    let long = "i".repeat(128);
    for id in ["93bac548-d2de-4546-b106-880a5018460d", "93BAC548", "a/b+c=d", &long] {
        assert_eq!(sent(tpp.send(get(&[id])).await.unwrap()), id);
    }
    let fresh = sent(tpp.send(get(&[""])).await.unwrap());
    assert!(uuid::Uuid::parse_str(&fresh).is_ok(), "{fresh}");
    let answer = tpp.send(get(&[&"i".repeat(129)])).await.unwrap();
    answer.refused_with(400, "UK.OBIE.Header.Invalid", "x-fapi-interaction-id");
    assert!(uuid::Uuid::parse_str(&sent(answer)).is_ok());
    tpp.send(get(&["one", "two"])).await.unwrap().refused_with(400, "UK.OBIE.Header.Invalid", "x-fapi-interaction-id");
}
