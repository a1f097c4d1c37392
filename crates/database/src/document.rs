//! JSON documents in columns. Their form is defined by the types that are written (see `lombard_domain::stored`).

use lombard_ports::store::Source;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Serialises a value as a JSON document. Stored types have text keys and no floats, so serialisation cannot fail.
pub fn write<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Parses a JSON document.
///
/// # Errors
/// If the text is not a document of this type.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Source> {
    Ok(serde_json::from_str(text)?)
}
