//! JSON Patch documents, by which a TPP changes a VRP consent to the form of v4.0. Source: V4-020, V4-030, RFC 6902.

use crate::document::{BadDocument, DEPTH_MAX, DocumentNode, canonical_number};
use crate::parse::schema::one_of;
use crate::parse::{self, AnyValue, FaultCollector, FromJson, JsonPath, NonEmpty, object};
use json_patch::PatchOperation;
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation};
use serde_json::Value;
use std::io::{self, Write};

/// The largest number of operations in a patch.
const OPERATIONS_MAX: usize = 100;

/// The maximum size of the patched document in bytes. Each copy operation could double the document.
const DOCUMENT_BYTES_MAX: usize = 256 * 1024;

/// A patch to be applied to a consent in the form that `GET` returns.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsentPatch(Vec<PatchOperation>);

object! {
    /// One operation. Source: RFC 6902, section 4.
    struct Operation: Closed {
        required _op: OperationName = "op",
        required _path: Pointer = "path",
        optional _from: Pointer = "from",
        optional _value: AnyValue = "value",
    }
}

impl ConsentPatch {
    /// The media type of a patch. Source: RFC 6902, section 6.
    pub const MEDIA_TYPE: &'static str = "application/json-patch+json";

    /// Parses a patch.
    ///
    /// # Errors
    /// Every fault of its form, at least one.
    pub fn parse(body: &[u8], depth_max: usize) -> Result<Self, Vec<Fault>> {
        let NonEmpty(operations) = parse::body::<NonEmpty<Operation>>(body, depth_max)?;
        if operations.len() > OPERATIONS_MAX {
            let message = format!("A patch has at most {OPERATIONS_MAX} operations.");
            return Err(vec![Fault::new(FaultCode::FieldInvalid, message)]);
        }
        let operations = read_exact(body).ok().and_then(|patch| serde_json::from_value(patch).ok());
        let invalid = || vec![Fault::new(FaultCode::FieldInvalid, "The body is not a patch by RFC 6902.")];
        operations.map(Self).ok_or_else(invalid)
    }

    /// The schema of a patch.
    pub fn schema() -> Value {
        NonEmpty::<Operation>::schema()
    }

    /// Applies all operations to a rendered consent, and returns the members that a request may have. A patch of the maximum size
    /// takes so long that callers must run it on a separate thread.
    ///
    /// # Errors
    /// The fault of the first operation that cannot be applied. Source: V4-030.
    pub fn apply(&self, rendered: &[u8]) -> Result<Vec<u8>, Vec<Fault>> {
        let unreadable = |_| vec![Fault::new(FaultCode::FieldInvalid, "The patched consent cannot be read.")];
        let mut document = read_exact(rendered).map_err(unreadable)?;
        for (index, operation) in self.0.iter().enumerate() {
            let refused = |message: &'static str| {
                vec![Fault::at(FaultCode::FieldInvalid, FaultLocation::Path(format!("[{index}]")), message)]
            };
            let is_done = match operation {
                PatchOperation::Test(test) => {
                    document.pointer(test.path.as_str()).is_some_and(|value| is_equal(value, &test.value))
                }
                PatchOperation::Add(_)
                | PatchOperation::Remove(_)
                | PatchOperation::Replace(_)
                | PatchOperation::Move(_)
                | PatchOperation::Copy(_) => json_patch::patch(&mut document, std::slice::from_ref(operation)).is_ok(),
            };
            if !is_done {
                return Err(refused("The operation cannot be applied to the consent."));
            }
            if !can_grow(operation) {
                continue;
            }
            // This check comes before anything that recurses into the document; an operation at most doubles the document's
            // depth.
            if is_deeper_than(&document, DEPTH_MAX) {
                return Err(refused("The operation nests the consent too deeply."));
            }
            if serde_json::to_writer(BoundedCount { left: DOCUMENT_BYTES_MAX }, &document).is_err() {
                return Err(refused("The operation makes the consent too large."));
            }
        }
        exact_node(&submittable(document)).to_json().map(String::into_bytes).map_err(unreadable)
    }
}

