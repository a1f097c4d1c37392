//! The effects of a decision, and the conditions that prevent one.

use super::*;
use crate::authorisation::testing::REDIRECT_URI;
use jiff::SignedDuration;
use lombard_domain::consent::ConsentState;
use lombard_domain::grant::GrantSubject;
use lombard_domain::scope::Scopes;
use lombard_domain::version::Version;
use lombard_jose::{CompactJws, half_hash, sha256};
use serde_json::json;

#[tokio::test]
async fn as_085_to_as_102_an_approval_returns_a_code_and_id_token_bound_to_it() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let mut claims = world.claims("acme", &consent);
    claims["code_challenge"] = json!(lombard_jose::base64url(&[1; 32]));
    claims["code_challenge_method"] = json!("S256");
    let mut tab = Tab::open(&world, "acme", &claims).await;
    tab.log_in(&world, "amelia").await;
    tab.enter_code(&world).await;
    let answer = left(tab.approve(&world).await);

    assert_eq!(answer.address, REDIRECT_URI);
    assert_eq!(answer.names(), ["code", "id_token", "state"]);
    assert_eq!(answer.value("state"), claims["state"].as_str());
    let code = answer.value("code").unwrap().to_owned();
    assert_eq!(code.len(), 43, "256 bits");

    let token = CompactJws::parse(answer.value("id_token").unwrap()).unwrap();
    token.verify(&world.auth.keys.verification_keys()).unwrap();
    let said: Value = token.claims().unwrap();
    let now = world.clock_seconds();
    for (name, value) in [
        ("sub", json!(consent.as_str())),
        ("aud", json!("acme")),
        ("openbanking_intent_id", json!(consent.as_str())),
        ("nonce", claims["nonce"].clone()),
        ("acr", json!("urn:openbanking:psd2:sca")),
        ("auth_time", json!(now)),
        ("c_hash", json!(half_hash(&code))),
        ("s_hash", json!(half_hash(claims["state"].as_str().unwrap()))),
    ] {
        assert_eq!(said[name], value, "{name}");
    }
    assert_eq!(said.get("at_hash"), None);

    let stored = world.stored(&consent).await;
    assert_eq!((stored.state, stored.psu), (ConsentState::Authorised, Some("amelia".into())));
    assert_eq!(stored.accounts.len(), 2, "AIS-080: the accounts that were chosen");
    let (row, grant) = world
        .auth
        .context
        .store
        .write(move |tx| {
            let row = tx.code_for_update(&sha256(code.as_bytes()))?.unwrap();
            let grant = tx.grant(&row.grant)?.unwrap();
            Ok::<_, lombard_ports::store::StoreError>((row, grant))
        })
        .await
        .unwrap();
    assert_eq!((row.client.as_str(), row.redirect_uri.as_str()), ("acme", REDIRECT_URI));
    assert_eq!(row.code_challenge.as_deref(), claims["code_challenge"].as_str(), "AS-150");
    assert_eq!(row.expires_at.as_second(), now + 60, "AS-042");
    assert_eq!(grant.scopes, Scopes::parse("openid accounts").unwrap());
    assert_eq!(grant.subject, GrantSubject::Psu { psu: "amelia".into(), consent });
}

#[tokio::test]
async fn as_042_no_setting_makes_a_code_live_longer_than_a_minute() {
    let world = World::with(|settings| settings.code_secs = 86_400).await;
    let consent = world.consent("acme").await;
    let answer = left(Tab::at_decision(&world, &consent, "amelia").await.approve(&world).await);
    let hash = sha256(answer.value("code").unwrap().as_bytes());
    let code = world.auth.context.store.write(move |tx| tx.code_for_update(&hash)).await.unwrap().unwrap();
    assert_eq!(code.expires_at.as_second(), world.clock_seconds() + 60);
}

#[tokio::test]
async fn as_089_a_refusal_at_any_step_rejects_the_consent() {
    let world = World::new().await;
    for steps in 0..4 {
        let consent = world.consent("acme").await;
        let claims = world.claims("acme", &consent);
        let mut tab = Tab::open(&world, "acme", &claims).await;
        if steps > 0 {
            tab.log_in(&world, "amelia").await;
        }
        if steps > 1 {
            tab.enter_code(&world).await;
        }
        let submission = tab.submission(&world).await;
        let answer = left(match steps {
            3 => decide_journey(&world.auth, &submission, &PsuChoice::Reject).await,
            _ => cancel_journey(&world.auth, &submission).await,
        });
        assert_eq!(answer.error(), Some("access_denied"));
        assert_eq!(answer.value("state"), claims["state"].as_str());
        assert_eq!(world.stored(&consent).await.state, ConsentState::Rejected);
        assert_eq!(lost(tab.view(&world).await), JourneyUnavailable::Ended);
        assert_eq!(world.answer("acme", &claims).await.error(), Some("invalid_request_object"), "AS-080");
    }
}

