//! The JSON document of a statement: all members that are not in columns. Queries find and sort statements by the columns.

use jiff::Timestamp;
use lombard_database::document;
use lombard_domain::account::{
    Statement, StatementAmountType, StatementBenefit, StatementDateType, StatementFee, StatementInterest,
    StatementRateType, StatementType, StatementValueType,
};
use lombard_domain::ids::{BankAccountId, StatementId};
use lombard_domain::money::{Amount, SignedAmount};
use lombard_domain::stored;
use lombard_ports::store::Source;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// A [`Statement`] without its columns.
#[derive(Serialize, Deserialize)]
pub(crate) struct StatementRecord {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    descriptions: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    benefits: Vec<StatementBenefit>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fees: Vec<StatementFee>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    interest: Vec<StatementInterest>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    amounts: Vec<(StatementAmountType, SignedAmount)>,
    #[serde(default, with = "stored", skip_serializing_if = "Vec::is_empty")]
    dates: Vec<(StatementDateType, Timestamp)>,
    #[serde(default, with = "stored", skip_serializing_if = "Vec::is_empty")]
    rates: Vec<(StatementRateType, Decimal)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<(StatementValueType, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    total: Option<Amount>,
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
    pub(crate) fn write(statement: &Statement) -> String {
        let statement = statement.clone();
        document::write(&Self {
            descriptions: statement.descriptions,
            benefits: statement.benefits,
            fees: statement.fees,
            interest: statement.interest,
            amounts: statement.amounts,
            dates: statement.dates,
            rates: statement.rates,
            values: statement.values,
            total: statement.total,
        })
    }

    pub(crate) fn read(text: &str, columns: StatementColumns) -> Result<Statement, Source> {
        let record: Self = document::read(text)?;
        Ok(Statement {
            id: columns.id,
            account: columns.account,
            reference: columns.reference,
            kind: columns.kind,
            starts_at: columns.starts_at,
            ends_at: columns.ends_at,
            created_at: columns.created_at,
            descriptions: record.descriptions,
            benefits: record.benefits,
            fees: record.fees,
            interest: record.interest,
            amounts: record.amounts,
            dates: record.dates,
            rates: record.rates,
            values: record.values,
            total: record.total,
        })
    }
}
