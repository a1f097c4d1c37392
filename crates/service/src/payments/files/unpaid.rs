//! Payments of a file that are refused alone, before the bank sees them, and what is told of them. Source: FILE-023.

use lombard_domain::file::Unpayable;
use lombard_domain::order::{Instrument, RailDetail, Reason};
use lombard_domain::refusal::Fault;

/// What is told of a payment that cannot be made though it is well formed.
pub(super) fn unpayable(why: Unpayable, instrument: Option<Instrument>) -> RailDetail {
    let sentence = match why {
        Unpayable::NoAccount => "The payment names no account to pay to.",
        Unpayable::NoName => "The payment names no payee.",
        Unpayable::Account => "The account to pay to is named in a way that is not known here.",
        Unpayable::Instrument => "The payment asks for a rail that is not known here.",
        Unpayable::Exchange => "The payment is to arrive in another currency; files hold domestic payments.",
        Unpayable::Remittance => "The payment says more to the payee than a rail carries.",
    };
    refused(instrument, Some(sentence.to_owned()))
}

/// What is told of a payment that is not one that is offered: its first fault says why.
pub(super) fn faulty(faults: &[Fault], instrument: Option<Instrument>) -> RailDetail {
    refused(instrument, faults.first().map(|fault| fault.message.clone().into_owned()))
}

/// What is told of a payment that the bank refused or took back without a word of the rail's.
pub(super) fn ended(why: Reason, word: &str) -> RailDetail {
    RailDetail { instrument: None, status: word.to_owned(), reason: Some(why.detail()), description: None }
}

fn refused(instrument: Option<Instrument>, description: Option<String>) -> RailDetail {
    RailDetail { instrument, description, ..ended(Reason::Unstated, "Refused") }
}
