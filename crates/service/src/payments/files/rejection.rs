//! Payments of a file that are rejected before the bank receives them, with their reasons. Source: FILE-023.

use lombard_domain::payment::file::{UnexecutedReason, UnpayableReason};
use lombard_domain::payment::order::{RailDetail, RejectionReason};
use lombard_domain::payment::transfer::Instrument;

/// The detail of a payment that is not executed, although the other payments of the file are.
pub(super) fn refusal_reason(why: UnexecutedReason, instrument: Option<Instrument>) -> RailDetail {
    let sentence = match why {
        UnexecutedReason::Unpayable(why) => unpayable(why).into(),
        UnexecutedReason::NotOffered(fault) => fault.message,
    };
    let description = Some(sentence.into_owned());
    RailDetail { instrument, description, ..ended(RejectionReason::NotGiven, "Refused") }
}

const fn unpayable(why: UnpayableReason) -> &'static str {
    match why {
        UnpayableReason::NoAccount => "The payment names no account to pay to.",
        UnpayableReason::NoName => "The payment names no payee.",
        UnpayableReason::Account => "The account to pay to is named in a way that is not known here.",
        UnpayableReason::Instrument => "The payment asks for a rail that is not known here.",
        UnpayableReason::Exchange => "The payment is to arrive in another currency; files hold domestic payments.",
        UnpayableReason::Remittance => "The payment says more to the payee than a rail carries.",
    }
}

/// The detail of a payment that the bank refused or took back without a status of the rail.
pub(super) fn ended(why: RejectionReason, word: &str) -> RailDetail {
    RailDetail { instrument: None, status: word.to_owned(), reason: Some(why.detail()), description: None }
}
