//! VRP consents: which accounts are offered, and renewed authorisation.

use super::*;
use crate::authorisation::testing::{CODE, one_pound, within_limits};
use lombard_domain::consent::ConsentState;
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::payment::offer::PaymentLimits;
use lombard_domain::payment::order::Instruction;
use lombard_domain::payment::vrp::{CommercialVrp, VrpCapabilities, VrpType};
use std::sync::Arc;

#[tokio::test]
async fn vrp_020_accounts_that_need_several_customers_are_not_offered() {
    let world = World::new().await;
    let both = || vec!["amelia".into(), "bashir".into()];
    let pound = SignedAmount::from_minor(100, Currency::GBP);
    world.bank.set_payer("acc-1".into(), pound, both());
    let consent = world.payment("acme", within_limits()).await;
    let means = Tab::at_payment(&world, &consent, "amelia").await.means(&world).await;
    assert_eq!(means.iter().map(|it| it.offered.account.id.as_str()).collect::<Vec<_>>(), ["acc-2"]);

    world.bank.set_payer("acc-2".into(), pound, both());
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
        assert_eq!(world.stored(&consent).await.state, ConsentState::Rejected);
    }
}

#[tokio::test]
async fn as_142_the_code_is_linked_to_the_limits() {
    let world = World::new().await;
    let consent = world.payment("acme", within_limits()).await;
    let mut tab = Tab::open(&world, "acme", &world.payment_claims("acme", &consent)).await;
    tab.log_in(&world, "amelia").await;
    for wrong in [CODE, "1.00 to Waterworks"] {
        let step = submit_second_factor(&world.auth, &tab.submission(&world).await, wrong).await;
        assert!(matches!(step, Ok(JourneyStep::SamePage(JourneyNotice::WrongCode))), "{wrong}");
    }
    let right = submit_second_factor(&world.auth, &tab.submission(&world).await, "1.00 at most").await;
    tab.onward(right);
}

#[tokio::test]
async fn vrp_022_agreeing_again_begins_with_the_account_of_before() {
    let world = World::new().await;
    let consent = world.payment("acme", within_limits()).await;
    let chosen = |means: &[PayerOption]| {
        let chosen = means.iter().filter(|it| it.offered.preselected).map(|it| it.offered.account.id.to_string());
        chosen.collect::<Vec<_>>()
    };
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let means = tab.means(&world).await;
    assert!(chosen(&means).is_empty() && means.iter().all(|it| it.suffices && it.debit.is_none()));
    let choice = PsuChoice::Approve(vec![means[1].offered.handle.clone()]);
    assert!(left(decide_journey(&world.auth, &tab.submission(&world).await, &choice).await).value("code").is_some());
    assert_eq!(world.stored(&consent).await.state, ConsentState::Authorised);

    let again = Tab::at_payment(&world, &consent, "amelia").await;
    assert_eq!(chosen(&again.means(&world).await), ["acc-2"]);
    left(decide_journey(&world.auth, &again.submission(&world).await, &PsuChoice::Reject).await);
    assert_eq!(world.stored(&consent).await.state, ConsentState::Authorised, "RW-306");
}

#[tokio::test]
async fn int_023_a_payment_says_what_it_takes_from_each_account() {
    let world = World::new().await;
    let consent = world.payment("acme", one_pound()).await;
    let means = Tab::at_payment(&world, &consent, "amelia").await.means(&world).await;
    for it in means {
        let priced = it.debit.unwrap();
        assert!(priced.is_fixed && priced.total_debit.amount().minor() == 100);
    }
}

#[tokio::test]
async fn cvrp_008_a_membership_that_ended_mid_journey_is_found_at_the_decision() {
    let offered = |members: &[&str]| {
        let members = members.iter().map(|member| (*member).into()).collect();
        let commercial = CommercialVrp { members, ..CommercialVrp::default() };
        let vrp = VrpCapabilities { types: VrpType::ALL.into(), commercial, ..VrpCapabilities::default() };
        Arc::new(PaymentLimits { vrp, ..PaymentLimits::default() })
    };
    let mut terms = within_limits();
    let Instruction::Vrp(vrp) = &mut terms.instruction else { panic!("not VRP") };
    vrp.controls.types = [VrpType::Commercial1].into();
    let mut world = World::new().await;
    world.auth.context.payments.limits = offered(&["acme"]);
    let consent = world.payment("acme", terms).await;
    let choice = |means: &[PayerOption]| PsuChoice::Approve(vec![means[0].offered.handle.clone()]);

    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let chosen = choice(&tab.means(&world).await);
    world.auth.context.payments.limits = offered(&[]);
    let answer = left(decide_journey(&world.auth, &tab.submission(&world).await, &chosen).await);
    assert_eq!((answer.error(), answer.value("code")), (Some("invalid_request"), None));
    assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation);

    world.auth.context.payments.limits = offered(&["acme"]);
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let chosen = choice(&tab.means(&world).await);
    assert!(left(decide_journey(&world.auth, &tab.submission(&world).await, &chosen).await).value("code").is_some());
}
