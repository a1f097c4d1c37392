//! Everything that is built, found in the table.

use super::endpoint::{ApiEndpoint, Operation, ServedVersion};
use super::facts::{Conformance, HttpMethod};
use super::table::ENDPOINTS;
use std::collections::HashSet;

/// Everything that is built: each row in each version that serves it.
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

/// The row with this name, as configuration names it.
pub fn find_endpoint(name: &str) -> Option<&'static ApiEndpoint> {
    ENDPOINTS.iter().find(|endpoint| endpoint.name == name)
}

impl ApiEndpoint {
    /// The POST that makes the resource which this row reads: the one on the path up to its first id.
    pub fn creating_post(&self) -> Option<&'static ApiEndpoint> {
        let (collection, _) = self.path.split_once("/{")?;
        ENDPOINTS.iter().find(|row| row.group == self.group && row.method == HttpMethod::Post && row.path == collection)
    }

    /// Whether an operator has switched it off. What is mandatory stays, whatever the names say.
    pub fn is_off(&self, switched_off: &HashSet<String>) -> bool {
        let may_be_off = match self.conformance {
            Conformance::Mandatory => false,
            Conformance::WithPost => self.creating_post().is_none_or(|post| post.is_off(switched_off)),
            Conformance::Conditional | Conformance::Optional => true,
        };
        may_be_off && switched_off.contains(self.name)
    }
}

impl Operation {
    /// Whether an operator has switched it off.
    pub fn is_off(&self, switched_off: &HashSet<String>) -> bool {
        self.endpoint.is_off(switched_off)
    }
}
