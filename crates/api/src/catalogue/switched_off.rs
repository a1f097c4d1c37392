//! Validates the names in the setting `endpoints.off`. Source: AIS-001, and the endpoint tables of the payment rules.

use super::find_endpoint;
use super::operations::{find_creating_post, is_switched_off};
use lombard_edge::endpoint::ApiEndpoint;
use lombard_edge::endpoint_facts::Conformance;
use std::collections::HashSet;

/// All errors of these names, one sentence each, in the order of the names.
pub fn validate_switched_off(names: &[String]) -> Vec<String> {
    let all: HashSet<String> = names.iter().cloned().collect();
    names.iter().filter_map(|name| validate_one(name, &all)).collect()
}

/// Why this name is not permitted in the list; `None` if it is.
fn validate_one(name: &str, all: &HashSet<String>) -> Option<String> {
    let Some(row) = find_endpoint(name) else {
        return Some(format!("{name} is not an endpoint; docs/reference/endpoints.md lists them"));
    };
    if is_switched_off(row, all) {
        return None;
    }
    let post = find_creating_post(row).filter(|_| row.conformance == Conformance::WithPost);
    Some(match post {
        Some(ApiEndpoint { name: post, .. }) => {
            format!("{name} is mandatory while {post} is offered; switch both off or neither")
        }
        None => format!("{name} is mandatory and cannot be switched off"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::ENDPOINTS;

    fn judged(names: &[&str]) -> Vec<String> {
        validate_switched_off(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn ais_001_all_problems_are_named_in_order() {
        let problems = judged(&["GetOffers", "Nothing", "GetAccounts", "GetFilePaymentsFilePaymentId"]);
        assert_eq!(
            problems,
            [
                "Nothing is not an endpoint; docs/reference/endpoints.md lists them",
                "GetAccounts is mandatory and cannot be switched off",
                "GetFilePaymentsFilePaymentId is mandatory while CreateFilePayments is offered; switch both off or neither",
            ]
        );
    }

    #[test]
    fn pis_a_get_that_is_mandatory_with_its_post_goes_with_it_alone() {
        let rows: Vec<_> = ENDPOINTS.iter().filter(|row| row.conformance == Conformance::WithPost).collect();
        assert_eq!(rows.len(), 15, "the endpoint tables of the payment rules, and the upload of a file");
        for row in rows {
            let post = find_creating_post(row).unwrap_or_else(|| panic!("{row:?} has no POST")).name;
            assert_eq!(judged(&[row.name]).len(), 1, "{row:?}");
            assert_eq!(judged(&[row.name, post]), <[String; 0]>::default(), "{row:?}");
            assert_eq!(judged(&[post]), <[String; 0]>::default(), "{row:?} may stay: it reads what was made before");
            let off = HashSet::from([row.name.to_owned()]);
            assert!(!is_switched_off(row, &off), "{row:?} is served whatever the names say");
        }
    }
}
