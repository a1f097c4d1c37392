//! The rule that each outer parameter can be read, occurs once, and is not too long.

use super::faults::invalid;
use super::request::{RawRequest, UnverifiedRequestError};
use crate::form::Form;

/// The most bytes of an encoded request; checked before anything is parsed. Source: AS-066.
const ENCODED_BYTES_MAX: usize = 16 * 1024;

/// Parses the parameters of a request.
///
/// Source: AS-066.
pub(super) fn read(raw: &RawRequest) -> Result<Form, UnverifiedRequestError> {
    if raw.encoded.len() > ENCODED_BYTES_MAX {
        let error = invalid("The request is longer than 16384 bytes.");
        return Err(UnverifiedRequestError { rule: "AS-066", error, too_long: true });
    }
    Form::parse(raw.encoded.as_bytes()).map_err(|error| UnverifiedRequestError::new("AS-066", error))
}
