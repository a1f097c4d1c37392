//! Derives parsing, serialisation and the JSON schema from one declaration.
//!
//! A [`FieldForm`] defines the form of a single value. [`objects!`](crate::objects) declares the form of a record member by member, and
//! derives all three from this declaration. The parser records every fault and continues. A faulty value becomes `None`. An object that
//! contains a faulty value becomes `None` too, after its other members were checked.

use super::faults::{FaultList, JsonLocation};
use super::node::{JsonNode, USUAL_MEMBERS};
use super::schema::{Definitions, HasSchema, MemberList, array_of};
use jiff::SignedDuration;
use std::borrow::Cow;
use std::marker::PhantomData;

/// The state of a parser.
#[derive(Debug, Default)]
pub struct FormReader {
    /// The faults found so far.
    pub faults: FaultList,
    /// The duration by which every time of the document is shifted.
    pub shift: SignedDuration,
    /// The kind of the document.
    pub kind: DocumentKind,
}

/// The kind of a document, which determines how strictly the document is parsed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DocumentKind {
    /// A file that a person writes. Undeclared members are faults. Texts and account numbers that the standard does not allow are faults
    /// too.
    #[default]
    File,
    /// A message from a program. Undeclared members are skipped, because the program may have a later version. Texts are checked only for
    /// their maximum length, because a message contains what a TPP sent.
    Message,
}

impl FormReader {
    /// Records a fault and returns `None`.
    pub fn fault<T>(&mut self, at: &JsonLocation<'_>, sentence: impl Into<String>) -> Option<T> {
        self.faults.record_fault(at, sentence);
        None
    }
}

/// The form of values of type `T`.
pub trait FieldForm<T>: HasSchema {
    /// Parses a value. The result is `None` if a fault was recorded.
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<T>;
    /// Serialises a value.
    fn write(value: &T) -> JsonNode<'static>;
}

/// A type with a single form.
pub trait SingleForm: Sized {
    /// Builds the schema of the type.
    fn schema(definitions: &mut Definitions) -> JsonNode<'static>;
    /// Parses a value. The result is `None` if a fault was recorded.
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self>;
    /// Serialises the value.
    fn write(&self) -> JsonNode<'static>;
}

/// The [`FieldForm`] of a type with a single form.
#[derive(Debug)]
pub struct FormOf<T>(PhantomData<T>);

impl<T: SingleForm> HasSchema for FormOf<T> {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        T::schema(definitions)
    }
}

impl<T: SingleForm> FieldForm<T> for FormOf<T> {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<T> {
        T::read(node, at, reader)
    }

    fn write(value: &T) -> JsonNode<'static> {
        value.write()
    }
}

/// The form of a boxed value. The value is boxed because most records do not have it.
#[derive(Debug)]
pub struct Boxed<F>(PhantomData<F>);

impl<F: HasSchema> HasSchema for Boxed<F> {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        F::schema(definitions)
    }
}

impl<T, F: FieldForm<T>> FieldForm<Box<T>> for Boxed<F> {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Box<T>> {
        F::read(node, at, reader).map(Box::new)
    }

    fn write(value: &Box<T>) -> JsonNode<'static> {
        F::write(value)
    }
}

/// A list of values of a form.
#[derive(Debug)]
pub struct ListForm<F>(PhantomData<F>);

impl<F: HasSchema> HasSchema for ListForm<F> {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        array_of(F::schema(definitions))
    }
}

impl<T, F: FieldForm<T>> FieldForm<Vec<T>> for ListForm<F> {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Vec<T>> {
        let JsonNode::List(items) = node else { return reader.fault(at, "Must be a list.") };
        let count = items.len();
        let items = items.into_iter().enumerate();
        let read: Vec<T> =
            items.filter_map(|(index, it)| F::read(it, &JsonLocation::Item(at, index), reader)).collect();
        (read.len() == count).then_some(read)
    }

    fn write(value: &Vec<T>) -> JsonNode<'static> {
        JsonNode::List(value.iter().map(F::write).collect())
    }
}

/// The form of an object's members. `Self` is the type itself, or a form type for a type of another crate.
pub trait ObjectForm {
    /// The type whose members the form describes.
    type Value;
    /// A description of the object.
    const ABOUT: &'static str = "";
    /// The name of the object's schema.
    fn name() -> String;
    /// Adds the members to the schema.
    fn describe(list: &mut MemberList<'_>);
    /// Parses the members.
    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self::Value>;
    /// Serialises the members.
    fn write_members(value: &Self::Value, object: &mut MemberWriter);
}

/// The [`FieldForm`] of an object with the members of the form `F`.
#[derive(Debug)]
pub struct ObjectOf<F>(PhantomData<F>);

impl<F: ObjectForm> HasSchema for ObjectOf<F> {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        definitions.refer(F::name(), F::ABOUT, F::describe)
    }
}

impl<F: ObjectForm> FieldForm<F::Value> for ObjectOf<F> {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<F::Value> {
        let JsonNode::Object(found) = node else { return reader.fault(at, "Must be an object.") };
        let before = reader.faults.count();
        let mut members = MemberReader { found, at, reader, twice: Vec::new() };
        let read = F::parse_members(&mut members);
        members.check_remaining_members();
        read.filter(|_| reader.faults.count() == before)
    }

