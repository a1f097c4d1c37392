//! Uploads of files: accepted and refused.

use super::*;
use crate::payments::expiry;
use crate::purge::purge_ended_rows;
use futures_util::TryStreamExt;
use lombard_domain::retention::RetentionRules;

/// A file of several pieces.
fn large() -> String {
    vec!["100"; 150_000].join("\n")
}

async fn bytes_of(world: &World, consent: &ConsentId) -> Vec<u8> {
    let kept = files::download_file(&world.context, &acme(), consent, V3_1).await.unwrap();
    assert_eq!(kept.media_type, "text/xml; charset=utf-8");
    kept.pieces().try_concat().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn file_001_009_020_a_file_that_was_announced_is_taken_and_given_back() {
    let world = World::new().await;
    let consent = world.create(of_file(file_terms()), "k").await.unwrap();
    assert_eq!(consent.state, ConsentState::AwaitingUpload);
    let before = files::download_file(&world.context, &acme(), &consent.id, V3_1).await;
    assert_eq!(refusal(before).kind, RefusalKind::NotFound, "FILE-020");
    world.clock.advance(SignedDuration::from_secs(5));
    let text = large();
    world.send(&consent.id, "k", HASH, &text).await.unwrap();
    let taken = world.consent(&consent.id).await;
    assert_eq!((taken.state, taken.state_changed_at), (ConsentState::AwaitingAuthorisation, world.bank_now()));
    let file = taken.request.payment().unwrap().file.clone().unwrap();
    assert_eq!((file.bytes, file.totals.count), (text.len() as u64, 150_000));
    assert_eq!(file.totals.by_currency, [Amount::from_minor(15_000_000, Currency::GBP)]);
    assert_eq!(bytes_of(&world, &consent.id).await, text.as_bytes());
    let lines = files::read_stored_lines(&world.context, &file, 149_998, 10).await.unwrap();
    assert_eq!(lines, [line(149_999, "100"), line(150_000, "100")]);
    assert_eq!(left_over(&world.context.store).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn file_010_the_same_request_again_does_nothing_and_another_is_refused() {
    let world = World::new().await;
    let consent = world.create(of_file(file_terms()), "k").await.unwrap();
    world.send(&consent.id, "k", HASH, "100").await.unwrap();
    let taken = world.consent(&consent.id).await;
    world.send(&consent.id, "k", HASH, "100").await.unwrap();
    let again = world.send(&consent.id, "k2", HASH, "100").await;
    assert_eq!(refusal(again).kind, RefusalKind::ConsentState);
    let other = world.send(&consent.id, "k", Digest([8; 32]), "200").await;
    assert_eq!(refusal(other).kind, RefusalKind::IdempotencyKeyReused, "PIS-066");
    assert_eq!(world.consent(&consent.id).await, taken);
    let agreed = world.agree(taken, "amelia", "b-1").await;
    world.place(&agreed, "k").await.unwrap();
    world.send(&consent.id, "k", HASH, "100").await.unwrap();
    assert_eq!(left_over(&world.context.store).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn file_010_pis_069_of_two_at_once_one_is_taken() {
    let world = World::new().await;
    let same = world.create(of_file(file_terms()), "k").await.unwrap();
    let (one, two) = tokio::join!(world.send(&same.id, "k", HASH, "1"), world.send(&same.id, "k", HASH, "1"));
    assert!(one.is_ok() && two.is_ok(), "{one:?} {two:?}");
    let other = world.create(of_file(file_terms()), "l").await.unwrap();
    let (one, two) = tokio::join!(world.send(&other.id, "k", HASH, "1"), world.send(&other.id, "l", HASH, "1"));
    let lost = if one.is_ok() { two } else { one };
    assert_eq!(refusal(lost).kind, RefusalKind::ConsentState);
    for consent in [same, other] {
        assert_eq!(world.consent(&consent.id).await.state, ConsentState::AwaitingAuthorisation);
        assert_eq!(bytes_of(&world, &consent.id).await, b"1");
    }
    assert_eq!(left_over(&world.context.store).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn file_011_another_file_is_refused_and_the_right_one_may_still_come() {
    let world = World::new().await;
    let consent = world.create(of_file(file_terms()), "k").await.unwrap();
    let refused = refusal(world.send(&consent.id, "k", Digest([8; 32]), "100").await);
    let place = Some(FaultLocation::Field(Field::File(lombard_domain::refusal::FileField::Hash)));
    assert_eq!((refused.faults[0].code, &refused.faults[0].at), (FaultCode::FieldInvalid, &place));
    assert_eq!(world.consent(&consent.id).await, consent, "not even its epoch moved");
    assert_eq!(left_over(&world.context.store).await, []);
    world.send(&consent.id, "k", HASH, "100").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn file_012_014_a_file_that_is_not_what_was_said_ends_its_consent() {
    let world = World::new().await;
    let counted = FileInitiation { count: Some(3), sum: Some("2.01".parse().unwrap()), ..file_terms() };
    for (key, text, faults) in [
        ("a", "100\nnonsense", vec![FaultCode::InvalidFormat]),
        ("b", "100\n100", vec![FaultCode::FieldInvalid, FaultCode::FieldInvalid]),
    ] {
        let consent = world.create(of_file(counted.clone()), key).await.unwrap();
        assert_eq!(codes(world.send(&consent.id, key, HASH, text).await), faults);
        assert_eq!(world.consent(&consent.id).await.state, ConsentState::Rejected);
        let again = world.send(&consent.id, key, HASH, "100\n100\n1").await;
        assert_eq!(refusal(again).kind, RefusalKind::ConsentState);
        assert_eq!(left_over(&world.context.store).await, []);
    }
    let consent = world.create(of_file(counted), "c").await.unwrap();
    world.send(&consent.id, "c", HASH, "100\n100\n1").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn pis_007_a_file_is_sent_for_a_consent_of_ones_own_that_is_to_one() {
    let world = World::new().await;
    let payment = world.create(terms(now()), "k").await.unwrap();
    let consent = world.create(of_file(file_terms()), "l").await.unwrap();
    let kind = async |client: &str, id: &ConsentId| {
        refusal(files::find_upload_consent(&world.context, &client.into(), id, V3_1).await).kind
    };
    assert_eq!(kind("acme", &payment.id).await, RefusalKind::NotFound);
    assert_eq!(kind("acme", &"none".into()).await, RefusalKind::NotFound);
    assert_eq!(kind("rival", &consent.id).await, RefusalKind::ForeignOwner);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_whose_sender_has_gone_is_removed() {
    let world = World::new().await;
    let consent = world.create(of_file(file_terms()), "k").await.unwrap();
    let announced = files::find_upload_consent(&world.context, &acme(), &consent.id, V3_1).await.unwrap();
    let mut sending = announced.begin_upload(&world.context, 300_000).await.unwrap();
    sending.append_bytes(&[b'1'; 300_000]).await.unwrap();
    assert_eq!(left_over(&world.context.store).await.len(), 1);
    drop(sending);
    while !left_over(&world.context.store).await.is_empty() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_never_finished_is_swept_after_two_hours() {
    let world = World::new().await;
    let consent = world.create(of_file(file_terms()), "k").await.unwrap();
    let announced = files::find_upload_consent(&world.context, &acme(), &consent.id, V3_1).await.unwrap();
    let mut sending = announced.begin_upload(&world.context, 300_000).await.unwrap();
    sending.append_bytes(&[b'1'; 300_000]).await.unwrap();
    // This is the state after a crash of the node: nothing is running any more.
    std::mem::forget(sending);
    assert_eq!(left_over(&world.context.store).await.len(), 1);
    world.clock.advance(SignedDuration::from_hours(2) - SignedDuration::from_micros(1));
    assert_eq!(purge_ended_rows(&world.context, &RetentionRules::default()).await.unwrap(), 0);
    world.clock.advance(SignedDuration::from_micros(1));
    assert_eq!(purge_ended_rows(&world.context, &RetentionRules::default()).await.unwrap(), 1);
    assert_eq!(left_over(&world.context.store).await, []);
    let announced = files::find_upload_consent(&world.context, &acme(), &consent.id, V3_1).await.unwrap();
    announced.begin_upload(&world.context, 300_000).await.unwrap().discard_upload().await;
    assert_eq!(left_over(&world.context.store).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn pis_027_a_consent_whose_file_never_comes_is_rejected() {
    let world = World::new().await;
    let consent = world.create(of_file(file_terms()), "k").await.unwrap();
    world.clock.advance(DAY);
    assert_eq!(expiry::reject_undecided_consents(&world.context).await.unwrap(), 1);
    assert_eq!(world.consent(&consent.id).await.state, ConsentState::Rejected);
    let late = world.send(&consent.id, "k", HASH, "100").await;
    assert_eq!(refusal(late).kind, RefusalKind::ConsentState);
}
