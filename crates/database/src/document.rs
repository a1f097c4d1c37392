//! JSON documents in columns. What stands in them is said by the types that are written (see `lombard_domain::stored`).

use lombard_ports::store::Source;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Writes a document. What is stored has text keys and no floats, so writing it cannot fail.
pub fn write<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Reads a document.
///
/// # Errors
/// When it is not one of this type.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Source> {
    Ok(serde_json::from_str(text)?)
}
