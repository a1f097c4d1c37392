//! Lists and finds the implemented operations: each row of the table in each version that serves it.

use super::table::ENDPOINTS;
use lombard_edge::endpoint::{ApiEndpoint, Operation, ServedVersion};
use lombard_edge::endpoint_facts::{Conformance, HttpMethod};
use std::collections::HashSet;

/// All implemented operations: each row in each version that serves it.
pub fn list_operations() -> impl Iterator<Item = Operation> {
    ENDPOINTS.iter().flat_map(|endpoint| {
        endpoint.served.iter().map(move |&ServedVersion { version, route, contract, opened_by }| Operation {
            endpoint,
            version,
            route,
            contract,
            opened_by,
        })
    })
}

/// Finds the row with this name, which the configuration uses too.
pub fn find_endpoint(name: &str) -> Option<&'static ApiEndpoint> {
    ENDPOINTS.iter().find(|endpoint| endpoint.name == name)
}

/// Finds the POST that creates the resource of a row: the one on the path before the first id.
pub fn find_creating_post(endpoint: &ApiEndpoint) -> Option<&'static ApiEndpoint> {
    let (collection, _) = endpoint.path.split_once("/{")?;
    let is_meant =
        |row: &&ApiEndpoint| row.group == endpoint.group && row.method == HttpMethod::Post && row.path == collection;
    ENDPOINTS.iter().find(is_meant)
}

/// Whether an operator has switched a row off. Mandatory endpoints cannot be switched off.
pub fn is_switched_off(endpoint: &ApiEndpoint, switched_off: &HashSet<String>) -> bool {
    let may_be_off = match endpoint.conformance {
        Conformance::Mandatory => false,
        Conformance::WithPost => find_creating_post(endpoint).is_none_or(|post| is_switched_off(post, switched_off)),
        Conformance::Conditional | Conformance::Optional => true,
    };
    may_be_off && switched_off.contains(endpoint.name)
}
