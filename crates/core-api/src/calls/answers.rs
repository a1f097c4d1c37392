//! The forms of answers: an object with a list, an object with at most one record, a page of records, or a file.

use super::message::{bytes_of, read_object};
use crate::form::faults::FormFault;
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, HasSchema, MemberList};
use crate::form::shape::{FieldForm, FormOf, MemberReader, MemberWriter, ObjectForm, ObjectOf};
use jiff::Timestamp;
use lombard_domain::page::{Page, Position};
use lombard_ports::bank::ListAnswer;
use std::marker::PhantomData;

/// The form of a method's answer.
pub trait AnswerForm {
    /// The type of the answer.
    type Value: Send;
    /// The JSON schema of the answer; `None` if the answer is a file.
    fn schema(definitions: &mut Definitions) -> Option<JsonNode<'static>>;
    /// Serialises the answer.
    fn write(value: &Self::Value) -> AnswerBody;
    /// Parses the body of an answer; `body` is `None` for an answer without a body.
    ///
    /// # Errors
    /// All faults of the body, each with its path.
    fn read(body: Option<&[u8]>) -> Result<Self::Value, Vec<FormFault>>;
}

/// The body of an answer.
#[derive(Debug, PartialEq, Eq)]
pub enum AnswerBody {
    /// A JSON object.
    Json(Vec<u8>),
    /// A file.
    File(Vec<u8>),
    /// No body, because the requested file does not exist.
    Nothing,
}

/// An answer that is a JSON object of a form.
#[derive(Debug)]
pub struct Answer<F>(PhantomData<F>);

impl<F: ObjectForm<Value: Send>> AnswerForm for Answer<F> {
    type Value = F::Value;

    fn schema(definitions: &mut Definitions) -> Option<JsonNode<'static>> {
        Some(ObjectOf::<F>::schema(definitions))
    }

    fn write(value: &F::Value) -> AnswerBody {
        AnswerBody::Json(bytes_of(&ObjectOf::<F>::write(value)))
    }

    fn read(body: Option<&[u8]>) -> Result<F::Value, Vec<FormFault>> {
        read_object::<ObjectOf<F>, _>(body.unwrap_or_default())
    }
}

/// An answer that is a file, or no file.
#[derive(Debug)]
pub struct FileAnswer;

impl AnswerForm for FileAnswer {
    type Value = Option<Vec<u8>>;

    fn schema(_: &mut Definitions) -> Option<JsonNode<'static>> {
        None
    }

    fn write(value: &Option<Vec<u8>>) -> AnswerBody {
        value.clone().map_or(AnswerBody::Nothing, AnswerBody::File)
    }

    fn read(body: Option<&[u8]>) -> Result<Option<Vec<u8>>, Vec<FormFault>> {
        Ok(body.map(<[u8]>::to_vec))
    }
}

/// A kind of record in an answer.
pub trait RecordKind {
    /// The record.
    type Record: Send;
    /// The form of one record.
    type Form: FieldForm<Self::Record>;
    /// The name of the member that holds the record or the records.
    const MEMBER: &'static str;
    /// A description of the records, as it appears in the document.
    const ABOUT: &'static str;
}

/// An answer with a list of records, each of which appears once.
#[derive(Debug)]
pub struct RecordList<K>(PhantomData<K>);

impl<K: RecordKind> ObjectForm for RecordList<K> {
    type Value = Vec<K::Record>;

    fn name() -> String {
        [K::MEMBER, "List"].concat()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.list::<K::Form>(K::MEMBER, K::ABOUT);
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Vec<K::Record>> {
        members.list::<K::Record, K::Form>(K::MEMBER)
    }

    fn write_members(value: &Vec<K::Record>, object: &mut MemberWriter) {
        object.list::<K::Record, K::Form>(K::MEMBER, value);
    }
}

/// An answer with one record, or without a record.
#[derive(Debug)]
pub struct OptionalRecord<K>(PhantomData<K>);

impl<K: RecordKind> ObjectForm for OptionalRecord<K> {
    type Value = Option<K::Record>;

