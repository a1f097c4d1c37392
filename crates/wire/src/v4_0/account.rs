//! The members of an account that v4.0 has in its own form: category and type code replace type and sub-type, the
//! servicer has a name, and statements have a frequency and a format. Source: AIS-100 to AIS-106.

use super::names;
use super::parts::{Address, text};
use crate::code_sets;
use crate::parts::Bic;
use lombard_domain::account::{Account, BankIdentification, StatementDelivery};
use schemars::JsonSchema;
use serde::Serialize;

/// Source: AIS-100, `OBAccount6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct AccountTypes {
    #[schemars(extend("enum" = crate::names::listed::account_type()))]
    account_category: &'static str,
    #[schemars(extend("enum" = names::listed::account_type_code()))]
    account_type_code: &'static str,
}

impl From<&Account> for AccountTypes {
    fn from(account: &Account) -> Self {
        Self {
            account_category: names::account_category(account.account_type),
            account_type_code: names::account_type_code(account.sub_type),
        }
    }
}

/// Source: `OBAccount6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct AccountService<'a> {
    /// Absent without the Detail permission (T7).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    statement_frequency_and_format: Vec<WireStatementDelivery<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    servicer: Option<Servicer<'a>>,
}

impl<'a> From<&'a Account> for AccountService<'a> {
    fn from(account: &'a Account) -> Self {
        Self {
            statement_frequency_and_format: account.statement_delivery.iter().map(Into::into).collect(),
            servicer: account.servicer.as_ref().and_then(Servicer::of),
        }
    }
}

/// The servicer of an account: its BIC, if known, and its name. Source:
/// `OBBranchAndFinancialInstitutionIdentification5_0`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Servicer<'a> {
    #[serde(flatten)]
    bic: Bic<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}

/// Source: AIS-100, `StatementFrequencyAndFormat`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireStatementDelivery<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = code_sets::STATEMENT_FREQUENCIES))]
    frequency: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = code_sets::STATEMENT_MEDIA))]
    communication_method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = code_sets::FILE_FORMATS))]
    format: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delivery_address: Option<Box<Address<'a>>>,
}

impl<'a> From<&'a StatementDelivery> for WireStatementDelivery<'a> {
    fn from(delivery: &'a StatementDelivery) -> Self {
        Self {
            frequency: delivery.frequency.as_ref().map(text),
            communication_method: delivery.medium.as_ref().map(text),
            format: delivery.format.as_ref().map(text),
            delivery_address: Address::boxed(delivery.address.as_ref()),
        }
    }
}

impl<'a> Servicer<'a> {
    fn of(agent: &'a BankIdentification) -> Option<Self> {
        Some(Self { bic: Bic::of(agent)?, name: agent.name.as_deref() })
    }
}
