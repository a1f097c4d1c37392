//! The parser of request bodies: one pass from bytes to types that collects every fault with its path.
//!
//! A type implements [`FromJson`] to be parsed; objects are declared with [`object!`]. A fault does not stop the parser
//! (RW-123): the value is skipped and parsing continues. Only text that is not JSON, or is nested too deeply, stops it.
//! The fault codes follow RW-140 to RW-142.

mod faults;
mod json_path;
mod object;
pub(crate) mod schema;
mod skip;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use faults::FaultCollector;
pub(crate) use json_path::JsonPath;
pub(crate) use object::{FoundMember, MemberWalker, ObjectMembers, must, need, object, read_members};
pub(crate) use schema::Openness;
pub(crate) use values::{AnyValue, NonEmpty, NotPart};

use lombard_domain::refusal::{Fault, FaultCode};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;
use std::marker::PhantomData;

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
    let text = std::str::from_utf8(bytes).map_err(|_| unreadable("The body is not valid UTF-8.".into()))?;
    let reader = FaultCollector::new(depth_max, mistyped);
    let mut json = serde_json::Deserializer::from_str(text);
    let seen = ReadSeed::<T>::new(&reader, &JsonPath::ROOT).deserialize(&mut json);
    match seen.and_then(|seen| json.end().map(|()| seen)) {
        Err(_) if reader.is_too_deep() => Err(unreadable("The body nests too deep.".into())),
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            Err(unreadable(format!("The body is not valid JSON (line {line}, column {column}).")))
        }
        Ok(JsonMember::Value(value)) if reader.reported().0 == 0 => Ok(value),
        Ok(JsonMember::Null) => Err(unreadable(format!("The body must be {}.", T::WANTED))),
        Ok(JsonMember::Value(_) | JsonMember::Faulty) => Err(reader.into_faults()),
    }
}

/// How a type is parsed from JSON. A value of another JSON type is reported and skipped.
pub(crate) trait FromJson: Sized + fmt::Debug {
    /// The expected value for messages: "a string", "an object".
    const WANTED: &'static str;

    /// Whether objects have a member of this type. `false` only for the members that a version lacks.
    const IS_PART: bool = true;

    /// The same as JSON Schema.
    fn schema() -> Value {
        schema::wanted(Self::WANTED)
    }

    /// Parses any JSON value. Only for types that depend on the notation.
    fn json<'de, D: Deserializer<'de>>(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        json: D,
    ) -> Result<JsonMember<Self>, D::Error> {
        json.deserialize_any(ReadSeed::new(reader, at))
    }

    /// Parses a boolean. `None` means that a fault was reported.
    fn truth(reader: &FaultCollector, at: &JsonPath<'_>, _value: bool) -> Option<Self> {
        reader.wrong_type(at, Self::WANTED);
        None
    }

    /// Parses a string. `None` means that a fault was reported.
    fn text(reader: &FaultCollector, at: &JsonPath<'_>, _text: &str) -> Option<Self> {
        reader.wrong_type(at, Self::WANTED);
        None
    }

    /// Parses an object, which it must consume.
    fn object<'de, A: MapAccess<'de>>(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        json: A,
    ) -> Result<Option<Self>, A::Error> {
        reader.wrong_type(at, Self::WANTED);
        skip::object(reader, at, json).map(|()| None)
    }

    /// Parses an array, which it must consume.
    fn array<'de, A: SeqAccess<'de>>(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        json: A,
    ) -> Result<Option<Self>, A::Error> {
        reader.wrong_type(at, Self::WANTED);
        skip::array(reader, at, json).map(|()| None)
    }
}

/// The JSON value at the position of a `T`.
pub(crate) enum JsonMember<T> {
    /// A `T`.
    Value(T),
    /// `null`, which counts as absent (RW-142).
    Null,
    /// A value with a fault, which was reported.
    Faulty,
}

impl<T> From<Option<T>> for JsonMember<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Faulty, Self::Value)
    }
}

/// Parses a `T` at a position.
pub(crate) struct ReadSeed<'r, T> {
    reader: &'r FaultCollector,
    at: &'r JsonPath<'r>,
    read: PhantomData<T>,
}

impl<'r, T> ReadSeed<'r, T> {
    pub(crate) const fn new(reader: &'r FaultCollector, at: &'r JsonPath<'r>) -> Self {
        Self { reader, at, read: PhantomData }
    }
}

impl<'de, T: FromJson> DeserializeSeed<'de> for ReadSeed<'_, T> {
    type Value = JsonMember<T>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<JsonMember<T>, D::Error> {
        T::json(self.reader, self.at, json)
    }
}

impl<T: FromJson> ReadSeed<'_, T> {
    fn scalar<E>(&self) -> Result<JsonMember<T>, E> {
        self.reader.wrong_type(self.at, T::WANTED);
        Ok(JsonMember::Faulty)
    }
}

impl<'de, T: FromJson> Visitor<'de> for ReadSeed<'_, T> {
    type Value = JsonMember<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::WANTED)
    }

    fn visit_unit<E: Error>(self) -> Result<JsonMember<T>, E> {
        Ok(JsonMember::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<JsonMember<T>, E> {
        Ok(T::truth(self.reader, self.at, value).into())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<JsonMember<T>, E> {
        self.scalar()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<JsonMember<T>, E> {
        self.scalar()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<JsonMember<T>, E> {
        self.scalar()
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<JsonMember<T>, E> {
        Ok(T::text(self.reader, self.at, text).into())
    }

    fn visit_map<A: MapAccess<'de>>(self, json: A) -> Result<JsonMember<T>, A::Error> {
        self.reader.enter(self.at)?;
        T::object(self.reader, self.at, json).map(JsonMember::from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, json: A) -> Result<JsonMember<T>, A::Error> {
        self.reader.enter(self.at)?;
        T::array(self.reader, self.at, json).map(JsonMember::from)
    }
}
