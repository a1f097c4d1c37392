#![allow(clippy::disallowed_methods, reason = "no bank is informed of the consents of these tests")]
use super::*;
use crate::authorisation::testing::{one_pound, within_limits};
use crate::testing::{Leaf, START, Tpp, World};
use async_trait::async_trait;
use lombard_domain::client::ClientStatus;
use lombard_domain::consent::RevokedBy;
use lombard_domain::payment::order::{PaymentDraft, RequestForm};
use lombard_domain::payment::transfer::PaymentConditions;
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_ports::store::{Engine, TransactionWork};
use std::sync::atomic::{AtomicU64, Ordering};

const CONSENT: &str = "consent-1";

/// A PSU's live access token of a fresh TPP.
async fn token() -> (World, Tpp, String) {
    let (world, tpp) = World::with_tpp().await;
    let end = Timestamp::from_second(START + 7200).unwrap();
    let consent = world.consent(&tpp.client.id, CONSENT, Some(end)).await;
    world.code(&consent, "code", None).await;
    let token = world.exchange(&tpp, "code").await.unwrap().access_token;
    (world, tpp, token)
}

async fn problem(world: &World, token: &str, certificate: Option<&ClientCertificate>) -> CallerProblem {
    world.auth.callers.resolve_caller(token, certificate).await.unwrap_err()
}

