//! Confirmation of Payee: whether the name that a payer was given is that of the payee's account.
//!
//! The answer is shown to the payer alone. It is never disclosed to a TPP, and no rule of the standard depends on it.

use super::Instruction;
use crate::account::AccountScheme;
use crate::payment::transfer::{NamedAccount, Route};

/// The answer of the payee's bank to a name and an account number. Source: Pay.UK, Confirmation of Payee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PayeeConfirmation {
    /// The name is that of the account.
    Match,
    /// The name is nearly that of the account.
    CloseMatch {
        /// The name of the account, as the payee's bank discloses it; at most 350 characters.
        name: String,
    },
    /// The name is not that of the account. The account's name is not disclosed.
    NoMatch,
    /// The name could not be checked.
    Unavailable(UnconfirmedReason),
}

/// Why a payee's name could not be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnconfirmedReason {
    /// The payee's bank has no such account.
    AccountNotFound,
    /// The payee's bank does not answer Confirmation of Payee requests, or not for this kind of account.
    BankNotTakingPart,
    /// There was no answer in time.
    TimedOut,
    /// The check failed, or cannot be made at present.
    Failed,
    /// The payer's bank does not send Confirmation of Payee requests.
    NotOffered,
}

/// A [`PayeeConfirmation`] without names, as it is stored and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PayeeFinding {
    /// [`PayeeConfirmation::Match`].
    Match,
    /// [`PayeeConfirmation::CloseMatch`].
    CloseMatch,
    /// [`PayeeConfirmation::NoMatch`].
    NoMatch,
    /// [`UnconfirmedReason::AccountNotFound`].
    AccountNotFound,
    /// [`UnconfirmedReason::BankNotTakingPart`].
    BankNotTakingPart,
    /// [`UnconfirmedReason::TimedOut`].
    TimedOut,
    /// [`UnconfirmedReason::Failed`].
    Failed,
    /// [`UnconfirmedReason::NotOffered`].
    NotOffered,
}

impl PayeeConfirmation {
    /// The answer without the name of the account.
    pub const fn finding(&self) -> PayeeFinding {
        match self {
            Self::Match => PayeeFinding::Match,
            Self::CloseMatch { .. } => PayeeFinding::CloseMatch,
            Self::NoMatch => PayeeFinding::NoMatch,
            Self::Unavailable(UnconfirmedReason::AccountNotFound) => PayeeFinding::AccountNotFound,
            Self::Unavailable(UnconfirmedReason::BankNotTakingPart) => PayeeFinding::BankNotTakingPart,
            Self::Unavailable(UnconfirmedReason::TimedOut) => PayeeFinding::TimedOut,
            Self::Unavailable(UnconfirmedReason::Failed) => PayeeFinding::Failed,
            Self::Unavailable(UnconfirmedReason::NotOffered) => PayeeFinding::NotOffered,
        }
    }
}

impl Instruction {
    /// The payee whose name can be checked before the customer decides: the one payee of a domestic payment, of a standing order
    /// or of a VRP consent, by an account number of this country. `None` for files, payments abroad, cards, mobile numbers and
    /// wallets, for which no such service exists.
    pub fn payee_to_confirm(&self) -> Option<&NamedAccount> {
        let payee = match self {
            Self::Transfer(transfer) => match &transfer.route {
                Route::Domestic(credit) => Some(&credit.creditor),
                Route::International(_) => None,
            },
            Self::Vrp(terms) => terms.creditor.as_ref(),
            Self::File(_) => None,
        };
        payee.filter(|payee| match payee.scheme {
            AccountScheme::SortCodeAccountNumber => true,
            AccountScheme::Iban => payee.number.starts_with("GB"),
            AccountScheme::Bban | AccountScheme::Pan | AccountScheme::Paym | AccountScheme::Wallet => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::AccountIdentification;
    use crate::money::{Amount, Currency};
    use crate::payment::transfer::{CreditorDetails, Timing, Transfer};

    #[test]
    fn only_payees_with_an_account_number_of_this_country_are_checked() {
        for (scheme, number, checked) in [
            (AccountScheme::SortCodeAccountNumber, "08080021325698", true),
            (AccountScheme::Iban, "GB33BUKB20201555555555", true),
            (AccountScheme::Iban, "DE89370400440532013000", false),
            (AccountScheme::Pan, "4111111111111111", false),
            (AccountScheme::Paym, "07700900123", false),
            (AccountScheme::Bban, "BUKB20201555555555", false),
            (AccountScheme::Wallet, "w", false),
        ] {
            let payee = NamedAccount::under_name(AccountIdentification::new(scheme, number), "Jo".to_owned());
            let amount = Amount::from_minor(1, Currency::GBP);
            let payment = Transfer::domestic(CreditorDetails::new(payee), amount, Timing::Immediate);
            assert_eq!(Instruction::from(payment).payee_to_confirm().is_some(), checked, "{number}");
        }
    }
}
