//! The faults that strike the calls of one client alone, as its developers plant them.

use super::injection::FaultInjection;
use super::list::{read_faults, write_faults};
use super::rule::FAULTS_MAX;
use lombard_core_api::form::faults::FormFault;
use lombard_domain::ids::ClientId;
use serde_json::{Map, Value};

/// The faults of a client, each as JSON without its client id.
pub(crate) fn list_own_faults(injection: &FaultInjection, client: &ClientId) -> Vec<String> {
    let own: Vec<_> = injection.list().into_iter().filter(|rule| rule.is_of(client)).collect();
    let written = serde_json::to_value(write_faults(&own)).unwrap_or_default();
    let without_client = |fault: &Value| {
        let members = fault.as_object().cloned().unwrap_or_default();
        let told: Map<String, Value> = members.into_iter().filter(|(name, _)| name != "client_id").collect();
        Value::Object(told).to_string()
    };
    written.as_array().map(|faults| faults.iter().map(without_client).collect()).unwrap_or_default()
}

/// Adds a fault with these members to the calls of a client.
///
/// # Errors
/// Everything that is wrong with it, or that there are too many; nothing has changed then.
pub(crate) fn add_own_fault(
    injection: &FaultInjection,
    client: &ClientId,
    mut members: Map<String, Value>,
) -> Result<(), Vec<FormFault>> {
    members.insert("client_id".to_owned(), client.as_str().into());
    let document = Value::Array(vec![Value::Object(members)]).to_string();
    let rules = read_faults(document.as_bytes(), injection, |_| Some(client.clone()))?;
    injection.rules.change(|kept| {
        if kept.len() >= FAULTS_MAX {
            let message = format!("There are {FAULTS_MAX} faults already, those of other applications included.");
            return Err(vec![FormFault { path: String::new(), message }]);
        }
        kept.extend(rules);
        Ok(())
    })
}

/// Removes the fault of a client with this number in its list, or all of them. Faults of others stay.
pub(crate) fn remove_own_faults(injection: &FaultInjection, client: &ClientId, number: Option<usize>) {
    injection.rules.change(|kept| {
        let mut own = 0_usize;
        kept.retain(|rule| {
            if !rule.is_of(client) {
                return true;
            }
            let is_meant = number.is_none_or(|number| number == own);
            own = own.saturating_add(1);
            !is_meant
        });
    });
}
