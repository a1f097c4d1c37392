//! Payments with multi-authorisation: bashir authorises in the TPP's journey, chloe on the bank's pages. Source: PIS-112.

use super::Visitor;
use crate::harness::{Bank, Browser, Form, Page, PayingTpp, PendingConsent, ValueExt, until};
use crate::workers::rows::change;
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_tpp::AuthorisationResponse;
use serde_json::{Value, json};

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

/// An order from the studio's account, which bashir agreed to and chloe has not.
pub(crate) struct Joint {
    paying: PayingTpp,
    product: PaymentProduct,
    id: String,
    made: Value,
}

impl Joint {
    pub(crate) async fn of(bank: &Bank, product: PaymentProduct, complete_by: Option<String>) -> Self {
        Self::of_version(bank, product, complete_by, Version::V3_1).await
    }

    async fn of_version(bank: &Bank, product: PaymentProduct, complete_by: Option<String>, version: Version) -> Self {
        let paying = PayingTpp::as_tpp(bank, "acme").await.through(version);
        let mut body = paying.asking(product);
        if let Some(by) = complete_by {
            body["Data"]["Authorisation"] = json!({"AuthorisationType": "Any", "CompletionDateTime": by});
        }
        let mut asked = PendingConsent::with(bank, paying.clone(), product, body).await;
        let mut browser = Browser::new(&paying.tpp);
        let page = browser.log_in(&asked.url(), "bashir").await;
        assert!(page.exchange.text().contains("Needs 2 people to agree: you and Chloe"), "{}", page.exchange.text());
        let form = page.form_with("decision");
        let account = form.values("account").remove(0);
        let back = browser.submit(form, &[("account", &account), ("decision", "approve")]).await;
        let channel = AuthorisationResponse::parse_redirect(&back.exchange, &asked.callback).unwrap();
        let agreed = asked.agreed(&channel).await;
        let (id, made) = paying.ordered(&agreed).await;
        assert!(["Consumed", "COND"].contains(&asked.status().await.as_str()));
        Self { paying, product, id, made }
    }

    /// The order as it stands; with a new token, as the clock may have moved.
    async fn now(&mut self) -> Value {
        self.paying.own = self.paying.tpp.client_credentials("payments").await.unwrap().access_token;
        self.paying.order_now(self.product, &self.id).await["Data"].clone()
    }

    pub(crate) fn path(&self) -> String {
        format!("payments/{}", self.id)
    }
}

fn deciding(page: &Page) -> Form {
    page.form_with("code").clone()
}

#[tokio::test]
async fn pis_112_bashir_agrees_today_and_chloe_two_days_later() {
    for bank in Bank::each_engine().await {
        for product in [NOW, PaymentProduct::DomesticStandingOrder] {
            let mut joint = Joint::of(&bank, product, None).await;
            let (pending, done) = match product {
                NOW => ("Pending", "AcceptedCreditSettlementCompleted"),
                _ => ("InitiationPending", "InitiationCompleted"),
            };
            assert_eq!(joint.made["Data"].text("Status"), pending);
            let awaiting = &joint.made["Data"]["MultiAuthorisation"];
            assert_eq!(awaiting.text("Status"), "AwaitingFurtherAuthorisation");
            assert_eq!((&awaiting["NumberRequired"], &awaiting["NumberReceived"]), (&json!(2), &json!(1)));

            let mut bashir = Visitor::new(&bank);
            assert!(!bashir.log_in("bashir").await.exchange.text().contains(&joint.id), "bashir has agreed");
            assert!(bashir.at(&joint.path()).await.exchange.text().contains("Another authoriser has yet to agree"));

            bank.clock.advance(SignedDuration::from_hours(48));
            let mut chloe = Visitor::new(&bank);
            let list = chloe.log_in("chloe").await.exchange.text().into_owned();
            assert!(list.contains("Payments waiting for you") && list.contains(&joint.path()), "{list}");
            let page = chloe.at(&joint.path()).await;
            for told in ["£12.50", "Somebody Else", "20-00-03 19825731", "Bashir", "Studio", "Acme"] {
                assert!(page.exchange.text().contains(told), "AS-142: {told}");
            }
            let code = page.shown_code();
            let wrong = chloe.browser.submit(&deciding(&page), &[("code", "000000x"), ("decision", "approve")]).await;
            assert_eq!(wrong.exchange.status, 422, "{}", wrong.exchange.text());
            assert_eq!(joint.now().await["MultiAuthorisation"].text("Status"), "AwaitingFurtherAuthorisation");
            let said = chloe.browser.submit(&deciding(&wrong), &[("code", &code), ("decision", "approve")]).await;
            assert!(said.exchange.text().contains("Everybody has agreed"), "{}", said.exchange.text());
            assert!(!chloe.home().await.exchange.text().contains(&joint.id));

            let now = joint.now().await;
            let agreed = &now["MultiAuthorisation"];
            assert_eq!((agreed.text("Status"), &agreed["NumberReceived"]), ("Authorised", &json!(2)));
            let moved = async || {
                bank.ops_post("/sandbox/clock", &json!({"advance_secs": 5})).await;
                (joint.now().await.text("Status") == done).then_some(())
            };
            until(moved).await;
        }
    }
}

