//! Parsing, serialisation and the schema from one declaration.
//!
//! A [`FieldForm`] defines the form of a single value; [`objects!`] declares the form of a record member by member, and all
//! three are derived from it. Parsing records every fault and continues. A faulty value is `None`, and so is the object that
//! contains it, after its other members were checked.

use super::faults::{FaultList, FileLocation};
use super::node::FileNode;
use jiff::SignedDuration;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// The state of the reader.
#[derive(Debug, Default)]
pub(super) struct FileReader {
    pub(super) faults: FaultList,
    /// The shift of every time of the file.
    pub(super) shift: SignedDuration,
}

impl FileReader {
    /// Records a fault and returns `None`.
    pub(super) fn fault<T>(&mut self, at: &FileLocation<'_>, sentence: impl Into<String>) -> Option<T> {
        self.faults.note(at, sentence);
        None
    }
}

/// The schemas of objects, by name, so that each is described once.
pub(super) type Definitions = BTreeMap<String, FileNode>;

/// A form in the file that has a JSON schema.
pub(super) trait HasSchema {
    /// Its schema.
    fn schema(definitions: &mut Definitions) -> FileNode;
}

/// The form of a `T` in the file.
pub(super) trait FieldForm<T>: HasSchema {
    /// Parses a value; `None` after a fault was recorded.
    fn read(node: FileNode, at: &FileLocation<'_>, reader: &mut FileReader) -> Option<T>;
    /// Serialises a value.
    fn write(value: &T) -> FileNode;
}

/// A type with a single form in the file.
pub(super) trait SingleForm: Sized {
    /// Its schema.
    fn schema(definitions: &mut Definitions) -> FileNode;
    /// Parses a value; `None` after a fault was recorded.
    fn read(node: FileNode, at: &FileLocation<'_>, reader: &mut FileReader) -> Option<Self>;
    /// Serialises the value.
    fn write(&self) -> FileNode;
}

/// The [`FieldForm`] of a type with a single form.
pub(super) struct FormOf<T>(PhantomData<T>);

impl<T: SingleForm> HasSchema for FormOf<T> {
    fn schema(definitions: &mut Definitions) -> FileNode {
        T::schema(definitions)
    }
}

impl<T: SingleForm> FieldForm<T> for FormOf<T> {
    fn read(node: FileNode, at: &FileLocation<'_>, reader: &mut FileReader) -> Option<T> {
        T::read(node, at, reader)
    }

    fn write(value: &T) -> FileNode {
        value.write()
    }
}

/// A value of a form, boxed because most records have none.
pub(super) struct Boxed<F>(PhantomData<F>);

impl<F: HasSchema> HasSchema for Boxed<F> {
    fn schema(definitions: &mut Definitions) -> FileNode {
        F::schema(definitions)
    }
}

impl<T, F: FieldForm<T>> FieldForm<Box<T>> for Boxed<F> {
    fn read(node: FileNode, at: &FileLocation<'_>, reader: &mut FileReader) -> Option<Box<T>> {
        F::read(node, at, reader).map(Box::new)
    }

    fn write(value: &Box<T>) -> FileNode {
        F::write(value)
    }
}

/// A list of values of a form.
pub(super) struct ListForm<F>(PhantomData<F>);

impl<F: HasSchema> HasSchema for ListForm<F> {
    fn schema(definitions: &mut Definitions) -> FileNode {
        FileNode::object([("type", FileNode::text("array")), ("items", F::schema(definitions))])
    }
}

impl<T, F: FieldForm<T>> FieldForm<Vec<T>> for ListForm<F> {
    fn read(node: FileNode, at: &FileLocation<'_>, reader: &mut FileReader) -> Option<Vec<T>> {
        let FileNode::List(items) = node else { return reader.fault(at, "Must be a list.") };
        let count = items.len();
        let items = items.into_iter().enumerate();
        let read: Vec<T> =
            items.filter_map(|(index, it)| F::read(it, &FileLocation::Item(at, index), reader)).collect();
        (read.len() == count).then_some(read)
    }

    fn write(value: &Vec<T>) -> FileNode {
        FileNode::List(value.iter().map(F::write).collect())
    }
}

/// A type whose form is members of an object, either its own object or one shared with other types.
pub(super) trait ObjectForm: Sized {
    /// The name of its schema.
    fn name() -> String;
    /// Lists its members.
    fn describe(list: &mut MemberList<'_>);
    /// Parses its members of an object.
    fn take(members: &mut MemberReader<'_, '_>) -> Option<Self>;
    /// Serialises its members.
    fn put(&self, object: &mut MemberWriter);
}

impl<T: ObjectForm> SingleForm for T {
    fn schema(definitions: &mut Definitions) -> FileNode {
        let name = T::name();
        let reference = FileNode::object([("$ref", FileNode::text(format!("#/$defs/{name}")))]);
        if !definitions.contains_key(&name) {
            // The name is reserved first, because an object may contain its own type.
            definitions.insert(name.clone(), FileNode::Null);
            let mut list = MemberList { definitions, properties: Vec::new(), required: Vec::new(), pairs: Vec::new() };
            T::describe(&mut list);
            let schema = list.close();
            definitions.insert(name, schema);
        }
        reference
    }

