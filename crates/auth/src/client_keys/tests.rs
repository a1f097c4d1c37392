//! Fetching of key sets over time: what is fetched again and when, and which keys are used meanwhile.

use super::*;
use crate::certificates::ClientCertificate;
use crate::testing::{Leaf, START, Tpp, foreign_key, jwks, tpp_key};
use async_trait::async_trait;
use lombard_jose::base64url;
use lombard_ports::clock::ManualClock;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const URL: &str = "https://keystore.example/acme.jwks";
const REVOKED_URL: &str = "https://keystore.example/revoked.jwks";

/// A key set address whose response a test sets, or that does not respond.
#[derive(Debug, Default)]
struct Address {
    document: Mutex<Option<String>>,
    revoked: Mutex<Option<String>>,
    /// Whether the address responds that nothing is there.
    is_absent: AtomicBool,
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
        if self.is_absent.load(Ordering::SeqCst) {
            return Err(KeySourceError::Absent);
        }
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

/// A registered client for whose software the directory also publishes revoked keys.
async fn registered() -> World {
    let mut world = World::new().await;
    world.client.jwks = Jwks::Remote(KeySetAddress { url: URL.into(), revoked_url: Some(REVOKED_URL.into()) });
    let client = world.client.clone();
    world.store.write::<_, StoreError, _>(move |tx| tx.client_insert(&client)).await.unwrap();
    world.publish(Some(jwks(&tpp_key())));
    *world.address.revoked.lock() = Some(KeySet::default().to_json());
    world.keys.refresh_key_sets().await.unwrap();
    assert_eq!(world.asked(), 1);
    world
}

impl World {
    fn revoke(&self, listed: Value) {
        *self.address.revoked.lock() = Some(json!({"keys": [listed]}).to_string());
    }

    /// Refreshes the key sets after this many seconds.
    async fn refreshed_after(&self, secs: i64) {
        self.pass(secs);
        self.keys.refresh_key_sets().await.unwrap();
    }

    fn is_revoked(&self, certificate: &ClientCertificate) -> bool {
        self.keys.is_revoked(&self.client, certificate)
    }
}

/// The P-256 key of a certificate.
fn key_of(certificate: &ClientCertificate) -> Value {
    let (_, parsed) = x509_parser::parse_x509_certificate(certificate.der()).unwrap();
    let point = parsed.public_key().subject_public_key.data.to_vec();
    json!({"kty": "EC", "crv": "P-256", "use": "tls", "x": base64url(&point[1..33]), "y": base64url(&point[33..])})
}

#[tokio::test]
async fn tls_006_a_directory_revocation_is_known_without_any_signed_message() {
    for by_key in [false, true] {
        let world = registered().await;
        let [revoked, other] = ["revoked", "other"].map(|org| Leaf::obwac(org).certificate());
        let thumbprint = json!({"kty": "RSA", "x5t#S256": base64url(&revoked.thumbprint().0)});
        world.revoke(if by_key { key_of(&revoked) } else { thumbprint });
        world.refreshed_after(49 * 60).await;
        assert!(!world.is_revoked(&revoked) && world.asked() == 1);
        world.refreshed_after(60).await;
        assert!(world.is_revoked(&revoked) && !world.is_revoked(&other), "by key: {by_key}");
        // Neither an unavailable address nor a restart undoes a revocation.
        *world.address.revoked.lock() = None;
        world.refreshed_after(30 * 3_600).await;
        assert!(world.is_revoked(&revoked));
        let world = world.restarted();
        world.keys.load_key_sets().await.unwrap();
        assert!(world.is_revoked(&revoked) && !world.is_revoked(&other), "before anything is fetched");
        world.keys.refresh_key_sets().await.unwrap();
        assert!(world.is_revoked(&revoked) && !world.is_revoked(&other));
        assert!(world.of(None).await.is_none(), "AS-009: keys that are older than a day verify nothing");
        world.revoke(json!({}));
        world.refreshed_after(60).await;
        assert!(!world.is_revoked(&revoked), "what is not listed any more is not revoked");
    }
}

#[tokio::test]
async fn tls_006_what_was_revoked_stays_so_however_many_other_key_sets_are_read() {
    let world = registered().await;
    let revoked = Leaf::obwac("revoked").certificate();
    world.revoke(json!({"kty": "RSA", "x5t#S256": base64url(&revoked.thumbprint().0)}));
    world.refreshed_after(50 * 60).await;
    assert!(world.is_revoked(&revoked));
    for number in 0..3 * KEY_SETS_MAX {
        let url = format!("https://keystore.example/other/{number}.jwks");
        world.keys.entry(&KeySetAddress { url, revoked_url: None });
    }
    assert!(world.is_revoked(&revoked), "the key set of a client is not evicted");
}

#[tokio::test]
async fn as_183_a_set_with_too_many_keys_is_not_taken_over() {
    let world = World::new().await;
    let key: Value = serde_json::from_str(&jwks(&tpp_key())).unwrap();
    let sets = |count: usize| json!({"keys": vec![key["keys"][0].clone(); count]}).to_string();
    world.publish(Some(sets(51)));
    assert!(world.of(None).await.is_none());
    world.pass(60);
    world.publish(Some(sets(50)));
    assert_eq!(world.of(None).await.unwrap().iter().count(), 1, "the same key is one candidate");
}

#[tokio::test]
async fn dcr_044_software_is_withdrawn_without_published_keys_for_a_day() {
    let world = registered().await;
    let is_withdrawn = |world: &World| world.keys.is_withdrawn(&world.client);
    assert!(!is_withdrawn(&world));
    world.publish(Some(KeySet::default().to_json()));
    world.refreshed_after(50 * 60).await;
    let none = async |world: &World| world.of(None).await.is_none_or(|keys| keys.is_empty());
    assert!(none(&world).await && !is_withdrawn(&world), "no key verifies anything, and it may be a mistake");
    world.refreshed_after(23 * 3_600).await;
    assert!(!is_withdrawn(&world));
    let world = world.restarted();
    world.keys.load_key_sets().await.unwrap();
    assert!(!is_withdrawn(&world));
    world.refreshed_after(3_600 - 60).await;
    assert!(!is_withdrawn(&world));
    world.refreshed_after(60).await;
    assert!(none(&world).await && is_withdrawn(&world), "a day after it was first seen, whatever was fetched since");
    let world = world.restarted();
    world.keys.load_key_sets().await.unwrap();
    assert!(is_withdrawn(&world), "after a start as well");
    world.publish(Some(jwks(&tpp_key())));
    world.pass(60);
    assert!(world.of(Some(tpp_key().id().as_str())).await.is_some() && !is_withdrawn(&world), "it is back");
    // All of its keys are revoked.
    world.revoke(serde_json::from_str::<Value>(&jwks(&tpp_key())).unwrap()["keys"][0].clone());
    world.refreshed_after(50 * 60).await;
    assert!(is_withdrawn(&world), "at once");

    let world = registered().await;
    world.publish(None);
    world.refreshed_after(25 * 3_600).await;
    assert!(!is_withdrawn(&world), "a directory that is down withdraws nobody");
    let world = registered().await;
    world.address.is_absent.store(true, Ordering::SeqCst);
    world.refreshed_after(23 * 3_600).await;
    assert!(!is_withdrawn(&world), "it may be a mistake");
    world.refreshed_after(3_600).await;
    assert!(is_withdrawn(&world));
    let world = world.restarted();
    world.keys.refresh_key_sets().await.unwrap();
    assert!(is_withdrawn(&world), "after a start as well");
}
