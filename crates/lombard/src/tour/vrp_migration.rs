//! Moves a VRP consent from v3.1 to v4.0. The consent can be read and used through v4.0 at once, and a patch stores it in the newer form.
//! Its id, token and used limits stay the same. Source: V4-020, V4-025, V4-026.

use super::checks::{at, text};
use super::payments::PaymentAuthorisation;
use super::run::Tour;
use super::vrp::{CONSENTS, ORDERS, asking, ordering};
use http::{Method, StatusCode};
use lombard_domain::version::Version;
use lombard_tpp::TppError;
use serde_json::json;

/// A payment context that v4.0 has deprecated. Source: V4-028.
const DEPRECATED: &str = "PartyToParty";
/// The media type of a patch.
const PATCH: &str = "application/json-patch+json";

impl Tour<'_> {
    /// Creates a consent through v3.1, and continues with it through v4.0.
    pub(super) async fn take_vrp_over(&mut self, way: &PaymentAuthorisation<'_>) -> Result<(), TppError> {
        let newer = self.tpp.clone();
        self.use_version(Version::V3_1);
        self.step("A VRP consent of v3.1, which is to go on in v4.0");
        let mut asked = asking(&self.names);
        if let Some(risk) = asked.get_mut("Risk") {
            *risk = json!({"PaymentContextCode": DEPRECATED});
        }
        let consent = self.payment_consent(way, CONSENTS, &asked).await?;
        let Some(leave) = self.obtain_payment_token(way, &consent).await? else { return Ok(()) };
        let body = ordering(&self.names, &consent, &asked, "5.00");
        let exchange = self.tpp.payment_post(&leave.token, ORDERS, &self.tpp.new_idempotency_key(), &body).await?;
        self.signed_resource(exchange, StatusCode::CREATED).await?;
        self.fact("5.00 of the month\u{2019}s 8.00 are used, through v3.1");

        self.use_version(Version::V4_0);
        self.step("The same consent through v4.0, and its migration by a patch");
        let path = format!("{CONSENTS}/{consent}");
        let exchange = self.tpp.get(way.own_token, &path).await?;
        let shown = self.signed_resource(exchange, StatusCode::OK).await?;
        let mapped = at(&shown, "/Data/Initiation/RemittanceInformation") == &self.names.remittance("TOUR");
        self.check(mapped, "v4.0 shows it in its own form (V4-026)");
        let patch = json!([
            {"op": "test", "path": "/Data/Status", "value": self.names.authorised},
            {"op": "replace", "path": "/Risk/PaymentContextCode", "value": "TransferToThirdParty"},
        ]);
        let token = way.own_token;
        let key = newer.new_idempotency_key();
        let call = self.tpp.media_call(Method::PATCH, token, &path, &key, PATCH, &patch.to_string())?;
        let exchange = self.tpp.send(call).await?;
        let stored = self.signed_resource(exchange, StatusCode::OK).await?;
        let same = ["ConsentId", "Status", "StatusUpdateDateTime", "ControlParameters"]
            .iter()
            .all(|name| at(&stored, "/Data").get(name) == at(&shown, "/Data").get(name));
        self.check(same, "id, status and limits stay (V4-020)");

        let asked = json!({"Data": at(&stored, "/Data"), "Risk": at(&stored, "/Risk")});
        let order = ordering(&self.names, &consent, &asked, "3.01");
        let exchange = self.tpp.payment_post(&leave.token, ORDERS, &self.tpp.new_idempotency_key(), &order).await?;
        let exchange = self.tpp.verify_response(exchange).await?;
        self.answer(exchange, StatusCode::BAD_REQUEST)?;
        let order = ordering(&self.names, &consent, &asked, "3.00");
        let exchange = self.tpp.payment_post(&leave.token, ORDERS, &self.tpp.new_idempotency_key(), &order).await?;
        let made = self.signed_resource(exchange, StatusCode::CREATED).await?;
        let order = text(at(&made, "/Data"), "DomesticVRPId").to_owned();
        self.fact("3.01 is refused, 3.00 is paid: the month\u{2019}s limit goes on, with the same token");
        self.followed(way, ORDERS, &order, self.names.credited).await?;

        self.use_version(Version::V3_1);
        let exchange = self.tpp.get(way.own_token, &path).await?;
        self.check(exchange.status == StatusCode::BAD_REQUEST, "v3.1 no longer has it (V4-025)");
        self.use_version(Version::V4_0);
        Ok(())
    }
}
