//! The controls on a real database engine: the port's contract tests, and tests beyond the port.

mod orders;

use super::*;
use crate::joint;
use crate::seed::{self, NoSeedProgress};
use jiff::SignedDuration;
use lombard_corebank::BuiltInBank;
use lombard_corebank::storage::BankStore;
use lombard_domain::client::{Client, ClientAuthentication, ClientStatus, Jwks};
use lombard_domain::consent::{AccountAccess, ConsentDraft, ConsentKind, ConsentRequest, ConsentState, Permission};
use lombard_domain::event::ResourceAddresses;
use lombard_domain::grant::{AuthorisationJourney, Digest, JourneyStage};
use lombard_domain::security_profile::{SecurityProfile, SignedMessages};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_jose::SystemEntropy;
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::controls::{CustomerSource, DecisionChoice, SNAPSHOTS_MAX, SandboxCustomer, contract};
use lombard_ports::entropy::{Entropy, IdGenerator};
use lombard_ports::store::{Store, StoreError};
use lombard_service::consents as service;
use lombard_service::events::Outbox;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

#[derive(Debug)]
struct Random;

impl Entropy for Random {
    fn fill_random(&self, buffer: &mut [u8]) {
        SystemEntropy.fill(buffer);
    }
}

fn clocks() -> Clocks {
    Clocks::new(Arc::new(ManualClock::starting_at("2026-02-28T16:45:10Z".parse().unwrap())))
}

/// The context of a server on this store and bank.
fn context(store: Store, bank: &BankStore, clocks: &Clocks) -> Context {
    let ids = IdGenerator::new(Arc::new(Random), clocks.clone());
    let places = ResourceAddresses::new("https://bank.example", "https://mtls.bank.example/open-banking");
    Context {
        bank: Arc::new(BuiltInBank::new(bank.clone(), clocks.clone()).with_order_plans()),
        outbox: Outbox::new(places, ids.clone(), clocks.clone()),
        ids,
        alias_key: Arc::from(*b"a key of the tests"),
        call: Arc::default(),
        clocks: clocks.clone(),
        store,
        payments: lombard_service::payments::PaymentSettings::default(),
    }
}

async fn controls() -> ServerControls {
    let clocks = clocks();
    let (store, bank, joint) = joint::open_temporary_store().await.unwrap();
    seed::seed_sandbox(&bank, clocks.bank_now(), 42, &NoSeedProgress).await.unwrap();
    let context = context(store, &bank, &clocks);
    let clock = BankClock::new(joint.clone(), clocks);
    let bank = BuiltInBankControls::new(bank, clock.clone(), 42);
    ServerControls::of_built_in(context, bank, joint, clock)
}

/// Controls of a bank that has its own database and its own clock in memory.
async fn parted_controls() -> ServerControls {
    let here = clocks();
    let there = clocks();
    let (store, _, _) = joint::open_temporary_store().await.unwrap();
    let bank = lombard_corebank::open_temporary_store().await.unwrap();
    seed::seed_sandbox(&bank, there.bank_now(), 42, &NoSeedProgress).await.unwrap();
    let clock = BankClock::new(bank.clone(), there.clone());
    // The bank port reads the clock of the bank's process.
    let context = Context { clocks: here.clone(), ..context(store.clone(), &bank, &there) };
    let bank: Arc<dyn BankControls> = Arc::new(BuiltInBankControls::new(bank, clock, 42));
    let clock = BankClock::new(FollowedClock::new(Arc::clone(&bank), store), here);
    ServerControls::of_process(context, bank, clock)
}

async fn consent(controls: &ServerControls, ends_after: Option<SignedDuration>) -> Consent {
    let access = AccountAccess {
        permissions: [Permission::ReadAccountsBasic].into_iter().collect(),
        transactions_from: None,
        transactions_to: None,
    };
    let draft = ConsentDraft {
        request: ConsentRequest::AccountAccess(access),
        expires_at: ends_after.map(|after| controls.context.clocks.bank_now().checked_add(after).unwrap()),
        submitted: Submitted { version: Version::V3_1, json: "{}".to_owned() },
    };
    service::create_consent(&controls.context, &"acme".into(), draft).await.unwrap()
}

