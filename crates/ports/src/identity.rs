//! Who the PSU is: login and second factor. A real identity provider takes the sandbox's place here.

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

/// The identity provider did not answer.
#[derive(Debug, thiserror::Error)]
#[error("the identity provider is unavailable")]
pub struct IdentityError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// A customer, as the pages address them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Who.
    pub psu: PsuId,
    /// The name to show.
    pub name: String,
}

/// A second factor that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// Where the code was sent, as the page may show it to the PSU.
    pub sent_to: String,
    /// Sandbox only: the code itself, shown on the page.
    pub shown_code: Option<String>,
}

/// The purpose of a one-time code; the code must not be valid for any other purpose. Source: AS-142, Delegated Regulation
/// (EU) 2018/389, article 5, as the FCA's technical standards keep it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodePurpose {
    /// To show who somebody is.
    Login,
    /// To agree to a payment of this amount to this payee. Both belong into the message that brings the code.
    Payment {
        /// How much; of several payments, the first.
        amount: Amount,
        /// To whom.
        payee: NamedAccount,
    },
    /// To agree to the payments of a file: what they come to, and to whom they go together, which the file's digest says.
    File {
        /// The sum of each currency.
        totals: Vec<Amount>,
        /// The SHA-256 of the file.
        file: Digest,
    },
    /// To agree to payments within limits.
    Vrp {
        /// The most one of them may be.
        most: Amount,
        /// To whom, if that is agreed.
        payee: Option<NamedAccount>,
    },
}

impl CodePurpose {
    /// To agree to this.
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

/// Checks who the PSU is. Unknown user and wrong password are indistinguishable, also in time (AS-143).
#[async_trait]
pub trait IdentityProvider: Send + Sync + fmt::Debug {
    /// Checks name and password; `None` if either is wrong.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn check_password(&self, login: &str, password: &str) -> Result<Option<Person>, IdentityError>;

    /// Asks for the second factor of a journey, for a purpose. Asking again for the same purpose gives the same challenge
    /// while the journey lasts.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn request_code(
        &self,
        psu: &PsuId,
        journey: &JourneyId,
        purpose: &CodePurpose,
    ) -> Result<Challenge, IdentityError>;

    /// Checks the code of a challenge: it is right for its journey and purpose alone.
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

    /// Sandbox only: the logins a page may offer (user name and what the customer is good for); empty otherwise.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn shown_logins(&self) -> Result<Vec<(String, String)>, IdentityError>;
}