#[tokio::test]
async fn rw_306_refusing_again_leaves_an_authorised_consent_alone() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    left(Tab::at_decision(&world, &consent, "amelia").await.approve(&world).await);
    let before = world.stored(&consent).await;
    let tab = Tab::at_decision(&world, &consent, "amelia").await;
    let answer = left(decide_journey(&world.auth, &tab.submission(&world).await, &PsuChoice::Reject).await);
    assert_eq!(answer.error(), Some("access_denied"));
    assert_eq!(world.stored(&consent).await, before);
}

#[tokio::test]
async fn ais_083_and_rw_309_reauthentication_offers_past_choice_and_keeps_time() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let first = Tab::at_decision(&world, &consent, "amelia").await;
    let offered = first.offered(&world).await;
    assert!(offered.iter().all(|offer| !offer.preselected), "with several accounts the PSU chooses");
    let only = PsuChoice::Approve(vec![offered[1].handle.clone()]);
    left(decide_journey(&world.auth, &first.submission(&world).await, &only).await);
    let before = world.stored(&consent).await;

    world.clock.advance(SignedDuration::from_hours(24));
    let again = Tab::at_decision(&world, &consent, "amelia").await;
    let offered = again.offered(&world).await;
    let preselected: Vec<_> = offered.iter().filter(|offer| offer.preselected).collect();
    assert_eq!(preselected.len(), 1);
    assert_eq!(preselected[0].account.id, before.accounts[0].account);
    let kept = PsuChoice::Approve(vec![preselected[0].handle.clone()]);
    assert!(left(decide_journey(&world.auth, &again.submission(&world).await, &kept).await).value("code").is_some());
    let after = world.stored(&consent).await;
    assert_eq!((after.state_changed_at, after.accounts), (before.state_changed_at, before.accounts));
}

#[tokio::test]
async fn as_090_a_second_journey_ends_the_first_and_as_132_notifies_its_client() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let claims = world.claims("acme", &consent);
    let mut first = Tab::open(&world, "acme", &claims).await;
    first.log_in(&world, "amelia").await;
    first.enter_code(&world).await;
    let (submission, choice) = (first.submission(&world).await, first.approval(&world).await);

    let second = Tab::at_decision(&world, &consent, "amelia").await;
    assert_eq!(lost(first.view(&world).await), JourneyUnavailable::Ended);
    let answer = left(decide_journey(&world.auth, &submission, &choice).await);
    assert_eq!((answer.error(), answer.value("state")), (Some("invalid_request"), claims["state"].as_str()));
    assert_eq!(lost(decide_journey(&world.auth, &submission, &choice).await), JourneyUnavailable::Ended, "told once");
    assert_eq!(
        lost(cancel_journey(&world.auth, &submission).await),
        JourneyUnavailable::Ended,
        "a dead page rejects nothing"
    );
    assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation);
    assert!(left(second.approve(&world).await).value("code").is_some());
}

#[tokio::test]
async fn as_090_journeys_that_were_only_begun_are_not_kept() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let claims = world.claims("acme", &consent);
    let mut logged_in = Tab::open(&world, "acme", &claims).await;
    logged_in.log_in(&world, "amelia").await;
    let mut tabs = Vec::new();
    for _ in 0..3 {
        tabs.push(Tab::start(&world, &consent).await);
    }
    assert_eq!(lost(tabs[0].view(&world).await), JourneyUnavailable::Unknown);
    assert_eq!(lost(tabs[1].view(&world).await), JourneyUnavailable::Ended, "the last one learns what became of it");
    assert!(tabs[2].view(&world).await.is_ok());
    assert_eq!(lost(logged_in.view(&world).await), JourneyUnavailable::Ended);
}

#[tokio::test]
async fn as_080_a_reloaded_request_is_one_request_still() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let claims = world.claims("acme", &consent);
    let mut tabs = Vec::new();
    for _ in 0..2 {
        let mut tab = Tab::open(&world, "acme", &claims).await;
        tab.log_in(&world, "amelia").await;
        tab.enter_code(&world).await;
        tabs.push((tab.submission(&world).await, tab.approval(&world).await));
    }
    assert!(left(decide_journey(&world.auth, &tabs[1].0, &tabs[1].1).await).value("code").is_some());
    assert_eq!(lost(decide_journey(&world.auth, &tabs[0].0, &tabs[0].1).await), JourneyUnavailable::Ended);
}

