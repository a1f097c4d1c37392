//! Tests of the browsers that may take a step of a journey, and of repeated steps.

use super::*;
use crate::authorisation::testing::CODE;
use crate::authorisation::testing::REDIRECT_URI;
use crate::submission::ANSWER_REPEATED;
use crate::throttle::LoginLimits;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::client::ClientStatus;
use lombard_domain::consent::ConsentState;
use lombard_ports::store::StoreError;
use serde_json::json;

#[tokio::test]
async fn as_131_another_customer_cannot_take_a_consent_over() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    left(Tab::at_decision(&world, &consent, "amelia").await.approve(&world).await);
    let before = world.stored(&consent).await;
    let mut tab = Tab::start(&world, &consent).await;
    tab.log_in(&world, "bashir").await;
    let answer = left(submit_second_factor(&world.auth, &tab.submission(&world).await, CODE).await);
    assert_eq!(answer.error(), Some("access_denied"));
    assert_eq!(world.stored(&consent).await, before);
}

#[tokio::test]
async fn as_068_another_customer_than_the_one_hinted_at_must_log_in() {
    let world = World::new().await;
    let (earlier, consent) = (world.consent("acme").await, world.consent("acme").await);
    let answer = left(Tab::at_decision(&world, &earlier, "amelia").await.approve(&world).await);
    let mut claims = world.claims("acme", &consent);
    claims["id_token_hint"] = json!(answer.value("id_token").unwrap());
    let mut tab = Tab::open(&world, "acme", &claims).await;
    tab.log_in(&world, "bashir").await;
    let answer = left(submit_second_factor(&world.auth, &tab.submission(&world).await, CODE).await);
    assert_eq!(answer.error(), Some("login_required"));
    assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation, "nobody said no");
}

#[tokio::test]
async fn as_144_an_idle_journey_expires_and_the_consent_may_be_tried_again() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let tab = Tab::at_decision(&world, &consent, "amelia").await;
    let (submission, choice) = (tab.submission(&world).await, tab.approval(&world).await);
    world.clock.advance(SignedDuration::from_secs(599));
    assert!(tab.view(&world).await.is_ok(), "looking is allowed until the end");
    world.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(lost(tab.view(&world).await), JourneyUnavailable::Expired);
    assert_eq!(lost(decide_journey(&world.auth, &submission, &choice).await), JourneyUnavailable::Expired);
    assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation, "RW-303");
    assert!(left(Tab::at_decision(&world, &consent, "amelia").await.approve(&world).await).value("code").is_some());
}

#[tokio::test]
async fn as_144_an_idle_journey_can_return_to_the_app_without_a_rejection() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let tab = Tab::at_decision(&world, &consent, "amelia").await;
    let stranger = BrowserSecret::fresh(&world.auth.context.ids);
    world.clock.advance(SignedDuration::from_secs(601));
    assert_eq!(lost(tab.view(&world).await), JourneyUnavailable::Expired);
    assert!(find_return_form(&world.auth, &tab.id, &stranger).await.unwrap().is_none(), "AS-141");
    let way = find_return_form(&world.auth, &tab.id, &tab.browser).await.unwrap().unwrap();
    assert_eq!(way.redirect_uri, REDIRECT_URI);
    let submission = tab.submission_with(&world, |page| page.form_token = way.form_token).await;
    let answer = left(cancel_journey(&world.auth, &submission).await);
    assert_eq!((answer.address.as_str(), answer.error()), (REDIRECT_URI, Some("access_denied")));
    assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation, "RW-303");
    assert_eq!(lost(cancel_journey(&world.auth, &submission).await), JourneyUnavailable::Ended, "once");
    assert!(find_return_form(&world.auth, &tab.id, &tab.browser).await.unwrap().is_none());
}

#[tokio::test]
async fn as_144_a_page_is_submitted_once() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let mut tab = Tab::start(&world, &consent).await;
    let used = tab.submission(&world).await;
    assert!(matches!(
        submit_login(&world.auth, &used, "amelia", "wrong").await,
        Ok(JourneyStep::SamePage(JourneyNotice::WrongPassword))
    ));
    assert!(
        matches!(submit_login(&world.auth, &used, "amelia", "amelia").await, Err(JourneyError::Stale)),
        "the page went back"
    );
    for forged in [String::new(), "x".repeat(43), used.page.form_token.clone()] {
        let submission = tab.submission_with(&world, |page| page.form_token = forged).await;
        assert!(matches!(submit_login(&world.auth, &submission, "amelia", "amelia").await, Err(JourneyError::Stale)));
        assert!(matches!(cancel_journey(&world.auth, &submission).await, Err(JourneyError::Stale)), "AS-141");
    }
    tab.log_in(&world, "amelia").await;
    let early = tab.submission(&world).await;
    let skipped = decide_journey(&world.auth, &early, &PsuChoice::Approve(vec!["x".into()])).await;
    assert!(matches!(skipped, Err(JourneyError::Stale)), "no step is skipped");
}

