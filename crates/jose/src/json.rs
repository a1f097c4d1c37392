//! Strict JSON parsing: one value, without repeated member names in any object.
//!
//! Parsers that choose differently among repeated members would see different messages under one signature, so such a
//! message is rejected. Source: AS-081; RFC 7515 section 4; RFC 7519 section 4.

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// Text that is not one JSON value of the expected shape with distinct member names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not the JSON that was expected: {0}")]
pub struct BadJson(String);

/// Parses one JSON object into `T`, rejecting repeated member names at any depth.
///
/// # Errors
/// [`BadJson`]; its text may contain member names of `T`, but no values of the input.
pub fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, BadJson> {
    let object = object(bytes)?;
    serde_json::from_value(Value::Object(object)).map_err(|error| BadJson(without_values(&error)))
}

/// Parses one JSON object, rejecting repeated member names at any depth.
pub(crate) fn object(bytes: &[u8]) -> Result<Map<String, Value>, BadJson> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Strict.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    match value {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(BadJson("it is not an object".into())),
        Err(error) => Err(BadJson(without_values(&error))),
    }
}

/// The error without values of the input, which serde's own messages quote.
fn without_values(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match error.classify() {
        serde_json::error::Category::Data if text.starts_with("missing field") => text,
        serde_json::error::Category::Data if text.starts_with(REPEATED) => REPEATED.into(),
        serde_json::error::Category::Data => "a member has the wrong type".into(),
        _ => "it cannot be parsed".into(),
    }
}

const REPEATED: &str = "a member name is repeated";

struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(Strict)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if object.contains_key(&name) {
                return Err(A::Error::custom(REPEATED));
            }
            let value = members.next_value_seed(Strict)?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserialize;

    #[test]
    fn as_081_one_object_without_repeated_names() {
        let table: [(&str, bool); 12] = [
            (r#"{"a":1,"b":[{"a":1},{"a":2}],"c":{"a":null}}"#, true),
            ("{}", true),
            (" {\"a\":-1.5e3}\n", true),
            (r#"{"a":1,"a":1}"#, false),
            (r#"{"a":1,"\u0061":2}"#, false), // the same name, written in two ways
            (r#"{"b":[{"a":1,"a":2}]}"#, false),
            (r#"{"a":1}{"a":2}"#, false),
            (r#"{"a":1} x"#, false),
            ("[]", false),
            ("\"{}\"", false),
            (r#"{"a":1e999}"#, false),
            ("\u{feff}{}", false),
        ];
        for (text, accepted) in table {
            assert_eq!(object(text.as_bytes()).is_ok(), accepted, "{text}");
        }
        assert!(object(b"{\"a\":\"\xff\"}").is_err());
    }

    #[test]
    fn nesting_without_end_is_refused() {
        let text = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(object(text.as_bytes()).is_err());
    }

    #[test]
    fn errors_name_members_and_never_values() {
        #[derive(Debug, Deserialize)]
        struct Claims {
            #[allow(dead_code, reason = "only its presence and type matter here")]
            exp: i64,
        }
        let wrong = from_json::<Claims>(br#"{"exp":"a secret"}"#).unwrap_err().to_string();
        assert!(!wrong.contains("secret"), "{wrong}");
        let missing = from_json::<Claims>(br#"{"a":"a secret"}"#).unwrap_err().to_string();
        assert!(missing.contains("`exp`") && !missing.contains("secret"), "{missing}");
    }

    proptest! {
        #[test]
        fn agrees_with_the_lenient_reader_on_maps(members: std::collections::BTreeMap<String, Option<i64>>) {
            let text = serde_json::to_vec(&members).unwrap();
            prop_assert_eq!(object(&text).unwrap(), serde_json::from_slice::<Map<String, Value>>(&text).unwrap());
        }
    }
}
