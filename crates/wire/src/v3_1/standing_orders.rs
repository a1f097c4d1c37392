//! Standing orders. Source: AIS-171, AIS-172.

use super::parts::{Bic, CashAccount, WireMoney};
use super::{Response, V3_1, names, write};
use crate::describe::described;
use crate::time::WireInstant;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{AccountIdentification, Aliased, Instalment, StandingOrder};
use schemars::JsonSchema;
use serde::Serialize;

/// The payee is present only with the Detail permission (AIS-050, AIS-051).
type StandingOrderPayee = StandingOrder<Option<AccountIdentification>>;

/// Source: `OBReadStandingOrder6/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct StandingOrders<'a> {
    standing_order: Vec<WireStandingOrder<'a>>,
}

/// Source: `OBStandingOrder6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireStandingOrder<'a> {
    account_id: &'a str,
    standing_order_id: &'a str,
    frequency: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_payment_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_payment_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_payment_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    final_payment_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number_of_payments: Option<String>,
    #[schemars(extend("enum" = names::listed::arrangement_status()))]
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
    creditor_agent: Option<Bic<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_account: Option<CashAccount<'a>>,
}

impl<'a> From<&'a Aliased<StandingOrderPayee>> for WireStandingOrder<'a> {
    fn from(Aliased { alias, record }: &'a Aliased<StandingOrderPayee>) -> Self {
        let at = |instalment: Option<Instalment>| instalment.map(|instalment| WireInstant(instalment.at));
        let amount = |instalment: Option<Instalment>| instalment.map(|instalment| WireMoney::from(instalment.amount));
        Self {
            account_id: alias.as_str(),
            standing_order_id: record.id.as_str(),
            frequency: names::frequency(record.frequency),
            reference: record.reference.as_deref(),
            first_payment_date_time: at(record.first),
            next_payment_date_time: at(record.next),
            last_payment_date_time: at(record.last),
            final_payment_date_time: at(record.end),
            number_of_payments: record.payments.map(|count| count.to_string()),
            standing_order_status_code: names::arrangement_status(record.status),
            first_payment_amount: amount(record.first),
            next_payment_amount: amount(record.next),
            last_payment_amount: amount(record.last),
            final_payment_amount: amount(record.end),
            creditor_agent: record.agent.as_ref().and_then(Bic::of),
            creditor_account: record.payee.as_ref().map(CashAccount::from),
        }
    }
}

described!(V3_1, [Aliased<StandingOrderPayee>], Response<'static, StandingOrders<'static>>);

impl Render<[Aliased<StandingOrderPayee>]> for V3_1 {
    fn render(
        standing_orders: &[Aliased<StandingOrderPayee>],
        envelope: &ResponseEnvelope,
    ) -> Result<Vec<u8>, RenderError> {
        let data = StandingOrders { standing_order: standing_orders.iter().map(WireStandingOrder::from).collect() };
        write(data, envelope, standing_orders.len().saturating_mul(900).saturating_add(400))
    }
}
