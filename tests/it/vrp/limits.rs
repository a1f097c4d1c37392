//! Limits of VRP consents: the payments they allow, and their usage. Dates are on the bank's clock.

use super::{DAY, end_of, secs, stored, wait, with};
use crate::harness::paying::{AgreedConsent, orders};
use crate::harness::vrp::{VRP, asking, limit, within};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt};
use serde_json::{Value, json};

const PARAMETERS: &str = "Data.ControlParameters";

/// That a payment is refused for exactly these parameters.
async fn breaches(paying: &PayingTpp, agreed: &AgreedConsent, body: &Value, expected: &[&str]) {
    let found = paying.post(&agreed.token, orders(VRP), body).await.refused(400);
    let code = "UK.OBIE.Rules.FailsControlParameters".to_owned();
    let expected: Vec<_> = expected.iter().map(|name| (code.clone(), format!("{PARAMETERS}.{name}"))).collect();
    assert_eq!(found, expected, "VRP-055");
}

#[tokio::test]
async fn vrp_055_every_breach_names_its_parameter() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let limits = [limit("Day", "Calendar", "150.00"), limit("Week", "Consent", "50.00")];
        let asked = with(within(&limits), "/Data/ControlParameters/PSUInteractionTypes", json!(["OffSession"]));
        let agreed = paying.agreed_to(VRP, asked).await;
        let pay = |amount: &str| agreed.payment(amount);
        let before = stored(&bank).await;
        breaches(&paying, &agreed, &pay("50.01"), &["PeriodicLimits[1].Amount"]).await;
        breaches(&paying, &agreed, &pay("100.01"), &["MaximumIndividualAmount.Amount", "PeriodicLimits[1].Amount"])
            .await;
        let all = ["MaximumIndividualAmount.Amount", "PeriodicLimits[0].Amount", "PeriodicLimits[1].Amount"];
        breaches(&paying, &agreed, &pay("150.01"), &all).await;
        for (at, value, name) in [
            ("/Data/VRPType", json!("UK.OBIE.VRPType.Other"), "VRPType"),
            ("/Data/PSUAuthenticationMethod", json!("UK.OBIE.SCA"), "PSUAuthenticationMethods"),
            ("/Data/PSUInteractionType", json!("InSession"), "PSUInteractionTypes"),
        ] {
            breaches(&paying, &agreed, &with(pay("1.00"), at, value), &[name]).await;
        }
        assert_eq!(stored(&bank).await, before, "nothing is stored");
        paying
            .post(&agreed.token, orders(VRP), &with(pay("50.00"), "/Data/PSUInteractionType", json!("OffSession")))
            .await
            .ok(201);
        let text = paying.pay(&agreed, "0.01").await.text().into_owned();
        assert!(text.contains("0.00 GBP is left"), "{text}");
    }
}

#[tokio::test]
async fn vrp_055_a_payment_in_another_currency_is_refused() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let agreed = paying.agreed(VRP).await;
    let euros = with(agreed.payment("1.00"), "/Data/Instruction/InstructedAmount/Currency", json!("EUR"));
    let found = paying.post(&agreed.token, orders(VRP), &euros).await.refused(400);
    // Faster Payments carries no euros, which is found before the limits are asked.
    let unsupported =
        ("UK.OBIE.Unsupported.Currency".to_owned(), "Data.Instruction.InstructedAmount.Currency".to_owned());
    assert_eq!(found, [unsupported]);
}

#[tokio::test]
async fn vrp_030_and_the_vector_a_limit_may_be_hit_exactly() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let agreed = paying.agreed(VRP).await;
        for amount in ["100.00", "50.00", "50.00"] {
            paying.pay(&agreed, amount).await.ok(201);
        }
        breaches(&paying, &agreed, &agreed.payment("0.01"), &["PeriodicLimits[0].Amount"]).await;
    }
}

#[tokio::test]
async fn vrp_031_033_and_vrp_039_the_next_period_begins_anew() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let agreed =
            paying.agreed_within(&[limit("Day", "Consent", "100.00"), limit("Week", "Consent", "150.00")]).await;
        paying.pay(&agreed, "100.00").await.ok(201);
        breaches(&paying, &agreed, &agreed.payment("1.00"), &["PeriodicLimits[0].Amount"]).await;
        wait(&bank, DAY).await;
        breaches(&paying, &agreed, &agreed.payment("50.01"), &["PeriodicLimits[1].Amount"]).await;
        paying.pay(&agreed, "50.00").await.ok(201);
        wait(&bank, 6 * DAY).await;
        paying.pay(&agreed, "100.00").await.ok(201);
    }
}

