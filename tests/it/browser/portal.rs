//! The pages of developers who are logged in: accessible in every state, from a link to a planted fault.

use super::Chromium;
use super::accessibility::Look;
use crate::harness::{Bank, EVERYTHING, PayingTpp, access};
use crate::portal::link;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::HttpCall;
use serde_json::json;

#[tokio::test]
async fn the_pages_of_developers_are_accessible_in_every_state() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let public = bank.endpoints().public;
    let paying = PayingTpp::robot(&bank).await;
    let robot = &paying.tpp;

    browser.open(&format!("{public}/portal/login")).await;
    browser.heading("Log in to the portal").await;
    look.at("portal-login").await;
    browser.open(&link(&bank, "robot").await).await;
    look.at("portal-login-link").await;
    browser.press("Log in").await;
    browser.heading("Overview").await;
    look.at("portal-overview-empty").await;
    for (page, heading) in [("requests", "Requests"), ("consents", "Consents and payments"), ("events", "Events")] {
        browser.open(&format!("{public}/portal/{page}")).await;
        browser.heading(heading).await;
        look.at(&format!("portal-{page}-first")).await;
    }

    let agreed = paying.agreed(PaymentProduct::DomesticPayment).await;
    let (order, _) = paying.ordered(&agreed).await;
    let access = access(robot, &EVERYTHING).await;
    let read = HttpCall::get(robot.resource_url("pisp/domestic-payments/none")).with_bearer(access.token());
    assert_eq!(robot.send(read).await.unwrap().status, 403);
    let raise = json!({"client_id": robot.client_id(), "count": 3});
    assert_eq!(bank.ops_post("/sandbox/events", &raise).await.0, 200);

    for (page, heading) in [
        ("overview", "Overview"),
        ("application", "Application"),
        ("requests", "Requests"),
        ("consents", "Consents and payments"),
        ("events", "Events"),
        ("test-data", "Test data"),
        ("controls", "Controls"),
        ("try", "Try it"),
        ("try/CreateDomesticPaymentConsents", "POST /domestic-payment-consents"),
        ("status", "Status"),
    ] {
        browser.open(&format!("{public}/portal/{page}")).await;
        browser.heading(heading).await;
        look.at(&format!("portal-{}", page.replace('/', "-"))).await;
    }
    browser.open(&format!("{public}/portal/try/GetAccounts")).await;
    browser.press("Send").await;
    browser.see("#answer").await;
    look.at("portal-try-answer").await;
    browser.open(&format!("{public}/portal/requests?refused=on")).await;
    browser.press("GET").await;
    browser.see("#curl").await;
    look.at("portal-request").await;
    browser.open(&format!("{public}/portal/consents/{}", access.consent)).await;
    browser.heading("Consent: account access").await;
    look.at("portal-consent").await;
    browser.open(&format!("{public}/portal/orders/{order}")).await;
    browser.heading("Order").await;
    look.at("portal-order").await;
    browser.open(&format!("{public}/portal/events")).await;
    browser.press("resource-update").await;
    look.at("portal-event").await;

    browser.open(&format!("{public}/portal/test-data")).await;
    browser.press_here("Change amelia").await;
    browser.fill("phone-1", "0117 496 0177").await;
    browser.press("Change customer").await;
    browser.see("#notice").await;
    look.at("portal-test-data-refused").await;
    browser.fill("phone-1", "+44-1174960177").await;
    browser.press("Change customer").await;
    browser.see("#done").await;
    look.at("portal-test-data-changed").await;

    browser.open(&format!("{public}/portal/controls")).await;
    browser.fill("fault-status", "200").await;
    browser.press("Plant fault").await;
    browser.see("#notice").await;
    look.at("portal-controls-refused").await;
    browser.fill("fault-status", "503").await;
    browser.press("Plant fault").await;
    browser.see("#done").await;
    look.at("portal-controls-fault").await;
    browser.press("Log out").await;
    browser.heading("Log in to the portal").await;
    browser.driver.back().await.unwrap();
    browser.driver.refresh().await.unwrap();
    browser.heading("Log in to the portal").await;
    look.nothing();
    browser.close().await;
}
