//! Endpoints that an operator switches off: exactly those that are named are gone, and each goes with what needs it. Source: AIS-001,
//! RW-009, RW-110.

use crate::harness::{Bank, Engine, ExchangeExt};
use http::Method;
use lombard_api::catalogue::{ENDPOINTS, find_creating_post, list_operations, validate_switched_off};
use lombard_edge::endpoint::ApiEndpoint;
use lombard_edge::endpoint_facts::Conformance;
use lombard_tpp::{ExchangeObserver, HttpCall};
use std::collections::BTreeSet;

/// The names that must stand together for this row to be off.
fn together(row: &ApiEndpoint) -> Vec<&'static str> {
    let post = find_creating_post(row).filter(|_| row.conformance == Conformance::WithPost);
    [Some(row.name), post.map(|post| post.name)].into_iter().flatten().collect()
}

/// Every row that can be off, with what goes with it.
fn switchable() -> Vec<Vec<&'static str>> {
    let rows = ENDPOINTS.iter().filter(|row| row.may_be_switched_off());
    rows.map(together).filter(|names| is_valid(names)).collect()
}

fn is_valid(names: &[&str]) -> bool {
    problems(names).is_empty()
}

fn problems(names: &[&str]) -> Vec<String> {
    validate_switched_off(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
}

/// Asks for every operation without a token: one that is off answers 404 before any token is looked at, and 405 where another method of
/// its path is on.
async fn assert_exactly_off(bank: &Bank, off: &BTreeSet<&str>) {
    // No description has the answers of operations that are off: they are not recorded.
    let tpp = bank.tpp_watched("robot", ExchangeObserver::new(|_| {}));
    for operation in list_operations() {
        let is_off = |name: &str| off.contains(name);
        let beside: Vec<_> = list_operations()
            .filter(|it| it.path() == operation.path() && !is_off(it.endpoint.name))
            .map(|it| it.endpoint.method.name())
            .collect();
        let path = operation.path();
        let words = path.split('/').map(|word| if word.starts_with('{') { "x" } else { word });
        let path = words.collect::<Vec<_>>().join("/");
        let url = format!("{}{}", bank.endpoints().mtls, path);
        let method = Method::from_bytes(operation.endpoint.method.name().as_bytes()).unwrap();
        let answer = tpp.send(HttpCall::new(method, url)).await.unwrap();
        let expected = match (is_off(operation.endpoint.name), beside.is_empty()) {
            (false, _) => 401,
            (true, true) => 404,
            (true, false) => 405,
        };
        assert_eq!(answer.status.as_u16(), expected, "{operation:?} with {off:?} off: {}", answer.text());
        if expected == 405 {
            let mut allowed: Vec<_> = answer.head("allow").split(", ").collect();
            allowed.sort_unstable();
            let mut beside = beside;
            beside.sort_unstable();
            assert_eq!(allowed, beside, "{operation:?}");
        }
    }
}

#[tokio::test]
async fn ais_001_exactly_what_is_named_is_off() {
    let switchable = switchable();
    assert!(switchable.len() > 50, "{}", switchable.len());
    // Any two rows are on different sides in one of the sets, unless they go together.
    let bits = usize::BITS - switchable.len().leading_zeros();
    let mut sets: Vec<BTreeSet<&str>> = vec![switchable.iter().flatten().copied().collect()];
    for bit in 0..bits {
        let chosen = switchable.iter().enumerate().filter(|(number, _)| number >> bit & 1 == 1);
        sets.push(chosen.flat_map(|(_, names)| names).copied().collect());
    }
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    for set in sets {
        let names: Vec<_> = set.iter().copied().collect();
        assert_eq!(problems(&names), <[String; 0]>::default());
        bank.restart_with(&[("endpoints.off", &names.join(","))]).await;
        assert_exactly_off(&bank, &set).await;
        bank.stop().await;
    }
}

#[test]
fn ais_001_what_is_mandatory_stays_and_pairs_go_together() {
    for row in ENDPOINTS {
        let alone = problems(&[row.name]);
        match row.conformance {
            Conformance::Mandatory => {
                assert_eq!(alone, [format!("{} is mandatory and cannot be switched off", row.name)]);
            }
            Conformance::WithPost => {
                let post = find_creating_post(row).unwrap();
                let sentence =
                    format!("{} is mandatory while {} is offered; switch both off or neither", row.name, post.name);
                assert_eq!(alone, [sentence]);
                assert_eq!(is_valid(&[row.name, post.name]), post.may_be_switched_off(), "{row:?}");
                assert_eq!(is_valid(&[post.name]), post.may_be_switched_off(), "{row:?} stays without its POST");
            }
            Conformance::Conditional | Conformance::Optional => assert!(alone.is_empty(), "{row:?}: {alone:?}"),
        }
    }
}
