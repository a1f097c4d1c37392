//! The body of an error.

use crate::calls::read_message;
use crate::form::faults::FormFault;
use crate::form::shape::FormOf;
use crate::form::values::BoundedText;
use crate::form::words::words;
use crate::objects;

/// The kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// The request cannot be parsed; status 400.
    Invalid,
    /// No method has this name; status 404.
    UnknownMethod,
    /// The body is larger than the core accepts; status 413.
    TooLarge,
    /// A push is refused: it is not signed by a known key, not addressed to this server, too old, or repeated; status 401.
    Untrusted,
    /// The core cannot answer now; status 503.
    Busy,
    /// The core has an internal error; status 500.
    Failed,
}

words! {
    ErrorCode {
        Invalid = "Invalid" UnknownMethod = "UnknownMethod" TooLarge = "TooLarge"
        Untrusted = "Untrusted" Busy = "Busy" Failed = "Failed"
    }
}

/// The body of an answer whose status is neither 200 nor 204.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorBody {
    /// The kind of the error.
    pub code: ErrorCode,
    /// A description of the error for the caller's log. It contains no data of customers.
    pub message: String,
    /// The faults of the request.
    pub faults: Vec<FormFault>,
}

objects! {
    /// An error.
    ErrorBody as "Error" {
        /// What went wrong.
        code: required(FormOf<ErrorCode>, "Error");
        /// The same in words, for the log of the caller. It holds no customer's data.
        message: required(BoundedText<1000>, "Message");
        /// The faults of the request.
        faults: list(FormOf<FormFault>, "Fault");
    }

    /// A fault of a request.
    FormFault as "Fault" {
        /// The path of the faulty member, as Account[0].Currency; empty for the whole request.
        path: required(BoundedText<500>, "Path");
        /// What is wrong. It never repeats a value of the request.
        message: required(BoundedText<2000>, "Message");
    }
}

impl ErrorBody {
    /// Creates an error body without faults.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), faults: Vec::new() }
    }

    /// Serialises the error body.
    pub fn to_json(&self) -> Vec<u8> {
        crate::calls::write_message(self)
    }

    /// Parses an error body; `None` if the body does not have this form.
    pub fn from_json(body: &[u8]) -> Option<Self> {
        read_message(body).ok()
    }
}
