//! Confirmation of funds for VRP payments. Source: section 7.4.

use super::{stored, with};
use crate::harness::vrp::{VRP, asking, limit, question, questions};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt};
use lombard_tpp::HttpCall;
use serde_json::{Value, json};

#[tokio::test]
async fn vrp_070_to_vrp_075_funds_are_confirmed_in_words_and_nothing_is_kept() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let remittance = json!({"Reference": "REF"});
        let agreed = paying.agreed_to(VRP, with(asking(), "/Data/Initiation/RemittanceInformation", remittance)).await;
        let before = stored(&bank).await;
        let mut ids = std::collections::BTreeSet::new();
        for (amount, word) in [("1.00", "Available"), ("0.01", "Available"), ("9999999.00", "NotAvailable")] {
            let body = with(question(&agreed.consent, amount), "/Data/Reference", json!("REF"));
            // VRP-073, X-05.
            let answer = paying.ask_funds(&agreed.token, &agreed.consent, &body).await.ok(201);
            let data = &answer["Data"];
            assert_eq!(data["FundsAvailableResult"].text("FundsAvailable"), word, "VRP-072, VRP-074");
            assert_eq!((data.text("ConsentId"), data.text("Reference")), (agreed.consent.as_str(), "REF"));
            assert_eq!(data["InstructedAmount"], body["Data"]["InstructedAmount"]);
            assert!(ids.insert(data.text("FundsConfirmationId").to_owned()), "new each time");
            assert!(answer["Links"].text("Self").ends_with("/funds-confirmation"), "VRP-075");
        }
        assert_eq!(stored(&bank).await, before, "VRP-075: nothing is kept");
        let bare = paying.ask_funds(&agreed.token, &agreed.consent, &question(&agreed.consent, "1.00")).await.ok(201);
        assert!(bare["Data"].get("Reference").is_none(), "VRP-071");
    }
}

#[tokio::test]
async fn vrp_071_what_does_not_fit_the_consent_is_refused() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let remittance = json!({"Reference": "REF"});
    let agreed = paying.agreed_to(VRP, with(asking(), "/Data/Initiation/RemittanceInformation", remittance)).await;
    let other = paying.agreed(VRP).await;
    let ask = async |consent: &str, body: Value| paying.ask_funds(&agreed.token, consent, &body).await;
    let good = || question(&agreed.consent, "1.00");
    for (body, code, path) in [
        (with(good(), "/Data/Reference", json!("ref")), "Resource.ConsentMismatch", "Data.Reference"),
        (question(&other.consent, "1.00"), "Resource.ConsentMismatch", "Data.ConsentId"),
        (
            with(good(), "/Data/InstructedAmount/Currency", json!("EUR")),
            "Unsupported.Currency",
            "Data.InstructedAmount.Currency",
        ),
        (json!({"Data": {"ConsentId": agreed.consent}}), "Field.Missing", "Data.InstructedAmount"),
    ] {
        ask(&agreed.consent, body).await.refused_with(400, &format!("UK.OBIE.{code}"), path);
    }
    ask(&other.consent, good()).await.refused_with(403, "UK.Lombard.Forbidden.Owner", "");
    ask("none", good()).await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
}

#[tokio::test]
async fn vrp_041_and_pis_166_questions_count_for_nothing_and_need_no_key() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let agreed = paying.agreed_within(&[limit("Month", "Consent", "10.00")]).await;
    let body = question(&agreed.consent, "10.00");
    let call = paying.tpp.payment_call(&agreed.token, &questions(&agreed.consent), "one key", &body).unwrap();
    for _ in 0..3 {
        paying.send(call.clone()).await.ok(201);
    }
    paying.pay(&agreed, "10.00").await.ok(201);
    let unsigned = HttpCall::post(paying.tpp.resource_url(&questions(&agreed.consent)))
        .with_bearer(&agreed.token)
        .with_json(&body);
    paying.send(unsigned).await.refused_with(400, "UK.OBIE.Signature.Missing", "x-jws-signature");
}
