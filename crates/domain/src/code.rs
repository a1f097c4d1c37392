//! The codes by which enumeration values are stored. One row per value; a stored code never changes its meaning.
//!
//! This file defines how a code is written and read. Each table of codes is beside its enumeration, or in a file `codes.rs` of
//! its folder.

use serde::Deserializer;
use serde::de::{self, Visitor};
use std::error::Error;
use std::fmt;
use std::marker::PhantomData;

/// A value that is stored as a code.
pub trait StoredCode: Sized {
    /// The code of the value.
    fn code(&self) -> &'static str;

    /// The value of a code; `None` for an unknown code.
    fn from_code(word: &str) -> Option<Self>;

    /// Decodes a stored code.
    ///
    /// # Errors
    /// When the code is unknown to this release; the row that holds it cannot be read then.
    fn decode(word: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
        Self::from_code(word).ok_or_else(|| "a word in the row is not known to this program".into())
    }
}

/// An enumeration whose values can be listed, in the order of its table.
pub trait Enumerated: Sized + 'static {
    /// Every value.
    const VALUES: &'static [Self];
}

macro_rules! codes {
    ($($kind:ty { $($value:pat => $word:literal => $made:expr,)+ })+) => {$(
        impl $crate::code::StoredCode for $kind {
            fn code(&self) -> &'static str {
                match self { $($value => $word,)+ }
            }
            fn from_code(word: &str) -> Option<Self> {
                match word { $($word => Some($made),)+ _ => None }
            }
        }
    )+};
}
pub(crate) use codes;

/// Serialises values in JSON documents as their codes.
macro_rules! words_in_documents {
    ($($kind:ty)+) => {$(
        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(<Self as $crate::code::StoredCode>::code(self))
            }
        }

        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::code::read_word(deserializer)
            }
        }

        $crate::stored::plain_values! { $kind }
    )+};
}
pub(crate) use words_in_documents;

/// Implements [`StoredCode`] for enumerations of unit variants, with the code of each value.
#[macro_export]
macro_rules! unit_codes {
    ($($kind:ident { $($value:ident = $word:literal,)+ })+) => {$(
        impl $crate::code::StoredCode for $kind {
            fn code(&self) -> &'static str {
                match self { $($kind::$value => $word,)+ }
            }
            fn from_code(word: &str) -> Option<Self> {
                match word { $($word => Some($kind::$value),)+ _ => None }
            }
        }
    )+};
}

/// [`unit_codes!`] for enumerations that are also stored in JSON documents and can be listed.
macro_rules! document_codes {
    ($($kind:ident { $($value:ident = $word:literal,)+ })+) => {
        $crate::unit_codes! { $($kind { $($value = $word,)+ })+ }
        $crate::code::words_in_documents! { $($kind)+ }
        $(
            impl $crate::code::Enumerated for $kind {
                const VALUES: &'static [Self] = &[$($kind::$value),+];
            }
        )+
    };
}
pub(crate) use document_codes;

/// Reads a code without copying the text: a page of entries holds thousands of codes.
struct WordVisitor<T>(PhantomData<T>);

impl<T: StoredCode> Visitor<'_> for WordVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a word")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<T, E> {
        T::from_code(word).ok_or_else(|| E::custom("a word is not known to this program"))
    }
}

/// Deserialises a code of a JSON document.
///
/// # Errors
/// When the code is unknown to this release.
pub(crate) fn read_word<'de, T: StoredCode, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_str(WordVisitor(PhantomData))
}
