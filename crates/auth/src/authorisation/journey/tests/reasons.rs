//! The status reasons that a journey stores with its consent. Source: V4-002, ERR-001 to ERR-006.

use super::*;
use crate::authorisation::testing::{one_pound, sort_code, within_limits};
use crate::error::OAuthError;
use async_trait::async_trait;
use jiff::SignedDuration;
use lombard_domain::consent::ConsentState;
use lombard_domain::consent::ConsentStatusReason as R;
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::payment::order::{PaymentConsentRequest, RequestedAuthorisation, RequestedAuthorisationType};
use lombard_domain::payment::transfer::{AfterCutOffPolicy, CutOff, PaymentConditions};
use lombard_ports::bank::BankError;
use lombard_ports::identity::IdentityError;
use lombard_ports::store::{Engine, ServerTransaction, Store, StoreError, TransactionWork};
use lombard_service::Failure;
use std::sync::Arc;
use std::sync::atomic::Ordering;

async fn status(world: &World, consent: &ConsentId) -> (ConsentState, Option<R>) {
    let stored = world.stored(consent).await;
    (stored.state, stored.status_reason)
}

async fn choose(world: &World, tab: &Tab, number: usize) -> Result<JourneyStep, JourneyError> {
    let handle = tab.means(world).await[number].offered.handle.clone();
    decide_journey(&world.auth, &tab.submission(world).await, &PsuChoice::Approve(vec![handle])).await
}

fn pence(pence: i64) -> SignedAmount {
    SignedAmount::from_minor(pence, Currency::GBP)
}

#[tokio::test]
async fn err_001_an_abandoned_journey_leaves_a_consent_awaiting_with_no_reason() {
    let world = World::new().await;
    let consent = world.payment("acme", one_pound()).await;
    Tab::at_payment(&world, &consent, "amelia").await;
    world.clock.advance(SignedDuration::from_hours(1));
    assert_eq!(status(&world, &consent).await, (ConsentState::AwaitingAuthorisation, None));
}

#[tokio::test]
async fn err_002_a_failure_of_the_bank_is_noted_until_the_next_attempt() {
    let world = World::new().await;
    let consent = world.payment("acme", one_pound()).await;
    let mut tab = Tab::open(&world, "acme", &world.payment_claims("acme", &consent)).await;
    tab.log_in(&world, "amelia").await;
    world.identity_is_down.store(true, Ordering::Relaxed);
    let made_at = world.stored(&consent).await.state_changed_at;
    for _ in 0..2 {
        assert!(matches!(tab.give_code(&world).await, Err(JourneyError::Failed(_))));
        let stored = world.stored(&consent).await;
        assert_eq!((stored.state, stored.status_reason), (ConsentState::AwaitingAuthorisation, Some(R::NotKnown)));
        assert_eq!((stored.state_changed_at, stored.epoch), (made_at, 1), "it is written once");
    }
    world.identity_is_down.store(false, Ordering::Relaxed);
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    assert_eq!(status(&world, &consent).await, (ConsentState::AwaitingAuthorisation, None), "a new attempt");
    left(choose(&world, &tab, 0).await);
    assert_eq!(status(&world, &consent).await, (ConsentState::Authorised, None));
}

#[tokio::test]
async fn err_003_an_account_without_enough_is_told_before_it_is_accepted() {
    let world = World::new().await;
    world.bank.set_payer("acc-1".into(), pence(99), vec!["amelia".into()]);
    let consent = world.payment("acme", one_pound()).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    assert_eq!(status(&world, &consent).await.1, None, "nothing is selected yet");
    let told = choose(&world, &tab, 0).await;
    assert!(matches!(told, Ok(JourneyStep::SamePage(JourneyNotice::NotEnoughFunds))), "{told:?}");
    let lacking = (ConsentState::AwaitingAuthorisation, Some(R::InsufficientFunds));
    assert_eq!(status(&world, &consent).await, lacking);
    left(choose(&world, &tab, 1).await);
    assert_eq!(status(&world, &consent).await, (ConsentState::Authorised, None), "the other account has enough");

    let consent = world.payment("acme", one_pound()).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    choose(&world, &tab, 0).await.unwrap();
    let again = Tab::at_payment(&world, &consent, "amelia").await;
    assert_eq!(status(&world, &consent).await.1, None, "a new attempt");
    choose(&world, &again, 0).await.unwrap();
    assert_eq!(status(&world, &consent).await, lacking, "told in every journey");
    left(choose(&world, &again, 0).await);
    assert_eq!(status(&world, &consent).await.0, ConsentState::Authorised, "money may come before the order");
}

