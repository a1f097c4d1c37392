//! Standing orders. Source: AIS-171, AIS-172.

use super::{AccountForms, StandingOrderPayee, described_in_all};
use crate::parts::WireMoney;
use crate::response::{Response, write};
use crate::time::WireInstant;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{Aliased, Instalment};
use schemars::JsonSchema;
use serde::Serialize;

/// Source: `OBReadStandingOrder6/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct StandingOrders<'a, V: AccountForms> {
    standing_order: Vec<WireStandingOrder<'a, V>>,
}

/// Source: `OBStandingOrder6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct WireStandingOrder<'a, V: AccountForms> {
    account_id: &'a str,
    standing_order_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_payment_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_payment_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number_of_payments: Option<String>,
    #[schemars(extend("enum" = V::arrangement_statuses()))]
    standing_order_status_code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_payment_amount: Option<WireMoney>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_payment_amount: Option<WireMoney>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_payment_amount: Option<WireMoney>,
    #[serde(skip_serializing_if = "Option::is_none")]
    final_payment_amount: Option<WireMoney>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_agent: Option<V::Agent<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_account: Option<V::Account<'a>>,
    #[serde(flatten)]
    schedule: V::StandingOrderSchedule<'a>,
}

/// The time of a payment that was or will be made.
pub(crate) fn instant(instalment: Option<Instalment>) -> Option<WireInstant> {
    instalment.map(|instalment| WireInstant(instalment.at))
}

impl<'a, V: AccountForms> From<&'a Aliased<StandingOrderPayee>> for WireStandingOrder<'a, V> {
    fn from(Aliased { alias, record }: &'a Aliased<StandingOrderPayee>) -> Self {
        let amount = |instalment: Option<Instalment>| instalment.map(|instalment| WireMoney::from(instalment.amount));
        Self {
            account_id: alias.as_str(),
            standing_order_id: record.id.as_str(),
            next_payment_date_time: instant(record.next),
            last_payment_date_time: instant(record.last),
            number_of_payments: record.payments.map(|count| count.to_string()),
            standing_order_status_code: V::arrangement_status(record.status),
            first_payment_amount: amount(record.first),
            next_payment_amount: amount(record.next),
            last_payment_amount: amount(record.last),
            final_payment_amount: amount(record.end),
            creditor_agent: record.agent.as_ref().and_then(V::agent),
            creditor_account: record.payee.as_ref().map(V::Account::from),
            schedule: record.into(),
        }
    }
}

described_in_all!([Aliased<StandingOrderPayee>], Response<'static, StandingOrders<'static, V>>);

impl<V: AccountForms> Render<[Aliased<StandingOrderPayee>]> for V {
    fn render(
        standing_orders: &[Aliased<StandingOrderPayee>],
        envelope: &ResponseEnvelope,
    ) -> Result<Vec<u8>, RenderError> {
        let data =
            StandingOrders::<V> { standing_order: standing_orders.iter().map(WireStandingOrder::from).collect() };
        write(data, envelope, standing_orders.len().saturating_mul(1_000).saturating_add(400))
    }
}
