//! What every entry a customer sees starts from.

use super::accounts::OpenedAccount;
use super::channel::Channel;
use super::habit::{OutsideAccount, OutsideAccountNumber};
use super::habit_run::HabitRun;
use super::numbers;
use lombard_corebank::entry;
use lombard_domain::account::{AccountIdentification, AccountScheme, BankIdentification, OtherParty, Transaction};
use lombard_domain::ids::TransactionId;
use lombard_domain::money::SignedAmount;

/// An entry of so many minor units on an account, now, with the codes of its channel and nothing else.
pub(super) fn new(turn: &mut HabitRun<'_>, own: &OpenedAccount, minor: i64, channel: Channel) -> Transaction {
    let id = TransactionId::new(turn.chance.id_at(turn.at));
    entry::new(own.id(), id, turn.at, SignedAmount::from_minor(minor, own.currency()), channel)
}

/// The other side of an entry, as a bank knows it. Source: AIS-130.
pub(super) fn other_party(party: &OutsideAccount) -> OtherParty {
    let (scheme, number, bic) = match party.place {
        OutsideAccountNumber::Uk { number, bic } => (AccountScheme::SortCodeAccountNumber, number.to_owned(), bic),
        OutsideAccountNumber::Iban { country, bban, bic } => (AccountScheme::Iban, numbers::iban(country, bban), bic),
        OutsideAccountNumber::Bban { number, bic } => (AccountScheme::Bban, number.to_owned(), bic),
    };
    OtherParty {
        agent: Some(BankIdentification { bic: Some(bic.to_owned()), name: None, address: None }),
        account: Some(AccountIdentification { scheme, number, name: Some(party.name.to_owned()), secondary: None }),
    }
}
