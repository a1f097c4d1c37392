//! Deletes the consent, and sends requests that the bank must refuse.

use super::access::GrantedAccess;
use super::checks::{array, at, text};
use super::run::Tour;
use http::StatusCode;
use lombard_tpp::{HttpCall, HttpExchange, TppError};

impl Tour<'_> {
    /// Reads the consent, deletes it, and checks that access has ended.
    pub(super) async fn revoke_access(&mut self, own_token: &str, access: &GrantedAccess) -> Result<(), TppError> {
        self.step("What the bank must refuse");
        let bare = self.tpp.send(HttpCall::get(self.tpp.resource_url("aisp/accounts"))).await?;
        self.refused(&bare, "no token, no data (RW-109)");
        let own = self.tpp.get(own_token, "aisp/accounts").await?;
        self.refused(&own, "a client credentials token gives no access to accounts (RW-047)");
        self.fact("without the customer's token nothing is shown");

        self.step("Consent deletion");
        let path = format!("aisp/account-access-consents/{}", access.consent);
        let exchange = self.tpp.get(own_token, &path).await?;
        let answer = self.resource(exchange, StatusCode::OK)?;
        self.check(text(at(&answer, "/Data"), "Status") == self.names.authorised, "the consent was authorised (T8)");
        let gone = self.tpp.delete(own_token, &path).await?.expect_status(StatusCode::NO_CONTENT)?;
        self.common_headers(&gone);
        self.check(gone.body.is_empty(), "204 has no body (RW-075)");
        let after = self.tpp.get(&access.token, "aisp/accounts").await?;
        self.refused(&after, "its token is revoked with it (AIS-063)");
        let exchange = self.tpp.get(own_token, &path).await?;
        let answer = self.answer(exchange, StatusCode::BAD_REQUEST)?;
        let codes = array(&answer, "/Errors");
        let not_found = codes.iter().any(|error| text(error, "ErrorCode") == self.names.not_found);
        self.check(not_found, "a deleted consent is not found (AIS-063)");
        self.fact("the consent is deleted and its token revoked");
        Ok(())
    }

    fn refused(&mut self, exchange: &HttpExchange, what: &str) {
        self.common_headers(exchange);
        self.check(exchange.status == StatusCode::UNAUTHORIZED && exchange.body.is_empty(), what);
    }
}