#[tokio::test]
async fn vrp_036_and_vrp_037_the_calendars_first_period_lets_its_share_through() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    // Whatever day it is, the whole year's limit is let through from January on, and less before.
    let agreed = paying.agreed_within(&[limit("Year", "Calendar", "36.50")]).await;
    let today = lombard_domain::calendar::london_date(paying.now());
    let left = today.until((jiff::Unit::Day, today.last_of_year())).unwrap().get_days() + 1;
    let whole = i32::from(today.days_in_year());
    let share = (3_650 * left * 2 + whole) / (2 * whole);
    let said = |pence: i32| format!("{}.{:02}", pence / 100, pence % 100);
    if left < whole {
        breaches(&paying, &agreed, &agreed.payment(&said(share + 1)), &["PeriodicLimits[0].Amount"]).await;
    }
    paying.pay(&agreed, &said(share)).await.ok(201);
    wait(&bank, i64::from(left) * DAY).await;
    breaches(&paying, &agreed, &agreed.payment("36.51"), &["PeriodicLimits[0].Amount"]).await;
    paying.pay(&agreed, "36.50").await.ok(201);
}

#[tokio::test]
async fn vrp_012_031_and_088_payments_can_be_made_on_the_days_agreed_to() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let now = paying.now();
        let days = json!([(now + secs(2 * DAY)).to_string(), (now + secs(4 * DAY)).to_string()]);
        let asked = with(asking(), "/Data/ControlParameters/ValidFromDateTime", days[0].clone());
        let asked = with(asked, "/Data/ControlParameters/ValidToDateTime", days[1].clone());
        let agreed = paying.agreed_to(VRP, asked).await;
        breaches(&paying, &agreed, &agreed.payment("1.00"), &["ValidFromDateTime"]).await;
        wait(&bank, 2 * DAY).await;
        paying.pay(&agreed, "1.00").await.ok(201);
        wait(&bank, 2 * DAY).await;
        paying.pay(&agreed, "1.00").await.ok(201);
        wait(&bank, DAY).await;
        breaches(&paying, &agreed, &agreed.payment("1.00"), &["ValidToDateTime"]).await;
        // VRP-088: it stands as it stood, can be asked about and deleted, and not be given again.
        assert_eq!(paying.consent_now(VRP, &agreed.consent).await["Data"].text("Status"), "Authorised");
        let question = crate::harness::vrp::question(&agreed.consent, "1.00");
        paying.ask_funds(&agreed.token, &agreed.consent, &question).await.ok(201);
        let request = paying.tpp.new_authorisation_request(&agreed.consent, "payments").await.unwrap();
        let channel = paying.tpp.authorise_headless(&request).await.unwrap();
        assert!(channel.error.is_some() && channel.code.is_none(), "VRP-022");
        let path = format!("{}/{}", crate::harness::paying::consents(VRP), agreed.consent);
        paying.tpp.delete(&paying.own, &path).await.unwrap().ok(204);
    }
}

#[tokio::test]
async fn vrp_040_what_is_rejected_is_given_back() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        // Amounts of the page for testers: taken for fraud, refused by the scheme, and kept waiting.
        let agreed =
            paying.agreed_within(&[limit("Month", "Calendar", "5000.00"), limit("Day", "Consent", "20.00")]).await;
        for amount in ["13.92", "13.91"] {
            let (id, _) = paying.ordered_of(&agreed, amount).await;
            assert_eq!(end_of(&bank, &paying, &id).await, "Rejected");
        }
        let (held, _) = paying.ordered_of(&agreed, "13.93").await;
        breaches(&paying, &agreed, &agreed.payment("6.08"), &["PeriodicLimits[1].Amount"]).await;
        let path = format!("/sandbox/orders/{held}/outcome");
        let (status, answer) = bank.ops_post(&path, &json!({"outcome": "without-posting"})).await;
        assert_eq!(status, 200, "{answer}");
        breaches(&paying, &agreed, &agreed.payment("6.08"), &["PeriodicLimits[1].Amount"]).await;
        let (status, answer) = bank.ops_post(&path, &json!({"outcome": "reject"})).await;
        assert_eq!(status, 200, "{answer}");
        assert_eq!(super::status(&paying, &held).await, "Rejected");
        paying.pay(&agreed, "20.00").await.ok(201);
        breaches(&paying, &agreed, &agreed.payment("0.01"), &["PeriodicLimits[1].Amount"]).await;
    }
}

impl PayingTpp {
    /// Makes a payment of so much; gives its id and the answer.
    async fn ordered_of(&self, agreed: &AgreedConsent, amount: &str) -> (String, Value) {
        let answer = self.pay(agreed, amount).await.ok(201);
        (answer["Data"].text("DomesticVRPId").to_owned(), answer)
    }
}
