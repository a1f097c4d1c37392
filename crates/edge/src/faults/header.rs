//! Parses the header `x-lombard-fault`, which asks for a fault of its own request, such as `status=503; delay_ms=200`. Members are
//! separated by `;` or `,`.

use super::effect::{FAULT_HEADER_TEXT, FaultEffect, UNSIGNED};
use super::form;
use http::{HeaderMap, HeaderName};
use lombard_core_api::form::faults::FormFault;
use lombard_core_api::form::node::JsonNode;
use std::borrow::Cow;

/// The header in which a request asks for a fault.
pub(super) const FAULT_HEADER: HeaderName = HeaderName::from_static(FAULT_HEADER_TEXT);

/// Parses the fault that a request asks for; `None` if it asks for none. `signs_responses` states whether the operation signs its
/// responses.
///
/// # Errors
/// The errors of the header, one sentence each.
pub(super) fn read(headers: &HeaderMap, signs_responses: bool) -> Option<Result<FaultEffect, String>> {
    let mut values = headers.get_all(FAULT_HEADER).iter();
    let value = values.next()?;
    if values.next().is_some() {
        return Some(Err("The header occurs twice.".to_owned()));
    }
    let Ok(text) = value.to_str() else { return Some(Err("The header is not ASCII text.".to_owned())) };
    let members = text.split([';', ',']).map(str::trim).filter(|member| !member.is_empty());
    let read = members.map(|member| member.split_once('=')).map(|pair| {
        let (name, value) = pair?;
        Some((Cow::Owned(name.trim().to_owned()), node(value.trim())))
    });
    let Some(members) = read.collect::<Option<Vec<_>>>() else {
        return Some(Err("Must be members as name=value, separated by semicolons, such as status=503.".to_owned()));
    };
    let read = form::read_effect(JsonNode::Object(members)).map_err(|faults| sentence(&faults));
    Some(read.and_then(|effect| {
        if effect.wrong_signature == Some(true) && !signs_responses {
            return Err(format!("wrong_signature: {UNSIGNED}"));
        }
        Ok(effect)
    }))
}

/// Converts a value to its JSON form.
fn node(value: &str) -> JsonNode<'static> {
    match (value.parse(), value) {
        (Ok(number), _) => JsonNode::Integer(number),
        (Err(_), "true") => JsonNode::Bool(true),
        (Err(_), "false") => JsonNode::Bool(false),
        (Err(_), text) => JsonNode::text(text),
    }
}

fn sentence(faults: &[FormFault]) -> String {
    let told = |fault: &FormFault| match fault.path.as_str() {
        "" => fault.message.clone(),
        path => format!("{path}: {}", fault.message),
    };
    faults.iter().map(told).collect::<Vec<_>>().join(" ")
}
