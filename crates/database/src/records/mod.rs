//! JSON documents in columns: records of domain values that more than one schema keeps, so that neither a domain type nor
//! the wire can change what is stored by being renamed. A record's member names never change their meaning; new members
//! are optional.
#![allow(
    missing_docs,
    missing_debug_implementations,
    clippy::missing_errors_doc,
    reason = "each record mirrors a documented domain type, and reading fails when the document is not one"
)]

mod address;
mod frequency;
mod rail_detail;

pub use address::AddressRecord;
pub use frequency::FrequencyRecord;
pub use rail_detail::RailDetailRecord;

use jiff::Timestamp;
use lombard_domain::account::{AccountScheme, Identification};
use lombard_domain::code::Word;
use lombard_domain::instant;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::NamedAccount;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// A list of texts as a JSON array.
pub struct Words;

impl Words {
    pub fn write<T: AsRef<str>>(words: &[T]) -> String {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        json(&words)
    }

    pub fn read<T: From<String>>(text: &str) -> Result<Vec<T>, Source> {
        let words: Vec<String> = serde_json::from_str(text)?;
        Ok(words.into_iter().map(T::from).collect())
    }
}

/// Writes a record. Records have text keys and no floats, so writing one cannot fail.
pub fn json<T: Serialize>(record: &T) -> String {
    serde_json::to_string(record).unwrap_or_default()
}

pub fn read_instant(micros: i64) -> Result<Timestamp, Source> {
    Ok(instant::from_micros(micros)?)
}

/// An amount: minor units and currency.
pub type AmountRecord = (u64, Word<Currency>);

pub fn write_amount(amount: Amount) -> AmountRecord {
    (amount.minor(), Word(amount.currency()))
}

pub fn read_amount((minor, Word(currency)): AmountRecord) -> Amount {
    Amount::from_minor(minor, currency)
}

#[derive(Serialize, Deserialize)]
pub struct IdentificationRecord {
    scheme: Word<AccountScheme>,
    number: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secondary: Option<String>,
}

impl IdentificationRecord {
    pub fn of(it: &Identification) -> Self {
        Self {
            scheme: Word(it.scheme),
            number: it.number.clone(),
            name: it.name.clone(),
            secondary: it.secondary.clone(),
        }
    }

    /// The account under its holder's name.
    pub fn into_named(self) -> Result<NamedAccount, Source> {
        NamedAccount::new(self.into_domain()).ok_or_else(|| "an account that must have a name has none".into())
    }

    pub fn into_domain(self) -> Identification {
        Identification { scheme: self.scheme.0, number: self.number, name: self.name, secondary: self.secondary }
    }
}