#[tokio::test]
async fn err_004_an_authoriser_who_fails_is_told_while_the_payment_waits() {
    for bank in Bank::each_engine().await {
        let mut joint = Joint::of_version(&bank, NOW, None, Version::V4_0).await;
        let codes = |data: &Value| {
            let reasons = data["StatusReason"].as_array().cloned().unwrap_or_default();
            reasons.iter().map(|it| it.text("StatusReasonCode").to_owned()).collect::<Vec<_>>()
        };
        let told = joint.now().await;
        assert_eq!((told.text("Status"), codes(&told)), ("PATC", vec!["U040".to_owned()]), "ERR-012");
        let mut chloe = Visitor::new(&bank);
        chloe.log_in("chloe").await;
        let page = chloe.at(&joint.path()).await;
        let code = page.shown_code();
        let wrong = chloe.browser.submit(&deciding(&page), &[("code", "000000x"), ("decision", "approve")]).await;
        let told = joint.now().await;
        assert_eq!((told.text("Status"), codes(&told)), ("PATC", vec!["U037".to_owned(), "U040".to_owned()]));
        assert_eq!(told["MultiAuthorisation"].text("Status"), "AWAF");
        let said = chloe.browser.submit(&deciding(&wrong), &[("code", &code), ("decision", "approve")]).await;
        assert!(said.exchange.text().contains("Everybody has agreed"), "{}", said.exchange.text());
        let told = joint.now().await;
        assert_eq!((told["MultiAuthorisation"].text("Status"), codes(&told)), ("AUTH", vec![]));
    }
}

#[tokio::test]
async fn pis_112_one_no_ends_it_for_everybody() {
    for bank in Bank::each_engine().await {
        let mut joint = Joint::of(&bank, NOW, None).await;
        let mut chloe = Visitor::new(&bank);
        chloe.log_in("chloe").await;
        let page = chloe.at(&joint.path()).await;
        let form = deciding(&page);
        let code = page.shown_code();
        let said = chloe.browser.submit(&form, &[("code", ""), ("decision", "decline")]).await;
        assert!(said.exchange.text().contains("This was declined"), "{}", said.exchange.text());
        let now = joint.now().await;
        assert_eq!((now.text("Status"), now["MultiAuthorisation"].text("Status")), ("Rejected", "Rejected"));
        let again = chloe.browser.submit(&form, &[("code", &code), ("decision", "approve")]).await;
        assert!(again.exchange.text().contains("This was declined"), "AS-144: going back is harmless");
        assert_eq!(joint.now().await, now);
    }
}

