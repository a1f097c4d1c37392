//! A method of the core API: its row in the table, and its messages.

use super::answers::{AnswerBody, AnswerForm};
use super::message::{bytes_of, read_object};
use crate::form::faults::FormFault;
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, HasSchema, MemberList};
use crate::form::shape::{FormOf, MemberReader, MemberWriter, ObjectForm, ObjectOf};
use lombard_ports::bank::CallContext;
use std::marker::PhantomData;
use std::time::Duration;

/// What a call does, and so whether it may be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It changes nothing. A client repeats it whenever an answer is lost.
    Reads,
    /// It has its effect once, by the ids that it names; a repetition has no further effect and is answered like the first call. A
    /// client repeats it until it is answered.
    Once,
}

impl Effect {
    /// Whether a client may send a call again when it does not know whether it was answered.
    pub const fn may_be_repeated(self) -> bool {
        match self {
            Self::Reads | Self::Once => true,
        }
    }
}

/// A row of the table of methods. The document, the server and the client are made from it.
#[derive(Debug)]
pub struct Method {
    /// The last segment of its path.
    pub name: &'static str,
    /// The method of the port.
    pub port: &'static str,
    /// What it does, in words.
    pub about: &'static str,
    /// What a call does.
    pub effect: Effect,
    /// How long a client waits for the answer, unless its settings scale it.
    pub deadline: Duration,
    /// In what order it answers or must be called.
    pub order: &'static str,
    /// The schema of its request.
    pub request: fn(&mut Definitions) -> JsonNode<'static>,
    /// The schema of its answer; `None` for an answer of bytes.
    pub answer: fn(&mut Definitions) -> Option<JsonNode<'static>>,
}

/// A method with the types of its messages. The type itself holds the arguments.
pub trait CoreCall: ObjectForm<Value = Self> + Sized + Send + Sync + 'static {
    /// Its row.
    const METHOD: &'static Method;
    /// The form of its answer.
    type Answer: AnswerForm;
}

/// A request: the context of the call, and the arguments.
pub(super) struct Request<C>(PhantomData<C>);

impl<C: CoreCall> ObjectForm for Request<C> {
    type Value = (CallContext, C);

    const ABOUT: &'static str = C::ABOUT;

    fn name() -> String {
        C::name()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.optional::<FormOf<CallContext>>(
            "Context",
            "What the call is made for. A core may use it; no answer depends on it.",
        );
        C::describe(list);
    }

    fn take(members: &mut MemberReader<'_, '_>) -> Option<(CallContext, C)> {
        let context = members.optional::<CallContext, FormOf<CallContext>>("Context");
        let arguments = C::take(members);
        Some((context?.unwrap_or_default(), arguments?))
    }

    fn put(value: &(CallContext, C), object: &mut MemberWriter) {
        put(&value.0, &value.1, object);
    }
}

fn put<C: CoreCall>(context: &CallContext, arguments: &C, object: &mut MemberWriter) {
    if *context != CallContext::default() {
        object.required::<_, FormOf<CallContext>>("Context", context);
    }
    C::put(arguments, object);
}

/// The schema of a method's requests.
pub(super) fn request_schema<C: CoreCall>(definitions: &mut Definitions) -> JsonNode<'static> {
    ObjectOf::<Request<C>>::schema(definitions)
}

/// The body of a request.
pub fn write_request<C: CoreCall>(context: &CallContext, arguments: &C) -> Vec<u8> {
    let mut object = MemberWriter::default();
    put(context, arguments, &mut object);
    bytes_of(&object.into_node())
}

/// Parses the body of a request.
///
/// # Errors
/// Every fault, with its path.
pub fn read_request<C: CoreCall>(body: &[u8]) -> Result<(CallContext, C), Vec<FormFault>> {
    read_object::<ObjectOf<Request<C>>, _>(body)
}

/// The body of an answer.
pub fn write_answer<C: CoreCall>(answer: &<C::Answer as AnswerForm>::Value) -> AnswerBody {
    C::Answer::write(answer)
}

/// Parses the body of an answer; `None` for an answer without a body.
///
/// # Errors
/// Every fault, with its path.
pub fn read_answer<C: CoreCall>(body: Option<&[u8]>) -> Result<<C::Answer as AnswerForm>::Value, Vec<FormFault>> {
    C::Answer::read(body)
}
