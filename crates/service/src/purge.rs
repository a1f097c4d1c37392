//! Removes rows that are no longer needed: tokens, codes, one-time values and journeys, idempotency keys after their window,
//! counts of past days, files that were never attached to a consent, and files of consents that ended unused. Removes consents, orders,
//! evidence and files after the time for which a bank keeps them.

use crate::Context;
use crate::audit::purge_audit_before;
use crate::payments::files;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use jiff::SignedDuration;
use jiff::Timestamp;
use lombard_domain::calendar::london_date;
use lombard_domain::retention::RetentionRules;
use lombard_ports::store::{ServerTransaction, StoreError};

/// How long a key is kept after its window, so that clocks of nodes need not agree to the second (bank clock).
const KEYS_KEPT: SignedDuration = SignedDuration::from_hours(1);

/// The most rows of each kind that are removed at a time, because the writer must not be blocked for long.
const BATCH: u32 = 500;

/// The most consents or orders that are removed at a time: many rows belong to each.
const RECORDS: u32 = 50;

/// Removes rows that ended before the time of `rules`, idempotency keys whose window ended an hour ago, and unused or abandoned files,
/// in batches until none is left. A failure in one kind does not prevent the removal of the others. Returns the number of removed
/// rows and files.
///
/// # Errors
/// The first [`StoreError`], after every kind was tried; the next activation finds the same rows.
pub async fn purge_ended_rows(context: &Context, rules: &RetentionRules) -> Result<u64, StoreError> {
    let before = ago(context.clocks.wall_now(), rules.sessions);
    let files_before = ago(context.clocks.wall_now(), rules.files);
    purge_each([
        ("ended", &|| context.store.write(move |tx| tx.ended_purge(before, BATCH)).boxed()),
        ("idempotency keys", &|| purge_idempotency_keys(context).boxed()),
        ("questions about funds", &|| purge_funds_questions(context).boxed()),
        ("unauthorised consents", &|| {
            purge_records(context, rules.unauthorised_consents, |tx, before| {
                tx.consents_purge_unauthorised(before, RECORDS)
            })
            .boxed()
        }),
        // Orders are removed before the consents on which they stand.
        ("orders", &|| purge_records(context, rules.orders, |tx, before| tx.orders_purge(before, RECORDS)).boxed()),
        ("ended consents", &|| {
            purge_records(context, rules.ended_consents, |tx, before| tx.consents_purge_ended(before, RECORDS)).boxed()
        }),
        ("evidence", &|| {
            purge_records(context, rules.evidence, |tx, before| tx.decision_evidence_purge(before, BATCH)).boxed()
        }),
        ("audit log", &|| {
            let now = context.clocks.wall_now();
            purge_audit_before(&context.store, ago(now, rules.audit), now).boxed()
        }),
        ("used files", &|| context.store.write(move |tx| tx.files_purge(files_before, BATCH)).boxed()),
        // The removal of a large file is only begun here; the rest of the file is removed as an abandoned upload.
        ("unused files", &|| files::remove_unused_files(context).boxed()),
        ("abandoned uploads", &|| files::remove_abandoned_uploads(context).boxed()),
    ])
    .await
}

