//! The requests that TPPs send.

use super::{FileSent, digest};
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_domain::order::{PaymentConsentRequest, PaymentProduct};
use lombard_domain::version::Version;
use lombard_domain::vrp::VrpPayment;
use lombard_ports::store::IdempotencyKey;
use lombard_service::payments::IdempotentRequest;
use std::sync::Arc;

/// The TPPs.
pub(crate) const CLIENTS: [&str; 3] = ["acme", "rival", "robot"];

/// The version of all their requests.
pub(crate) const VERSION: Version = Version::V3_1;

/// A request, as it is sent once or again.
#[derive(Debug, Clone)]
pub(crate) struct SentRequest {
    pub(crate) client: ClientId,
    pub(crate) product: PaymentProduct,
    pub(crate) key: String,
    /// What the body digests to: another number is another body.
    pub(crate) body: u64,
    pub(crate) asked: IntendedRequest,
}

/// What is asked for.
#[derive(Debug, Clone)]
pub(crate) enum IntendedRequest {
    /// A consent to this.
    Consent(Box<PaymentConsentRequest>),
    /// The order of a consent.
    Order {
        /// The consent.
        consent: ConsentId,
        /// Whether the order says something else than the consent.
        differing: bool,
        /// What is to be paid, where the consent leaves that open.
        payment: Option<Box<VrpPayment>>,
    },
    /// That a consent takes its file.
    File {
        /// The consent.
        consent: ConsentId,
        /// The file.
        sent: Arc<FileSent>,
    },
}

impl SentRequest {
    /// What makes it the same as another.
    pub(crate) fn once(&self) -> IdempotentRequest {
        IdempotentRequest { key: self.idempotency_key(), body: digest(self.body) }
    }

    /// Its key, in its scope.
    pub(crate) fn idempotency_key(&self) -> IdempotencyKey {
        let operation = match &self.asked {
            IntendedRequest::Consent(_) => format!("POST {}", self.product.consents_path()),
            IntendedRequest::Order { .. } => format!("POST {}", self.product.orders_path()),
            IntendedRequest::File { consent, .. } => format!("POST {}/{consent}/file", self.product.consents_path()),
        };
        IdempotencyKey { client: self.client.clone(), operation, key: self.key.clone() }
    }
}