#[tokio::test]
async fn pis_112_when_time_has_run_out_nobody_is_asked_any_more() {
    for bank in Bank::each_engine().await {
        let by = bank.now() + SignedDuration::from_hours(1);
        let mut joint = Joint::of(&bank, NOW, Some(by.to_string())).await;
        let mut chloe = Visitor::new(&bank);
        chloe.log_in("chloe").await;
        let page = chloe.at(&joint.path()).await;
        assert!(page.exchange.text().contains("Everybody must have agreed before"), "{}", page.exchange.text());
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": 3_600})).await;
        let set = [("code", page.shown_code()), ("decision", "approve".to_owned())];
        let set = set.each_ref().map(|(name, value)| (*name, value.as_str()));
        let said = chloe.browser.submit(&deciding(&page), &set).await;
        assert!(said.exchange.text().contains("The time to agree has expired"), "{}", said.exchange.text());
        assert!(!chloe.home().await.exchange.text().contains(&joint.id));
        assert_eq!(joint.now().await["MultiAuthorisation"]["NumberReceived"], 1, "too late");
    }
}

#[tokio::test]
async fn payments_of_others_are_not_there() {
    for bank in Bank::each_engine().await {
        let mut joint = Joint::of(&bank, NOW, None).await;
        let mut amelia = Visitor::new(&bank);
        let list = amelia.log_in("amelia").await;
        assert!(!list.exchange.text().contains("Payments waiting"));
        let foreign = amelia.at(&joint.path()).await;
        let unknown = amelia.at("payments/unknown").await;
        assert_eq!((foreign.exchange.status.as_u16(), unknown.exchange.status.as_u16()), (404, 404));
        assert_eq!(foreign.exchange.text(), unknown.exchange.text());
        let mut form = list.forms.iter().find(|form| form.action.path() == "/apps/logout").unwrap().clone();
        form.action.set_path(&format!("/apps/{}", joint.path()));
        let said = amelia.browser.submit(&form, &[("decision", "decline")]).await;
        assert_eq!(said.exchange.status, 404, "with a good form token");
        assert_eq!(joint.now().await["MultiAuthorisation"].text("Status"), "AwaitingFurtherAuthorisation");
    }
}

#[tokio::test]
async fn as_141_a_decision_needs_the_form_and_the_session_it_was_shown_in() {
    let bank = Bank::start().await;
    let mut joint = Joint::of(&bank, NOW, None).await;
    let mut chloe = Visitor::new(&bank);
    chloe.log_in("chloe").await;
    let page = chloe.at(&joint.path()).await;
    let form = deciding(&page);
    let code = page.shown_code();
    let approve = [("code", code.as_str()), ("decision", "approve")];
    let mut stranger = Visitor::new(&bank);
    stranger.log_in("chloe").await;
    stranger.browser.submit(&form, &approve).await;
    Visitor::new(&bank).browser.submit(&form, &approve).await;
    chloe.browser.submit(&form, &[approve[0], approve[1], ("form_token", "forged")]).await;
    chloe.browser.submit(&form, &[("decision", "neither")]).await;
    assert_eq!(joint.now().await["MultiAuthorisation"].text("Status"), "AwaitingFurtherAuthorisation");
    chloe.browser.submit(&form, &approve).await;
    assert_eq!(joint.now().await["MultiAuthorisation"].text("Status"), "Authorised");
}

#[tokio::test]
async fn pis_112_a_payment_whose_consent_cannot_be_read_hides_no_other() {
    for bank in Bank::each_engine().await {
        let [broken, other] = [Joint::of(&bank, NOW, None).await, Joint::of(&bank, NOW, None).await];
        let consent = format!("(SELECT consent_id FROM orders WHERE id = '{}')", broken.id);
        assert_eq!(change(&bank, &format!("UPDATE consents SET terms = '{{' WHERE id = {consent}")).await, 1);

        let mut chloe = Visitor::new(&bank);
        let list = chloe.log_in("chloe").await.exchange.text().into_owned();
        assert!(list.contains(&other.path()) && !list.contains(&broken.path()), "{list}");
        let page = chloe.at(&other.path()).await;
        let code = page.shown_code();
        let decided = chloe.browser.submit(&deciding(&page), &[("code", &code), ("decision", "approve")]).await;
        assert!(decided.exchange.text().contains("Everybody has agreed"), "{}", decided.exchange.text());
    }
}