    fn read(node: FileNode, at: &FileLocation<'_>, reader: &mut FileReader) -> Option<Self> {
        let FileNode::Object(found) = node else { return reader.fault(at, "Must be an object.") };
        let before = reader.faults.count();
        let mut members = MemberReader { found, at, reader, known: Vec::new() };
        let read = T::take(&mut members);
        members.judge_the_rest();
        read.filter(|_| reader.faults.count() == before)
    }

    fn write(&self) -> FileNode {
        let mut object = MemberWriter::default();
        self.put(&mut object);
        FileNode::Object(object.0)
    }
}

/// The part of a generic object's schema name that stands for a type parameter.
pub(super) trait SchemaNamePart {
    /// The name.
    const NAME: &'static str;
}

/// The members of an object, for its schema.
pub(super) struct MemberList<'d> {
    definitions: &'d mut Definitions,
    properties: Vec<(Cow<'static, str>, FileNode)>,
    required: Vec<&'static str>,
    pairs: Vec<(&'static str, &'static str)>,
}

impl MemberList<'_> {
    pub(super) fn needed<F: HasSchema>(&mut self, name: &'static str) {
        self.required.push(name);
        self.maybe::<F>(name);
    }

    pub(super) fn maybe<F: HasSchema>(&mut self, name: &'static str) {
        let schema = F::schema(self.definitions);
        self.properties.push((Cow::Borrowed(name), schema));
    }

    pub(super) fn list<F: HasSchema>(&mut self, name: &'static str) {
        self.maybe::<ListForm<F>>(name);
    }

    pub(super) fn both<A: HasSchema, B: HasSchema>(&mut self, first: &'static str, second: &'static str) {
        self.maybe::<A>(first);
        self.maybe::<B>(second);
        self.pairs.push((first, second));
    }

    pub(super) fn close(self) -> FileNode {
        let mut schema = vec![
            (Cow::Borrowed("type"), FileNode::text("object")),
            (Cow::Borrowed("properties"), FileNode::Object(self.properties)),
            (Cow::Borrowed("additionalProperties"), FileNode::Flag(false)),
        ];
        if !self.required.is_empty() {
            schema.push((Cow::Borrowed("required"), FileNode::texts(self.required)));
        }
        if !self.pairs.is_empty() {
            let both_ways = self.pairs.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
            let pairs = both_ways.map(|(one, other)| (Cow::Borrowed(one), FileNode::texts([other]))).collect();
            schema.push((Cow::Borrowed("dependentRequired"), FileNode::Object(pairs)));
        }
        FileNode::Object(schema)
    }
}

/// Two members that are either both present or both absent.
pub(super) trait MemberPair: Sized {
    /// The type of the first member.
    type A;
    /// The type of the second member.
    type B;
    /// Combines both values.
    fn join(a: Self::A, b: Self::B) -> Self;
    /// Returns both values.
    fn split(&self) -> (Self::A, Self::B);
}

/// The members of an object being parsed.
pub(super) struct MemberReader<'a, 'r> {
    found: Vec<(Cow<'static, str>, FileNode)>,
    pub(super) at: &'a FileLocation<'a>,
    pub(super) reader: &'r mut FileReader,
    known: Vec<&'static str>,
}

impl MemberReader<'_, '_> {
    /// Parses a required member.
    pub(super) fn needed<T, F: FieldForm<T>>(&mut self, name: &'static str) -> Option<T> {
        match self.maybe::<T, F>(name)? {
            Some(value) => Some(value),
            None => self.reader.fault(&FileLocation::Member(self.at, name), "This member is required."),
        }
    }

    /// Parses an optional member. The outer `None` means that a fault was recorded.
    pub(super) fn maybe<T, F: FieldForm<T>>(&mut self, name: &'static str) -> Option<Option<T>> {
        match self.pull(name) {
            Some(node) => F::read(node, &FileLocation::Member(self.at, name), self.reader).map(Some),
            None => Some(None),
        }
    }

    /// Parses a list, which is empty if absent.
    pub(super) fn list<T, F: FieldForm<T>>(&mut self, name: &'static str) -> Option<Vec<T>> {
        self.maybe::<Vec<T>, ListForm<F>>(name).map(Option::unwrap_or_default)
    }

    /// Parses two members that must both be present or both be absent.
    pub(super) fn both<P: MemberPair, A: FieldForm<P::A>, B: FieldForm<P::B>>(
        &mut self,
        first: &'static str,
        second: &'static str,
    ) -> Option<Option<P>> {
        let (a, b) = (self.maybe::<P::A, A>(first), self.maybe::<P::B, B>(second));
        match (a?, b?) {
            (Some(a), Some(b)) => Some(Some(P::join(a, b))),
            (None, None) => Some(None),
            (Some(_), None) => self.alone(first, second),
            (None, Some(_)) => self.alone(second, first),
        }
    }

