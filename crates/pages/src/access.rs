//! Texts about the end of access, and about the period of data that the access covers.

use super::payment;
use super::times::short_moment as moment;
use lombard_domain::consent::{AccountAccess, Consent};

/// The text about the end of access.
pub(super) fn ends(consent: &Consent) -> String {
    let recurring = consent.request.payment().and_then(|payment| payment.terms.instruction.vrp());
    match (recurring, consent.expires_at) {
        (Some(terms), _) => payment::ends(&terms.controls),
        (None, Some(end)) => moment(end),
        (None, None) => "When you or the application end it".to_owned(),
    }
}

/// The text about the covered transactions, if any are covered. Source: AIS-090.
pub(super) fn period(access: &AccountAccess) -> Option<String> {
    use lombard_domain::consent::Permission::{ReadTransactionsBasic, ReadTransactionsDetail};
    if !access.permissions.contains_any(&[ReadTransactionsBasic, ReadTransactionsDetail]) {
        return None;
    }
    Some(match (access.transactions_from, access.transactions_to) {
        (None, None) => "All, without limit in time".to_owned(),
        (Some(from), None) => format!("From {}", moment(from)),
        (None, Some(to)) => format!("Up to {}", moment(to)),
        (Some(from), Some(to)) => format!("From {} to {}", moment(from), moment(to)),
    })
}
