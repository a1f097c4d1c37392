//! Standing orders: frequency and dates are in the mandate, the reference in the remittance information. Source: AIS-171,
//! AIS-172, AIS-174.

use super::mandate::Mandate;
use super::parts::{Agent, PayeeAccount};
use super::{V4_0, frequency, names, write};
use crate::describe::described;
use crate::time::WireInstant;
use crate::v3_1::Response;
use crate::v3_1::parts::WireMoney;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{AccountIdentification, Aliased, Instalment, StandingOrder};
use lombard_domain::calendar::london_date;
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
    #[serde(skip_serializing_if = "Option::is_none")]
    next_payment_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_payment_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number_of_payments: Option<String>,
    #[schemars(extend("enum" = names::listed::mandate_status()))]
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
    creditor_agent: Option<Agent<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_account: Option<PayeeAccount<'a>>,
    mandate_related_information: Mandate<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remittance_information: Option<Remittance<'a>>,
}

/// Remittance information that holds a reference alone. Source: AIS-174, `OBRemittanceInformation2`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Remittance<'a> {
    structured: [StructuredRemittance<'a>; 1],
}

/// Source: `OBRemittanceInformationStructured`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct StructuredRemittance<'a> {
    creditor_reference_information: CreditorReference<'a>,
}

/// Source: `OBRemittanceInformationStructured/CreditorReferenceInformation`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct CreditorReference<'a> {
    #[schemars(length(min = 1, max = 35))]
    reference: &'a str,
}

impl<'a> Remittance<'a> {
    fn of(reference: &'a str) -> Self {
        Self { structured: [StructuredRemittance { creditor_reference_information: CreditorReference { reference } }] }
    }
}

impl<'a> From<&'a Aliased<StandingOrderPayee>> for WireStandingOrder<'a> {
    fn from(Aliased { alias, record }: &'a Aliased<StandingOrderPayee>) -> Self {
        let at = |instalment: Option<Instalment>| instalment.map(|instalment| WireInstant(instalment.at));
        let amount = |instalment: Option<Instalment>| instalment.map(|instalment| WireMoney::from(instalment.amount));
        let first_day = record.first.map(|first| london_date(first.at));
        let frequency = frequency::render(record.frequency, first_day).into();
        Self {
            account_id: alias.as_str(),
            standing_order_id: record.id.as_str(),
            next_payment_date_time: at(record.next),
            last_payment_date_time: at(record.last),
            number_of_payments: record.payments.map(|count| count.to_string()),
            standing_order_status_code: names::mandate_status(record.status),
            first_payment_amount: amount(record.first),
            next_payment_amount: amount(record.next),
            last_payment_amount: amount(record.last),
            final_payment_amount: amount(record.end),
            creditor_agent: record.agent.as_ref().and_then(Agent::of),
            creditor_account: record.payee.as_ref().map(PayeeAccount::from),
            mandate_related_information: Mandate {
                first_payment_date_time: at(record.first),
                final_payment_date_time: at(record.end),
                ..Mandate::of(record.terms.as_deref(), frequency)
            },
            remittance_information: record.reference.as_deref().map(Remittance::of),
        }
    }
}

described!(V4_0, [Aliased<StandingOrderPayee>], Response<'static, StandingOrders<'static>>);

impl Render<[Aliased<StandingOrderPayee>]> for V4_0 {
    fn render(
        standing_orders: &[Aliased<StandingOrderPayee>],
        envelope: &ResponseEnvelope,
    ) -> Result<Vec<u8>, RenderError> {
        let data = StandingOrders { standing_order: standing_orders.iter().map(WireStandingOrder::from).collect() };
        write(data, envelope, standing_orders.len().saturating_mul(1_000).saturating_add(400))
    }
}
