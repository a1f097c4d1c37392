//! Values that every version of the standard shares.

use super::{ArraySource, FaultCollector, FromJson, JsonMember, JsonPath, ObjectSource, ReadSeed, Stopped, skip};
use crate::time::{SentInstant, read_sent};
use lombard_domain::refusal::FaultCode;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::marker::PhantomData;

impl FromJson for SentInstant {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        json!({ "type": "string", "format": "date-time" })
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        let sent = read_sent(text);
        if sent.is_none() {
            reader.fault(FaultCode::FieldInvalidDate, at, "Must be an ISO 8601 date-time.");
        }
        sent
    }
}

/// The schema of an array of these values; if they are codes, with the maximum number of elements.
pub(crate) fn array_of<T: FromJson>() -> Value {
    let mut array = json!({ "type": "array", "items": T::schema() });
    if let (Some(array), Some(most)) = (array.as_object_mut(), codes_max::<T>()) {
        array.insert("maxItems".to_owned(), most.into());
    }
    array
}

/// The maximum number of elements of an array of these values, if they are codes: twice the number of codes. Source: RW-279.
pub(crate) fn codes_max<T: FromJson>() -> Option<usize> {
    T::codes_count().map(|codes| codes.saturating_mul(2))
}

/// Parses the elements of an array. Returns the valid elements, up to a maximum, and the number of all elements. A list of codes
/// that is longer than twice the number of codes is a fault. Source: RW-279.
///
/// # Errors
/// [`Stopped`].
pub(crate) fn read_elements<T: FromJson>(
    reader: &FaultCollector,
    at: &JsonPath<'_>,
    elements: &mut dyn ArraySource,
    values_max: usize,
) -> Result<(Vec<T>, usize), Stopped> {
    let codes_max = codes_max::<T>();
    let values_max = codes_max.map_or(values_max, |most| most.min(values_max));
    let mut values = Vec::new();
    let mut count = 0_usize;
    loop {
        let element = at.index(count);
        match ReadSeed::<T>::new(reader, &element).element(elements)? {
            None => break,
            Some(JsonMember::Value(value)) if values.len() < values_max => values.push(value),
            Some(JsonMember::Value(_) | JsonMember::Faulty) => {}
            // Only a member can be absent (RW-142); a `null` element has the wrong type.
            Some(JsonMember::Null) => reader.wrong_type(&element, T::WANTED, "null"),
        }
        count = count.saturating_add(1);
    }
    if let Some(most) = codes_max.filter(|most| count > *most) {
        reader.fault(FaultCode::FieldInvalid, at, format!("Must have at most {most} elements."));
    }
    Ok((values, count))
}

/// An array of the standard's cardinality `1..n`.
#[derive(Debug)]
pub(crate) struct NonEmpty<T>(pub(crate) Vec<T>);

impl<T: FromJson> FromJson for NonEmpty<T> {
    const WANTED: &'static str = "an array";

    fn schema() -> Value {
        let mut array = array_of::<T>();
        if let Some(array) = array.as_object_mut() {
            array.insert("minItems".to_owned(), 1.into());
        }
        array
    }

    fn array(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        elements: &mut dyn ArraySource,
    ) -> Result<Option<Self>, Stopped> {
        let (values, count) = read_elements(reader, at, elements, usize::MAX)?;
        if count == 0 {
            reader.fault(FaultCode::FieldInvalid, at, "Must have at least one element.");
        }
        Ok((count > 0 && values.len() == count).then_some(Self(values)))
    }
}

/// The type of a member that only another version has. No object has this member, so the type has no value.
#[derive(Debug)]
pub(crate) enum NotPart<T> {
    #[expect(dead_code, reason = "no value is ever made")]
    Never(Infallible, PhantomData<T>),
}

impl<T: FromJson> FromJson for NotPart<T> {
    const WANTED: &'static str = T::WANTED;

    const IS_PART: bool = false;
}

impl<T> From<NotPart<T>> for Option<T> {
    fn from(never: NotPart<T>) -> Self {
        match never {
            NotPart::Never(never, _) => match never {},
        }
    }
}

/// Any JSON value. It is checked like an unknown member and then discarded.
#[derive(Debug)]
pub(crate) struct AnyValue;

impl FromJson for AnyValue {
    const WANTED: &'static str = "a value";

    fn schema() -> Value {
        Value::Bool(true)
    }

    fn null() -> JsonMember<Self> {
        JsonMember::Value(Self)
    }

    fn truth(_: &FaultCollector, _: &JsonPath<'_>, _: bool) -> Option<Self> {
        Some(Self)
    }

    fn number(_: &FaultCollector, _: &JsonPath<'_>) -> Option<Self> {
        Some(Self)
    }

    fn text(_: &FaultCollector, _: &JsonPath<'_>, _: &str) -> Option<Self> {
        Some(Self)
    }

    fn object(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        members: &mut dyn ObjectSource,
    ) -> Result<Option<Self>, Stopped> {
        skip::object(reader, at, members).map(|()| Some(Self))
    }

    fn array(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        elements: &mut dyn ArraySource,
    ) -> Result<Option<Self>, Stopped> {
        skip::array(reader, at, elements).map(|()| Some(Self))
    }
}
