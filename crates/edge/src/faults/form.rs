//! The JSON form of faults: one declaration for parsing, which reports every error of the document, and for serialising.

use super::effect::{CodeName, Cut, DELAY_MS_MAX, Delay, FaultEffect, FaultStatus, Milliseconds};
use super::rule::{FaultRule, Probability};
use http::StatusCode;
use lombard_core_api::form::faults::{FormFault, JsonLocation};
use lombard_core_api::form::node::JsonNode;
use lombard_core_api::form::schema::{Definitions, HasSchema};
use lombard_core_api::form::shape::{FieldForm, FormOf, FormReader, SingleForm};
use lombard_core_api::form::values::BoundedText;
use lombard_core_api::form::words::{NamedForm, NamedValue};
use lombard_core_api::objects;
use serde_json::Number;

/// The most characters of a name of an operation, a client or a code.
const NAME_CHARS_MAX: usize = 256;

objects! {
    /// A fault.
    FaultRule as "Fault" {
        /// The operation.
        operation: optional(BoundedText<NAME_CHARS_MAX>, "operation");
        /// The client.
        client_id: optional(BoundedText<NAME_CHARS_MAX>, "client_id");
        /// How likely it strikes.
        probability: optional(FormOf<Probability>, "probability");
        /// How often it strikes at most.
        count: optional(FaultCount, "count");
        effect: flat(FaultEffect);
        operations: given(Vec::new());
    }

    /// What it does.
    FaultEffect as "FaultEffect" {
        /// The status of the answer.
        status: optional(FormOf<FaultStatus>, "status");
        /// The error code of the answer.
        code: optional(FormOf<CodeName>, "code");
        /// How long the call waits first.
        delay: optional(FormOf<Delay>, "delay_ms");
        /// When the connection is cut.
        cut: optional(NamedForm<Cut>, "cut");
        /// Over how long the body is sent.
        slow_body_ms: optional(FormOf<Milliseconds>, "slow_body");
        /// Whether the signature is falsified.
        wrong_signature: optional(FormOf<bool>, "wrong_signature");
        /// Whether the token counts as expired.
        expired_token: optional(FormOf<bool>, "expired_token");
    }
}

impl NamedValue for Cut {
    const VALUES: &'static [Self] = &[Self::Before, Self::After];

    fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }
}

/// The number of calls to which a fault applies, at least one.
struct FaultCount;

impl HasSchema for FaultCount {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        JsonNode::object([("type", JsonNode::text("integer")), ("minimum", JsonNode::Integer(1))])
    }
}

impl FieldForm<u32> for FaultCount {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<u32> {
        let count = if let JsonNode::Integer(number) = node { u32::try_from(number).ok() } else { None };
        match count.filter(|count| *count > 0) {
            Some(count) => Some(count),
            None => reader.fault(at, "Must be a whole number from 1."),
        }
    }

    fn write(value: &u32) -> JsonNode<'static> {
        JsonNode::Integer((*value).into())
    }
}

impl SingleForm for Probability {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        JsonNode::object([
            ("type", JsonNode::text("number")),
            ("minimum", JsonNode::Integer(0)),
            ("maximum", JsonNode::Integer(1)),
        ])
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        let number = match node {
            JsonNode::Integer(number) => Some(Number::from(number)),
            JsonNode::Number(number) => Some(number),
            _ => None,
        };
        let is_within = |number: &Number| number.as_f64().is_some_and(|it| (0.0..=1.0).contains(&it));
        match number.filter(is_within) {
            Some(number) => Some(Self(number)),
            None => reader.fault(at, "Must be a number from 0 to 1."),
        }
    }

    fn write(&self) -> JsonNode<'static> {
        JsonNode::Number(self.0.clone())
    }
}

impl SingleForm for FaultStatus {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        JsonNode::object([
            ("type", JsonNode::text("integer")),
            ("minimum", JsonNode::Integer(400)),
            ("maximum", JsonNode::Integer(599)),
        ])
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        let number = if let JsonNode::Integer(number) = node { u16::try_from(number).ok() } else { None };
        let status = number.and_then(|number| StatusCode::from_u16(number).ok());
        match status.filter(|status| status.is_client_error() || status.is_server_error()) {
            Some(status) => Some(Self(status)),
            None => reader.fault(at, "Must be the status of an error, 400 to 599."),
        }
    }

    fn write(&self) -> JsonNode<'static> {
        JsonNode::Integer(self.0.as_u16().into())
    }
}

