//! The account an order pays to, as the bank writes it down.

use super::kept::Kept;
use lombard_domain::account::{AccountScheme, Identification};
use serde::{Deserialize, Serialize};

/// The account paid to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Payee {
    scheme: Kept<AccountScheme>,
    number: String,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secondary: Option<String>,
}

impl Payee {
    pub(super) fn of(account: &Identification, name: &str) -> Self {
        Self {
            scheme: Kept(account.scheme),
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
    pub(super) fn account(&self) -> Identification {
        Identification {
            scheme: self.scheme.0,
            number: self.number.clone(),
            name: Some(self.name.clone()),
            secondary: self.secondary.clone(),
        }
    }
}
