//! Direct debits: mandate and frequency are an object of their own. Source: AIS-170, AIS-175.

use super::mandate::{Frequency, Mandate};
use super::{V4_0, names, write};
use crate::describe::described;
use crate::time::WireInstant;
use crate::v3_1::Response;
use crate::v3_1::parts::WireMoney;
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
    #[schemars(extend("enum" = names::listed::mandate_status()))]
    direct_debit_status_code: &'static str,
    mandate_related_information: Mandate<'a>,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_payment_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_payment_amount: Option<WireMoney>,
}

impl<'a> From<&'a Aliased<DirectDebit>> for WireDirectDebit<'a> {
    fn from(Aliased { alias, record }: &'a Aliased<DirectDebit>) -> Self {
        let (previous_at, previous) = record.previous.unzip();
        let frequency = Frequency::code(names::direct_debit_frequency(record.frequency));
        let terms = Mandate::of(record.terms.as_deref(), frequency);
        Self {
            account_id: alias.as_str(),
            direct_debit_id: record.id.as_str(),
            direct_debit_status_code: names::mandate_status(record.status),
            mandate_related_information: Mandate { mandate_identification: Some(&record.mandate), ..terms },
            name: &record.name,
            previous_payment_date_time: previous_at.map(WireInstant),
            previous_payment_amount: previous.map(WireMoney::from),
        }
    }
}

described!(V4_0, [Aliased<DirectDebit>], Response<'static, DirectDebits<'static>>);

impl Render<[Aliased<DirectDebit>]> for V4_0 {
    fn render(direct_debits: &[Aliased<DirectDebit>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = DirectDebits { direct_debit: direct_debits.iter().map(WireDirectDebit::from).collect() };
        write(data, envelope, direct_debits.len().saturating_mul(450).saturating_add(400))
    }
}
