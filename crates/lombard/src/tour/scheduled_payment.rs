//! Makes a scheduled payment. The bank keeps it until its date, and the customer cancels it earlier, so no money moves.

use super::checks::{at, text};
use super::payments::{PaymentAuthorisation, order_of};
use super::run::Tour;
use http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use lombard_tpp::TppError;
use serde_json::{Value, json};

/// The path of scheduled payment consents.
const CONSENTS: &str = "pisp/domestic-scheduled-payment-consents";
/// The path of scheduled payment orders.
const ORDERS: &str = "pisp/domestic-scheduled-payments";
/// The time between the order and its execution date.
const AHEAD: SignedDuration = SignedDuration::from_hours(10 * 24);

impl Tour<'_> {
    /// Orders a payment for a future date, and cancels it at the bank.
    pub(super) async fn pay_on_date(&mut self, way: &PaymentAuthorisation<'_>) -> Result<(), TppError> {
        self.step("A scheduled payment: authorised now, executed on its date");
        // The time has whole seconds, because the bank keeps five digits of a fraction (RW-091).
        let day = self.tpp.now().saturating_add(AHEAD).unwrap_or(Timestamp::MAX);
        let asked = asking(&format!("{day:.0}"));
        let consent = self.payment_consent(way, CONSENTS, &asked).await?;
        let Some(leave) = self.obtain_payment_token(way, &consent).await? else { return Ok(()) };
        self.step("The order: the bank keeps it");
        let key = self.tpp.new_idempotency_key();
        let exchange = self.tpp.payment_post(&leave.token, ORDERS, &key, &order_of(&consent, &asked)).await?;
        let made = self.signed_resource(exchange, StatusCode::CREATED).await?;
        let order = text(at(&made, "/Data"), "DomesticScheduledPaymentId").to_owned();
        self.check(text(at(&made, "/Data"), "Status") == self.names.scheduled, "it begins as pending (SCH-007)");
        let Some(told) = self.followed(way, ORDERS, &order, self.names.scheduled_accepted).await? else {
            return Ok(());
        };
        self.check(told == 1, "its acceptance is one event (SET-036)");

        self.step("The customer cancels it at the bank");
        self.control(&format!("/sandbox/orders/{order}/outcome"), &json!({"outcome": "cancel"})).await?;
        let status = self.order_status(way, ORDERS, &order).await?;
        self.check(status == self.names.cancelled, "the order is cancelled (SCH-008)");
        let told = self.take_rest(way, &order, Vec::new()).await?;
        self.check(told == 1, "its cancellation is one event (SET-036)");
        self.fact("cancelled; no money moved");
        Ok(())
    }
}

fn asking(when: &str) -> Value {
    json!({
        "Data": {
            "Permission": "Create",
            "Initiation": {
                "InstructionIdentification": "TOUR-LATER",
                "RequestedExecutionDateTime": when,
                "InstructedAmount": {"Amount": "40.00", "Currency": "GBP"},
                "CreditorAccount": {
                    "SchemeName": "UK.OBIE.SortCodeAccountNumber",
                    "Identification": "20000319825731",
                    "Name": "Tea and Scones",
                },
            },
        },
        "Risk": {},
    })
}
