//! Payment consents.

use super::parts::{WireCharge, WireDebtor, payer};
use super::{EchoedRequest, EchoedSchema, expected};
use crate::parts::CashAccount;
use crate::payments::forms::PaymentForms;
use crate::payments::international::ExchangeRateResponse;
use crate::status_reason::StatusReason;
use crate::time::WireInstant;
use crate::{Links, Meta, Render, RenderError, ResponseEnvelope};
use lombard_domain::consent::PaymentConsentView;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

/// Source: `OBWriteDomesticConsentResponse5` and its sisters.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(in crate::payments) struct ConsentResponse<'a> {
    data: ConsentData<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "EchoedSchema")]
    risk: Option<&'a RawValue>,
    links: &'a Links,
    meta: Meta,
}

/// Source: `OBWriteDomesticConsentResponse5/Data` and its sisters, table 1.2.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct ConsentData<'a> {
    #[schemars(length(min = 1, max = 128))]
    consent_id: &'a str,
    creation_date_time: WireInstant,
    status: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    status_reason: Vec<StatusReason>,
    status_update_date_time: WireInstant,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_off_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_execution_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_settlement_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    charges: Option<Vec<WireCharge>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exchange_rate_information: Option<ExchangeRateResponse<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "EchoedSchema")]
    permission: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "EchoedSchema")]
    read_refund_account: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "EchoedSchema")]
    control_parameters: Option<&'a RawValue>,
    #[schemars(with = "EchoedSchema")]
    initiation: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "EchoedSchema")]
    authorisation: Option<&'a RawValue>,
    #[serde(rename = "SCASupportData", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "EchoedSchema")]
    sca_support_data: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    debtor: Option<WireDebtor<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    debtor_account: Option<CashAccount<'a>>,
}

impl<V: PaymentForms> Render<PaymentConsentView> for V {
    fn render(view: &PaymentConsentView, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let submitted = V::document(&view.submitted)?;
        let EchoedRequest { data: kept, risk } = EchoedRequest::of(&submitted)?;
        let told = view.product.consents_show_conditions().then_some(&view.conditions);
        let (debtor, debtor_account) = payer(view.product, view.debtor.as_ref());
        let response = ConsentResponse {
            data: ConsentData {
                consent_id: view.id.as_str(),
                creation_date_time: WireInstant(view.created_at),
                status: V::consent_status(view),
                status_reason: V::consent_reasons(view).iter().map(StatusReason::from).collect(),
                status_update_date_time: WireInstant(V::consent_status_since(view)),
                cut_off_date_time: told.and_then(|told| told.cut_off).map(|cut_off| WireInstant(cut_off.at)),
                expected_execution_date_time: told.and_then(|told| expected(view.product, told.execution_at)),
                expected_settlement_date_time: told.and_then(|told| expected(view.product, told.settlement_at)),
                charges: told.map(|told| told.charges.iter().map(WireCharge::from).collect()),
                exchange_rate_information: view.conditions.quote.as_ref().map(ExchangeRateResponse::from),
                permission: kept.permission,
                read_refund_account: kept.read_refund_account,
                control_parameters: kept.control_parameters,
                initiation: kept.initiation,
                authorisation: kept.authorisation,
                sca_support_data: kept.sca_support_data,
                debtor,
                debtor_account,
            },
            risk,
            links: &envelope.links,
            meta: envelope.meta,
        };
        serde_json::to_vec(&response).map_err(RenderError)
    }
}
