//! Status updates that a core pushes are applied like those that are fetched, and only its own are.

use super::people::{OF_THE_TEST, TrustingIdentity, bank_of_amelia};
use crate::harness::{Bank, Engine, PayingTpp, ValueExt, until};
use lombard::server::Core;
use lombard_core_api::calls::{AppliedUpdates, PUSH_PATH, PUSH_TYPE, PushedUpdates, read_message, write_message};
use lombard_domain::ids::{KeyId, OrderId};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::RejectionReason;
use lombard_jose::{JoseHeader, SigningKey, sign_compact};
use lombard_ports::bank::{OrderUpdate, StatusUpdate, StubBank};
use lombard_tpp::{HttpCall, HttpExchange};
use serde_json::json;
use std::sync::Arc;

/// A server that knows the core's key, and an order at the core.
struct World {
    bank: Bank,
    paying: PayingTpp,
    key: SigningKey,
    order: OrderId,
}

impl World {
    async fn start(engine: Engine) -> Self {
        Self::start_with(engine, &[]).await
    }

    async fn start_with(engine: Engine, more: &[(&str, &str)]) -> Self {
        let core: Arc<StubBank> = Arc::new(bank_of_amelia());
        let mut bank = Bank::bare(engine).await;
        let key = SigningKey::generate().unwrap().with_id(KeyId::from("core-1"));
        let file = bank.data_dir().join("core-keys.json");
        std::fs::write(&file, json!({"keys": [key.public().to_jwk(&[])]}).to_string()).unwrap();
        let file = file.display().to_string();
        let settings = [&OF_THE_TEST[..], &[("bank.push_keys_file", file.as_str())], more].concat();
        let brought = Core {
            bank: Arc::clone(&core) as _,
            identity: Arc::new(TrustingIdentity),
            scheduler: None,
            quarantine: None,
        };
        bank.restart_with_core(&settings, brought).await;
        let paying = PayingTpp::robot(&bank).await;
        let agreed = paying.agreed(PaymentProduct::DomesticPayment).await;
        let (order, _) = paying.ordered(&agreed).await;
        until(async || (!core.payment_script().orders.is_empty()).then_some(())).await;
        Self { bank, paying, key, order: order.into() }
    }

    fn update(&self, number: u32, change: OrderUpdate) -> StatusUpdate {
        StatusUpdate { order: self.order.clone(), number, at: self.bank.now(), change }
    }

    async fn claims(&self, updates: Vec<StatusUpdate>) -> PushedUpdates {
        let now = self.bank.now().as_second();
        PushedUpdates {
            issuer: "core".to_owned(),
            audience: self.paying.tpp.discovery().await.unwrap().issuer.clone(),
            issued_at: now,
            expires_at: now + 300,
            id: self.paying.tpp.new_idempotency_key(),
            updates,
        }
    }

    fn sign(key: &SigningKey, claims: &PushedUpdates) -> String {
        sign_compact(key, &JoseHeader::ps256(key.id()).typ(PUSH_TYPE), &write_message(claims)).unwrap()
    }

    async fn send(&self, token: &str) -> HttpExchange {
        let url = format!("{}{PUSH_PATH}", self.bank.endpoints().public);
        let call = HttpCall::post(url).with_header("content-type", "application/jose").with_body(token.to_owned());
        self.paying.tpp.send(call).await.unwrap()
    }

