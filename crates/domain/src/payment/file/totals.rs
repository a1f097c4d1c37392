//! The totals of a file's lines.

use super::FileLine;
use crate::account::AccountIdentification;
use crate::money::Amount;
use crate::payment::transfer::Instrument;
use crate::stored::StoredValue;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The sum of amounts, whatever their currencies, exact. Source: FILE-013, PIS-125.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ControlSum(Decimal);

/// A control sum has more digits than can be stored exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the sum of the amounts is too large")]
pub struct ControlSumOverflow;

impl ControlSum {
    /// The number.
    pub const fn decimal(self) -> Decimal {
        self.0
    }

    /// The sum plus an amount.
    ///
    /// # Errors
    /// [`ControlSumOverflow`] if a digit would be lost.
    pub fn checked_add(self, amount: Amount) -> Result<Self, ControlSumOverflow> {
        let part = Decimal::try_from_i128_with_scale(i128::from(amount.minor()), u32::from(amount.currency().digits()));
        let part = part.map_err(|_| ControlSumOverflow)?;
        // On overflow of the digits the library rounds, and the sum has fewer decimals than its parts.
        let sum = self.0.checked_add(part).filter(|sum| sum.scale() >= self.0.scale().max(part.scale()));
        sum.map(Self).ok_or(ControlSumOverflow)
    }
}

/// A value of the lines that may be the same in the whole file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[serde(bound(serialize = "T: StoredValue", deserialize = "T: StoredValue"))]
pub enum CommonValue<T> {
    /// No line has a value.
    #[default]
    #[serde(rename = "silent")]
    Absent,
    /// All lines that have a value have this one.
    #[serde(rename = "named", with = "crate::stored")]
    Single(T),
    /// The lines have different values.
    Mixed,
}

impl<T> CommonValue<T> {
    const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

impl<T: Clone> CommonValue<T> {
    fn note(&mut self, said: Option<&T>, is_same: impl Fn(&T, &T) -> bool) {
        let Some(said) = said else { return };
        match self {
            Self::Absent => *self = Self::Single(said.clone()),
            Self::Single(named) if is_same(named, said) => {}
            Self::Single(_) | Self::Mixed => *self = Self::Mixed,
        }
    }
}

/// The totals of a file after its last line; the PSU is shown them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct FileTotals {
    /// The number of payments.
    pub count: u32,
    /// The control sum: the sum of all amounts, whatever their currencies.
    #[serde(skip)]
    pub sum: ControlSum,
    /// The sum of each currency, in the order in which the currencies occur.
    pub by_currency: Vec<Amount>,
    /// The largest amount of each currency.
    pub largest: Vec<Amount>,
    /// The number of payments that cannot be executed by their own content. Those that the bank does not offer are not
    /// included ([`FileLine::unexecuted_reason`]).
    #[serde(default)]
    pub unpayable: u32,
    /// The first and the last execution day that the lines name.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub days: Option<(Date, Date)>,
    /// The execution day.
    #[serde(default, skip_serializing_if = "CommonValue::is_absent")]
    pub execute_on: CommonValue<Date>,
    /// The debtor account.
    #[serde(default, skip_serializing_if = "CommonValue::is_absent")]
    pub debtor: CommonValue<AccountIdentification>,
    /// The rail.
    #[serde(default, skip_serializing_if = "CommonValue::is_absent")]
    pub instrument: CommonValue<Instrument>,
}

impl Serialize for FileTotals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

/// The control sum is not stored; it is computed from the sums by currency.
impl<'de> Deserialize<'de> for FileTotals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut totals = Self::deserialize(deserializer)?;
        let sum = totals.by_currency.iter().try_fold(ControlSum::default(), |sum, amount| sum.checked_add(*amount));
        totals.sum = sum.map_err(D::Error::custom)?;
        Ok(totals)
    }
}

impl FileTotals {
    /// Adds a line.
    ///
    /// # Errors
    /// [`ControlSumOverflow`].
    pub fn add(&mut self, line: &FileLine) -> Result<(), ControlSumOverflow> {
        self.sum = self.sum.checked_add(line.amount)?;
        self.count = self.count.checked_add(1).ok_or(ControlSumOverflow)?;
        of_currency(&mut self.by_currency, line.amount, u64::checked_add)?;
        of_currency(&mut self.largest, line.amount, |a, b| Some(a.max(b)))?;
        if line.payee.is_err() {
            self.unpayable = self.unpayable.saturating_add(1);
        }
        if let Some(day) = line.execute_on {
            self.days = Some(self.days.map_or((day, day), |(first, last)| (first.min(day), last.max(day))));
        }
        self.execute_on.note(line.execute_on.as_ref(), PartialEq::eq);
        self.debtor.note(line.debtor.as_ref(), AccountIdentification::is_same_account);
        self.instrument.note(line.instrument.as_ref(), PartialEq::eq);
        Ok(())
    }
}

/// Merges an amount into the entry of its currency. A file has few currencies.
fn of_currency(
    amounts: &mut Vec<Amount>,
    amount: Amount,
    join: impl Fn(u64, u64) -> Option<u64>,
) -> Result<(), ControlSumOverflow> {
    match amounts.iter_mut().find(|it| it.currency() == amount.currency()) {
        None => amounts.push(amount),
        Some(kept) => {
            let minor = join(kept.minor(), amount.minor()).ok_or(ControlSumOverflow)?;
            *kept = Amount::from_minor(minor, amount.currency());
        }
    }
    Ok(())
}
