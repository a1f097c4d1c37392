//! The upload of a file: it is accepted when it is complete, matches its announcement and can be parsed to its end.
//! Source: FILE-009 to FILE-016.

use super::lines::{self, LineReadError, LineReader, StoredLines};
use super::storage::UploadWriter;
use crate::consents::{reject_consent_in, require_owned, store_consent};
use crate::payments::{IdempotentRequest, consents};
use crate::workers::{is_permanent, quarantine_work};
use crate::{Context, Failure};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::consent::{Consent, ConsentStatusReason};
use lombard_domain::grant::Digest;
use lombard_domain::ids::{ClientId, ConsentId, UploadId};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::file::{FileInitiation, FileType, UploadedFile};
use lombard_domain::refusal::{Fault, Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::store::{FailedWork, Owned, ServerTransaction, StoreError, WorkKind};

/// The age from which an upload that no consent has counts as abandoned (wall clock); it is far longer than an upload takes.
const ABANDONED: SignedDuration = SignedDuration::from_hours(2);

/// The largest number of abandoned uploads that are removed at a time.
const SWEPT: u32 = 20;

/// The largest number of uploads that are marked as used at a time.
const NOTED: u32 = 500;

/// A consent for which a file is uploaded. If the consent already has its file, only a repetition of the same request is
/// accepted.
#[derive(Debug)]
pub struct UploadConsent {
    consent: Consent,
    terms: FileInitiation,
}

/// Finds the consent for which a file is uploaded, for the TPP that created it. Source: PIS-007, PIS-008.
///
/// # Errors
/// [`Failure::Refused`]: not found, or another TPP's; otherwise storage's failure.
pub async fn find_upload_consent(
    context: &Context,
    client: &ClientId,
    id: &ConsentId,
    through: Version,
) -> Result<UploadConsent, Failure> {
    let consent = consents::read_payment_consent(context, client, PaymentProduct::FilePayment, id, through).await?;
    let terms = consent.request.payment().and_then(|payment| payment.terms.instruction.file()).cloned();
    let terms = terms.ok_or_else(|| Failure::Broken("a consent to a file that is not about one".into()))?;
    Ok(UploadConsent { consent, terms })
}

impl UploadConsent {
    /// The announced format of the file.
    pub const fn kind(&self) -> FileType {
        self.terms.kind
    }

    /// Begins the upload of a file of at most this many bytes. If the consent does not await a file, nothing is stored, because
    /// only a repeated request can succeed.
    ///
    /// # Errors
    /// [`Failure::Refused`] if the client's quota of files is used up (RW-112); otherwise storage's failure.
    pub async fn begin_upload(self, context: &Context, bytes_max: u64) -> Result<FileUpload, Failure> {
        let Self { consent, terms } = self;
        let keeping = match consent.may_attach_file() {
            Ok(()) => Some(UploadWriter::begin(context, &consent.client, &consent.id, bytes_max).await?),
            Err(_) => None,
        };
        let to = UploadTarget { context: context.clone(), client: consent.client, consent: consent.id, terms };
        Ok(FileUpload { to, writer: keeping })
    }
}

/// A completely received file, signed by its sender.
#[derive(Debug)]
pub struct ReceivedFile {
    /// The key and digest by which a repetition of the request is recognised.
    pub idempotent_request: IdempotentRequest,
    /// The SHA-256 of exactly the received bytes. Source: FILE-005.
    pub digest: Digest,
    /// The number of received bytes.
    pub bytes: u64,
    /// The media type as sent.
    pub media_type: String,
}

/// The client of a file, its consent and its announcement.
#[derive(Debug)]
struct UploadTarget {
    context: Context,
    client: ClientId,
    consent: ConsentId,
    terms: FileInitiation,
}

/// An upload in progress. An upload that is not finished is removed.
#[derive(Debug)]
pub struct FileUpload {
    to: UploadTarget,
    writer: Option<UploadWriter>,
}

impl FileUpload {
    /// Receives more bytes of the file.
    ///
    /// # Errors
    /// Storage's failure.
    pub async fn append_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match &mut self.writer {
            Some(keeping) => keeping.keep(bytes).await,
            None => Ok(()),
        }
    }

    /// Discards the upload.
    pub async fn discard_upload(self) {
        if let Some(keeping) = self.writer {
            keeping.forget().await;
        }
    }

    /// Finishes the upload: compares the file with its announcement, parses it, and attaches it to the consent. A repeated
    /// request has no effect. Source: FILE-009, FILE-010, FILE-012 to FILE-016.
    ///
    /// # Errors
    /// [`Failure::Refused`]: the hash differs from the announced one, and the announced file can still be sent (FILE-011); the
    /// content contradicts the announcement, and the consent is rejected; or the consent does not await a file. Otherwise
    /// storage's failure.
    pub async fn finish_upload(self, sent: ReceivedFile, read: LineReader) -> Result<(), Failure> {
        let Self { to, writer: keeping } = self;
        let Some(mut keeping) = keeping else {
            return to.attach_to_consent(None, sent.idempotent_request).await.map(drop);
        };
        let taken = to.judge(&mut keeping, sent, read).await;
        match taken {
            Ok(true) => keeping.mark_attached(),
            Ok(false) | Err(_) => keeping.forget().await,
        }
        taken.map(drop)
    }
}

