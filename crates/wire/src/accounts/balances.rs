//! Balances. Source: AIS-110 to AIS-113.

use super::{AccountForms, described_in_all};
use crate::names;
use crate::parts::WireMoney;
use crate::response::{Response, write};
use crate::time::WireInstant;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{Aliased, Balance, CreditLine};
use lombard_domain::money::Amount;
use schemars::JsonSchema;
use serde::Serialize;
use std::marker::PhantomData;

/// Source: `OBReadBalance1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct Balances<'a, V: AccountForms> {
    balance: Vec<WireBalance<'a, V>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_value: Option<WireMoney>,
}

/// Source: `OBReadBalance1/Data/Balance`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct WireBalance<'a, V: AccountForms> {
    account_id: &'a str,
    #[schemars(extend("enum" = names::listed::credit_debit()))]
    credit_debit_indicator: &'static str,
    #[schemars(extend("enum" = V::balance_types()))]
    r#type: &'static str,
    date_time: WireInstant,
    amount: BalanceAmount<V>,
    credit_line: Vec<WireCreditLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    local_amount: Option<BalanceAmount<V>>,
}

/// An amount, with its sub-type if the balance has two amounts. Source: RW-259, `OBReadBalance1/Data/Balance/Amount`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct BalanceAmount<V: AccountForms> {
    #[serde(flatten)]
    money: WireMoney,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = V::BALANCE_SUB_TYPES))]
    sub_type: Option<&'static str>,
    #[serde(skip)]
    version: PhantomData<V>,
}

impl<V: AccountForms> BalanceAmount<V> {
    fn new(amount: Amount, sub_type: Option<&'static str>) -> Self {
        Self { money: amount.into(), sub_type, version: PhantomData }
    }
}

/// Source: `OBReadBalance1/Data/Balance/CreditLine`, AIS-112.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireCreditLine {
    included: bool,
    #[schemars(extend("enum" = names::listed::credit_line_type()))]
    r#type: &'static str,
    amount: WireMoney,
}

impl From<&CreditLine> for WireCreditLine {
    fn from(line: &CreditLine) -> Self {
        Self { included: line.included, r#type: names::credit_line_type(line.kind), amount: line.amount.into() }
    }
}

impl<'a, V: AccountForms> From<&'a Aliased<Balance>> for WireBalance<'a, V> {
    fn from(Aliased { alias, record }: &'a Aliased<Balance>) -> Self {
        let [base, local] = V::BALANCE_SUB_TYPES;
        Self {
            account_id: alias.as_str(),
            credit_debit_indicator: names::credit_debit(record.sum.direction()),
            r#type: V::balance_type(record.kind),
            date_time: WireInstant(record.at),
            amount: BalanceAmount::new(record.sum.amount(), record.local.is_some().then_some(base)),
            local_amount: record.local.map(|amount| BalanceAmount::new(amount, Some(local))),
            credit_line: record.credit_lines.iter().map(WireCreditLine::from).collect(),
        }
    }
}

described_in_all!([Aliased<Balance>], Response<'static, Balances<'static, V>>);

impl<V: AccountForms> Render<[Aliased<Balance>]> for V {
    fn render(balances: &[Aliased<Balance>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        // One page does not hold all balances, so it has no total (AIS-110).
        let is_whole = envelope.links.prev.is_none() && envelope.links.next.is_none();
        let total = Balance::total_value(balances.iter().map(|shown| &shown.record)).filter(|_| is_whole);
        let data = Balances::<V> {
            balance: balances.iter().map(WireBalance::from).collect(),
            total_value: total.map(WireMoney::from),
        };
        write(data, envelope, balances.len().saturating_mul(320).saturating_add(400))
    }
}