async fn invalid(world: &World, token: &str, certificate: &ClientCertificate) -> InvalidToken {
    match problem(world, token, Some(certificate)).await {
        CallerProblem::Invalid(invalid, _) => invalid,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn as_110_a_caller_knows_what_handlers_ask() {
    let (world, tpp, token) = token().await;
    let caller = world.auth.callers.resolve_caller(&token, Some(&tpp.certificate)).await.unwrap();
    assert_eq!(caller.client, tpp.client.id);
    assert_eq!(caller.scopes.to_string(), "openid accounts");
    assert_eq!(caller.subject, GrantSubject::Psu { psu: "amelia".into(), consent: CONSENT.into() });
    assert_eq!(caller.consent.as_ref().unwrap().id.as_str(), CONSENT);
    let own = world.token(&tpp, &[("grant_type", "client_credentials"), ("scope", "accounts")]).await.unwrap();
    let alone = world.auth.callers.resolve_caller(&own.access_token, Some(&tpp.certificate)).await.unwrap();
    assert_eq!((alone.subject.clone(), alone.consent.clone()), (GrantSubject::Client, None));
    assert!(Arc::ptr_eq(&alone.registration, &caller.registration), "the registration is in memory once");
}

#[test]
fn as_112_only_one_bearer_token_is_read() {
    for (header, token) in [
        (Some("Bearer abc"), Some("abc")),
        (Some("bearer abc"), Some("abc")),
        (Some("BEARER  a-._~+/="), Some("a-._~+/=")),
        (None, None),
        (Some(""), None),
        (Some("abc"), None),
        (Some("Bearer"), None),
        (Some("Bearer "), None),
        (Some("Bearer a b"), None),
        (Some("Bearer a,Bearer b"), None),
        (Some("Basic abc"), None),
        (Some("DPoP abc"), None),
        (Some("Bearer é"), None),
    ] {
        assert_eq!(bearer_token(header).ok(), token, "{header:?}");
    }
}

#[tokio::test]
async fn as_111_a_token_works_with_its_certificate_only() {
    let (world, tpp, token) = token().await;
    let twin = Leaf::obwac(tpp.client.org_id.as_str()).certificate();
    for _ in 0..2 {
        assert_eq!(invalid(&world, &token, &twin).await, InvalidToken::OtherCertificate);
        assert!(matches!(problem(&world, &token, None).await, CallerProblem::NoCertificate));
        assert!(world.auth.callers.resolve_caller(&token, Some(&tpp.certificate)).await.is_ok());
    }
    let without = world.auth.callers.resolve_caller_from_header(Some(&format!("Bearer {token}")), None).await;
    assert_eq!(without.unwrap_err().challenge(), r#"Bearer error="invalid_token""#);
    let missing = world.auth.callers.resolve_caller_from_header(None, Some(&tpp.certificate)).await.unwrap_err();
    assert_eq!(missing.challenge(), "Bearer");
}

#[tokio::test]
async fn tokens_that_open_nothing() {
    let (world, tpp, token) = token().await;
    assert_eq!(invalid(&world, "never issued", &tpp.certificate).await, InvalidToken::Unknown);
    assert_eq!(invalid(&world, &token.to_lowercase(), &tpp.certificate).await, InvalidToken::Unknown);
    let consent = world.consent(&tpp.client.id, "consent-2", None).await;
    world.code(&consent, "code-2", None).await;
    let refresh = world.exchange(&tpp, "code-2").await.unwrap().refresh_token.unwrap();
    assert_eq!(invalid(&world, &refresh, &tpp.certificate).await, InvalidToken::NotAnAccessToken);
}

#[tokio::test]
async fn rw_109_time_alone_ends_a_token() {
    let (world, tpp, token) = token().await;
    assert!(world.auth.callers.resolve_caller(&token, Some(&tpp.certificate)).await.is_ok());
    world.pass_secs(3599);
    assert!(world.auth.callers.resolve_caller(&token, Some(&tpp.certificate)).await.is_ok());
    world.pass_secs(1);
    let expired = problem(&world, &token, Some(&tpp.certificate)).await;
    assert!(matches!(expired, CallerProblem::Invalid(InvalidToken::Expired, _)));
    assert_eq!(expired.consent_ended(), None, "CON-30: the consent is as it was");
}

#[tokio::test]
async fn ais_077_the_banks_clock_ends_a_consent_and_with_it_its_token() {
    let (world, tpp, token) = token().await;
    assert!(world.auth.callers.resolve_caller(&token, Some(&tpp.certificate)).await.is_ok());
    world.clocks.set_bank_offset_micros(7_200_000_000);
    let ended = problem(&world, &token, Some(&tpp.certificate)).await;
    assert!(matches!(ended, CallerProblem::Invalid(InvalidToken::ConsentExpired, _)));
    assert_eq!(ended.consent_ended(), Some(EffectiveConsentStatus::Expired), "RW-133");
    world.pass_secs(3600);
    let both = problem(&world, &token, Some(&tpp.certificate)).await;
    assert_eq!(
        both.consent_ended(),
        Some(EffectiveConsentStatus::Expired),
        "AIS-078: the token's own time is over as well"
    );
    let stolen = problem(&world, &token, Some(&Leaf::obwac("OTHER").certificate())).await;
    assert_eq!(stolen.consent_ended(), None, "nothing is told to another certificate");
}

#[tokio::test]
async fn rw_133_access_ended_by_the_bank_is_told_to_the_tokens_own_certificate() {
    let (world, tpp, token) = token().await;
    let caller = world.auth.callers.resolve_caller(&token, Some(&tpp.certificate)).await.unwrap();
    let mut consent = Consent::clone(caller.consent.as_ref().unwrap());
    let (id, now) = (consent.id.clone(), world.wall());
    consent.revoke(RevokedBy::Bank, now);
    let end = move |tx: &mut dyn ServerTransaction| {
        tx.consent_update(&consent)?;
        tx.grants_revoke_of_consent(&id, None, now).map(|_| ())
    };
    world.auth.context.store.write::<_, StoreError, _>(end).await.unwrap();
    let ended = problem(&world, &token, Some(&tpp.certificate)).await;
    assert_eq!(ended.consent_ended(), Some(EffectiveConsentStatus::Revoked(RevokedBy::Bank)));
    let stolen = problem(&world, &token, Some(&Leaf::obwac("OTHER").certificate())).await;
    assert!(matches!(stolen, CallerProblem::Invalid(InvalidToken::Revoked, _)), "{stolen:?}");
}

#[tokio::test]
async fn ais_078_the_last_moment_of_a_consent_gives_access() {
    let (world, tpp, token) = token().await;
    world.clocks.set_bank_offset_micros(7_199_999_999);
    assert!(world.auth.callers.resolve_caller(&token, Some(&tpp.certificate)).await.is_ok());
}

#[tokio::test]
async fn as_113_an_expired_certificate_opens_nothing() {
    let (world, mut tpp, _) = token().await;
    let mut leaf = Leaf::obwac(tpp.client.org_id.as_str());
    leaf.valid_secs.1 = START + 60;
    tpp.certificate = leaf.certificate();
    let token = world.token(&tpp, &[("grant_type", "client_credentials")]).await.unwrap().access_token;
    world.pass_secs(61);
    assert_eq!(invalid(&world, &token, &tpp.certificate).await, InvalidToken::CertificateUnusable);
}

#[tokio::test]
async fn as_116_revocation_reaches_a_cached_caller_with_the_next_request() {
    for (case, ended) in [
        ("token", InvalidToken::Revoked),
        ("grant", InvalidToken::Revoked),
        ("consent deleted", InvalidToken::Revoked),
        ("consent revoked", InvalidToken::AccessEnded),
        ("client", InvalidToken::ClientDisabled),
    ] {
        let (world, mut tpp, token) = token().await;
        let caller = world.auth.callers.resolve_caller(&token, Some(&tpp.certificate)).await.unwrap();
        let (hash, grant, now) = (lombard_jose::sha256(token.as_bytes()), caller.grant.clone(), world.wall());
        let mut consent = Consent::clone(caller.consent.as_ref().unwrap());
        let store = &world.auth.context.store;
        match case {
            "token" => store.write::<_, StoreError, _>(move |tx| tx.token_revoke(&hash, now)).await.unwrap(),
            "grant" => store.write::<_, StoreError, _>(move |tx| tx.grant_revoke(&grant, now)).await.unwrap(),
            "consent deleted" => world.delete(&CONSENT.into(), &tpp.client.id).await,
            "consent revoked" => {
                consent.revoke(RevokedBy::Psu, now);
                store.write::<_, StoreError, _>(move |tx| tx.consent_update(&consent)).await.unwrap();
            }
            _ => {
                tpp.client.status = ClientStatus::Disabled;
                world.update(&tpp.client).await;
            }
        }
        assert_eq!(invalid(&world, &token, &tpp.certificate).await, ended, "{case}");
    }
}

#[tokio::test]
async fn what_changed_is_read_again_and_the_caller_shows_it() {
    let (world, tpp, token) = token().await;
    let before = world.auth.callers.resolve_caller(&token, Some(&tpp.certificate)).await.unwrap();
    let mut consent = Consent::clone(before.consent.as_ref().unwrap());
    consent.accounts.clear();
    consent.epoch += 1;
    world.auth.context.store.write::<_, StoreError, _>(move |tx| tx.consent_update(&consent)).await.unwrap();
    let after = world.auth.callers.resolve_caller(&token, Some(&tpp.certificate)).await.unwrap();
    assert!(after.consent.as_ref().unwrap().accounts.is_empty() && !Arc::ptr_eq(&before, &after));
    let again = world.auth.callers.resolve_caller(&token, Some(&tpp.certificate)).await.unwrap();
    assert!(Arc::ptr_eq(&after, &again), "cached again");
}

#[tokio::test]
async fn guessing_tokens_fills_no_memory() {
    let (world, tpp, token) = token().await;
    let callers = &world.auth.callers;
    for guess in 0..50 {
        assert!(callers.resolve_caller(&format!("guess-{guess}"), Some(&tpp.certificate)).await.is_err());
    }
    assert_eq!(callers.known.len(), 0);
    assert!(callers.resolve_caller(&token, Some(&Leaf::obwac("OTHER").certificate())).await.is_err());
    assert_eq!(callers.known.len(), 0, "nor does a stolen token");
    assert!(callers.resolve_caller(&token, Some(&tpp.certificate)).await.is_ok());
    assert_eq!(callers.known.len(), 1);
}

#[tokio::test]
async fn the_caller_of_one_payment_is_not_kept() {
    let (world, tpp) = World::with_tpp().await;
    for (terms, kept) in [(one_pound(), 0), (within_limits(), 1)] {
        let submitted = Submitted { version: Version::V3_1, json: "{}".into() };
        let draft = PaymentDraft { terms, form: RequestForm::default(), submitted };
        let draft = draft.into_consent_draft(PaymentConditions::default());
        let consent = world.authorised(&tpp.client.id, &format!("payment-{kept}"), draft).await;
        world.code(&consent, consent.id.as_str(), None).await;
        let token = world.exchange(&tpp, consent.id.as_str()).await.unwrap().access_token;
        for _ in 0..2 {
            let caller = world.auth.callers.resolve_caller(&token, Some(&tpp.certificate)).await.unwrap();
            assert_eq!(caller.consent.as_ref().unwrap().id, consent.id);
        }
        assert_eq!(world.auth.callers.known.len(), kept);
    }
}

/// A storage engine that counts the reads.
#[derive(Debug)]
struct Counted {
    inner: Store,
    reads: AtomicU64,
}

#[async_trait]
impl Engine for Counted {
    async fn write(&self, _: TransactionWork) -> Result<(), StoreError> {
        Err(StoreError::Contended)
    }

    async fn read(&self, mut work: TransactionWork) -> Result<(), StoreError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        self.inner
            .read(move |tx| {
                work(tx);
                Ok(())
            })
            .await
    }
}

#[tokio::test]
async fn a_known_caller_costs_one_read() {
    let (world, tpp, token) = token().await;
    let counted = Arc::new(Counted { inner: world.auth.context.store.clone(), reads: AtomicU64::new(0) });
    let callers = CallerResolver::new(Store::new(Arc::clone(&counted) as Arc<dyn Engine>), world.clocks.clone());
    for reads in 1..=4 {
        callers.resolve_caller(&token, Some(&tpp.certificate)).await.unwrap();
        assert_eq!(counted.reads.load(Ordering::SeqCst), reads);
    }
}

/// A caller of before is confirmed while nothing it stands on has moved, and only then.
#[tokio::test]
async fn as_113_a_cached_caller_is_confirmed_only_while_nothing_has_changed() {
    let (world, tpp, token) = token().await;
    let (callers, header) = (&world.auth.callers, format!("Bearer {token}"));
    let find = |certificate: &ClientCertificate| callers.find_unconfirmed(Some(&header), certificate);
    assert!(find(&tpp.certificate).is_none(), "never seen");
    let caller = callers.resolve_caller(&token, Some(&tpp.certificate)).await.unwrap();
    let found = find(&tpp.certificate).unwrap();
    assert_eq!(found.caller(), caller);
    assert!(callers.confirm(&found, &tpp.certificate).await.unwrap());
    let other = Leaf::obwac("OTHER").certificate();
    assert!(find(&other).is_none(), "bound to another certificate");
    assert!(!callers.confirm(&found, &other).await.unwrap());
    for header in [None, Some("Bearer guess"), Some("Basic x")] {
        assert!(callers.find_unconfirmed(header, &tpp.certificate).is_none());
    }
    // Revoked on another node: the cached caller is as it was, and what was done for it is worth nothing.
    let grant = caller.grant.clone();
    let now = world.clocks.wall_now();
    world.auth.context.store.write::<_, StoreError, _>(move |tx| tx.grant_revoke(&grant, now)).await.unwrap();
    let found = find(&tpp.certificate).unwrap();
    assert!(!callers.confirm(&found, &tpp.certificate).await.unwrap());
    assert!(find(&tpp.certificate).is_none(), "forgotten");
    assert!(!callers.confirm(&found, &tpp.certificate).await.unwrap());
}
