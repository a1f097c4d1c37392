//! Makes an international payment. The bank quotes a rate and holds it for a time, the customer authorises both amounts, and the order uses
//! that rate.

use super::checks::{array, at, has, text};
use super::payments::{PaymentAuthorisation, order_of};
use super::run::Tour;
use http::StatusCode;
use lombard_tpp::TppError;
use serde_json::{Value, json};

/// The path of international payment consents.
const CONSENTS: &str = "pisp/international-payment-consents";
/// The path of international payment orders.
const ORDERS: &str = "pisp/international-payments";

impl Tour<'_> {
    /// Pays euros from an account in pounds.
    pub(super) async fn pay_internationally(&mut self, way: &PaymentAuthorisation<'_>) -> Result<(), TppError> {
        self.step("An international payment: euros from an account in pounds, at an actual rate");
        let asked = asking(&self.tpp.new_idempotency_key());
        let consent = self.payment_consent(way, CONSENTS, &asked).await?;
        let exchange = self.tpp.get(way.own_token, &format!("{CONSENTS}/{consent}")).await?;
        let read = self.signed_resource(exchange, StatusCode::OK).await?;
        let quote = at(&read, "/Data/ExchangeRateInformation").clone();
        let told = at(&quote, "/ExchangeRate").is_number() && text(&quote, "RateType") == "Actual";
        self.check(told, "the rate is a number (INT-010, INT-025)");
        self.check(has(&quote, "ExpirationDateTime"), "and until when it holds (INT-020)");
        self.fact(&format!("1 GBP = {} EUR until {}", at(&quote, "/ExchangeRate"), text(&quote, "ExpirationDateTime")));
        for charge in array(&read, "/Data/Charges") {
            self.fact(&format!(
                "charge: {} {}",
                text(at(&charge, "/Amount"), "Amount"),
                text(at(&charge, "/Amount"), "Currency")
            ));
        }
        let Some(leave) = self.obtain_payment_token(way, &consent).await? else { return Ok(()) };
        self.step("The order, at the quoted rate");
        let key = self.tpp.new_idempotency_key();
        let exchange = self.tpp.payment_post(&leave.token, ORDERS, &key, &order_of(&consent, &asked)).await?;
        let made = self.signed_resource(exchange, StatusCode::CREATED).await?;
        let order = text(at(&made, "/Data"), "InternationalPaymentId").to_owned();
        self.check(*at(&made, "/Data/ExchangeRateInformation") == quote, "the order repeats the rate (INT-021)");
        if self.followed(way, ORDERS, &order, self.names.credited).await?.is_some() {
            self.fact("the payee\u{2019}s bank has the euros");
        }
        Ok(())
    }
}

fn asking(unique: &str) -> Value {
    json!({
        "Data": {
            "Initiation": {
                "InstructionIdentification": unique,
                "EndToEndIdentification": format!("TOUR-{}", unique.get(..12).unwrap_or(unique)),
                "LocalInstrument": "UK.OBIE.SEPAInstantCreditTransfer",
                "CurrencyOfTransfer": "EUR",
                "InstructedAmount": {"Amount": "20.00", "Currency": "EUR"},
                "ExchangeRateInformation": {"UnitCurrency": "GBP", "RateType": "Actual"},
                "CreditorAccount": {
                    "SchemeName": "UK.OBIE.IBAN",
                    "Identification": "DE89370400440532013000",
                    "Name": "Kaffee und Kuchen",
                },
            },
        },
        "Risk": {},
    })
}
