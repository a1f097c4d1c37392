//! The parser of request bodies: one pass from bytes to types that collects every fault with its path.
//!
//! A type implements [`FromJson`] to be parsed; objects are declared with [`object!`]. A fault does not stop the parser
//! (RW-123): the value is skipped and parsing continues. Only text that is not JSON, or is nested too deeply, stops it.
//! The fault codes follow RW-140 to RW-142.

mod faults;
mod json_path;
mod notation;
mod object;
pub(crate) mod schema;
mod skip;
mod source;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use faults::FaultCollector;
pub(crate) use json_path::JsonPath;
pub(crate) use notation::kind_of_notation;
pub(crate) use object::{FoundMember, MemberWalker, ObjectMembers, must, need, object, read_members};
pub(crate) use schema::Openness;
pub(crate) use source::{ArraySource, MemberName, ObjectSource, Stopped};
pub(crate) use values::{AnyValue, NonEmpty, NotPart, array_of, read_elements};

use crate::encoding::recognise_encoding;
use lombard_domain::refusal::{Fault, FaultCode};
use serde::de::{DeserializeSeed, Deserializer};
use serde_json::Value;
use source::{SinkSeed, ValueSink};
use std::fmt;

/// Parses a body as a `T`.
///
/// # Errors
/// Every fault: at least one, at most [`faults::FAULTS_MAX`].
pub(crate) fn body<T: FromJson>(bytes: &[u8], depth_max: usize) -> Result<T, Vec<Fault>> {
    body_with(bytes, depth_max, FaultCode::InvalidFormat)
}

/// Parses a body as a `T`; a value of the wrong type within it has the fault `mistyped`.
///
/// # Errors
/// As [`body`].
pub(crate) fn body_with<T: FromJson>(bytes: &[u8], depth_max: usize, mistyped: FaultCode) -> Result<T, Vec<Fault>> {
    let unreadable = |message: String| vec![Fault::new(FaultCode::InvalidFormat, message)];
    if bytes.trim_ascii().is_empty() {
        return Err(unreadable(format!("The body is empty; it must be {}.", T::WANTED)));
    }
    if let Some(encoding) = recognise_encoding(bytes) {
        return Err(unreadable(format!("The body {}; it must be JSON in UTF-8.", encoding.description())));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| unreadable(format!("The body is not valid UTF-8 (byte {}).", error.valid_up_to())))?;
    let reader = FaultCollector::new(depth_max, mistyped);
    let mut json = serde_json::Deserializer::from_str(text);
    let seen = ReadSeed::<T>::new(&reader, &JsonPath::ROOT).deserialize(&mut json);
    match seen.and_then(|seen| json.end().map(|()| seen)) {
        Err(_) if reader.is_too_deep() => Err(unreadable("The body nests too deep.".into())),
        Err(error) => {
            let line = error.line();
            let column = error.column();
            Err(unreadable(format!("The body is not valid JSON (line {line}, column {column}).")))
        }
        Ok(JsonMember::Value(value)) if reader.reported().0 == 0 => Ok(value),
        Ok(JsonMember::Null) => Err(unreadable(format!("The body must be {}, not null.", T::WANTED))),
        Ok(JsonMember::Value(_) | JsonMember::Faulty) => Err(reader.into_faults()),
    }
}

/// How a type is parsed from JSON. A value of another JSON type is reported and skipped.
pub(crate) trait FromJson: Sized + fmt::Debug {
    /// The expected value for messages: "a string", "an object".
    const WANTED: &'static str;

    /// Whether objects have a member of this type. `false` only for types of members that a version lacks.
    const IS_PART: bool = true;

    /// The JSON Schema of the accepted values.
    fn schema() -> Value {
        schema::wanted(Self::WANTED)
    }

    /// The number of codes, if the type is a code from a list. An array of such codes has at most twice as many elements. Source:
    /// RW-279.
    fn codes_count() -> Option<usize> {
        None
    }

    /// Whether the type depends on the notation of a value. Such a type is parsed by [`notation`](Self::notation) alone.
    const IS_NOTATION: bool = false;

    /// Parses a value from its JSON text.
    fn notation(reader: &FaultCollector, at: &JsonPath<'_>, _text: &str) -> JsonMember<Self> {
        reader.wrong_type(at, Self::WANTED, "this notation");
        JsonMember::Faulty
    }

