//! Objects: their members, which of them are required, and whether unknown members are allowed.

use super::schema::{MemberSchema, Openness};
use super::skip::SkipValue;
use super::source::KnownNames;
use super::{FaultCollector, FromJson, JsonMember, JsonPath, MemberName, ObjectSource, ReadSeed, Stopped};
use crate::spelling::other_spelling;
use lombard_domain::refusal::FaultCode;
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
///
/// `..common: CommonMembers<V>,` after the members includes the members of another object: members that several objects share, or
/// members whose form depends on the version.
macro_rules! object {
    (
        $(#[$doc:meta])*
        struct $name:ident $(<$($open:ident: $bound:ident),+>)?: $openness:ident {
            $($need:ident $field:ident: $type:ty = $json:literal,)*
            $(..$group:ident: $group_type:ty,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name $(<$($open: $bound),+>)? {
            $(pub(crate) $field: $crate::parse::need::$need<$type>,)*
            $(pub(crate) $group: $group_type,)*
        }

        const _: () = {
            pub(crate) struct Found $(<$($open: $bound),+>)? {
                $($field: $crate::parse::FoundMember<$type>,)*
                $($group: <$group_type as $crate::parse::ObjectMembers>::Found,)*
            }

            impl $(<$($open: $bound),+>)? $crate::parse::ObjectMembers for $name $(<$($open),+>)? {
                type Found = Found $(<$($open),+>)?;

                const UNSEEN: Self::Found = Found {
                    $($field: $crate::parse::FoundMember::Unseen,)*
                    $($group: <$group_type as $crate::parse::ObjectMembers>::UNSEEN,)*
                };

                fn schemas(_list: &mut Vec<$crate::parse::schema::MemberSchema>) {
                    $(if <$type as $crate::parse::FromJson>::IS_PART {
                        let schema = <$type as $crate::parse::FromJson>::schema;
                        _list.push(($json, $crate::parse::must::$need, schema));
                    })*
                    $(<$group_type as $crate::parse::ObjectMembers>::schemas(_list);)*
                }

                fn known(_text: &str) -> Option<&'static str> {
                    $(if _text == $json && <$type as $crate::parse::FromJson>::IS_PART {
                        return Some($json);
                    })*
                    $(if let Some(name) = <$group_type as $crate::parse::ObjectMembers>::known(_text) {
                        return Some(name);
                    })*
                    None
                }

                fn read(
                    _found: &mut Self::Found,
                    _name: &'static str,
                    _members: &mut $crate::parse::MemberWalker<'_>,
                ) -> Result<bool, $crate::parse::Stopped> {
                    $(if _name == $json {
                        return _members.read(_name, &mut _found.$field).map(|()| true);
                    })*
                    $(if <$group_type as $crate::parse::ObjectMembers>::read(&mut _found.$group, _name, _members)? {
                        return Ok(true);
                    })*
                    Ok(false)
                }

                fn finish(
                    _found: Self::Found,
                    _reader: &$crate::parse::FaultCollector,
                    _at: &$crate::parse::JsonPath<'_>,
                ) -> Option<Self> {
                    $(let $field = _found.$field.$need(_reader, _at, $json);)*
                    $(let $group = <$group_type as $crate::parse::ObjectMembers>::finish(_found.$group, _reader, _at);)*
                    // A fault in a member prevents the value only now, after all members have been parsed.
                    Some(Self { $($field: $field?,)* $($group: $group?,)* })
                }
            }
        };

        impl $(<$($open: $bound),+>)? $crate::parse::FromJson for $name $(<$($open),+>)? {
            const WANTED: &'static str = "an object";

            fn schema() -> serde_json::Value {
                let mut members = Vec::new();
                <Self as $crate::parse::ObjectMembers>::schemas(&mut members);
                $crate::parse::schema::object($crate::parse::Openness::$openness, &members)
            }

            fn object(
                reader: &$crate::parse::FaultCollector,
                at: &$crate::parse::JsonPath<'_>,
                members: &mut dyn $crate::parse::ObjectSource,
            ) -> Result<Option<Self>, $crate::parse::Stopped> {
                $crate::parse::read_members(reader, at, $crate::parse::Openness::$openness, members)
            }
        }
    };
}
pub(crate) use object;

/// The members of an object of the standard, as [`object!`] declares them.
pub(crate) trait ObjectMembers: Sized + fmt::Debug {
    /// The members found so far.
    type Found;

    /// No member found.
    const UNSEEN: Self::Found;

    /// Appends the schemas of the members that are part of the object.
    fn schemas(list: &mut Vec<MemberSchema>);

    /// The static name of the member, if the object has a member with this name.
    fn known(text: &str) -> Option<&'static str>;

    /// Parses the value of a known member. `false` means that it is not a member of this object.
    fn read(found: &mut Self::Found, name: &'static str, members: &mut MemberWalker<'_>) -> Result<bool, Stopped>;

    /// The object, once all members have been parsed. `None` means that a fault was reported.
    fn finish(found: Self::Found, reader: &FaultCollector, at: &JsonPath<'_>) -> Option<Self>;
}

/// Parses an object to its end. `None` means that a fault was reported.
pub(crate) fn read_members<T: ObjectMembers>(
    reader: &FaultCollector,
    at: &JsonPath<'_>,
    openness: Openness,
    source: &mut dyn ObjectSource,
) -> Result<Option<T>, Stopped> {
    let mut found = T::UNSEEN;
    let mut members = MemberWalker {
        reader,
        at,
        known: T::known,
        openness,
        source,
        strangers: HashSet::new(),
        two_spellings: Vec::new(),
    };
    while let Some(name) = members.next()? {
        T::read(&mut found, name, &mut members)?;
    }
    Ok(T::finish(found, reader, at))
}

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
pub(crate) struct MemberWalker<'r> {
    reader: &'r FaultCollector,
    at: &'r JsonPath<'r>,
    known: KnownNames,
    openness: Openness,
    source: &'r mut dyn ObjectSource,
    strangers: HashSet<String>,
    /// The members found so far, with a value, that have two spellings.
    two_spellings: Vec<&'static str>,
}

impl MemberWalker<'_> {
    /// The next member with a known name; its value must be read next.
    fn next(&mut self) -> Result<Option<&'static str>, Stopped> {
        loop {
            match self.source.next_name(self.known)? {
                None => return Ok(None),
                Some(MemberName::Known(name)) => return Ok(Some(name)),
                Some(MemberName::Unknown(name)) => self.stranger(name)?,
            }
        }
    }

    /// Parses the value of the member just returned.
    pub(crate) fn read<T: FromJson>(&mut self, name: &str, member: &mut FoundMember<T>) -> Result<(), Stopped> {
        let at = self.at.member(name);
        if matches!(member, FoundMember::Seen(_)) {
            self.reader.duplicate(&at);
            return self.source.read_value(&mut SkipValue::new(self.reader, &at));
        }
        let found = ReadSeed::new(self.reader, &at).member(self.source)?;
        if !matches!(found, JsonMember::Null) {
            self.check_spelling(name, &at);
        }
        *member = FoundMember::Seen(found);
        Ok(())
    }

    /// Reports a member whose other spelling was found before, because the two values could differ. Source: PIS-148.
    fn check_spelling(&mut self, name: &str, at: &JsonPath<'_>) {
        let Some(other) = other_spelling(name) else { return };
        if self.two_spellings.contains(&other) {
            let message = format!("{name} and {other} are spellings of one member; send only one of them.");
            self.reader.fault(FaultCode::InvalidFormat, at, message);
        }
        self.two_spellings.extend(other_spelling(other));
    }

    fn stranger(&mut self, name: String) -> Result<(), Stopped> {
        let at = self.at.member(&name);
        if self.strangers.contains(&name) {
            self.reader.duplicate(&at);
        } else if self.openness == Openness::Closed {
            self.reader.fault(FaultCode::FieldUnexpected, &at, "This member is not part of the standard here.");
        }
        self.source.read_value(&mut SkipValue::new(self.reader, &at))?;
        self.strangers.insert(name);
        Ok(())
    }
}
