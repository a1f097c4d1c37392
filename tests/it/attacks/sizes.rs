//! Bodies and lists that are longer than anybody means them, and consents without end. Source: RW-279, EVT-029.
//!
//! That every row of the catalogue refuses a submission of more than 64 KiB is tested with the other bodies that cannot be read
//! (`catalogue::walk`).

use crate::harness::{Bank, Engine, ExchangeExt, PayingTpp, funds};
use http::Method;
use lombard_api::catalogue::list_operations;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_edge::endpoint::Operation;
use lombard_edge::endpoint_facts::{EndpointGroup, RequiredGrant};
use lombard_tpp::{HttpCall, HttpExchange, Tpp};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A list of codes in a body: the members that lead to it, `0` for the first of a list, and one of its codes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct CodeList {
    path: Vec<String>,
    code: String,
}

impl CodeList {
    /// How errors name it, without places in lists.
    fn name(&self) -> String {
        self.path.iter().filter(|member| *member != "0").cloned().collect::<Vec<_>>().join(".")
    }

    /// A body that has nothing but the list, with so many codes.
    fn body(&self, count: usize) -> Value {
        let list = json!(vec![self.code.as_str(); count]);
        self.path.iter().rev().fold(list, |inner, member| match member.as_str() {
            "0" => json!([inner]),
            name => json!({ name: inner }),
        })
    }
}

/// A schema of a document, behind its references.
fn resolved<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    match schema["$ref"].as_str() {
        Some(reference) => resolved(document, document.pointer(reference.trim_start_matches('#')).unwrap()),
        None => schema,
    }
}

/// Every list of codes in a schema.
fn code_lists(document: &Value, schema: &Value, path: &mut Vec<String>, found: &mut Vec<CodeList>) {
    let schema = resolved(document, schema);
    for choice in ["anyOf", "oneOf", "allOf"] {
        for part in schema[choice].as_array().into_iter().flatten() {
            code_lists(document, part, path, found);
        }
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        path.push(name.clone());
        code_lists(document, member, path, found);
        path.pop();
    }
    if let Some(items) = schema.get("items") {
        if let Some(code) = resolved(document, items)["enum"].as_array().and_then(|codes| codes.first()?.as_str()) {
            found.push(CodeList { path: path.clone(), code: code.to_owned() });
        }
        path.push("0".to_owned());
        code_lists(document, items, path, found);
        path.pop();
    }
}

/// The documents of a bank, by the groups that they describe.
async fn documents(bank: &Bank, tpp: &Tpp) -> BTreeMap<&'static str, Value> {
    let groups = ["account-info", "payment-initiation", "funds-confirmation", "variable-recurring-payments", "events"];
    let mut documents = BTreeMap::new();
    for name in groups {
        let call = HttpCall::get(format!("{}/openapi/{name}.json", bank.endpoints().public));
        documents.insert(name, tpp.send(call).await.unwrap().ok(200));
    }
    documents
}

const fn document_of(group: EndpointGroup) -> (&'static str, &'static str) {
    match group {
        EndpointGroup::AccountInformation => ("account-info", "accounts"),
        EndpointGroup::Payments => ("payment-initiation", "payments"),
        EndpointGroup::FundsConfirmation => ("funds-confirmation", "fundsconfirmations"),
        EndpointGroup::VariableRecurringPayments => ("variable-recurring-payments", "payments"),
        EndpointGroup::Events => ("events", "accounts"),
    }
}

/// The lists of codes in the body of an operation.
fn lists_of(documents: &BTreeMap<&'static str, Value>, operation: &Operation) -> Vec<CodeList> {
    let document = &documents[document_of(operation.endpoint.group).0];
    let described = &document["paths"][operation.path()][operation.endpoint.method.name().to_lowercase()];
    assert!(described.is_object(), "{operation:?} is not described");
    let body = resolved(document, &described["requestBody"]);
    let mut found = Vec::new();
    for media in body["content"].as_object().into_iter().flatten().map(|(_, media)| media) {
        code_lists(document, &media["schema"], &mut Vec::new(), &mut found);
    }
    found.sort();
    found.dedup();
    found
}

