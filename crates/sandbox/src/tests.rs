//! Tests of the seeded bank on a real database engine: the bank port's contract, balanced ledgers, single seeding, and logins.

mod scheduler;

use crate::SandboxIdentity;
use crate::controls::BuiltInCustomers;
use crate::seed::{self, NoSeedProgress, SeedProgress};
use jiff::{SignedDuration, Timestamp};
use lombard_corebank::BuiltInBank;
use lombard_corebank::storage::BankStore;
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::ids::{BankAccountId, JourneyId, PsuId};
use lombard_domain::ledger::LedgerSums;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::page::ListWindow;
use lombard_domain::payment::transfer::NamedAccount;
use lombard_ports::bank::{Bank, CallContext, EntryFilter, TimeRange, contract};
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::identity::contract::{IdentityUnderTest, check_identity_provider};
use lombard_ports::identity::{AuthenticationFactor, AuthenticationPurpose, IdentityProvider, PageLogin};
use lombard_ports::store::StoreError;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const SEED: u64 = 42;

fn bank_now() -> Timestamp {
    "2026-02-28T16:45:10Z".parse().unwrap()
}

fn bank_on(store: &BankStore) -> BuiltInBank {
    BuiltInBank::new(store.clone(), Clocks::new(Arc::new(ManualClock::starting_at(bank_now()))))
}

async fn seeded() -> BankStore {
    let store = lombard_corebank::open_temporary_store().await.unwrap();
    seed::seed_sandbox(&store, bank_now(), SEED, &NoSeedProgress).await.unwrap();
    store
}

async fn accounts_of(store: &BankStore, login: &'static str) -> Vec<BankAccountId> {
    let records = store.read(move |tx| tx.bank_accounts_of(&PsuId::from(login))).await.unwrap();
    records.into_iter().map(|record| record.account.id).collect()
}

#[tokio::test]
async fn the_built_in_bank_keeps_the_contract_of_the_port() {
    let store = seeded().await;
    let mut withheld = accounts_of(&store, "esther").await;
    assert_eq!(withheld.len(), 2);
    withheld.push(BankAccountId::from("no such account"));
    for psu in ["amelia", "bashir", "chloe"] {
        let facts = contract::BankFacts { psu: psu.into(), nobody: "esther".into(), withheld: withheld.clone() };
        contract::check_bank_contract(&bank_on(&store), &facts).await.unwrap();
    }
}

#[tokio::test]
async fn ais_082_a_closed_account_drops_out_and_the_others_stay() {
    let store = seeded().await;
    let bank = bank_on(&store);
    let before = bank.eligible_accounts(&CallContext::default(), &"amelia".into()).await.unwrap();
    let closed = before[0].id.clone();
    let id = closed.clone();
    store
        .write(move |tx| {
            let mut record = tx.bank_accounts(std::slice::from_ref(&id))?.remove(0);
            record.account.status = lombard_domain::account::AccountStatus::Deleted;
            tx.bank_account_update(&record)
        })
        .await
        .unwrap();
    let open = bank.eligible_accounts(&CallContext::default(), &"amelia".into()).await.unwrap();
    assert_eq!(open, before[1..]);
    let ids: Vec<_> = before.iter().map(|account| account.id.clone()).collect();
    assert_eq!(bank.list_accounts(&CallContext::default(), &ids).await.unwrap(), before[1..]);
    assert!(
        bank.list_balances(&CallContext::default(), &ids)
            .await
            .unwrap()
            .iter()
            .all(|balance| balance.account != closed)
    );
}

#[tokio::test]
async fn the_ledger_sums_to_zero_in_every_currency() {
    let store = seeded().await;
    let totals = store.read(|tx| tx.ledger_totals()).await.unwrap();
    assert!(totals.len() >= 3, "pounds, euros and dollars: {totals:?}");
    assert!(totals.iter().all(|(_, sums)| *sums == LedgerSums::default()), "{totals:?}");
}

#[tokio::test]
async fn pending_sums_are_the_sums_of_pending_entries() {
    let store = seeded().await;
    let bank = bank_on(&store);
    for login in ["amelia", "bashir", "deepak"] {
        for id in accounts_of(&store, login).await {
            let asked = id.clone();
            let sums = store.read(move |tx| tx.ledger_sums(std::slice::from_ref(&asked))).await.unwrap()[0];
            let filter = EntryFilter::for_accounts(vec![id]);
            let entries = bank
                .list_transactions(&CallContext::default(), &filter, TimeRange::ALWAYS, &ListWindow::first_page(1_000))
                .await
                .unwrap()
                .page
                .items;
            let pending = entries.iter().filter(|entry| entry.status.is_expected());
            assert_eq!(pending.map(|entry| entry.sum.minor()).sum::<i64>(), sums.pending);
        }
    }
}

