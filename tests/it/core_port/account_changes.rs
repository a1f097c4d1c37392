//! What becomes of an account at the bank reaches the TPPs that share it, once. Source: SET-032, AIS-082.

use super::people::{ACCOUNT, OF_THE_TEST, TrustingIdentity, bank_of_amelia};
use crate::harness::{Bank, CustomerAccess, Engine, access, until};
use crate::workers::rows::change;
use jiff::SignedDuration;
use lombard::server::Core;
use lombard_domain::event::AccountReason;
use lombard_ports::bank::{AccountChange, PaymentCall, StubBank};
use serde_json::json;
use std::sync::Arc;

/// A server in front of a bank whose changes the test writes, and a TPP that shares the account.
struct World {
    bank: Bank,
    core: Arc<StubBank>,
    shared: CustomerAccess,
}

fn brought(core: &Arc<StubBank>) -> Core {
    Core { bank: Arc::clone(core) as _, identity: Arc::new(TrustingIdentity), scheduler: None, quarantine: None }
}

impl World {
    async fn start(engine: Engine) -> Self {
        let core = Arc::new(bank_of_amelia());
        let mut bank = Bank::bare(engine).await;
        bank.restart_with_core(&OF_THE_TEST, brought(&core)).await;
        let shared = access(&bank.tpp("robot"), &["ReadAccountsBasic"]).await;
        Self { bank, core, shared }
    }

    fn happens(&self, number: u64, account: &str) {
        let at = self.bank.now();
        let reason = Some(AccountReason::Closure);
        let change = AccountChange { number, account: account.into(), at, reason, interaction_id: None };
        self.core.payment_script().account_changes.push(change);
    }

    /// How many events wait for the TPP beside that of the consent.
    async fn told(&self) -> usize {
        let poll = json!({"returnImmediately": true, "maxEvents": 100});
        // The server may have been started again, at other ports.
        let tpp = self.bank.tpp("robot");
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        let answer = tpp.poll_events(&own, &poll).await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json().unwrap()["sets"].as_object().unwrap().len() - 1
    }

    async fn told_in_time(&self, count: usize) {
        until(async || (self.told().await >= count).then_some(())).await;
        assert_eq!(self.told().await, count);
    }

    async fn acknowledged(&self) {
        until(async || self.core.payment_script().account_changes.is_empty().then_some(())).await;
    }
}

#[tokio::test]
async fn a_change_is_told_once_over_a_crash_before_its_acknowledgement() {
    for engine in Engine::at_hand() {
        let mut world = World::start(engine).await;
        world.core.payment_script().unavailable_calls.insert(PaymentCall::AcknowledgeAccountChanges);
        world.happens(1, ACCOUNT);
        world.told_in_time(1).await;
        world.bank.stop().await;
        world.core.payment_script().unavailable_calls.clear();
        world.bank.clock.advance(SignedDuration::from_mins(1));
        world.bank.restart_with_core(&OF_THE_TEST, brought(&world.core)).await;
        world.acknowledged().await;
        assert_eq!(world.told().await, 1);
        world.happens(2, ACCOUNT);
        world.acknowledged().await;
        world.told_in_time(2).await;
        world.bank.stop().await;
    }
}

#[tokio::test]
async fn a_change_that_cannot_be_told_holds_up_no_other_and_is_told_later() {
    for engine in Engine::at_hand() {
        let mut world = World::start(engine).await;
        let consent = world.shared.consent.clone();
        change(&world.bank, &format!("UPDATE consents SET terms = '{{' || terms WHERE id = '{consent}'")).await;
        world.happens(1, ACCOUNT);
        world.happens(2, "another");
        world.acknowledged().await;
        assert_eq!(world.told().await, 0);
        change(&world.bank, &format!("UPDATE consents SET terms = substr(terms, 2) WHERE id = '{consent}'")).await;
        world.bank.clock.advance(SignedDuration::from_mins(2));
        world.told_in_time(1).await;
        world.bank.stop().await;
    }
}
