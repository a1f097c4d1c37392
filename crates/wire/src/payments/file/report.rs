//! The status of a file's payments in pieces: as payment details, and as a report in the format of the file. Source:
//! FILE-022, PIS-090 to PIS-095.

mod status;
mod xml;

pub use super::pain::{OriginalBatch, OriginalMessage};
pub use xml::{ReportedPayment, StatusCounts, StatusReport};

use super::limits::InputLimits;
use super::{FileLimits, FileParseError, pain};
use crate::payments::forms::PaymentForms;
use crate::payments::response::WirePaymentStatus;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::payment::order::{DetailsView, PaymentDetailsEntry};
use std::convert::Infallible;
use std::io::BufRead;

/// The bytes before and after a list that is written in pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFrame {
    /// The bytes before it.
    pub head: Vec<u8>,
    /// The bytes after it.
    pub tail: Vec<u8>,
}

impl ReportFrame {
    /// The frame of the payment details. Source: PIS-090.
    ///
    /// # Errors
    /// [`RenderError`].
    pub fn details<V: Render<DetailsView>>(envelope: &ResponseEnvelope) -> Result<Self, RenderError> {
        const EMPTY: &[u8] = b"[]";
        let mut head = V::render(&DetailsView { payments: Vec::new() }, envelope)?;
        // The list is the first member of the body.
        let list = head.windows(EMPTY.len()).position(|it| it == EMPTY).unwrap_or_default();
        let tail = head.split_off(list.saturating_add(1));
        Ok(Self { head, tail })
    }

    /// The frame of the report on a JSON file: a list of payment details. Source: FILE-022.
    pub fn report() -> Self {
        Self { head: b"[".to_vec(), tail: b"]".to_vec() }
    }
}

/// Serialises one or more entries of such a list in a version; `is_first` states whether they begin the list.
///
/// # Errors
/// [`RenderError`].
pub(crate) fn write_entries<V: PaymentForms>(
    payments: impl Iterator<Item = PaymentDetailsEntry>,
    is_first: bool,
) -> Result<Vec<u8>, RenderError> {
    let mut written = Vec::new();
    for payment in payments {
        if !(is_first && written.is_empty()) {
            written.push(b',');
        }
        serde_json::to_writer(&mut written, &WirePaymentStatus::of::<V>(&payment)).map_err(RenderError)?;
    }
    Ok(written)
}

/// Reads the ids of a message `pain.001.001.08` and its batches. The message was parsed before.
///
/// # Errors
/// [`FileParseError`].
pub fn read_original(input: impl BufRead, limits: &FileLimits) -> Result<OriginalMessage, FileParseError<Infallible>> {
    let meter = InputLimits::new(limits);
    pain::names(meter.measure(input), limits)
}

#[cfg(test)]
mod tests;