    fn alone<T>(&mut self, there: &'static str, missing: &'static str) -> Option<T> {
        self.reader.fault(&FileLocation::Member(self.at, there), format!("Goes with {missing}, which is missing."))
    }

    /// Removes and returns a member; null counts as absent.
    fn pull(&mut self, name: &'static str) -> Option<FileNode> {
        self.known.push(name);
        let at = self.found.iter().position(|(found, _)| found == name)?;
        let (_, node) = self.found.swap_remove(at);
        (node != FileNode::Null).then_some(node)
    }

    fn judge_the_rest(self) {
        for (name, _) in &self.found {
            let sentence = if self.known.contains(&name.as_ref()) {
                "This member occurs twice."
            } else {
                "There is no such member here."
            };
            self.reader.faults.note(&FileLocation::Member(self.at, name), sentence);
        }
    }
}

/// The members of an object being serialised.
#[derive(Debug, Default)]
pub(super) struct MemberWriter(Vec<(Cow<'static, str>, FileNode)>);

impl MemberWriter {
    pub(super) fn needed<T, F: FieldForm<T>>(&mut self, name: &'static str, value: &T) {
        self.0.push((Cow::Borrowed(name), F::write(value)));
    }

    pub(super) fn maybe<T, F: FieldForm<T>>(&mut self, name: &'static str, value: &Option<T>) {
        if let Some(value) = value {
            self.needed::<T, F>(name, value);
        }
    }

    pub(super) fn list<T, F: FieldForm<T>>(&mut self, name: &'static str, value: &Vec<T>) {
        if !value.is_empty() {
            self.needed::<Vec<T>, ListForm<F>>(name, value);
        }
    }

    pub(super) fn both<P: MemberPair, A: FieldForm<P::A>, B: FieldForm<P::B>>(
        &mut self,
        first: &'static str,
        second: &'static str,
        value: &Option<P>,
    ) {
        if let Some((a, b)) = value.as_ref().map(MemberPair::split) {
            self.needed::<P::A, A>(first, &a);
            self.needed::<P::B, B>(second, &b);
        }
    }
}

/// Declares the form of the bank's records in the file. A field is one of
///
/// ```ignore
/// field: needed(Form, "Member");               // must be there
/// field: maybe(Form, "Member");                // an Option
/// field: list(Form, "Member");                 // a Vec, left out when empty
/// field: both(Form, "One", Form, "Other");     // an Option of a Pair
/// field: flat(Type);                           // an Object whose members stand here
/// field: given(expression);                    // not in the file; may speak of the fields that are
/// ```
/// A generic type names its type parameters and those that are part of its schema's name.
macro_rules! objects {
    ($($type:ty as $name:literal $(where [$($generics:tt)+] named [$($inner:ty),+])? { $($field:ident: $need:ident $args:tt;)* })*) => {$(
        impl $(<$($generics)+>)? $crate::data_file::shape::ObjectForm for $type {
            fn name() -> String {
                [$name $($(, <$inner as $crate::data_file::shape::SchemaNamePart>::NAME)+)?].concat()
            }

            fn describe(list: &mut $crate::data_file::shape::MemberList<'_>) {
                $($crate::data_file::shape::objects!(@describe list, $need $args);)*
            }

            fn take(members: &mut $crate::data_file::shape::MemberReader<'_, '_>) -> Option<Self> {
                $($crate::data_file::shape::objects!(@take members, $field, $need $args);)*
                // A faulty member ends the parsing only after all members were checked.
                $($crate::data_file::shape::objects!(@judge $field, $need);)*
                Some(Self { $($field: $crate::data_file::shape::objects!(@place $field, $need $args),)* })
            }

            fn put(&self, object: &mut $crate::data_file::shape::MemberWriter) {
                $($crate::data_file::shape::objects!(@put object, &self.$field, $need $args);)*
            }
        }
    )*};

    (@describe $list:ident, both($a:ty, $first:literal, $b:ty, $second:literal)) => { $list.both::<$a, $b>($first, $second) };
    (@describe $list:ident, flat($type:ty)) => { <$type as $crate::data_file::shape::ObjectForm>::describe($list) };
    (@describe $list:ident, given($value:expr)) => {};
    (@describe $list:ident, $need:ident($form:ty, $name:literal)) => { $list.$need::<$form>($name) };

    (@take $members:ident, $field:ident, both($a:ty, $first:literal, $b:ty, $second:literal)) => {
        let $field = $members.both::<_, $a, $b>($first, $second);
    };
    (@take $members:ident, $field:ident, flat($type:ty)) => {
        let $field = <$type as $crate::data_file::shape::ObjectForm>::take($members);
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
        <$type as $crate::data_file::shape::ObjectForm>::put($value, $object)
    };
    (@put $object:ident, $value:expr, given($given:expr)) => {};
    (@put $object:ident, $value:expr, $need:ident($form:ty, $name:literal)) => {
        $object.$need::<_, $form>($name, $value)
    };
}
pub(super) use objects;
