//! The input of the parser. serde's deserialisers are accessed through trait objects, so that the parser of a type is compiled
//! only once, and not for each kind of input and each member of that type.

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The text cannot be read any further: it is not JSON, or is nested too deeply. The source keeps the error.
#[derive(Debug)]
pub(crate) struct Stopped;

/// Receives one JSON value.
pub(crate) trait ValueSink {
    /// Whether the sink needs the JSON text of the value ([`notation`](Self::notation)) instead of a call by its type.
    fn wants_notation(&self) -> bool {
        false
    }

    /// Receives the JSON text of the value.
    fn notation(&mut self, text: &str);

    /// Receives `null`.
    fn null(&mut self);

    /// Receives a boolean.
    fn truth(&mut self, value: bool);

    /// Receives a number.
    fn number(&mut self);

    /// Receives a string.
    fn text(&mut self, text: &str);

    /// Receives an object and must read it to its end.
    fn object(&mut self, members: &mut dyn ObjectSource) -> Result<(), Stopped>;

    /// Receives an array and must read it to its end.
    fn array(&mut self, elements: &mut dyn ArraySource) -> Result<(), Stopped>;
}

/// The name of a member.
pub(crate) enum MemberName {
    /// A name that the reader knows; it is not copied.
    Known(&'static str),
    /// Any other name.
    Unknown(String),
}

/// Looks up the static name of a known member.
pub(crate) type KnownNames = fn(&str) -> Option<&'static str>;

/// The members of an object, in their order.
pub(crate) trait ObjectSource {
    /// The name of the next member, whose value must be read next; `None` at the end.
    fn next_name(&mut self, known: KnownNames) -> Result<Option<MemberName>, Stopped>;

    /// Reads the value of the member just named.
    fn read_value(&mut self, value: &mut dyn ValueSink) -> Result<(), Stopped>;
}

/// The elements of an array, in their order.
pub(crate) trait ArraySource {
    /// Reads the next element; `false` at the end.
    fn read_element(&mut self, value: &mut dyn ValueSink) -> Result<bool, Stopped>;
}

/// Reads one value.
pub(super) struct SinkSeed<'a>(pub(super) &'a mut dyn ValueSink);

impl<'de> DeserializeSeed<'de> for SinkSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        if self.0.wants_notation() {
            return Box::<RawValue>::deserialize(json).map(|raw| self.0.notation(raw.get()));
        }
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for SinkSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.null();
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.0.truth(value);
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.0.number();
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.0.number();
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.0.number();
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.text(text);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, json: A) -> Result<(), A::Error> {
        let mut members = SerdeSource { json, error: None };
        self.0.object(&mut members).map_err(|Stopped| members.into_error())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, json: A) -> Result<(), A::Error> {
        let mut elements = SerdeSource { json, error: None };
        self.0.array(&mut elements).map_err(|Stopped| elements.into_error())
    }
}

/// serde's access to an object or array, and the error that stopped it.
struct SerdeSource<A, E> {
    json: A,
    error: Option<E>,
}

impl<A, E: Error> SerdeSource<A, E> {
    fn stop(&mut self, error: E) -> Stopped {
        self.error = Some(error);
        Stopped
    }

    /// The error. If the sink stopped without an error, the value is nested too deeply.
    fn into_error(self) -> E {
        self.error.unwrap_or_else(|| E::custom("too deep"))
    }
}

impl<'de, A: MapAccess<'de>> ObjectSource for SerdeSource<A, A::Error> {
    fn next_name(&mut self, known: KnownNames) -> Result<Option<MemberName>, Stopped> {
        self.json.next_key_seed(NameSeed(known)).map_err(|error| self.stop(error))
    }

    fn read_value(&mut self, value: &mut dyn ValueSink) -> Result<(), Stopped> {
        self.json.next_value_seed(SinkSeed(value)).map_err(|error| self.stop(error))
    }
}

impl<'de, A: SeqAccess<'de>> ArraySource for SerdeSource<A, A::Error> {
    fn read_element(&mut self, value: &mut dyn ValueSink) -> Result<bool, Stopped> {
        let read = self.json.next_element_seed(SinkSeed(value)).map_err(|error| self.stop(error))?;
        Ok(read.is_some())
    }
}

/// Reads a member's name.
struct NameSeed(KnownNames);

impl<'de> DeserializeSeed<'de> for NameSeed {
    type Value = MemberName;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<MemberName, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for NameSeed {
    type Value = MemberName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member's name")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<MemberName, E> {
        Ok((self.0)(text).map_or_else(|| MemberName::Unknown(text.to_owned()), MemberName::Known))
    }
}
