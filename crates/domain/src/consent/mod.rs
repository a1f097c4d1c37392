//! Consents: what a TPP requests, who authorised it, and whether it gives access.
//!
//! All kinds share one type and one state machine; the differences between the kinds are data in [`ConsentRequest`].

mod account_access;
mod changes;
mod decision_evidence;
mod draft;
mod funds;
mod funds_confirmation;
mod kind;
mod migration;
mod payment;
mod payment_terms;
mod payment_view;
mod permissions;
mod request;
mod revoked_by;
mod state;
mod status;
mod status_notes;
mod status_reason;

pub use account_access::AccountAccess;
pub use decision_evidence::{DecisionEvidence, EvidencedDecision};
pub use draft::ConsentDraft;
pub use funds::{FundsConsentDraft, FundsConsentView};
pub use funds_confirmation::FundsConfirmationTerms;
pub use kind::ConsentKind;
pub use payment_terms::{PaymentConsent, PaymentSource};
pub use payment_view::{AccessEnd, PaymentConsentStatus, PaymentConsentView};
pub use permissions::{Permission, Permissions};
pub use request::ConsentRequest;
pub use revoked_by::RevokedBy;
pub use state::{Consent, ConsentState, NotAuthorisable, SelectedAccount};
pub use status::{ConsentView, EffectiveConsentStatus};
pub use status_reason::ConsentStatusReason;
