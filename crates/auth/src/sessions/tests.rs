//! Sessions of the PSU, and attempts of others to obtain one.

mod payments;
mod vrp;

use super::*;
use crate::authorisation::testing::{CODE, World};
use crate::devices::DeviceCookie;
use crate::submission::ANSWER_REPEATED;
use lombard_domain::consent::ConsentState;
use lombard_domain::ids::ConsentId;
use lombard_service::consents;
use std::net::{IpAddr, Ipv4Addr};

const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn auth(world: &World) -> &AuthorisationServer {
    &world.auth
}

async fn token(world: &World, browser: &BrowserSecret) -> String {
    match view_session(auth(world), browser).await.unwrap() {
        SessionView::Login { form_token, .. } | SessionView::SecondFactor { form_token, .. } => form_token,
        SessionView::Open(customer) => customer.form_token,
    }
}

async fn submission(world: &World, browser: &BrowserSecret) -> SubmittedPage {
    SubmittedPage {
        browser: browser.clone(),
        form_token: token(world, browser).await,
        from: ADDRESS,
        devices: DeviceCookie::default(),
    }
}

fn onward(step: Result<LoginStep, SessionError>) -> BrowserSecret {
    match step {
        Ok(LoginStep::NextPage(browser) | LoginStep::Authenticated(browser, _)) => browser,
        other => panic!("did not go on: {other:?}"),
    }
}

async fn halfway(world: &World, who: &str) -> BrowserSecret {
    let stranger = new_browser_secret(auth(world));
    onward(submit_session_login(auth(world), &submission(world, &stranger).await, who, who, "/apps").await)
}

async fn logged_in(world: &World, who: &str) -> BrowserSecret {
    let halfway = halfway(world, who).await;
    onward(submit_session_code(auth(world), &submission(world, &halfway).await, CODE).await)
}

async fn is_open(world: &World, browser: &BrowserSecret) -> bool {
    matches!(view_session(auth(world), browser).await.unwrap(), SessionView::Open(_))
}

/// A consent of acme that this customer authorised.
async fn connected(world: &World, who: &str) -> ConsentId {
    let id = world.consent("acme").await;
    let (consent, who) = (id.clone(), PsuId::new(who));
    let context = auth(world).context.clone();
    let inside = context.clone();
    let authorised = context.store.write::<_, consents::AuthoriseError, _>(move |tx| {
        let consent = tx.consent_any_owner(&consent)?.unwrap();
        consents::authorise_consent_in(
            tx,
            &inside,
            &consent,
            &who,
            &consents::AuthorisedSelection::Accounts(vec![lombard_ports::bank::sample_account("acc-1").into()]),
        )
    });
    authorised.await.unwrap();
    id
}

#[tokio::test]
async fn as_143_the_session_secret_changes_at_every_step_against_fixation() {
    let world = World::new().await;
    let planted = new_browser_secret(auth(&world));
    let halfway = onward(
        submit_session_login(auth(&world), &submission(&world, &planted).await, "amelia", "amelia", "/apps").await,
    );
    let open = onward(submit_session_code(auth(&world), &submission(&world, &halfway).await, CODE).await);
    assert!(is_open(&world, &open).await);
    assert!(planted != halfway && halfway != open);
    for _ in 0..2 {
        let seen = view_session(auth(&world), &planted).await.unwrap();
        assert!(matches!(seen, SessionView::Login { .. }));
        let seen = view_session(auth(&world), &halfway).await.unwrap();
        assert!(matches!(seen, SessionView::SecondFactor { .. }), "the page that was submitted, for a while");
    }
    let page = submission(&world, &halfway).await;
    let again = submit_session_code(auth(&world), &page, CODE).await;
    assert!(matches!(again, Err(SessionError::Stale)), "no second session comes of it");
    world.clock.advance(ANSWER_REPEATED);
    assert!(matches!(view_session(auth(&world), &halfway).await.unwrap(), SessionView::Login { .. }));
    assert!(is_open(&world, &open).await);
}

#[tokio::test]
async fn a_password_alone_opens_nothing() {
    let world = World::new().await;
    let consent = connected(&world, "amelia").await;
    let halfway = halfway(&world, "amelia").await;
    let page = submission(&world, &halfway).await;
    assert!(matches!(spend_form_token(auth(&world), &page).await, Err(SessionError::Stale)));
    assert!(matches!(apps::end_connected_app(auth(&world), &page, &consent).await, Err(SessionError::Stale)));
    let wrong = submit_session_code(auth(&world), &page, "000000").await;
    assert!(matches!(wrong, Ok(LoginStep::SamePage(LoginNotice::WrongCode))));
    assert!(
        matches!(submit_session_code(auth(&world), &page, CODE).await, Err(SessionError::Stale)),
        "a page is submitted once"
    );
    assert_eq!(world.stored(&consent).await.state, ConsentState::Authorised);
}

