//! Parses and serialises the list of faults that a tester injects.

use super::effect::{InjectedCode, UNSIGNED};
use super::form::{all_or_faults, check_effect};
use super::injection::{ErrorForm, FaultInjection};
use super::operation;
use super::rule::{FAULTS_MAX, FaultRule};
use lombard_core_api::form::faults::{FormFault, JsonLocation};
use lombard_core_api::form::node::JsonNode;
use lombard_core_api::form::shape::{FormReader, SingleForm};
use lombard_domain::ids::ClientId;
use std::collections::BTreeSet;

/// The distinct names of clients in a list of faults; empty if the document is not a list.
pub fn list_client_names(body: &[u8]) -> BTreeSet<String> {
    let items = match serde_json::from_slice(body) {
        Ok(JsonNode::List(items)) if items.len() <= FAULTS_MAX => items,
        Ok(_) | Err(_) => Vec::new(),
    };
    items.iter().filter_map(|item| text_member(item, CLIENT)).map(str::to_owned).collect()
}

/// Parses a list of faults for the operations of this process. `find_client` finds the client with a name.
///
/// # Errors
/// Every error of the document, with its path.
pub fn read_faults(
    body: &[u8],
    injection: &FaultInjection,
    find_client: impl Fn(&str) -> Option<ClientId>,
) -> Result<Vec<FaultRule>, Vec<FormFault>> {
    let fault = |message: String| vec![FormFault { path: String::new(), message }];
    let node: JsonNode<'_> = serde_json::from_slice(body)
        .map_err(|error| fault(format!("This is not JSON (line {}, column {}).", error.line(), error.column())))?;
    let JsonNode::List(items) = node else { return Err(fault("Must be a list of faults.".to_owned())) };
    if items.len() > FAULTS_MAX {
        return Err(fault(format!("Must have at most {FAULTS_MAX} faults.")));
    }
    let mut reader = FormReader::default();
    let mut rules = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let at = JsonLocation::Item(&JsonLocation::Root, index);
        let names = RuleNames::find(&item, injection, &find_client);
        let read = FaultRule::read(item, &at, &mut reader);
        // The names are resolved even if the fault has other errors.
        names.check(&at, &mut reader);
        rules.extend(read.and_then(|rule| check_rule(rule, names, injection, &at, &mut reader)));
    }
    all_or_faults(reader, Some(rules))
}

/// Serialises a list of faults.
pub fn write_faults(rules: &[FaultRule]) -> JsonNode<'static> {
    JsonNode::List(rules.iter().map(SingleForm::write).collect())
}

const CLIENT: &str = "client_id";
const OPERATION: &str = "operation";

fn text_member<'n>(node: &'n JsonNode, name: &str) -> Option<&'n str> {
    let JsonNode::Object(members) = node else { return None };
    members.iter().find_map(|(member, value)| match value {
        JsonNode::Text(text) if *member == name => Some(text.as_ref()),
        _ => None,
    })
}

/// The resolved names of a fault; `None` for a name that is absent or malformed.
struct RuleNames {
    /// The numbers of the operations.
    operations: Option<Vec<usize>>,
    client: Option<Option<ClientId>>,
}

impl RuleNames {
    fn find(node: &JsonNode, injection: &FaultInjection, find_client: &impl Fn(&str) -> Option<ClientId>) -> Self {
        Self {
            operations: text_member(node, OPERATION).map(|name| operation::resolve(injection, name)),
            client: text_member(node, CLIENT).map(find_client),
        }
    }

    /// Reports each name that cannot be resolved.
    fn check(&self, at: &JsonLocation<'_>, reader: &mut FormReader) {
        if self.operations.as_ref().is_some_and(Vec::is_empty) {
            let sentence = "There is no such operation: a name of docs/reference/endpoints.md such as GetAccounts, an OAuth \
                            endpoint such as token, or a method and a path such as GET /open-banking/v3.1/aisp/accounts.";
            reader.faults.record_fault(&JsonLocation::Member(at, OPERATION), sentence);
        }
        if self.client == Some(None) {
            let sentence = "There is no such application: its client id, software id, name or folder.";
            reader.faults.record_fault(&JsonLocation::Member(at, CLIENT), sentence);
        }
    }
}

/// Checks the combination of a fault's members, and resolves its names.
fn check_rule(
    mut rule: FaultRule,
    names: RuleNames,
    injection: &FaultInjection,
    at: &JsonLocation<'_>,
    reader: &mut FormReader,
) -> Option<FaultRule> {
    rule.effect = check_effect(rule.effect, at, reader)?;
    rule.client_id = names.client.flatten();
    let Some(operations) = names.operations.filter(|operations| !operations.is_empty()) else { return Some(rule) };
    rule.operations = operations;
    if rule.effect.wrong_signature == Some(true) && !operation::signs_responses(injection, &rule.operations) {
        return reader.fault(&JsonLocation::Member(at, "wrong_signature"), UNSIGNED);
    }
    let form = match rule.effect.code.as_ref().map(|name| name.code) {
        None => return Some(rule),
        Some(InjectedCode::Standard(_)) => ErrorForm::Api,
        Some(InjectedCode::OAuth(_)) => ErrorForm::OAuth,
    };
    if operation::has_errors_of(injection, &rule.operations, form) {
        return Some(rule);
    }
    reader.fault(&JsonLocation::Member(at, "code"), "The operation has no errors with this kind of code.")
}
