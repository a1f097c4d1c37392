//! Helpers for account access: consent, authorisation and token.

use super::ExchangeExt;
use lombard_tpp::{IssuedTokens, Tpp};
use serde_json::Value;

/// What shows all transactions in full.
pub(crate) const ALL_TRANSACTIONS: [&str; 4] =
    ["ReadAccountsDetail", "ReadTransactionsDetail", "ReadTransactionsCredits", "ReadTransactionsDebits"];

/// A customer's leave.
#[derive(Debug, Clone)]
pub(crate) struct CustomerAccess {
    /// The TPP that has it.
    pub(crate) tpp: Tpp,
    /// The TPP's own token.
    pub(crate) own: String,
    /// The consent.
    pub(crate) consent: String,
    /// The tokens that stand on it.
    pub(crate) tokens: IssuedTokens,
}

/// Has a headless TPP's consent with these permissions authorised, and its code exchanged.
pub(crate) async fn access(tpp: &Tpp, permissions: &[&str]) -> CustomerAccess {
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, permissions).await.unwrap();
    CustomerAccess::of(tpp, &own, &consent).await
}

impl CustomerAccess {
    /// Has this consent of a headless TPP authorised, and its code exchanged.
    pub(crate) async fn of(tpp: &Tpp, own: &str, consent: &str) -> Self {
        let code = code(tpp, consent).await;
        let tokens = IssuedTokens::from_exchange(tpp.exchange_code(&code).await.unwrap()).unwrap();
        Self { tpp: tpp.clone(), own: own.to_owned(), consent: consent.to_owned(), tokens }
    }

    /// The token that stands on the consent.
    pub(crate) fn token(&self) -> &str {
        &self.tokens.access_token
    }

    /// The path of the consent.
    pub(crate) fn consent_path(&self) -> String {
        format!("aisp/account-access-consents/{}", self.consent)
    }

    /// Reads a resource that must be there.
    pub(crate) async fn read(&self, path: &str) -> Value {
        self.tpp.get(self.token(), path).await.unwrap().ok(200)
    }

    /// The ids of the accounts shared.
    pub(crate) async fn account_ids(&self) -> Vec<String> {
        let answer = self.read("aisp/accounts").await;
        let accounts = answer["Data"]["Account"].as_array().unwrap().clone();
        accounts.iter().map(|account| account["AccountId"].as_str().unwrap().to_owned()).collect()
    }
}

/// Has this consent of a headless TPP authorised; gives the code.
pub(crate) async fn code(tpp: &Tpp, consent: &str) -> String {
    let request = tpp.new_authorisation_request(consent, "accounts").await.unwrap();
    let channel = tpp.authorise_headless(&request).await.unwrap();
    channel.expect_code(&request.state).unwrap().0.to_owned()
}
