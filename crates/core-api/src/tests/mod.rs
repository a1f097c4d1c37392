//! Tests that compare the table of methods with the bank port, and each form with its own output.

#![allow(clippy::arithmetic_side_effects, reason = "the numbers of these tests are small")]

mod round_trips;
mod samples;

use crate::calls::methods;
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, SchemaStyle};
use crate::openapi::build_openapi_document;
use std::collections::{BTreeMap, BTreeSet};

/// The methods of the port that are not in the core API. A core need not know which updates the server cannot apply: the server excludes
/// their orders from its requests for updates.
const NOT_ON_THE_WIRE: [&str; 1] = ["quarantine_updates"];

/// The names of the methods of the bank port, parsed from its source.
fn port_methods() -> BTreeSet<&'static str> {
    let sources = [
        (include_str!("../../../ports/src/bank/mod.rs"), "pub trait Bank: "),
        (include_str!("../../../ports/src/bank/payment.rs"), "pub trait PaymentBank "),
    ];
    let mut names = BTreeSet::new();
    for (source, head) in sources {
        let body = source.split_once(head).unwrap().1.split_once("\n}\n").unwrap().0;
        names.extend(body.split("async fn ").skip(1).map(|rest| rest.split('(').next().unwrap()));
    }
    names
}

#[test]
fn every_method_of_the_port_has_a_row() {
    let mut port = port_methods();
    assert!(port.len() > 20 && port.contains("list_balances") && port.contains("submit_orders"), "{port:?}");
    for name in NOT_ON_THE_WIRE {
        assert!(port.remove(name), "{name}");
    }
    let rows: BTreeSet<_> = methods().map(|method| method.port).collect();
    assert_eq!(rows, port);
    let names: BTreeSet<_> = methods().map(|method| method.name).collect();
    assert_eq!(names.len(), methods().count(), "each name once");
    assert!(names.iter().all(|name| name.bytes().all(|it| it.is_ascii_lowercase() || it == b'-')), "{names:?}");
}

/// The schemas of all messages.
fn schemas() -> BTreeMap<String, JsonNode<'static>> {
    let mut definitions = Definitions::new(SchemaStyle::OpenApi);
    for method in methods() {
        (method.request)(&mut definitions);
        (method.answer)(&mut definitions);
    }
    definitions.into_schemas()
}

fn member<'a>(node: &'a JsonNode<'static>, name: &str) -> Option<&'a JsonNode<'static>> {
    let JsonNode::Object(members) = node else { return None };
    members.iter().find(|(found, _)| found == name).map(|(_, value)| value)
}

#[test]
fn every_member_is_described() {
    let mut silent = Vec::new();
    for (name, schema) in schemas() {
        let Some(JsonNode::Object(members)) = member(&schema, "properties") else { panic!("{name}") };
        let described = |node| matches!(member(node, "description"), Some(JsonNode::Text(text)) if text.ends_with('.'));
        silent.extend(members.iter().filter(|(_, node)| !described(node)).map(|(it, _)| format!("{name}.{it}")));
    }
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn the_document_has_every_method_and_refers_to_nothing_that_is_missing() {
    let document = build_openapi_document();
    for method in methods() {
        assert!(document.contains(&format!("\n  /core/v1/{}:\n", method.name)), "{}", method.name);
    }
    let defined: BTreeSet<&str> = document
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.strip_suffix(':'))
        .filter(|name| !name.starts_with(' '))
        .collect();
    let referred = document.split("\"#/components/schemas/").skip(1).map(|rest| rest.split('"').next().unwrap());
    let missing: Vec<_> = referred.filter(|name| !defined.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
