//! VRP consents in the form of v4.0 that replace those of an older version. Source: V4-020, V4-026, V4-030.

use super::{V4_0, upgrade};
use crate::document::DEPTH_MAX;
use crate::parse::FromJson;
use crate::payments::read_consent;
use crate::payments::risk::KeptRisk;
use crate::vrp::request::VrpConsentRequestBody;
use lombard_domain::payment::order::PaymentDraft;
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation};
use lombard_domain::submitted::Submitted;
use serde_json::Value;

/// Converts the document submitted for a VRP consent to the form of v4.0, and parses it. Source: V4-026, V4-030.
///
/// # Errors
/// Every fault by the rules of v4.0, at least one.
pub fn upgrade_vrp_consent(submitted: &Submitted) -> Result<PaymentDraft, Vec<Fault>> {
    let unreadable = |_| vec![Fault::new(FaultCode::InvalidFormat, "The stored consent cannot be read.")];
    let json = upgrade(submitted).map_err(unreadable)?;
    read_migrated_vrp_consent(json.as_bytes(), DEPTH_MAX)
}

/// Parses a VRP consent in the form of v4.0 that replaces a consent of an older version. Its payment context may be one that new
/// consents must not have. Source: V4-028, V4-030.
///
/// # Errors
/// Every fault, at least one.
pub fn read_migrated_vrp_consent(body: &[u8], depth_max: usize) -> Result<PaymentDraft, Vec<Fault>> {
    read_consent::<V4_0, VrpConsentRequestBody<V4_0, KeptRisk<V4_0>>>(body, depth_max)
}

/// Parses a VRP consent that results from a patch of a rendered consent. Members that requests do not have may be present if they
/// were rendered; if the patch adds such a member, which would have no effect, a fault is reported. Source: V4-030.
///
/// # Errors
/// Every fault, at least one.
pub fn read_patched_vrp_consent(rendered: &[u8], patched: &[u8], depth_max: usize) -> Result<PaymentDraft, Vec<Fault>> {
    let draft = read_migrated_vrp_consent(patched, depth_max)?;
    let unreadable = |_| vec![Fault::new(FaultCode::FieldInvalid, "The patched consent cannot be read.")];
    let before: Value = serde_json::from_slice(rendered).map_err(unreadable)?;
    let after: Value = serde_json::from_slice(patched).map_err(unreadable)?;
    let mut faults = Vec::new();
    let schema = VrpConsentRequestBody::<V4_0, KeptRisk<V4_0>>::schema();
    find_added_members(&schema, Some(&before), &after, "", &mut faults);
    if faults.is_empty() { Ok(draft) } else { Err(faults) }
}

/// Adds a fault for each member that the schema does not name and that the document did not have before the patch.
fn find_added_members(schema: &Value, before: Option<&Value>, after: &Value, at: &str, faults: &mut Vec<Fault>) {
    match after {
        Value::Object(members) => {
            let Some(known) = schema.get("properties") else { return };
            for (name, value) in members {
                let was = before.and_then(|before| before.get(name));
                let at = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
                match known.get(name) {
                    Some(schema) => find_added_members(schema, was, value, &at, faults),
                    None if was.is_some() => {}
                    None => {
                        let message = "A patch cannot add a member that the consent does not have.";
                        faults.push(Fault::at(FaultCode::FieldUnexpected, FaultLocation::Path(at), message));
                    }
                }
            }
        }
        Value::Array(items) => {
            let Some(schema) = schema.get("items") else { return };
            for (index, item) in items.iter().enumerate() {
                let was = before.and_then(|before| before.get(index));
                find_added_members(schema, was, item, &format!("{at}[{index}]"), faults);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
