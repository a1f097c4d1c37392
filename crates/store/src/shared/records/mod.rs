//! JSON documents in columns: records private to the store, so that neither a domain type nor the wire can change
//! what is stored by being renamed. A record's member names never change their meaning; new members are optional.

mod account;
mod arrangement;
mod claims;
mod credit;
mod entry;
mod exchange;
mod file;
mod file_line;
mod frequency;
mod instruction;
mod international;
mod news;
mod order;
mod party;
mod payment;
#[cfg(test)]
mod product;
#[cfg(test)]
mod properties;
mod statement;
mod terms;
#[cfg(test)]
mod tests;
mod timing;
mod vrp;

pub(super) use account::AccountRecord;
pub(super) use arrangement::ArrangementRecord;
pub(super) use claims::ClaimsRecord;
pub(super) use entry::{EntryColumns, EntryRecord};
pub(super) use file_line::FileLineRecord;
pub(super) use instruction::InstructionRecord;
pub(super) use news::NewsRecord;
pub(super) use order::{ApprovalsRecord, ProgressRecord, RailDetailRecord, StepRecord};
pub(super) use party::PartyRecord;
pub(super) use payment::ConditionsRecord;
pub(super) use statement::{StatementColumns, StatementRecord};
pub(super) use terms::TermsRecord;

use self::frequency::FrequencyRecord;
use self::party::AddressRecord;
use super::codes::Word;
use jiff::Timestamp;
use lombard_domain::account::AccountScheme;
use lombard_domain::account::{Agent, Identification};
use lombard_domain::instant;
use lombard_domain::money::{Amount, Currency, Signed};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// A list of texts as a JSON array.
pub(super) struct Words;

impl Words {
    pub(super) fn write<T: AsRef<str>>(words: &[T]) -> String {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        json(&words)
    }

    pub(super) fn read<T: From<String>>(text: &str) -> Result<Vec<T>, Source> {
        let words: Vec<String> = serde_json::from_str(text)?;
        Ok(words.into_iter().map(T::from).collect())
    }
}

/// Writes a record. Records have text keys and no floats, so writing one cannot fail.
fn json<T: Serialize>(record: &T) -> String {
    serde_json::to_string(record).unwrap_or_default()
}

fn instant(micros: i64) -> Result<Timestamp, Source> {
    Ok(instant::from_micros(micros)?)
}

/// An amount: minor units and currency.
type AmountRecord = (u64, Word<Currency>);

fn write_amount(amount: Amount) -> AmountRecord {
    (amount.minor(), Word(amount.currency()))
}

fn read_amount((minor, Word(currency)): AmountRecord) -> Amount {
    Amount::from_minor(minor, currency)
}

/// A signed sum: minor units and currency.
type SignedRecord = (i64, Word<Currency>);

fn write_signed(sum: Signed) -> SignedRecord {
    (sum.minor(), Word(sum.currency()))
}

fn read_signed((minor, Word(currency)): SignedRecord) -> Signed {
    Signed::from_minor(minor, currency)
}

#[derive(Serialize, Deserialize)]
pub(crate) struct IdentificationRecord {
    scheme: Word<AccountScheme>,
    number: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secondary: Option<String>,
}

impl IdentificationRecord {
    fn of(it: &Identification) -> Self {
        Self {
            scheme: Word(it.scheme),
            number: it.number.clone(),
            name: it.name.clone(),
            secondary: it.secondary.clone(),
        }
    }

    fn into_domain(self) -> Identification {
        Identification { scheme: self.scheme.0, number: self.number, name: self.name, secondary: self.secondary }
    }
}

#[derive(Serialize, Deserialize)]
struct AgentRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bic: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<AddressRecord>,
}

impl AgentRecord {
    fn of(it: &Agent) -> Self {
        Self { bic: it.bic.clone(), name: it.name.clone(), address: it.address.as_ref().map(AddressRecord::of) }
    }

    fn into_domain(self) -> Agent {
        Agent { bic: self.bic, name: self.name, address: self.address.map(AddressRecord::into_domain) }
    }
}
