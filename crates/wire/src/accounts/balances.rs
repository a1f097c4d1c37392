//! Balances. Source: AIS-110 to AIS-113.

use super::{AccountForms, described_in_all};
use crate::time::WireInstant;
use crate::v3_1::parts::WireMoney;
use crate::v3_1::{Response, names, write};
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{Aliased, Balance, CreditLine};
use schemars::JsonSchema;
use serde::Serialize;
use std::marker::PhantomData;

/// Source: `OBReadBalance1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct Balances<'a, V: AccountForms> {
    balance: Vec<WireBalance<'a, V>>,
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
    amount: WireMoney,
    credit_line: Vec<WireCreditLine>,
    #[serde(skip)]
    version: PhantomData<V>,
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
        Self {
            account_id: alias.as_str(),
            credit_debit_indicator: names::credit_debit(record.sum.direction()),
            r#type: V::balance_type(record.kind),
            date_time: WireInstant(record.at),
            amount: record.sum.amount().into(),
            credit_line: record.credit_lines.iter().map(WireCreditLine::from).collect(),
            version: PhantomData,
        }
    }
}

described_in_all!([Aliased<Balance>], Response<'static, Balances<'static, V>>);

impl<V: AccountForms> Render<[Aliased<Balance>]> for V {
    fn render(balances: &[Aliased<Balance>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = Balances::<V> { balance: balances.iter().map(WireBalance::from).collect() };
        write(data, envelope, balances.len().saturating_mul(320).saturating_add(400))
    }
}
