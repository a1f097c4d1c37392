//! Timestamps at both ends of the calendar, in every member of every kind of consent. Source: RW-080, RW-083, AIS-075, AIS-125.
//!
//! TPPs send 9999-12-31T23:59:59Z for "never". A consent with an accepted timestamp must be readable, and can be authorised,
//! used and deleted.

use crate::harness::funds::{self, FundsTpp, about, question};
use crate::harness::paying::{AgreedConsent, TRANSFERS, consents, orders};
use crate::harness::{Bank, CustomerAccess, ExchangeExt, PayingTpp, ValueExt};
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{HttpExchange, IssuedTokens, Tpp};
use serde_json::{Value, json};

/// The edges: of what is kept, of the calendar, and of what can be written.
const EDGES: [&str; 7] = [
    "9999-12-30T21:59:59.999999Z",
    "9999-12-30T22:00:00Z",
    "9999-12-30T22:00:00.5Z",
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59.999999999-23:59",
    "9999-12-31",
    "0000-01-01T00:00:00+23:59",
];

/// Not an error of ours, whatever else it is.
fn sound(answer: &HttpExchange, about: &str) {
    assert!(answer.status.as_u16() < 500, "{about}: {} {}", answer.status, answer.text());
}

/// The body with this text at a pointer; objects on the way are made.
fn with(mut body: Value, pointer: &[&str], text: &str) -> Value {
    let place = pointer.iter().fold(&mut body, |place, name| &mut place[*name]);
    *place = text.into();
    body
}

/// The tokens of a headless TPP's customer; none if the consent cannot be authorised.
async fn tokens(tpp: &Tpp, consent: &str, scope: &str) -> Option<IssuedTokens> {
    let request = tpp.new_authorisation_request(consent, scope).await.unwrap();
    let channel = tpp.authorise_headless(&request).await.unwrap();
    assert_ne!(channel.error.as_deref(), Some("server_error"), "{consent}");
    let code = channel.code?;
    Some(IssuedTokens::from_exchange(tpp.exchange_code(&code).await.unwrap()).unwrap())
}

/// That the member is shown as it was sent: the same digits, in RFC 3339.
fn shown(body: &Value, pointer: &[&str], sent: &str, about: &str) {
    let shown = pointer.iter().fold(body, |place, name| &place[*name]).as_str();
    let shown = shown.unwrap_or_else(|| panic!("{about}: {pointer:?} is missing in {body}"));
    assert_eq!(shown.get(..10), sent.get(..10), "RW-083: {about}");
}

#[tokio::test]
async fn ais_125_account_access_lives_to_the_end_of_the_calendar() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        for edge in EDGES {
            for member in ["ExpirationDateTime", "TransactionFromDateTime", "TransactionToDateTime"] {
                let told = format!("{member} {edge}");
                let permissions = ["ReadAccountsBasic", "ReadTransactionsBasic", "ReadTransactionsCredits"];
                let asked = json!({"Data": {"Permissions": permissions}, "Risk": {}});
                let made = tpp.consent_post(&own, &with(asked, &["Data", member], edge)).await.unwrap();
                sound(&made, &told);
                if made.status != 201 {
                    assert_eq!((made.status.as_u16(), member), (400, "ExpirationDateTime"), "AIS-016, AIS-017: {told}");
                    continue;
                }
                let consent = made.ok(201)["Data"].text("ConsentId").to_owned();
                let access = CustomerAccess::of(&tpp, &own, &consent).await;
                let read = tpp.get(&own, &access.consent_path()).await.unwrap().ok(200);
                shown(&read, &["Data", member], edge, &told);
                assert_eq!(read["Data"].text("Status"), "Authorised");
                assert!(!access.account_ids().await.is_empty(), "{told}");
                for query in ["", "?fromBookingDateTime=9999-12-31T23:59:59", "?toBookingDateTime=0000-01-01"] {
                    sound(&tpp.get(access.token(), &format!("aisp/transactions{query}")).await.unwrap(), &told);
                }
                sound(&tpp.delete(&own, &access.consent_path()).await.unwrap(), &told);
            }
        }
    }
}

