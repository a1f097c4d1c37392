//! One description for reading, writing and the schema.
//!
//! A [`Form`] says how one value stands in the file; [`objects!`] declares how a record of the bank stands there, member
//! by member, and from that comes all three. Reading notes every fault and goes on; a value that is faulty is `None`, and
//! what holds it is faulty too, but only after its other members have been judged.

use super::faults::{At, Faults};
use super::node::Node;
use jiff::SignedDuration;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// What the reader keeps beside the place.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) faults: Faults,
    /// How far every time of the file is moved.
    pub(super) shift: SignedDuration,
}

impl Reader {
    /// Notes a fault and gives nothing.
    pub(super) fn fault<T>(&mut self, at: &At<'_>, sentence: impl Into<String>) -> Option<T> {
        self.faults.note(at, sentence);
        None
    }
}

/// The schemas of objects, by name, so that each is described once.
pub(super) type Definitions = BTreeMap<String, Node>;

/// How something stands in the file, whatever it is in the bank.
pub(super) trait Described {
    /// Its schema.
    fn schema(definitions: &mut Definitions) -> Node;
}

/// How a `T` stands in the file.
pub(super) trait Form<T>: Described {
    /// Reads it; `None` after a fault was noted.
    fn read(node: Node, at: &At<'_>, reader: &mut Reader) -> Option<T>;
    /// Writes it.
    fn write(value: &T) -> Node;
}

/// A type with one way to stand in the file.
pub(super) trait Shape: Sized {
    /// Its schema.
    fn schema(definitions: &mut Definitions) -> Node;
    /// Reads it; `None` after a fault was noted.
    fn read(node: Node, at: &At<'_>, reader: &mut Reader) -> Option<Self>;
    /// Writes it.
    fn write(&self) -> Node;
}

/// The form of a type that has a shape.
pub(super) struct The<T>(PhantomData<T>);

impl<T: Shape> Described for The<T> {
    fn schema(definitions: &mut Definitions) -> Node {
        T::schema(definitions)
    }
}

impl<T: Shape> Form<T> for The<T> {
    fn read(node: Node, at: &At<'_>, reader: &mut Reader) -> Option<T> {
        T::read(node, at, reader)
    }

    fn write(value: &T) -> Node {
        value.write()
    }
}

/// A list of what stands in a form.
pub(super) struct Each<F>(PhantomData<F>);

impl<F: Described> Described for Each<F> {
    fn schema(definitions: &mut Definitions) -> Node {
        Node::object([("type", Node::text("array")), ("items", F::schema(definitions))])
    }
}

impl<T, F: Form<T>> Form<Vec<T>> for Each<F> {
    fn read(node: Node, at: &At<'_>, reader: &mut Reader) -> Option<Vec<T>> {
        let Node::List(items) = node else { return reader.fault(at, "Must be a list.") };
        let count = items.len();
        let items = items.into_iter().enumerate();
        let read: Vec<T> = items.filter_map(|(index, it)| F::read(it, &At::Item(at, index), reader)).collect();
        (read.len() == count).then_some(read)
    }

    fn write(value: &Vec<T>) -> Node {
        Node::List(value.iter().map(F::write).collect())
    }
}

/// A type that stands in the file as members of an object: one of its own, or one that it shares with others.
pub(super) trait Object: Sized {
    /// What its schema is called.
    fn name() -> String;
    /// Names its members.
    fn describe(list: &mut MemberList<'_>);
    /// Takes its members out of an object.
    fn take(members: &mut Members<'_, '_>) -> Option<Self>;
    /// Writes its members.
    fn put(&self, object: &mut Written);
}

impl<T: Object> Shape for T {
    fn schema(definitions: &mut Definitions) -> Node {
        let name = T::name();
        let reference = Node::object([("$ref", Node::text(format!("#/$defs/{name}")))]);
        if !definitions.contains_key(&name) {
            // Held open first: an object may contain its own kind.
            definitions.insert(name.clone(), Node::Null);
            let mut list = MemberList { definitions, properties: Vec::new(), required: Vec::new(), pairs: Vec::new() };
            T::describe(&mut list);
            let schema = list.close();
            definitions.insert(name, schema);
        }
        reference
    }

