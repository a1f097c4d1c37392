//! The keyring over real storage, as time passes.

mod certified;
mod imports;
mod retirement;

use super::*;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::KeyId;
use lombard_jose::{KeySet, Sealer, SigningKey};
use lombard_ports::clock::{Clock, Clocks, ManualClock};
use lombard_ports::store::{KeyOrigin, Store, StoreError};
use serde_json::Value;
use std::sync::Arc;

const MINUTE: SignedDuration = SignedDuration::from_mins(1);
const HOUR: SignedDuration = SignedDuration::from_hours(1);
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// A store and a clock that several nodes share.
struct Bank {
    store: Store,
    clock: ManualClock,
}

impl Bank {
    async fn new() -> Self {
        let clock = ManualClock::starting_at(Timestamp::from_second(1_800_000_000).unwrap());
        Self { store: lombard_store::open_temporary_store().await.unwrap(), clock }
    }

    async fn node(&self) -> Keyring {
        self.try_node([7; 32]).await.unwrap()
    }

    async fn try_node(&self, key: [u8; 32]) -> Result<Keyring, KeysError> {
        Keyring::load_keys(&self.store, Arc::new(Sealer::from_key(key)), &Clocks::new(Arc::new(self.clock.clone())))
            .await
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Lets time pass, then refreshes the keys of every node.
    async fn pass(&self, time: SignedDuration, nodes: &[&Keyring]) {
        self.clock.advance(time);
        for node in nodes {
            node.refresh_keys().await.unwrap();
        }
    }
}

fn key(name: &str) -> SigningKey {
    SigningKey::generate().unwrap().with_id(KeyId::from(name))
}

fn active(ring: &Keyring) -> Option<String> {
    ring.active_key().ok().map(|active| active.key.id().to_string())
}

/// The ids of the published keys.
fn published(ring: &Keyring) -> Vec<String> {
    let document: Value = serde_json::from_str(&ring.jwks()).unwrap();
    let ids: Vec<_> =
        document["keys"].as_array().unwrap().iter().map(|jwk| jwk["kid"].as_str().unwrap().to_owned()).collect();
    let verifying: Vec<_> = ring.verification_keys().iter().map(|key| key.id().unwrap().to_string()).collect();
    assert_eq!(ids, verifying, "what is published is what we verify with");
    ids
}

#[tokio::test]
async fn as_008_a_rotation_along_its_time_line() {
    let bank = Bank::new().await;
    let ring = bank.node().await;
    assert!(ring.is_empty());
    assert!(matches!(ring.active_key(), Err(KeysError::NoneActive)));
    ring.add_key(key("old"), vec![], PUBLISHED_BEFORE_USE).await.unwrap();
    assert_eq!(active(&ring).as_deref(), Some("old"), "the first key signs at once");

    bank.pass(DAY, &[&ring]).await;
    ring.add_key(key("new"), vec![], PUBLISHED_BEFORE_USE).await.unwrap();
    // Time that passes, who signs then, who is published then.
    let table: [(SignedDuration, &str, &[&str]); 6] = [
        (SignedDuration::ZERO, "old", &["old", "new"]),
        (HOUR - SignedDuration::from_micros(1), "old", &["old", "new"]),
        (SignedDuration::from_micros(1), "new", &["old", "new"]),
        (DAY * 7 - SignedDuration::from_micros(1), "new", &["old", "new"]),
        (SignedDuration::from_micros(1), "new", &["new"]),
        (DAY * 1000, "new", &["new"]),
    ];
    for (row, (time, signs, shown)) in table.into_iter().enumerate() {
        bank.pass(time, &[&ring]).await;
        assert_eq!(
            (active(&ring).as_deref(), published(&ring)),
            (Some(signs), shown.iter().map(|id| (*id).to_owned()).collect()),
            "row {row}"
        );
    }
}

#[tokio::test]
async fn the_change_needs_no_refresh() {
    let bank = Bank::new().await;
    let ring = bank.node().await;
    ring.add_key(key("old"), vec![], HOUR).await.unwrap();
    ring.add_key(key("new"), vec![], HOUR).await.unwrap();
    bank.clock.advance(HOUR);
    assert_eq!(active(&ring).as_deref(), Some("new"));
}

#[tokio::test]
async fn nodes_share_keys_and_change_over_together() {
    let bank = Bank::new().await;
    let (one, other) = (bank.node().await, bank.node().await);
    one.add_key(key("old"), vec![], HOUR).await.unwrap();
    bank.pass(MINUTE, &[&one, &other]).await;
    one.add_key(key("new"), vec![], HOUR).await.unwrap();
    bank.pass(MINUTE, &[&other]).await;
    assert_eq!((active(&one), active(&other)), (Some("old".into()), Some("old".into())));
    assert_eq!(one.jwks(), other.jwks());
    bank.clock.advance(HOUR);
    assert_eq!((active(&one), active(&other)), (Some("new".into()), Some("new".into())));
    // What one signs the other verifies, and a node that starts later can sign with it too.
    let third = bank.node().await;
    let signature = third.active_key().unwrap().key.sign_ps256(b"message").unwrap();
    let keys = other.verification_keys();
    assert!(keys.candidates(Some("new")).all(|key| key.verify_ps256(b"message", &signature)));
    assert_eq!(keys.candidates(Some("new")).count(), 1);
}

#[tokio::test]
async fn of_nodes_that_start_together_one_brings_the_first_key() {
    let bank = Bank::new().await;
    let (one, other) = (bank.node().await, bank.node().await);
    let (first, second) = tokio::join!(one.add_first_key(key("a"), vec![]), other.add_first_key(key("b"), vec![]));
    first.unwrap();
    second.unwrap();
    bank.pass(MINUTE, &[&one, &other]).await;
    assert_eq!(published(&one).len(), 1);
    assert_eq!(active(&one), active(&other));
    assert!(!one.is_empty());
}

#[tokio::test]
async fn as_008_emergency_removal_is_immediate() {
    let bank = Bank::new().await;
    let ring = bank.node().await;
    ring.add_key(key("stolen"), vec![], HOUR).await.unwrap();
    ring.add_key(key("fresh"), vec![], SignedDuration::ZERO).await.unwrap();
    assert_eq!(active(&ring).as_deref(), Some("fresh"));
    ring.withdraw_key(&KeyId::from("stolen")).await.unwrap();
    assert_eq!((active(&ring).as_deref(), published(&ring)), (Some("fresh"), vec!["fresh".to_owned()]));
    assert!(matches!(ring.withdraw_key(&KeyId::from("stolen")).await, Err(KeysError::Unknown(_))));
}

#[tokio::test]
async fn the_key_before_signs_again_when_its_successor_is_taken_back() {
    let bank = Bank::new().await;
    let ring = bank.node().await;
    ring.add_key(key("old"), vec![], HOUR).await.unwrap();
    ring.add_key(key("bad"), vec![], HOUR).await.unwrap();
    // Before the change: it simply never happens.
    ring.withdraw_key(&KeyId::from("bad")).await.unwrap();
    bank.pass(DAY, &[&ring]).await;
    assert_eq!((active(&ring).as_deref(), published(&ring)), (Some("old"), vec!["old".to_owned()]));
    // After it: the old key, retired by now, takes over, and is not removed when its week would have ended.
    ring.add_key(key("worse"), vec![], HOUR).await.unwrap();
    bank.pass(DAY, &[&ring]).await;
    ring.withdraw_key(&KeyId::from("worse")).await.unwrap();
    assert_eq!(active(&ring).as_deref(), Some("old"));
    bank.pass(DAY * 30, &[&ring]).await;
    assert_eq!((active(&ring).as_deref(), published(&ring)), (Some("old"), vec!["old".to_owned()]));
}

#[tokio::test]
async fn with_no_key_left_a_new_one_signs_at_once() {
    let bank = Bank::new().await;
    let ring = bank.node().await;
    ring.add_key(key("only"), vec![], HOUR).await.unwrap();
    ring.withdraw_key(&KeyId::from("only")).await.unwrap();
    assert!(ring.is_empty() && active(&ring).is_none());
    ring.add_key(key("next"), vec![], HOUR).await.unwrap();
    assert_eq!(active(&ring).as_deref(), Some("next"));
}

#[tokio::test]
async fn as_007_the_published_keys_show_certificates_and_nothing_private() {
    let bank = Bank::new().await;
    let ring = bank.node().await;
    ring.add_key(key("k"), vec![b"leaf".to_vec(), b"authority".to_vec()], HOUR).await.unwrap();
    let document: Value = serde_json::from_str(&ring.jwks()).unwrap();
    assert_eq!(document["keys"][0]["x5c"].as_array().unwrap().len(), 2);
    assert!(document["keys"][0]["x5t#S256"].is_string());
    assert_eq!(ring.active_key().unwrap().chain, [b"leaf".to_vec(), b"authority".to_vec()]);
    // Our own reader refuses private members.
    assert_eq!(KeySet::parse(&ring.jwks()).unwrap().candidates(Some("k")).count(), 1);
}

#[tokio::test]
async fn private_keys_are_sealed_in_storage() {
    let bank = Bank::new().await;
    let key = key("k");
    let der = key.pkcs8_der().unwrap();
    bank.node().await.add_key(key, vec![], HOUR).await.unwrap();
    let stored = bank.store.read::<_, StoreError, _>(|tx| tx.keys()).await.unwrap();
    assert_eq!(stored.len(), 1);
    assert!(!stored[0].sealed.windows(32).any(|window| der.windows(32).any(|part| part == window)));
}

#[tokio::test]
async fn a_wrong_key_encryption_key_names_the_key_and_the_setting() {
    let bank = Bank::new().await;
    bank.node().await.add_key(key("k-2027"), vec![], HOUR).await.unwrap();
    let error = bank.try_node([8; 32]).await.unwrap_err();
    assert!(matches!(&error, KeysError::Sealed { kid } if kid.as_str() == "k-2027"));
    let text = error.to_string();
    assert!(text.contains("k-2027") && text.contains("signing.key_encryption_key_file"), "{text}");
}

#[tokio::test]
async fn a_sealed_key_moved_to_another_row_stays_shut() {
    let bank = Bank::new().await;
    let ring = bank.node().await;
    ring.add_key(key("a"), vec![], HOUR).await.unwrap();
    let moved = bank
        .store
        .write(|tx| {
            let mut key = tx.keys()?.remove(0);
            key.id = KeyId::from("b");
            tx.key_insert(&key)
        })
        .await;
    moved.unwrap();
    bank.pass(HOUR, &[&ring]).await;
    for node in [ring, bank.node().await] {
        node.refresh_keys().await.unwrap();
        assert_eq!((active(&node).as_deref(), published(&node)), (Some("a"), vec!["a".to_owned()]));
    }
}

#[tokio::test]
async fn an_id_that_is_taken_is_refused() {
    let bank = Bank::new().await;
    let ring = bank.node().await;
    ring.add_key(key("a"), vec![], HOUR).await.unwrap();
    let again = ring.add_key(key("a"), vec![], HOUR).await;
    assert!(matches!(again, Err(KeysError::Store(StoreError::Duplicate(_)))));
}