#[tokio::test]
async fn as_144_a_session_ends_after_ten_idle_minutes() {
    let world = World::new().await;
    let browser = logged_in(&world, "amelia").await;
    for _ in 0..3 {
        world.clock.advance(SignedDuration::from_secs(599));
        assert!(is_open(&world, &browser).await, "seeing a page keeps it");
    }
    world.clock.advance(SignedDuration::from_secs(600));
    assert!(!is_open(&world, &browser).await);
}

#[tokio::test]
async fn a_session_ends_at_its_end_however_busy() {
    let world = World::with(|settings| settings.session_secs = 1500).await;
    let browser = logged_in(&world, "amelia").await;
    for _ in 0..4 {
        world.clock.advance(SignedDuration::from_secs(374));
        assert!(is_open(&world, &browser).await);
    }
    let page = submission(&world, &browser).await;
    world.clock.advance(SignedDuration::from_secs(4));
    assert!(!is_open(&world, &browser).await);
    assert!(matches!(spend_form_token(auth(&world), &page).await, Err(SessionError::Unavailable(LoggedOut))));
}

#[tokio::test]
async fn as_141_forms_need_the_token_of_the_page_shown_last_and_spend_it() {
    let world = World::new().await;
    let (mine, theirs) = (logged_in(&world, "amelia").await, logged_in(&world, "bashir").await);
    let page = submission(&world, &mine).await;
    for form_token in [String::new(), "x".repeat(43), token(&world, &theirs).await] {
        let forged = SubmittedPage { form_token, ..page.clone() };
        assert!(matches!(spend_form_token(auth(&world), &forged).await, Err(SessionError::Stale)));
        assert!(matches!(log_out(auth(&world), &forged).await, Err(SessionError::Stale)));
    }
    assert_eq!(spend_form_token(auth(&world), &page).await.unwrap(), PsuId::from("amelia"));
    assert!(matches!(spend_form_token(auth(&world), &page).await, Err(SessionError::Stale)), "once");
    let stranger = new_browser_secret(auth(&world));
    let forged = SubmittedPage { form_token: page.form_token, ..submission(&world, &stranger).await };
    assert!(
        matches!(
            submit_session_login(auth(&world), &forged, "amelia", "amelia", "/apps").await,
            Err(SessionError::Stale)
        ),
        "nor to log in"
    );
}

#[tokio::test]
async fn leaving_ends_the_session_on_the_server() {
    let world = World::new().await;
    let browser = logged_in(&world, "amelia").await;
    let page = submission(&world, &browser).await;
    log_out(auth(&world), &page).await.unwrap();
    assert!(!is_open(&world, &browser).await);
    log_out(auth(&world), &page).await.unwrap();
}

#[tokio::test]
async fn as_143_unknown_user_and_wrong_password_look_alike_and_are_throttled() {
    let world = World::new().await;
    for name in ["amelia", "nobody"] {
        let browser = new_browser_secret(auth(&world));
        for _ in 0..5 {
            let step =
                submit_session_login(auth(&world), &submission(&world, &browser).await, name, "guess", "/apps").await;
            assert!(matches!(step, Ok(LoginStep::SamePage(LoginNotice::WrongPassword))));
        }
        let step = submit_session_login(auth(&world), &submission(&world, &browser).await, name, name, "/apps").await;
        assert!(matches!(step, Err(SessionError::Throttled(_))), "{step:?}");
    }
}

#[tokio::test]
async fn as_134_a_psu_sees_and_stops_their_own_consents_and_nobody_elses() {
    let world = World::new().await;
    let (mine, theirs) = (connected(&world, "amelia").await, connected(&world, "bashir").await);
    let awaiting = world.consent("acme").await;
    let amelia = PsuId::from("amelia");
    let seen = apps::list_connected_apps(auth(&world), &amelia).await.unwrap();
    assert_eq!(seen.iter().map(|app| app.consent.id.clone()).collect::<Vec<_>>(), std::slice::from_ref(&mine));
    assert_eq!((seen[0].client.software_name.as_str(), seen[0].accounts.len(), seen[0].live), ("acme", 1, true));

    let browser = logged_in(&world, "amelia").await;
    for foreign in [&theirs, &awaiting, &"unknown".into()] {
        assert!(apps::find_connected_app(auth(&world), &amelia, foreign).await.unwrap().is_none());
        assert!(!apps::end_connected_app(auth(&world), &submission(&world, &browser).await, foreign).await.unwrap());
    }
    assert_eq!(world.stored(&theirs).await.state, ConsentState::Authorised);

    assert!(apps::end_connected_app(auth(&world), &submission(&world, &browser).await, &mine).await.unwrap());
    assert!(matches!(world.stored(&mine).await.state, ConsentState::Revoked(_)));
    assert!(apps::list_connected_apps(auth(&world), &amelia).await.unwrap().is_empty());
    assert!(
        !apps::find_connected_app(auth(&world), &amelia, &mine).await.unwrap().unwrap().live,
        "it can be looked at still"
    );
    assert!(
        apps::end_connected_app(auth(&world), &submission(&world, &browser).await, &mine).await.unwrap(),
        "again is harmless"
    );
}
