//! Refused files.

use super::super::with;
use super::*;
use crate::harness::Bank;

#[tokio::test]
async fn file_006_012_013_014_a_file_that_is_not_what_was_said_ends_its_consent() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let file = as_json("E-", &["1.00", "2.50"]);
        let said = |member: &str, value: Value| with(file.asking(), &format!("/Data/Initiation/{member}"), value);
        for (member, value) in [("NumberOfTransactions", json!("3")), ("ControlSum", json!(3.51))] {
            let way = Way::announced(&paying, said(member, value)).await;
            let at = format!("Data.Initiation.{member}");
            way.send(&file).await.refused_with(400, "UK.OBIE.Field.Invalid", &at);
            assert_eq!(way.status().await, "Rejected", "FILE-014");
            let state = way.send(&file).await;
            state.refused_with(400, "UK.OBIE.Resource.InvalidConsentStatus", "Data.Status");
        }
        let right = with(said("NumberOfTransactions", json!("2")), "/Data/Initiation/ControlSum", json!(3.5));
        Way::announced(&paying, right).await.send(&file).await.ok(200);
        for text in ["{}", "[]", "nonsense", r#"{"Data":{"InternationalPayments":[]}}"#] {
            let nonsense = Written { text: text.to_owned(), ..file.clone() };
            let way = Way::announced(&paying, nonsense.asking()).await;
            let refused = way.send(&nonsense).await.refused(400);
            assert!(refused.iter().all(|(code, _)| code == "UK.OBIE.Resource.InvalidFormat"), "FILE-008: {refused:?}");
            assert_eq!(way.status().await, "Rejected", "FILE-012");
        }
    }
}

#[tokio::test]
async fn file_005_007_018_pis_060_070_what_is_refused_before_it_is_read() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let file = as_json("E-", &["1.00"]);
    let way = Way::announced(&paying, file.asking()).await;
    let key = || paying.tpp.new_idempotency_key();
    for media in ["text/xml", "application/xml", "text/plain"] {
        way.send_as(&key(), media, &file.text).await.refused_with(415, "UK.OBIE.Header.Invalid", "Content-Type");
    }
    way.send_as(&key(), JSON, "").await.refused_with(400, "UK.OBIE.Resource.InvalidFormat", "");
    let url = paying.tpp.resource_url(&file_path(&way.consent));
    let plain = || {
        HttpCall::post(url.clone())
            .with_bearer(&paying.own)
            .with_header("content-type", JSON)
            .with_body(file.text.clone())
    };
    let missing = |place: &str, call: HttpCall| (place.to_owned(), call);
    let signature = paying.tpp.new_message_signature().claim("cty", JSON);
    let signature = signature.sign(&paying.tpp.folder.signing, b"another file").unwrap();
    for ((place, call), code) in [
        (missing("x-idempotency-key", plain()), "UK.OBIE.Header.Missing"),
        (missing(lombard_tpp::SIGNATURE, plain().with_header("x-idempotency-key", "k")), "UK.OBIE.Signature.Missing"),
        (
            missing(
                lombard_tpp::SIGNATURE,
                plain().with_header("x-idempotency-key", "k").with_header(lombard_tpp::SIGNATURE, signature),
            ),
            "UK.OBIE.Signature.Invalid",
        ),
    ] {
        paying.send(call).await.refused_with(400, code, &place);
    }
    assert_eq!(way.status().await, "AwaitingUpload");
    way.send(&file).await.ok(200);
}

#[tokio::test]
async fn pis_007_008_files_orders_and_reports_of_others_are_closed() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let file = as_json("E-", &["1.00"]);
        let way = Way::sent(&paying, &file).await;
        let order = way.ordered().await;
        order.ended().await;
        let rival = PayingTpp::as_tpp(&bank, "rival").await;
        let foreign = Way { paying: rival.clone(), ..way.clone() };
        let forbidden = |exchange: HttpExchange| assert_eq!(exchange.refused(403).len(), 1);
        forbidden(foreign.get(&file_path(&way.consent)).await);
        forbidden(foreign.send(&file).await);
        let report = format!("{}/{}/report-file", orders(FILE), order.id);
        forbidden(foreign.get(&report).await);
        forbidden(foreign.get(&report.replace("report-file", "payment-details")).await);
        let not_found = |exchange: HttpExchange| exchange.refused_with(400, "UK.OBIE.Resource.NotFound", "");
        not_found(way.get(&file_path("nothing")).await);
        not_found(way.get(&report.replace(&order.id, "nothing")).await);
        let payment =
            paying.consent(PaymentProduct::DomesticPayment, &paying.asking(PaymentProduct::DomesticPayment)).await;
        let wrong = Way { consent: payment["Data"].text("ConsentId").to_owned(), ..way.clone() };
        not_found(wrong.get(&file_path(&wrong.consent)).await);
        not_found(wrong.send(&file).await);
        // A customer's token opens its own and nothing else (PIS-004).
        let other = Way::sent(&paying, &file).await;
        let token = paying.token(&other.consent).await;
        let with_token = Way { paying: PayingTpp { own: token, ..paying.clone() }, ..other.clone() };
        assert_eq!(with_token.get(&file_path(&other.consent)).await.status, 200);
        paying
            .tpp
            .send(HttpCall::get(paying.tpp.resource_url(&report)).with_bearer(&with_token.paying.own))
            .await
            .unwrap()
            .unauthorised();
        let funds = format!("{}/{}/funds-confirmation", consents(FILE), other.consent);
        assert_eq!(with_token.get(&funds).await.refused(404).len(), 1, "FILE-025");
    }
}

#[tokio::test]
async fn pis_050_051_053_054_file_021_an_order_must_match_its_consent_exactly() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let file = as_json("E-", &["1.00"]);
    let asked = with(file.asking(), "/Data/Initiation/ControlSum", json!(1.0));
    let way = Way::announced(&paying, asked.clone()).await;
    way.send(&file).await.ok(200);
    let token = paying.token(&way.consent).await;
    let order = json!({"Data": {"ConsentId": way.consent, "Initiation": asked["Data"]["Initiation"]}});
    let post = async |body: Value| paying.post(&token, orders(FILE), &body).await;
    let risky = with(order.clone(), "/Risk", json!({}));
    post(risky).await.refused_with(400, "UK.OBIE.Field.Unexpected", "Risk");
    for (member, value) in [("ControlSum", json!(1.01)), ("FileReference", json!("mine"))] {
        let other = with(order.clone(), &format!("/Data/Initiation/{member}"), value);
        let at = format!("Data.Initiation.{member}");
        post(other).await.refused_with(400, "UK.OBIE.Resource.ConsentMismatch", &at);
    }
    let alike = with(order, "/Data/Initiation/ControlSum", json!(1.00));
    post(alike).await.ok(201);
}
