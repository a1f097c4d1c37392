//! Scheduled payments. Source: AIS-173.

use super::{AccountForms, described_in_all};
use crate::names;
use crate::parts::WireMoney;
use crate::response::{Response, write};
use crate::time::WireInstant;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{AccountIdentification, Aliased, ScheduledPayment};
use schemars::JsonSchema;
use serde::Serialize;

/// The payee is present only with the Detail permission (AIS-050, AIS-051).
type ScheduledPayee = ScheduledPayment<Option<AccountIdentification>>;

/// Source: `OBReadScheduledPayment3/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct ScheduledPayments<'a, V: AccountForms> {
    scheduled_payment: Vec<WireScheduledPayment<'a, V>>,
}

/// Source: `OBScheduledPayment3`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct WireScheduledPayment<'a, V: AccountForms> {
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
    creditor_agent: Option<V::Agent<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_account: Option<V::Account<'a>>,
}

impl<'a, V: AccountForms> From<&'a Aliased<ScheduledPayee>> for WireScheduledPayment<'a, V> {
    fn from(Aliased { alias, record }: &'a Aliased<ScheduledPayee>) -> Self {
        Self {
            account_id: alias.as_str(),
            scheduled_payment_id: record.id.as_str(),
            scheduled_payment_date_time: WireInstant(record.at),
            scheduled_type: names::scheduled_type(record.kind),
            reference: record.reference.as_deref(),
            debtor_reference: record.debtor_reference.as_deref(),
            instructed_amount: record.amount.into(),
            creditor_agent: record.agent.as_ref().and_then(V::agent),
            creditor_account: record.payee.as_ref().map(V::Account::from),
        }
    }
}

described_in_all!([Aliased<ScheduledPayee>], Response<'static, ScheduledPayments<'static, V>>);

impl<V: AccountForms> Render<[Aliased<ScheduledPayee>]> for V {
    fn render(payments: &[Aliased<ScheduledPayee>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data =
            ScheduledPayments::<V> { scheduled_payment: payments.iter().map(WireScheduledPayment::from).collect() };
        write(data, envelope, payments.len().saturating_mul(550).saturating_add(400))
    }
}