    fn read(node: Node, at: &At<'_>, reader: &mut Reader) -> Option<Self> {
        let Node::Object(found) = node else { return reader.fault(at, "Must be an object.") };
        let before = reader.faults.count();
        let mut members = Members { found, at, reader, known: Vec::new() };
        let read = T::take(&mut members);
        members.judge_the_rest();
        read.filter(|_| reader.faults.count() == before)
    }

    fn write(&self) -> Node {
        let mut object = Written::default();
        self.put(&mut object);
        Node::Object(object.0)
    }
}

/// What a type adds to the name of a generic object's schema.
pub(super) trait Named {
    /// The name.
    const NAME: &'static str;
}

/// The members of an object, for its schema.
pub(super) struct MemberList<'d> {
    definitions: &'d mut Definitions,
    properties: Vec<(Cow<'static, str>, Node)>,
    required: Vec<&'static str>,
    pairs: Vec<(&'static str, &'static str)>,
}

impl MemberList<'_> {
    pub(super) fn needed<F: Described>(&mut self, name: &'static str) {
        self.required.push(name);
        self.maybe::<F>(name);
    }

    pub(super) fn maybe<F: Described>(&mut self, name: &'static str) {
        let schema = F::schema(self.definitions);
        self.properties.push((Cow::Borrowed(name), schema));
    }

    pub(super) fn list<F: Described>(&mut self, name: &'static str) {
        self.maybe::<Each<F>>(name);
    }

    pub(super) fn both<A: Described, B: Described>(&mut self, first: &'static str, second: &'static str) {
        self.maybe::<A>(first);
        self.maybe::<B>(second);
        self.pairs.push((first, second));
    }

    pub(super) fn close(self) -> Node {
        let mut schema = vec![
            (Cow::Borrowed("type"), Node::text("object")),
            (Cow::Borrowed("properties"), Node::Object(self.properties)),
            (Cow::Borrowed("additionalProperties"), Node::Flag(false)),
        ];
        if !self.required.is_empty() {
            schema.push((Cow::Borrowed("required"), Node::texts(self.required)));
        }
        if !self.pairs.is_empty() {
            let both_ways = self.pairs.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
            let pairs = both_ways.map(|(one, other)| (Cow::Borrowed(one), Node::texts([other]))).collect();
            schema.push((Cow::Borrowed("dependentRequired"), Node::Object(pairs)));
        }
        Node::Object(schema)
    }
}

/// Two members that stand together or not at all.
pub(super) trait Pair: Sized {
    /// The first.
    type A;
    /// The second.
    type B;
    /// Puts them together.
    fn join(a: Self::A, b: Self::B) -> Self;
    /// Takes them apart.
    fn split(&self) -> (Self::A, Self::B);
}

/// The members of an object while it is read.
pub(super) struct Members<'a, 'r> {
    found: Vec<(Cow<'static, str>, Node)>,
    pub(super) at: &'a At<'a>,
    pub(super) reader: &'r mut Reader,
    known: Vec<&'static str>,
}

impl Members<'_, '_> {
    /// A member that must be there.
    pub(super) fn needed<T, F: Form<T>>(&mut self, name: &'static str) -> Option<T> {
        match self.maybe::<T, F>(name)? {
            Some(value) => Some(value),
            None => self.reader.fault(&At::Member(self.at, name), "This member is required."),
        }
    }

    /// A member that may be there. The outer `None` means a fault was noted.
    pub(super) fn maybe<T, F: Form<T>>(&mut self, name: &'static str) -> Option<Option<T>> {
        match self.pull(name) {
            Some(node) => F::read(node, &At::Member(self.at, name), self.reader).map(Some),
            None => Some(None),
        }
    }

    /// A list that is empty if it is not there.
    pub(super) fn list<T, F: Form<T>>(&mut self, name: &'static str) -> Option<Vec<T>> {
        self.maybe::<Vec<T>, Each<F>>(name).map(Option::unwrap_or_default)
    }

    /// Two members that stand together or not at all.
    pub(super) fn both<P: Pair, A: Form<P::A>, B: Form<P::B>>(
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
        self.reader.fault(&At::Member(self.at, there), format!("Goes with {missing}, which is missing."))
    }

    /// Takes a member out; what is null counts as absent.
    fn pull(&mut self, name: &'static str) -> Option<Node> {
        self.known.push(name);
        let at = self.found.iter().position(|(found, _)| found == name)?;
        let (_, node) = self.found.swap_remove(at);
        (node != Node::Null).then_some(node)
    }

