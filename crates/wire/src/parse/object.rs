//! Objects: their members, which of them are required, and whether unknown members are allowed.

use super::schema::Openness;
use super::skip::SkipValue;
use super::{FaultCollector, FromJson, JsonMember, JsonPath, ReadSeed};
use lombard_domain::refusal::FaultCode;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// Declares an object of the standard: a struct and its parser.
///
/// ```ignore
/// object! {
///     /// Source: `OBReadConsent1`.
///     struct ReadConsent: Closed {
///         required data: ReadData = "Data",
///         optional risk: Risk = "Risk",
///     }
/// }
/// ```
/// `Closed` rejects unknown members, `Open` ignores them (RW-141). An object may have type parameters with one bound
/// each, such as a version or the type of a member. A member whose type [is no part](crate::parse::FromJson::IS_PART) of
/// the object in a version counts as unknown there.
macro_rules! object {
    (
        $(#[$doc:meta])*
        struct $name:ident $(<$($open:ident: $bound:ident),+>)?: $openness:ident {
            $($need:ident $field:ident: $type:ty = $json:literal,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name $(<$($open: $bound),+>)? {
            $(pub(crate) $field: $crate::parse::need::$need<$type>,)*
        }

        impl $(<$($open: $bound),+>)? $crate::parse::FromJson for $name $(<$($open),+>)? {
            const WANTED: &'static str = "an object";

            fn schema() -> serde_json::Value {
                let members: &[($crate::parse::schema::MemberSchema, bool)] = &[$((
                    ($json, $crate::parse::must::$need, <$type as $crate::parse::FromJson>::schema),
                    <$type as $crate::parse::FromJson>::IS_PART,
                )),*];
                let parts = members.iter().filter(|(_, is_part)| *is_part).map(|(member, _)| *member);
                $crate::parse::schema::object($crate::parse::Openness::$openness, &parts.collect::<Vec<_>>())
            }

            fn object<'de, A: serde::de::MapAccess<'de>>(
                reader: &$crate::parse::FaultCollector,
                at: &$crate::parse::JsonPath<'_>,
                json: A,
            ) -> Result<Option<Self>, A::Error> {
                let names: &[(&'static str, bool)] = &[$(($json, <$type as $crate::parse::FromJson>::IS_PART)),*];
                $(let mut $field = $crate::parse::FoundMember::<$type>::Unseen;)*
                let openness = $crate::parse::Openness::$openness;
                let mut members = $crate::parse::MemberWalker::new(reader, at, names, openness, json);
                while let Some(_name) = members.next()? {
                    $(if _name == $json {
                        members.read(_name, &mut $field)?;
                        continue;
                    })*
                }
                $(let $field = $field.$need(reader, at, $json);)*
                // A fault in a member prevents the value only now, after all members have been parsed.
                let whole = move || Some(Self { $($field: $field?,)* });
                Ok(whole())
            }
        }
    };
}
pub(crate) use object;

/// The type of a required and of an optional member.
#[allow(non_camel_case_types, reason = "they are the words of object!")]
pub(crate) mod need {
    pub(crate) type required<T> = T;
    pub(crate) type optional<T> = Option<T>;
}

/// Whether a required or an optional member must be present.
#[allow(non_upper_case_globals, reason = "they are the words of object!")]
pub(crate) mod must {
    pub(crate) const required: bool = true;
    pub(crate) const optional: bool = false;
}

/// A member as found in the object.
pub(crate) enum FoundMember<T> {
    Unseen,
    Seen(JsonMember<T>),
}

impl<T> FoundMember<T> {
    /// The value of a required member. `None` means that a fault was reported.
    pub(crate) fn required(self, reader: &FaultCollector, at: &JsonPath<'_>, name: &str) -> Option<T> {
        match self {
            Self::Seen(JsonMember::Value(value)) => Some(value),
            Self::Seen(JsonMember::Faulty) => None,
            Self::Unseen | Self::Seen(JsonMember::Null) => {
                reader.fault(FaultCode::FieldMissing, &at.member(name), "This member is required.");
                None
            }
        }
    }

    /// The value of an optional member. The outer `None` means that a fault was reported.
    pub(crate) fn optional(self, _: &FaultCollector, _: &JsonPath<'_>, _: &str) -> Option<Option<T>> {
        match self {
            Self::Seen(JsonMember::Value(value)) => Some(Some(value)),
            Self::Seen(JsonMember::Faulty) => None,
            Self::Unseen | Self::Seen(JsonMember::Null) => Some(None),
        }
    }
}

/// Iterates over the members of an object, and skips unknown ones.
pub(crate) struct MemberWalker<'r, A> {
    reader: &'r FaultCollector,
    at: &'r JsonPath<'r>,
    /// The names, and whether each is part of the object in this version.
    names: &'r [(&'static str, bool)],
    openness: Openness,
    json: A,
    strangers: HashSet<String>,
}

impl<'r, 'de, A: MapAccess<'de>> MemberWalker<'r, A> {
    pub(crate) fn new(
        reader: &'r FaultCollector,
        at: &'r JsonPath<'r>,
        names: &'r [(&'static str, bool)],
        openness: Openness,
        json: A,
    ) -> Self {
        Self { reader, at, names, openness, json, strangers: HashSet::new() }
    }

    /// The next member with a known name; its value must be read next.
    pub(crate) fn next(&mut self) -> Result<Option<&'static str>, A::Error> {
        loop {
            match self.json.next_key_seed(MemberName(self.names))? {
                None => return Ok(None),
                Some(KnownName::Known(name)) => return Ok(Some(name)),
                Some(KnownName::Stranger(name)) => self.stranger(name)?,
            }
        }
    }

    /// Parses the value of the member just returned.
    pub(crate) fn read<T: FromJson>(&mut self, name: &str, member: &mut FoundMember<T>) -> Result<(), A::Error> {
        let at = self.at.member(name);
        if matches!(member, FoundMember::Seen(_)) {
            self.reader.duplicate(&at);
            return self.json.next_value_seed(SkipValue::new(self.reader, &at));
        }
        *member = FoundMember::Seen(self.json.next_value_seed(ReadSeed::new(self.reader, &at))?);
        Ok(())
    }

    fn stranger(&mut self, name: String) -> Result<(), A::Error> {
        let at = self.at.member(&name);
        if self.strangers.contains(&name) {
            self.reader.duplicate(&at);
        } else if self.openness == Openness::Closed {
            self.reader.fault(FaultCode::FieldUnexpected, &at, "This member is not part of the standard here.");
        }
        self.json.next_value_seed(SkipValue::new(self.reader, &at))?;
        self.strangers.insert(name);
        Ok(())
    }
}

/// Parses a member name; a known one is not copied.
struct MemberName<'r>(&'r [(&'static str, bool)]);

enum KnownName {
    Known(&'static str),
    Stranger(String),
}

impl<'de> DeserializeSeed<'de> for MemberName<'_> {
    type Value = KnownName;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<KnownName, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for MemberName<'_> {
    type Value = KnownName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member's name")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<KnownName, E> {
        let known = self.0.iter().find(|(name, is_part)| *is_part && *name == text).map(|(name, _)| *name);
        Ok(known.map_or_else(|| KnownName::Stranger(text.to_owned()), KnownName::Known))
    }
}
