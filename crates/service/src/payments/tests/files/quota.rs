//! The storage that unauthorised files may take, and the removal of those that are never authorised. Source: RW-112,
//! FILE-020.

use super::*;
use crate::consents::reject_consent_in;
use crate::payments::FileQuota;
use crate::payments::files::FileUpload;
use crate::purge::purge_ended_rows;
use lombard_domain::retention::RetentionRules;
use lombard_ports::store::ServerTransaction;

/// A bank with this quota.
async fn world(files_max: u64, bytes_max: u64) -> World {
    let mut world = World::new().await;
    world.context.payments.file_quota = FileQuota { files_max, bytes_max };
    world
}

impl World {
    async fn awaiting_file(&self, key: &str) -> ConsentId {
        self.create(of_file(file_terms()), key).await.unwrap().id
    }

    async fn begin(&self, client: &str, consent: &ConsentId, bytes: u64) -> Result<FileUpload, Failure> {
        let announced = files::find_upload_consent(&self.context, &client.into(), consent, V3_1).await?;
        announced.begin_upload(&self.context, bytes).await
    }

    /// The number of bytes that acme's unused files use.
    async fn taken(&self) -> u64 {
        let look = |tx: &mut dyn ServerTransaction| Ok::<_, StoreError>(tx.uploads_unused(&acme())?.bytes);
        self.context.store.write(look).await.unwrap()
    }

    async fn reject(&self, id: &ConsentId) {
        let (inside, consent) = (self.context.clone(), self.consent(id).await);
        self.context.store.write(move |tx| reject_consent_in(tx, &inside, &consent, None)).await.unwrap();
    }
}

fn is_full<T: std::fmt::Debug>(begun: Result<T, Failure>) -> bool {
    matches!(refusal(begun).kind, RefusalKind::LimitReached { retry_after_secs } if retry_after_secs > 0)
}

#[tokio::test(flavor = "multi_thread")]
async fn rw_112_files_count_from_their_beginning_until_a_customer_agrees() {
    let world = world(2, 1_000).await;
    let (one, two, three) =
        (world.awaiting_file("a").await, world.awaiting_file("b").await, world.awaiting_file("c").await);
    let under_way = world.begin("acme", &one, 100).await.unwrap();
    assert_eq!(world.taken().await, 300, "with the payments that will be read from it");
    world.send(&two, "b", HASH, "100").await.unwrap();
    assert!(is_full(world.begin("acme", &three, 1).await), "by number");
    world.send(&two, "b", HASH, "100").await.unwrap();
    under_way.discard_upload().await;
    let taken = world.taken().await;
    assert!(taken > 100, "three bytes, and the payment read from them: {taken}");
    let fits = (1_000 - taken) / 3;
    assert!(is_full(world.begin("acme", &three, fits + 1).await), "by size");
    world.begin("acme", &three, fits).await.unwrap().discard_upload().await;
    world.agree(world.consent(&two).await, "amelia", "b-1").await;
    world.begin("acme", &three, 333).await.unwrap().discard_upload().await;
    assert!(is_full(world.begin("acme", &three, 334).await));
    assert_eq!(left_over(&world.context.store).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn rw_112_uploads_at_once_cannot_pass_the_quota_together() {
    for (files_max, bytes_max, fit) in [(3, 1_000_000, 3), (100, 135, 4)] {
        let world = world(files_max, bytes_max).await;
        let mut begun = Vec::new();
        for number in 0..12 {
            let consent = world.awaiting_file(&format!("k-{number}")).await;
            let context = world.context.clone();
            begun.push(tokio::spawn(async move {
                files::find_upload_consent(&context, &acme(), &consent, V3_1)
                    .await
                    .unwrap()
                    .begin_upload(&context, 10)
                    .await
            }));
        }
        let mut taken = Vec::new();
        for begun in begun {
            match begun.await.unwrap() {
                Ok(sending) => taken.push(sending),
                refused => assert!(is_full(refused)),
            }
        }
        assert_eq!(taken.len(), fit);
        for sending in taken {
            sending.discard_upload().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rw_112_a_file_whose_payments_exceed_the_estimate_needs_more_quota() {
    let world = world(9, 100).await;
    let consent = world.awaiting_file("a").await;
    assert!(is_full(world.send(&consent, "a", HASH, "100").await));
    assert_eq!((world.taken().await, left_over(&world.context.store).await), (0, vec![]), "nothing of it stays");
    assert_eq!(world.consent(&consent).await.state, ConsentState::AwaitingUpload, "it may be sent later");
}

#[tokio::test(flavor = "multi_thread")]
async fn file_020_files_of_ended_unused_consents_are_removed_order_files_kept() {
    let world = world(3, 10_000).await;
    let (rejected, waiting) = (world.awaiting_file("a").await, world.awaiting_file("b").await);
    world.send(&rejected, "a", HASH, "100\n200").await.unwrap();
    world.send(&waiting, "b", HASH, "100").await.unwrap();
    let ordered = world.agreed_file(&["100"], "c").await;
    world.place(&ordered, "c").await.unwrap();
    let given_back = async |id: &ConsentId| match files::download_file(&world.context, &acme(), id, V3_1).await {
        Ok(_) => true,
        refused => {
            assert_eq!(refusal(refused).kind, RefusalKind::NotFound);
            false
        }
    };
    world.reject(&rejected).await;
    world.clock.advance(world.context.payments.unused_files_after - SignedDuration::from_secs(1));
    purge_ended_rows(&world.context, &RetentionRules::default()).await.unwrap();
    assert!(given_back(&rejected).await, "FILE-020: in every later status");
    let four = world.awaiting_file("d").await;
    let too_large = (10_000 - world.taken().await) / 3 + 1;
    assert!(is_full(world.begin("acme", &four, too_large).await), "it is on the disk still");
    world.clock.advance(SignedDuration::from_secs(1));
    purge_ended_rows(&world.context, &RetentionRules::default()).await.unwrap();
    assert!(!given_back(&rejected).await);
    assert_eq!(world.consent(&rejected).await.state, ConsentState::Rejected, "all else of it stays");
    world.begin("acme", &four, too_large).await.unwrap().discard_upload().await;
    world.clock.advance(DAY * 400);
    let rules = RetentionRules { unauthorised_consents: DAY * 500, ..RetentionRules::default() };
    purge_ended_rows(&world.context, &rules).await.unwrap();
    assert!(given_back(&ordered.id).await && given_back(&waiting).await);
    purge_ended_rows(&world.context, &RetentionRules { files: DAY * 500, ..RetentionRules::default() }).await.unwrap();
    assert!(given_back(&ordered.id).await && !given_back(&waiting).await, "a consent that nobody authorised is gone");
}
