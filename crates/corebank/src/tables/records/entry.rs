//! What an entry says, beside the columns it is found, sorted and summed by.

use super::party::AgentRecord;
use super::sum::{SignedRecord, read_signed, write_signed};
use jiff::Timestamp;
use lombard_database::records::{AmountRecord, IdentificationRecord, json, read_amount, read_instant, write_amount};
use lombard_domain::account::{
    BalanceType, BankTransactionCode, CardAuthorisation, CardInstrument, CardScheme, CurrencyExchange, EntryBalance,
    EntryStatus, ExchangeRate, Merchant, Mutability, OtherParty, ProprietaryCode, Transaction,
};
use lombard_domain::code::Word;
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_domain::instant;
use lombard_domain::money::{Currency, Signed};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct EntryRecord {
    mutability: Word<Mutability>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    statement_references: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value_at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    information: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address_line: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    charge: Option<AmountRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exchange: Option<ExchangeRecord>,
    /// Code and sub-code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bank_code: Option<(String, String)>,
    /// Code and issuer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proprietary_code: Option<(String, Option<String>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    balance: Option<(Word<BalanceType>, SignedRecord)>,
    /// Name and category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    merchant: Option<(String, Option<String>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other_party: Option<OtherPartyRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    card: Option<CardRecord>,
}

#[derive(Serialize, Deserialize)]
struct ExchangeRecord {
    source: Word<Currency>,
    target: Word<Currency>,
    unit: Word<Currency>,
    /// A decimal number as text: exact.
    rate: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quoted_at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instructed: Option<AmountRecord>,
}

#[derive(Serialize, Deserialize)]
struct OtherPartyRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<AgentRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account: Option<IdentificationRecord>,
}

#[derive(Serialize, Deserialize)]
struct CardRecord {
    scheme: Word<CardScheme>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    authorisation: Option<Word<CardAuthorisation>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<String>,
}

/// The columns of an entry.
pub(crate) struct EntryColumns {
    pub(crate) account: BankAccountId,
    pub(crate) id: TransactionId,
    pub(crate) booked_at: Timestamp,
    pub(crate) sum: Signed,
    pub(crate) status: EntryStatus,
    /// Of the statement the bank put it on.
    pub(crate) statement_reference: Option<String>,
}

impl EntryRecord {
    pub(crate) fn write(entry: &Transaction) -> String {
        json(&Self {
            mutability: Word(entry.mutability),
            reference: entry.reference.clone(),
            statement_references: entry.statement_references.clone(),
            value_at: entry.value_at.map(instant::to_micros),
            information: entry.information.clone(),
            address_line: entry.address_line.clone(),
            charge: entry.charge.map(write_amount),
            exchange: entry.exchange.as_ref().map(ExchangeRecord::of),
            bank_code: entry.bank_code.as_ref().map(|it| (it.code.clone(), it.sub_code.clone())),
            proprietary_code: entry.proprietary_code.as_ref().map(|it| (it.code.clone(), it.issuer.clone())),
            balance: entry.balance.map(|it| (Word(it.kind), write_signed(it.sum))),
            merchant: entry.merchant.as_ref().map(|it| (it.name.clone(), it.category.clone())),
            other_party: entry.other_party.as_ref().map(OtherPartyRecord::of),
            card: entry.card.as_ref().map(CardRecord::of),
        })
    }

    pub(crate) fn read(text: &str, columns: EntryColumns) -> Result<Transaction, Source> {
        let mut record: Self = serde_json::from_str(text)?;
        record.statement_references.extend(columns.statement_reference);
        Ok(Transaction {
            account: columns.account,
            id: columns.id,
            booked_at: columns.booked_at,
            sum: columns.sum,
            status: columns.status,
            mutability: record.mutability.0,
            reference: record.reference,
            statement_references: record.statement_references,
            value_at: record.value_at.map(read_instant).transpose()?,
            information: record.information,
            address_line: record.address_line,
            charge: record.charge.map(read_amount),
            exchange: record.exchange.map(ExchangeRecord::into_domain).transpose()?,
            bank_code: record.bank_code.map(|(code, sub_code)| BankTransactionCode { code, sub_code }),
            proprietary_code: record.proprietary_code.map(|(code, issuer)| ProprietaryCode { code, issuer }),
            balance: record.balance.map(|(kind, sum)| EntryBalance { kind: kind.0, sum: read_signed(sum) }),
            merchant: record.merchant.map(|(name, category)| Merchant { name, category }),
            other_party: record.other_party.map(OtherPartyRecord::into_domain),
            card: record.card.map(CardRecord::into_domain),
        })
    }
}

impl ExchangeRecord {
    fn of(it: &CurrencyExchange) -> Self {
        Self {
            source: Word(it.source),
            target: Word(it.target),
            unit: Word(it.unit),
            rate: it.rate.0.to_string(),
            quoted_at: it.quoted_at.map(instant::to_micros),
            instructed: it.instructed.map(write_amount),
        }
    }

    fn into_domain(self) -> Result<CurrencyExchange, Source> {
        Ok(CurrencyExchange {
            source: self.source.0,
            target: self.target.0,
            unit: self.unit.0,
            rate: ExchangeRate(self.rate.parse()?),
            quoted_at: self.quoted_at.map(read_instant).transpose()?,
            instructed: self.instructed.map(read_amount),
        })
    }
}

impl OtherPartyRecord {
    fn of(it: &OtherParty) -> Self {
        Self {
            agent: it.agent.as_ref().map(AgentRecord::of),
            account: it.account.as_ref().map(IdentificationRecord::of),
        }
    }

    fn into_domain(self) -> OtherParty {
        OtherParty {
            agent: self.agent.map(AgentRecord::into_domain),
            account: self.account.map(IdentificationRecord::into_domain),
        }
    }
}

impl CardRecord {
    fn of(it: &CardInstrument) -> Self {
        Self {
            scheme: Word(it.scheme),
            authorisation: it.authorisation.map(Word),
            name: it.name.clone(),
            number: it.number.clone(),
        }
    }

    fn into_domain(self) -> CardInstrument {
        CardInstrument {
            scheme: self.scheme.0,
            authorisation: self.authorisation.map(|word| word.0),
            name: self.name,
            number: self.number,
        }
    }
}
