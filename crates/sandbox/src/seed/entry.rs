//! What every entry a customer sees starts from.

use super::accounts::Opened;
use super::act::Turn;
use super::channel::Channel;
use super::habit::{Party, Place};
use super::numbers;
use lombard_corebank::entry;
use lombard_domain::account::{AccountScheme, Agent, Identification, OtherParty, Transaction};
use lombard_domain::ids::TransactionId;
use lombard_domain::money::Signed;

/// An entry of so many minor units on an account, now, with the codes of its channel and nothing else.
pub(super) fn new(turn: &mut Turn<'_>, own: &Opened, minor: i64, channel: Channel) -> Transaction {
    let id = TransactionId::new(turn.chance.id_at(turn.at));
    entry::new(own.id(), id, turn.at, Signed::from_minor(minor, own.currency()), channel)
}

/// The other side of an entry, as a bank knows it. Source: AIS-130.
pub(super) fn other_party(party: &Party) -> OtherParty {
    let (scheme, number, bic) = match party.place {
        Place::Uk { number, bic } => (AccountScheme::SortCodeAccountNumber, number.to_owned(), bic),
        Place::Iban { country, bban, bic } => (AccountScheme::Iban, numbers::iban(country, bban), bic),
        Place::Bban { number, bic } => (AccountScheme::Bban, number.to_owned(), bic),
    };
    OtherParty {
        agent: Some(Agent { bic: Some(bic.to_owned()), name: None, address: None }),
        account: Some(Identification { scheme, number, name: Some(party.name.to_owned()), secondary: None }),
    }
}
