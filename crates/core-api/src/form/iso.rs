//! The forms of ISO 20022 codes and of legal entity identifiers.

use super::faults::JsonLocation;
use super::node::JsonNode;
use super::schema::{Definitions, HasSchema};
use super::shape::{DocumentKind, FieldForm, FormReader};
use lombard_domain::account::IsoCode;
use lombard_wire::code_sets;
use std::marker::PhantomData;

/// A set of codes.
pub trait CodeSet {
    /// All codes of the set.
    const CODES: &'static [&'static str];
}

/// The form of a code. A data file may contain only codes of the set; a message may contain any code.
#[derive(Debug)]
pub struct CodeIn<S>(PhantomData<S>);

impl<S: CodeSet> HasSchema for CodeIn<S> {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        JsonNode::object([("enum", JsonNode::texts(S::CODES.iter().copied()))])
    }
}

impl<S: CodeSet> FieldForm<IsoCode> for CodeIn<S> {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<IsoCode> {
        let known = |text: &str| reader.kind == DocumentKind::Message || S::CODES.contains(&text);
        let text = if let JsonNode::Text(text) = &node { Some(text.as_ref()) } else { None };
        match text.filter(|text| known(text)).and_then(|code| code.parse().ok()) {
            Some(code) => Some(code),
            None => reader.fault(at, format!("Must be one of {}.", S::CODES.join(", "))),
        }
    }

    fn write(value: &IsoCode) -> JsonNode<'static> {
        JsonNode::text(value.as_str())
    }
}

macro_rules! code_sets {
    ($($(#[$doc:meta])* $name:ident = $codes:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name;

        impl CodeSet for $name {
            const CODES: &'static [&'static str] = code_sets::$codes;
        }
    )*};
}

code_sets! {
    /// The processing states of an intermediary agent.
    AgentStatuses = AGENT_STATUSES;
    /// The category purposes of payments.
    CategoryPurposes = CATEGORY_PURPOSES;
    /// The formats of statements.
    FileFormats = FILE_FORMATS;
    /// The classifications of mandates.
    MandateClassifications = MANDATE_CLASSIFICATIONS;
    /// The types of proxies.
    ProxyTypes = PROXY_TYPES;
    /// The frequencies at which statements are delivered.
    StatementFrequencies = STATEMENT_FREQUENCIES;
    /// The media by which statements are delivered.
    StatementMedia = STATEMENT_MEDIA;
}

/// The form of a code from a set that is too large to list: four characters.
#[derive(Debug)]
pub struct FourCharacters;

impl HasSchema for FourCharacters {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        pattern("^[A-Z0-9]{4}$")
    }
}

impl FieldForm<IsoCode> for FourCharacters {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<IsoCode> {
        let code = if let JsonNode::Text(text) = &node { text.parse().ok() } else { None };
        if code.is_none() {
            return reader.fault(at, "Must be a code of four capital letters or digits.");
        }
        code
    }

    fn write(value: &IsoCode) -> JsonNode<'static> {
        JsonNode::text(value.as_str())
    }
}

/// The form of a legal entity identifier. Source: V4-008.
#[derive(Debug)]
pub struct Lei;

impl HasSchema for Lei {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        pattern("^[A-Z0-9]{18}[0-9]{2}$")
    }
}

impl FieldForm<String> for Lei {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<String> {
        let text = if let JsonNode::Text(text) = node { Some(text.into_owned()) } else { None };
        let fits = |text: &str| is_lei(text) || (reader.kind == DocumentKind::Message && text.len() <= 20);
        match text.filter(|text| fits(text)) {
            Some(lei) => Some(lei),
            None => reader.fault(at, "Must be 18 capital letters or digits and two digits."),
        }
    }

    fn write(value: &String) -> JsonNode<'static> {
        JsonNode::text(value.as_str())
    }
}

fn is_lei(text: &str) -> bool {
    let (body, check) = text.as_bytes().split_at(text.len().min(18));
    let body_fits = body.len() == 18 && body.iter().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit());
    body_fits && check.len() == 2 && check.iter().all(u8::is_ascii_digit)
}

fn pattern(pattern: &str) -> JsonNode<'static> {
    JsonNode::object([("type", JsonNode::text("string")), ("pattern", JsonNode::text(pattern))])
}
