//! Accounts: category and type code replace type and sub-type, the servicer has a name, and statements a frequency and a
//! format. Source: AIS-100 to AIS-106.

use super::names::code_sets;
use super::parts::{Address, LEI, text};
use super::{V4_0, names, write};
use crate::describe::described;
use crate::time::{WireDay, WireInstant};
use crate::v3_1::Response;
use crate::v3_1::parts::{BICFI, CashAccount};
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{Account, AccountIdentification, Aliased, BankIdentification, StatementDelivery};
use schemars::JsonSchema;
use serde::Serialize;

/// Source: `OBReadAccount6/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Accounts<'a> {
    account: Vec<WireAccount<'a>>,
}

/// Source: `OBAccount6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireAccount<'a> {
    account_id: &'a str,
    #[schemars(extend("enum" = names::listed::account_status()))]
    status: &'static str,
    status_update_date_time: WireInstant,
    #[schemars(regex(pattern = "^[A-Z]{3}$"))]
    currency: &'static str,
    #[schemars(extend("enum" = names::listed::account_category()))]
    account_category: &'static str,
    #[schemars(extend("enum" = names::listed::account_type_code()))]
    account_type_code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nickname: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening_date: Option<WireDay>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maturity_date: Option<WireDay>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = names::listed::switch_status()))]
    switch_status: Option<&'static str>,
    /// Absent without the Detail permission, never empty (RW-247, AIS-050, AIS-105).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    account: Vec<HeldAccount<'a>>,
    /// Absent without the Detail permission (T7).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    statement_frequency_and_format: Vec<WireStatementDelivery<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    servicer: Option<Servicer<'a>>,
}

/// The servicer of an account: its BIC, if known, and its name. Source:
/// `OBBranchAndFinancialInstitutionIdentification5_0`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Servicer<'a> {
    #[schemars(extend("enum" = [BICFI]))]
    scheme_name: &'static str,
    identification: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}

/// An identification of the account, with the legal entity identifier of its holder. Source: `OBAccount6/Account`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct HeldAccount<'a> {
    #[serde(flatten)]
    account: CashAccount<'a>,
    #[serde(rename = "LEI", skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = LEI))]
    lei: Option<&'a str>,
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
        let identification = agent.bic.as_deref()?;
        Some(Self { scheme_name: BICFI, identification, name: agent.name.as_deref() })
    }
}

impl<'a> From<&'a Aliased<Account>> for WireAccount<'a> {
    fn from(Aliased { alias, record }: &'a Aliased<Account>) -> Self {
        let lei = record.lei.as_deref();
        let held = |account: &'a AccountIdentification| HeldAccount { account: account.into(), lei };
        Self {
            account_id: alias.as_str(),
            status: names::account_status(record.status),
            status_update_date_time: WireInstant(record.status_changed_at),
            currency: record.currency.code(),
            account_category: names::account_category(record.account_type),
            account_type_code: names::account_type_code(record.sub_type),
            description: record.description.as_deref(),
            nickname: record.nickname.as_deref(),
            opening_date: record.opened_on.map(WireDay),
            maturity_date: record.matures_on.map(WireDay),
            switch_status: record.switch_status.map(names::switch_status),
            account: record.identifications.iter().map(held).collect(),
            statement_frequency_and_format: record.statement_delivery.iter().map(WireStatementDelivery::from).collect(),
            servicer: record.servicer.as_ref().and_then(Servicer::of),
        }
    }
}

described!(V4_0, [Aliased<Account>], Response<'static, Accounts<'static>>);

impl Render<[Aliased<Account>]> for V4_0 {
    fn render(accounts: &[Aliased<Account>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = Accounts { account: accounts.iter().map(WireAccount::from).collect() };
        write(data, envelope, accounts.len().saturating_mul(800).saturating_add(400))
    }
}
