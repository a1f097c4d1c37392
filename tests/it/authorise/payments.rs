//! A customer authorises or rejects payments. Source: PIS-030 to PIS-037, PIS-111, AS-142, AS-171.

use crate::harness::paying::{AgreedConsent, DOMESTIC};
use crate::harness::pending_consent::{accounts_of, debtor};
use crate::harness::{Bank, Browser, Engine, ExchangeExt, Page, PayingTpp, PendingConsent, ValueExt};
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::AuthorisationResponse;
use serde_json::{Value, json};

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

/// Where a submitted page led: back to the application.
fn came_back(asked: &PendingConsent, page: &Page) -> AuthorisationResponse {
    assert_eq!(page.exchange.status, 303, "AS-087: {}", page.exchange.text());
    AuthorisationResponse::parse_redirect(&page.exchange, &asked.callback).unwrap()
}

/// The decision on what is asked, as this customer.
async fn decision(asked: &PendingConsent, browser: &mut Browser, person: &str) -> Page {
    browser.log_in(&asked.url(), person).await
}

/// Agrees with the account at this place of the page.
async fn agree(browser: &mut Browser, page: &Page, at: usize) -> Page {
    let form = page.form_with("decision");
    let account = form.values("account")[at].clone();
    browser.submit(form, &[("account", &account), ("decision", "approve")]).await
}

async fn refuse(browser: &mut Browser, page: &Page) -> Page {
    browser.submit(page.form_with("decision"), &[("decision", "refuse")]).await
}

/// What a robot's authorisation came to.
async fn headless(paying: &PayingTpp, consent: &str) -> AuthorisationResponse {
    let request = paying.tpp.new_authorisation_request(consent, "payments").await.unwrap();
    paying.tpp.authorise_headless(&request).await.unwrap()
}

#[tokio::test]
async fn pis_032_035_036_a_customer_approves_once_and_the_token_orders_it() {
    for bank in Bank::each_engine().await {
        for product in DOMESTIC {
            let mut asked = PendingConsent::of(&bank, product).await;
            let mut browser = Browser::new(&asked.paying.tpp);
            let page = decision(&asked, &mut browser, "amelia").await;
            let text = page.exchange.text().into_owned();
            for told in ["£12.50", "Somebody Else", "20-00-03 19825731", "available", "Acme"] {
                assert!(text.contains(told), "AS-142: {product:?} does not tell {told}");
            }
            assert_eq!(text.contains("Every day"), product == PaymentProduct::DomesticStandingOrder);
            assert_eq!(page.form_with("decision").values("account").len(), 2, "current and savings, no card");
            let back = agree(&mut browser, &page, 0).await;
            let channel = came_back(&asked, &back);
            assert_eq!(channel.names, ["code", "id_token", "state"]);
            assert_eq!(asked.status().await, "Authorised");

            let tokens = asked.tokens(&channel).await;
            assert_eq!(tokens.scope.as_deref(), Some("openid payments"), "AS-051");
            assert_eq!((tokens.expires_in, tokens.refresh_token.as_ref()), (3_600, None), "AS-093, PIS-036");
            asked.ask_again().await;
            let again = browser.open(&asked.url()).await;
            assert_eq!(again.exchange.status, 302);
            let channel = AuthorisationResponse::parse_redirect(&again.exchange, &asked.callback).unwrap();
            assert_eq!(channel.error.as_deref(), Some("invalid_request"), "PIS-036");
            assert_eq!(asked.status().await, "Authorised");

            let agreed = AgreedConsent {
                product,
                consent: asked.consent.clone(),
                asked: asked.body.clone(),
                token: tokens.access_token,
            };
            asked.paying.ordered(&agreed).await;
            assert_eq!(asked.status().await, "Consumed");
        }
    }
}