/// Whether an operation can make the document deeper or larger.
const fn can_grow(operation: &PatchOperation) -> bool {
    match operation {
        PatchOperation::Add(_) | PatchOperation::Copy(_) | PatchOperation::Move(_) | PatchOperation::Replace(_) => true,
        PatchOperation::Remove(_) | PatchOperation::Test(_) => false,
    }
}

/// Counts the bytes of a document and fails when they exceed the bound, so no longer document is ever written.
struct BoundedCount {
    left: usize,
}

impl Write for BoundedCount {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.left = self.left.checked_sub(bytes.len()).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The private-use character that marks a string that represents a number, or a string that begins with this character itself.
const MARK: char = '\u{E000}';

/// Parses a document without floating point: numbers become marked strings, in their notation.
fn read_exact(json: &[u8]) -> Result<Value, BadDocument> {
    let text = std::str::from_utf8(json).map_err(BadDocument::not_utf_8)?;
    Ok(exact_value(DocumentNode::read(text)?))
}

fn exact_value(node: DocumentNode<'_>) -> Value {
    match node {
        DocumentNode::Null => Value::Null,
        DocumentNode::Bool(truth) => Value::Bool(truth),
        DocumentNode::Number(text) => Value::String(format!("{MARK}{text}")),
        DocumentNode::Text(text) if text.starts_with(MARK) => Value::String(format!("{MARK}{text}")),
        DocumentNode::Text(text) => Value::String(text),
        DocumentNode::Array(items) => Value::Array(items.into_iter().map(exact_value).collect()),
        DocumentNode::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (name, exact_value(value))).collect())
        }
    }
}

/// The document of [`read_exact`] with its numbers restored.
fn exact_node(value: &Value) -> DocumentNode<'_> {
    match value {
        // A value that is not marked was not parsed from a number.
        Value::Null | Value::Number(_) => DocumentNode::Null,
        Value::Bool(truth) => DocumentNode::Bool(*truth),
        Value::String(text) => match text.strip_prefix(MARK) {
            None => DocumentNode::Text(text.clone()),
            Some(marked) if marked.starts_with(MARK) => DocumentNode::Text(marked.to_owned()),
            Some(number) => DocumentNode::Number(number),
        },
        Value::Array(items) => DocumentNode::Array(items.iter().map(exact_node).collect()),
        Value::Object(members) => {
            DocumentNode::Object(members.iter().map(|(name, value)| (name.clone(), exact_node(value))).collect())
        }
    }
}

/// Whether two values of [`read_exact`] are equal; numbers by their value. Source: RFC 6902, section 4.6.
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => {
            let number = |text: &str| text.strip_prefix(MARK).filter(|it| !it.starts_with(MARK)).map(canonical_number);
            one == other || number(one).is_some_and(|one| number(other) == Some(one))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let has = |(name, value)| other.get(name).is_some_and(|it| is_equal(value, it));
            one.len() == other.len() && one.iter().all(has)
        }
        _ => one == other,
    }
}

/// Whether values are nested more than `levels` deep; deeper levels are not visited.
fn is_deeper_than(value: &Value, levels: usize) -> bool {
    let inside = |value: &Value| levels.checked_sub(1).is_none_or(|levels| is_deeper_than(value, levels));
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(inside),
        Value::Object(members) => levels == 0 || members.values().any(inside),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// The members of a rendered consent that a request may have. Source: VRP-004.
fn submittable(mut document: Value) -> Value {
    if let Some(members) = document.as_object_mut() {
        members.retain(|name, _| name != "Links" && name != "Meta");
    }
    if let Some(data) = document.get_mut("Data").and_then(Value::as_object_mut) {
        const SHOWN: [&str; 7] = [
            "ConsentId",
            "CreationDateTime",
            "Status",
            "StatusReason",
            "StatusUpdateDateTime",
            "DebtorAccount",
            "Charges",
        ];
        data.retain(|name, _| !SHOWN.contains(&name.as_str()));
    }
    document
}

const OPERATION_NAMES: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

#[derive(Debug)]
pub(crate) struct OperationName;

impl FromJson for OperationName {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        one_of(OPERATION_NAMES)
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        if OPERATION_NAMES.contains(&text) {
            return Some(Self);
        }
        reader.fault(FaultCode::FieldInvalid, at, "Must be an operation of RFC 6902.");
        None
    }
}

