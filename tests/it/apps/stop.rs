//! Revoking access. Source: AS-134, AIS-070, AIS-071.

use super::{Visitor, is_open};
use crate::harness::{Bank, CustomerAccess, EVERYTHING, ExchangeExt, access};
use crate::workers::rows::change;
use jiff::SignedDuration;

async fn is_open_for(access: &CustomerAccess) -> bool {
    access.tpp.get(access.token(), "aisp/accounts").await.unwrap().status == 200
}

#[tokio::test]
async fn as_134_a_customer_stops_an_application_and_its_token_dies_at_once() {
    for bank in Bank::each_engine().await {
        let robot = bank.tpp("robot");
        let mine = access(&robot, &EVERYTHING).await;
        let other = access(&robot, &EVERYTHING).await;
        assert!(is_open_for(&mine).await);
        let mut visitor = Visitor::new(&bank);
        let list = visitor.log_in("amelia").await;
        assert!(list.exchange.text().contains(&format!("/apps/{}/stop", mine.consent)));
        assert!(!list.exchange.text().contains("Not yet"), "the last use is told");

        let question = visitor.at(&format!("{}/stop", mine.consent)).await;
        assert!(is_open_for(&mine).await, "asking ends nothing");
        let form = question.forms.iter().find(|form| form.action.path().ends_with("/stop")).unwrap().clone();
        let result = visitor.browser.submit(&form, &[]).await;
        assert_eq!(result.exchange.status, 200);
        assert!(result.exchange.text().contains("No access any more"), "{}", result.exchange.text());

        mine.tpp.get(mine.token(), "aisp/accounts").await.unwrap().unauthorised();
        let status = mine.tpp.get(&mine.own, &mine.consent_path()).await.unwrap().ok(200);
        assert_eq!(status["Data"]["Status"], "Authorised", "AIS-071");
        assert!(is_open_for(&other).await, "the other consent is as it was");
        let list = visitor.home().await;
        let text = list.exchange.text();
        assert!(!text.contains(&mine.consent) && text.contains(&other.consent), "only live ones are listed");

        let again = visitor.browser.submit(&form, &[]).await;
        assert_eq!(again.exchange.status, 200, "going back is harmless");
    }
}

#[tokio::test]
async fn as_134_a_consent_of_another_customer_is_neither_seen_nor_stopped() {
    let bank = Bank::start().await;
    let amelias = access(&bank.tpp("robot"), &EVERYTHING).await;
    let mut visitor = Visitor::new(&bank);
    let list = visitor.log_in("bashir").await;
    assert!(!list.exchange.text().contains(&amelias.consent));
    let foreign = visitor.at(&amelias.consent).await;
    let unknown = visitor.at("unknown").await;
    assert_eq!((foreign.exchange.status, unknown.exchange.status), (404.try_into().unwrap(), 404.try_into().unwrap()));
    assert_eq!(foreign.exchange.text(), unknown.exchange.text());
    assert_eq!(visitor.at(&format!("{}/stop", amelias.consent)).await.exchange.status, 404);

    let mut form = list.forms.iter().find(|form| form.action.path() == "/apps/logout").unwrap().clone();
    form.action.set_path(&format!("/apps/{}/stop", amelias.consent));
    assert_eq!(visitor.browser.submit(&form, &[]).await.exchange.status, 404, "with a good form token");
    assert!(is_open_for(&amelias).await);
}

#[tokio::test]
async fn as_141_a_form_stops_once_and_only_in_its_session() {
    let bank = Bank::start().await;
    let robot = bank.tpp("robot");
    let first = access(&robot, &EVERYTHING).await;
    let second = access(&robot, &EVERYTHING).await;
    let mut visitor = Visitor::new(&bank);
    visitor.log_in("amelia").await;
    let question = visitor.at(&format!("{}/stop", first.consent)).await;
    let form = question.forms.iter().find(|form| form.action.path().ends_with("/stop")).unwrap().clone();

    let mut stranger = Visitor::new(&bank);
    stranger.log_in("amelia").await;
    stranger.browser.submit(&form, &[]).await;
    visitor.browser.submit(&form, &[("form_token", "")]).await;
    let mut nobody = Visitor::new(&bank);
    assert!(!is_open(&nobody.browser.submit(&form, &[]).await));
    assert!(is_open_for(&first).await, "another session's token, none, and no session stop nothing");

    visitor.browser.submit(&form, &[]).await;
    assert!(!is_open_for(&first).await);
    let mut other = form.clone();
    other.action.set_path(&format!("/apps/{}/stop", second.consent));
    visitor.browser.submit(&other, &[]).await;
    assert!(is_open_for(&second).await, "AS-144: a form token works once");
}

#[tokio::test]
async fn as_134_reading_counts_as_use() {
    for bank in Bank::each_engine().await {
        let access = access(&bank.tpp("robot"), &EVERYTHING).await;
        let mut visitor = Visitor::new(&bank);
        let last_used = async |visitor: &mut Visitor| {
            let page = visitor.at(&access.consent).await;
            let text = page.exchange.text().into_owned();
            text.split("<dt>Last used</dt><dd>").nth(1).and_then(|rest| rest.split('<').next()).unwrap().to_owned()
        };
        visitor.log_in("amelia").await;
        let when_issued = last_used(&mut visitor).await;
        bank.clock.advance(SignedDuration::from_mins(9));
        assert_eq!(last_used(&mut visitor).await, when_issued, "nobody read");
        access.read("aisp/accounts").await;
        let when_read = last_used(&mut visitor).await;
        assert_ne!(when_read, when_issued);
        bank.clock.advance(SignedDuration::from_mins(3));
        access.read("aisp/accounts").await;
        assert_eq!(last_used(&mut visitor).await, when_read, "known to some minutes");
        bank.clock.advance(SignedDuration::from_mins(3));
        access.read("aisp/accounts").await;
        assert_ne!(last_used(&mut visitor).await, when_read);
    }
}

#[tokio::test]
async fn as_134_a_consent_that_cannot_be_read_hides_no_other() {
    for bank in Bank::each_engine().await {
        let robot = bank.tpp("robot");
        let [oldest, broken, newest] =
            [access(&robot, &EVERYTHING).await, access(&robot, &EVERYTHING).await, access(&robot, &EVERYTHING).await];
        let statement = format!("UPDATE consents SET terms = '{{' WHERE id = '{}'", broken.consent);
        assert_eq!(change(&bank, &statement).await, 1);

        let mut visitor = Visitor::new(&bank);
        let list = visitor.log_in("amelia").await;
        assert_eq!(list.exchange.status, 200);
        let listed = |consent: &str| list.exchange.text().contains(&format!("/apps/{consent}/stop"));
        assert!(listed(&oldest.consent) && listed(&newest.consent), "{}", list.exchange.text());
        assert!(!listed(&broken.consent));

        let question = visitor.at(&format!("{}/stop", newest.consent)).await;
        let form = question.forms.iter().find(|form| form.action.path().ends_with("/stop")).unwrap().clone();
        assert_eq!(visitor.browser.submit(&form, &[]).await.exchange.status, 200);
        assert!(!is_open_for(&newest).await && is_open_for(&oldest).await);
    }
}
