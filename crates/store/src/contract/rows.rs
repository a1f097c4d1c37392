//! Stored rows read back unchanged.

use super::samples::{
    at, client, code, consent, digest, grant, interaction, read, selected, signing_key, token, write,
};
use lombard_database::testing::promises;
use lombard_domain::backchannel::BackchannelDelivery;
use lombard_domain::client::{Jwks, KeySetAddress};
use lombard_domain::consent::RevokedBy;
use lombard_domain::grant::{CallerEpochs, JourneyStage, TokenKind, TokenState};
use lombard_domain::security_profile::{SecurityProfile, SignedMessages};
use lombard_ports::store::{KeyOrigin, Owned, Store, StoredKey};

/// Every aggregate reads back unchanged after insert and after update, with timestamps to the microsecond.
pub(super) async fn what_is_stored_is_what_is_read(store: Store) {
    clients_and_consents(&store).await;
    grants_and_journeys(&store).await;
    keys_and_settings(&store).await;
}

async fn clients_and_consents(store: &Store) {
    let mut tpp = client("t");
    let mut asked = consent("c", "t");
    let (first_tpp, first_asked) = (tpp.clone(), asked.clone());
    write(store, move |tx| {
        tx.client_insert(&first_tpp)?;
        tx.consent_insert(&first_asked)
    })
    .await;
    assert_eq!(read(store, |tx| tx.client(&"t".into())).await, Some(tpp.clone()));
    assert_eq!(read(store, |tx| tx.consent(&"t".into(), &"c".into())).await, Owned::Mine(asked.clone()));

    tpp.redirect_uris.pop();
    tpp.headless = None;
    tpp.backchannel = Some(BackchannelDelivery::Poll);
    tpp.jwks = Jwks::Remote(KeySetAddress {
        url: String::from("https://keystore.example/acme.jwks"),
        revoked_url: Some(String::from("https://keystore.example/revoked.jwks")),
    });
    tpp.registration = None;
    tpp.profile = SecurityProfile::Fapi2Security;
    tpp.signed_messages = SignedMessages::default();
    tpp.epoch += 1;
    asked.authorise(&"amelia".into(), vec![selected("b2", "y"), selected("b1", "x")], at(6)).unwrap();
    assert!(asked.revoke(RevokedBy::Bank, at(7)));
    let (second_tpp, second_asked) = (tpp.clone(), asked.clone());
    write(store, move |tx| {
        tx.client_update(&second_tpp)?;
        tx.consent_update(&second_asked)
    })
    .await;
    assert_eq!(read(store, |tx| tx.client_ids()).await, vec![tpp.id.clone()]);
    assert_eq!(read(store, |tx| tx.clients()).await, vec![tpp]);
    assert_eq!(read(store, |tx| tx.consent_any_owner(&"c".into())).await, Some(asked));
    assert_eq!(read(store, |tx| tx.client(&"nobody".into())).await, None);
}

async fn grants_and_journeys(store: &Store) {
    let (alone, given) = (grant("g-alone", "t", None), grant("g", "t", Some("c")));
    let (token, code) = (token(1, "g", TokenKind::Refresh, None), code(2, "g"));
    let mut journey = interaction("i", "c");
    let rows = (alone.clone(), given.clone(), token.clone(), code.clone(), journey.clone());
    write(store, move |tx| {
        tx.grant_insert(&rows.0)?;
        tx.grant_insert(&rows.1)?;
        tx.token_insert(&rows.2)?;
        tx.code_insert(&rows.3)?;
        tx.journey_insert(&rows.4)
    })
    .await;
    assert_eq!(read(store, |tx| tx.grant(&"g-alone".into())).await, Some(alone));
    let epochs = CallerEpochs { client: 1, grant: 0, consent: 2 };
    let state = TokenState { token, grant: given, epochs };
    assert_eq!(read(store, |tx| tx.token_state(&digest(1))).await, Some(state));
    assert_eq!(read(store, |tx| tx.code_for_update(&digest(2))).await, Some(code));
    assert_eq!(read(store, |tx| tx.token_state(&digest(9))).await, None);

    let end = journey.expires_at;
    journey.stage = JourneyStage::Decision;
    journey.failures = 2;
    journey.psu = None;
    let second = journey.clone();
    write(store, move |tx| tx.journey_update(&second)).await;
    assert_eq!(read(store, |tx| tx.journey_for_update(&"i".into())).await, Some(journey));
    let live = async |second| {
        read(store, move |tx| tx.journey_live_of_consent(&"c".into(), at(second))).await.map(|journey| journey.id)
    };
    let end = end.as_second();
    assert_eq!((live(end - 1).await, live(end).await), (Some("i".into()), None));
    write(store, |tx| tx.journeys_finish_of_consent(&"c".into(), None)).await;
    assert_eq!(live(end - 1).await, None, "it is finished");
    let finished = read(store, |tx| tx.journey_for_update(&"i".into())).await.unwrap();
    assert_eq!(finished.stage, JourneyStage::Finished);

    let of = |id: &str, consent: &str, stage, psu: Option<&str>| {
        let mut journey = interaction(id, consent);
        (journey.stage, journey.psu) = (stage, psu.map(Into::into));
        journey
    };
    let (over, open) = (JourneyStage::Finished, JourneyStage::Login);
    let rows = [of("logged-in", "c", over, Some("amelia")), of("open", "c", open, None), of("other", "c2", over, None)];
    write(store, move |tx| {
        rows.iter().try_for_each(|row| tx.journey_insert(row))?;
        tx.journeys_remove_without_login(&"c".into())
    })
    .await;
    for (id, is_kept) in [("i", false), ("logged-in", true), ("open", true), ("other", true)] {
        assert_eq!(read(store, move |tx| tx.journey_for_update(&id.into())).await.is_some(), is_kept, "{id}");
    }
}

async fn keys_and_settings(store: &Store) {
    let (old, mut new) = (signing_key("z-old", 1), signing_key("a-new", 2));
    let rows = (new.clone(), old.clone());
    write(store, move |tx| {
        tx.key_insert(&rows.0)?;
        tx.key_insert(&rows.1)
    })
    .await;
    new.retired_at = Some(at(9));
    let update = new.clone();
    write(store, move |tx| tx.key_update(&update)).await;
    assert_eq!(read(store, |tx| tx.keys()).await, vec![old, new.clone()], "oldest first");
    write(store, |tx| tx.key_remove(&"z-old".into())).await;
    new.chain = vec![vec![1; 300]];
    let chain = new.chain.clone();
    let resealed = write(store, move |tx| {
        tx.key_certify(&"a-new".into(), &chain)?;
        Ok([tx.key_reseal(&"a-new".into(), &[7], &[8])?, tx.key_reseal(&"a-new".into(), &[0, 1, 255], &[9])?])
    });
    assert_eq!(resealed.await, [false, true], "only what is still as it was");
    new.sealed = vec![9];
    assert_eq!(read(store, |tx| tx.keys()).await, vec![new.clone()]);
    let waiting = StoredKey { origin: KeyOrigin::Token, active_from: None, ..signing_key("waiting", 3) };
    let row = waiting.clone();
    write(store, move |tx| tx.key_insert(&row)).await;
    assert_eq!(read(store, |tx| tx.keys()).await, vec![new, waiting]);

    promises::a_setting_is_what_was_put_last(store).await;
}

pub(super) async fn a_duplicate_is_told_by_its_table(store: Store) {
    promises::a_duplicate_is_told_by_its_table(&store, "clients", |tx| tx.client_insert(&client("t"))).await;
}
