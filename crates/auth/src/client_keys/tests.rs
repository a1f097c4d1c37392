//! Fetching along the time line: what is asked for again, when, and what is used meanwhile.

use super::*;
use crate::testing::{START, Tpp, foreign_key, jwks, tpp_key};
use async_trait::async_trait;
use lombard_ports::clock::ManualClock;
use lombard_ports::key_source::KeySourceError;
use std::sync::atomic::{AtomicUsize, Ordering};

const URL: &str = "https://keystore.example/acme.jwks";
const REVOKED_URL: &str = "https://keystore.example/revoked.jwks";

/// An address that answers what it is told to, or nothing.
#[derive(Debug, Default)]
struct Address {
    document: Mutex<Option<String>>,
    revoked: Mutex<Option<String>>,
    asked: AtomicUsize,
}

#[async_trait]
impl KeySource for Address {
    async fn fetch_key_set(&self, url: &str) -> Result<String, KeySourceError> {
        let document = if url == REVOKED_URL {
            &self.revoked
        } else {
            self.asked.fetch_add(1, Ordering::SeqCst);
            &self.document
        };
        tokio::task::yield_now().await;
        document.lock().clone().ok_or_else(|| KeySourceError::Unavailable("silent".into()))
    }
}

struct World {
    address: Arc<Address>,
    clock: ManualClock,
    store: Store,
    keys: ClientKeys,
    client: Client,
}

impl World {
    async fn new() -> Self {
        let (address, store) = (Arc::new(Address::default()), lombard_store::open_temporary_store().await.unwrap());
        let clock = ManualClock::starting_at(Timestamp::from_second(START).unwrap());
        let keys = ClientKeys::new(address.clone(), store.clone(), Clocks::new(Arc::new(clock.clone())));
        let jwks = Jwks::Remote(KeySetAddress { url: URL.into(), revoked_url: None });
        Self { address, clock, store, keys, client: Client { jwks, ..Tpp::new("acme").client } }
    }

    /// A node that has just started on the same database.
    fn restarted(self) -> Self {
        let clocks = Clocks::new(Arc::new(self.clock.clone()));
        Self { keys: ClientKeys::new(self.address.clone(), self.store.clone(), clocks), ..self }
    }

    fn publish(&self, document: Option<String>) {
        *self.address.document.lock() = document;
    }

    async fn of(&self, kid: Option<&str>) -> Option<Arc<KeySet>> {
        self.keys.keys_of_client(&self.client, kid).await
    }

    fn asked(&self) -> usize {
        self.address.asked.load(Ordering::SeqCst)
    }

    fn pass(&self, secs: i64) {
        self.clock.advance(SignedDuration::from_secs(secs));
    }
}

#[tokio::test]
async fn as_009_fetched_keys_are_used_for_an_hour() {
    let world = World::new().await;
    world.publish(Some(jwks(&tpp_key())));
    for _ in 0..3 {
        assert_eq!(world.of(None).await.unwrap().iter().count(), 1);
    }
    world.pass(3_599);
    assert!(world.of(None).await.is_some());
    assert_eq!(world.asked(), 1);
    world.pass(1);
    assert!(world.of(None).await.is_some());
    assert_eq!(world.asked(), 2);
}

#[tokio::test]
async fn as_009_an_unknown_kid_asks_again_once_a_minute() {
    let world = World::new().await;
    let (old, new) = (tpp_key(), foreign_key());
    world.publish(Some(jwks(&old)));
    assert!(world.of(Some(old.id().as_str())).await.is_some());
    world.publish(Some(jwks(&new)));
    let knows = async |kid: &str| world.of(Some(kid)).await.unwrap().candidates(Some(kid)).next().is_some();
    assert!(!knows(new.id().as_str()).await, "it was asked a moment ago");
    world.pass(59);
    assert!(!knows(new.id().as_str()).await);
    assert_eq!(world.asked(), 1);
    world.pass(1);
    assert!(knows(new.id().as_str()).await);
    for _ in 0..100 {
        assert!(!knows("nobody's").await, "strangers cannot make us ask");
    }
    assert_eq!(world.asked(), 2);
}