    fn judge_the_rest(self) {
        for (name, _) in &self.found {
            let sentence = if self.known.contains(&name.as_ref()) {
                "This member occurs twice."
            } else {
                "There is no such member here."
            };
            self.reader.faults.note(&At::Member(self.at, name), sentence);
        }
    }
}

/// The members of an object while it is written.
#[derive(Debug, Default)]
pub(super) struct Written(Vec<(Cow<'static, str>, Node)>);

impl Written {
    pub(super) fn needed<T, F: Form<T>>(&mut self, name: &'static str, value: &T) {
        self.0.push((Cow::Borrowed(name), F::write(value)));
    }

    pub(super) fn maybe<T, F: Form<T>>(&mut self, name: &'static str, value: &Option<T>) {
        if let Some(value) = value {
            self.needed::<T, F>(name, value);
        }
    }

    pub(super) fn list<T, F: Form<T>>(&mut self, name: &'static str, value: &Vec<T>) {
        if !value.is_empty() {
            self.needed::<Vec<T>, Each<F>>(name, value);
        }
    }

    pub(super) fn both<P: Pair, A: Form<P::A>, B: Form<P::B>>(
        &mut self,
        first: &'static str,
        second: &'static str,
        value: &Option<P>,
    ) {
        if let Some((a, b)) = value.as_ref().map(Pair::split) {
            self.needed::<P::A, A>(first, &a);
            self.needed::<P::B, B>(second, &b);
        }
    }
}

/// Declares how records of the bank stand in the file. A field is one of
///
/// ```ignore
/// field: needed(Form, "Member");               // must be there
/// field: maybe(Form, "Member");                // an Option
/// field: list(Form, "Member");                 // a Vec, left out when empty
/// field: both(Form, "One", Form, "Other");     // an Option of a Pair
/// field: flat(Type);                           // an Object whose members stand here
/// field: given(expression);                    // not in the file; may speak of the fields that are
/// ```
/// A generic type says its generics and which of them are part of its schema's name.
macro_rules! objects {
    ($($type:ty as $name:literal $(where [$($generics:tt)+] named [$($inner:ty),+])? { $($field:ident: $need:ident $args:tt;)* })*) => {$(
        impl $(<$($generics)+>)? $crate::data_file::shape::Object for $type {
            fn name() -> String {
                [$name $($(, <$inner as $crate::data_file::shape::Named>::NAME)+)?].concat()
            }

            fn describe(list: &mut $crate::data_file::shape::MemberList<'_>) {
                $($crate::data_file::shape::objects!(@describe list, $need $args);)*
            }

            fn take(members: &mut $crate::data_file::shape::Members<'_, '_>) -> Option<Self> {
                $($crate::data_file::shape::objects!(@take members, $field, $need $args);)*
                // Only now may a faulty member end it: all have been judged.
                $($crate::data_file::shape::objects!(@judge $field, $need);)*
                Some(Self { $($field: $crate::data_file::shape::objects!(@place $field, $need $args),)* })
            }

            fn put(&self, object: &mut $crate::data_file::shape::Written) {
                $($crate::data_file::shape::objects!(@put object, &self.$field, $need $args);)*
            }
        }
    )*};

    (@describe $list:ident, both($a:ty, $first:literal, $b:ty, $second:literal)) => { $list.both::<$a, $b>($first, $second) };
    (@describe $list:ident, flat($type:ty)) => { <$type as $crate::data_file::shape::Object>::describe($list) };
    (@describe $list:ident, given($value:expr)) => {};
    (@describe $list:ident, $need:ident($form:ty, $name:literal)) => { $list.$need::<$form>($name) };

    (@take $members:ident, $field:ident, both($a:ty, $first:literal, $b:ty, $second:literal)) => {
        let $field = $members.both::<_, $a, $b>($first, $second);
    };
    (@take $members:ident, $field:ident, flat($type:ty)) => {
        let $field = <$type as $crate::data_file::shape::Object>::take($members);
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
        <$type as $crate::data_file::shape::Object>::put($value, $object)
    };
    (@put $object:ident, $value:expr, given($given:expr)) => {};
    (@put $object:ident, $value:expr, $need:ident($form:ty, $name:literal)) => {
        $object.$need::<_, $form>($name, $value)
    };
}
pub(super) use objects;
