//! The identity provider port: authentication of the PSU by password and second factor. The sandbox implements it; a
//! bank's provider replaces it.

#[cfg(any(test, feature = "testing"))]
mod stub;

#[cfg(any(test, feature = "testing"))]
pub use stub::StubIdentity;

use async_trait::async_trait;
use lombard_domain::consent::PaymentConsent;
use lombard_domain::grant::Digest;
use lombard_domain::ids::{JourneyId, PsuId};
use lombard_domain::money::Amount;
use lombard_domain::order::{Instruction, NamedAccount};
use std::fmt;

/// The identity provider is unavailable.
#[derive(Debug, thiserror::Error)]
#[error("the identity provider is unavailable")]
pub struct IdentityError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// A customer, with the name that pages show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The PSU's id.
    pub psu: PsuId,
    /// The name to show.
    pub name: String,
}

/// A request for the second factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// Where the code was sent, as the page may show it to the PSU.
    pub sent_to: String,
    /// Sandbox only: the code itself, which the page shows.
    pub shown_code: Option<String>,
}

/// The purpose of a one-time code; the code must not be valid for any other purpose. Source: AS-142, Delegated Regulation
/// (EU) 2018/389, article 5, as the FCA's technical standards keep it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodePurpose {
    /// Authentication of the PSU.
    Login,
    /// Authorisation of a payment with this amount and payee, both to be shown in the message with the code.
    Payment {
        /// The amount; for a schedule, that of the first payment.
        amount: Amount,
        /// The payee.
        payee: NamedAccount,
    },
    /// Authorisation of a payment file: its totals, and its digest, which stands for all payees.
    File {
        /// The sum of each currency.
        totals: Vec<Amount>,
        /// The SHA-256 of the file.
        file: Digest,
    },
    /// Authorisation of a VRP consent.
    Vrp {
        /// The maximum individual amount.
        most: Amount,
        /// The payee, if the consent names one.
        payee: Option<NamedAccount>,
    },
}

impl CodePurpose {
    /// The purpose for authorising a payment consent.
    pub fn payment(payment: &PaymentConsent) -> Self {
        match &payment.terms.instruction {
            Instruction::Transfer(transfer) => {
                Self::Payment { amount: transfer.amount, payee: transfer.credit().creditor.clone() }
            }
            Instruction::File(terms) => {
                let totals = payment.file.as_ref().map(|file| file.totals.by_currency.clone());
                Self::File { totals: totals.unwrap_or_default(), file: terms.hash }
            }
            Instruction::Vrp(terms) => Self::Vrp { most: terms.controls.individual, payee: terms.creditor.clone() },
        }
    }
}

/// Authenticates the PSU. Unknown user and wrong password are indistinguishable, also by response time (AS-143).
#[async_trait]
pub trait IdentityProvider: Send + Sync + fmt::Debug {
    /// Checks the user name and password; `None` if either is wrong.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn check_password(&self, login: &str, password: &str) -> Result<Option<Person>, IdentityError>;

    /// Requests the second factor of a journey for a purpose. A repeated request for the same purpose returns the same
    /// challenge during the journey.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn request_code(
        &self,
        psu: &PsuId,
        journey: &JourneyId,
        purpose: &CodePurpose,
    ) -> Result<Challenge, IdentityError>;

    /// Checks the code of a challenge, which is valid only for its journey and purpose.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn check_code(
        &self,
        psu: &PsuId,
        journey: &JourneyId,
        purpose: &CodePurpose,
        code: &str,
    ) -> Result<bool, IdentityError>;

    /// The person with this id.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn find_person(&self, psu: &PsuId) -> Result<Option<Person>, IdentityError>;

    /// Sandbox only: the logins that a page may offer (user name and description); empty otherwise.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn shown_logins(&self) -> Result<Vec<(String, String)>, IdentityError>;
}