/// A pointer by RFC 6901: empty, or tokens that each begin with a slash.
#[derive(Debug)]
pub(crate) struct Pointer;

impl FromJson for Pointer {
    const WANTED: &'static str = "a string";

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        if text.is_empty() || text.starts_with('/') {
            return Some(Self);
        }
        reader.fault(FaultCode::FieldInvalid, at, "Must be a pointer by RFC 6901.");
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONSENT: &str = r#"{"Data":{"ConsentId":"c","Status":"AUTH","StatusReason":[],"CreationDateTime":"t","StatusUpdateDateTime":"t","DebtorAccount":{},"ReadRefundAccount":"Yes","ControlParameters":{"PeriodicLimits":[{"Amount":"1.00"}]},"Initiation":{"CreditorAccount":{"Name":"N"}}},"Risk":{"PaymentContextCode":"PartyToParty"},"Links":{"Self":"s"},"Meta":{}}"#;

    fn patched(patch: &str) -> Result<Value, Vec<Fault>> {
        let patch = ConsentPatch::parse(patch.as_bytes(), 20)?;
        Ok(serde_json::from_slice(&patch.apply(CONSENT.as_bytes())?).unwrap())
    }

    fn refused(patch: &str) -> (FaultCode, Option<FaultLocation>) {
        let fault = patched(patch).unwrap_err().remove(0);
        (fault.code, fault.at)
    }

