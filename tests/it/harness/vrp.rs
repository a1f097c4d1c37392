//! Helpers for VRP: requests for consents and for payments.

use super::paying::{AgreedConsent, PayingTpp, consents, orders};
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{HttpExchange, IssuedTokens};
use serde_json::{Value, json};

/// The product.
pub(crate) const VRP: PaymentProduct = PaymentProduct::DomesticVrp;

/// The payee of these consents.
fn creditor() -> Value {
    json!({
        "SchemeName": "UK.OBIE.SortCodeAccountNumber",
        "Identification": "20000319825731",
        "Name": "Somebody Else",
    })
}

/// A limit on periods, in pounds.
pub(crate) fn limit(period: &str, alignment: &str, amount: &str) -> Value {
    json!({"PeriodType": period, "PeriodAlignment": alignment, "Amount": amount, "Currency": "GBP"})
}

/// What asks for a consent: up to 100.00 at once, and these limits.
pub(crate) fn within(limits: &[Value]) -> Value {
    json!({
        "Data": {
            "ControlParameters": {
                "MaximumIndividualAmount": {"Amount": "100.00", "Currency": "GBP"},
                "PeriodicLimits": limits,
                "VRPType": ["UK.OBIE.VRPType.Sweeping"],
                "PSUAuthenticationMethods": ["UK.OBIE.SCANotRequired"],
            },
            "Initiation": {"CreditorAccount": creditor()},
        },
        "Risk": {},
    })
}

/// What asks for a consent to 200.00 a month.
pub(crate) fn asking() -> Value {
    within(&[limit("Month", "Consent", "200.00")])
}

/// What asks for a payment under a consent that was asked with this.
pub(crate) fn payment(consent: &str, asked: &Value, amount: &str) -> Value {
    json!({
        "Data": {
            "ConsentId": consent,
            "PSUAuthenticationMethod": "UK.OBIE.SCANotRequired",
            "VRPType": "UK.OBIE.VRPType.Sweeping",
            "Initiation": asked["Data"]["Initiation"],
            "Instruction": {
                "InstructionIdentification": "INSTR-1",
                "EndToEndIdentification": "E2E-1",
                "InstructedAmount": {"Amount": amount, "Currency": "GBP"},
                "CreditorAccount": creditor(),
            },
        },
        "Risk": asked["Risk"],
    })
}

/// Whether there is so much.
pub(crate) fn question(consent: &str, amount: &str) -> Value {
    json!({"Data": {"ConsentId": consent, "InstructedAmount": {"Amount": amount, "Currency": "GBP"}}})
}

/// Where that is asked.
pub(crate) fn questions(consent: &str) -> String {
    format!("{}/{consent}/funds-confirmation", consents(VRP))
}

impl AgreedConsent {
    /// What asks for a payment of so much under it.
    pub(crate) fn payment(&self, amount: &str) -> Value {
        payment(&self.consent, &self.asked, amount)
    }
}

impl PayingTpp {
    /// A consent within these limits that the TPP's customer gave at once.
    pub(crate) async fn agreed_within(&self, limits: &[Value]) -> AgreedConsent {
        self.agreed_to(VRP, within(limits)).await
    }

    /// Asks for a payment of so much under a consent.
    pub(crate) async fn pay(&self, agreed: &AgreedConsent, amount: &str) -> HttpExchange {
        self.post(&agreed.token, orders(VRP), &agreed.payment(amount)).await
    }

    /// Asks whether there is money for a payment.
    pub(crate) async fn ask_funds(&self, token: &str, consent: &str, body: &Value) -> HttpExchange {
        self.send(self.tpp.signed_call(token, &questions(consent), body).unwrap()).await
    }

    /// Has the customer agree, and the code exchanged; gives all tokens.
    pub(crate) async fn tokens(&self, consent: &str) -> IssuedTokens {
        let request = self.tpp.new_authorisation_request(consent, "payments").await.unwrap();
        let channel = self.tpp.authorise_headless(&request).await.unwrap();
        let code = channel.expect_code(&request.state).unwrap().0.to_owned();
        IssuedTokens::from_exchange(self.tpp.exchange_code(&code).await.unwrap()).unwrap()
    }
}
