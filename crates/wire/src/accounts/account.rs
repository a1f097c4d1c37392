//! Accounts. Source: AIS-100 to AIS-104.

use super::{AccountForms, described_in_all};
use crate::names;
use crate::parts::CashAccount;
use crate::response::{Response, write};
use crate::time::{WireDay, WireInstant};
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{Account, AccountIdentification, Aliased};
use schemars::JsonSchema;
use serde::Serialize;

/// Source: `OBReadAccount6/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct Accounts<'a, V: AccountForms> {
    account: Vec<WireAccount<'a, V>>,
}

/// Source: `OBAccount6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct WireAccount<'a, V: AccountForms> {
    account_id: &'a str,
    #[schemars(extend("enum" = names::listed::account_status()))]
    status: &'static str,
    status_update_date_time: WireInstant,
    #[schemars(regex(pattern = "^[A-Z]{3}$"))]
    currency: &'static str,
    #[serde(flatten)]
    account_type: V::AccountType,
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
    account: Vec<HeldAccount<'a, V>>,
    #[serde(flatten)]
    service: V::AccountService<'a>,
}

/// An identification of the account, with the legal entity identifier of its holder. Source: `OBAccount6/Account`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "")]
#[schemars(bound = "")]
struct HeldAccount<'a, V: AccountForms> {
    #[serde(flatten)]
    account: CashAccount<'a>,
    #[serde(flatten)]
    lei: V::Lei<'a>,
}

impl<'a, V: AccountForms> From<&'a Aliased<Account>> for WireAccount<'a, V> {
    fn from(Aliased { alias, record }: &'a Aliased<Account>) -> Self {
        let held = |account: &'a AccountIdentification| HeldAccount {
            account: account.into(),
            lei: record.lei.as_deref().into(),
        };
        Self {
            account_id: alias.as_str(),
            status: names::account_status(record.status),
            status_update_date_time: WireInstant(record.status_changed_at),
            currency: record.currency.code(),
            account_type: record.into(),
            description: record.description.as_deref(),
            nickname: record.nickname.as_deref(),
            opening_date: record.opened_on.map(WireDay),
            maturity_date: record.matures_on.map(WireDay),
            switch_status: record.switch_status.map(names::switch_status),
            account: record.identifications.iter().map(held).collect(),
            service: record.into(),
        }
    }
}

described_in_all!([Aliased<Account>], Response<'static, Accounts<'static, V>>);

impl<V: AccountForms> Render<[Aliased<Account>]> for V {
    fn render(accounts: &[Aliased<Account>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = Accounts::<V> { account: accounts.iter().map(WireAccount::from).collect() };
        write(data, envelope, accounts.len().saturating_mul(800).saturating_add(400))
    }
}
