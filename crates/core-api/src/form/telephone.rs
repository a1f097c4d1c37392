//! The form of telephone numbers.

use super::faults::JsonLocation;
use super::node::JsonNode;
use super::schema::{Definitions, HasSchema, SchemaStyle};
use super::shape::{DocumentKind, FieldForm, FormReader};
use super::values::BoundedText;
use lombard_domain::account::is_telephone_number;

/// The form of a telephone number of maximum length: `+`, 3 digits, `-`, and 30 digits or signs.
type AnyNumber = BoundedText<35>;

/// The form of a party's telephone number, `+44-…`. A message may contain any text that is no longer. Source: AIS-188.
#[derive(Debug)]
pub struct TelephoneNumber;

impl HasSchema for TelephoneNumber {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        match definitions.style() {
            SchemaStyle::DataFile => JsonNode::object([
                ("type", JsonNode::text("string")),
                ("pattern", JsonNode::text(r"^\+[0-9]{1,3}-[0-9()+\-]{1,30}$")),
            ]),
            SchemaStyle::OpenApi => AnyNumber::schema(definitions),
        }
    }
}

impl FieldForm<String> for TelephoneNumber {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<String> {
        let is_file = reader.kind == DocumentKind::File;
        let number: String = AnyNumber::read(node, at, reader)?;
        if is_file && !is_telephone_number(&number) {
            return reader.fault(at, "Must be a telephone number with its country's code, as +44-7700900142.");
        }
        Some(number)
    }

    fn write(value: &String) -> JsonNode<'static> {
        AnyNumber::write(value)
    }
}