#[tokio::test]
async fn a_tester_chooses_on_the_page_what_becomes_of_the_payment() {
    let bank = Bank::start().await;
    let mut asked = PendingConsent::of(&bank, NOW).await;
    let mut browser = Browser::new(&asked.paying.tpp);
    let page = decision(&asked, &mut browser, "amelia").await;
    assert!(page.exchange.text().contains("For testers"));
    let form = page.form_with("decision");
    let account = form.values("account").remove(0);
    let choice = [("planned_outcome", "refused-by-scheme"), ("planned_minutes", "60")];
    let forged = [&choice[..], &[("form_token", "AAAA"), ("account", &account), ("decision", "approve")]].concat();
    browser.post(form, &forged).await;
    assert_eq!(asked.status().await, "AwaitingAuthorisation");
    let chosen = [&choice[..], &[("account", &account), ("decision", "approve")]].concat();
    let channel = came_back(&asked, &browser.submit(form, &chosen).await);
    let (order, _) = asked.paying.ordered(&asked.agreed(&channel).await).await;
    for (secs, status) in [(0, "Pending"), (3_540, "Pending"), (120, "Rejected")] {
        bank.ops_post("/sandbox/clock", &json!({ "advance_secs": secs })).await;
        assert_eq!(asked.paying.order_now(NOW, &order).await["Data"].text("Status"), status);
    }
}

#[tokio::test]
async fn a_decision_that_is_not_accepted_plans_nothing() {
    let bank = Bank::start().await;
    let asked = PendingConsent::of(&bank, NOW).await;
    let mut browser = Browser::new(&asked.paying.tpp);
    let page = decision(&asked, &mut browser, "amelia").await;
    let nobodys = [("account", "AAAA"), ("decision", "approve"), ("planned_outcome", "refused-by-scheme")];
    let page = browser.submit(page.form_with("decision"), &nobodys).await;
    assert_eq!(page.exchange.status, 422, "{}", page.exchange.text());
    let account = page.form_with("decision").values("account").remove(0);
    let unplanned = [("account", account.as_str()), ("decision", "approve"), ("planned_outcome", "")];
    let channel = came_back(&asked, &browser.submit(page.form_with("decision"), &unplanned).await);
    let (order, _) = asked.paying.ordered(&asked.agreed(&channel).await).await;
    bank.ops_post("/sandbox/clock", &json!({ "advance_secs": 60 })).await;
    assert_ne!(asked.paying.order_now(NOW, &order).await["Data"].text("Status"), "Rejected");

    let refused = PendingConsent::of(&bank, NOW).await;
    let page = decision(&refused, &mut browser, "amelia").await;
    refuse(&mut browser, &page).await;
    let path = format!("/sandbox/consents/{}/plan", refused.consent);
    assert_eq!(bank.ops_post(&path, &json!({"outcome": "held"})).await.0, 409, "it has no orders");
}

#[tokio::test]
async fn x_23_a_customer_sees_the_banks_scottish_quarter_days_and_they_are_kept() {
    const PRODUCT: PaymentProduct = PaymentProduct::DomesticStandingOrder;
    const TRADITIONAL: &str = "Every quarter, on 2 February, 15 May, 1 August and 11 November";
    const STATUTORY: &str = "Every quarter, on 28 February, 28 May, 28 August and 28 November";
    async fn ask(bank: &Bank) -> PendingConsent {
        let paying = PayingTpp::as_tpp(bank, "acme").await;
        let mut body = paying.asking(PRODUCT);
        body["Data"]["Initiation"]["Frequency"] = json!("QtrDay:SCOTTISH");
        PendingConsent::with(bank, paying, PRODUCT, body).await
    }
    async fn shown(asked: &PendingConsent) -> String {
        let mut browser = Browser::new(&asked.paying.tpp);
        decision(asked, &mut browser, "amelia").await.exchange.text().into_owned()
    }
    for engine in Engine::at_hand() {
        let mut bank = Bank::unstarted(engine).await;
        bank.restart_with(&[("payments.scottish_quarter_days", "statutory")]).await;
        let mut asked = ask(&bank).await;
        assert!(shown(&asked).await.contains(STATUTORY));
        bank.stop().await;
        bank.restart_with(&[]).await;
        assert!(shown(&ask(&bank).await).await.contains(TRADITIONAL), "unless it is set");
        asked.paying = PayingTpp::as_tpp(&bank, "acme").await;
        asked.callback = format!("{}/portal/callback", bank.endpoints().public);
        asked.ask_again().await;
        assert!(shown(&asked).await.contains(STATUTORY), "a schedule keeps its days");
        let mut browser = Browser::new(&asked.paying.tpp);
        let page = decision(&asked, &mut browser, "amelia").await;
        let back = agree(&mut browser, &page, 0).await;
        let agreed = asked.agreed(&came_back(&asked, &back)).await;
        let (order, _) = asked.paying.ordered(&agreed).await;
        let read = asked.paying.order_now(PRODUCT, &order).await;
        assert_eq!(read["Data"]["Initiation"].text("Frequency"), "QtrDay:SCOTTISH");
    }
}

