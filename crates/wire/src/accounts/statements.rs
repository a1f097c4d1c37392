//! Statements. Source: AIS-140 to AIS-148.

use super::{AccountForms, described_in_all};
use crate::names;
use crate::parts::{ExactNumber, WireMoney, rate};
use crate::response::{Response, write};
use crate::time::WireInstant;
use crate::{Render, RenderError, ResponseEnvelope};
use jiff::Timestamp;
use lombard_domain::account::{
    Aliased, Statement, StatementAmountType, StatementBenefit, StatementDateType, StatementFee, StatementInterest,
    StatementRateType, StatementValueType,
};
use lombard_domain::money::SignedAmount;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;

/// Source: `OBReadStatement2/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Statements<'a> {
    statement: Vec<WireStatement<'a>>,
}

/// Source: `OBStatement2`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireStatement<'a> {
    account_id: &'a str,
    statement_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    statement_reference: Option<&'a str>,
    #[schemars(extend("enum" = names::listed::statement_type()))]
    r#type: &'static str,
    start_date_time: WireInstant,
    end_date_time: WireInstant,
    creation_date_time: WireInstant,
    statement_description: &'a [String],
    statement_benefit: Vec<WireBenefit>,
    statement_fee: Vec<WireCharge<'a>>,
    statement_interest: Vec<WireCharge<'a>>,
    /// Absent without the Detail permission, never empty (RW-247, AIS-050).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    statement_amount: Vec<WireAmount>,
    statement_date_time: Vec<WireDate>,
    statement_rate: Vec<WireRate>,
    statement_value: Vec<WireValue<'a>>,
    /// Source: AIS-148.
    #[serde(skip_serializing_if = "Option::is_none")]
    total_value: Option<WireMoney>,
}

/// Source: `OBStatement2/StatementBenefit`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireBenefit {
    #[schemars(extend("enum" = names::listed::statement_benefit_type()))]
    r#type: &'static str,
    amount: WireMoney,
}

/// A fee or interest: the same members with different codes. Source: `OBStatement2/StatementFee`,
/// `OBStatement2/StatementInterest`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireCharge<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[schemars(extend("enum" = names::listed::credit_debit()))]
    credit_debit_indicator: &'static str,
    #[schemars(extend("enum" = either(names::listed::statement_fee_type(), names::listed::statement_interest_type())))]
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<ExactNumber>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = either(names::listed::fee_rate_type(), names::listed::interest_rate_type())))]
    rate_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = either(names::listed::fee_frequency(), names::listed::interest_frequency())))]
    frequency: Option<&'static str>,
    amount: WireMoney,
}

/// The codes of fees and of interest.
fn either(fees: Vec<&'static str>, interest: Vec<&'static str>) -> Vec<&'static str> {
    let mut words = [fees, interest].concat();
    words.sort_unstable();
    words.dedup();
    words
}

/// Source: `OBStatement2/StatementAmount`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireAmount {
    #[schemars(extend("enum" = names::listed::credit_debit()))]
    credit_debit_indicator: &'static str,
    #[schemars(extend("enum" = names::listed::statement_amount_type()))]
    r#type: &'static str,
    amount: WireMoney,
}

/// Source: `OBStatement2/StatementDateTime`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireDate {
    date_time: WireInstant,
    #[schemars(extend("enum" = names::listed::statement_date_type()))]
    r#type: &'static str,
}

/// Source: `OBStatement2/StatementRate`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireRate {
    rate: String,
    #[schemars(extend("enum" = names::listed::statement_rate_type()))]
    r#type: &'static str,
}

/// Source: `OBStatement2/StatementValue`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireValue<'a> {
    value: &'a str,
    #[schemars(extend("enum" = names::listed::statement_value_type()))]
    r#type: &'static str,
}

