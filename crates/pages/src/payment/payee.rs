//! The result of Confirmation of Payee, in words.

use crate::text;
use lombard_domain::payment::order::{PayeeConfirmation, UnconfirmedReason};

/// The result of Confirmation of Payee, as the payer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PayeeCheck {
    /// The name matches the name of the account.
    Match,
    /// The name closely matches the name of the account.
    Close {
        /// The name of the account.
        name: String,
    },
    /// The name does not match the name of the account.
    NoMatch,
    /// The name could not be checked.
    Unconfirmed(UnconfirmedView),
}

/// Why a name could not be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnconfirmedView {
    /// The reason, as a sentence.
    pub because: &'static str,
    /// Whether the account number is probably wrong.
    pub is_alarming: bool,
}

impl PayeeCheck {
    pub(crate) fn of(said: &PayeeConfirmation) -> Self {
        match said {
            PayeeConfirmation::Match => Self::Match,
            PayeeConfirmation::CloseMatch { name } => Self::Close { name: text::name(name) },
            PayeeConfirmation::NoMatch => Self::NoMatch,
            PayeeConfirmation::Unavailable(reason) => Self::Unconfirmed(UnconfirmedView::of(*reason)),
        }
    }
}

impl UnconfirmedView {
    const fn of(reason: UnconfirmedReason) -> Self {
        let because = match reason {
            UnconfirmedReason::AccountNotFound => "The payee’s bank does not know this account.",
            UnconfirmedReason::BankNotTakingPart => "The payee’s bank does not offer this check for the account.",
            UnconfirmedReason::TimedOut => "There was no answer in time.",
            UnconfirmedReason::Failed => "The check is not available at the moment.",
            UnconfirmedReason::NotOffered => "This check is not available for your payment.",
        };
        Self { because, is_alarming: matches!(reason, UnconfirmedReason::AccountNotFound) }
    }
}
