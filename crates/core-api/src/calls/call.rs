//! A method of the core API: its row in the table of methods, and its request and answer.

use super::answers::{AnswerBody, AnswerForm};
use super::message::{bytes_of, read_object};
use crate::form::faults::FormFault;
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, HasSchema, MemberList};
use crate::form::shape::{FormOf, MemberReader, MemberWriter, ObjectForm, ObjectOf};
use lombard_ports::bank::CallContext;
use std::marker::PhantomData;
use std::time::Duration;

/// The effect of a call, which determines whether a client may repeat the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The call changes nothing. A client repeats the call if an answer is lost.
    Reads,
    /// The call has its effect once, identified by the ids that it names. A repetition has no further effect and gets the answer of the
    /// first call. A client repeats the call until it is answered.
    Idempotent,
}

impl Effect {
    /// Whether a client may send a call again if it does not know whether the call was answered.
    pub const fn may_be_repeated(self) -> bool {
        match self {
            Self::Reads | Self::Idempotent => true,
        }
    }
}

/// A row of the table of methods. The OpenAPI document, the server and the client are derived from the table.
#[derive(Debug)]
pub struct Method {
    /// The method's name, which is the last segment of its path.
    pub name: &'static str,
    /// The method of the port that answers the call.
    pub port: &'static str,
    /// A description of the method.
    pub about: &'static str,
    /// The effect of a call.
    pub effect: Effect,
    /// How long a client waits for the answer, unless its settings scale it.
    pub deadline: Duration,
    /// The order of the answer's elements, or the order in which the method must be called, in words.
    pub order: &'static str,
    /// Builds the schema of the request.
    pub request: fn(&mut Definitions) -> JsonNode<'static>,
    /// Builds the schema of the answer; `None` if the answer is a file.
    pub answer: fn(&mut Definitions) -> Option<JsonNode<'static>>,
}

/// A method with the types of its messages. The type itself holds the arguments.
pub trait CoreCall: ObjectForm<Value = Self> + Sized + Send + Sync + 'static {
    /// The method's row in the table.
    const METHOD: &'static Method;
    /// The form of the method's answer.
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

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<(CallContext, C)> {
        let context = members.optional::<CallContext, FormOf<CallContext>>("Context");
        let arguments = C::parse_members(members);
        Some((context?.unwrap_or_default(), arguments?))
    }

    fn write_members(value: &(CallContext, C), object: &mut MemberWriter) {
        put(&value.0, &value.1, object);
    }
}

fn put<C: CoreCall>(context: &CallContext, arguments: &C, object: &mut MemberWriter) {
    if *context != CallContext::default() {
        object.required::<_, FormOf<CallContext>>("Context", context);
    }
    C::write_members(arguments, object);
}

/// The schema of a method's requests.
pub(super) fn request_schema<C: CoreCall>(definitions: &mut Definitions) -> JsonNode<'static> {
    ObjectOf::<Request<C>>::schema(definitions)
}

/// Serialises a request.
pub fn write_request<C: CoreCall>(context: &CallContext, arguments: &C) -> Vec<u8> {
    let mut object = MemberWriter::default();
    put(context, arguments, &mut object);
    bytes_of(&object.into_node())
}

/// Parses the body of a request.
///
/// # Errors
/// All faults of the body, each with its path.
pub fn read_request<C: CoreCall>(body: &[u8]) -> Result<(CallContext, C), Vec<FormFault>> {
    read_object::<ObjectOf<Request<C>>, _>(body)
}

/// Serialises an answer.
pub fn write_answer<C: CoreCall>(answer: &<C::Answer as AnswerForm>::Value) -> AnswerBody {
    C::Answer::write(answer)
}

/// Parses an answer; `body` is `None` for an answer without a body.
///
/// # Errors
/// All faults of the body, each with its path.
pub fn read_answer<C: CoreCall>(body: Option<&[u8]>) -> Result<<C::Answer as AnswerForm>::Value, Vec<FormFault>> {
    C::Answer::read(body)
}
