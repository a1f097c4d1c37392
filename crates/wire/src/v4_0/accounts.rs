//! Accounts: category and type code replace type and sub-type, and the servicer has a name. Source: AIS-100 to AIS-105.
//!
//! `StatementFrequencyAndFormat` and `LEI` are optional (T7, AIS-100); this bank stores neither.

use super::{V4_0, names, write};
use crate::describe::described;
use crate::time::{WireDay, WireInstant};
use crate::v3_1::Response;
use crate::v3_1::parts::{BICFI, CashAccount};
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{Account, Aliased, BankIdentification};
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
    account: Vec<CashAccount<'a>>,
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

impl<'a> Servicer<'a> {
    fn of(agent: &'a BankIdentification) -> Option<Self> {
        let identification = agent.bic.as_deref()?;
        Some(Self { scheme_name: BICFI, identification, name: agent.name.as_deref() })
    }
}

impl<'a> From<&'a Aliased<Account>> for WireAccount<'a> {
    fn from(Aliased { alias, record }: &'a Aliased<Account>) -> Self {
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
            account: record.identifications.iter().map(CashAccount::from).collect(),
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