#[tokio::test]
async fn pis_034_no_at_any_step_ends_the_consent_and_leaving_does_not() {
    for bank in Bank::each_engine().await {
        for steps in 0..3 {
            let mut asked = PendingConsent::of(&bank, NOW).await;
            let mut browser = Browser::new(&asked.paying.tpp);
            let login = browser.open(&asked.url()).await;
            assert!(login.exchange.text().contains("make a payment"));
            let back = match steps {
                0 => browser.submit(login.forms.last().unwrap(), &[]).await,
                1 => {
                    let set = [("name", "amelia"), ("password", "amelia")];
                    let code = browser.submit(login.form_with("password"), &set).await;
                    assert!(code.exchange.text().contains("£12.50"), "linked to the amount");
                    assert!(code.exchange.text().contains("Somebody Else"), "and to the payee");
                    assert_eq!(asked.status().await, "AwaitingAuthorisation");
                    browser.submit(code.forms.last().unwrap(), &[]).await
                }
                _ => {
                    asked.ask_again().await;
                    let page = decision(&asked, &mut browser, "amelia").await;
                    assert_eq!(asked.status().await, "AwaitingAuthorisation", "nobody has said anything");
                    refuse(&mut browser, &page).await
                }
            };
            let channel = came_back(&asked, &back);
            asked.refused(&channel, "access_denied").await;
        }
    }
}

#[tokio::test]
async fn pis_032_033_a_named_account_is_the_only_choice_and_is_the_customers() {
    for bank in Bank::each_engine().await {
        let savings = accounts_of(&bank, "amelia").await.into_iter().find(|it| it.text("sub_type") == "Savings");
        let named = debtor(&savings.unwrap());
        let body = |paying: &PayingTpp| {
            let mut body = paying.asking(NOW);
            body["Data"]["Initiation"]["DebtorAccount"] = named.clone();
            body
        };
        let paying = PayingTpp::as_tpp(&bank, "acme").await;
        let asked = body(&paying);
        let mut theirs = PendingConsent::with(&bank, paying.clone(), NOW, asked.clone()).await;
        let mut browser = Browser::new(&paying.tpp);
        let page = decision(&theirs, &mut browser, "amelia").await;
        assert_eq!(page.form_with("decision").values("account").len(), 1);
        let back = agree(&mut browser, &page, 0).await;
        came_back(&theirs, &back);
        assert_eq!(theirs.status().await, "Authorised");

        let mut others = PendingConsent::with(&bank, paying, NOW, asked).await;
        let mut browser = Browser::new(&others.paying.tpp);
        let back = decision(&others, &mut browser, "deepak").await;
        let channel = came_back(&others, &back);
        others.refused(&channel, "access_denied").await;

        let robot = PayingTpp::robot(&bank).await;
        let agreed = robot.agreed_to(NOW, body(&robot)).await;
        let read = robot.consent_now(NOW, &agreed.consent).await;
        assert_eq!(read["Data"].text("Status"), "Authorised", "AS-171: the account that is named");
        assert_eq!(read["Data"]["Initiation"]["DebtorAccount"], named);
        let twin = json!({"name": "twin", "roles": ["pisp"], "headless": "deepak"});
        bank.create_tpp(&twin).await;
        let twin = PayingTpp::as_tpp(&bank, "twin").await;
        let consent = twin.consent(NOW, &body(&twin)).await["Data"].text("ConsentId").to_owned();
        assert_eq!(headless(&twin, &consent).await.error.as_deref(), Some("access_denied"));
        assert_eq!(twin.consent_now(NOW, &consent).await["Data"].text("Status"), "Rejected");
    }
}