impl UploadTarget {
    /// Checks the file and attaches it. Returns whether this upload is now the consent's file.
    async fn judge(&self, keeping: &mut UploadWriter, sent: ReceivedFile, read: LineReader) -> Result<bool, Failure> {
        keeping.flush().await?;
        if let Some(fault) = self.terms.hash_fault(&sent.digest) {
            return Err(Refusal::invalid(vec![fault.into()]).into());
        }
        let read = lines::read(&self.context, &self.client, keeping, sent.bytes, &self.terms, read);
        let StoredLines { totals, bytes: stored } = match read.await {
            Ok(lines) => lines,
            Err(LineReadError::Refused(faults)) => {
                return self.reject(faults, ConsentStatusReason::FileInvalid).await;
            }
            Err(LineReadError::Failed(failure)) => return Err(failure),
        };
        let faults = self.terms.faults(&totals);
        if let Some(first) = faults.first() {
            let reason = first.status_reason();
            return self.reject(faults.into_iter().map(Fault::from).collect(), reason).await;
        }
        let ReceivedFile { idempotent_request, bytes, media_type, .. } = sent;
        let file = UploadedFile { id: keeping.id().clone(), media_type, bytes, totals };
        self.attach_to_consent(Some((file, stored)), idempotent_request).await
    }

    /// Attaches the file to the consent, with the bytes of storage that it uses; `false` if an earlier request with the same key
    /// did this. Source: FILE-009, FILE-010, PIS-064.
    async fn attach_to_consent(
        &self,
        file: Option<(UploadedFile, u64)>,
        idempotent_request: IdempotentRequest,
    ) -> Result<bool, Failure> {
        let (client, id) = (self.client.clone(), self.consent.clone());
        let inside = self.context.clone();
        let (clocks, settings) = (self.context.clocks.clone(), self.context.payments.clone());
        let take = move |tx: &mut dyn ServerTransaction| {
            let now = clocks.read_bank_time(tx)?;
            if idempotent_request.claim_key(tx, &settings, now, id.as_str())?.is_some() {
                return Ok(false);
            }
            let mut consent = require_owned(tx.consent_for_update(&client, &id)?)?;
            let Some((file, stored)) = &file else { return Err(Refusal::from_kind(RefusalKind::ConsentState).into()) };
            let before = consent.clone();
            consent.attach_file(file.clone(), now)?;
            store_consent(tx, &inside, &before, &consent)?;
            tx.upload_attach(&file.id, *stored)?;
            Ok::<_, Failure>(true)
        };
        self.context.store.write(take).await
    }

    /// Rejects the consent: the hash is that of the announced file, but the content contradicts the announcement, so no other
    /// file can be sent.
    ///
    /// # Errors
    /// Always returns these faults, after the consent is rejected. Source: FILE-012, FILE-014.
    async fn reject(&self, faults: Vec<Fault>, reason: ConsentStatusReason) -> Result<bool, Failure> {
        let (client, id, inside) = (self.client.clone(), self.consent.clone(), self.context.clone());
        let reject = move |tx: &mut dyn ServerTransaction| {
            let consent = require_owned(tx.consent_for_update(&client, &id)?)?;
            consent.may_attach_file()?;
            reject_consent_in(tx, &inside, &consent, Some(reason))?;
            Ok::<_, Failure>(())
        };
        self.context.store.write(reject).await?;
        Err(Refusal::invalid(faults).into())
    }
}