    /// Parses `null`, which counts as absent (RW-142).
    fn null() -> JsonMember<Self> {
        JsonMember::Null
    }

    /// Parses a number. `None` means that a fault was reported.
    fn number(reader: &FaultCollector, at: &JsonPath<'_>) -> Option<Self> {
        reader.wrong_type(at, Self::WANTED, "a number");
        None
    }

    /// Parses a boolean. `None` means that a fault was reported.
    fn truth(reader: &FaultCollector, at: &JsonPath<'_>, _value: bool) -> Option<Self> {
        reader.wrong_type(at, Self::WANTED, "a boolean");
        None
    }

    /// Parses a string. `None` means that a fault was reported.
    fn text(reader: &FaultCollector, at: &JsonPath<'_>, _text: &str) -> Option<Self> {
        reader.wrong_type(at, Self::WANTED, "a string");
        None
    }

    /// Parses an object. The implementation must read the object to its end.
    fn object(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        members: &mut dyn ObjectSource,
    ) -> Result<Option<Self>, Stopped> {
        reader.wrong_type(at, Self::WANTED, "an object");
        skip::object(reader, at, members).map(|()| None)
    }

    /// Parses an array. The implementation must read the array to its end.
    fn array(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        elements: &mut dyn ArraySource,
    ) -> Result<Option<Self>, Stopped> {
        reader.wrong_type(at, Self::WANTED, "an array");
        skip::array(reader, at, elements).map(|()| None)
    }
}

/// The result of parsing a member of type `T`.
pub(crate) enum JsonMember<T> {
    /// The parsed value.
    Value(T),
    /// `null`, which counts as absent (RW-142).
    Null,
    /// The value has a fault, which was reported.
    Faulty,
}

impl<T> From<Option<T>> for JsonMember<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Faulty, Self::Value)
    }
}

/// The parser of a `T` at a position.
pub(crate) struct ReadSeed<'r, T> {
    reader: &'r FaultCollector,
    at: &'r JsonPath<'r>,
    read: JsonMember<T>,
}

impl<'r, T: FromJson> ReadSeed<'r, T> {
    pub(crate) const fn new(reader: &'r FaultCollector, at: &'r JsonPath<'r>) -> Self {
        Self { reader, at, read: JsonMember::Null }
    }

    /// Parses the value of the member just named.
    pub(crate) fn member(mut self, members: &mut dyn ObjectSource) -> Result<JsonMember<T>, Stopped> {
        members.read_value(&mut self).map(|()| self.read)
    }

    /// Parses the next element; `None` at the end.
    pub(crate) fn element(mut self, elements: &mut dyn ArraySource) -> Result<Option<JsonMember<T>>, Stopped> {
        elements.read_element(&mut self).map(|is_there| is_there.then_some(self.read))
    }
}

impl<'de, T: FromJson> DeserializeSeed<'de> for ReadSeed<'_, T> {
    type Value = JsonMember<T>;

    fn deserialize<D: Deserializer<'de>>(mut self, json: D) -> Result<JsonMember<T>, D::Error> {
        SinkSeed(&mut self).deserialize(json).map(|()| self.read)
    }
}

impl<T: FromJson> ValueSink for ReadSeed<'_, T> {
    fn wants_notation(&self) -> bool {
        T::IS_NOTATION
    }

    fn notation(&mut self, text: &str) {
        self.read = T::notation(self.reader, self.at, text);
    }

    fn null(&mut self) {
        self.read = T::null();
    }

    fn truth(&mut self, value: bool) {
        self.read = T::truth(self.reader, self.at, value).into();
    }

    fn number(&mut self) {
        self.read = T::number(self.reader, self.at).into();
    }

    fn text(&mut self, text: &str) {
        self.read = T::text(self.reader, self.at, text).into();
    }

    fn object(&mut self, members: &mut dyn ObjectSource) -> Result<(), Stopped> {
        self.reader.enter(self.at)?;
        self.read = T::object(self.reader, self.at, members)?.into();
        Ok(())
    }

    fn array(&mut self, elements: &mut dyn ArraySource) -> Result<(), Stopped> {
        self.reader.enter(self.at)?;
        self.read = T::array(self.reader, self.at, elements)?.into();
        Ok(())
    }
}
