//! Migration of VRP consents to the form of a newer version, by the TPP or by the bank. Source: V4-020, V4-030.

use super::IdempotentRequest;
use crate::consents::{ConsentReports, require_owned, store_migrated_consent};
use crate::{Context, Failure};
use lombard_domain::consent::Consent;
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_domain::payment::order::PaymentDraft;
use lombard_domain::refusal::{Fault, Refusal, RefusalKind};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_ports::store::{ServerTransaction, Store};

/// Stores the same content of a VRP consent in the form of a newer version, as its TPP submitted it. A repeated request returns
/// the consent in its present state, also if the draft is no longer valid, so the faults of the draft are reported only for a new
/// request (PIS-064). Source: V4-020, V4-030.
///
/// # Errors
/// [`Failure::Refused`]: the faults of the draft; not found; another TPP's; already in that form; or changed values; otherwise
/// storage's failure. Nothing is stored then.
pub async fn migrate_vrp_consent(
    context: &Context,
    client: &ClientId,
    id: &ConsentId,
    draft: Result<PaymentDraft, Vec<Fault>>,
    idempotent_request: IdempotentRequest,
) -> Result<Consent, Failure> {
    let (client, id, reports) = (client.clone(), id.clone(), context.consent_reports());
    let (clocks, settings) = (context.clocks.clone(), context.payments.clone());
    context
        .store
        .write(move |tx| {
            let now = clocks.read_bank_time(tx)?;
            if let Some(earlier) = idempotent_request.claim_key(tx, &settings, now, id.as_str())? {
                return Ok(require_owned(tx.consent(&client, &ConsentId::new(earlier))?)?);
            }
            let mut consent = require_owned(tx.consent_for_update(&client, &id)?)?;
            let before = consent.clone();
            consent.migrate_vrp(draft.clone().map_err(Refusal::invalid)?)?;
            store_migrated_consent(tx, &reports, &before, &consent)?;
            Ok(consent)
        })
        .await
}

/// The number of consents that one call migrates.
const BATCH: u32 = 100;

/// A consent that the bank could not migrate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedMigration {
    /// The consent.
    pub consent: ConsentId,
    /// The cause.
    pub cause: MigrationFailure,
}

/// Why a consent could not be migrated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MigrationFailure {
    /// The newer form does not allow the consent's content.
    Refused(Vec<Fault>),
    /// The stored consent cannot be read.
    Unreadable,
}

/// The result of a batch of migrations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MigratedBatch {
    /// The number of consents that were migrated, or would be in a real run.
    pub migrated: usize,
    /// The number of consents that need no migration by the bank, because their TPP has migrated or deleted them meanwhile, or
    /// that are left for a later run, because they keep changing.
    pub skipped: usize,
    /// The consents that cannot be migrated; they are unchanged and remain usable (V4-025).
    pub failed: Vec<FailedMigration>,
    /// The number of consents to migrate, if this is the first batch; 0 otherwise.
    pub total: u64,
    /// The last consent of the batch, after which the next batch begins; `None` if the batch is empty.
    pub last: Option<ConsentId>,
}

/// A function that converts the document submitted for a consent to the form of the newest version, and parses it.
pub type ConvertSubmitted = fn(&Submitted) -> Result<PaymentDraft, Vec<Fault>>;

/// Migrates a batch of the VRP consents of an older version after `after`, of a client or else of all clients. Each consent is
/// stored in a separate transaction, so that the command can be stopped and repeated at any time. A dry run stores nothing.
/// Source: V4-030.
///
/// # Errors
/// Storage's failure.
pub async fn migrate_vrp_consents(
    (store, reports): (&Store, &ConsentReports),
    from: Version,
    client: Option<ClientId>,
    after: Option<ConsentId>,
    convert: ConvertSubmitted,
    is_dry_run: bool,
) -> Result<MigratedBatch, Failure> {
    let look = move |tx: &mut dyn ServerTransaction| {
        // The total is counted once, by the first batch.
        let total = if after.is_none() { tx.vrp_consents_of_version_count(from, client.as_ref())? } else { 0 };
        let total = u64::try_from(total).unwrap_or_default();
        Ok::<_, Failure>((tx.vrp_consents_of_version(from, client.as_ref(), after.as_ref(), BATCH)?, total))
    };
    let (ids, total) = store.read(look).await?;
    let mut batch = MigratedBatch { total, last: ids.last().cloned(), ..MigratedBatch::default() };
    for id in ids {
        match migrate_one((store, reports), from, &id, convert, is_dry_run).await {
            Ok(true) => batch.migrated = batch.migrated.saturating_add(1),
            Err(Failure::Refused(refusal)) if refusal.kind == RefusalKind::Invalid => {
                batch.failed.push(FailedMigration { consent: id, cause: MigrationFailure::Refused(refusal.faults) });
            }
            // The TPP has migrated or deleted the consent meanwhile, or keeps changing it; a later run finds it in the last case.
            Ok(false) | Err(Failure::Refused(_)) => batch.skipped = batch.skipped.saturating_add(1),
            Err(Failure::Broken(error)) => {
                tracing::error!(consent.id = id.as_str(), error = &*error as &dyn std::error::Error, "not migrated");
                batch.failed.push(FailedMigration { consent: id, cause: MigrationFailure::Unreadable });
            }
            Err(busy @ Failure::Unavailable(_)) => return Err(busy),
        }
    }
    Ok(batch)
}

/// The number of times that a consent is converted again because it changed meanwhile.
const ATTEMPTS: u32 = 3;

/// Whether the consent was migrated, or would be in a real run.
async fn migrate_one(
    (store, reports): (&Store, &ConsentReports),
    from: Version,
    id: &ConsentId,
    convert: ConvertSubmitted,
    is_dry_run: bool,
) -> Result<bool, Failure> {
    for _ in 0..ATTEMPTS {
        let wanted = id.clone();
        let found = store.read(move |tx| Ok::<_, Failure>(tx.consent_any_owner(&wanted)?)).await?;
        let found = found.ok_or_else(|| Refusal::from_kind(RefusalKind::NotFound))?;
        if found.submitted.version != from {
            return Ok(false);
        }
        // The conversion precedes the transaction, so that others do not wait for it.
        let draft = convert(&found.submitted).map_err(Refusal::invalid)?;
        let reports = reports.clone();
        let migrate = move |tx: &mut dyn ServerTransaction| {
            let mut consent = require_owned(tx.consent_for_update(&found.client, &found.id)?)?;
            let is_as_found = consent.submitted == found.submitted;
            if is_as_found {
                let before = consent.clone();
                consent.migrate_vrp(draft.clone())?;
                if !is_dry_run {
                    store_migrated_consent(tx, &reports, &before, &consent)?;
                }
            }
            Ok::<_, Failure>(is_as_found)
        };
        if store.write(migrate).await? {
            return Ok(true);
        }
    }
    Ok(false)
}