fn client() -> Client {
    Client {
        id: "acme".into(),
        status: ClientStatus::Active,
        org_id: "org".into(),
        org_name: "Acme".into(),
        software_id: "acme".into(),
        software_name: "Acme".into(),
        on_behalf_of: None,
        roles: Vec::new(),
        redirect_uris: Vec::new(),
        authentication: ClientAuthentication::PrivateKeyJwt,
        jwks: Jwks::Local(r#"{"keys":[]}"#.into()),
        software_statement: "a.b.c".into(),
        backchannel: None,
        registration: None,
        profile: SecurityProfile::Fapi1Advanced,
        signed_messages: SignedMessages::default(),
        headless: None,
        created_at: "2026-02-28T16:45:10Z".parse().unwrap(),
        epoch: 0,
    }
}

fn approval(psu: &str) -> ConsentDecision {
    ConsentDecision { psu: psu.into(), choice: DecisionChoice::Approve(None) }
}

async fn keeps_the_contract(controls: ServerControls) {
    let client = client();
    controls.context.store.write::<_, StoreError, _>(move |tx| tx.client_insert(&client)).await.unwrap();
    let mut waiting = Vec::new();
    for _ in 0..5 {
        waiting.push(consent(&controls, None).await.id);
    }
    let facts = contract::ControlsFacts {
        psu: "amelia".into(),
        other: "bashir".into(),
        nobody: "esther".into(),
        waiting: waiting.try_into().unwrap(),
        client: "acme".into(),
        orders: orders::facts(&controls).await,
    };
    contract::check_controls_contract(&controls, &facts).await.unwrap();
}

#[tokio::test]
async fn the_sandbox_keeps_the_contract_of_the_controls() {
    keeps_the_contract(controls().await).await;
}

#[tokio::test]
async fn the_sandbox_meets_the_control_contract_with_a_bank_in_its_own_database() {
    keeps_the_contract(parted_controls().await).await;
}

/// A bank that reports these offsets of its clock, one after the other, and answers no other call.
#[derive(Debug, Default)]
struct SilentBank {
    offsets: Mutex<VecDeque<i64>>,
}

fn silence<T>() -> Result<T, ControlError> {
    Err(ControlError::Unavailable("no answer".into()))
}

#[async_trait]
impl CustomerSource for SilentBank {
    async fn find_customer(&self, _: &PsuId) -> Result<Option<SandboxCustomer>, ControlError> {
        silence()
    }
    async fn list_customers(&self) -> Result<Vec<SandboxCustomer>, ControlError> {
        silence()
    }
}

#[async_trait]
impl BankControls for SilentBank {
    async fn clock_offset(&self) -> Result<i64, ControlError> {
        self.offsets.lock().unwrap().pop_front().map_or_else(silence, Ok)
    }
    async fn clock_move(&self, _: ClockMove) -> Result<i64, ControlError> {
        silence()
    }
    async fn due_work_run(&self) -> Result<u32, ControlError> {
        silence()
    }
    async fn due_work_exists(&self) -> Result<bool, ControlError> {
        silence()
    }
    async fn customer_views(&self) -> Result<Vec<CustomerView>, ControlError> {
        silence()
    }
    async fn customer_change(&self, _: &PsuId, _: &CustomerChange) -> Result<CustomerView, ControlError> {
        silence()
    }
    async fn account_end(
        &self,
        _: &BankAccountId,
        _: AccountClosure,
        _: Option<&FapiInteractionId>,
    ) -> Result<ClosedAccount, ControlError> {
        silence()
    }
    async fn account_change(&self, _: &BankAccountId, _: &AccountEdit) -> Result<AccountView, ControlError> {
        silence()
    }
    async fn entry_add(&self, _: &BankAccountId, _: &NewEntry) -> Result<AddedEntry, ControlError> {
        silence()
    }
    async fn order_outcome(&self, _: &OrderId, _: OrderOutcome) -> Result<(), ControlError> {
        silence()
    }
    async fn order_plan(&self, _: &ConsentId, _: OrderPlan) -> Result<(), ControlError> {
        silence()
    }
    async fn data_export(&self) -> Result<Vec<u8>, ControlError> {
        silence()
    }
    async fn data_import(&self, _: Vec<u8>, _: bool) -> Result<ImportSummary, ControlError> {
        silence()
    }
    async fn reset(&self, _: ResetContents) -> Result<(), ControlError> {
        silence()
    }
    async fn snapshot(&self, _: SnapshotAction, _: &SnapshotName) -> Result<(), ControlError> {
        silence()
    }
}

#[tokio::test]
async fn a_server_starts_with_the_last_known_time_and_resets_only_with_the_bank() {
    let controls = parted_controls().await;
    let there = controls.clock_move(ClockMove::By(SignedDuration::from_hours(1))).await.unwrap();
    let consent = consent(&controls, None).await;
    let bank = Arc::new(SilentBank::default());
    let store = controls.context.store.clone();
    let again = clocks();
    let clock = BankClock::new(FollowedClock::new(bank.clone(), store), again.clone());
    assert!(matches!(clock.adopt_stored_offset().await, Err(ControlError::Unavailable(_))));
    assert_ne!(again.bank_now(), there);
    clock.adopt_last_known_offset().await.unwrap();
    assert_eq!(again.bank_now(), there);
    let silent = ServerControls::of_process(controls.context.clone(), bank, clock);
    let reset = silent.reset(ResetContents::Seeded).await;
    assert!(matches!(reset, Err(ControlError::Unavailable(_))), "{reset:?}");
    controls.consent_authorise(&consent.id, &approval("amelia")).await.unwrap();
}

#[tokio::test]
async fn an_offset_that_was_old_when_it_was_stored_is_replaced() {
    let (store, _, _) = joint::open_temporary_store().await.unwrap();
    let followed = |offsets: &[i64]| {
        let offsets = Mutex::new(offsets.iter().copied().collect());
        FollowedClock::new(Arc::new(SilentBank { offsets }), store.clone())
    };
    assert_eq!(followed(&[5, 5]).read_offset().await.unwrap(), 5);
    // The clock moved from 3 to 5 after this node had read the offset 3, and another node has already stored 5.
    let late = followed(&[3, 5, 5]);
    assert_eq!(late.read_offset().await.unwrap(), 5);
    assert_eq!(late.last_known_offset().await.unwrap(), 5);
}

#[tokio::test]
async fn ais_078_a_consent_the_clock_has_ended_cannot_be_given() {
    let controls = controls().await;
    let consent = consent(&controls, Some(SignedDuration::from_hours(1))).await;
    controls.clock_move(ClockMove::By(SignedDuration::from_hours(1))).await.unwrap();
    let late = controls.consent_authorise(&consent.id, &approval("amelia")).await;
    assert!(matches!(late, Err(ControlError::Conflict(_))), "{late:?}");
    controls.clock_move(ClockMove::By(SignedDuration::from_secs(-1))).await.unwrap();
    let given = controls.consent_authorise(&consent.id, &approval("amelia")).await.unwrap();
    assert_eq!(given.state, ConsentState::Authorised);
    assert_eq!(given.authorised_at, Some(controls.clock().await.unwrap()));
}

#[tokio::test]
async fn rw_304_a_deleted_consent_is_not_there() {
    let controls = controls().await;
    let consent = consent(&controls, None).await;
    controls.consent_authorise(&consent.id, &approval("amelia")).await.unwrap();
    let acme = "acme".into();
    let kind = ConsentKind::AccountAccess;
    service::delete_consent(&controls.context, &acme, kind, &consent.id, Version::V3_1).await.unwrap();
    for found in
        [controls.consent_authorise(&consent.id, &approval("amelia")).await, controls.consent_revoke(&consent.id).await]
    {
        assert!(matches!(found, Err(ControlError::NotFound(_))), "{found:?}");
    }
}

#[tokio::test]
async fn as_090_a_decision_ends_the_journeys_in_browsers() {
    let controls = controls().await;
    for choice in [DecisionChoice::Approve(None), DecisionChoice::Reject] {
        let consent = consent(&controls, None).await;
        let journey = AuthorisationJourney {
            id: consent.id.as_str().into(),
            client: consent.client.clone(),
            consent: consent.id.clone(),
            request: "{}".to_owned(),
            stage: JourneyStage::Decision,
            browser: Digest([1; 32]),
            psu: None,
            psu_name: None,
            auth_time: None,
            factors: Vec::new(),
            form_token: Digest([2; 32]),
            failures: 0,
            expires_at: controls.context.clocks.wall_now() + SignedDuration::from_mins(10),
        };
        let id = journey.id.clone();
        controls.context.store.write(move |tx| tx.journey_insert(&journey)).await.unwrap();
        let decision = ConsentDecision { psu: "amelia".into(), choice };
        controls.consent_authorise(&consent.id, &decision).await.unwrap();
        let look = move |tx: &mut dyn lombard_ports::store::ServerTransaction| tx.journey_for_update(&id);
        let journey = controls.context.store.read::<_, StoreError, _>(look).await.unwrap().unwrap();
        assert_eq!(journey.stage, JourneyStage::Finished);
    }
}

#[tokio::test]
async fn customers_show_what_they_hold_whether_or_not_it_can_be_shared() {
    let customers = controls().await.customer_views().await.unwrap();
    let of = |login: &str| customers.iter().find(|customer| customer.login == login).unwrap();
    let logins: Vec<_> = customers.iter().map(|customer| customer.login.as_str()).collect();
    assert_eq!(logins, ["amelia", "bashir", "chloe", "deepak", "esther"]);
    assert!(of("amelia").accounts.len() >= 3 && of("amelia").accounts.iter().all(|held| held.shareable));
    assert!(of("amelia").accounts.iter().any(|held| held.booked != 0 && held.nickname.is_some()));
    assert!(!of("esther").accounts.is_empty() && of("esther").accounts.iter().all(|held| !held.shareable));
    let authorisers = |login: &str| of(login).accounts.iter().map(|held| held.authorisers).collect::<Vec<_>>();
    assert_eq!(authorisers("bashir").iter().filter(|count| **count == 2).count(), 1, "the studio's current account");
    assert!(authorisers("amelia").iter().all(|count| *count == 1));
}

#[tokio::test]
async fn a_snapshot_holds_both_sides_also_in_two_databases() {
    let name = SnapshotName::parse("one").unwrap();
    for controls in [controls().await, parted_controls().await] {
        let kept = consent(&controls, None).await;
        let psus = controls.customer_views().await.unwrap();
        let then = controls.clock().await.unwrap();
        controls.snapshot(SnapshotAction::Save, &name).await.unwrap();
        controls.consent_authorise(&kept.id, &approval("amelia")).await.unwrap();
        controls.reset(ResetContents::Empty).await.unwrap();
        controls.clock_move(ClockMove::By(SignedDuration::from_hours(48))).await.unwrap();
        let loaded = controls.snapshot(SnapshotAction::Load, &name).await.unwrap();
        assert_eq!((loaded.bank_time, controls.clock().await.unwrap()), (then, then));
        assert_eq!(format!("{:?}", controls.customer_views().await.unwrap()), format!("{psus:?}"));
        let id = kept.id.clone();
        let found = controls.context.store.read(move |tx| tx.consent_any_owner(&id)).await;
        assert_eq!(found.unwrap().unwrap().state, ConsentState::AwaitingAuthorisation);
        for number in 1..SNAPSHOTS_MAX {
            let further = SnapshotName::parse(&format!("n-{number}")).unwrap();
            controls.snapshot(SnapshotAction::Save, &further).await.unwrap();
        }
        let beyond = controls.snapshot(SnapshotAction::Save, &SnapshotName::parse("beyond").unwrap()).await;
        assert!(matches!(beyond, Err(ControlError::Conflict(_))), "{beyond:?}");
        controls.snapshot(SnapshotAction::Delete, &name).await.unwrap();
        let gone = controls.snapshot(SnapshotAction::Load, &name).await;
        assert!(matches!(gone, Err(ControlError::NotFound(_))), "{gone:?}");
        assert_eq!(controls.snapshots().await.unwrap().len(), SNAPSHOTS_MAX - 1);
    }
}
