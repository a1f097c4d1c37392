//! The payee and the references of a payment.

use super::{Instrument, RemittanceInformation};
use crate::account::{AccountIdentification, PostalAddress};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// The payee of a payment, with its references.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditorDetails {
    /// The rail, if the TPP names it; otherwise the bank chooses. Source: PIS-139.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instrument: Option<Instrument>,
    /// The creditor account.
    pub creditor: NamedAccount,
    /// The payee's address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<PostalAddress>,
    /// The references of the payment.
    #[serde(flatten)]
    pub references: References,
}

impl CreditorDetails {
    /// A payee without anything that the standard leaves optional.
    pub fn new(creditor: NamedAccount) -> Self {
        Self { instrument: None, creditor, address: None, references: References::default() }
    }
}

/// The references of a payment. Source: PIS-130, PIS-131.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct References {
    /// The TPP's `InstructionIdentification`, not passed on to the payee; at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
    /// The `EndToEndIdentification`, passed on to the payee; at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_to_end: Option<String>,
    /// The remittance reference for the payee's reconciliation; at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The unstructured remittance message to the payee; at most 140 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The whole remittance information, if it contains more than a reference and a message. Source: PIS-135.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remittance: Option<Box<RemittanceInformation>>,
}

impl References {
    /// Whether all references are absent.
    pub const fn is_empty(&self) -> bool {
        let Self { instruction, end_to_end, reference, message, remittance } = self;
        let has_texts = instruction.is_some() || end_to_end.is_some() || reference.is_some() || message.is_some();
        !has_texts && remittance.is_none()
    }
}

/// An account whose holder's name is known. Source: PIS-117.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "AccountIdentification")]
pub struct NamedAccount(AccountIdentification);

impl TryFrom<AccountIdentification> for NamedAccount {
    type Error = &'static str;

    fn try_from(account: AccountIdentification) -> Result<Self, &'static str> {
        Self::new(account).ok_or("an account that must have a name has none")
    }
}

impl NamedAccount {
    /// The account; `None` if it has no name.
    pub fn new(account: AccountIdentification) -> Option<Self> {
        account.name.is_some().then_some(Self(account))
    }

    /// The account with this name.
    pub fn under_name(account: AccountIdentification, name: String) -> Self {
        Self(AccountIdentification { name: Some(name), ..account })
    }

    /// The account without its proxy, the alias by which payers know the account.
    #[must_use]
    pub fn without_proxy(&self) -> Self {
        Self(AccountIdentification { proxy: None, ..self.0.clone() })
    }

    /// The holder's name.
    pub fn holder_name(&self) -> &str {
        self.0.name.as_deref().unwrap_or_default()
    }
}

impl Deref for NamedAccount {
    type Target = AccountIdentification;

    fn deref(&self) -> &AccountIdentification {
        &self.0
    }
}
