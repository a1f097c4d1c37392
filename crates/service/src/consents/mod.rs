//! Consents: created, read and deleted by the TPP; authorised and rejected by the PSU.
//!
//! The TPP's use-cases take the whole [`Context`] and own their transaction. The PSU's use-cases run inside the
//! transaction of the authorisation journey, so they take the part of storage that they need and a consent that is
//! already locked.

mod admission;
mod alias;
mod changes;
mod reports;
#[cfg(test)]
mod tests;

pub use crate::context::{ConsentQuota, OPEN_CONSENTS_MAX};
pub(crate) use admission::admit_consent;
pub use alias::assign_account_alias;
#[cfg(test)]
pub(crate) use changes::expiry_job;
pub(crate) use changes::{CHANGE_JOB_KIND, EXPIRY_JOB_KIND};
pub use changes::{ConsentReports, store_status_reason};
pub(crate) use changes::{store_consent, store_migrated_consent};
pub use reports::report_consent_changes;

use crate::audit::digest_consent;
use crate::{Context, Failure};
use jiff::Timestamp;
use lombard_domain::account::Account;
use lombard_domain::audit::{AuditAction, AuditRecord};
use lombard_domain::backchannel::BackchannelState;
use lombard_domain::consent::{
    Consent, ConsentDraft, ConsentKind, ConsentStatusReason, NotAuthorisable, PaymentSource, RevokedBy, SelectedAccount,
};
use lombard_domain::core_state::CoreState;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, PsuId};
use lombard_domain::payment::transfer::PaymentConditions;
use lombard_domain::refusal::{Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::store::{ConsentCreation, DirectWriteOutcome, Owned, ServerTransaction, StoreError};

/// Why a consent could not be authorised.
#[derive(Debug, thiserror::Error)]
pub enum AuthoriseError {
    /// The state, expiry or owner of the consent does not allow it; nothing has changed.
    #[error(transparent)]
    NotAuthorisable(#[from] NotAuthorisable),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The accounts with which a PSU authorises a consent.
#[derive(Debug, Clone)]
pub enum AuthorisedSelection {
    /// The accounts to share.
    Accounts(Vec<AuthorisedAccount>),
    /// The account to pay from.
    Payer(Box<PayerSelection>),
    /// The account of a funds-confirmation consent. Source: CBP-008.
    FundsAccount(AuthorisedAccount),
}

/// An account with which a PSU authorises a consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorisedAccount {
    /// The account.
    pub id: BankAccountId,
    /// The state that the core keeps with the account.
    pub core_state: Option<CoreState>,
}

impl From<Account> for AuthorisedAccount {
    fn from(account: Account) -> Self {
        Self { id: account.id, core_state: account.core_state }
    }
}

/// The account from which a payment is made, and the bank's present conditions for the payment.
#[derive(Debug, Clone)]
pub struct PayerSelection {
    /// The account.
    pub account: AuthorisedAccount,
    /// The account as it is shown, with the number of PSUs who must authorise.
    pub source: PaymentSource,
    /// The bank's present conditions.
    pub conditions: PaymentConditions,
}

/// Creates a consent that awaits authorisation. The call is not idempotent: each call creates another consent (AIS-013).
///
/// # Errors
/// [`Failure::Refused`] with every fault of the draft, or when the client's quota is reached; otherwise storage's failure.
pub async fn create_consent(context: &Context, client: &ClientId, draft: ConsentDraft) -> Result<Consent, Failure> {
    let now = context.clocks.bank_now();
    let faults = draft.faults(now);
    if !faults.is_empty() {
        return Err(Refusal::invalid(faults).into());
    }
    admit_consent(context, client).await?;
    let id: ConsentId = context.ids.ordered();
    if let Some(direct) = context.store.direct_writes() {
        let time = context.clocks.known_bank_time();
        let consent = draft.clone().into_consent(id.clone(), client.clone(), time.now);
        let creation = ConsentCreation { time, claim: None, consent: &consent };
        if direct.consent_create(creation).await? == DirectWriteOutcome::Stored {
            return Ok(consent);
        }
    }
    let (client, clocks) = (client.clone(), context.clocks.clone());
    context
        .store
        .write(move |tx| {
            let consent = draft.clone().into_consent(id.clone(), client.clone(), clocks.read_bank_time(tx)?);
            tx.consent_insert(&consent)?;
            Ok(consent)
        })
        .await
}

/// Reads a consent of this kind for the TPP that created it, in every state until it is deleted, through the version in which it
/// was created or a newer one. The id of a consent of another kind counts as not found. Source: AIS-060, AIS-061, RW-015, RW-017,
/// PIS-008, CBP-010.
///
/// # Errors
/// [`Failure::Refused`]: not found, or another TPP's; otherwise storage's failure.
pub async fn read_consent(
    context: &Context,
    client: &ClientId,
    kind: ConsentKind,
    id: &ConsentId,
    through: Version,
) -> Result<Consent, Failure> {
    let (client, id) = (client.clone(), id.clone());
    context
        .store
        .read(move |tx| Ok(require_known_version(of_kind(require_owned(tx.consent(&client, &id)?)?, kind)?, through)?))
        .await
}

/// Deletes a consent of this kind with everything that depends on it: its grants with their tokens and codes, and the journeys in
/// which a PSU may be deciding on it. All of this is one transaction. Source: RW-304, AIS-062 to AIS-065, CBP-014; RW-017.
///
/// # Errors
/// [`Failure::Refused`]: not found, or another TPP's; otherwise storage's failure.
pub async fn delete_consent(
    context: &Context,
    client: &ClientId,
    kind: ConsentKind,
    id: &ConsentId,
    through: Version,
) -> Result<(), Failure> {
    let (client, id, clocks, inside) = (client.clone(), id.clone(), context.clocks.clone(), context.clone());
    let wall_now = clocks.wall_now();
    context
        .store
        .write(move |tx| {
            let mut consent =
                require_known_version(of_kind(require_owned(tx.consent_for_update(&client, &id)?)?, kind)?, through)?;
            let before = consent.clone();
            consent.delete(clocks.read_bank_time(tx)?);
            store_consent(tx, &inside, &before, &consent)?;
            tx.grants_revoke_of_consent(&id, None, wall_now)?;
            end_authorisations_in(tx, &id, wall_now)?;
            Ok(())
        })
        .await
}

/// Ends the pending authorisations of a consent that has ended: its journeys, and its backchannel request, which then no longer
/// counts against the limits of client and customer. The client is informed at its next poll. The consent must be locked. Source:
/// AIS-064, AS-160.
///
/// # Errors
/// [`StoreError`].
pub fn end_authorisations_in(tx: &mut dyn ServerTransaction, id: &ConsentId, now: Timestamp) -> Result<(), StoreError> {
    tx.journeys_finish_of_consent(id, None)?;
    let Some(waiting) = tx.backchannel_live_of_consent(id, now)? else { return Ok(()) };
    if let Some(mut request) = tx.backchannel_for_update(&waiting.hash)?.filter(|request| request.is_live(now)) {
        request.state = BackchannelState::Denied;
        tx.backchannel_update(&request)?;
    }
    Ok(())
}

/// Revokes a consent on behalf of its PSU: its grants, tokens and codes are revoked, journeys in progress on it are finished, and
/// an event is raised for its TPP. All of this is one transaction. Source: AIS-066, AIS-070, AIS-071, CBP-013.
///
/// # Errors
/// [`Failure::Refused`]: not found or not this PSU's, which give the same error; or not revocable
/// ([`RefusalKind::ConsentState`]); otherwise storage's failure.
pub async fn revoke_consent(context: &Context, psu: &PsuId, id: &ConsentId) -> Result<Consent, Failure> {
    let record = context.customer_record(psu, AuditAction::ConsentRevoke, id.as_str());
    end_access(context, id, RevokedBy::Psu, Some(psu), record).await
}

/// Revokes a consent on behalf of the bank, with the effects of [`revoke_consent`], and stores this record. Source: AIS-070.
///
/// # Errors
/// [`Failure::Refused`]: not found, or not revocable ([`RefusalKind::ConsentState`]); otherwise storage's failure.
pub async fn revoke_consent_by_bank(
    context: &Context,
    id: &ConsentId,
    record: AuditRecord,
) -> Result<Consent, Failure> {
    end_access(context, id, RevokedBy::Bank, None, record).await
}

/// Ends a consent of a deleted client, with its grants and journeys, and reports the change to the bank. No event is raised,
/// because the client's queue is deleted. A consent that cannot be revoked is unchanged; it is unusable without its client. A
/// repeated call has no effect. Source: DCR-043.
///
/// # Errors
/// [`StoreError`].
pub(crate) async fn end_consent_of_deleted_client(
    context: &Context,
    client: &ClientId,
    id: &ConsentId,
) -> Result<(), StoreError> {
    let (client, id, inside) = (client.clone(), id.clone(), context.clone());
    let (clocks, wall_now) = (context.clocks.clone(), context.clocks.wall_now());
    let end = move |tx: &mut dyn ServerTransaction| {
        let Owned::Mine(before) = tx.consent_for_update(&client, &id)? else { return Ok(()) };
        let mut consent = before.clone();
        if consent.revoke(RevokedBy::Bank, clocks.read_bank_time(tx)?) {
            store_consent(tx, &inside, &before, &consent)?;
        }
        tx.grants_revoke_of_consent(&id, None, wall_now)?;
        end_authorisations_in(tx, &id, wall_now)
    };
    context.store.write(end).await
}

async fn end_access(
    context: &Context,
    id: &ConsentId,
    by: RevokedBy,
    only_of: Option<&PsuId>,
    record: AuditRecord,
) -> Result<Consent, Failure> {
    let (only_of, id, outbox) = (only_of.cloned(), id.clone(), context.outbox.clone());
    let (clocks, wall_now, inside) = (context.clocks.clone(), context.clocks.wall_now(), context.clone());
    context
        .store
        .write(move |tx| {
            let found = tx.consent_any_owner(&id)?.ok_or(Refusal::from_kind(RefusalKind::NotFound))?;
            let before = require_owned(tx.consent_for_update(&found.client, &id)?)?;
            if only_of.is_some() && before.psu != only_of {
                return Err(Refusal::from_kind(RefusalKind::NotFound).into());
            }
            let mut consent = before.clone();
            if !consent.revoke(by, clocks.read_bank_time(tx)?) {
                return Err(Refusal::from_kind(RefusalKind::ConsentState).into());
            }
            store_consent(tx, &inside, &before, &consent)?;
            tx.grants_revoke_of_consent(&id, None, wall_now)?;
            end_authorisations_in(tx, &id, wall_now)?;
            outbox.raise_of_consent(tx, &before, &consent)?;
            let digests = (Some(digest_consent(&before)), Some(digest_consent(&consent)));
            tx.audit_append(&record.clone().with_digests(digests.0, digests.1))?;
            Ok(consent)
        })
        .await
}

/// Authorises a consent with the accounts that the PSU selected: the accounts to share, the account to pay from, or the account
/// of a funds confirmation. Each account gets the `AccountId` by which this TPP knows it, and the TPP receives an event.
///
/// The consent must be locked in this transaction, so that a deletion by the TPP either comes first and prevents the
/// authorisation, or comes afterwards and takes effect (AIS-064). The caller must have checked that the accounts are the PSU's.
///
/// # Errors
/// [`AuthoriseError::NotAuthorisable`] if the consent may not be authorised; nothing has changed then.
pub fn authorise_consent_in(
    tx: &mut dyn ServerTransaction,
    context: &Context,
    before: &Consent,
    psu: &PsuId,
    chosen: &AuthorisedSelection,
) -> Result<Consent, AuthoriseError> {
    let (mut consent, now) = (before.clone(), context.clocks.read_bank_time(tx)?);
    consent.check_authorisable(now)?;
    let mut select = |account: &AuthorisedAccount| {
        let AuthorisedAccount { id, core_state } = account.clone();
        let offered = assign_account_alias(&context.alias_key, &before.client, &id);
        let alias = tx.account_alias(&before.client, &id, &offered)?;
        Ok::<_, StoreError>(SelectedAccount { account: id, alias, core_state })
    };
    match chosen {
        AuthorisedSelection::Accounts(accounts) => {
            let selected = accounts.iter().map(select).collect::<Result<Vec<_>, _>>()?;
            consent.authorise(psu, selected, now)?;
        }
        AuthorisedSelection::FundsAccount(account) => consent.authorise(psu, vec![select(account)?], now)?,
        AuthorisedSelection::Payer(paying) => {
            let PayerSelection { account, source, conditions } = &**paying;
            consent.authorise_payment(psu, select(account)?, source.clone(), conditions.clone(), now)?;
        }
    }
    store_consent(tx, context, before, &consent)?;
    context.outbox.raise_of_consent(tx, before, &consent)?;
    let record = context.customer_record(psu, AuditAction::ConsentApprove, consent.id.as_str());
    tx.audit_append(&record.with_digests(Some(digest_consent(before)), Some(digest_consent(&consent))))?;
    Ok(consent)
}

/// Rejects a consent because the PSU refuses or cancels, as [`reject_consent_in`] does, and stores the record of it.
///
/// # Errors
/// [`StoreError`].
pub fn refuse_consent_in(
    tx: &mut dyn ServerTransaction,
    context: &Context,
    before: &Consent,
    psu: &PsuId,
    reason: Option<ConsentStatusReason>,
) -> Result<Consent, StoreError> {
    let consent = reject_consent_in(tx, context, before, reason)?;
    let record = context.customer_record(psu, AuditAction::ConsentRefuse, before.id.as_str());
    tx.audit_append(&record.with_digests(Some(digest_consent(before)), Some(digest_consent(&consent))))?;
    Ok(consent)
}

/// Rejects a consent because the PSU refuses, cancels or fails to authenticate, or because the bank rejects it for a reason. The
/// TPP receives an event. An authorised consent is unchanged (RW-306).
///
/// The consent must be locked in this transaction.
///
/// # Errors
/// [`StoreError`].
pub fn reject_consent_in(
    tx: &mut dyn ServerTransaction,
    context: &Context,
    before: &Consent,
    reason: Option<ConsentStatusReason>,
) -> Result<Consent, StoreError> {
    let mut consent = before.clone();
    if consent.reject_because(reason, context.clocks.read_bank_time(tx)?) {
        store_consent(tx, context, before, &consent)?;
        context.outbox.raise_of_consent(tx, before, &consent)?;
    }
    Ok(consent)
}

/// Rejects a consent because a deadline of its payment has passed. The consent must be locked in this transaction. Source:
/// PIS-037, PIS-110.
///
/// # Errors
/// [`StoreError`].
pub fn reject_late_consent_in(
    tx: &mut dyn ServerTransaction,
    context: &Context,
    before: &Consent,
) -> Result<Consent, StoreError> {
    let deadline = before.passed_deadline(context.clocks.read_bank_time(tx)?);
    reject_consent_in(tx, context, before, deadline)
}

/// Records why a consent has its present state; the state itself does not change. Nothing is written if the reason is recorded
/// already, if the consent has another state, or if it does not exist. Source: ERR-002, ERR-003, ERR-005.
///
/// # Errors
/// [`StoreError`].
pub fn note_status_reason_in(
    tx: &mut dyn ServerTransaction,
    client: &ClientId,
    id: &ConsentId,
    reason: ConsentStatusReason,
) -> Result<(), StoreError> {
    change_status_reason(tx, client, id, |consent| consent.note_status_reason(reason))
}

/// Removes the reason for a consent's present state, because its circumstance no longer holds. Nothing is written if there is no
/// reason.
///
/// # Errors
/// [`StoreError`].
pub fn clear_status_reason_in(
    tx: &mut dyn ServerTransaction,
    client: &ClientId,
    id: &ConsentId,
) -> Result<(), StoreError> {
    change_status_reason(tx, client, id, Consent::clear_status_reason)
}

fn change_status_reason(
    tx: &mut dyn ServerTransaction,
    client: &ClientId,
    id: &ConsentId,
    change: impl FnOnce(&mut Consent) -> bool,
) -> Result<(), StoreError> {
    match tx.consent_for_update(client, id)? {
        Owned::Mine(mut consent) => {
            if change(&mut consent) {
                store_status_reason(tx, &consent)?;
            }
            Ok(())
        }
        Owned::Foreign | Owned::Absent => Ok(()),
    }
}

/// Returns a consent that requests of this version may use; to an older version it counts as absent. Source: RW-017.
pub(crate) fn require_known_version(consent: Consent, through: Version) -> Result<Consent, Refusal> {
    if consent.is_known_to(through) { Ok(consent) } else { Err(Refusal::from_kind(RefusalKind::NotFound)) }
}

fn of_kind(consent: Consent, kind: ConsentKind) -> Result<Consent, Refusal> {
    if consent.request.kind() == kind { Ok(consent) } else { Err(Refusal::from_kind(RefusalKind::NotFound)) }
}

pub(crate) fn require_owned<T>(found: Owned<T>) -> Result<T, Refusal> {
    match found {
        Owned::Mine(consent) => Ok(consent),
        Owned::Foreign => Err(Refusal::from_kind(RefusalKind::ForeignOwner)),
        Owned::Absent => Err(Refusal::from_kind(RefusalKind::NotFound)),
    }
}
