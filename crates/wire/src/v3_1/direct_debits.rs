//! Direct debits. Source: AIS-170.

use super::parts::WireMoney;
use super::{Response, V3_1, names, write};
use crate::describe::described;
use crate::time::WireInstant;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{Aliased, DirectDebit};
use schemars::JsonSchema;
use serde::Serialize;

/// Source: `OBReadDirectDebit2/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct DirectDebits<'a> {
    direct_debit: Vec<WireDirectDebit<'a>>,
}

/// Source: `OBReadDirectDebit2/Data/DirectDebit`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireDirectDebit<'a> {
    account_id: &'a str,
    direct_debit_id: &'a str,
    mandate_identification: &'a str,
    #[schemars(extend("enum" = names::listed::arrangement_status()))]
    direct_debit_status_code: &'static str,
    name: &'a str,
    #[schemars(extend("enum" = names::listed::direct_debit_frequency()))]
    frequency: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_payment_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_payment_amount: Option<WireMoney>,
}

impl<'a> From<&'a Aliased<DirectDebit>> for WireDirectDebit<'a> {
    fn from(Aliased { alias, record }: &'a Aliased<DirectDebit>) -> Self {
        let (previous_at, previous) = record.previous.unzip();
        Self {
            account_id: alias.as_str(),
            direct_debit_id: record.id.as_str(),
            mandate_identification: &record.mandate,
            direct_debit_status_code: names::arrangement_status(record.status),
            name: &record.name,
            frequency: names::direct_debit_frequency(record.frequency),
            previous_payment_date_time: previous_at.map(WireInstant),
            previous_payment_amount: previous.map(WireMoney::from),
        }
    }
}

described!(V3_1, [Aliased<DirectDebit>], Response<'static, DirectDebits<'static>>);

impl Render<[Aliased<DirectDebit>]> for V3_1 {
    fn render(direct_debits: &[Aliased<DirectDebit>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = DirectDebits { direct_debit: direct_debits.iter().map(WireDirectDebit::from).collect() };
        write(data, envelope, direct_debits.len().saturating_mul(400).saturating_add(400))
    }
}
