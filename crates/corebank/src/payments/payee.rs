//! The account an order pays to, as the bank writes it down.

use super::stored_text::StoredText;
use lombard_domain::account::{AccountIdentification, AccountScheme};
use serde::{Deserialize, Serialize};

/// The account paid to. It is not the domain's, as it may have a scheme's name of an earlier release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PayeeAccount {
    scheme: StoredText<AccountScheme>,
    number: String,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secondary: Option<String>,
}

impl PayeeAccount {
    pub(super) fn of(account: &AccountIdentification, name: &str) -> Self {
        Self {
            scheme: StoredText(account.scheme),
            number: account.number.clone(),
            name: name.to_owned(),
            secondary: account.secondary.clone(),
        }
    }

    /// The payee's name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The payee's account.
    pub(super) fn account(&self) -> AccountIdentification {
        AccountIdentification {
            scheme: self.scheme.0,
            number: self.number.clone(),
            name: Some(self.name.clone()),
            secondary: self.secondary.clone(),
        }
    }
}
