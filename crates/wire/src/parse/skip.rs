//! Skips an unknown value. The limit on nesting and the rule against repeated names apply to it as well.

use super::{FaultCollector, JsonPath};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// Skips the value at a position.
pub(super) struct SkipValue<'r> {
    reader: &'r FaultCollector,
    at: &'r JsonPath<'r>,
}

impl<'r> SkipValue<'r> {
    pub(super) const fn new(reader: &'r FaultCollector, at: &'r JsonPath<'r>) -> Self {
        Self { reader, at }
    }
}

/// Skips the members of an object.
pub(super) fn object<'de, A: MapAccess<'de>>(
    reader: &FaultCollector,
    at: &JsonPath<'_>,
    mut json: A,
) -> Result<(), A::Error> {
    let mut names = HashSet::new();
    while let Some(name) = json.next_key::<String>()? {
        let at = at.member(&name);
        if names.contains(&name) {
            reader.duplicate(&at);
        }
        json.next_value_seed(SkipValue::new(reader, &at))?;
        names.insert(name);
    }
    Ok(())
}

/// Skips the elements of an array.
pub(super) fn array<'de, A: SeqAccess<'de>>(
    reader: &FaultCollector,
    at: &JsonPath<'_>,
    mut json: A,
) -> Result<(), A::Error> {
    for index in 0.. {
        if json.next_element_seed(SkipValue::new(reader, &at.index(index)))?.is_none() {
            break;
        }
    }
    Ok(())
}

impl<'de> DeserializeSeed<'de> for SkipValue<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for SkipValue<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, json: A) -> Result<(), A::Error> {
        self.reader.enter(self.at)?;
        object(self.reader, self.at, json)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, json: A) -> Result<(), A::Error> {
        self.reader.enter(self.at)?;
        array(self.reader, self.at, json)
    }
}
