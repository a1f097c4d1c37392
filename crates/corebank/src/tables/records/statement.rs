//! What a statement says, beside the columns it is found and sorted by.

use super::sum::{SignedRecord, read_signed, write_signed};
use jiff::Timestamp;
use lombard_database::records::{AmountRecord, json, read_amount, read_instant, write_amount};
use lombard_domain::account::{
    FeeFrequency, FeeRateType, InterestFrequency, InterestRateType, Statement, StatementAmountType, StatementBenefit,
    StatementBenefitType, StatementDateType, StatementFee, StatementFeeType, StatementInterest, StatementInterestType,
    StatementRateType, StatementType, StatementValueType,
};
use lombard_domain::code::{Code, Word};
use lombard_domain::ids::{BankAccountId, StatementId};
use lombard_domain::instant;
use lombard_ports::store::Source;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct StatementRecord {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    descriptions: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    benefits: Vec<(Word<StatementBenefitType>, AmountRecord)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fees: Vec<FeeRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    interest: Vec<InterestRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    amounts: Vec<(Word<StatementAmountType>, SignedRecord)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dates: Vec<(Word<StatementDateType>, i64)>,
    /// Rates are decimal numbers as text: exact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rates: Vec<(Word<StatementRateType>, String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<(Word<StatementValueType>, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    total: Option<AmountRecord>,
}

/// A fee; the rate is a decimal number as text.
#[derive(Serialize, Deserialize)]
struct FeeRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    kind: Word<StatementFeeType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rate: Option<(String, Word<FeeRateType>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    frequency: Option<Word<FeeFrequency>>,
    sum: SignedRecord,
}

/// Interest; the rate is a decimal number as text.
#[derive(Serialize, Deserialize)]
struct InterestRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    kind: Word<StatementInterestType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rate: Option<(String, Word<InterestRateType>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    frequency: Option<Word<InterestFrequency>>,
    sum: SignedRecord,
}

/// The columns of a statement.
pub(crate) struct StatementColumns {
    pub(crate) id: StatementId,
    pub(crate) account: BankAccountId,
    pub(crate) kind: StatementType,
    pub(crate) reference: Option<String>,
    pub(crate) starts_at: Timestamp,
    pub(crate) ends_at: Timestamp,
    pub(crate) created_at: Timestamp,
}

impl StatementRecord {
    pub(crate) fn write(it: &Statement) -> String {
        json(&Self {
            descriptions: it.descriptions.clone(),
            benefits: it.benefits.iter().map(|it| (Word(it.kind), write_amount(it.amount))).collect(),
            fees: it.fees.iter().map(FeeRecord::of).collect(),
            interest: it.interest.iter().map(InterestRecord::of).collect(),
            amounts: it.amounts.iter().map(|(kind, sum)| (Word(*kind), write_signed(*sum))).collect(),
            dates: it.dates.iter().map(|(kind, at)| (Word(*kind), instant::to_micros(*at))).collect(),
            rates: it.rates.iter().map(|(kind, rate)| (Word(*kind), rate.to_string())).collect(),
            values: it.values.iter().map(|(kind, value)| (Word(*kind), value.clone())).collect(),
            total: it.total.map(write_amount),
        })
    }

    pub(crate) fn read(text: &str, columns: StatementColumns) -> Result<Statement, Source> {
        let record: Self = serde_json::from_str(text)?;
        let benefit = |(kind, amount): (Word<_>, _)| StatementBenefit { kind: kind.0, amount: read_amount(amount) };
        let date = |(kind, at): (Word<_>, _)| Ok::<_, Source>((kind.0, read_instant(at)?));
        let number = |(kind, rate): (Word<_>, String)| Ok::<_, Source>((kind.0, rate.parse()?));
        Ok(Statement {
            id: columns.id,
            account: columns.account,
            reference: columns.reference,
            kind: columns.kind,
            starts_at: columns.starts_at,
            ends_at: columns.ends_at,
            created_at: columns.created_at,
            descriptions: record.descriptions,
            benefits: record.benefits.into_iter().map(benefit).collect(),
            fees: record.fees.into_iter().map(FeeRecord::into_domain).collect::<Result<_, _>>()?,
            interest: record.interest.into_iter().map(InterestRecord::into_domain).collect::<Result<_, _>>()?,
            amounts: record.amounts.into_iter().map(|(kind, sum)| (kind.0, read_signed(sum))).collect(),
            dates: record.dates.into_iter().map(date).collect::<Result<_, _>>()?,
            rates: record.rates.into_iter().map(number).collect::<Result<_, _>>()?,
            values: record.values.into_iter().map(|(kind, value)| (kind.0, value)).collect(),
            total: record.total.map(read_amount),
        })
    }
}

fn write_rate<T: Copy>(rate: Option<(Decimal, T)>) -> Option<(String, Word<T>)> {
    rate.map(|(rate, kind)| (rate.to_string(), Word(kind)))
}

fn read_rate<T: Code>(rate: Option<(String, Word<T>)>) -> Result<Option<(Decimal, T)>, Source> {
    rate.map(|(rate, kind)| Ok((rate.parse()?, kind.0))).transpose()
}

impl FeeRecord {
    fn of(it: &StatementFee) -> Self {
        Self {
            description: it.description.clone(),
            kind: Word(it.kind),
            rate: write_rate(it.rate),
            frequency: it.frequency.map(Word),
            sum: write_signed(it.sum),
        }
    }

    fn into_domain(self) -> Result<StatementFee, Source> {
        Ok(StatementFee {
            description: self.description,
            kind: self.kind.0,
            rate: read_rate(self.rate)?,
            frequency: self.frequency.map(|word| word.0),
            sum: read_signed(self.sum),
        })
    }
}

impl InterestRecord {
    fn of(it: &StatementInterest) -> Self {
        Self {
            description: it.description.clone(),
            kind: Word(it.kind),
            rate: write_rate(it.rate),
            frequency: it.frequency.map(Word),
            sum: write_signed(it.sum),
        }
    }

    fn into_domain(self) -> Result<StatementInterest, Source> {
        Ok(StatementInterest {
            description: self.description,
            kind: self.kind.0,
            rate: read_rate(self.rate)?,
            frequency: self.frequency.map(|word| word.0),
            sum: read_signed(self.sum),
        })
    }
}