#[tokio::test]
async fn err_003_what_is_not_debited_at_once_needs_no_funds_yet() {
    let world = World::new().await;
    world.bank.set_payer("acc-1".into(), pence(0), vec!["amelia".into()]);
    let consent = world.payment("acme", within_limits()).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    left(choose(&world, &tab, 0).await);
    assert_eq!(status(&world, &consent).await, (ConsentState::Authorised, None));
}

#[tokio::test]
async fn err_006_err_013_what_the_bank_rejects_says_why() {
    let world = World::new().await;
    let now = world.auth.context.clocks.bank_now();
    let at = now + SignedDuration::from_secs(10);
    let cut_off = PaymentConditions {
        cut_off: Some(CutOff { at, lateness: AfterCutOffPolicy::Refused }),
        ..PaymentConditions::default()
    };
    let deadline = RequestedAuthorisation { kind: RequestedAuthorisationType::Any, complete_by: Some(at) };
    let deadline = PaymentConsentRequest { authorisation: deadline, ..one_pound() };
    let foreign = PaymentConsentRequest { debtor: Some(sort_code("20000099999999")), ..one_pound() };
    let late = [
        (world.payment_under("robot", one_pound(), cut_off).await, Some(R::AfterCutOff)),
        (world.payment("robot", deadline).await, Some(R::AfterCompletionDate)),
    ];
    world.clock.advance(SignedDuration::from_secs(10));
    let unusable = [(world.payment("robot", foreign).await, Some(R::DebtorAccountUnusable))];
    for (consent, reason) in late.into_iter().chain(unusable) {
        let answer = world.answer("robot", &world.payment_claims("robot", &consent)).await;
        assert!(answer.error().is_some());
        assert_eq!(status(&world, &consent).await, (ConsentState::Rejected, reason));
    }

    let consent = world.payment("acme", one_pound()).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    left(decide_journey(&world.auth, &tab.submission(&world).await, &PsuChoice::Reject).await);
    assert_eq!(status(&world, &consent).await, (ConsentState::Rejected, None), "the PSU refused");

    let consent = world.payment("acme", one_pound()).await;
    let mut context = world.auth.context.clone();
    context.payments.undecided_after = SignedDuration::ZERO;
    lombard_service::payments::expiry::reject_undecided_consents(&context).await.unwrap();
    assert_eq!(status(&world, &consent).await, (ConsentState::Rejected, Some(R::UndecidedTooLong)), "PIS-027");
}

#[test]
fn err_002_nothing_is_noted_while_storage_is_unavailable() {
    let gone = || StoreError::Unavailable("it is down".into());
    let is_ours = |error: OAuthError| end::is_storage_unavailable(&error);
    assert!(is_ours(gone().into()), "itself");
    assert!(is_ours(Failure::from(gone()).into()), "from a use-case");
    assert!(is_ours(Failure::Broken(Arc::new(Failure::from(gone())).into()).into()), "from a use-case within another");
    assert!(!is_ours(StoreError::Contended.into()), "it can be noted by now");
    assert!(!is_ours(Failure::from(BankError::Unavailable(gone().into())).into()), "the storage of the bank's core");
    assert!(!is_ours(OAuthError::unavailable(IdentityError(gone().into()))), "the storage of the identity provider");
    assert!(!is_ours(OAuthError::server_error("something else")));
}

/// A store that can be read and not written.
#[derive(Debug)]
struct ReadOnly(Store);

#[async_trait]
impl Engine for ReadOnly {
    async fn write(&self, _: TransactionWork) -> Result<(), StoreError> {
        Err(StoreError::Contended)
    }

    async fn read(&self, mut work: TransactionWork) -> Result<(), StoreError> {
        let read = move |tx: &mut dyn ServerTransaction| {
            work(tx);
            Ok::<_, StoreError>(())
        };
        self.0.read(read).await
    }
}

#[tokio::test]
async fn err_002_a_reason_that_cannot_be_noted_leaves_the_first_error_as_it_is() {
    let world = World::new().await;
    let consent = world.payment("acme", one_pound()).await;
    let tab = Tab::open(&world, "acme", &world.payment_claims("acme", &consent)).await;
    let failed = || Err::<(), _>(JourneyError::Failed(OAuthError::server_error("the first")));
    let mut read_only = world.auth.clone();
    read_only.context.store = Store::new(Arc::new(ReadOnly(world.auth.context.store.clone())));
    for (auth, noted) in [(&read_only, None), (&world.auth, Some(R::NotKnown))] {
        let told = end::note_failure(auth, &tab.id, failed()).await;
        let Err(JourneyError::Failed(error)) = told else { panic!("{told:?}") };
        assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "the first");
        assert_eq!(status(&world, &consent).await, (ConsentState::AwaitingAuthorisation, noted));
    }
}