#[tokio::test]
async fn pis_111_as_091_a_joint_account_is_refused_for_a_single_authorisation() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::as_tpp(&bank, "acme").await;
        let mut body = paying.asking(NOW);
        body["Data"]["Authorisation"] = json!({"AuthorisationType": "Single"});
        let mut asked = PendingConsent::with(&bank, paying, NOW, body).await;
        let mut browser = Browser::new(&asked.paying.tpp);
        let back = decision(&asked, &mut browser, "bashir").await;
        let channel = came_back(&asked, &back);
        assert!(channel.error_description.as_deref().unwrap().contains("more than one customer"));
        asked.refused(&channel, "invalid_request").await;
    }
}

#[tokio::test]
async fn pis_037_after_the_cut_off_no_token_is_issued_and_the_consent_is_ended() {
    for bank in crate::harness::patient_on_each_engine().await {
        let later = PaymentProduct::DomesticScheduledPayment;
        let ten_days = json!({"advance_secs": 10 * 24 * 3_600});
        let back_again = json!({"advance_secs": -10 * 24 * 3_600});
        // At the decision, at the code, and at the door.
        for steps in 0..3 {
            let mut asked = PendingConsent::of(&bank, later).await;
            let mut browser = Browser::new(&asked.paying.tpp);
            let back = match steps {
                0 => {
                    let page = decision(&asked, &mut browser, "amelia").await;
                    assert!(page.exchange.text().contains("must order it before"), "the cut-off is told");
                    bank.ops_post("/sandbox/clock", &ten_days).await;
                    agree(&mut browser, &page, 0).await
                }
                1 => {
                    let login = browser.open(&asked.url()).await;
                    let set = [("name", "amelia"), ("password", "amelia")];
                    let code = browser.submit(login.form_with("password"), &set).await;
                    bank.ops_post("/sandbox/clock", &ten_days).await;
                    browser.submit(code.form_with("code"), &[("code", &code.shown_code())]).await
                }
                _ => {
                    bank.ops_post("/sandbox/clock", &ten_days).await;
                    browser.open(&asked.url()).await
                }
            };
            let channel = AuthorisationResponse::parse_redirect(&back.exchange, &asked.callback).unwrap();
            asked.refused(&channel, "invalid_request").await;
            bank.ops_post("/sandbox/clock", &back_again).await;
        }
        let robot = PayingTpp::robot(&bank).await;
        let consent = robot.consent(later, &robot.asking(later)).await["Data"].text("ConsentId").to_owned();
        bank.ops_post("/sandbox/clock", &ten_days).await;
        assert_eq!(headless(&robot, &consent).await.error.as_deref(), Some("invalid_request"));
        assert_eq!(robot.consent_now(later, &consent).await["Data"].text("Status"), "Rejected");
    }
}

#[tokio::test]
async fn pis_083_an_account_without_funds_is_marked_and_funds_are_not_available() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::as_tpp(&bank, "acme").await;
        let mut body = paying.asking(NOW);
        body["Data"]["Initiation"]["InstructedAmount"]["Amount"] = json!("9999.99");
        let mut asked = PendingConsent::with(&bank, paying, NOW, body).await;
        let mut browser = Browser::new(&asked.paying.tpp);
        let page = decision(&asked, &mut browser, "deepak").await;
        let text = page.exchange.text().into_owned();
        assert!(text.contains("£9,999.99") && text.contains("Not enough money"), "{text}");
        let warned = agree(&mut browser, &page, 0).await;
        assert_eq!((warned.exchange.status.as_u16(), asked.status().await.as_str()), (422, "AwaitingAuthorisation"));
        let back = agree(&mut browser, &warned, 0).await;
        let agreed = asked.agreed(&came_back(&asked, &back)).await;
        assert_eq!(asked.status().await, "Authorised");
        let path = format!("pisp/domestic-payment-consents/{}/funds-confirmation", agreed.consent);
        let funds = asked.paying.get(&agreed.token, &path).await.ok(200);
        assert_eq!(funds["Data"]["FundsAvailableResult"]["FundsAvailable"], false, "PIS-082");
    }
}

