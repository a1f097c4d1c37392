//! The states of a consent over a real store.

use super::*;
use crate::accounts::tests::{SmallBank, authorised, context, draft, now};
use jiff::SignedDuration;
use lombard_domain::consent::{AccountAccess, ConsentState, Permission};
use lombard_domain::grant::{AuthorisationJourney, Digest, Grant, GrantSubject, JourneyStage};
use lombard_domain::refusal::FaultCode;
use lombard_domain::scope::{Scope, Scopes};
use lombard_domain::version::Version::{V3_1, V4_0};
use lombard_ports::store::ServerTransaction;

const ACCESS: ConsentKind = ConsentKind::AccountAccess;

fn access() -> AccountAccess {
    AccountAccess {
        permissions: [Permission::ReadAccountsBasic].into_iter().collect(),
        transactions_from: None,
        transactions_to: None,
    }
}

fn acme() -> ClientId {
    ClientId::from("acme")
}

fn refusal<T: std::fmt::Debug>(result: Result<T, Failure>) -> Refusal {
    match result {
        Err(Failure::Refused(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test]
async fn ais_012_and_ais_013_each_post_creates_a_consent_awaiting_authorisation() {
    let (context, _) = context(SmallBank::default()).await;
    let first = create_consent(&context, &acme(), draft(access(), None)).await.unwrap();
    let second = create_consent(&context, &acme(), draft(access(), None)).await.unwrap();
    assert_ne!(first.id, second.id);
    assert!(first.id.as_str().len() <= 128, "RW-249");
    assert_eq!((first.state, first.created_at), (ConsentState::AwaitingAuthorisation, now()));
    assert_eq!(read_consent(&context, &acme(), ACCESS, &first.id, V3_1).await.unwrap(), first);
}

#[tokio::test]
async fn ais_016_and_ais_031_a_bad_draft_is_refused_with_every_fault() {
    let (context, _) = context(SmallBank::default()).await;
    let none = AccountAccess { permissions: [Permission::ReadBalances].into_iter().collect(), ..access() };
    let refused = refusal(create_consent(&context, &acme(), draft(none, Some(now()))).await);
    let codes: Vec<_> = refused.faults.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, [FaultCode::FieldExpected, FaultCode::FieldInvalidDate]);
}

#[tokio::test]
async fn ais_061_unknown_and_foreign_consents_are_told_apart() {
    let (context, _) = context(SmallBank::default()).await;
    let consent = create_consent(&context, &acme(), draft(access(), None)).await.unwrap();
    let rival = ClientId::from("rival");
    let unknown = ConsentId::from("nobody");
    assert_eq!(
        refusal(read_consent(&context, &rival, ACCESS, &consent.id, V3_1).await).kind,
        RefusalKind::ForeignOwner
    );
    assert_eq!(
        refusal(delete_consent(&context, &rival, ACCESS, &consent.id, V3_1).await).kind,
        RefusalKind::ForeignOwner
    );
    assert_eq!(refusal(read_consent(&context, &acme(), ACCESS, &unknown, V3_1).await).kind, RefusalKind::NotFound);
    assert_eq!(refusal(delete_consent(&context, &acme(), ACCESS, &unknown, V3_1).await).kind, RefusalKind::NotFound);
    assert!(read_consent(&context, &acme(), ACCESS, &consent.id, V3_1).await.is_ok());
}

#[tokio::test]
async fn rw_015_and_rw_017_newer_versions_read_older_consents_not_vice_versa() {
    let (context, _) = context(SmallBank::default()).await;
    let old = create_consent(&context, &acme(), draft(access(), None)).await.unwrap();
    assert_eq!(read_consent(&context, &acme(), ACCESS, &old.id, V4_0).await.unwrap(), old, "RW-018");
    delete_consent(&context, &acme(), ACCESS, &old.id, V4_0).await.unwrap();
    assert_eq!(refusal(read_consent(&context, &acme(), ACCESS, &old.id, V3_1).await).kind, RefusalKind::NotFound);

    let mut newer = draft(access(), None);
    newer.submitted.version = V4_0;
    let newer = create_consent(&context, &acme(), newer).await.unwrap();
    assert_eq!(refusal(read_consent(&context, &acme(), ACCESS, &newer.id, V3_1).await).kind, RefusalKind::NotFound);
    assert_eq!(refusal(delete_consent(&context, &acme(), ACCESS, &newer.id, V3_1).await).kind, RefusalKind::NotFound);
    let foreign = read_consent(&context, &ClientId::from("rival"), ACCESS, &newer.id, V3_1).await;
    assert_eq!(refusal(foreign).kind, RefusalKind::ForeignOwner, "whose it is comes first");
    assert_eq!(
        read_consent(&context, &acme(), ACCESS, &newer.id, V4_0).await.unwrap(),
        newer,
        "the refused deletion did nothing"
    );
}

/// The dependants of a consent: a grant and a journey.
struct Standing {
    grant: Grant,
    journey: AuthorisationJourney,
}

impl Standing {
    async fn on(context: &Context, consent: &Consent) -> Self {
        let grant = Grant {
            id: "g-1".into(),
            client: acme(),
            subject: GrantSubject::Psu { psu: "amelia".into(), consent: consent.id.clone() },
            scopes: Scopes::NONE.with_scope(Scope::Accounts),
            auth_time: None,
            acr: None,
            nonce: None,
            created_at: now(),
            revoked_at: None,
            epoch: 0,
        };
        let journey = AuthorisationJourney {
            id: "j-1".into(),
            client: acme(),
            consent: consent.id.clone(),
            request: "{}".into(),
            stage: JourneyStage::Decision,
            browser: Digest([1; 32]),
            psu: None,
            psu_name: None,
            auth_time: None,
            factors: Vec::new(),
            form_token: Digest([2; 32]),
            failures: 0,
            expires_at: now() + SignedDuration::from_mins(10),
        };
        let (insert_grant, insert_journey) = (grant.clone(), journey.clone());
        let insert = move |tx: &mut dyn ServerTransaction| {
            tx.grant_insert(&insert_grant)?;
            tx.journey_insert(&insert_journey)
        };
        context.store.write::<_, StoreError, _>(insert).await.unwrap();
        Self { grant, journey }
    }

    /// Checks that both have ended.
    async fn ended(self, context: &Context) {
        let look = move |tx: &mut dyn ServerTransaction| {
            Ok((tx.grant(&self.grant.id)?, tx.journey_for_update(&self.journey.id)?))
        };
        let (grant, journey) = context.store.read::<_, StoreError, _>(look).await.unwrap();
        assert_eq!(grant.unwrap().revoked_at, Some(context.clocks.wall_now()));
        assert_eq!(journey.unwrap().stage, JourneyStage::Finished);
    }
}

#[tokio::test]
async fn ais_063_and_ais_064_deletion_ends_grants_and_journeys_with_the_consent() {
    let (context, _) = context(SmallBank::default()).await;
    let consent = authorised(&context, "acme", access(), &["b-1"]).await;
    let stands = Standing::on(&context, &consent).await;
    delete_consent(&context, &acme(), ACCESS, &consent.id, V3_1).await.unwrap();

    stands.ended(&context).await;
    assert_eq!(refusal(read_consent(&context, &acme(), ACCESS, &consent.id, V3_1).await).kind, RefusalKind::NotFound);
    assert_eq!(refusal(delete_consent(&context, &acme(), ACCESS, &consent.id, V3_1).await).kind, RefusalKind::NotFound);
    let id = consent.id.clone();
    let stored = context.store.read::<_, StoreError, _>(move |tx| tx.consent_any_owner(&id)).await.unwrap().unwrap();
    assert_eq!(stored.check_authorisable(now()), Err(NotAuthorisable::NotAwaitingAuthorisation), "RW-307");
}

#[tokio::test]
async fn ais_071_revocation_ends_grants_and_journeys_and_consent_is_regrantable() {
    let (context, clock) = context(SmallBank::default()).await;
    let consent = authorised(&context, "acme", access(), &["b-1"]).await;
    let psu = consent.psu.clone().unwrap();
    let stands = Standing::on(&context, &consent).await;
    clock.advance(SignedDuration::from_secs(1));

    let revoked = revoke_consent(&context, &psu, &consent.id).await.unwrap();

    stands.ended(&context).await;
    assert_eq!(
        (revoked.state, revoked.state_changed_at),
        (ConsentState::Revoked(RevokedBy::Psu), context.clocks.bank_now())
    );
    assert_eq!(read_consent(&context, &acme(), ACCESS, &consent.id, V3_1).await.unwrap(), revoked);
    assert_eq!(revoked.check_authorisable(context.clocks.bank_now()), Ok(()));
    assert_eq!(
        refusal(revoke_consent(&context, &psu, &consent.id).await).kind,
        RefusalKind::ConsentState,
        "it is over"
    );
}

#[tokio::test]
async fn only_who_gave_a_consent_can_end_it() {
    let (context, _) = context(SmallBank::default()).await;
    let given = authorised(&context, "acme", access(), &["b-1"]).await;
    let waiting = create_consent(&context, &acme(), draft(access(), None)).await.unwrap();
    let (owner, other) = (given.psu.clone().unwrap(), PsuId::from("bashir"));
    for (psu, id) in [(&other, &given.id), (&owner, &waiting.id), (&owner, &ConsentId::from("nobody"))] {
        assert_eq!(refusal(revoke_consent(&context, psu, id).await).kind, RefusalKind::NotFound);
    }
    assert_eq!(read_consent(&context, &acme(), ACCESS, &given.id, V3_1).await.unwrap(), given);
}

#[tokio::test]
async fn ais_062_a_refused_and_an_expired_consent_can_be_deleted_too() {
    let (context, clock) = context(SmallBank::default()).await;
    let end = now() + SignedDuration::from_secs(1);
    let expired = create_consent(&context, &acme(), draft(access(), Some(end))).await.unwrap();
    let refused = create_consent(&context, &acme(), draft(access(), None)).await.unwrap();
    let (to_reject, inside) = (refused.clone(), context.clone());
    let reject = move |tx: &mut dyn ServerTransaction| reject_consent_in(tx, &inside, &to_reject, None);
    assert_eq!(context.store.write(reject).await.unwrap().state, ConsentState::Rejected);
    clock.advance(SignedDuration::from_secs(1));
    assert_eq!(
        read_consent(&context, &acme(), ACCESS, &refused.id, V3_1).await.unwrap().state,
        ConsentState::Rejected,
        "AIS-060"
    );
    for consent in [expired, refused] {
        delete_consent(&context, &acme(), ACCESS, &consent.id, V3_1).await.unwrap();
    }
}

#[tokio::test]
async fn rw_306_a_refused_re_authentication_changes_nothing() {
    let (context, _) = context(SmallBank::default()).await;
    let consent = authorised(&context, "acme", access(), &["b-1"]).await;
    let (same, inside) = (consent.clone(), context.clone());
    let kept = context.store.write(move |tx| reject_consent_in(tx, &inside, &same, None)).await.unwrap();
    assert_eq!(kept, consent);
    assert_eq!(read_consent(&context, &acme(), ACCESS, &consent.id, V3_1).await.unwrap(), consent);
}

#[tokio::test]
async fn ais_080_authorising_without_accounts_is_barred_and_stores_nothing() {
    let (context, _) = context(SmallBank::default()).await;
    let consent = create_consent(&context, &acme(), draft(access(), None)).await.unwrap();
    let (locked, inside) = (consent.clone(), context.clone());
    let authorise = move |tx: &mut dyn ServerTransaction| {
        let result = authorise_consent_in(
            tx,
            &inside,
            &locked,
            &PsuId::from("amelia"),
            &AuthorisedSelection::Accounts(Vec::new()),
        );
        assert!(matches!(result, Err(AuthoriseError::NotAuthorisable(NotAuthorisable::NoAccount))));
        Ok::<_, StoreError>(())
    };
    context.store.write(authorise).await.unwrap();
    assert_eq!(read_consent(&context, &acme(), ACCESS, &consent.id, V3_1).await.unwrap(), consent);
}

#[tokio::test]
async fn rw_279_undecided_consents_have_a_quota_for_each_client_and_day() {
    let (mut context, clock) = context(SmallBank::default()).await;
    context.payments.consent_quota = ConsentQuota::new(5);
    let make = async |client: &str| create_consent(&context, &client.into(), draft(access(), None)).await;
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(make("acme").await.unwrap());
    }
    let reached = RefusalKind::LimitReached { retry_after_secs: 10 };
    assert_eq!(refusal(make("acme").await).kind, reached);
    make("rival").await.unwrap();
    delete_consent(&context, &acme(), ACCESS, &made[0].id, V3_1).await.unwrap();
    clock.advance(SignedDuration::from_secs(10));
    make("acme").await.unwrap();
    assert_eq!(refusal(make("acme").await).kind, reached, "one place was free");
    clock.advance(SignedDuration::from_hours(25));
    make("acme").await.unwrap();
}