/// Removes a batch of one kind, and returns the number of removed rows.
type PurgeBatch<'a> = &'a (dyn Fn() -> BoxFuture<'a, Result<u64, StoreError>> + Sync);

async fn purge_each<const KINDS: usize>(kinds: [(&str, PurgeBatch<'_>); KINDS]) -> Result<u64, StoreError> {
    let (mut gone, mut failed) = (0_u64, None);
    for (kind, batch) in kinds {
        loop {
            match batch().await {
                Ok(0) => break,
                Ok(count) => {
                    gone = gone.saturating_add(count);
                    metrics::counter!("lombard_purged_rows_total").increment(count);
                }
                Err(error) => {
                    tracing::warn!(kind, error = &error as &dyn std::error::Error, "ended rows were not purged");
                    failed.get_or_insert(error);
                    break;
                }
            }
        }
    }
    failed.map_or(Ok(gone), Err)
}

/// Removes a batch of records that are older than `kept` on the bank's clock.
async fn purge_records(
    context: &Context,
    kept: SignedDuration,
    purge: fn(&mut dyn ServerTransaction, Timestamp) -> Result<u64, StoreError>,
) -> Result<u64, StoreError> {
    let clocks = context.clocks.clone();
    let purge = move |tx: &mut dyn ServerTransaction| {
        let before = ago(clocks.read_bank_time(tx)?, kept);
        purge(tx, before)
    };
    context.store.write(purge).await
}

fn ago(now: Timestamp, age: SignedDuration) -> Timestamp {
    now.saturating_sub(age).unwrap_or(Timestamp::MIN)
}

/// Source: PIS-061, RW-185.
async fn purge_idempotency_keys(context: &Context) -> Result<u64, StoreError> {
    let kept = context.payments.idempotency_window.saturating_add(KEYS_KEPT);
    let clocks = context.clocks.clone();
    let forget = move |tx: &mut dyn ServerTransaction| {
        let before = ago(clocks.read_bank_time(tx)?, kept);
        tx.idempotency_purge(before, BATCH)
    };
    context.store.write(forget).await
}

/// Removes the counts of funds requests on past days.
async fn purge_funds_questions(context: &Context) -> Result<u64, StoreError> {
    let today = london_date(context.clocks.wall_now());
    context.store.write(move |tx| tx.funds_questions_purge(today, BATCH)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::tests::{SmallBank, context, now};
    use lombard_domain::grant::{Digest, Grant, GrantSubject, Token, TokenKind};
    use lombard_domain::scope::Scopes;
    use lombard_ports::store::{IdempotencyClaim, IdempotencyKey, KeyClaim, ServerTransaction};

    fn grant() -> Grant {
        Grant {
            id: "g-1".into(),
            client: "acme".into(),
            subject: GrantSubject::Client,
            scopes: Scopes::NONE,
            auth_time: None,
            acr: None,
            nonce: None,
            created_at: now(),
            revoked_at: None,
            epoch: 0,
        }
    }

    fn token(number: u8, expires_at: Timestamp) -> Token {
        Token {
            hash: Digest([number; 32]),
            kind: TokenKind::Access,
            grant: grant().id,
            scopes: Scopes::NONE,
            certificate: Digest([0; 32]),
            issued_at: now(),
            expires_at: Some(expires_at),
            revoked_at: None,
        }
    }

    #[tokio::test]
    async fn what_ended_a_day_ago_goes_and_running_twice_is_harmless() {
        let (context, clock) = context(SmallBank::default()).await;
        let (old, young) = (token(1, now()), token(2, now() + SignedDuration::from_secs(2)));
        let insert = move |tx: &mut dyn ServerTransaction| {
            tx.grant_insert(&grant())?;
            tx.token_insert(&old)?;
            tx.token_insert(&young)
        };
        context.store.write::<_, StoreError, _>(insert).await.unwrap();
        let stands = async || {
            let look = |tx: &mut dyn ServerTransaction| tx.grant(&grant().id);
            context.store.read::<_, StoreError, _>(look).await.unwrap().is_some()
        };
        clock.advance(RetentionRules::default().sessions);
        assert_eq!(
            purge_ended_rows(&context, &RetentionRules::default()).await.unwrap(),
            0,
            "the boundary instant is kept"
        );
        clock.advance(SignedDuration::from_secs(1));
        assert_eq!(purge_ended_rows(&context, &RetentionRules::default()).await.unwrap(), 1);
        assert!(stands().await, "one of its tokens is young");
        assert_eq!(purge_ended_rows(&context, &RetentionRules::default()).await.unwrap(), 0);
        clock.advance(SignedDuration::from_secs(2));
        assert_eq!(purge_ended_rows(&context, &RetentionRules::default()).await.unwrap(), 2);
        assert!(!stands().await, "a grant goes with its last token");
    }

    #[tokio::test]
    async fn a_kind_that_fails_holds_up_no_other() {
        use std::sync::atomic::{AtomicU64, Ordering};
        let (asked, left) = (AtomicU64::new(0), AtomicU64::new(3));
        let failing = || {
            asked.fetch_add(1, Ordering::Relaxed);
            std::future::ready(Err(StoreError::Contended)).boxed()
        };
        let three_batches = || {
            let more = left.load(Ordering::Relaxed).min(1);
            left.fetch_sub(more, Ordering::Relaxed);
            std::future::ready(Ok(500 * more)).boxed()
        };
        let purged = purge_each([("broken", &failing), ("whole", &three_batches)]).await;
        assert!(matches!(purged, Err(StoreError::Contended)));
        assert_eq!((asked.into_inner(), left.into_inner()), (1, 0));
    }

    #[tokio::test]
    async fn rw_185_a_key_goes_an_hour_after_its_window_and_never_within_it() {
        let (context, clock) = context(SmallBank::default()).await;
        let key = IdempotencyKey { client: "acme".into(), operation: "POST /x".to_owned(), key: "k".to_owned() };
        let claim = async |key: IdempotencyKey| {
            let (now, window) = (context.clocks.bank_now(), context.payments.idempotency_window);
            let window_start = now - window;
            let work = move |tx: &mut dyn ServerTransaction| {
                let body = Digest([1; 32]);
                tx.idempotency_claim(&KeyClaim {
                    key: &key,
                    body: &body,
                    resource: "order",
                    now,
                    window_start,
                    other_operation: None,
                })
            };
            context.store.write(work).await.unwrap()
        };
        assert_eq!(claim(key.clone()).await, IdempotencyClaim::New);
        clock.advance(context.payments.idempotency_window + KEYS_KEPT);
        assert_eq!(
            purge_ended_rows(&context, &RetentionRules::default()).await.unwrap(),
            0,
            "the boundary instant is kept"
        );
        clock.advance(SignedDuration::from_secs(1));
        assert_eq!(purge_ended_rows(&context, &RetentionRules::default()).await.unwrap(), 1);
        assert_eq!(purge_ended_rows(&context, &RetentionRules::default()).await.unwrap(), 0);
        assert_eq!(claim(key.clone()).await, IdempotencyClaim::New);
        clock.advance(context.payments.idempotency_window - SignedDuration::from_secs(1));
        assert_eq!(purge_ended_rows(&context, &RetentionRules::default()).await.unwrap(), 0);
        assert_eq!(claim(key).await, IdempotencyClaim::Replay { resource: "order".to_owned() });
    }
}