#[derive(Debug, Default)]
struct Counted {
    total: AtomicU64,
    done: AtomicU64,
}

impl SeedProgress for Counted {
    fn set_total(&self, steps: u64) {
        self.total.fetch_add(steps, Ordering::SeqCst);
    }
    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn seeding_happens_once_and_reports_every_step() {
    let store = lombard_corebank::open_temporary_store().await.unwrap();
    assert!(!seed::is_seeded(&store).await.unwrap());
    let progress = Counted::default();
    seed::seed_sandbox(&store, bank_now(), SEED, &progress).await.unwrap();
    assert!(seed::is_seeded(&store).await.unwrap());
    let steps = progress.total.load(Ordering::SeqCst);
    assert!(steps > 0 && steps == progress.done.load(Ordering::SeqCst));

    let before = accounts_of(&store, "amelia").await;
    let later = bank_now() + SignedDuration::from_hours(1_000);
    seed::seed_sandbox(&store, later, SEED + 1, &progress).await.unwrap();
    assert_eq!(accounts_of(&store, "amelia").await, before);
    assert_eq!(progress.total.load(Ordering::SeqCst), steps, "the second call has nothing to do");
}

#[tokio::test]
async fn two_nodes_that_seed_at_once_store_one_bank() {
    let store = lombard_corebank::open_temporary_store().await.unwrap();
    let (one, other) = tokio::join!(
        seed::seed_sandbox(&store, bank_now(), SEED, &NoSeedProgress),
        seed::seed_sandbox(&store, bank_now(), SEED, &NoSeedProgress)
    );
    one.unwrap();
    other.unwrap();
    assert_eq!(accounts_of(&store, "amelia").await.len(), 3);
}

#[tokio::test]
async fn a_failed_seeding_leaves_nothing() {
    let store = lombard_corebank::open_temporary_store().await.unwrap();
    let taken = lombard_corebank::storage::Customer {
        psu: "esther".into(),
        name: "E".into(),
        about: "taken".into(),
        party: None,
    };
    store.write(move |tx| tx.customers_insert(std::slice::from_ref(&taken))).await.unwrap();
    let failed = seed::seed_sandbox(&store, bank_now(), SEED, &NoSeedProgress).await;
    assert!(matches!(failed, Err(seed::SeedError::Store(StoreError::Duplicate(_)))), "{failed:?}");
    assert!(!seed::is_seeded(&store).await.unwrap());
    assert!(accounts_of(&store, "amelia").await.is_empty());
    assert!(store.read(|tx| tx.ledger_totals()).await.unwrap().is_empty());
}

fn customers(store: BankStore) -> Arc<BuiltInCustomers> {
    Arc::new(BuiltInCustomers::new(store))
}

#[tokio::test]
async fn the_password_of_a_sandbox_customer_is_the_user_name() {
    let identity = SandboxIdentity::new(customers(seeded().await), [7; 32]);
    for login in ["amelia", "bashir", "chloe", "deepak", "esther"] {
        let person = identity.check_password(login, login).await.unwrap().unwrap();
        assert_eq!(identity.find_person(&person.psu).await.unwrap(), Some(person));
        for wrong in ["", "Amelia", "password", "amelia ", "bashi"] {
            assert_eq!(identity.check_password(login, wrong).await.unwrap(), None, "{login} {wrong:?}");
        }
    }
    let offered = identity.shown_logins().await.unwrap();
    assert_eq!(offered.len(), 5);
    assert!(offered.iter().all(|(login, about)| !login.is_empty() && !about.is_empty()));
}

#[tokio::test]
async fn as_143_user_name_spelling_is_normalised_and_the_password_is_exact() {
    let identity = SandboxIdentity::new(customers(seeded().await), [7; 32]);
    for name in ["amelia ", " Amelia", "AMELIA", "ａｍｅｌｉａ", "ame\u{200b}lia\u{3000}"] {
        let person = identity.check_password(name, "amelia").await.unwrap().unwrap();
        assert_eq!(person.psu, "amelia".into(), "{name:?}");
        assert_eq!(identity.check_password(name, name).await.unwrap(), None, "{name:?}");
    }
}

#[tokio::test]
async fn as_143_an_unknown_user_gets_the_answer_of_a_wrong_password() {
    let identity = SandboxIdentity::new(customers(seeded().await), [7; 32]);
    for (login, password) in [("nobody", "nobody"), ("nobody", "x"), ("", ""), ("amelia", "nobody")] {
        assert_eq!(identity.check_password(login, password).await.unwrap(), None, "{login:?}");
    }
    assert_eq!(identity.find_person(&"nobody".into()).await.unwrap(), None);
}

#[tokio::test]
async fn a_one_time_code_belongs_to_one_person_and_one_journey() {
    let store = seeded().await;
    let identity = SandboxIdentity::new(customers(store.clone()), [7; 32]);
    let psu = PsuId::from("amelia");
    let journey = JourneyId::from("journey");
    let challenge = identity.request_code(&psu, &journey, &AuthenticationPurpose::Login).await.unwrap();
    assert_eq!(identity.request_code(&psu, &journey, &AuthenticationPurpose::Login).await.unwrap(), challenge);
    let code = challenge.shown_code.unwrap();
    assert!(code.len() == 6 && code.bytes().all(|digit| digit.is_ascii_digit()), "{code}");
    assert!(identity.check_code(&psu, &journey, &AuthenticationPurpose::Login, &code).await.unwrap().is_some());
    for wrong in ["", "12345", "1234567", &format!("{code} "), &code[1..]] {
        assert!(
            identity.check_code(&psu, &journey, &AuthenticationPurpose::Login, wrong).await.unwrap().is_none(),
            "{wrong:?}"
        );
    }
    let mut codes = vec![code.clone()];
    assert!(
        identity.check_code(&psu, &"another".into(), &AuthenticationPurpose::Login, &code).await.unwrap().is_none()
    );
    assert!(
        identity.check_code(&"bashir".into(), &journey, &AuthenticationPurpose::Login, &code).await.unwrap().is_none()
    );
    for (minor, name, roll) in [
        (100, "Waterworks", None),
        (101, "Waterworks", None),
        (100, "Waterwork", None),
        (100, "Waterworks", Some("1")),
        (100, "Waterworks", Some("2")),
    ] {
        let number = AccountIdentification {
            secondary: roll.map(str::to_owned),
            ..AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "08080021325698")
        };
        let amount = Amount::from_minor(minor, Currency::GBP);
        let payment = AuthenticationPurpose::Payment { amount, payee: NamedAccount::under_name(number, name.into()) };
        let linked = identity.request_code(&psu, &journey, &payment).await.unwrap().shown_code.unwrap();
        assert!(!codes.contains(&linked), "AS-142: linked to amount and payee");
        assert!(identity.check_code(&psu, &journey, &payment, &linked).await.unwrap().is_some());
        assert!(identity.check_code(&psu, &journey, &payment, &code).await.unwrap().is_none());
        codes.push(linked);
    }
    let elsewhere = SandboxIdentity::new(customers(store), [8; 32]);
    assert!(elsewhere.check_code(&psu, &journey, &AuthenticationPurpose::Login, &code).await.unwrap().is_none());
}

/// Runs the contract tests of logins against the sandbox's identity provider.
struct BuiltInLogin(SandboxIdentity);

#[async_trait::async_trait]
impl IdentityUnderTest for BuiltInLogin {
    async fn authenticate(&self, journey: &JourneyId, purpose: &AuthenticationPurpose) -> String {
        let person = self.0.check_password("amelia", "amelia").await.unwrap().unwrap();
        self.0.request_code(&person.psu, journey, purpose).await.unwrap().shown_code.unwrap()
    }

    async fn verify_proof(
        &self,
        journey: &JourneyId,
        purpose: &AuthenticationPurpose,
        proof: &str,
    ) -> Option<(PsuId, Vec<AuthenticationFactor>)> {
        let psu = PsuId::from("amelia");
        let factors = self.0.check_code(&psu, journey, purpose, proof).await.unwrap()?;
        Some((psu, factors))
    }
}

#[tokio::test]
async fn the_built_in_logins_keep_the_contract_of_identity_providers() {
    let identity = SandboxIdentity::new(customers(seeded().await), [7; 32]);
    check_identity_provider(&BuiltInLogin(identity), &"amelia".into()).await;
}
