//! The controls on a real database engine: the port's contract tests, and tests beyond the port.

mod orders;

use super::*;
use crate::joint;
use crate::seed::{self, NoSeedProgress};
use jiff::SignedDuration;
use lombard_corebank::BuiltInBank;
use lombard_domain::client::{Client, ClientAuthentication, ClientStatus, Jwks};
use lombard_domain::consent::{
    AccountAccess, ConsentDraft, ConsentKind, ConsentRequest, ConsentState, Permission, Submitted,
};
use lombard_domain::event::ResourceAddresses;
use lombard_domain::grant::{AuthorisationJourney, Digest, JourneyStage};
use lombard_domain::version::Version;
use lombard_jose::SystemEntropy;
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::controls::{DecisionChoice, contract};
use lombard_ports::entropy::{Entropy, IdGenerator};
use lombard_ports::store::StoreError;
use lombard_service::consents as service;
use lombard_service::events::Outbox;
use std::sync::Arc;

#[derive(Debug)]
struct Random;

impl Entropy for Random {
    fn fill_random(&self, buffer: &mut [u8]) {
        SystemEntropy.fill(buffer);
    }
}

async fn controls() -> BuiltInControls {
    let wall = ManualClock::starting_at("2026-02-28T16:45:10Z".parse().unwrap());
    let clocks = Clocks::new(Arc::new(wall));
    let (store, bank, joint) = joint::open_temporary_store().await.unwrap();
    seed::seed_sandbox(&bank, clocks.bank_now(), 42, &NoSeedProgress).await.unwrap();
    let ids = IdGenerator::new(Arc::new(Random), clocks.clone());
    let places = ResourceAddresses::new("https://bank.example", "https://mtls.bank.example/open-banking");
    let context = Context {
        bank: Arc::new(BuiltInBank::new(bank.clone(), clocks.clone())),
        outbox: Outbox::new(places, ids.clone(), clocks.clone()),
        ids,
        alias_key: Arc::from(*b"a key of the tests"),
        call: Arc::default(),
        clocks: clocks.clone(),
        store: store.clone(),
        payments: lombard_service::payments::PaymentSettings::default(),
    };
    BuiltInControls::new(context, bank, joint.clone(), BankClock::new(joint, clocks), 42)
}

async fn consent(controls: &BuiltInControls, ends_after: Option<SignedDuration>) -> Consent {
    let access = AccountAccess {
        permissions: [Permission::ReadAccountsBasic].into_iter().collect(),
        transactions_from: None,
        transactions_to: None,
    };
    let draft = ConsentDraft {
        terms: ConsentRequest::AccountAccess(access),
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
        headless: None,
        created_at: "2026-02-28T16:45:10Z".parse().unwrap(),
        epoch: 0,
    }
}

fn approval(psu: &str) -> ConsentDecision {
    ConsentDecision { psu: psu.into(), choice: DecisionChoice::Approve(None) }
}

#[tokio::test]
async fn the_sandbox_keeps_the_contract_of_the_controls() {
    let controls = controls().await;
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
    let (acme, kind) = ("acme".into(), ConsentKind::AccountAccess);
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
    let customers = controls().await.psus().await.unwrap();
    let of = |login: &str| customers.iter().find(|customer| customer.login == login).unwrap();
    let logins: Vec<_> = customers.iter().map(|customer| customer.login.as_str()).collect();
    assert_eq!(logins, ["amelia", "bashir", "chloe", "deepak", "esther"]);
    assert!(of("amelia").accounts.len() >= 3 && of("amelia").accounts.iter().all(|held| held.shareable));
    assert!(of("amelia").accounts.iter().any(|held| held.booked.minor() != 0 && held.account.nickname.is_some()));
    assert!(!of("esther").accounts.is_empty() && of("esther").accounts.iter().all(|held| !held.shareable));
    let authorisers = |login: &str| of(login).accounts.iter().map(|held| held.authorisers).collect::<Vec<_>>();
    assert_eq!(authorisers("bashir").iter().filter(|count| **count == 2).count(), 1, "the studio's current account");
    assert!(authorisers("amelia").iter().all(|count| *count == 1));
}