    fn write(value: &F::Value) -> JsonNode<'static> {
        let mut object = MemberWriter::default();
        F::write_members(value, &mut object);
        JsonNode::Object(object.0)
    }
}

impl<T: ObjectForm<Value = T>> SingleForm for T {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        ObjectOf::<T>::schema(definitions)
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        ObjectOf::<T>::read(node, at, reader)
    }

    fn write(&self) -> JsonNode<'static> {
        ObjectOf::<T>::write(self)
    }
}

/// The part of a generic object's schema name that stands for a type parameter.
pub trait SchemaNamePart {
    /// The part of the name.
    const NAME: &'static str;
}

/// A value that is stored as two members, which are either both present or both absent.
pub trait MemberPair: Sized {
    /// The type of the first member.
    type A;
    /// The type of the second member.
    type B;
    /// Combines the two values.
    fn join(a: Self::A, b: Self::B) -> Self;
    /// Splits the value into the two values of the members.
    fn split(&self) -> (Self::A, Self::B);
}

/// Parses the members of an object.
#[derive(Debug)]
pub struct MemberReader<'a, 'r> {
    found: Vec<(Cow<'a, str>, JsonNode<'a>)>,
    /// The location of the object.
    pub at: &'a JsonLocation<'a>,
    /// The reader, which collects faults.
    pub reader: &'r mut FormReader,
    /// The declared members that occur more than once.
    twice: Vec<&'static str>,
}

impl<'a> MemberReader<'a, '_> {
    /// Parses a required member.
    pub fn required<T, F: FieldForm<T>>(&mut self, name: &'static str) -> Option<T> {
        match self.optional::<T, F>(name)? {
            Some(value) => Some(value),
            None => self.reader.fault(&JsonLocation::Member(self.at, name), "This member is required."),
        }
    }

    /// Parses an optional member. The outer `None` means that a fault was recorded.
    pub fn optional<T, F: FieldForm<T>>(&mut self, name: &'static str) -> Option<Option<T>> {
        match self.pull(name) {
            Some(node) => F::read(node, &JsonLocation::Member(self.at, name), self.reader).map(Some),
            None => Some(None),
        }
    }

    /// Parses a list, which is empty if absent.
    pub fn list<T, F: FieldForm<T>>(&mut self, name: &'static str) -> Option<Vec<T>> {
        self.optional::<Vec<T>, ListForm<F>>(name).map(Option::unwrap_or_default)
    }

    /// Parses two members that must both be present or both be absent.
    pub fn both<P: MemberPair, A: FieldForm<P::A>, B: FieldForm<P::B>>(
        &mut self,
        first: &'static str,
        second: &'static str,
    ) -> Option<Option<P>> {
        let (a, b) = (self.optional::<P::A, A>(first), self.optional::<P::B, B>(second));
        match (a?, b?) {
            (Some(a), Some(b)) => Some(Some(P::join(a, b))),
            (None, None) => Some(None),
            (Some(_), None) => self.alone(first, second),
            (None, Some(_)) => self.alone(second, first),
        }
    }

    fn alone<T>(&mut self, there: &'static str, missing: &'static str) -> Option<T> {
        self.reader.fault(&JsonLocation::Member(self.at, there), format!("Goes with {missing}, which is missing."))
    }

    /// Removes and returns a member. A member with the value null counts as absent.
    fn pull(&mut self, name: &'static str) -> Option<JsonNode<'a>> {
        let at = self.found.iter().position(|(found, _)| found == name)?;
        let (_, node) = self.found.swap_remove(at);
        if self.found.iter().any(|(found, _)| found == name) {
            self.twice.push(name);
        }
        (!matches!(node, JsonNode::Null)).then_some(node)
    }

    fn check_remaining_members(self) {
        for (name, _) in &self.found {
            let sentence = match (self.twice.contains(&name.as_ref()), self.reader.kind) {
                (true, _) => "This member occurs twice.",
                (false, DocumentKind::File) => "There is no such member here.",
                (false, DocumentKind::Message) => continue,
            };
            self.reader.faults.record_fault(&JsonLocation::Member(self.at, name), sentence);
        }
    }
}

/// Serialises the members of an object.
#[derive(Debug)]
pub struct MemberWriter(Vec<(Cow<'static, str>, JsonNode<'static>)>);

impl Default for MemberWriter {
    fn default() -> Self {
        Self(Vec::with_capacity(USUAL_MEMBERS))
    }
}

