//! Funds confirmations and payment details.

use crate::describe::described;
use crate::time::WireInstant;
use crate::v3_1::payments::names::{self, Listed};
use crate::v3_1::{Response, V3_1, write};
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::order::{
    DetailReason, DetailsView, FundsView, Instrument, PaymentDetailsEntry, PaymentStatus, RailDetail,
};
use schemars::JsonSchema;
use serde::Serialize;

/// Source: PIS-082, `OBWriteFundsConfirmationResponse1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Funds {
    funds_available_result: FundsAvailableResult,
}

/// Source: `OBWriteFundsConfirmationResponse1/Data/FundsAvailableResult`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct FundsAvailableResult {
    funds_available_date_time: WireInstant,
    funds_available: bool,
}

impl Render<FundsView> for V3_1 {
    fn render(view: &FundsView, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let result =
            FundsAvailableResult { funds_available_date_time: WireInstant(view.at), funds_available: view.available };
        write(Funds { funds_available_result: result }, envelope, 400)
    }
}

/// Source: PIS-090, `OBWritePaymentDetailsResponse1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Details<'a> {
    payment_status: Vec<WirePaymentStatus<'a>>,
}

/// Source: PIS-091, `OBWritePaymentDetails1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(in crate::v3_1::payments) struct WirePaymentStatus<'a> {
    #[schemars(length(min = 1, max = 210))]
    payment_transaction_id: &'a str,
    #[schemars(extend("enum" = payment_statuses()))]
    status: &'static str,
    status_update_date_time: WireInstant,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_detail: Option<StatusDetail<'a>>,
}

/// Source: PIS-091, PIS-093, `OBWritePaymentDetails1/StatusDetail`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct StatusDetail<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = Instrument::NAMES))]
    local_instrument: Option<&'static str>,
    #[schemars(length(min = 1, max = 128))]
    status: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = DetailReason::NAMES))]
    status_reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason_description: Option<&'a str>,
}

impl<'a> From<&'a RailDetail> for StatusDetail<'a> {
    fn from(detail: &'a RailDetail) -> Self {
        Self {
            local_instrument: detail.instrument.map(names::instrument),
            status: &detail.status,
            status_reason: detail.reason.map(names::detail_reason),
            status_reason_description: detail.description.as_deref(),
        }
    }
}

impl<'a> From<&'a PaymentDetailsEntry> for WirePaymentStatus<'a> {
    fn from(entry: &'a PaymentDetailsEntry) -> Self {
        Self {
            payment_transaction_id: entry.id.as_str(),
            status: names::payment_status(entry.status),
            status_update_date_time: WireInstant(entry.since),
            status_detail: entry.detail.as_ref().map(StatusDetail::from),
        }
    }
}

described!(V3_1, FundsView, Response<'static, Funds>);
described!(V3_1, DetailsView, Response<'static, Details<'static>>);

fn payment_statuses() -> Vec<&'static str> {
    let mut names = PaymentStatus::NAMES.to_vec();
    names.sort_unstable();
    names.dedup();
    names
}

impl Render<DetailsView> for V3_1 {
    fn render(view: &DetailsView, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let size = view.payments.len().saturating_mul(400).saturating_add(400);
        write(Details { payment_status: view.payments.iter().map(WirePaymentStatus::from).collect() }, envelope, size)
    }
}
