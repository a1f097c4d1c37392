//! Scheduled payments. Source: AIS-173.

use super::parts::{Bic, CashAccount, WireMoney};
use super::{Response, V3_1, names, write};
use crate::describe::described;
use crate::time::WireInstant;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{AccountIdentification, Aliased, ScheduledPayment};
use schemars::JsonSchema;
use serde::Serialize;

/// The payee is present only with the Detail permission (AIS-050, AIS-051).
type ScheduledPayee = ScheduledPayment<Option<AccountIdentification>>;

/// Source: `OBReadScheduledPayment3/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct ScheduledPayments<'a> {
    scheduled_payment: Vec<WireScheduledPayment<'a>>,
}

/// Source: `OBScheduledPayment3`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireScheduledPayment<'a> {
    account_id: &'a str,
    scheduled_payment_id: &'a str,
    scheduled_payment_date_time: WireInstant,
    #[schemars(extend("enum" = names::listed::scheduled_type()))]
    scheduled_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    debtor_reference: Option<&'a str>,
    instructed_amount: WireMoney,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_agent: Option<Bic<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_account: Option<CashAccount<'a>>,
}

impl<'a> From<&'a Aliased<ScheduledPayee>> for WireScheduledPayment<'a> {
    fn from(Aliased { alias, record }: &'a Aliased<ScheduledPayee>) -> Self {
        Self {
            account_id: alias.as_str(),
            scheduled_payment_id: record.id.as_str(),
            scheduled_payment_date_time: WireInstant(record.at),
            scheduled_type: names::scheduled_type(record.kind),
            reference: record.reference.as_deref(),
            debtor_reference: record.debtor_reference.as_deref(),
            instructed_amount: record.amount.into(),
            creditor_agent: record.agent.as_ref().and_then(Bic::of),
            creditor_account: record.payee.as_ref().map(CashAccount::from),
        }
    }
}

described!(V3_1, [Aliased<ScheduledPayee>], Response<'static, ScheduledPayments<'static>>);

impl Render<[Aliased<ScheduledPayee>]> for V3_1 {
    fn render(payments: &[Aliased<ScheduledPayee>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = ScheduledPayments { scheduled_payment: payments.iter().map(WireScheduledPayment::from).collect() };
        write(data, envelope, payments.len().saturating_mul(550).saturating_add(400))
    }
}
