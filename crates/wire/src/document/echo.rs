//! The part of a request that responses echo: the document as submitted, with the edits of PIS-019 and RW-091.

use super::{BadDocument, DocumentNode};
use crate::time::{FRACTION_DIGITS_MAX, read_sent};

/// The kind of text in a member, by the member's name. The standard uses each name with the same meaning in all payment
/// classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextMeaning {
    /// A code whose namespace may be omitted. Source: PIS-113, PIS-138.
    Code,
    /// A date-time. Source: PIS-152, PIS-153.
    Instant,
    /// A decimal number in a string. Source: PIS-120.
    Decimal,
    /// Any other text.
    Plain,
}

/// The namespace of the standard's own codes.
pub(super) const NAMESPACE: &str = "UK.OBIE.";

pub(super) fn meaning(name: &str) -> TextMeaning {
    match name {
        "SchemeName" | "LocalInstrument" => TextMeaning::Code,
        "Amount" | "ReferredDocumentAmount" => TextMeaning::Decimal,
        // The dates of remittance information and of regulatory reports in v4.0.
        "RelatedDate" | "Date" => TextMeaning::Instant,
        _ if name.ends_with("DateTime") => TextMeaning::Instant,
        _ => TextMeaning::Plain,
    }
}

/// The document as it is echoed: a missing namespace is added to codes, a date-time that is not RFC 3339 (usually because it has
/// no offset) or has more fraction digits than responses have (RW-091) is rewritten, and `null` members are removed, because
/// responses must not contain them (PIS-155). Only for documents that were parsed without faults.
pub(crate) fn keep(json: &str) -> Result<String, BadDocument> {
    edited(DocumentNode::read(json)?, "").to_json()
}

fn edited<'a>(node: DocumentNode<'a>, name: &str) -> DocumentNode<'a> {
    match node {
        DocumentNode::Text(text) => DocumentNode::Text(match meaning(name) {
            TextMeaning::Code => namespaced(text),
            TextMeaning::Instant => zoned(text),
            TextMeaning::Decimal | TextMeaning::Plain => text,
        }),
        DocumentNode::Array(items) => DocumentNode::Array(items.into_iter().map(|item| edited(item, name)).collect()),
        DocumentNode::Object(members) => {
            let present = members.into_iter().filter(|(_, value)| *value != DocumentNode::Null);
            let edit = |(name, value): (String, _)| {
                let value = edited(value, &name);
                (name, value)
            };
            DocumentNode::Object(present.map(edit).collect())
        }
        DocumentNode::Null | DocumentNode::Bool(_) | DocumentNode::Number(_) => node,
    }
}

/// Codes of other namespaces contain one: `UK.<Bank>.…`. The point in a clearing code, `NCC.GB`, is part of the code
/// (PIS-119).
fn namespaced(code: String) -> String {
    let is_bare = !code.contains('.') || code.starts_with("NCC.");
    if is_bare { [NAMESPACE, &code].concat() } else { code }
}

fn zoned(text: String) -> String {
    if is_answerable(&text) {
        return text;
    }
    read_sent(&text).map_or(text, |sent| sent.text)
}

/// Whether the text is an RFC 3339 date-time with an offset and no more fraction digits than responses have. The text is known to
/// be a valid date-time.
fn is_answerable(text: &str) -> bool {
    const FORM: &[u8] = b"0000-00-00T00:00:00";
    let Some((head, rest)) = text.as_bytes().split_at_checked(FORM.len()) else { return false };
    let fits = |form: &[u8], text: &[u8]| {
        form.len() == text.len()
            && form.iter().zip(text).all(|(want, it)| if *want == b'0' { it.is_ascii_digit() } else { want == it })
    };
    let rest = match rest.strip_prefix(b".") {
        None => rest,
        Some(fraction) => {
            let digits = fraction.iter().take_while(|it| it.is_ascii_digit()).count();
            match fraction.split_at_checked(digits) {
                Some((_, rest)) if (1..=FRACTION_DIGITS_MAX).contains(&digits) => rest,
                _ => return false,
            }
        }
    };
    let clock = head.get(11..).unwrap_or_default();
    let proper = !clock.starts_with(b"24") && !clock.ends_with(b"60");
    proper && fits(FORM, head) && (rest == b"Z" || fits(b"+00:00", rest) || fits(b"-00:00", rest))
}