impl<'a> From<&'a Aliased<Statement>> for WireStatement<'a> {
    fn from(Aliased { alias, record }: &'a Aliased<Statement>) -> Self {
        Self {
            account_id: alias.as_str(),
            statement_id: record.id.as_str(),
            statement_reference: record.reference.as_deref(),
            r#type: names::statement_type(record.kind),
            start_date_time: WireInstant(record.starts_at),
            end_date_time: WireInstant(record.ends_at),
            creation_date_time: WireInstant(record.created_at),
            statement_description: &record.descriptions,
            statement_benefit: record.benefits.iter().map(WireBenefit::from).collect(),
            statement_fee: record.fees.iter().map(WireCharge::from).collect(),
            statement_interest: record.interest.iter().map(WireCharge::from).collect(),
            statement_amount: record.amounts.iter().map(WireAmount::from).collect(),
            statement_date_time: record.dates.iter().map(WireDate::from).collect(),
            statement_rate: record.rates.iter().map(WireRate::from).collect(),
            statement_value: record.values.iter().map(WireValue::from).collect(),
            total_value: record.total.map(WireMoney::from),
        }
    }
}

impl From<&StatementBenefit> for WireBenefit {
    fn from(benefit: &StatementBenefit) -> Self {
        Self { r#type: names::statement_benefit_type(benefit.kind), amount: benefit.amount.into() }
    }
}

impl<'a> From<&'a StatementFee> for WireCharge<'a> {
    fn from(fee: &'a StatementFee) -> Self {
        let (rate, rate_type) = fee.rate.unzip();
        Self {
            description: fee.description.as_deref(),
            credit_debit_indicator: names::credit_debit(fee.sum.direction()),
            r#type: names::statement_fee_type(fee.kind),
            rate: rate.map(ExactNumber),
            rate_type: rate_type.map(names::fee_rate_type),
            frequency: fee.frequency.map(names::fee_frequency),
            amount: fee.sum.amount().into(),
        }
    }
}

impl<'a> From<&'a StatementInterest> for WireCharge<'a> {
    fn from(interest: &'a StatementInterest) -> Self {
        let (rate, rate_type) = interest.rate.unzip();
        Self {
            description: interest.description.as_deref(),
            credit_debit_indicator: names::credit_debit(interest.sum.direction()),
            r#type: names::statement_interest_type(interest.kind),
            rate: rate.map(ExactNumber),
            rate_type: rate_type.map(names::interest_rate_type),
            frequency: interest.frequency.map(names::interest_frequency),
            amount: interest.sum.amount().into(),
        }
    }
}

impl From<&(StatementAmountType, SignedAmount)> for WireAmount {
    fn from((kind, sum): &(StatementAmountType, SignedAmount)) -> Self {
        Self {
            credit_debit_indicator: names::credit_debit(sum.direction()),
            r#type: names::statement_amount_type(*kind),
            amount: sum.amount().into(),
        }
    }
}

impl From<&(StatementDateType, Timestamp)> for WireDate {
    fn from((kind, at): &(StatementDateType, Timestamp)) -> Self {
        Self { date_time: WireInstant(*at), r#type: names::statement_date_type(*kind) }
    }
}

impl From<&(StatementRateType, Decimal)> for WireRate {
    fn from((kind, value): &(StatementRateType, Decimal)) -> Self {
        Self { rate: rate(*value), r#type: names::statement_rate_type(*kind) }
    }
}

impl<'a> From<&'a (StatementValueType, String)> for WireValue<'a> {
    fn from((kind, value): &'a (StatementValueType, String)) -> Self {
        Self { value, r#type: names::statement_value_type(*kind) }
    }
}

described_in_all!([Aliased<Statement>], Response<'static, Statements<'static>>);

impl<V: AccountForms> Render<[Aliased<Statement>]> for V {
    fn render(statements: &[Aliased<Statement>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = Statements { statement: statements.iter().map(WireStatement::from).collect() };
        write(data, envelope, statements.len().saturating_mul(2_500).saturating_add(600))
    }
}
