//! Objects and numbers that responses of every version share.

use crate::names;
use lombard_domain::account::{AccountIdentification, BankIdentification};
use lombard_domain::money::Amount;
use rust_decimal::Decimal;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::ser::{Error, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Source: `OBActiveOrHistoricCurrencyAndAmount`, RW-251.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct WireMoney {
    #[schemars(regex(pattern = r"^\d{1,13}$|^\d{1,13}\.\d{1,5}$"))]
    amount: DecimalAmount,
    #[schemars(regex(pattern = "^[A-Z]{3}$"))]
    currency: &'static str,
}

impl From<Amount> for WireMoney {
    fn from(amount: Amount) -> Self {
        Self { amount: DecimalAmount(amount), currency: amount.currency().code() }
    }
}

/// An amount, as a decimal text.
#[derive(Debug)]
struct DecimalAmount(Amount);

impl JsonSchema for DecimalAmount {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Decimal")
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

impl Serialize for DecimalAmount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.decimal_text().as_str())
    }
}

/// Source: `OBCashAccount5_0`, `OBCashAccount6_0`, `OBCashAccount6_1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct CashAccount<'a> {
    #[schemars(extend("enum" = names::listed::account_scheme()))]
    scheme_name: &'static str,
    identification: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secondary_identification: Option<&'a str>,
}

impl<'a> From<&'a AccountIdentification> for CashAccount<'a> {
    fn from(identification: &'a AccountIdentification) -> Self {
        Self {
            scheme_name: names::account_scheme(identification.scheme),
            identification: &identification.number,
            name: identification.name.as_deref(),
            secondary_identification: identification.secondary.as_deref(),
        }
    }
}

/// A bank that can only be identified by its BIC: the servicer of an account, and the creditor agent of a standing
/// order or scheduled payment. Source: `OBBranchAndFinancialInstitutionIdentification5_0`, `5_1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Bic<'a> {
    #[schemars(extend("enum" = [BICFI]))]
    scheme_name: &'static str,
    identification: &'a str,
}

impl<'a> Bic<'a> {
    /// The bank with this BIC.
    pub(crate) const fn new(identification: &'a str) -> Self {
        Self { scheme_name: BICFI, identification }
    }

    /// The agent; `None` without a BIC.
    pub(crate) fn of(agent: &'a BankIdentification) -> Option<Self> {
        agent.bic.as_deref().map(Self::new)
    }
}

const BICFI: &str = "UK.OBIE.BICFI";

/// A number that the standard defines as a JSON number. It is written digit by digit, without floating point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExactNumber(pub(crate) Decimal);

impl JsonSchema for ExactNumber {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Number")
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number" })
    }
}

impl Serialize for ExactNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.normalize().to_string()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// A rate that the standard defines as a string, at most 3 digits and 4 decimals. Source: AIS-182,
/// `OBStatement2/StatementRate`.
pub(crate) fn rate(rate: Decimal) -> String {
    rate.normalize().to_string()
}