#[tokio::test]
async fn as_133_only_accounts_on_offer_can_be_chosen() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let (tab, other) = (
        Tab::at_decision(&world, &consent, "amelia").await,
        Tab::at_decision(&world, &world.consent("acme").await, "bashir").await,
    );
    let offered = tab.offered(&world).await;
    let theirs = other.offered(&world).await;
    assert!(theirs[0].preselected, "the only account needs no choosing");
    let choose = async |handles: &[&str]| {
        let choice = PsuChoice::Approve(handles.iter().map(|handle| (*handle).to_owned()).collect());
        decide_journey(&world.auth, &tab.submission(&world).await, &choice).await
    };
    assert!(matches!(choose(&[]).await, Ok(JourneyStep::SamePage(JourneyNotice::NoAccount))), "AIS-080");
    for foreign in [theirs[0].handle.as_str(), "acc-1", ""] {
        let step = choose(&[offered[0].handle.as_str(), foreign]).await;
        assert!(matches!(step, Ok(JourneyStep::SamePage(JourneyNotice::OtherAccounts))), "{foreign}");
    }
    world.close("amelia", Some("acc-1"));
    assert!(matches!(
        choose(&[offered[0].handle.as_str()]).await,
        Ok(JourneyStep::SamePage(JourneyNotice::OtherAccounts))
    ));
    left(choose(&[offered[1].handle.as_str()]).await);
    let accounts = world.stored(&consent).await.accounts;
    assert_eq!(accounts.iter().map(|it| it.account.as_str()).collect::<Vec<_>>(), ["acc-2"]);
}

#[tokio::test]
async fn ais_064_a_deletion_while_the_psu_decides_wins() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let tab = Tab::at_decision(&world, &consent, "amelia").await;
    let (submission, choice) = (tab.submission(&world).await, tab.approval(&world).await);
    lombard_service::consents::delete_consent(
        &world.auth.context,
        &"acme".into(),
        lombard_domain::consent::ConsentKind::AccountAccess,
        &consent,
        Version::V3_1,
    )
    .await
    .unwrap();
    assert_eq!(lost(tab.view(&world).await), JourneyUnavailable::Ended);
    let answer = left(decide_journey(&world.auth, &submission, &choice).await);
    assert_eq!((answer.error(), answer.value("code")), (Some("invalid_request"), None));
    assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation);
}

#[tokio::test]
async fn as_132_a_consent_that_expires_while_the_psu_decides_is_not_authorised() {
    let world = World::new().await;
    let end = world.auth.context.clocks.bank_now().checked_add(SignedDuration::from_secs(60)).unwrap();
    let consent = world.consent_until("acme", Some(end)).await;
    let tab = Tab::at_decision(&world, &consent, "amelia").await;
    world.clock.advance(SignedDuration::from_secs(60));
    let answer = left(tab.approve(&world).await);
    assert_eq!((answer.error(), answer.value("code")), (Some("invalid_request"), None));
    assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation);
}

#[tokio::test(flavor = "multi_thread")]
async fn as_132_of_decisions_made_at_once_one_counts() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let tab = Tab::at_decision(&world, &consent, "amelia").await;
    let (submission, approve) = (tab.submission(&world).await, tab.approval(&world).await);
    let decisions = (0..8).map(|number| {
        let (auth, submission) = (world.auth.clone(), submission.clone());
        let choice = if number % 2 == 0 { approve.clone() } else { PsuChoice::Reject };
        tokio::spawn(async move { decide_journey(&auth, &submission, &choice).await })
    });
    let mut answers = Vec::new();
    for decision in decisions.collect::<Vec<_>>() {
        match decision.await.unwrap() {
            Ok(JourneyStep::Redirect(redirect) | JourneyStep::Approved(_, redirect)) => {
                answers.push(Answer::read(&redirect))
            }
            Err(JourneyError::Unavailable(JourneyUnavailable::Ended)) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(answers.len(), 1, "the client hears once");
    let state = world.stored(&consent).await.state;
    match answers[0].value("code") {
        Some(_) => assert_eq!(state, ConsentState::Authorised),
        None => assert_eq!((answers[0].error(), state), (Some("access_denied"), ConsentState::Rejected)),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ais_064_a_racing_decision_and_deletion_leave_no_code_on_a_consent() {
    let world = World::new().await;
    for _ in 0..8 {
        let consent = world.consent("acme").await;
        let tab = Tab::at_decision(&world, &consent, "amelia").await;
        let (submission, approve) = (tab.submission(&world).await, tab.approval(&world).await);
        let (auth, context, id) = (world.auth.clone(), world.auth.context.clone(), consent.clone());
        let decided = tokio::spawn(async move { decide_journey(&auth, &submission, &approve).await });
        lombard_service::consents::delete_consent(
            &context,
            &"acme".into(),
            lombard_domain::consent::ConsentKind::AccountAccess,
            &id,
            Version::V3_1,
        )
        .await
        .unwrap();
        let answer = left(decided.await.unwrap());
        let Some(code) = answer.value("code") else {
            assert_eq!(answer.error(), Some("invalid_request"));
            continue;
        };
        let hash = sha256(code.as_bytes());
        let grant = context
            .store
            .write(move |tx| {
                let code = tx.code_for_update(&hash)?.unwrap();
                tx.grant(&code.grant)
            })
            .await
            .unwrap()
            .unwrap();
        assert!(grant.revoked_at.is_some(), "the deletion came after, and took the grant with it");
    }
}
