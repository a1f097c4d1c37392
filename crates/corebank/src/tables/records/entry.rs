//! The JSON document of an entry: all members that are not in columns. Queries find, sort and sum entries by the columns.

use jiff::Timestamp;
use lombard_database::document;
use lombard_domain::account::{
    BankTransactionCode, CardInstrument, CurrencyExchange, EntryBalance, EntryPayment, EntryStatus, Merchant,
    Mutability, OtherParty, ProprietaryCode, Transaction,
};
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_domain::money::{Amount, SignedAmount};
use lombard_domain::stored;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// A [`Transaction`] without its columns.
#[derive(Serialize, Deserialize)]
pub(crate) struct EntryRecord {
    mutability: Mutability,
    /// The shown status, if the column holds a different one: see [`column_status`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<EntryStatus>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    statement_references: Vec<String>,
    #[serde(default, with = "stored", skip_serializing_if = "Option::is_none")]
    value_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    information: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address_line: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    charge: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exchange: Option<CurrencyExchange>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bank_code: Option<BankTransactionCode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proprietary_code: Option<ProprietaryCode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    balance: Option<EntryBalance>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    merchant: Option<Merchant>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other_party: Option<OtherParty>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    card: Option<CardInstrument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payment: Option<Box<EntryPayment>>,
}

/// The columns of an entry.
pub(crate) struct EntryColumns {
    pub(crate) account: BankAccountId,
    pub(crate) id: TransactionId,
    pub(crate) booked_at: Timestamp,
    pub(crate) sum: SignedAmount,
    pub(crate) status: EntryStatus,
    /// The reference of the statement to which the bank assigned the entry.
    pub(crate) statement_reference: Option<String>,
}

/// The status under which the bank processes an entry. A future entry is booked like a pending one, and an information entry moves no
/// money, like a rejected one. The JSON document keeps the status that is shown. Source: AIS-135.
pub(crate) const fn column_status(status: EntryStatus) -> EntryStatus {
    match status {
        EntryStatus::Booked => EntryStatus::Booked,
        EntryStatus::Pending | EntryStatus::Future => EntryStatus::Pending,
        EntryStatus::Rejected | EntryStatus::Information => EntryStatus::Rejected,
    }
}

impl EntryRecord {
    pub(crate) fn write(entry: &Transaction) -> String {
        let entry = entry.clone();
        document::write(&Self {
            mutability: entry.mutability,
            status: Some(entry.status).filter(|status| column_status(*status) != *status),
            reference: entry.reference,
            statement_references: entry.statement_references,
            value_at: entry.value_at,
            information: entry.information,
            address_line: entry.address_line,
            charge: entry.charge,
            exchange: entry.exchange,
            bank_code: entry.bank_code,
            proprietary_code: entry.proprietary_code,
            balance: entry.balance,
            merchant: entry.merchant,
            other_party: entry.other_party,
            card: entry.card,
            payment: entry.payment,
        })
    }

    pub(crate) fn read(text: &str, columns: EntryColumns) -> Result<Transaction, Source> {
        let mut record: Self = document::read(text)?;
        record.statement_references.extend(columns.statement_reference);
        Ok(Transaction {
            account: columns.account,
            id: columns.id,
            booked_at: columns.booked_at,
            sum: columns.sum,
            status: record.status.unwrap_or(columns.status),
            mutability: record.mutability,
            reference: record.reference,
            statement_references: record.statement_references,
            value_at: record.value_at,
            information: record.information,
            address_line: record.address_line,
            charge: record.charge,
            exchange: record.exchange,
            bank_code: record.bank_code,
            proprietary_code: record.proprietary_code,
            balance: record.balance,
            merchant: record.merchant,
            other_party: record.other_party,
            card: record.card,
            payment: record.payment,
        })
    }
}
