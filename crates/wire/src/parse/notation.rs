//! Values that are parsed from their JSON text.

/// The kind of a JSON value, determined by its text, for messages.
pub(crate) fn kind_of_notation(text: &str) -> &'static str {
    match text.bytes().next() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        Some(b'-') => "a negative number",
        _ if text.contains(['.', 'e', 'E']) => "a number with a fraction or an exponent",
        _ => "this number",
    }
}
