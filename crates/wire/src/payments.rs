//! The payment products at the edge: what differs between them is the JSON, and only that.

use crate::Release;
use lombard_domain::order::{OrderDraft, PaymentDraft, Product};
use lombard_domain::refusal::Fault;
use serde_json::Value;

/// A payment product as a version of the standard writes it. Responses need no such trait: they are written from the
/// facts of the [`Product`] ([`Render`](crate::Render) of the views of `lombard_domain::order`).
pub trait ProductWire<V: Release>: Send + Sync + 'static {
    /// The product.
    const PRODUCT: Product;

    /// Reads the request for a consent. What the domain's rules say to it is asked afterwards
    /// (`PaymentConsentRequest::faults`).
    ///
    /// # Errors
    /// Every fault found, at least one.
    fn read_consent(body: &[u8], depth_max: usize) -> Result<PaymentDraft, Vec<Fault>>;

    /// Reads the request for an order. It is compared with its consent afterwards
    /// ([`document::differences`](crate::document::differences)).
    ///
    /// # Errors
    /// Every fault found, at least one.
    fn read_order(body: &[u8], depth_max: usize) -> Result<OrderDraft, Vec<Fault>>;

    /// What its bodies look like.
    fn schemas() -> Schemas;
}

/// The bodies of a product as JSON Schema (2020-12), each self-contained.
#[derive(Debug, Clone, PartialEq)]
pub struct Schemas {
    /// The request for a consent.
    pub consent_request: Value,
    /// A consent.
    pub consent: Value,
    /// The request for an order.
    pub order_request: Value,
    /// An order.
    pub order: Value,
}

/// A domestic payment, now.
#[derive(Debug, Clone, Copy)]
pub struct DomesticPayment;

/// A domestic payment on a later day.
#[derive(Debug, Clone, Copy)]
pub struct DomesticScheduledPayment;

/// A domestic standing order.
#[derive(Debug, Clone, Copy)]
pub struct DomesticStandingOrder;

/// A payment under a consent to variable recurring payments.
#[derive(Debug, Clone, Copy)]
pub struct DomesticVrp;

/// An international payment, now.
#[derive(Debug, Clone, Copy)]
pub struct InternationalPayment;

/// An international payment on a later day.
#[derive(Debug, Clone, Copy)]
pub struct InternationalScheduledPayment;

/// An international standing order.
#[derive(Debug, Clone, Copy)]
pub struct InternationalStandingOrder;

/// The payments of a file.
#[derive(Debug, Clone, Copy)]
pub struct FilePayment;
