//! What others could try: with a foreign `auth_req_id`, a foreign consent, a foreign customer's request, or again. Source: AS-162.

use super::{Asking, confirm, decide, hint, open_first, reach_decision};
use crate::apps::Visitor;
use crate::harness::{Bank, Browser, Engine, ExchangeExt};
use crate::payments::books::count;
use lombard_tpp::CIBA_GRANT;
use serde_json::json;

#[tokio::test]
async fn as_162_an_auth_req_id_is_worth_nothing_to_another_client() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let asking = Asking::new(&bank).await;
        let thief = bank.create_tpp(&json!({"name": "thief", "ciba": true})).await;
        let answer = asking.ask("amelia").await;
        thief.poll_backchannel(&answer.auth_req_id).await.unwrap().oauth(400, "invalid_grant");
        let (mut visitor, page) = reach_decision(&bank, "amelia").await;
        decide(&mut visitor, &page, "approve").await;
        thief.poll_backchannel(&answer.auth_req_id).await.unwrap().oauth(400, "invalid_grant");
        // It is neither spent nor slowed down by that.
        asking.tokens(&answer).await;

        // Nor is a consent of another client one to ask about.
        let other = Asking::new(&bank).await;
        let request = thief.backchannel_request(&other.consent, "accounts").await.unwrap();
        let signed =
            request.claim("login_hint_token", hint(&json!({"sub": "amelia"}))).sign(&thief.folder.signing).unwrap();
        thief.send_backchannel_request(&signed).await.unwrap().oauth(400, "invalid_request");
    }
}

#[tokio::test]
async fn as_162_nothing_is_accepted_twice() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let asking = Asking::new(&bank).await;
        let hinted = asking.request().await.claim("login_hint_token", hint(&json!({"sub": "amelia"})));
        let signed = hinted.sign(&asking.tpp.folder.signing).unwrap();
        let accepted = asking.tpp.send_backchannel_request(&signed).await.unwrap().ok(200);
        let (mut visitor, page) = reach_decision(&bank, "amelia").await;
        let form = page.form_with("decision").clone();
        let account = form.values("account").remove(0);
        let set = [("account", account.as_str()), ("decision", "approve")];
        visitor.browser.submit(&form, &set).await;
        // The decision, sent again from the same page.
        let again = visitor.browser.submit(&form, &set).await;
        assert_ne!(again.exchange.status, 200, "{}", again.exchange.text());
        // The request object, sent again.
        asking.tpp.send_backchannel_request(&signed).await.unwrap().oauth(400, "invalid_request");
        // The auth_req_id, by many at once.
        let id = accepted["auth_req_id"].as_str().unwrap();
        let polls = (0..8).map(|_| asking.tpp.poll_backchannel(id));
        let polls = futures_util::future::join_all(polls).await;
        let given = polls.iter().filter(|poll| poll.as_ref().unwrap().status == 200).count();
        assert_eq!(given, 1, "{polls:?}");
        assert_eq!(count(&bank, "SELECT count(*) FROM backchannel_requests WHERE state = 'redeemed'").await, 1);
    }
}

#[tokio::test]
async fn as_162_the_auth_req_id_is_not_stored() {
    let bank = Bank::start().await;
    let asking = Asking::new(&bank).await;
    let answer = asking.ask("amelia").await;
    let stored = format!(
        "SELECT count(*) FROM backchannel_requests WHERE request LIKE '%{0}%' OR id LIKE '%{0}%' OR notification IS NOT NULL",
        answer.auth_req_id
    );
    assert_eq!(count(&bank, &stored).await, 0);
    // What a customer's page names is worth nothing at the token endpoint, nor is an authorisation code's grant.
    let mut visitor = Visitor::new(&bank);
    visitor.log_in("amelia").await;
    let list = visitor.at("requests").await;
    let form = list.forms.iter().find(|form| form.action.path().starts_with("/apps/requests/")).unwrap();
    let shown = form.action.path().rsplit('/').next().unwrap().to_owned();
    asking.tpp.poll_backchannel(&shown).await.unwrap().oauth(400, "invalid_grant");
    asking.tpp.request_token(&[("grant_type", CIBA_GRANT)]).await.unwrap().oauth(400, "invalid_request");
    asking.tpp.exchange_code(&answer.auth_req_id).await.unwrap().oauth(400, "invalid_grant");
}

#[tokio::test]
async fn as_161_a_request_is_its_customers_alone() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let asking = Asking::new(&bank).await;
        let answer = asking.ask("amelia").await;
        let mut amelia = Visitor::new(&bank);
        amelia.log_in("amelia").await;
        let list = amelia.at("requests").await;
        let form = list.forms.iter().find(|form| form.action.path().starts_with("/apps/requests/")).unwrap().clone();
        let path = form.action.path().trim_start_matches("/apps/").to_owned();

        let mut bashir = Visitor::new(&bank);
        bashir.log_in("bashir").await;
        assert_eq!(bashir.at(&path).await.exchange.status, 404);
        let own = bashir.at("requests").await;
        let mut theirs = own.form_with("consent").clone();
        theirs.action = form.action.clone();
        let refused = bashir.browser.submit(&theirs, &[]).await;
        assert_eq!(refused.exchange.status, 404, "{}", refused.exchange.text());
        let own = bashir.at("requests").await;
        let refused = bashir.browser.submit(own.form_with("consent"), &[("consent", &asking.consent)]).await;
        assert_eq!(refused.exchange.status, 422, "the consent's id does not help who is not named");
        // Nor a form without the token of her page, or a browser that is not logged in.
        let mut bare = form.clone();
        bare.inputs.clear();
        let stale = amelia.browser.post(&bare, &[]).await;
        assert!(!stale.header("location").unwrap_or_default().contains("/interaction/"), "{}", stale.text());
        let mut stranger = Browser::new(&asking.tpp);
        let sent = stranger.post(&form, &[]).await;
        assert!(!sent.header("location").unwrap_or_default().contains("/interaction/"), "{}", sent.text());

        // The journey is her browser's; the login to the pages alone does not approve anything.
        let second = open_first(&mut amelia).await;
        let wrong = amelia.browser.submit(second.form_with("code"), &[("code", "000000")]).await;
        assert_eq!(wrong.exchange.status, 422, "{}", wrong.exchange.text());
        asking.is_told(&answer, "authorization_pending").await;
        let page = confirm(&mut amelia, &wrong).await;
        decide(&mut amelia, &page, "approve").await;
        asking.tokens(&answer).await;
    }
}
