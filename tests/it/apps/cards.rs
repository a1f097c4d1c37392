//! The card of an application: its logo, its consents, and the payments that were made through it.

use super::Visitor;
use crate::harness::paying::PayingTpp;
use crate::harness::{Bank, Browser, EVERYTHING, ExchangeExt, access};
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::HttpCall;

#[tokio::test]
async fn an_application_has_one_card_with_its_consents_and_its_payments() {
    for bank in Bank::each_engine().await {
        let robot = PayingTpp::robot(&bank).await;
        for _ in 0..2 {
            let agreed = robot.agreed(PaymentProduct::DomesticPayment).await;
            robot.ordered(&agreed).await;
            access(&robot.tpp, &EVERYTHING).await;
        }
        let mut visitor = Visitor::new(&bank);
        let text = visitor.log_in("amelia").await.exchange.text().into_owned();
        assert_eq!(text.matches("<li class=\"card\">").count(), 1, "{text}");
        assert_eq!(text.matches("class=\"connection\"").count(), 2);
        assert!(text.contains("Payments, 2") && text.matches("£12.50 to Somebody Else").count() == 2, "{text}");
        let others = Visitor::new(&bank).log_in("deepak").await.exchange.text().into_owned();
        assert!(!others.contains("£12.50"), "payments are shown to who agreed to them");
    }
}

#[tokio::test]
async fn an_application_without_a_logo_has_a_letter_and_nobody_else_has_either() {
    let bank = Bank::start().await;
    let acme = bank.tpp("acme");
    let mut browser = Browser::new(&acme);
    let address = |client: &str| format!("{}/logos/{client}", acme.endpoints.public);
    let image = browser.send(HttpCall::get(address(acme.client_id().as_str()))).await;
    assert_eq!((image.status.as_u16(), image.head("content-type")), (200, "image/svg+xml"));
    assert_eq!(image.head("x-content-type-options"), "nosniff");
    assert!(image.head("content-security-policy").contains("default-src 'none'"));
    assert!(!image.text().contains("<script"));
    assert_eq!(browser.send(HttpCall::get(address("unknown"))).await.status, 404);
}
