//! Confirms funds. A card issuer learns only whether the funds are available.

use super::access::{FUNDS, GrantedAccess};
use super::checks::{at, text};
use super::run::Tour;
use http::StatusCode;
use lombard_tpp::{HttpCall, TppError};
use serde_json::{Value, json};

/// The path of funds confirmation consents.
const CONSENTS: &str = "cbpii/funds-confirmation-consents";
/// The path of funds confirmations.
const QUESTIONS: &str = "cbpii/funds-confirmations";

impl Tour<'_> {
    /// Requests a funds confirmation for the debtor account.
    pub(super) async fn confirm_funds(&mut self, number: &str) -> Result<(), TppError> {
        self.step("Confirmation of funds: a yes or no without the balance");
        let own_token = self.own_token_for(FUNDS).await?;
        let asked = json!({"Data": {"DebtorAccount": {
            "SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": number,
        }}});
        let exchange = self.tpp.send(self.json(&own_token, CONSENTS, &asked)).await?;
        let answer = self.resource(exchange, StatusCode::CREATED)?;
        let consent = text(at(&answer, "/Data"), "ConsentId").to_owned();
        self.check(text(at(&answer, "/Data"), "Status") == self.names.awaiting, "it awaits authorisation (CBP-003)");
        let GrantedAccess { token, .. } = self.authorise_headless(&consent, FUNDS).await?;
        self.step("Yes or no");
        for (amount, reference) in [("1.00", "TOUR-1"), ("9999999.00", "TOUR-2")] {
            let question = json!({"Data": {
                "ConsentId": consent, "Reference": reference, "InstructedAmount": {"Amount": amount, "Currency": "GBP"},
            }});
            let exchange = self.tpp.send(self.json(&token, QUESTIONS, &question)).await?;
            let answer = self.resource(exchange, StatusCode::CREATED)?;
            let available = at(&answer, "/Data/FundsAvailable").as_bool();
            self.check(available.is_some(), "the answer is yes or no (CBP-032)");
            self.fact(&format!("{amount} GBP: {}", if available == Some(true) { "yes" } else { "no" }));
        }
        let gone = self
            .tpp
            .delete(&own_token, &format!("{CONSENTS}/{consent}"))
            .await?
            .expect_status(StatusCode::NO_CONTENT)?;
        self.check(gone.body.is_empty(), "the consent is deleted (CBP-014)");
        Ok(())
    }

    fn json(&self, token: &str, path: &str, body: &Value) -> HttpCall {
        let call = HttpCall::post(self.tpp.resource_url(path)).with_bearer(token);
        call.with_header("x-fapi-interaction-id", self.tpp.new_interaction_id()).with_json(body)
    }
}