impl SingleForm for CodeName {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        BoundedText::<NAME_CHARS_MAX>::schema(definitions)
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        let text: String = BoundedText::<NAME_CHARS_MAX>::read(node, at, reader)?;
        match Self::find(&text) {
            Some(code) => Some(code),
            None => reader.fault(
                at,
                "Must be an error code of the standard, such as UK.OBIE.UnexpectedError or U000, or of OAuth, such as invalid_grant.",
            ),
        }
    }

    fn write(&self) -> JsonNode<'static> {
        JsonNode::text(self.text.clone())
    }
}

impl SingleForm for Milliseconds {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        let most = i64::try_from(DELAY_MS_MAX).unwrap_or(i64::MAX);
        JsonNode::object([
            ("type", JsonNode::text("integer")),
            ("minimum", JsonNode::Integer(0)),
            ("maximum", JsonNode::Integer(most)),
        ])
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        let number = if let JsonNode::Integer(number) = node { u64::try_from(number).ok() } else { None };
        match number.filter(|number| *number <= DELAY_MS_MAX) {
            Some(number) => Some(Self(number)),
            None => reader.fault(at, format!("Must be a whole number of milliseconds, at most {DELAY_MS_MAX}.")),
        }
    }

    fn write(&self) -> JsonNode<'static> {
        JsonNode::Integer(i64::try_from(self.0).unwrap_or(i64::MAX))
    }
}

/// The bounds of a random delay.
struct DelayRange {
    least: Milliseconds,
    most: Milliseconds,
}

objects! {
    /// The bounds of a delay, both included.
    DelayRange as "DelayRange" {
        /// The shortest.
        least: required(FormOf<Milliseconds>, "min");
        /// The longest.
        most: required(FormOf<Milliseconds>, "max");
    }
}

impl SingleForm for Delay {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        let forms = vec![Milliseconds::schema(definitions), DelayRange::schema(definitions)];
        JsonNode::object([("oneOf", JsonNode::List(forms))])
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        if !matches!(node, JsonNode::Object(_)) {
            return Milliseconds::read(node, at, reader).map(Self::Fixed);
        }
        let DelayRange { least, most } = DelayRange::read(node, at, reader)?;
        if most < least {
            return reader.fault(at, "max must not be less than min.");
        }
        Some(Self::Between(least, most))
    }

    fn write(&self) -> JsonNode<'static> {
        match *self {
            Self::Fixed(delay) => delay.write(),
            Self::Between(least, most) => DelayRange { least, most }.write(),
        }
    }
}

/// Parses the effect that a request asks for in its header.
///
/// # Errors
/// Every fault, with its member.
pub(super) fn read_effect(node: JsonNode<'_>) -> Result<FaultEffect, Vec<FormFault>> {
    let mut reader = FormReader::default();
    let read = FaultEffect::read(node, &JsonLocation::Root, &mut reader);
    let judged = read.and_then(|effect| check_effect(effect, &JsonLocation::Root, &mut reader));
    all_or_faults(reader, judged)
}

pub(super) fn all_or_faults<T>(reader: FormReader, read: Option<T>) -> Result<T, Vec<FormFault>> {
    let read = reader.faults.into_result(read)?;
    read.ok_or_else(|| vec![FormFault { path: String::new(), message: "Cannot be read.".to_owned() }])
}

/// Checks the combination of an effect's members.
pub(super) fn check_effect(effect: FaultEffect, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<FaultEffect> {
    match effect.contradiction() {
        None => Some(effect),
        Some(("", sentence)) => reader.fault(at, sentence),
        Some((member, sentence)) => reader.fault(&JsonLocation::Member(at, member), sentence),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_is_summed_up_as_the_header_asks_for_it() {
        let effect = read_effect(serde_json::from_str(r#"{"cut":"after","delay_ms":5}"#).unwrap()).unwrap();
        assert_eq!(effect.summary(), "delay_ms=5; cut=after (the caller got no answer)");
    }
}