    /// Pushes updates, and returns up to which number those of the order are applied.
    async fn push(&self, updates: Vec<StatusUpdate>) -> Vec<u32> {
        let answer = self.send(&Self::sign(&self.key, &self.claims(updates).await)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let applied: AppliedUpdates = read_message(&answer.body).unwrap();
        assert!(applied.applied.iter().all(|(order, _)| *order == self.order), "{applied:?}");
        applied.applied.into_iter().map(|(_, number)| number).collect()
    }

    async fn status(&self) -> String {
        let order = self.paying.order_now(PaymentProduct::DomesticPayment, self.order.as_str()).await;
        order["Data"].text("Status").to_owned()
    }
}

const REJECTED: OrderUpdate = OrderUpdate::Refused(RejectionReason::NotGiven);

#[tokio::test]
async fn pushed_updates_are_applied_in_sequence_and_once() {
    for engine in Engine::at_hand() {
        let mut world = World::start(engine).await;
        let times = || OrderUpdate::TimesChanged { execution_at: None, settlement_at: None };
        assert_eq!(world.push(vec![world.update(2, REJECTED)]).await, [0; 0], "the first is missing");
        assert_eq!(world.status().await, "Pending");
        assert_eq!(world.push(vec![world.update(1, times())]).await, [1]);
        assert_eq!(world.push(vec![world.update(1, times())]).await, [1], "it comes again");
        let reordered = vec![world.update(2, REJECTED), world.update(1, times())];
        assert_eq!(world.push(reordered).await, [2]);
        assert_eq!(world.status().await, "Rejected");
        assert_eq!(world.push(Vec::new()).await, [0; 0]);
        world.bank.stop().await;
    }
}

#[tokio::test]
async fn what_the_core_did_not_sign_for_this_server_and_now_is_refused() {
    let mut world = World::start(Engine::Sqlite).await;
    let claims = world.claims(vec![world.update(1, REJECTED)]).await;
    let stranger = SigningKey::generate().unwrap().with_id(KeyId::from("core-1"));
    let token = World::sign(&world.key, &claims);
    let (head, rest) = token.split_once('.').unwrap();
    let (payload, _) = rest.split_once('.').unwrap();
    let none = lombard_jose::base64url(format!(r#"{{"alg":"none","typ":"{PUSH_TYPE}"}}"#).as_bytes());
    let changed = |change: fn(&mut PushedUpdates)| {
        let mut claims = claims.clone();
        change(&mut claims);
        World::sign(&world.key, &claims)
    };
    for (token, status) in [
        (format!("{none}.{payload}."), 401),
        (format!("{head}.{payload}.AAAA"), 401),
        (World::sign(&stranger, &claims), 401),
        (changed(|it| it.audience = "https://other.example".to_owned()), 401),
        (changed(|it| (it.issued_at, it.expires_at) = (it.issued_at - 600, it.issued_at - 300)), 401),
        (changed(|it| it.expires_at += 1), 401),
        ("{}".to_owned(), 400),
        (String::new(), 400),
        ("a".repeat(2 * 1024 * 1024), 413),
    ] {
        let answer = world.send(&token).await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.text());
    }
    assert_eq!(world.status().await, "Pending");
    assert_eq!(world.send(&token).await.status, 200);
    assert_eq!(world.send(&token).await.status, 401, "its id was used");
    assert_eq!(world.status().await, "Rejected");
    world.bank.stop().await;
}

#[tokio::test]
async fn only_what_the_core_did_not_sign_counts_against_its_address() {
    let failures = [("rates.failures_per_s", "1"), ("rates.burst_secs", "1")];
    let mut world = World::start_with(Engine::Sqlite, &failures).await;
    let claims = world.claims(vec![world.update(1, REJECTED)]).await;
    let refused: [fn(&mut PushedUpdates); 4] = [
        |it| it.audience = "https://other.example".to_owned(),
        |it| (it.issued_at, it.expires_at) = (it.issued_at - 600, it.issued_at - 300),
        |it| (it.issued_at, it.expires_at) = (it.issued_at + 60, it.expires_at + 60),
        |it| it.expires_at += 1,
    ];
    for change in refused.into_iter().cycle().take(8) {
        let mut claims = claims.clone();
        change(&mut claims);
        let answer = world.send(&World::sign(&world.key, &claims)).await;
        assert_eq!(answer.status, 401, "{}", answer.text());
    }
    let stranger = SigningKey::generate().unwrap().with_id(KeyId::from("core-1"));
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(world.send(&World::sign(&stranger, &claims)).await.status.as_u16());
    }
    assert_eq!((statuses[0], statuses[2]), (401, 429), "{statuses:?}");
    world.bank.stop().await;
}

#[tokio::test]
async fn without_keys_nobody_can_push() {
    let bank = Bank::start().await;
    let url = format!("{}{PUSH_PATH}", bank.endpoints().public);
    let call = HttpCall::post(url).with_header("content-type", "application/jose").with_body("a.b.c");
    assert_eq!(bank.tpp("robot").send(call).await.unwrap().status, 404);
}