#[tokio::test]
async fn as_133_who_has_nothing_to_pay_from_may_only_go_back() {
    let bank = Bank::start().await;
    let mut asked = PendingConsent::of(&bank, NOW).await;
    let mut browser = Browser::new(&asked.paying.tpp);
    let page = decision(&asked, &mut browser, "esther").await;
    assert!(page.exchange.text().contains("no account that this can be paid from"));
    assert_eq!(page.form_with("decision").values("decision"), ["refuse"]);
    let back = refuse(&mut browser, &page).await;
    let channel = came_back(&asked, &back);
    asked.refused(&channel, "access_denied").await;
}

#[tokio::test]
async fn as_171_a_robot_pays_from_the_first_current_account_with_the_money() {
    for bank in Bank::each_engine().await {
        let robot = PayingTpp::robot(&bank).await;
        let mut asked = robot.asking(NOW);
        asked["Data"]["ReadRefundAccount"] = json!("Yes");
        let (_, order) = robot.ordered(&robot.agreed_to(NOW, asked).await).await;
        let amelias = accounts_of(&bank, "amelia").await;
        let current = amelias.iter().find(|it| it.text("sub_type") == "CurrentAccount").unwrap();
        let refund = &order["Data"]["Refund"]["Account"];
        assert_eq!(refund["Identification"], debtor(current)["Identification"]);
    }
}

#[tokio::test]
async fn the_sandbox_control_authorises_a_payment_as_its_customer_would() {
    for bank in Bank::each_engine().await {
        let amelias = accounts_of(&bank, "amelia").await;
        let id = |sub_type: &str| amelias.iter().find(|it| it.text("sub_type") == sub_type).unwrap()["id"].clone();
        let current = id("CurrentAccount");
        let savings = id("Savings");
        let card = id("CreditCard");
        let authorise = async |asked: &PendingConsent, accounts: Value, decision: &str| {
            let mut body = json!({"psu": "amelia", "decision": decision});
            if !accounts.is_null() {
                body["accounts"] = accounts;
            }
            bank.ops_post(&format!("/sandbox/consents/{}/authorise", asked.consent), &body).await
        };
        for product in DOMESTIC {
            let mut asked = PendingConsent::of(&bank, product).await;
            for wrong in [json!([]), json!([current, savings]), json!([card]), json!(["unknown"])] {
                let (status, answer) = authorise(&asked, wrong, "approve").await;
                assert_eq!((status, asked.status().await.as_str()), (400, "AwaitingAuthorisation"), "{answer}");
            }
            let (status, answer) = authorise(&asked, json!([savings]), "approve").await;
            assert_eq!((status, answer.text("status")), (200, "Authorised"), "{answer}");
            assert_eq!(asked.status().await, "Authorised");
            assert_eq!(authorise(&asked, Value::Null, "approve").await.0, 409, "PIS-036");
            assert_eq!(authorise(&asked, Value::Null, "reject").await.0, 409, "PIS-035");

            let mut asked = PendingConsent::of(&bank, product).await;
            assert_eq!(authorise(&asked, Value::Null, "approve").await.0, 200);
            assert_eq!(asked.status().await, "Authorised");
            let mut asked = PendingConsent::of(&bank, product).await;
            assert_eq!(authorise(&asked, Value::Null, "reject").await.0, 200);
            assert_eq!(asked.status().await, "Rejected");
        }
        let mut late = PendingConsent::of(&bank, PaymentProduct::DomesticScheduledPayment).await;
        let days = SignedDuration::from_hours(24 * 10).as_secs();
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": days})).await;
        assert_eq!(authorise(&late, Value::Null, "approve").await.0, 409);
        assert_eq!(late.status().await, "Rejected", "PIS-037");
    }
}