#[tokio::test]
async fn as_009_the_last_good_keys_work_for_a_day_without_their_address() {
    let world = World::new().await;
    world.publish(Some(jwks(&tpp_key())));
    assert!(world.of(None).await.is_some());
    for broken in [None, Some("no key set".to_owned()), Some(r#"{"keys":[{"kty":"oct","k":"x"}]}"#.to_owned())] {
        world.publish(broken);
        world.pass(7_200);
        assert!(world.of(None).await.is_some());
    }
    assert_eq!(world.asked(), 4);
    world.pass(24 * 3_600 - 3 * 7_200 - 1);
    assert!(world.of(None).await.is_some());
    world.pass(1);
    assert!(world.of(None).await.is_none(), "a day has passed");
    world.publish(Some(jwks(&tpp_key())));
    world.pass(60);
    assert!(world.of(None).await.is_some());
}

#[tokio::test]
async fn as_009_a_silent_address_is_asked_once_a_minute() {
    let world = World::new().await;
    for _ in 0..3 {
        assert!(world.of(None).await.is_none());
    }
    assert_eq!(world.asked(), 1);
    world.pass(60);
    assert!(world.of(None).await.is_none());
    assert_eq!(world.asked(), 2);
}

#[tokio::test]
async fn as_009_many_at_once_ask_once() {
    let world = World::new().await;
    world.publish(Some(jwks(&tpp_key())));
    let all = (0..16).map(|_| {
        let (keys, client) = (world.keys.clone(), world.client.clone());
        tokio::spawn(async move { keys.keys_of_client(&client, None).await.is_some() })
    });
    for one in all.collect::<Vec<_>>() {
        assert!(one.await.unwrap());
    }
    assert_eq!(world.asked(), 1);
}

#[tokio::test]
async fn as_009_local_keys_are_parsed_once_and_anew_when_they_change() {
    let mut world = World::new().await;
    world.client.jwks = Jwks::Local(jwks(&tpp_key()));
    let first = world.of(None).await.unwrap();
    assert!(Arc::ptr_eq(&first, &world.of(Some("whatever")).await.unwrap()));
    world.client.jwks = Jwks::Local(jwks(&foreign_key()));
    let second = world.of(None).await.unwrap();
    assert_eq!(second.iter().next().unwrap().id(), Some(foreign_key().id()));
    assert_eq!(world.asked(), 0);
}

#[tokio::test]
async fn as_009_the_last_good_keys_work_for_a_day_after_a_restart() {
    let world = World::new().await;
    world.publish(Some(jwks(&tpp_key())));
    assert!(world.of(None).await.is_some());
    world.publish(None);
    let world = world.restarted();
    assert!(world.of(None).await.is_some());
    assert_eq!(world.asked(), 1, "they are younger than an hour");
    world.pass(24 * 3_600 - 1);
    let world = world.restarted();
    assert!(world.of(None).await.is_some());
    world.pass(1);
    assert!(world.restarted().of(None).await.is_none(), "a day has passed");
}

#[tokio::test]
async fn as_009_revoked_keys_verify_nothing() {
    let mut world = World::new().await;
    let (good, revoked) = (tpp_key(), foreign_key());
    let both = KeySet::from_iter([good.public().clone(), revoked.public().clone()]).to_json();
    world.client.jwks = Jwks::Remote(KeySetAddress { url: URL.into(), revoked_url: Some(REVOKED_URL.into()) });
    world.publish(Some(both));
    assert!(world.of(None).await.is_none(), "which keys were revoked is not known");
    *world.address.revoked.lock() = Some(jwks(&revoked));
    world.pass(60);
    let keys = world.of(None).await.unwrap();
    assert_eq!(keys.iter().filter_map(|key| key.id()).collect::<Vec<_>>(), [good.id()]);
}

#[tokio::test]
async fn as_009_clients_of_one_software_share_its_key_set() {
    let world = World::new().await;
    world.publish(Some(jwks(&tpp_key())));
    assert!(world.of(None).await.is_some());
    let other = Client { id: "client-other".into(), ..world.client.clone() };
    assert!(world.keys.keys_of_client(&other, None).await.is_some());
    assert_eq!(world.asked(), 1);
}
