//! Direct debits. Source: AIS-170.

use super::{AccountForms, described_in_all};
use crate::parts::WireMoney;
use crate::response::{Response, write};
use crate::time::WireInstant;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{Aliased, DirectDebit};
use schemars::JsonSchema;
use serde::Serialize;

/// Source: `OBReadDirectDebit2/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct DirectDebits<'a, V: AccountForms> {
    direct_debit: Vec<WireDirectDebit<'a, V>>,
}

/// Source: `OBReadDirectDebit2/Data/DirectDebit`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct WireDirectDebit<'a, V: AccountForms> {
    account_id: &'a str,
    direct_debit_id: &'a str,
    #[schemars(extend("enum" = V::arrangement_statuses()))]
    direct_debit_status_code: &'static str,
    #[serde(flatten)]
    mandate: V::DirectDebitMandate<'a>,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_payment_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_payment_amount: Option<WireMoney>,
}

impl<'a, V: AccountForms> From<&'a Aliased<DirectDebit>> for WireDirectDebit<'a, V> {
    fn from(Aliased { alias, record }: &'a Aliased<DirectDebit>) -> Self {
        let (previous_at, previous) = record.previous.unzip();
        Self {
            account_id: alias.as_str(),
            direct_debit_id: record.id.as_str(),
            direct_debit_status_code: V::arrangement_status(record.status),
            mandate: record.into(),
            name: &record.name,
            previous_payment_date_time: previous_at.map(WireInstant),
            previous_payment_amount: previous.map(WireMoney::from),
        }
    }
}

described_in_all!([Aliased<DirectDebit>], Response<'static, DirectDebits<'static, V>>);

impl<V: AccountForms> Render<[Aliased<DirectDebit>]> for V {
    fn render(direct_debits: &[Aliased<DirectDebit>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = DirectDebits::<V> { direct_debit: direct_debits.iter().map(WireDirectDebit::from).collect() };
        write(data, envelope, direct_debits.len().saturating_mul(400).saturating_add(400))
    }
}