#[tokio::test]
async fn cbp_007_a_funds_confirmation_consent_lives_to_the_end_of_the_calendar() {
    for bank in Bank::each_engine().await {
        let asking = FundsTpp::robot(&bank).await;
        let account = funds::current(&bank, "amelia").await;
        for edge in EDGES {
            let body = with(about(&account), &["Data", "ExpirationDateTime"], edge);
            let made = asking.post(&asking.own, funds::CONSENTS, &body).await;
            sound(&made, edge);
            if made.status != 201 {
                assert_eq!(made.status, 400, "CBP-007: {edge}");
                continue;
            }
            let consent = made.ok(201)["Data"].text("ConsentId").to_owned();
            shown(&asking.read(&consent).await.ok(200), &["Data", "ExpirationDateTime"], edge, edge);
            let token = asking.tokens(&consent).await.access_token;
            let asked = question(&consent, "R-1", "1.00", "GBP");
            asking.post(&token, funds::QUESTIONS, &asked).await.ok(201);
            let path = format!("{}/{consent}", funds::CONSENTS);
            sound(&asking.tpp.delete(&asking.own, &path).await.unwrap(), edge);
        }
    }
}

/// The members of a payment consent's request that hold a time.
fn times(product: PaymentProduct) -> Vec<Vec<&'static str>> {
    let of_all = vec!["Data", "Authorisation", "CompletionDateTime"];
    let own: &[&str] = match product {
        PaymentProduct::DomesticPayment | PaymentProduct::InternationalPayment => &[],
        PaymentProduct::DomesticScheduledPayment
        | PaymentProduct::InternationalScheduledPayment
        | PaymentProduct::FilePayment => &["RequestedExecutionDateTime"],
        PaymentProduct::DomesticStandingOrder | PaymentProduct::InternationalStandingOrder => {
            &["FirstPaymentDateTime", "RecurringPaymentDateTime", "FinalPaymentDateTime"]
        }
        PaymentProduct::DomesticVrp => {
            let of_limits = |name| vec!["Data", "ControlParameters", name];
            return ["ValidFromDateTime", "ValidToDateTime"].map(of_limits).into();
        }
    };
    own.iter().map(|name| vec!["Data", "Initiation", name]).chain([of_all]).collect()
}

/// Those of the edges that payments are walked with: each on either side of what is kept, and the far past.
const EDGES_OF_PAYMENTS: [&str; 4] = [EDGES[0], EDGES[2], EDGES[3], EDGES[6]];

/// Walks one payment consent from its request to its order, or as far as it goes.
async fn walk(paying: &PayingTpp, product: PaymentProduct, pointer: &[&str], edge: &str) {
    let told = format!("{product:?} {pointer:?} {edge}");
    let mut asked = paying.asking(product);
    if pointer.contains(&"Authorisation") {
        asked["Data"]["Authorisation"] = json!({"AuthorisationType": "Any"});
    }
    let asked = with(asked, pointer, edge);
    let made = paying.post(&paying.own, consents(product), &asked).await;
    sound(&made, &told);
    if made.status != 201 {
        assert_eq!(made.status, 400, "{told}: {}", made.text());
        return;
    }
    let consent = made.ok(201)["Data"].text("ConsentId").to_owned();
    if product.requires_file() {
        return sound(&paying.get(&paying.own, &format!("{}/{consent}", consents(product))).await, &told);
    }
    shown(&paying.consent_now(product, &consent).await, pointer, edge, &told);
    if let Some(tokens) = tokens(&paying.tpp, &consent, "payments").await {
        let agreed = AgreedConsent { product, consent: consent.clone(), asked, token: tokens.access_token };
        let ordered = paying.post(&agreed.token, orders(product), &agreed.order()).await;
        sound(&ordered, &told);
        if ordered.status == 201 {
            let order = ordered.ok(201)["Data"].text(product.id_member()).to_owned();
            paying.order_now(product, &order).await;
            paying.details(product, &order).await;
        }
    }
    paying.consent_now(product, &consent).await;
    if product == PaymentProduct::DomesticVrp {
        let path = format!("{}/{consent}", consents(product));
        sound(&paying.tpp.delete(&paying.own, &path).await.unwrap(), &told);
    }
}

#[tokio::test]
async fn rw_080_payment_consents_take_or_refuse_the_ends_of_the_calendar() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        for product in TRANSFERS.into_iter().chain([PaymentProduct::FilePayment, PaymentProduct::DomesticVrp]) {
            for pointer in times(product) {
                for edge in EDGES_OF_PAYMENTS {
                    walk(&paying, product, &pointer, edge).await;
                }
            }
        }
    }
}
