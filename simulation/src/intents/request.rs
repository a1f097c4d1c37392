//! The requests that TPPs send.

use super::{FileSent, digest};
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::PaymentConsentRequest;
use lombard_domain::payment::vrp::VrpPayment;
use lombard_domain::version::Version;
use lombard_ports::store::IdempotencyKey;
use lombard_service::payments::IdempotentRequest;
use std::sync::Arc;

/// The TPPs.
pub(crate) const CLIENTS: [&str; 3] = ["acme", "rival", "robot"];

/// A request, which may be sent repeatedly.
#[derive(Debug, Clone)]
pub(crate) struct SentRequest {
    pub(crate) client: ClientId,
    pub(crate) product: PaymentProduct,
    /// The version of the endpoint.
    pub(crate) version: Version,
    pub(crate) key: String,
    /// A number that represents the digest of the body. Different bodies have different numbers.
    pub(crate) body: u64,
    pub(crate) asked: IntendedRequest,
}

/// The content of a request.
#[derive(Debug, Clone)]
pub(crate) enum IntendedRequest {
    /// Create a consent.
    Consent(Box<PaymentConsentRequest>),
    /// Create the order of a consent.
    Order {
        /// The consent.
        consent: ConsentId,
        /// Whether the order differs from the consent.
        differing: bool,
        /// The payment, for a VRP consent.
        payment: Option<Box<VrpPayment>>,
    },
    /// Upload the file of a consent.
    File {
        /// The consent.
        consent: ConsentId,
        /// The file.
        sent: Arc<FileSent>,
    },
}

impl SentRequest {
    /// The idempotency key and the digest by which a repeated request is recognised.
    pub(crate) fn once(&self) -> IdempotentRequest {
        IdempotentRequest { key: self.idempotency_key(), body_digest: digest(self.body) }
    }

    /// The idempotency key with its scope.
    pub(crate) fn idempotency_key(&self) -> IdempotencyKey {
        let path = match &self.asked {
            IntendedRequest::Consent(_) => self.product.consents_path().to_owned(),
            IntendedRequest::Order { .. } => self.product.orders_path().to_owned(),
            IntendedRequest::File { consent, .. } => format!("{}/{consent}/file", self.product.consents_path()),
        };
        let operation = format!("POST {}{path}", self.version.segment());
        IdempotencyKey { client: self.client.clone(), operation, key: self.key.clone() }
    }
}
