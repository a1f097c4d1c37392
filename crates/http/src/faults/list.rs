//! The list of faults that a tester plants, as a document.

use super::effect::InjectedCode;
use super::form::{all_or_faults, judge_effect};
use super::injection::{ErrorForm, FaultInjection};
use super::operation;
use super::rule::{FAULTS_MAX, FaultRule};
use lombard_core_api::form::faults::{FormFault, JsonLocation};
use lombard_core_api::form::node::JsonNode;
use lombard_core_api::form::shape::{FormReader, SingleForm};

/// Reads a list of faults whose operations are those of this process.
///
/// # Errors
/// Every fault of the document, with its path.
pub(crate) fn read_faults(body: &[u8], injection: &FaultInjection) -> Result<Vec<FaultRule>, Vec<FormFault>> {
    let fault = |message: String| vec![FormFault { path: String::new(), message }];
    let node: JsonNode = serde_json::from_slice(body)
        .map_err(|error| fault(format!("This is not JSON (line {}, column {}).", error.line(), error.column())))?;
    let JsonNode::List(items) = node else { return Err(fault("Must be a list of faults.".to_owned())) };
    if items.len() > FAULTS_MAX {
        return Err(fault(format!("Must have at most {FAULTS_MAX} faults.")));
    }
    let mut reader = FormReader::default();
    let mut rules = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let at = JsonLocation::Item(&JsonLocation::Root, index);
        let read = FaultRule::read(item, &at, &mut reader);
        rules.extend(read.and_then(|rule| judge_rule(rule, injection, &at, &mut reader)));
    }
    all_or_faults(reader, Some(rules))
}

/// Writes a list of faults.
pub(crate) fn write_faults(rules: &[FaultRule]) -> JsonNode {
    JsonNode::List(rules.iter().map(SingleForm::write).collect())
}

/// Judges what members of a fault say together, and resolves its operation.
fn judge_rule(
    mut rule: FaultRule,
    injection: &FaultInjection,
    at: &JsonLocation<'_>,
    reader: &mut FormReader,
) -> Option<FaultRule> {
    rule.effect = judge_effect(rule.effect, at, reader)?;
    let Some(name) = &rule.operation else { return Some(rule) };
    rule.operations = operation::resolve(injection, name);
    if rule.operations.is_empty() {
        let sentence = "There is no such operation: a name of docs/reference/endpoints.md such as GetAccounts, an OAuth endpoint \
                        such as token, or a method and a path such as GET /open-banking/v3.1/aisp/accounts.";
        return reader.fault(&JsonLocation::Member(at, "operation"), sentence);
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
