//! Serialises and parses messages of the core API.

use crate::form::faults::{FormFault, JsonLocation};
use crate::form::node::JsonNode;
use crate::form::shape::{DocumentKind, FieldForm, FormOf, FormReader, SingleForm};

/// Serialises a message whose type has a single form.
pub fn write_message<T: SingleForm>(message: &T) -> Vec<u8> {
    bytes_of(&message.write())
}

/// Parses a message whose type has a single form.
///
/// # Errors
/// All faults of the message, each with its path.
pub fn read_message<T: SingleForm>(body: &[u8]) -> Result<T, Vec<FormFault>> {
    read_object::<FormOf<T>, T>(body)
}

/// Parses a message with the form `F`.
pub(super) fn read_object<F: FieldForm<T>, T>(body: &[u8]) -> Result<T, Vec<FormFault>> {
    let fault = |message: String| vec![FormFault { path: String::new(), message }];
    let node: JsonNode<'_> = serde_json::from_slice(body)
        .map_err(|error| fault(format!("This is not JSON (line {}, column {}).", error.line(), error.column())))?;
    let mut reader = FormReader { kind: DocumentKind::Message, ..FormReader::default() };
    let read = F::read(node, &JsonLocation::Root, &mut reader);
    let read = reader.faults.into_result(read)?;
    read.ok_or_else(|| fault("The message cannot be read.".to_owned()))
}

/// The initial capacity of a message's buffer, which is enough for most messages.
const USUAL_BYTES: usize = 1_024;

/// A message as bytes.
pub(super) fn bytes_of(node: &JsonNode<'static>) -> Vec<u8> {
    // Serialising into memory fails only for a stored Risk that is not JSON; the other side refuses the resulting body.
    let mut bytes = Vec::with_capacity(USUAL_BYTES);
    if serde_json::to_writer(&mut bytes, node).is_err() {
        bytes.clear();
    }
    bytes
}