#[tokio::test]
async fn rw_279_a_list_of_codes_is_no_longer_than_twice_the_codes_everywhere() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let documents = documents(&bank, &tpp).await;
    let mut walked = BTreeMap::new();
    let mut elsewhere = Vec::new();
    for operation in list_operations() {
        for list in lists_of(&documents, &operation) {
            if operation.endpoint.grant == RequiredGrant::Psu || operation.endpoint.path.contains('{') {
                elsewhere.push((operation, list));
                continue;
            }
            let scope = document_of(operation.endpoint.group).1;
            let own = tpp.client_credentials(scope).await.unwrap().access_token;
            for count in [2_000, 200] {
                let answer = submit(&bank, &tpp, &operation, &own, &list.body(count)).await;
                let found = answer.refused(400);
                let is_named = found.iter().any(|(_, path)| without_places(path) == list.name());
                assert!(is_named, "{operation:?} {}: {found:?}", list.name());
            }
            *walked.entry((operation.version, list.name())).or_insert(0) += 1;
        }
    }
    for version in Version::ALL {
        for name in
            ["Data.Permissions", "Data.ControlParameters.VRPType", "Data.ControlParameters.PSUAuthenticationMethods"]
        {
            assert!(walked.contains_key(&(version, name.to_owned())), "{version:?} {name}: {walked:?}");
        }
    }
    // What needs a customer's token, or a consent, has the lists of a body that was walked.
    for (operation, list) in elsewhere {
        assert!(walked.contains_key(&(operation.version, list.name())), "{operation:?} {list:?}");
    }
}

/// A path without the places in its lists.
fn without_places(path: &str) -> String {
    let pieces = path.split('[').map(|piece| piece.split_once(']').map_or(piece, |(_, rest)| rest));
    let text: String = pieces.collect();
    text.split('.').filter(|member| member.parse::<u32>().is_err()).collect::<Vec<_>>().join(".")
}

/// Sends a body to an operation as it asks for it.
async fn submit(bank: &Bank, tpp: &Tpp, operation: &Operation, token: &str, body: &Value) -> HttpExchange {
    let method = Method::from_bytes(operation.endpoint.method.name().as_bytes()).unwrap();
    let call = HttpCall::new(method, format!("{}{}", bank.endpoints().mtls, operation.path())).with_bearer(token);
    let call = call.with_header("x-idempotency-key", "sizes");
    let call = if operation.endpoint.signs_requests() { tpp.signed(call, body).unwrap() } else { call.with_json(body) };
    tpp.send(call).await.unwrap()
}

/// What asks for a consent of each kind, and where.
async fn consents(bank: &Bank, paying: &PayingTpp) -> Vec<(&'static str, &'static str, Value)> {
    let mut all = vec![
        (
            "accounts",
            "aisp/account-access-consents",
            json!({"Data": {"Permissions": ["ReadAccountsBasic"]}, "Risk": {}}),
        ),
        (
            "fundsconfirmations",
            "cbpii/funds-confirmation-consents",
            funds::about(&funds::current(bank, "amelia").await),
        ),
    ];
    for product in PaymentProduct::ALL {
        all.push(("payments", product.consents_path().trim_start_matches('/'), paying.asking(product)));
    }
    all
}

/// Asks for a consent.
async fn ask(tpp: &Tpp, (scope, path, body): &(&str, &str, Value), key: usize) -> HttpExchange {
    let own = tpp.client_credentials(scope).await.unwrap().access_token;
    let call = HttpCall::post(tpp.resource_url(path)).with_bearer(&own);
    let call = tpp.signed(call.with_header("x-idempotency-key", format!("consent-{key}")), body).unwrap();
    tpp.send(call).await.unwrap()
}

#[tokio::test]
async fn rw_279_a_client_has_so_many_open_consents_and_others_have_theirs() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::unstarted(engine).await;
        bank.restart_with(&[("limits.open_consents_max", "3")]).await;
        let greedy = bank.tpp("robot");
        let other = bank.tpp("rival");
        let paying = PayingTpp::robot(&bank).await;
        let consents = consents(&bank, &paying).await;
        for (key, consent) in consents.iter().enumerate() {
            let answer = ask(&greedy, consent, key).await;
            if key < 3 {
                assert_eq!(answer.status, 201, "{}: {}", consent.1, answer.text());
                continue;
            }
            assert_eq!(answer.status, 429, "{}: {}", consent.1, answer.text());
            let wait: u32 = answer.head("retry-after").parse().unwrap();
            assert!((1..=3_600).contains(&wait), "{wait}");
        }
        assert_eq!(ask(&other, &consents[0], 0).await.status, 201, "another client has a quota of its own");
        let repeated = consents.iter().position(|(scope, ..)| *scope == "payments").unwrap();
        assert_eq!(ask(&greedy, &consents[repeated], repeated).await.status, 201, "what was made is answered again");
    }
}
