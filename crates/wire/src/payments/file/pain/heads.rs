//! The ids of a message and its batches, which the status report on the message has to repeat. Source: FILE-022.

use super::xml::{XmlError, XmlEvent, XmlReader};
use crate::payments::file::limits::{FileLimits, LimitedInput};
use std::io::BufRead;

/// The original message of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OriginalMessage {
    /// Its message id.
    pub message: String,
    /// Its batches, in order.
    pub batches: Vec<OriginalBatch>,
}

/// A batch of the original message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OriginalBatch {
    /// Its payment information id.
    pub id: String,
    /// The number of its payments.
    pub count: u32,
}

/// Reads the ids from a message that was parsed and found valid before.
pub(super) fn read<R: BufRead>(input: LimitedInput<'_, R>, limits: &FileLimits) -> Result<OriginalMessage, XmlError> {
    let mut xml = XmlReader::new(input, limits.depth_max);
    let mut original = OriginalMessage::default();
    let mut open: Vec<String> = Vec::new();
    loop {
        match xml.next()? {
            XmlEvent::Open(tag) => {
                xml.line_begins();
                open.push(tag.name);
                match inside(&open).as_slice() {
                    ["PmtInf"] => original.batches.push(OriginalBatch::default()),
                    ["PmtInf", "CdtTrfTxInf"] => {
                        if let Some(batch) = original.batches.last_mut() {
                            batch.count = batch.count.saturating_add(1);
                        }
                    }
                    _ => {}
                }
            }
            XmlEvent::Text(text) => match (inside(&open).as_slice(), original.batches.last_mut()) {
                (["GrpHdr", "MsgId"], _) => original.message.push_str(&text),
                (["PmtInf", "PmtInfId"], Some(batch)) => batch.id.push_str(&text),
                _ => {}
            },
            XmlEvent::Close => {
                open.pop();
            }
            XmlEvent::End => return Ok(original),
        }
    }
}

/// The path of open elements within the message.
fn inside(open: &[String]) -> Vec<&str> {
    open.iter().skip(2).map(String::as_str).collect()
}
