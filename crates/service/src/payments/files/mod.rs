//! Payment files: uploaded by the TPP, parsed line by line and stored, then paid line by line under one order. Source:
//! section 6.
//!
//! No file is ever held in memory: its bytes are stored in pieces, its payments are parsed from there, stored in batches and
//! submitted to the bank in batches. Reading a file back takes at most a few bytes of memory for each of its lines.

mod lines;
mod outcomes;
mod rejection;
mod status_updates;
mod storage;
mod submission;
mod upload;

pub use crate::context::FileThreads;
pub use lines::{FileReadError, LineReader, LineSinkClosed, read_stored_lines};
pub use outcomes::{FilePaymentStatuses, FinishedFileOrder, read_file_payment_statuses, read_finished_order};
pub use storage::{StoredFile, download_file, reread_file};
pub use upload::{
    FileUpload, ReceivedFile, UploadConsent, find_upload_consent, remove_abandoned_uploads, remove_unused_files,
};

pub(super) use status_updates::apply_file_updates;
pub(super) use submission::{SubmissionProgress, next_batch};

use super::order_call::consent_of;
use crate::Failure;
use lombard_domain::consent::{Consent, PaymentConsent};
use lombard_domain::ids::OrderId;
use lombard_domain::payment::file::{FileInitiation, UploadedFile};
use lombard_domain::payment::order::Order;
use lombard_domain::refusal::{Refusal, RefusalKind};
use lombard_ports::store::ServerTransaction;

/// The announcement and the file of a consent; `None` if the consent has no file.
fn file_of(consent: &Consent) -> Option<(&FileInitiation, &UploadedFile)> {
    let PaymentConsent { terms, file, .. } = consent.request.payment()?;
    Some((terms.instruction.file()?, file.as_ref()?))
}

/// Reads and locks the order.
fn locked(tx: &mut dyn ServerTransaction, id: &OrderId) -> Result<Order, Failure> {
    Ok(tx.order_for_update(id)?.ok_or(Refusal::from_kind(RefusalKind::NotFound))?)
}
