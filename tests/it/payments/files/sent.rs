//! Upload and download of files.

use super::super::consents::amelias_number;
use super::*;
use crate::harness::Bank;
use lombard_domain::version::Version;

#[tokio::test]
async fn file_001_009_020_024_a_file_is_accepted_once_and_returned_unchanged() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let debtor = amelias_number(&bank).await;
        let files = [as_json("E-", &["1.00", "2.00"]), as_xml("E-", &["1.00", "2.00"], &debtor)];
        for file in files {
            let way = Way::announced(&paying, file.asking()).await;
            way.get(&file_path(&way.consent)).await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
            let media = format!("{}; charset=UTF-8", file.media);
            let taken = way.paying.tpp.new_message_signature().claim("cty", file.media);
            let taken = taken.sign(&way.paying.tpp.folder.signing, file.text.as_bytes()).unwrap();
            let call = HttpCall::post(paying.tpp.resource_url(&file_path(&way.consent))).with_bearer(&paying.own);
            let call = call.with_header("x-idempotency-key", "k").with_header("content-type", &media);
            let call = call.with_header(lombard_tpp::SIGNATURE, taken).with_body(file.text.clone());
            let taken = paying.tpp.send(call).await.unwrap();
            taken.ok(200);
            assert!(taken.body.is_empty() && taken.header(lombard_tpp::SIGNATURE).is_none(), "FILE-009, PIS-074");
            assert_eq!(way.status().await, "AwaitingAuthorisation", "FILE-009");
            let back = async || {
                let back = way.get(&file_path(&way.consent)).await;
                back.decent();
                assert_eq!((back.status.as_u16(), back.head("content-type")), (200, media.as_str()), "FILE-020");
                assert_eq!(back.body, file.text.as_bytes(), "FILE-020");
            };
            back().await;
            way.ordered().await;
            back().await;
        }
    }
}

#[tokio::test]
async fn file_010_pis_061_062_one_key_will_do_for_all_and_a_file_is_taken_once() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let file = as_json("E-", &["1.00"]);
        let asked = file.asking();
        let made = paying.post_as(&paying.own, consents(FILE), "one", &asked).await.ok(201);
        let way = Way { paying: paying.clone(), asked, consent: made["Data"].text("ConsentId").to_owned() };
        way.send_as("one", JSON, &file.text).await.ok(200);
        way.send_as("one", JSON, &file.text).await.ok(200);
        let state = ("UK.OBIE.Resource.InvalidConsentStatus", "Data.Status");
        way.send_as("two", JSON, &file.text).await.refused_with(400, state.0, state.1);
        let other = as_json("E-", &["2.00"]);
        let mismatch = way.send_as("one", JSON, &other.text).await;
        mismatch.refused_with(400, "UK.OBIE.Header.Invalid", "x-idempotency-key");
        assert_eq!(way.status().await, "AwaitingAuthorisation");
        let order = way.ordered().await;
        way.send_as("one", JSON, &file.text).await.ok(200);
        assert_eq!(order.ended().await, "InitiationCompleted");
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": 24 * 3_600 + 1})).await;
        let paying = PayingTpp::robot(&bank).await;
        let later = Way { paying, ..way.clone() };
        later.send_as("one", JSON, &file.text).await.refused_with(400, state.0, state.1);
    }
}

#[tokio::test]
async fn file_011_another_file_is_refused_and_the_right_one_still_comes() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let file = as_json("E-", &["1.00"]);
        let way = Way::announced(&paying, file.asking()).await;
        for other in [as_json("E-", &["1.01"]).text, format!("{}\n", file.text), "nonsense".to_owned()] {
            let refused = way.send_as(&paying.tpp.new_idempotency_key(), JSON, &other).await;
            refused.refused_with(400, "UK.OBIE.Field.Invalid", "Data.Initiation.FileHash");
            assert_eq!(way.status().await, "AwaitingUpload");
        }
        way.send(&file).await.ok(200);
    }
}

/// `abc` is the test vector of the hash; as a file it is worth nothing, which is the reason of the rejection.
#[tokio::test]
async fn file_003_err_013_the_hash_is_the_base64_of_the_sha_256_of_the_file() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await.through(Version::V4_0);
    let kind = "UK.OBIE.PaymentInitiation.4.0";
    let hash = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
    let asked = json!({"Data": {"Initiation": {"FileType": kind, "FileHash": hash}}});
    let made = paying.consent(FILE, &asked).await;
    let way = Way { paying: paying.clone(), asked, consent: made["Data"].text("ConsentId").to_owned() };
    let other = way.send_as(&paying.tpp.new_idempotency_key(), JSON, "abd").await;
    other.refused_with(400, "U002", "Data.Initiation.FileHash");
    assert_eq!(way.status().await, "AWUP");
    assert_eq!(way.send_as(&paying.tpp.new_idempotency_key(), JSON, "abc").await.status, 400);
    let read = paying.consent_now(FILE, &way.consent).await;
    assert_eq!(read["Data"].text("Status"), "RJCT", "the hash is right, so no other file can come");
    assert_eq!(read["Data"]["StatusReason"][0].text("StatusReasonCode"), "FF01");
}

#[tokio::test]
async fn err_013_file_013_a_wrong_control_sum_or_count_is_the_rejection_reason() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await.through(Version::V4_0);
    for (member, value, code) in [("ControlSum", json!(2.00), "AM10"), ("NumberOfTransactions", json!("2"), "AM18")] {
        let file = as_json("E-", &["1.00"]);
        let mut asked = file.asking();
        asked["Data"]["Initiation"]["FileType"] = json!("UK.OBIE.PaymentInitiation.4.0");
        asked["Data"]["Initiation"][member] = value;
        let made = paying.consent(FILE, &asked).await;
        let way = Way { paying: paying.clone(), asked, consent: made["Data"].text("ConsentId").to_owned() };
        let path = format!("Data.Initiation.{member}");
        way.send(&file).await.refused_with(400, "U002", &path);
        let read = paying.consent_now(FILE, &way.consent).await;
        let reason = &read["Data"]["StatusReason"][0];
        assert_eq!((reason.text("StatusReasonCode"), reason.text("Path")), (code, path.as_str()));
    }
}

#[tokio::test]
async fn file_004_the_digest_may_stand_without_its_padding() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let file = as_json("E-", &["1.00"]);
    let mut asked = file.asking();
    let hash = file_hash(file.text.as_bytes());
    asked["Data"]["Initiation"]["FileHash"] = json!(hash.trim_end_matches('='));
    let way = Way::announced(&paying, asked).await;
    way.send(&file).await.ok(200);
    way.ordered().await;
}
