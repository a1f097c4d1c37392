//! The faults of one client's own calls, which its developers inject.

use super::descriptions::describe_fault;
use super::injection::FaultInjection;
use super::list::read_faults;
use super::rule::{CLIENT_FAULTS_MAX, FAULTS_MAX};
use lombard_core_api::form::faults::FormFault;
use lombard_domain::ids::ClientId;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Lists the faults of a client, each in a sentence.
pub fn list_client_faults(injection: &FaultInjection, client: &ClientId) -> Vec<String> {
    injection.list().iter().filter(|rule| rule.is_of(client)).map(describe_fault).collect()
}

/// Lists the distinct names of the operations to which faults can apply.
pub fn list_operation_names(injection: &FaultInjection) -> BTreeSet<String> {
    injection.operations.iter().map(|operation| operation.name.clone()).collect()
}

/// Adds a fault with these members to the calls of a client.
///
/// # Errors
/// Every error of the fault, or that there are too many faults; nothing has changed then.
pub fn add_client_fault(
    injection: &FaultInjection,
    client: &ClientId,
    mut members: Map<String, Value>,
) -> Result<(), Vec<FormFault>> {
    members.insert("client_id".to_owned(), client.as_str().into());
    let document = Value::Array(vec![Value::Object(members)]).to_string();
    let rules = read_faults(document.as_bytes(), injection, |_| Some(client.clone()))?;
    injection.rules.change(|kept| {
        if kept.iter().filter(|rule| rule.is_of(client)).count() >= CLIENT_FAULTS_MAX {
            let message = format!(
                "This application has {CLIENT_FAULTS_MAX} faults already, which is its share. Remove one first."
            );
            return Err(vec![FormFault { path: String::new(), message }]);
        }
        if kept.len() >= FAULTS_MAX {
            let message = format!("There are {FAULTS_MAX} faults already, those of other applications included.");
            return Err(vec![FormFault { path: String::new(), message }]);
        }
        kept.extend(rules);
        Ok(())
    })
}

/// Removes the fault with this number in a client's list, or all faults of the client. The faults of others stay.
pub fn remove_client_faults(injection: &FaultInjection, client: &ClientId, number: Option<usize>) {
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