    #[test]
    fn v4_020_a_patch_changes_what_get_shows_and_gives_a_request() {
        let changed = patched(
            r#"[{"op":"test","path":"/Data/Status","value":"AUTH"},
                {"op":"replace","path":"/Risk/PaymentContextCode","value":"TransferToSelf"},
                {"op":"add","path":"/Data/Initiation/UltimateDebtor","value":{"Name":"U"}}]"#,
        );
        let expected = serde_json::json!({
            "Data": {
                "ReadRefundAccount": "Yes",
                "ControlParameters": { "PeriodicLimits": [{ "Amount": "1.00" }] },
                "Initiation": { "CreditorAccount": { "Name": "N" }, "UltimateDebtor": { "Name": "U" } }
            },
            "Risk": { "PaymentContextCode": "TransferToSelf" }
        });
        assert_eq!(changed, Ok(expected));
    }

    #[test]
    fn v4_020_numbers_of_unknown_members_keep_every_digit() {
        let number = "12345678901234567890.1234567890123456789";
        let patch = format!(
            r#"[{{"op":"add","path":"/Data/Initiation/More","value":[{number},1.50,"\uE0007"]}},
                {{"op":"test","path":"/Data/Initiation/More/1","value":1.5}}]"#
        );
        let patch = ConsentPatch::parse(patch.as_bytes(), 20).unwrap();
        let patched = String::from_utf8(patch.apply(CONSENT.as_bytes()).unwrap()).unwrap();
        assert!(patched.contains(&format!("\"More\":[{number},1.50,\"\u{E000}7\"]")), "{patched}");
    }

    #[test]
    fn v4_030_a_patch_that_is_none_or_does_not_apply() {
        let at = |path: &str| Some(FaultLocation::Path(path.to_owned()));
        for (patch, code, place) in [
            ("{}", FaultCode::InvalidFormat, None),
            ("[]", FaultCode::FieldInvalid, None),
            (r#"[{"op":"remove"}]"#, FaultCode::FieldMissing, at("[0].path")),
            (r#"[{"op":"merge","path":"/Risk"}]"#, FaultCode::FieldInvalid, at("[0].op")),
            (r#"[{"op":"remove","path":"Risk"}]"#, FaultCode::FieldInvalid, at("[0].path")),
            (r#"[{"op":"remove","path":"/Risk","more":1}]"#, FaultCode::FieldUnexpected, at("[0].more")),
            (r#"[{"op":"add","path":"/Risk"}]"#, FaultCode::FieldInvalid, None),
            (r#"[{"op":"remove","path":"/Nothing"}]"#, FaultCode::FieldInvalid, at("[0]")),
            (
                r#"[{"op":"remove","path":"/Risk"},{"op":"test","path":"/Data/Status","value":"RJCT"}]"#,
                FaultCode::FieldInvalid,
                at("[1]"),
            ),
        ] {
            let found = refused(patch);
            assert_eq!(found.0, code, "{patch}");
            assert!(place.is_none() || found.1 == place, "{patch}: {found:?}");
        }
    }

    #[test]
    fn v4_020_the_size_limit_applies_to_operations_that_can_grow_a_document() {
        let large = format!(r#"{{"Data":{{"Long":"{}"}},"Risk":{{}}}}"#, "x".repeat(DOCUMENT_BYTES_MAX));
        let apply =
            |patch: &str| ConsentPatch::parse(patch.as_bytes(), 20).and_then(|patch| patch.apply(large.as_bytes()));
        let smaller = apply(r#"[{"op":"test","path":"/Risk","value":{}},{"op":"remove","path":"/Data/Long"}]"#);
        assert_eq!(smaller, Ok(br#"{"Data":{},"Risk":{}}"#.to_vec()));
        for growing in [
            r#"{"op":"add","path":"/Data/More","value":"m"}"#,
            r#"{"op":"replace","path":"/Risk","value":{}}"#,
            r#"{"op":"copy","from":"/Risk","path":"/Data/More"}"#,
            r#"{"op":"move","from":"/Risk","path":"/Data/More"}"#,
        ] {
            let faults = apply(&format!("[{growing}]")).unwrap_err();
            assert!(faults[0].message.contains("too large"), "{growing}: {faults:?}");
        }
    }

    #[test]
    fn v4_020_a_patch_cannot_make_a_document_grow_without_bound() {
        let copy = |index| format!(r#"{{"op":"copy","from":"","path":"/Data/More{index}"}}"#);
        let copies: Vec<_> = (0..OPERATIONS_MAX).map(copy).collect();
        let (code, place) = refused(&format!("[{}]", copies.join(",")));
        assert_eq!(code, FaultCode::FieldInvalid);
        assert!(matches!(place, Some(FaultLocation::Path(_))), "the operation that exceeds the bound is named");
        // A chain of members with empty names is copied into its own end, which doubles the chain with each operation.
        let chain = (0..24).fold("{}".to_owned(), |inner, _| format!(r#"{{"":{inner}}}"#));
        let copy =
            |levels: usize| format!(r#"{{"op":"copy","from":"/Data/x","path":"/Data/x{}"}}"#, "/".repeat(levels));
        let copies: Vec<_> = (0..11).map(|doubled| copy(24 << doubled)).collect();
        let deep = format!(r#"[{{"op":"add","path":"/Data/x","value":{chain}}},{}]"#, copies.join(","));
        let patch = ConsentPatch::parse(deep.as_bytes(), 64).unwrap();
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        let refused_deep = thread.spawn(move || patch.apply(CONSENT.as_bytes()).unwrap_err()).unwrap().join().unwrap();
        assert!(refused_deep[0].message.contains("nests"), "{refused_deep:?}");
        let many = [r#"{"op":"test","path":"/Meta","value":{}}"#; OPERATIONS_MAX + 1].join(",");
        assert_eq!(refused(&format!("[{many}]")).0, FaultCode::FieldInvalid);
    }
}
