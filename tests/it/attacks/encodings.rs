//! Content in another encoding than the one that is read, and numbers in another notation. Source: RFC 8259, section 8.1 and section 6.

use crate::harness::{Bank, ValueExt};
use lombard_tpp::HttpCall;
use serde_json::{Value, json};

const MARK: &[u8] = b"\xef\xbb\xbf";

#[tokio::test]
async fn rfc_8259_a_refused_body_is_told_what_it_is() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let good = json!({"Data": {"Permissions": ["ReadAccountsBasic"]}, "Risk": {}}).to_string();
    let marked = [MARK, good.as_bytes()].concat();
    let wide: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (body, words) in [
        (marked, "byte order mark (BOM)"),
        (wide, "UTF-16"),
        (Vec::new(), "empty"),
        (b" \r\n".to_vec(), "empty"),
        (b"\x1f\x8b\x08\0\0\0".to_vec(), "gzip"),
        (b"[]".to_vec(), "an object, not an array"),
        (b"null".to_vec(), "an object, not null"),
        (b"{\"Data\":\"\xe9\"}".to_vec(), "UTF-8 (byte 9)"),
    ] {
        let call = HttpCall::post(tpp.resource_url("aisp/account-access-consents")).with_bearer(&own);
        let answer = tpp.send(call.with_header("content-type", "application/json").with_body(body)).await.unwrap();
        assert_eq!(answer.status.as_u16(), 400, "{words}: {}", answer.text());
        assert!(answer.text().contains(words), "{words}: {}", answer.text());
    }
}

#[tokio::test]
async fn rfc_8259_a_data_file_may_begin_with_a_byte_order_mark() {
    let bank = Bank::start().await;
    let call = HttpCall::post(format!("{}/sandbox/seed", bank.endpoints().ops));
    let file = [MARK, br#"{"Version":1}"#].concat();
    let answer = bank.ops(call.with_header("content-type", "application/json").with_body(file)).await;
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
}

#[tokio::test]
async fn rfc_8259_2_0_is_the_integer_2_wherever_one_is_read() {
    let bank = Bank::start().await;
    let client = bank.tpp("acme").client_id().to_owned();
    let raised =
        |count: &str| serde_json::from_str::<Value>(&format!(r#"{{"client_id":"{client}","count":{count}}}"#)).unwrap();
    for (path, right, wrong) in [
        ("/sandbox/clock", json!({"advance_secs": 1.0}), json!({"advance_secs": 1.5})),
        ("/sandbox/events", raised("2.0"), raised("2.5")),
    ] {
        let (status, answer) = bank.ops_post(path, &right).await;
        assert_eq!(status, 200, "{path}: {answer}");
        let (status, answer) = bank.ops_post(path, &wrong).await;
        assert_eq!(status, 400, "{path}: {answer}");
        assert!(answer.text("error").contains("whole number"), "{path}: {answer}");
    }
}