/// Removes a batch of uploads that no consent uses and no request is writing. Returns the number that were removed or
/// quarantined; zero means that none is left.
///
/// # Errors
/// [`StoreError`]; the next activation finds the same uploads.
pub async fn remove_abandoned_uploads(context: &Context) -> Result<u64, StoreError> {
    let before = context.clocks.wall_now().saturating_sub(ABANDONED).unwrap_or(Timestamp::MIN);
    let found = context.store.read(move |tx| tx.uploads_abandoned(before, SWEPT)).await?;
    let (mut done, mut failed) = (0_usize, Vec::new());
    for id in found {
        match remove_whole(context, &id).await {
            Ok(()) => done = done.saturating_add(1),
            Err(failure) if is_permanent(&failure) => {
                failed.push(FailedWork::new(WorkKind::Upload, id.as_str(), &failure));
            }
            Err(failure) => {
                tracing::warn!(error = &failure as &dyn std::error::Error, "an upload was not removed");
                metrics::counter!("lombard_payment_upkeep_failures_total").increment(1);
            }
        }
    }
    let done = done.saturating_add(quarantine_work(&context.store, &context.clocks, failed).await?);
    Ok(u64::try_from(done).unwrap_or(u64::MAX))
}

/// Removes an upload that no consent has, a part of it in each transaction.
async fn remove_whole(context: &Context, id: &UploadId) -> Result<(), Failure> {
    loop {
        let upload = id.clone();
        if context.store.write(move |tx| Ok::<_, Failure>(tx.upload_remove(&upload)?)).await? {
            return Ok(());
        }
    }
}

/// Removes the files of consents that ended without an order, some time after the end. Files of consumed consents are kept
/// (FILE-020). A file that cannot be removed does not delay others. Returns the number of removed files.
///
/// # Errors
/// [`StoreError`] if the files cannot be queried; the next activation finds the same files.
pub async fn remove_unused_files(context: &Context) -> Result<u64, StoreError> {
    while context.store.write(|tx| tx.uploads_mark_consumed(NOTED)).await? > 0 {}
    let (clocks, kept_for) = (context.clocks.clone(), context.payments.unused_files_after);
    let look = move |tx: &mut dyn ServerTransaction| {
        Ok(clocks.read_bank_time(tx)?.saturating_sub(kept_for).unwrap_or(Timestamp::MIN))
    };
    let ended_before = context.store.read::<_, StoreError, _>(look).await?;
    let (mut removed, mut after) = (0_u64, UploadId::new(String::new()));
    loop {
        let last = after.clone();
        let found = context.store.read(move |tx| tx.uploads_ended(ended_before, &last, SWEPT)).await?;
        let Some((last, _)) = found.last() else { return Ok(removed) };
        after = last.clone();
        for (upload, consent) in found {
            let inside = context.clone();
            let remove =
                move |tx: &mut dyn ServerTransaction| remove_if_unused(tx, &inside, &upload, &consent, ended_before);
            match context.store.write(remove).await {
                Ok(done) => removed = removed.saturating_add(u64::from(done)),
                Err(error) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the file of an ended consent was not removed"
                    );
                }
            }
        }
    }
}

/// Removes the file if its consent, read again and locked, has ended unused. Returns whether the file was removed.
fn remove_if_unused(
    tx: &mut dyn ServerTransaction,
    context: &Context,
    upload: &UploadId,
    consent: &ConsentId,
    ended_before: Timestamp,
) -> Result<bool, StoreError> {
    let Some(found) = tx.consent_any_owner(consent)? else { return Ok(false) };
    let mut consent = match tx.consent_for_update(&found.client, consent)? {
        Owned::Mine(consent) => consent,
        // A deleted consent is invisible to its TPP.
        Owned::Foreign | Owned::Absent => found,
    };
    if !consent.ended_unused_by(ended_before) {
        return Ok(false);
    }
    let before = consent.clone();
    consent.detach_file();
    store_consent(tx, context, &before, &consent)?;
    tx.upload_remove_attached(upload)?;
    Ok(true)
}
