//! Bulk migration of VRP consents while their TPPs and customers use them. Source: V4-030.

use super::vrp::monthly_limit;
use super::*;
use crate::consents::delete_consent;
use crate::payments::vrp_migration::{FailedMigration, MigratedBatch, MigrationFailure, migrate_vrp_consents};
use async_trait::async_trait;
use futures_util::future::BoxFuture;
use lombard_domain::consent::ConsentKind;
use lombard_ports::store::{Engine, Store, TransactionVerdict, TransactionWork};
use std::fmt;

/// The writes of others before a write; the closure receives the store and the number of the write, from 0.
type Meanwhile = Box<dyn Fn(Store, usize) -> BoxFuture<'static, ()> + Send + Sync>;

/// A store in which others write between a caller's read and its write.
struct SharedStore {
    inner: Store,
    meanwhile: Meanwhile,
    writes: std::sync::atomic::AtomicUsize,
}

impl fmt::Debug for SharedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedStore")
    }
}

/// The end of a transaction that was not committed.
enum Uncommitted {
    RolledBack,
    Failed(StoreError),
}

impl From<StoreError> for Uncommitted {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

#[async_trait]
impl Engine for SharedStore {
    async fn write(&self, mut work: TransactionWork) -> Result<(), StoreError> {
        let number = self.writes.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        (self.meanwhile)(self.inner.clone(), number).await;
        let written = self.inner.write(move |tx| match work(tx) {
            TransactionVerdict::Commit => Ok(()),
            TransactionVerdict::RollBack => Err(Uncommitted::RolledBack),
        });
        match written.await {
            Ok(()) | Err(Uncommitted::RolledBack) => Ok(()),
            Err(Uncommitted::Failed(error)) => Err(error),
        }
    }

    async fn read(&self, mut work: TransactionWork) -> Result<(), StoreError> {
        let read = move |tx: &mut dyn lombard_ports::store::ServerTransaction| {
            work(tx);
            Ok::<_, StoreError>(())
        };
        self.inner.read(read).await
    }
}

/// The same content in the form of v4.0; `{"odd":1}` cannot be converted.
fn convert(submitted: &Submitted) -> Result<PaymentDraft, Vec<Fault>> {
    if submitted.json == ODD {
        return Err(different());
    }
    let newer = Submitted { version: V4_0, json: submitted.json.clone() };
    Ok(PaymentDraft { submitted: newer, ..draft(monthly_limit()) })
}

const ODD: &str = r#"{"odd":1}"#;

/// Stores another submitted document for a consent.
async fn submit_again(store: Store, id: ConsentId, submitted: Submitted) {
    let write = move |tx: &mut dyn lombard_ports::store::ServerTransaction| {
        let mut consent = tx.consent_any_owner(&id)?.unwrap();
        consent.submitted = submitted.clone();
        consent.epoch = consent.epoch.saturating_add(1);
        #[expect(clippy::disallowed_methods, reason = "no bank is told")]
        tx.consent_migrate(&consent)
    };
    store.write(write).await.unwrap();
}

/// Migrates every consent of v3.1 while others write.
async fn migrate(world: &World, meanwhile: Meanwhile, is_dry_run: bool) -> MigratedBatch {
    let shared = SharedStore { inner: world.context.store.clone(), meanwhile, writes: Default::default() };
    let context = Context { store: Store::new(Arc::new(shared)), ..world.context.clone() };
    migrate_vrp_consents((&context.store, &context.consent_reports()), V3_1, None, None, convert, is_dry_run)
        .await
        .unwrap()
}

fn nothing() -> Meanwhile {
    Box::new(|_, _| Box::pin(async {}))
}

fn counts(batch: &MigratedBatch) -> (usize, usize, usize, u64) {
    (batch.migrated, batch.skipped, batch.failed.len(), batch.total)
}

#[tokio::test]
async fn v4_030_a_consent_that_its_tpp_migrates_or_deletes_meanwhile_is_skipped() {
    let world = World::new().await;
    let migrated = world.authorised(monthly_limit(), "a").await;
    let id = migrated.id.clone();
    let by_tpp: Meanwhile = Box::new(move |store, _| {
        Box::pin(submit_again(store, id.clone(), Submitted { version: V4_0, json: r#"{"by":"tpp"}"#.into() }))
    });
    assert_eq!(counts(&migrate(&world, by_tpp, false).await), (0, 1, 0, 1));
    assert_eq!(world.consent(&migrated.id).await.submitted.json, r#"{"by":"tpp"}"#, "the TPP's form stays");

    let deleted = world.authorised(monthly_limit(), "b").await;
    let (context, id) = (world.context.clone(), deleted.id.clone());
    let deletes: Meanwhile = Box::new(move |_, _| {
        let (context, id) = (context.clone(), id.clone());
        let kind = ConsentKind::Payment(PaymentProduct::DomesticVrp);
        Box::pin(async move { delete_consent(&context, &acme(), kind, &id, V3_1).await.unwrap() })
    });
    assert_eq!(counts(&migrate(&world, deletes, false).await), (0, 1, 0, 1));
    assert_eq!(world.consent(&deleted.id).await.submitted.version, V3_1);
    assert_eq!(counts(&migrate(&world, nothing(), false).await), (0, 0, 0, 0), "neither is left for a later run");
}

#[tokio::test]
async fn v4_030_a_concurrently_changed_consent_is_reconverted_or_left_for_later() {
    let world = World::new().await;
    let consent = world.authorised(monthly_limit(), "a").await;
    let changes = |until: usize| -> Meanwhile {
        let id = consent.id.clone();
        Box::new(move |store, number| {
            let id = id.clone();
            Box::pin(async move {
                if number < until {
                    let json = format!(r#"{{"of":{until},"n":{number}}}"#);
                    submit_again(store, id, Submitted { version: V3_1, json }).await;
                }
            })
        })
    };
    assert_eq!(counts(&migrate(&world, changes(usize::MAX), false).await), (0, 1, 0, 1));
    assert_eq!(world.consent(&consent.id).await.submitted.version, V3_1, "nothing older is stored over it");
    assert_eq!(counts(&migrate(&world, changes(1), true).await), (1, 0, 0, 1), "a dry run");
    assert_eq!(counts(&migrate(&world, changes(2), false).await), (1, 0, 0, 1));
    let stored = world.consent(&consent.id).await.submitted;
    assert_eq!(stored, Submitted { version: V4_0, json: r#"{"of":2,"n":1}"#.into() }, "what was submitted last");
}

#[tokio::test]
async fn v4_030_an_unconvertible_consent_is_reported_with_faults_and_kept() {
    let world = World::new().await;
    let odd = world.authorised(monthly_limit(), "a").await;
    submit_again(world.context.store.clone(), odd.id.clone(), Submitted { version: V3_1, json: ODD.into() }).await;
    let fits = world.authorised(monthly_limit(), "b").await;
    let batch = migrate(&world, nothing(), false).await;
    assert_eq!(counts(&batch), (1, 0, 1, 2));
    let cause = MigrationFailure::Refused(different());
    assert_eq!(batch.failed, [FailedMigration { consent: odd.id.clone(), cause }]);
    assert_eq!(world.consent(&odd.id).await.submitted.version, V3_1);
    assert_eq!(world.consent(&fits.id).await.submitted.version, V4_0);
    world.pay_under(&world.consent(&odd.id).await, 100, "c").await.unwrap();
}
