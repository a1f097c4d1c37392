//! Quarantined work is not due, for every kind of work.

use super::payment_files::upload;
use super::samples::{at, job, read, write};
use super::samples_of_instructions::domestic;
use super::samples_of_payments::{order, payment_consent, plain_terms};
use lombard_database::testing::promises::{self, failed_work};
use lombard_domain::payment::order::{PaymentConsentRequest, RequestedAuthorisation};
use lombard_ports::store::{ServerTransaction, Store, StoreError, WorkKind};

/// The kinds of the server's work. The test stores one item of each, all with the same subject.
const KINDS: [WorkKind; 4] = [WorkKind::Job, WorkKind::LapsedOrder, WorkKind::UndecidedConsent, WorkKind::Upload];

fn all_due(tx: &mut dyn ServerTransaction) -> Result<(), StoreError> {
    tx.job_enqueue(&job("w", 1))?;
    let until = RequestedAuthorisation { complete_by: Some(at(70)), ..RequestedAuthorisation::default() };
    let terms = || plain_terms(domestic().swap_remove(0));
    tx.consent_insert(&payment_consent("w", "t", terms()))?;
    tx.order_insert(&order("w", "w", "a", 2, &PaymentConsentRequest { authorisation: until, ..terms() }))?;
    tx.upload_begin(&upload("w", "t", "w", 9), at(1))
}

/// Returns the kinds of work that the queries for due work find.
async fn due(store: &Store) -> Vec<WorkKind> {
    write(store, |tx| {
        let now = at(1_000);
        let found = [
            // The lease ends at once.
            tx.jobs_claim("settle", now, now, 9)?.rows.len(),
            tx.orders_lapsed(now, 9)?.len(),
            tx.payment_consents_undecided(now, 9)?.len(),
            tx.uploads_abandoned(now, 9)?.len(),
        ];
        Ok(KINDS.into_iter().zip(found).filter(|(_, found)| *found == 1).map(|(kind, _)| kind).collect())
    })
    .await
}

/// A quarantined item excludes only work of its own kind, not work of another kind with the same subject.
pub(super) async fn quarantined_work_is_left_out_until_it_is_let_go(store: Store) {
    write(&store, all_due).await;
    assert_eq!(due(&store).await, KINDS);
    for kind in KINDS {
        write(&store, move |tx| tx.quarantine_add(&[failed_work(kind, "w")], at(9))).await;
        let others: Vec<_> = KINDS.into_iter().filter(|it| *it != kind).collect();
        assert_eq!(due(&store).await, others, "without {kind:?}");
        assert_eq!(read(&store, |tx| tx.quarantined_counts()).await, [(kind, 1)]);
        assert_eq!(write(&store, |tx| tx.quarantine_release(None)).await, 1);
        assert_eq!(due(&store).await, KINDS);
    }
}

pub(super) async fn work_is_quarantined_once_and_numbered_for_ever(store: Store) {
    promises::work_is_quarantined_once_and_numbered_for_ever(&store, [WorkKind::Upload, WorkKind::Job]).await;
}
