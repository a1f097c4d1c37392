//! Funds confirmations and payment details.

use crate::describe::{Describe, schema_of};
use crate::parse::schema::one_of;
use crate::payments::forms::PaymentForms;
use crate::payments::names::{self, Listed};
use crate::response::{Response, write};
use crate::time::WireInstant;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::payment::order::{DetailsView, FundsView, PaymentDetailsEntry};
use lombard_domain::payment::transfer::Instrument;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

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

impl<V: PaymentForms> Render<FundsView> for V {
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
pub(in crate::payments) struct WirePaymentStatus<'a> {
    #[schemars(length(min = 1, max = 210))]
    payment_transaction_id: &'a str,
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
    status_reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason_description: Option<&'a str>,
}

impl<'a> WirePaymentStatus<'a> {
    /// The entry with the names of a version.
    pub(in crate::payments) fn of<V: PaymentForms>(entry: &'a PaymentDetailsEntry) -> Self {
        Self {
            payment_transaction_id: entry.id.as_str(),
            status: V::payment_status(entry),
            status_update_date_time: WireInstant(entry.since),
            status_detail: entry.detail.as_ref().map(|detail| StatusDetail {
                local_instrument: detail.instrument.map(names::instrument),
                status: V::rail_status(entry, detail),
                status_reason: V::rail_reason(detail),
                status_reason_description: detail.description.as_deref(),
            }),
        }
    }
}

impl<V: PaymentForms> Describe<FundsView> for V {
    fn schema() -> Value {
        schema_of::<Response<'static, Funds>>()
    }
}

impl<V: PaymentForms> Describe<DetailsView> for V {
    fn schema() -> Value {
        let mut schema = schema_of::<Response<'static, Details<'static>>>();
        let mut limit = |at: &str, names: Vec<&'static str>| {
            let member = format!("/properties/Data/properties/PaymentStatus/items/properties/{at}");
            if let Some(member) = schema.pointer_mut(&member) {
                *member = one_of(names);
            }
        };
        limit("Status", V::payment_statuses());
        limit("StatusDetail/properties/StatusReason", V::rail_reasons());
        if let Some(names) = V::rail_statuses() {
            limit("StatusDetail/properties/Status", names);
        }
        schema
    }
}

impl<V: PaymentForms> Render<DetailsView> for V {
    fn render(view: &DetailsView, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let size = view.payments.len().saturating_mul(400).saturating_add(400);
        write(
            Details { payment_status: view.payments.iter().map(WirePaymentStatus::of::<V>).collect() },
            envelope,
            size,
        )
    }
}
