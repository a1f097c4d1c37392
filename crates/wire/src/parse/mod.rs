//! Reading a request body: one pass over the bytes, straight into types, every fault collected with its path.
//!
//! A type that may stand in a body says how it is read by [`Read`]; objects are declared with [`object!`]. A fault
//! never ends the reading (RW-123): the value is skipped and its neighbours are still judged. Only text that is not
//! JSON at all, or nests too deep, ends it. What the faults are called follows RW-140 to RW-142.

mod at;
mod object;
pub(crate) mod schema;
mod skip;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use at::At;
pub(crate) use object::{Member, Members, Openness, duplicate, must, need, object};
pub(crate) use values::NonEmpty;

use lombard_domain::refusal::{Fault, FaultCode, Place};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use skip::Skip;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;

/// Most faults one answer lists; a body can hold many thousands.
const FAULTS_MAX: usize = 100;

/// Reads a body as a `T`.
///
/// # Errors
/// Every fault found: at least one, at most [`FAULTS_MAX`].
pub(crate) fn body<T: Read>(bytes: &[u8], depth_max: usize) -> Result<T, Vec<Fault>> {
    body_with(bytes, depth_max, FaultCode::InvalidFormat)
}

/// Reads a body as a `T`; within it, a value of the wrong type is this fault.
///
/// # Errors
/// As [`body`].
pub(crate) fn body_with<T: Read>(bytes: &[u8], depth_max: usize, mistyped: FaultCode) -> Result<T, Vec<Fault>> {
    let unreadable = |message: String| vec![Fault::new(FaultCode::InvalidFormat, message)];
    let text = std::str::from_utf8(bytes).map_err(|_| unreadable("The body is not valid UTF-8.".into()))?;
    let reader = Reader::new(depth_max, mistyped);
    let mut json = serde_json::Deserializer::from_str(text);
    let seen = Seed::<T>::new(&reader, &At::ROOT).deserialize(&mut json);
    match seen.and_then(|seen| json.end().map(|()| seen)) {
        Err(_) if reader.too_deep.get() => Err(unreadable("The body nests too deep.".into())),
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            Err(unreadable(format!("The body is not valid JSON (line {line}, column {column}).")))
        }
        Ok(Seen::Value(value)) if reader.faults.borrow().is_empty() => Ok(value),
        Ok(Seen::Null) => Err(unreadable(format!("The body must be {}.", T::WANTED))),
        Ok(Seen::Value(_) | Seen::Faulty) => Err(reader.into_faults()),
    }
}

/// How a type is read from JSON. What the type does not take is a fault of format and is skipped.
pub(crate) trait Read: Sized {
    /// What the standard wants here: "a string", "an object".
    const WANTED: &'static str;

    /// The same as JSON Schema, for descriptions.
    fn schema() -> Value {
        schema::wanted(Self::WANTED)
    }

    /// Reads it from whatever stands there. Only for types that must see how it is written.
    fn json<'de, D: Deserializer<'de>>(reader: &Reader, at: &At<'_>, json: D) -> Result<Seen<Self>, D::Error> {
        json.deserialize_any(Seed::new(reader, at))
    }

    /// Reads it from a truth value. `None` means a fault was reported.
    fn truth(reader: &Reader, at: &At<'_>, _value: bool) -> Option<Self> {
        reader.wrong_type(at, Self::WANTED);
        None
    }

    /// Reads it from a string. `None` means a fault was reported.
    fn text(reader: &Reader, at: &At<'_>, _text: &str) -> Option<Self> {
        reader.wrong_type(at, Self::WANTED);
        None
    }

    /// Reads it from an object, which it must consume.
    fn object<'de, A: MapAccess<'de>>(reader: &Reader, at: &At<'_>, json: A) -> Result<Option<Self>, A::Error> {
        reader.wrong_type(at, Self::WANTED);
        skip::object(reader, at, json).map(|()| None)
    }

    /// Reads it from an array, which it must consume.
    fn array<'de, A: SeqAccess<'de>>(reader: &Reader, at: &At<'_>, json: A) -> Result<Option<Self>, A::Error> {
        reader.wrong_type(at, Self::WANTED);
        skip::array(reader, at, json).map(|()| None)
    }
}

