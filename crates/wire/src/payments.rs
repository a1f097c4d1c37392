//! The payment products at the edge: what differs between them is the JSON, and only that.

use crate::StandardVersion;
use crate::document::keep;
use crate::parse::{self, FromJson};
use lombard_domain::consent::Submitted;
use lombard_domain::ids::ConsentId;
use lombard_domain::order::{OrderDraft, PaymentConsentRequest, PaymentDraft, PaymentProduct};
use lombard_domain::refusal::{Fault, FaultCode};
use lombard_domain::vrp::VrpPayment;
use serde_json::Value;

/// A payment product as a version of the standard writes it. Responses need no such trait: they are written from the
/// facts of the [`PaymentProduct`] ([`Render`](crate::Render) of the views of `lombard_domain::order`).
pub trait ProductWire<V: StandardVersion>: Send + Sync + 'static {
    /// The product.
    const PRODUCT: PaymentProduct;
    /// Its bodies.
    const BODIES: ProductBodies;

    /// Reads the request for a consent. What the domain's rules say to it is asked afterwards
    /// (`PaymentConsentRequest::faults`).
    ///
    /// # Errors
    /// Every fault found, at least one.
    fn read_consent(body: &[u8], depth_max: usize) -> Result<PaymentDraft, Vec<Fault>> {
        (Self::BODIES.read_consent)(body, depth_max)
    }

    /// Reads the request for an order. It is compared with its consent afterwards
    /// ([`document::find_differences`](crate::document::find_differences)).
    ///
    /// # Errors
    /// Every fault found, at least one.
    fn read_order(body: &[u8], depth_max: usize) -> Result<OrderDraft, Vec<Fault>> {
        (Self::BODIES.read_order)(body, depth_max)
    }

    /// What its bodies look like.
    fn schemas() -> ProductSchemas {
        (Self::BODIES.schemas)(Self::PRODUCT)
    }
}

/// How a version reads the requests of a product, and what all its bodies look like. A version makes it of the two types
/// that its requests are read as.
#[derive(Debug, Clone, Copy)]
pub struct ProductBodies {
    pub(crate) read_consent: fn(&[u8], usize) -> Result<PaymentDraft, Vec<Fault>>,
    pub(crate) read_order: fn(&[u8], usize) -> Result<OrderDraft, Vec<Fault>>,
    pub(crate) schemas: fn(PaymentProduct) -> ProductSchemas,
}

/// What a request for an order says for itself; the rest repeats the consent.
pub(crate) struct RequestedOrder {
    /// The consent it names.
    pub(crate) consent: ConsentId,
    /// What is to be paid, where the consent leaves that open.
    pub(crate) payment: Option<Box<VrpPayment>>,
}

/// Reads the request for a consent as a `C` of version `V`.
pub(crate) fn read_consent<V, C>(body: &[u8], depth_max: usize) -> Result<PaymentDraft, Vec<Fault>>
where
    V: StandardVersion,
    C: FromJson + Into<PaymentConsentRequest>,
{
    let terms = parse::body::<C>(body, depth_max)?.into();
    Ok(PaymentDraft { terms, submitted: submitted::<V>(body)? })
}

/// Reads the request for an order as an `O` of version `V`.
pub(crate) fn read_order<V, O>(body: &[u8], depth_max: usize) -> Result<OrderDraft, Vec<Fault>>
where
    V: StandardVersion,
    O: FromJson + Into<RequestedOrder>,
{
    let RequestedOrder { consent, payment } = parse::body::<O>(body, depth_max)?.into();
    Ok(OrderDraft { consent, submitted: submitted::<V>(body)?, payment })
}

/// The request as it will be shown again and compared. Source: PIS-019.
fn submitted<V: StandardVersion>(body: &[u8]) -> Result<Submitted, Vec<Fault>> {
    let json = std::str::from_utf8(body).ok().and_then(|text| keep(text).ok());
    // It has just been read once, so this cannot fail; if it did, nothing must be kept.
    let json = json.ok_or_else(|| vec![Fault::new(FaultCode::InvalidFormat, "The body cannot be read.")])?;
    Ok(Submitted { version: V::VERSION, json })
}

/// The bodies of a product as JSON Schema (2020-12), each self-contained.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductSchemas {
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