    fn name() -> String {
        [K::MEMBER, "OrNone"].concat()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.optional::<K::Form>(K::MEMBER, K::ABOUT);
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Option<K::Record>> {
        members.optional::<K::Record, K::Form>(K::MEMBER)
    }

    fn write_members(value: &Option<K::Record>, object: &mut MemberWriter) {
        object.optional::<K::Record, K::Form>(K::MEMBER, value);
    }
}

/// An answer with exactly one record.
#[derive(Debug)]
pub struct SingleRecord<K>(PhantomData<K>);

impl<K: RecordKind> ObjectForm for SingleRecord<K> {
    type Value = K::Record;

    fn name() -> String {
        [K::MEMBER, "Answer"].concat()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.required::<K::Form>(K::MEMBER, K::ABOUT);
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<K::Record> {
        members.required::<K::Record, K::Form>(K::MEMBER)
    }

    fn write_members(value: &K::Record, object: &mut MemberWriter) {
        object.required::<K::Record, K::Form>(K::MEMBER, value);
    }
}

/// An answer without data; it confirms that the call had its effect.
#[derive(Debug)]
pub struct EmptyAnswer;

impl ObjectForm for EmptyAnswer {
    type Value = ();

    const ABOUT: &'static str = "An empty object: the call had its effect.";

    fn name() -> String {
        "Done".to_owned()
    }

    fn describe(_: &mut MemberList<'_>) {}

    fn parse_members(_: &mut MemberReader<'_, '_>) -> Option<()> {
        Some(())
    }

    fn write_members((): &(), _: &mut MemberWriter) {}
}

/// An answer with a page of records.
#[derive(Debug)]
pub struct PageOf<K>(PhantomData<K>);

impl<K: RecordKind> ObjectForm for PageOf<K> {
    type Value = ListAnswer<K::Record>;

    fn name() -> String {
        [K::MEMBER, "Page"].concat()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.list::<K::Form>(K::MEMBER, K::ABOUT);
        let about = "The position of the first record of the page, if records lie before it.";
        list.optional::<FormOf<Position>>("Previous", about);
        let about = "The position of the last record of the page, if records lie after it.";
        list.optional::<FormOf<Position>>("Next", about);
        let about = "The number of the list's state: with it in a request, later records are left out. 0 if the core keeps none.";
        list.required::<FormOf<i64>>("AsOf", about);
        let about =
            "The first and the last time of a record, whatever period was asked for. Entries and statements only.";
        list.both::<FormOf<Timestamp>, FormOf<Timestamp>>("FirstAvailableDateTime", "LastAvailableDateTime", about);
        let about = "Whether at least one of the accounts is accessible to third parties.";
        list.required::<FormOf<bool>>("Open", about);
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<ListAnswer<K::Record>> {
        let items = members.list::<K::Record, K::Form>(K::MEMBER);
        let prev = members.optional::<Position, FormOf<Position>>("Previous");
        let next = members.optional::<Position, FormOf<Position>>("Next");
        let as_of = members.required::<i64, FormOf<i64>>("AsOf");
        let available = members.both::<(Timestamp, Timestamp), FormOf<Timestamp>, FormOf<Timestamp>>(
            "FirstAvailableDateTime",
            "LastAvailableDateTime",
        );
        let open = members.required::<bool, FormOf<bool>>("Open");
        let page = Page { items: items?, prev: prev?, next: next?, as_of: as_of? };
        Some(ListAnswer { page, available: available?, ..ListAnswer::empty(open?) })
    }

    fn write_members(value: &ListAnswer<K::Record>, object: &mut MemberWriter) {
        object.list::<K::Record, K::Form>(K::MEMBER, &value.page.items);
        object.optional::<_, FormOf<Position>>("Previous", &value.page.prev);
        object.optional::<_, FormOf<Position>>("Next", &value.page.next);
        object.required::<_, FormOf<i64>>("AsOf", &value.page.as_of);
        object.both::<(Timestamp, Timestamp), FormOf<Timestamp>, FormOf<Timestamp>>(
            "FirstAvailableDateTime",
            "LastAvailableDateTime",
            &value.available,
        );
        object.required::<_, FormOf<bool>>("Open", &value.has_open_account);
    }
}