/// Collects the faults of one body.
pub(crate) struct Reader {
    faults: RefCell<Vec<Fault>>,
    depth_max: usize,
    mistyped: FaultCode,
    too_deep: Cell<bool>,
}

impl Reader {
    /// For a document whose objects and arrays nest at most so deep; a value of the wrong type is this fault.
    pub(crate) fn new(depth_max: usize, mistyped: FaultCode) -> Self {
        Self { faults: RefCell::default(), depth_max, mistyped, too_deep: Cell::new(false) }
    }

    /// How many faults were reported, and whether any more would be.
    pub(crate) fn reported(&self) -> (usize, bool) {
        let count = self.faults.borrow().len();
        (count, count < FAULTS_MAX)
    }

    /// The faults that were reported.
    pub(crate) fn into_faults(self) -> Vec<Fault> {
        self.faults.into_inner()
    }

    /// Reports a fault. The message never holds a value of the request.
    pub(crate) fn fault(&self, code: FaultCode, at: &At<'_>, message: impl Into<Cow<'static, str>>) {
        let mut faults = self.faults.borrow_mut();
        if faults.len() < FAULTS_MAX {
            faults.push(Fault { code, at: at.path().map(Place::Path), message: message.into() });
        }
    }

    /// Reports a value of the wrong type. The body itself is always a fault of format.
    pub(crate) fn wrong_type(&self, at: &At<'_>, wanted: &str) {
        let code = if at.depth() == 0 { FaultCode::InvalidFormat } else { self.mistyped };
        self.fault(code, at, format!("Must be {wanted}."));
    }

    /// Ends the reading if an object or array here nests deeper than allowed.
    fn enter<E: Error>(&self, at: &At<'_>) -> Result<(), E> {
        if at.depth() < self.depth_max {
            return Ok(());
        }
        self.too_deep.set(true);
        Err(E::custom("too deep"))
    }
}

/// The JSON value found in the place of a `T`.
pub(crate) enum Seen<T> {
    /// A `T`.
    Value(T),
    /// `null`, which counts as absent (RW-142).
    Null,
    /// Something else; reported.
    Faulty,
}

impl<T> From<Option<T>> for Seen<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Faulty, Self::Value)
    }
}

/// Reads a `T` at a place.
pub(crate) struct Seed<'r, T> {
    reader: &'r Reader,
    at: &'r At<'r>,
    read: PhantomData<T>,
}

impl<'r, T> Seed<'r, T> {
    pub(crate) const fn new(reader: &'r Reader, at: &'r At<'r>) -> Self {
        Self { reader, at, read: PhantomData }
    }
}

impl<'de, T: Read> DeserializeSeed<'de> for Seed<'_, T> {
    type Value = Seen<T>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Seen<T>, D::Error> {
        T::json(self.reader, self.at, json)
    }
}

impl<T: Read> Seed<'_, T> {
    fn scalar<E>(&self) -> Result<Seen<T>, E> {
        self.reader.wrong_type(self.at, T::WANTED);
        Ok(Seen::Faulty)
    }
}

impl<'de, T: Read> Visitor<'de> for Seed<'_, T> {
    type Value = Seen<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::WANTED)
    }

    fn visit_unit<E: Error>(self) -> Result<Seen<T>, E> {
        Ok(Seen::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Seen<T>, E> {
        Ok(T::truth(self.reader, self.at, value).into())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Seen<T>, E> {
        self.scalar()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Seen<T>, E> {
        self.scalar()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Seen<T>, E> {
        self.scalar()
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Seen<T>, E> {
        Ok(T::text(self.reader, self.at, text).into())
    }

    fn visit_map<A: MapAccess<'de>>(self, json: A) -> Result<Seen<T>, A::Error> {
        self.reader.enter(self.at)?;
        T::object(self.reader, self.at, json).map(Seen::from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, json: A) -> Result<Seen<T>, A::Error> {
        self.reader.enter(self.at)?;
        T::array(self.reader, self.at, json).map(Seen::from)
    }
}