impl MemberWriter {
    /// Returns the object.
    pub fn into_node(self) -> JsonNode<'static> {
        JsonNode::Object(self.0)
    }

    /// Adds a member.
    pub fn required<T, F: FieldForm<T>>(&mut self, name: &'static str, value: &T) {
        self.0.push((Cow::Borrowed(name), F::write(value)));
    }

    /// Adds a member, unless there is no value.
    pub fn optional<T, F: FieldForm<T>>(&mut self, name: &'static str, value: &Option<T>) {
        if let Some(value) = value {
            self.required::<T, F>(name, value);
        }
    }

    /// Adds a list, unless it is empty.
    pub fn list<T, F: FieldForm<T>>(&mut self, name: &'static str, value: &Vec<T>) {
        if !value.is_empty() {
            self.required::<Vec<T>, ListForm<F>>(name, value);
        }
    }

    /// Adds two members that are either both present or both absent.
    pub fn both<P: MemberPair, A: FieldForm<P::A>, B: FieldForm<P::B>>(
        &mut self,
        first: &'static str,
        second: &'static str,
        value: &Option<P>,
    ) {
        if let Some((a, b)) = value.as_ref().map(MemberPair::split) {
            self.required::<P::A, A>(first, &a);
            self.required::<P::B, B>(second, &b);
        }
    }
}

/// Declares the form of types member by member. A field has one of these forms:
///
/// ```ignore
/// /// What the member says.
/// field: required(Form, "Member");               // must be there
/// field: optional(Form, "Member");                // an Option
/// field: list(Form, "Member");                 // a Vec, left out when empty
/// field: both(Form, "One", Form, "Other");     // an Option of a Pair
/// field: flat(Type);                           // an Object whose members stand here
/// field: given(expression);                    // not in the document; may speak of the fields that are
/// ```
/// A generic type names its type parameters, and those that are part of its schema's name. If the type belongs to another crate than
/// the declaration, it is named after `of`, and the declaration first names a form type.
#[macro_export]
macro_rules! objects {
    ($(
        $(#[doc = $about:literal])* $type:ty as $name:literal $(of $value:ident)?
        $(where [$($generics:tt)+] named [$($inner:ty),+])?
        { $($(#[doc = $doc:literal])* $field:ident: $need:ident $args:tt;)* }
    )*) => {$(
        impl $(<$($generics)+>)? $crate::form::shape::ObjectForm for $type {
            type Value = $crate::objects!(@value $($value)?);

            const ABOUT: &'static str = concat!($($about),*);

            fn name() -> String {
                [$name $($(, <$inner as $crate::form::shape::SchemaNamePart>::NAME)+)?].concat()
            }

            fn describe(list: &mut $crate::form::schema::MemberList<'_>) {
                $($crate::objects!(@describe list, concat!($($doc),*), $need $args);)*
            }

            fn parse_members(members: &mut $crate::form::shape::MemberReader<'_, '_>) -> Option<Self::Value> {
                $($crate::objects!(@take members, $field, $need $args);)*
                // A faulty member ends the parsing only after all members were checked.
                $($crate::objects!(@judge $field, $need);)*
                Some($crate::objects!(@made [$($value)?] { $($field: $crate::objects!(@place $field, $need $args),)* }))
            }

            fn write_members(value: &Self::Value, object: &mut $crate::form::shape::MemberWriter) {
                $($crate::objects!(@put object, &value.$field, $need $args);)*
            }
        }
    )*};

    (@value) => { Self };
    (@value $value:ident) => { $value };
    (@made [] { $($fields:tt)* }) => { Self { $($fields)* } };
    (@made [$value:ident] { $($fields:tt)* }) => { $value { $($fields)* } };

    (@describe $list:ident, $doc:expr, both($a:ty, $first:literal, $b:ty, $second:literal)) => {
        $list.both::<$a, $b>($first, $second, $doc)
    };
    (@describe $list:ident, $doc:expr, flat($type:ty)) => { <$type as $crate::form::shape::ObjectForm>::describe($list) };
    (@describe $list:ident, $doc:expr, given($value:expr)) => {};
    (@describe $list:ident, $doc:expr, $need:ident($form:ty, $name:literal)) => { $list.$need::<$form>($name, $doc) };

    (@take $members:ident, $field:ident, both($a:ty, $first:literal, $b:ty, $second:literal)) => {
        let $field = $members.both::<_, $a, $b>($first, $second);
    };
    (@take $members:ident, $field:ident, flat($type:ty)) => {
        let $field = <$type as $crate::form::shape::ObjectForm>::parse_members($members);
    };
    (@take $members:ident, $field:ident, given($value:expr)) => {};
    (@take $members:ident, $field:ident, $need:ident($form:ty, $name:literal)) => {
        let $field = $members.$need::<_, $form>($name);
    };

    (@judge $field:ident, given) => {};
    (@judge $field:ident, $need:ident) => { let $field = $field?; };

    (@place $field:ident, given($value:expr)) => { $value };
    (@place $field:ident, $need:ident $args:tt) => { $field };

    (@put $object:ident, $value:expr, both($a:ty, $first:literal, $b:ty, $second:literal)) => {
        $object.both::<_, $a, $b>($first, $second, $value)
    };
    (@put $object:ident, $value:expr, flat($type:ty)) => {
        <$type as $crate::form::shape::ObjectForm>::write_members($value, $object)
    };
    (@put $object:ident, $value:expr, given($given:expr)) => {};
    (@put $object:ident, $value:expr, $need:ident($form:ty, $name:literal)) => {
        $object.$need::<_, $form>($name, $value)
    };
}