#[tokio::test]
async fn as_141_a_journey_belongs_to_the_browser_that_began_it() {
    let world = World::new().await;
    let (mine, theirs) = (world.consent("acme").await, world.consent("acme").await);
    let tab = Tab::at_decision(&world, &mine, "amelia").await;
    let thief = Tab::start(&world, &theirs).await;
    let stolen = Tab { id: tab.id.clone(), browser: thief.browser.clone() };
    assert_eq!(lost(stolen.view(&world).await), JourneyUnavailable::Unknown);
    let with_token = tab.submission_with(&world, |page| page.browser = thief.browser.clone()).await;
    assert_eq!(
        lost(decide_journey(&world.auth, &with_token, &tab.approval(&world).await).await),
        JourneyUnavailable::Unknown
    );
    assert_eq!(lost(cancel_journey(&world.auth, &with_token).await), JourneyUnavailable::Unknown);
    assert_eq!(world.stored(&mine).await.state, ConsentState::AwaitingAuthorisation);
}

#[tokio::test]
async fn as_143_the_secret_changes_when_the_psu_logs_in() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let mut tab = Tab::start(&world, &consent).await;
    let planted = tab.clone();
    tab.log_in(&world, "amelia").await;
    // A browser that did not receive the response can show the submitted page for a while, but cannot advance with it.
    assert!(matches!(planted.view(&world).await.unwrap().page, JourneyPage::Login { .. }));
    let half_way = tab.clone();
    tab.enter_code(&world).await;
    assert_eq!(lost(planted.view(&world).await), JourneyUnavailable::Unknown);
    assert!(matches!(half_way.view(&world).await.unwrap().page, JourneyPage::SecondFactor { .. }));
    assert_eq!(lost(half_way.give_code(&world).await), JourneyUnavailable::Unknown);
    world.clock.advance(ANSWER_REPEATED);
    assert_eq!(lost(half_way.view(&world).await), JourneyUnavailable::Unknown);
}

#[tokio::test]
async fn as_143_five_failures_end_the_journey_at_either_step() {
    for factor in [false, true] {
        let world = World::new().await;
        let consent = world.consent("acme").await;
        let mut tab = Tab::start(&world, &consent).await;
        if factor {
            tab.log_in(&world, "amelia").await;
        }
        let mut steps = Vec::new();
        for name in ["amelia", "nobody", "bashir", "", "amelia"] {
            let submission = tab.submission(&world).await;
            steps.push(match factor {
                false => submit_login(&world.auth, &submission, name, "guess").await,
                true => submit_second_factor(&world.auth, &submission, "000000").await,
            });
        }
        let answer = left(steps.pop().unwrap());
        assert_eq!(answer.error(), Some("access_denied"));
        assert!(
            steps.iter().all(|step| matches!(step, Ok(JourneyStep::SamePage(_)))),
            "the same for unknown and wrong"
        );
        assert_eq!(world.stored(&consent).await.state, ConsentState::Rejected);
        assert_eq!(lost(tab.view(&world).await), JourneyUnavailable::Ended);
    }
}

fn throttled(step: Result<JourneyStep, JourneyError>) -> Timestamp {
    match step {
        Err(JourneyError::Throttled(throttled)) => throttled.until,
        other => panic!("not throttled: {other:?}"),
    }
}

#[tokio::test]
async fn as_143_failures_count_across_journeys_and_factors_the_page_stays_valid() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let mut tab = Tab::start(&world, &consent).await;
    for _ in 0..3 {
        let step = submit_login(&world.auth, &tab.submission(&world).await, "amelia", "guess").await;
        assert!(matches!(step, Ok(JourneyStep::SamePage(JourneyNotice::WrongPassword))));
    }
    tab.log_in(&world, "amelia").await;
    for _ in 0..2 {
        let step = submit_second_factor(&world.auth, &tab.submission(&world).await, "000000").await;
        assert!(
            matches!(step, Ok(JourneyStep::SamePage(JourneyNotice::WrongCode))),
            "the right password did not count"
        );
    }
    let until = throttled(submit_second_factor(&world.auth, &tab.submission(&world).await, CODE).await);
    assert_eq!(until, world.auth.context.clocks.wall_now() + SignedDuration::from_mins(10));

    let elsewhere = Tab::start(&world, &world.consent("acme").await).await;
    let (known, unknown) = (elsewhere.submission(&world).await, Tab::start(&world, &world.consent("acme").await).await);
    throttled(submit_login(&world.auth, &known, "amelia", "amelia").await);
    for _ in 0..5 {
        drop(submit_login(&world.auth, &unknown.submission(&world).await, "nobody", "guess").await);
    }
    throttled(submit_login(&world.auth, &known, "nobody", "nobody").await);
    assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation);

    world.clock.advance(SignedDuration::from_mins(9));
    let late = Tab::start(&world, &world.consent("acme").await).await;
    throttled(submit_login(&world.auth, &late.submission(&world).await, "amelia", "amelia").await);
    let page = late.submission(&world).await;
    world.clock.advance(SignedDuration::from_mins(1));
    assert!(
        matches!(submit_login(&world.auth, &page, "amelia", "amelia").await, Ok(JourneyStep::NextPage(_))),
        "the page stayed good"
    );
}

