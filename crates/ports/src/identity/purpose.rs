//! What a customer authenticates for.

use lombard_domain::consent::{Consent, ConsentRequest, PaymentConsent};
use lombard_domain::grant::Digest;
use lombard_domain::money::Amount;
use lombard_domain::order::{Instruction, NamedAccount};
use lombard_domain::vrp::PeriodicLimit;

/// What an authentication is for; it must not be valid for anything else. Source: AS-142, Delegated Regulation
/// (EU) 2018/389, article 5, as the FCA's technical standards keep it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthenticationPurpose {
    /// Authentication of the PSU.
    Login,
    /// Authorisation of a payment with this amount and payee, both to be shown to the PSU who authenticates.
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
        /// The limits on periods.
        limits: Vec<PeriodicLimit>,
        /// The payee, if the consent names one.
        payee: Option<NamedAccount>,
    },
}

impl AuthenticationPurpose {
    /// The purpose for authorising a consent: a payment is linked to its amount and payee.
    pub fn of_consent(consent: &Consent) -> Self {
        match &consent.terms {
            ConsentRequest::AccountAccess(_) | ConsentRequest::FundsConfirmation(_) => Self::Login,
            ConsentRequest::Payment(payment) => Self::of_payment(payment),
        }
    }

    /// The purpose for authorising a payment consent.
    pub fn of_payment(payment: &PaymentConsent) -> Self {
        match &payment.terms.instruction {
            Instruction::Transfer(transfer) => {
                Self::Payment { amount: transfer.amount, payee: transfer.credit().creditor.clone() }
            }
            Instruction::File(terms) => {
                let totals = payment.file.as_ref().map(|file| file.totals.by_currency.clone());
                Self::File { totals: totals.unwrap_or_default(), file: terms.hash }
            }
            Instruction::Vrp(terms) => Self::Vrp {
                most: terms.controls.individual,
                limits: terms.controls.limits.to_vec(),
                payee: terms.creditor.clone(),
            },
        }
    }
}
