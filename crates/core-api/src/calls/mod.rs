//! The messages of the core API: the context of a call, and the arguments and the answer of each method.

mod accounts;
mod answers;
mod call;
mod changes;
mod context;
mod customers;
mod filters;
mod message;
mod payments;
mod push;
mod table;

pub use accounts::*;
pub use answers::{Answer, AnswerBody, AnswerForm, FileAnswer};
pub use call::{CoreCall, Effect, Method, read_answer, read_request, write_answer, write_request};
pub use changes::*;
pub use customers::*;
pub use message::{read_message, write_message};
pub use payments::*;
pub use push::{AppliedUpdates, PUSH_LIFETIME_SECS_MAX, PUSH_PATH, PUSH_TYPE, PushedUpdates};

/// All methods, in the order of the OpenAPI document.
pub fn methods() -> impl Iterator<Item = &'static Method> {
    accounts::ROWS.iter().chain(payments::ROWS).chain(changes::ROWS).chain(customers::ROWS).copied()
}