#[tokio::test]
async fn as_143_an_address_is_stopped_after_very_many_users_and_others_are_not() {
    let limits = LoginLimits { address_users_max: 30, ..LoginLimits::default() };
    let world = World::with(|settings| settings.login = limits).await;
    let guess = async |name: String, from: IpAddr| {
        let tab = Tab::start(&world, &world.consent("acme").await).await;
        submit_login(&world.auth, &tab.submission_with(&world, |page| page.from = from).await, &name, "guess").await
    };
    for number in 0..30 {
        assert!(matches!(guess(format!("user-{number}"), ADDRESS).await, Ok(JourneyStep::SamePage(_))));
    }
    throttled(guess("amelia".into(), ADDRESS).await);
    assert!(matches!(guess("amelia".into(), [192, 0, 2, 1].into()).await, Ok(JourneyStep::SamePage(_))));
}

#[tokio::test]
async fn as_143_a_browser_is_known_after_both_factors_and_not_before() {
    let world = World::new().await;
    let mut tab = Tab::start(&world, &world.consent("acme").await).await;
    tab.log_in(&world, "amelia").await;
    let Ok(JourneyStep::Authenticated(_, devices)) = tab.give_code(&world).await else { panic!("not in") };
    for number in 0..5 {
        let stranger = Tab::start(&world, &world.consent("acme").await).await;
        let step = submit_login(&world.auth, &stranger.submission(&world).await, "amelia", "guess").await;
        assert!(matches!(step, Ok(JourneyStep::SamePage(_))), "{number}");
    }
    let again = Tab::start(&world, &world.consent("acme").await).await;
    throttled(submit_login(&world.auth, &again.submission(&world).await, "amelia", "amelia").await);
    let known = again.submission_with(&world, |page| page.devices = devices).await;
    assert!(matches!(submit_login(&world.auth, &known, "amelia", "amelia").await, Ok(JourneyStep::NextPage(_))));
}

#[tokio::test]
async fn as_143_guesses_made_at_once_are_not_free() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let tab = Tab::start(&world, &consent).await;
    let submission = tab.submission(&world).await;
    let guesses = (0..20).map(|_| {
        let (auth, submission) = (world.auth.clone(), submission.clone());
        tokio::spawn(async move { submit_login(&auth, &submission, "amelia", "guess").await })
    });
    let mut judged = 0;
    for guess in guesses.collect::<Vec<_>>() {
        match guess.await.unwrap() {
            Ok(JourneyStep::SamePage(JourneyNotice::WrongPassword)) => judged += 1,
            Err(JourneyError::Stale) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(judged, 1, "one page, one attempt");
}

#[tokio::test]
async fn as_140_a_journey_shows_each_step_and_what_it_needs() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let mut tab = Tab::start(&world, &consent).await;
    let page = tab.view(&world).await.unwrap();
    assert_eq!(page.redirect_uri, REDIRECT_URI);
    assert!(matches!(page.page, JourneyPage::Login { form: LoginForm::Password { shown } } if shown.len() == 1));
    assert_eq!(tab.view(&world).await.unwrap().form_token, page.form_token, "a reload changes nothing");
    tab.log_in(&world, "esther").await;
    let page = tab.view(&world).await.unwrap();
    assert!(
        matches!(page.page, JourneyPage::SecondFactor { challenge } if challenge.shown_code.as_deref() == Some(CODE))
    );
    tab.enter_code(&world).await;
    assert_eq!(tab.offered(&world).await, [], "esther has nothing to share, and is told");
}

/// Gives a client a status, as an operator does.
async fn set_status(world: &World, client: &'static str, status: ClientStatus) {
    let change = move |tx: &mut dyn lombard_ports::store::ServerTransaction| {
        let mut stored = tx.client(&client.into())?.unwrap();
        stored.status = status;
        stored.epoch += 1;
        tx.client_update(&stored)
    };
    world.auth.context.store.write::<_, StoreError, _>(change).await.unwrap();
}

#[tokio::test]
async fn as_113_a_journey_of_a_disabled_client_is_ended_until_it_is_enabled() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let tab = Tab::at_decision(&world, &consent, "amelia").await;
    let (submission, choice) = (tab.submission(&world).await, tab.approval(&world).await);
    set_status(&world, "acme", ClientStatus::Disabled).await;
    assert_eq!(lost(tab.view(&world).await), JourneyUnavailable::Ended);
    for choice in [&choice, &PsuChoice::Reject] {
        assert_eq!(lost(decide_journey(&world.auth, &submission, choice).await), JourneyUnavailable::Ended);
    }
    assert_eq!(lost(cancel_journey(&world.auth, &submission).await), JourneyUnavailable::Ended, "no way back to it");
    let form = find_return_form(&world.auth, &submission.id, &submission.page.browser).await.unwrap();
    assert!(form.is_none(), "nor from an error page");
    assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation);
    set_status(&world, "acme", ClientStatus::Active).await;
    assert!(left(tab.approve(&world).await).value("code").is_some(), "disabling suspends");
}
