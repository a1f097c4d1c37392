//! What enumerations are called where they are stored. One row per value; a stored word never changes its meaning.
//!
//! This file says how a word is written and read; the files below it are the tables.

use serde::Deserializer;
use serde::de::{self, Visitor};
use std::error::Error;
use std::fmt;
use std::marker::PhantomData;

/// Something that is stored as a word.
pub trait StoredCode: Sized {
    /// The word.
    fn code(&self) -> &'static str;

    /// What the word means.
    fn from_code(word: &str) -> Option<Self>;

    /// What the word means.
    ///
    /// # Errors
    /// When it means nothing to this program: what holds it cannot be read.
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
        impl StoredCode for $kind {
            fn code(&self) -> &'static str {
                match self { $($value => $word,)+ }
            }
            fn from_code(word: &str) -> Option<Self> {
                match word { $($word => Some($made),)+ _ => None }
            }
        }
    )+};
}

/// Stores values in JSON documents as their words.
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

/// Implements [`StoredCode`] for enumerations without contents: the word of each value.
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

/// [`unit_codes!`] for enumerations that stand in documents too, and can be listed.
macro_rules! document_codes {
    ($($kind:ident { $($value:ident = $word:literal,)+ })+) => {
        $crate::unit_codes! { $($kind { $($value = $word,)+ })+ }
        words_in_documents! { $($kind)+ }
        $(
            impl $crate::code::Enumerated for $kind {
                const VALUES: &'static [Self] = &[$($kind::$value),+];
            }
        )+
    };
}

mod access;
mod accounts;
mod banking;
mod payments;

/// Reads a word where it stands: pages of entries hold thousands, and none of them is copied.
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

/// Reads a word of a JSON document.
///
/// # Errors
/// When it means nothing to this program.
pub(crate) fn read_word<'de, T: StoredCode, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_str(WordVisitor(PhantomData))
}
