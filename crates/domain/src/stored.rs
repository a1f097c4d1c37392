//! The form of domain values in the JSON documents of rows.
//!
//! The types define it by `serde`. The meaning of a document's member names and codes never changes, and new members are
//! optional. When a member or variant of a type is renamed, its stored name must be kept by `serde(rename)`; the sample documents
//! in the tests of `lombard-store` and `lombard-corebank` check this. The standard's names are in `lombard-wire`, which has its
//! own types.

use crate::instant;
use jiff::Timestamp;
use jiff::civil::{Date, Weekday};
use rust_decimal::Decimal;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// A value with a stored form that is independent of [`Serialize`], which `jiff` and `rust_decimal` implement differently or not
/// at all: an instant is stored as microseconds since 1970, a date or a decimal number as text, a weekday as its number from
/// Monday, 1.
pub trait StoredValue: Sized {
    /// Writes the value.
    ///
    /// # Errors
    /// The errors of the serializer.
    fn store<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Reads the value.
    ///
    /// # Errors
    /// When the document holds another type of value.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// Writes a member; with [`deserialize`] it implements `serde(with = "…::stored")`.
///
/// # Errors
/// The errors of the serializer.
pub fn serialize<T: StoredValue, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.store(serializer)
}

/// Reads a member.
///
/// # Errors
/// When the document holds another type of value.
pub fn deserialize<'de, T: StoredValue, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::read(deserializer)
}

/// A stored value inside another one.
struct Inner<T>(T);

impl<T: StoredValue> Serialize for Inner<&T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.store(serializer)
    }
}

impl<'de, T: StoredValue> Deserialize<'de> for Inner<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(Self)
    }
}

impl StoredValue for Timestamp {
    fn store<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(instant::to_micros(*self))
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        instant::from_micros(i64::deserialize(deserializer)?).map_err(Error::custom)
    }
}

impl StoredValue for Weekday {
    fn store<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i8(self.to_monday_one_offset())
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_monday_one_offset(i8::deserialize(deserializer)?).map_err(Error::custom)
    }
}

impl StoredValue for Date {
    fn store<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_text(deserializer)
    }
}

impl StoredValue for Decimal {
    fn store<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_text(deserializer)
    }
}

impl<T: StoredValue> StoredValue for Option<T> {
    fn store<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(Inner).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map(|Inner(value)| value))
    }
}

impl<T: StoredValue> StoredValue for Vec<T> {
    fn store<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Inner))
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values: Vec<Inner<T>> = Vec::deserialize(deserializer)?;
        Ok(values.into_iter().map(|Inner(value)| value).collect())
    }
}

impl<A: StoredValue, B: StoredValue> StoredValue for (A, B) {
    fn store<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (Inner(&self.0), Inner(&self.1)).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (Inner(a), Inner(b)) = Deserialize::deserialize(deserializer)?;
        Ok((a, b))
    }
}

/// Values that are stored in their `serde` form.
macro_rules! plain_values {
    ($($kind:ty)+) => {$(
        impl $crate::stored::StoredValue for $kind {
            fn store<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(self, serializer)
            }

            fn read<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                serde::Deserialize::deserialize(deserializer)
            }
        }
    )+};
}
pub(crate) use plain_values;

plain_values! { u64 i64 String }

/// Stores structures of two members as arrays.
macro_rules! stored_as_pairs {
    ($($kind:ident($first:ident, $second:ident);)+) => {$(
        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::stored::write_pair(&self.$first, &self.$second, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let ($first, $second) = $crate::stored::deserialize(deserializer)?;
                Ok(Self { $first, $second })
            }
        }

        $crate::stored::plain_values! { $kind }
    )+};
}
pub(crate) use stored_as_pairs;

pub(crate) fn write_pair<A, B, S>(a: &A, b: &B, serializer: S) -> Result<S::Ok, S::Error>
where
    A: StoredValue,
    B: StoredValue,
    S: Serializer,
{
    (Inner(a), Inner(b)).serialize(serializer)
}

/// The placeholder for an id that is stored in a column and not in the document; the reader of the row replaces it.
pub(crate) fn in_column<T: From<&'static str>>() -> T {
    T::from("")
}

/// Parses a text without copying it.
pub(crate) fn read_text<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_str(TextVisitor(PhantomData))
}

struct TextVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}
