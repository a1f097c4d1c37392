//! Makes variable recurring payments. The customer authorises limits once. Payments within the limits need no further authorisation; a
//! payment above a limit is refused.

use super::checks::{array, at, text};
use super::names::VersionNames;
use super::payments::PaymentAuthorisation;
use super::run::Tour;
use http::StatusCode;
use lombard_tpp::TppError;
use serde_json::{Value, json};

/// The path of VRP consents.
pub(super) const CONSENTS: &str = "pisp/domestic-vrp-consents";
/// The path of VRP payments.
pub(super) const ORDERS: &str = "pisp/domestic-vrps";

impl Tour<'_> {
    /// Pays twice under one consent, and is refused when a payment exceeds the limit.
    pub(super) async fn pay_by_vrp(&mut self, way: &PaymentAuthorisation<'_>) -> Result<(), TppError> {
        self.step("A VRP consent: at most 5.00 per payment and 8.00 a month");
        let asked = asking(&self.names);
        let consent = self.payment_consent(way, CONSENTS, &asked).await?;
        let Some(leave) = self.obtain_payment_token(way, &consent).await? else { return Ok(()) };
        self.check(leave.lasts, "a VRP consent has a refresh token (VRP-021)");
        let exchange = self.tpp.get(way.own_token, &format!("{CONSENTS}/{consent}")).await?;
        let read = self.signed_resource(exchange, StatusCode::OK).await?;
        let named = at(&read, "/Data/DebtorAccount/Identification").is_string();
        self.check(named, "the debtor account is named (VRP-019)");

        self.step("Confirmation of funds for 5.00");
        let question = json!({"Data": {
            "ConsentId": consent, "InstructedAmount": {"Amount": "5.00", "Currency": "GBP"},
        }});
        let path = format!("{CONSENTS}/{consent}/funds-confirmation");
        let exchange = self.tpp.send(self.tpp.signed_call(&leave.token, &path, &question)?).await?;
        let answer = self.signed_resource(exchange, StatusCode::CREATED).await?;
        let said = text(at(&answer, "/Data/FundsAvailableResult"), "FundsAvailable").to_owned();
        self.check(said == "Available" || said == "NotAvailable", "the answer is Available or NotAvailable (VRP-072)");
        self.fact(&said);

        self.step("Two payments, and one above the limit");
        for (amount, status) in [("5.00", StatusCode::CREATED), ("3.00", StatusCode::CREATED)] {
            let body = ordering(&self.names, &consent, &asked, amount);
            let exchange = self.tpp.payment_post(&leave.token, ORDERS, &self.tpp.new_idempotency_key(), &body).await?;
            let made = self.signed_resource(exchange, status).await?;
            let order = text(at(&made, "/Data"), "DomesticVRPId").to_owned();
            self.check((1..=40).contains(&order.len()), "the payment has an id (VRP-059)");
            self.fact(&format!("{order}: {amount} GBP"));
            self.followed(way, ORDERS, &order, self.names.credited).await?;
        }
        let body = ordering(&self.names, &consent, &asked, "0.01");
        let exchange = self.tpp.payment_post(&leave.token, ORDERS, &self.tpp.new_idempotency_key(), &body).await?;
        let exchange = self.tpp.verify_response(exchange).await?;
        let refused = self.answer(exchange, StatusCode::BAD_REQUEST)?;
        let codes = array(&refused, "/Errors");
        let breach = codes.iter().any(|it| text(it, "ErrorCode") == self.names.limit_breach);
        self.check(breach, "nothing is left of the month\u{2019}s limit (VRP-055)");
        self.fact(codes.first().map_or("", |it| text(it, "Message")));

        self.step("The TPP deletes the consent");
        let gone = self
            .tpp
            .delete(way.own_token, &format!("{CONSENTS}/{consent}"))
            .await?
            .expect_status(StatusCode::NO_CONTENT)?;
        self.check(gone.body.is_empty(), "204 has no body (VRP-080)");
        let after = self.tpp.payment_post(&leave.token, ORDERS, &self.tpp.new_idempotency_key(), &body).await?;
        self.check(after.status == StatusCode::UNAUTHORIZED, "its token is revoked with it (VRP-082)");
        Ok(())
    }
}

pub(super) fn asking(names: &VersionNames) -> Value {
    json!({
        "Data": {
            "ControlParameters": {
                "VRPType": ["UK.OBIE.VRPType.Other"],
                "PSUAuthenticationMethods": ["UK.OBIE.SCANotRequired"],
                "PSUInteractionTypes": ["OffSession"],
                "MaximumIndividualAmount": {"Amount": "5.00", "Currency": "GBP"},
                "PeriodicLimits": [{
                    "PeriodType": "Month", "PeriodAlignment": "Consent", "Amount": "8.00", "Currency": "GBP",
                }],
            },
            "Initiation": {
                "CreditorAccount": {
                    "SchemeName": "UK.OBIE.SortCodeAccountNumber",
                    "Identification": "20000319825731",
                    "Name": "Tea and Scones",
                },
                "RemittanceInformation": names.remittance("TOUR"),
            },
        },
        "Risk": {},
    })
}

pub(super) fn ordering(names: &VersionNames, consent: &str, asked: &Value, amount: &str) -> Value {
    json!({
        "Data": {
            "ConsentId": consent,
            "PSUAuthenticationMethod": "UK.OBIE.SCANotRequired",
            "PSUInteractionType": "OffSession",
            "VRPType": "UK.OBIE.VRPType.Other",
            "Initiation": at(asked, "/Data/Initiation"),
            "Instruction": {
                "InstructionIdentification": "TOUR-VRP",
                "EndToEndIdentification": "TOUR-VRP",
                "RemittanceInformation": names.remittance("TOUR"),
                "InstructedAmount": {"Amount": amount, "Currency": "GBP"},
                "CreditorAccount": at(asked, "/Data/Initiation/CreditorAccount"),
            },
        },
        "Risk": at(asked, "/Risk"),
    })
}
