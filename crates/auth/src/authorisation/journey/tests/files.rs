//! Payment files: no journey begins before the file is uploaded, and only the deciding PSU can read its payments.

use super::*;
use crate::authorisation::testing::of_file;
use crate::file_lines::FileLinesPage;
use jiff::SignedDuration;
use lombard_domain::consent::ConsentState;

async fn look(world: &World, tab: &Tab, page: u32) -> Result<Option<FileLinesPage>, JourneyError> {
    let found = list_file_lines(&world.auth, &tab.id, &tab.browser, page).await?;
    Ok(found.map(|(_, lines)| lines))
}

fn numbers(lines: &FileLinesPage) -> (u32, u32, usize) {
    let [first, .., last] = lines.lines.as_slice() else { panic!("too few: {lines:?}") };
    (first.line.number, last.line.number, lines.lines.len())
}

#[tokio::test]
async fn file_019_nobody_is_asked_before_the_file_has_come() {
    let world = World::new().await;
    for client in ["acme", "robot"] {
        let consent = world.payment(client, of_file()).await;
        let answer = world.answer(client, &world.payment_claims(client, &consent)).await;
        assert_eq!((answer.error(), answer.value("code")), (Some("invalid_request"), None));
        assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingUpload, "it can still come");
        world.upload(&consent, 1).await;
        let again = world.ask(client, &world.payment_claims(client, &consent)).await;
        assert_eq!(matches!(again, AuthorisationReply::Journey(_)), client == "acme");
    }
}

#[tokio::test]
async fn as_142_the_customer_who_decides_looks_through_the_payments() {
    let world = World::new().await;
    let consent = world.payment("acme", of_file()).await;
    world.upload(&consent, 60).await;
    let mut tab = Tab::open(&world, "acme", &world.payment_claims("acme", &consent)).await;
    assert!(matches!(look(&world, &tab, 1).await, Err(JourneyError::Stale)), "not before the login");
    tab.log_in(&world, "amelia").await;
    assert!(matches!(look(&world, &tab, 1).await, Err(JourneyError::Stale)), "nor before both factors");
    tab.enter_code(&world).await;
    let shown = match tab.view(&world).await.unwrap().page {
        JourneyPage::Decision { lines, .. } => lines,
        other => panic!("not at the decision: {other:?}"),
    };
    assert_eq!(shown.iter().map(|line| line.line.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    let first = look(&world, &tab, 1).await.unwrap().unwrap();
    assert_eq!((numbers(&first), first.page, first.pages), ((1, 50, 50), 1, 2));
    let second = look(&world, &tab, 2).await.unwrap().unwrap();
    assert_eq!((numbers(&second), second.page), ((51, 60, 10), 2));
    for none in [0, 3, u32::MAX] {
        assert_eq!(look(&world, &tab, none).await.unwrap(), None);
    }
    let stranger = Tab { browser: BrowserSecret::fresh(&world.auth.context.ids), ..tab.clone() };
    assert_eq!(lost(look(&world, &stranger, 1).await), JourneyUnavailable::Unknown);
    left(decide_journey(&world.auth, &tab.submission(&world).await, &PsuChoice::Reject).await);
    assert_eq!(lost(look(&world, &tab, 1).await), JourneyUnavailable::Ended);
}

#[tokio::test]
async fn as_144_looking_through_a_file_keeps_the_journey_from_going_idle() {
    let world = World::new().await;
    let consent = world.payment("acme", of_file()).await;
    world.upload(&consent, 1).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let submission = tab.submission(&world).await;
    for _ in 0..3 {
        world.clock.advance(SignedDuration::from_mins(9));
        assert!(look(&world, &tab, 1).await.unwrap().is_some());
    }
    let approved = decide_journey(&world.auth, &submission, &tab.approval(&world).await).await;
    assert!(
        matches!(approved, Ok(JourneyStep::SamePage(JourneyNotice::NoAccount))),
        "its page is still good: two accounts are not one"
    );
    world.clock.advance(SignedDuration::from_mins(10));
    assert_eq!(lost(look(&world, &tab, 1).await), JourneyUnavailable::Expired);
}

#[tokio::test]
async fn a_payment_has_no_file_to_look_through() {
    let world = World::new().await;
    let consent = world.payment("acme", crate::authorisation::testing::one_pound()).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    assert_eq!(look(&world, &tab, 1).await.unwrap(), None);
}
