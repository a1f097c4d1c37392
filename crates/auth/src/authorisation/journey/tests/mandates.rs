//! Payments within limits: which accounts are offered, and agreeing again.

use super::*;
use crate::authorisation::testing::{CODE, one_pound, within_limits};
use lombard_domain::consent::State;
use lombard_domain::money::{Currency, Signed};

#[tokio::test]
async fn vrp_020_accounts_that_need_several_customers_are_not_offered() {
    let world = World::new().await;
    let both = || vec!["amelia".into(), "bashir".into()];
    let pound = Signed::from_minor(100, Currency::GBP);
    world.bank.provide("acc-1".into(), pound, both());
    let consent = world.payment("acme", within_limits()).await;
    let means = Tab::at_payment(&world, &consent, "amelia").await.means(&world).await;
    assert_eq!(means.iter().map(|it| it.offered.account.id.as_str()).collect::<Vec<_>>(), ["acc-2"]);

    world.bank.provide("acc-2".into(), pound, both());
    for client in ["acme", "robot"] {
        let consent = world.payment(client, within_limits()).await;
        let claims = world.payment_claims(client, &consent);
        let answer = if client == "robot" {
            world.answer(client, &claims).await
        } else {
            let mut tab = Tab::open(&world, client, &claims).await;
            tab.log_in(&world, "amelia").await;
            left(tab.give_code(&world).await)
        };
        assert_eq!((answer.error(), answer.value("code")), (Some("invalid_request"), None));
        assert_eq!(world.stored(&consent).await.state, State::Rejected);
    }
}

#[tokio::test]
async fn as_142_the_code_is_linked_to_the_limits() {
    let world = World::new().await;
    let consent = world.payment("acme", within_limits()).await;
    let mut tab = Tab::open(&world, "acme", &world.payment_claims("acme", &consent)).await;
    tab.log_in(&world, "amelia").await;
    for wrong in [CODE, "1.00 to Waterworks"] {
        let step = second_factor(&world.auth, &tab.submission(&world).await, wrong).await;
        assert!(matches!(step, Ok(Step::Again(Notice::WrongCode))), "{wrong}");
    }
    let right = second_factor(&world.auth, &tab.submission(&world).await, "1.00 at most").await;
    tab.onward(right);
}

#[tokio::test]
async fn vrp_022_agreeing_again_begins_with_the_account_of_before() {
    let world = World::new().await;
    let consent = world.payment("acme", within_limits()).await;
    let chosen = |means: &[Means]| {
        let chosen = means.iter().filter(|it| it.offered.preselected).map(|it| it.offered.account.id.to_string());
        chosen.collect::<Vec<_>>()
    };
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let means = tab.means(&world).await;
    assert!(chosen(&means).is_empty() && means.iter().all(|it| it.suffices && it.priced.is_none()));
    let choice = Choice::Approve(vec![means[1].offered.handle.clone()]);
    assert!(left(decide(&world.auth, &tab.submission(&world).await, &choice).await).value("code").is_some());
    assert_eq!(world.stored(&consent).await.state, State::Authorised);

    let again = Tab::at_payment(&world, &consent, "amelia").await;
    assert_eq!(chosen(&again.means(&world).await), ["acc-2"]);
    left(decide(&world.auth, &again.submission(&world).await, &Choice::Refuse).await);
    assert_eq!(world.stored(&consent).await.state, State::Authorised, "RW-306");
}

#[tokio::test]
async fn int_023_a_payment_says_what_it_takes_from_each_account() {
    let world = World::new().await;
    let consent = world.payment("acme", one_pound()).await;
    let means = Tab::at_payment(&world, &consent, "amelia").await.means(&world).await;
    for it in means {
        let priced = it.priced.unwrap();
        assert!(priced.is_fixed && priced.outlay.total_debit().minor() == 100);
    }
}
