//! Headless clients, whose requests are answered without a person.

use super::*;
use crate::HeadlessSettings;
use crate::authorisation::Redirect;
use crate::error::OAuthErrorCode;
use lombard_domain::consent::ConsentState;
use lombard_domain::grant::JourneyStage;
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;

fn headless(reply: AuthorisationReply) -> Redirect {
    match reply {
        AuthorisationReply::Redirect(redirect) => redirect,
        other => panic!("not answered at once: {other:?}"),
    }
}

#[tokio::test]
async fn as_171_a_headless_client_is_answered_at_once_with_every_account() {
    let world = World::new().await;
    let consent = world.consent("robot").await;
    let claims = world.claims("robot", &consent);
    let redirect = headless(world.ask("robot", &claims).await);
    assert!(redirect.headless, "AS-170: announced");
    assert_eq!(Answer::read(&redirect).names(), ["code", "id_token", "state"]);
    let stored = world.stored(&consent).await;
    assert_eq!((stored.state, stored.psu, stored.accounts.len()), (ConsentState::Authorised, Some("amelia".into()), 2));
    assert_eq!(world.answer("robot", &claims).await.error(), Some("invalid_request_object"), "AS-080");
    let again = Answer::read(&headless(world.ask("robot", &world.claims("robot", &consent)).await));
    assert!(again.value("code").is_some(), "RW-305");
}

#[tokio::test]
async fn as_171_every_check_runs_for_a_headless_client_too() {
    let world = World::new().await;
    let consent = world.consent("robot").await;
    let mut claims = world.claims("robot", &consent);
    claims["prompt"] = json!("none");
    let redirect = headless(world.ask("robot", &claims).await);
    assert_eq!((redirect.headless, Answer::read(&redirect).error()), (false, Some("login_required")));

    world.close("amelia", None);
    let answer = Answer::read(&headless(world.ask("robot", &world.claims("robot", &consent)).await));
    assert_eq!(answer.error(), Some(OAuthErrorCode::AccessDenied.name()), "AS-133");
    assert_eq!(world.stored(&consent).await.state, ConsentState::Rejected);
}

#[tokio::test]
async fn as_171_the_settings_can_have_every_request_refused() {
    let world = World::with(|settings| {
        settings.headless = Some(HeadlessSettings { rejects_all: true, ..HeadlessSettings::default() })
    })
    .await;
    let consent = world.consent("robot").await;
    let answer = world.answer("robot", &world.claims("robot", &consent)).await;
    assert_eq!(answer.error(), Some(OAuthErrorCode::AccessDenied.name()));
    assert_eq!(world.stored(&consent).await.state, ConsentState::Rejected, "AS-089");
}

#[tokio::test]
async fn as_171_the_settings_can_have_a_decision_take_its_time() {
    // Time is not paused: paused time would jump past the deadlines of work that other threads do, such as signing.
    let takes = Duration::from_millis(50);
    let world = World::with(|settings| {
        settings.headless = Some(HeadlessSettings { decision_delay: takes, ..HeadlessSettings::default() })
    })
    .await;
    let consent = world.consent("robot").await;
    let claims = world.claims("robot", &consent);
    let began = Instant::now();
    let redirect = headless(world.ask("robot", &claims).await);
    assert!(Answer::read(&redirect).value("code").is_some());
    assert!(began.elapsed() >= takes, "{:?}", began.elapsed());
}

#[tokio::test]
async fn as_170_without_the_setting_a_headless_client_needs_a_person() {
    let world = World::with(|settings| settings.headless = None).await;
    let consent = world.consent("robot").await;
    let tab = Tab::open(&world, "robot", &world.claims("robot", &consent)).await;
    let id = tab.id.clone();
    let row = world.auth.context.store.read(move |tx| tx.journey_for_update(&id)).await.unwrap().unwrap();
    assert_eq!(row.stage, JourneyStage::Login);
    assert_ne!(row.browser.0.to_vec(), tab.browser.cookie().into_bytes(), "only a hash is stored");
}
