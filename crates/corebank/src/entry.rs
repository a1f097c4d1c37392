//! Creates entries with the members that all entries have.

use super::channel::Channel;
use jiff::Timestamp;
use lombard_domain::account::{EntryStatus, Mutability, Transaction};
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_domain::money::SignedAmount;

/// A new entry with an id, a time and the codes of its channel.
pub fn new(
    account: &BankAccountId,
    id: TransactionId,
    at: Timestamp,
    sum: SignedAmount,
    channel: Channel,
) -> Transaction {
    Transaction {
        account: account.clone(),
        id,
        reference: None,
        statement_references: Vec::new(),
        sum,
        status: EntryStatus::Booked,
        mutability: Mutability::Immutable,
        booked_at: at,
        value_at: Some(at),
        information: None,
        address_line: None,
        charge: None,
        exchange: None,
        bank_code: Some(channel.bank_code(sum.direction())),
        proprietary_code: Some(channel.own_code()),
        balance: None,
        merchant: None,
        other_party: None,
        card: None,
        payment: None,
    }
}
