//! Balances. Source: AIS-110 to AIS-113.

use super::parts::WireMoney;
use super::{Response, V3_1, names, write};
use crate::describe::{Describe, schema_of};
use crate::time::WireInstant;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{Aliased, Balance, BalanceType, CreditLine};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Source: `OBReadBalance1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Balances<'a> {
    balance: Vec<WireBalance<'a>>,
}

/// Source: `OBReadBalance1/Data/Balance`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireBalance<'a> {
    account_id: &'a str,
    #[schemars(extend("enum" = names::listed::credit_debit()))]
    credit_debit_indicator: &'static str,
    #[schemars(extend("enum" = names::listed::balance_type()))]
    r#type: &'static str,
    date_time: WireInstant,
    amount: WireMoney,
    credit_line: Vec<WireCreditLine>,
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

impl<'a> Balances<'a> {
    /// Balances whose types are named by a version's table; the versions do not differ otherwise.
    pub(crate) fn of(balances: &'a [Aliased<Balance>], type_name: fn(BalanceType) -> &'static str) -> Self {
        Self { balance: balances.iter().map(|shown| WireBalance::of(shown, type_name)).collect() }
    }

    /// The approximate size in bytes of this number of balances.
    pub(crate) const fn size(count: usize) -> usize {
        count.saturating_mul(320).saturating_add(400)
    }
}

impl<'a> WireBalance<'a> {
    fn of(Aliased { alias, record }: &'a Aliased<Balance>, type_name: fn(BalanceType) -> &'static str) -> Self {
        Self {
            account_id: alias.as_str(),
            credit_debit_indicator: names::credit_debit(record.sum.direction()),
            r#type: type_name(record.kind),
            date_time: WireInstant(record.at),
            amount: record.sum.amount().into(),
            credit_line: record.credit_lines.iter().map(WireCreditLine::from).collect(),
        }
    }
}

/// The schema of balances, with a version's type names.
pub(crate) fn described(types: Vec<&'static str>) -> Value {
    let mut schema = schema_of::<Response<'static, Balances<'static>>>();
    if let Some(kind) = schema.pointer_mut("/properties/Data/properties/Balance/items/properties/Type/enum") {
        *kind = types.into();
    }
    schema
}

impl Describe<[Aliased<Balance>]> for V3_1 {
    fn schema() -> Value {
        described(names::listed::balance_type())
    }
}

impl Render<[Aliased<Balance>]> for V3_1 {
    fn render(balances: &[Aliased<Balance>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        write(Balances::of(balances, names::balance_type), envelope, Balances::size(balances.len()))
    }
}
