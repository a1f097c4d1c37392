//! What a client has under way when its registration ends or an operator disables it. Source: AS-113, DCR-043.

use super::*;
use crate::harness::paying::FILE;
use crate::harness::until;
use crate::payments::books;
use crate::tls::raw::{connect, read_answer};
use crate::workers::rows::texts;
use lombard_tpp::SIGNATURE;
use tokio::io::AsyncWriteExt;

const JSON: &str = "application/json";

#[tokio::test]
async fn dcr_043_submitted_orders_are_executed_after_their_client_is_deleted() {
    for bank in Bank::each_engine().await {
        let reader = bank.create_tpp(&json!({"name": "reader", "headless": "amelia"})).await;
        let paying = PayingTpp::robot(&bank).await;
        let mut orders = Vec::new();
        for (product, ended) in [
            (PaymentProduct::DomesticScheduledPayment, "InitiationCompleted"),
            (PaymentProduct::DomesticPayment, "AcceptedCreditSettlementCompleted"),
        ] {
            let agreed = paying.agreed(product).await;
            orders.push((paying.ordered(&agreed).await.0, ended));
        }
        let token = own_token(&paying.tpp).await;
        assert_eq!(delete(&paying.tpp, &token).await.status.as_u16(), 204);
        paying.get(&paying.own, &format!("pisp/domestic-payments/{}", orders[1].0)).await.unauthorised();
        assert_eq!(bank.ops_post("/sandbox/clock", &json!({"advance_secs": 11 * 86_400})).await.0, 200);
        for (id, ended) in &orders {
            until(async || {
                let told = bank.ops_get(&format!("/sandbox/orders/{id}")).await.ok(200);
                (told.text("status") == *ended).then_some(())
            })
            .await;
        }
        assert_eq!(books::entries(&reader, "E2E-1").await.len(), 1, "its money moved");
    }
}

#[tokio::test]
async fn as_113_a_file_whose_client_is_disabled_while_it_comes_is_discarded() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let product = PaymentProduct::FilePayment;
        let tpp = &paying.tpp;
        let made = paying.consent(product, &paying.asking(product)).await;
        let consent = made["Data"].text("ConsentId").to_owned();
        let status = async || paying.consent_now(product, &consent).await["Data"].text("Status").to_owned();
        let path = format!("pisp/file-payment-consents/{consent}/file");
        let url: url::Url = tpp.resource_url(&path).parse().unwrap();
        let signature =
            tpp.new_message_signature().claim("cty", JSON).sign(&tpp.folder.signing, FILE.as_bytes()).unwrap();
        let (first, rest) = FILE.split_at(FILE.len() / 2);
        let head = format!(
            "POST {} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\nx-idempotency-key: one\r\n\
             content-type: {JSON}\r\n{SIGNATURE}: {signature}\r\ncontent-length: {}\r\n\r\n{first}",
            url.path(),
            paying.own,
            FILE.len()
        );
        let mut stream = connect(&bank, &tpp.endpoints.mtls, Some(&tpp.folder.identity)).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        // The client was admitted once its upload has begun.
        let begun = async || texts(&bank, "SELECT id FROM uploads WHERE kept = 0").await.len();
        until(async || (begun().await == 1).then_some(())).await;
        let set_status = async |change: &str| {
            assert_eq!(bank.ops_post(&format!("/operations/tpps/robot/{change}"), &json!({})).await.0, 200, "{change}");
        };
        set_status("disable").await;
        stream.write_all(rest.as_bytes()).await.unwrap();
        assert!(read_answer(&mut stream).await.unwrap().starts_with("HTTP/1.1 401 "));
        assert_eq!(begun().await, 0, "it is discarded");
        set_status("enable").await;
        assert_eq!(status().await, "AwaitingUpload", "nothing of it was taken");
        tpp.upload(&paying.own, &path, "two", JSON, FILE).await.unwrap().ok(200);
        assert_eq!(status().await, "AwaitingAuthorisation");
    }
}
