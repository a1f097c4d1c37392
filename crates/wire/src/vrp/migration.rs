//! VRP consents in the form of v4.0 that replace those of an older version. Source: V4-020, V4-026, V4-030.

use super::request::VrpConsentRequestBody;
use crate::document::{DEPTH_MAX, upgrade};
use crate::payments::read_consent;
use crate::payments::risk::KeptRisk;
use crate::v4_0::V4_0;
use lombard_domain::consent::Submitted;
use lombard_domain::order::PaymentDraft;
use lombard_domain::refusal::{Fault, FaultCode};

/// Converts what was submitted for a VRP consent to the form of v4.0, and parses it. Source: V4-026, V4-030.
///
/// # Errors
/// Every fault that v4.0 finds in it, at least one.
pub fn upgrade_vrp_consent(submitted: &Submitted) -> Result<PaymentDraft, Vec<Fault>> {
    let unreadable = |_| vec![Fault::new(FaultCode::InvalidFormat, "The stored consent cannot be read.")];
    let json = upgrade(submitted).map_err(unreadable)?;
    read_migrated_vrp_consent(json.as_bytes(), DEPTH_MAX)
}

/// Parses a VRP consent in the form of v4.0 that replaces one of an older version, so its payment context may be one that new
/// consents may not have. Source: V4-028, V4-030.
///
/// # Errors
/// Every fault, at least one.
pub fn read_migrated_vrp_consent(body: &[u8], depth_max: usize) -> Result<PaymentDraft, Vec<Fault>> {
    read_consent::<V4_0, VrpConsentRequestBody<V4_0, KeptRisk<V4_0>>>(body, depth_max)
}
