//! Consents, orders, funds confirmations and payment details. All products and versions share one form; members that a
//! product lacks are omitted by its row of facts.

mod consent;
mod details;
mod order;
mod parts;

pub(super) use consent::ConsentResponse;
pub(super) use details::WirePaymentStatus;
pub(super) use order::{ORDER_ID, OrderData, OrderResponse};

use crate::RenderError;
use crate::time::WireInstant;
use jiff::Timestamp;
use lombard_domain::payment::PaymentProduct;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The stored request: the members that are echoed unchanged. Source: PIS-017, PIS-019.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct EchoedRequest<'a> {
    #[serde(borrow)]
    pub(super) data: EchoedData<'a>,
    #[serde(borrow)]
    pub(super) risk: Option<&'a RawValue>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct EchoedData<'a> {
    #[serde(borrow)]
    pub(super) permission: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) read_refund_account: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) control_parameters: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) initiation: &'a RawValue,
    #[serde(borrow)]
    pub(super) instruction: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) authorisation: Option<&'a RawValue>,
    #[serde(borrow, rename = "SCASupportData")]
    pub(super) sca_support_data: Option<&'a RawValue>,
}

impl<'a> EchoedRequest<'a> {
    pub(super) fn of(document: &'a str) -> Result<Self, RenderError> {
        serde_json::from_str(document).map_err(RenderError)
    }
}

/// Echoed members get their schema from the request (`describe`).
pub(super) type EchoedSchema = Option<serde_json::Value>;

/// An expected time, for the products that show it. Source: table 1.2.
fn expected(product: PaymentProduct, at: Option<Timestamp>) -> Option<WireInstant> {
    at.filter(|_| product.expects_times()).map(WireInstant)
}
