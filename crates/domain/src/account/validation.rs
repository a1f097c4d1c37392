//! Validation of account identifications in requests. Source: PIS-114, PIS-116.

use super::{AccountIdentification, AccountScheme};
use crate::refusal::{Fault, FaultCode, Field};

/// The fields of an account in a request.
pub(crate) struct AccountFields {
    /// Its scheme.
    pub(crate) scheme: Field,
    /// Its number.
    pub(crate) number: Field,
    /// Its roll number.
    pub(crate) secondary: Field,
}

/// The faults of an account that a request names, given the schemes that are allowed for it.
pub(crate) fn identification_faults(
    account: &AccountIdentification,
    schemes: &[AccountScheme],
    at: &AccountFields,
    faults: &mut Vec<Fault>,
) {
    if !schemes.contains(&account.scheme) {
        faults.push(Fault::field(
            FaultCode::UnsupportedScheme,
            at.scheme,
            "Accounts of this scheme cannot be used here.",
        ));
    }
    if !account.scheme.accepts_number(&account.number) {
        faults.push(Fault::field(
            FaultCode::UnsupportedAccountIdentifier,
            at.number,
            "This is not an account number of the scheme.",
        ));
    }
    if account.secondary.is_some() && !account.scheme.accepts_secondary() {
        faults.push(Fault::field(
            FaultCode::UnsupportedAccountSecondaryIdentifier,
            at.secondary,
            "Accounts of this scheme have no secondary identification.",
        ));
    }
}
