//! The quarantine: what is in it is not due, of whichever kind.

use super::payment_files::upload;
use super::samples::{at, job, read, write};
use super::samples_of_instructions::domestic;
use super::samples_of_payments::{order, payment_consent, plain_terms};
use lombard_domain::order::{PaymentConsentRequest, RequestedAuthorisation};
use lombard_ports::store::{FailedWork, Store, StoreError, Transaction, WorkKind};

/// Work that failed.
pub(super) fn failed(kind: WorkKind, subject: &str) -> FailedWork {
    FailedWork { kind, subject: subject.to_owned(), cause: String::from("it is odd\0") }
}

/// The kinds of the server's work. There is one thing to do of each, all of them called the same.
const KINDS: [WorkKind; 4] = [WorkKind::Job, WorkKind::LapsedOrder, WorkKind::UndecidedConsent, WorkKind::Upload];

fn all_due(tx: &mut dyn Transaction) -> Result<(), StoreError> {
    tx.job_enqueue(&job("w", 1))?;
    let until = RequestedAuthorisation { complete_by: Some(at(70)), ..RequestedAuthorisation::default() };
    let terms = || plain_terms(domestic().swap_remove(0));
    tx.consent_insert(&payment_consent("w", "t", terms()))?;
    tx.order_insert(&order("w", "w", "a", 2, &PaymentConsentRequest { authorisation: until, ..terms() }))?;
    tx.upload_begin(&upload("w", "t", "w", 9), at(1))
}

/// The kinds of work that are found.
async fn due(store: &Store) -> Vec<WorkKind> {
    write(store, |tx| {
        let now = at(1_000);
        let found = [
            // A lease that ends at once.
            tx.jobs_claim("settle", now, now, 9)?.rows.len(),
            tx.orders_lapsed(now, 9)?.len(),
            tx.payment_consents_undecided(now, 9)?.len(),
            tx.uploads_abandoned(now, 9)?.len(),
        ];
        Ok(KINDS.into_iter().zip(found).filter(|(_, found)| *found == 1).map(|(kind, _)| kind).collect())
    })
    .await
}

/// Each kind by itself, and what is in quarantine under the same subject keeps back nothing of another kind.
pub(super) async fn quarantined_work_is_left_out_until_it_is_let_go(store: Store) {
    write(&store, all_due).await;
    assert_eq!(due(&store).await, KINDS);
    for kind in KINDS {
        write(&store, move |tx| tx.quarantine_add(&[failed(kind, "w")], at(9))).await;
        let others: Vec<_> = KINDS.into_iter().filter(|it| *it != kind).collect();
        assert_eq!(due(&store).await, others, "without {kind:?}");
        assert_eq!(read(&store, |tx| tx.quarantined_counts()).await, [(kind, 1)]);
        assert_eq!(write(&store, |tx| tx.quarantine_release(None)).await, 1);
        assert_eq!(due(&store).await, KINDS);
    }
}

/// What is added again stays as it was; a number is never given twice.
pub(super) async fn work_is_quarantined_once_and_numbered_for_ever(store: Store) {
    let (one, other) = (failed(WorkKind::Upload, "u"), failed(WorkKind::Job, "u"));
    let both = [one.clone(), other.clone()];
    assert_eq!(write(&store, move |tx| tx.quarantine_add(&both, at(1))).await, [one.clone(), other.clone()]);
    let later = [FailedWork { cause: String::from("it is odder"), ..one.clone() }];
    assert_eq!(write(&store, move |tx| tx.quarantine_add(&later, at(2))).await, []);
    let shown = read(&store, |tx| tx.quarantined(0, 9)).await;
    let cause = String::from("it is odd");
    assert_eq!(
        shown.iter().map(|it| it.work.clone()).collect::<Vec<_>>(),
        [FailedWork { cause: cause.clone(), ..one.clone() }, FailedWork { cause, ..other }]
    );
    assert!(shown.iter().all(|it| it.since == at(1)));
    let (first, second) = (shown[0].number, shown[1].number);
    assert_eq!(read(&store, move |tx| tx.quarantined(first, 9)).await, shown[1..]);
    assert_eq!(write(&store, move |tx| tx.quarantine_release(Some(second))).await, 1);
    assert_eq!(write(&store, move |tx| tx.quarantine_release(Some(second))).await, 0);
    write(&store, move |tx| tx.quarantine_add(&[one.clone(), failed(WorkKind::Job, "v")], at(3))).await;
    let shown = read(&store, |tx| tx.quarantined(0, 9)).await;
    assert_eq!((shown.len(), shown[0].number), (2, first));
    assert!(shown[1].number > second);
}
