//! The stored creditor account of an order.

use super::stored_text::StoredText;
use lombard_domain::account::{AccountIdentification, AccountProxy, AccountScheme};
use serde::{Deserialize, Serialize};

/// The creditor account. It differs from the domain's type because its scheme may have the name of an earlier release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PayeeAccount {
    scheme: StoredText<AccountScheme>,
    number: String,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secondary: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proxy: Option<Box<AccountProxy>>,
}

impl PayeeAccount {
    pub(super) fn of(account: &AccountIdentification, name: &str) -> Self {
        Self {
            scheme: StoredText(account.scheme),
            number: account.number.clone(),
            name: name.to_owned(),
            secondary: account.secondary.clone(),
            proxy: account.proxy.clone(),
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
            proxy: self.proxy.clone(),
        }
    }
}
