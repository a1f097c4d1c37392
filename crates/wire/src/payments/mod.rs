//! The payment products on the wire. The products differ only in their JSON, and the versions only in the forms that each version
//! states.

pub(crate) mod address;
pub(crate) mod codes;
mod common_members;
pub(crate) mod describe;
pub mod file;
pub(crate) mod forms;
pub(crate) mod initiation;
pub mod international;
pub mod names;
pub(crate) mod number;
pub(crate) mod open_amount;
pub(crate) mod parties;
pub(crate) mod parts;
pub(crate) mod proxy;
mod request;
pub(crate) mod requested;
pub(crate) mod requested_schedule;
pub(crate) mod response;
pub(crate) mod risk;
pub(crate) mod schedule_end;
pub(crate) mod standing_orders;
#[cfg(test)]
mod tests;
pub(crate) mod values;

pub(crate) use request::bodies;

use crate::StandardVersion;
use crate::document::keep;
use crate::parse::{self, FromJson};
use lombard_domain::ids::ConsentId;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::{OrderDraft, PaymentConsentRequest, PaymentDraft, RequestForm};
use lombard_domain::payment::vrp::VrpPayment;
use lombard_domain::refusal::{Fault, FaultCode};
use lombard_domain::submitted::Submitted;
use serde_json::Value;

/// The request bodies of a payment product in a version of the standard. Responses need no such trait: they are
/// rendered from the facts of the [`PaymentProduct`] ([`Render`](crate::Render) of the views of
/// `lombard_domain::payment::order`).
pub trait ProductWire<V: StandardVersion>: Send + Sync + 'static {
    /// The product.
    const PRODUCT: PaymentProduct;
    /// The parsers and schemas of its bodies.
    const BODIES: ProductBodies;

    /// Parses a consent request. The domain rules are checked afterwards (`PaymentConsentRequest::faults`).
    ///
    /// # Errors
    /// Every fault, at least one.
    fn read_consent(body: &[u8], depth_max: usize) -> Result<PaymentDraft, Vec<Fault>> {
        (Self::BODIES.read_consent)(body, depth_max)
    }

    /// Parses an order request. It is compared with its consent afterwards
    /// ([`comparison::find_differences`](crate::comparison::find_differences)).
    ///
    /// # Errors
    /// Every fault, at least one.
    fn read_order(body: &[u8], depth_max: usize) -> Result<OrderDraft, Vec<Fault>> {
        (Self::BODIES.read_order)(body, depth_max)
    }

    /// The schemas of its bodies.
    fn schemas() -> ProductSchemas {
        (Self::BODIES.schemas)(Self::PRODUCT)
    }
}

/// The parsers of a product's requests and the schemas of its bodies, made from the two request types of a version.
#[derive(Debug, Clone, Copy)]
pub struct ProductBodies {
    pub(crate) read_consent: fn(&[u8], usize) -> Result<PaymentDraft, Vec<Fault>>,
    pub(crate) read_order: fn(&[u8], usize) -> Result<OrderDraft, Vec<Fault>>,
    pub(crate) schemas: fn(PaymentProduct) -> ProductSchemas,
}

/// The content of a consent request, and the facts that only its form shows.
pub(crate) struct RequestedConsent {
    pub(crate) terms: PaymentConsentRequest,
    pub(crate) form: RequestForm,
}

/// The content of an order request that does not repeat the consent.
pub(crate) struct RequestedOrder {
    /// The consent that the order names.
    pub(crate) consent: ConsentId,
    /// The payment, if the consent does not determine it.
    pub(crate) payment: Option<Box<VrpPayment>>,
}

/// Parses a consent request as a `C` of version `V`.
pub(crate) fn read_consent<V, C>(body: &[u8], depth_max: usize) -> Result<PaymentDraft, Vec<Fault>>
where
    V: StandardVersion,
    C: FromJson + Into<RequestedConsent>,
{
    let RequestedConsent { terms, form } = parse::body::<C>(body, depth_max)?.into();
    Ok(PaymentDraft { terms, form, submitted: submitted::<V>(body)? })
}

/// Parses an order request as an `O` of version `V`.
pub(crate) fn read_order<V, O>(body: &[u8], depth_max: usize) -> Result<OrderDraft, Vec<Fault>>
where
    V: StandardVersion,
    O: FromJson + Into<RequestedOrder>,
{
    let RequestedOrder { consent, payment } = parse::body::<O>(body, depth_max)?.into();
    Ok(OrderDraft { consent, submitted: submitted::<V>(body)?, payment })
}

/// The request in the form in which it is stored for echo and comparison. Source: PIS-019.
fn submitted<V: StandardVersion>(body: &[u8]) -> Result<Submitted, Vec<Fault>> {
    let json = std::str::from_utf8(body).ok().and_then(|text| keep(text).ok());
    // The body was parsed before, so this cannot fail; if it did, nothing may be stored.
    let json = json.ok_or_else(|| vec![Fault::new(FaultCode::InvalidFormat, "The body cannot be read.")])?;
    Ok(Submitted { version: V::VERSION, json })
}

/// The bodies of a product as JSON Schema (2020-12), each self-contained.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductSchemas {
    /// The consent request.
    pub consent_request: Value,
    /// A consent.
    pub consent: Value,
    /// The order request.
    pub order_request: Value,
    /// An order.
    pub order: Value,
}

/// An immediate domestic payment.
#[derive(Debug, Clone, Copy)]
pub struct DomesticPayment;

/// A domestic payment on a later day.
#[derive(Debug, Clone, Copy)]
pub struct DomesticScheduledPayment;

/// A domestic standing order.
#[derive(Debug, Clone, Copy)]
pub struct DomesticStandingOrder;

/// A payment under a VRP consent.
#[derive(Debug, Clone, Copy)]
pub struct DomesticVrp;

/// An immediate international payment.
#[derive(Debug, Clone, Copy)]
pub struct InternationalPayment;

/// An international payment on a later day.
#[derive(Debug, Clone, Copy)]
pub struct InternationalScheduledPayment;

/// An international standing order.
#[derive(Debug, Clone, Copy)]
pub struct InternationalStandingOrder;

/// A payment file.
#[derive(Debug, Clone, Copy)]
pub struct FilePayment;
