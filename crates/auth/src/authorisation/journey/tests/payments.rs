//! Payments: which accounts may pay, what prevents an approval, and the state of the consent afterwards.

use super::*;
use crate::authorisation::testing::{CODE, one_pound, sort_code, within_limits};
use crate::error::OAuthErrorCode;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::consent::{Consent, ConsentState, DecisionEvidence, EvidencedDecision};
use lombard_domain::grant::JourneyStage;
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::payment::order::{
    PayeeFinding, PaymentConsentRequest, RequestedAuthorisation, RequestedAuthorisationType,
};
use lombard_domain::payment::transfer::{AfterCutOffPolicy, CutOff, PaymentConditions};
use lombard_domain::payment::{Charge, ChargeBearer, ChargeType};
use lombard_domain::scope::Scopes;
use lombard_domain::version::Version;
use lombard_ports::store::StoreError;
use serde_json::json;

const SINGLE: RequestedAuthorisation =
    RequestedAuthorisation { kind: RequestedAuthorisationType::Single, complete_by: None };

fn pounds(pence: i64) -> SignedAmount {
    SignedAmount::from_minor(pence, Currency::GBP)
}

/// Conditions under which the payment is refused after this many seconds.
fn until(world: &World, seconds: i64) -> PaymentConditions {
    let at = world.auth.context.clocks.bank_now() + SignedDuration::from_secs(seconds);
    PaymentConditions {
        cut_off: Some(CutOff { at, lateness: AfterCutOffPolicy::Refused }),
        ..PaymentConditions::default()
    }
}

fn from(consent: &Consent) -> (Option<&str>, Option<u16>) {
    let source = consent.request.payment().unwrap().source.as_ref();
    (consent.debtor().map(|it| it.account.as_str()), source.map(|source| source.authorisers))
}

async fn refused(world: &World, consent: &ConsentId, answer: &Answer, code: OAuthErrorCode) {
    assert_eq!((answer.error(), answer.value("code")), (Some(code.name()), None));
    let stored = world.stored(consent).await;
    assert_eq!((stored.state, from(&stored)), (ConsentState::Rejected, (None, None)));
}

#[tokio::test]
async fn pis_032_pis_035_a_customer_chooses_the_one_account_that_pays() {
    let world = World::new().await;
    let consent = world.payment("acme", one_pound()).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let means = tab.means(&world).await;
    assert!(means.iter().all(|it| it.suffices && !it.offered.preselected && it.others.is_empty()));
    let handle = |at: usize| means[at].offered.handle.clone();
    for (handles, notice) in [
        (vec![], JourneyNotice::NoAccount),
        (vec![handle(0), handle(1)], JourneyNotice::NoAccount),
        (vec![handle(0), "another".to_owned()], JourneyNotice::OtherAccounts),
        (vec!["acc-2".to_owned()], JourneyNotice::OtherAccounts),
    ] {
        let step = decide_journey(&world.auth, &tab.submission(&world).await, &PsuChoice::Approve(handles)).await;
        assert!(matches!(step, Ok(JourneyStep::SamePage(told)) if told == notice), "{notice:?}");
    }
    let choice = PsuChoice::Approve(vec![handle(1)]);
    let answer = left(decide_journey(&world.auth, &tab.submission(&world).await, &choice).await);
    assert_eq!(answer.names(), ["code", "id_token", "state"]);
    let stored = world.stored(&consent).await;
    assert_eq!((stored.state, from(&stored)), (ConsentState::Authorised, (Some("acc-2"), Some(1))));
    let source = stored.request.payment().unwrap().source.clone().unwrap();
    assert_eq!((source.account.holder_name(), source.account.number.as_str()), ("amelia", "20000012345672"), "PIS-098");

    let hash = lombard_jose::sha256(answer.value("code").unwrap().as_bytes());
    let grant = world.auth.context.store.write(move |tx| {
        let code = tx.code_for_update(&hash)?.unwrap();
        tx.grant(&code.grant)
    });
    assert_eq!(grant.await.unwrap().unwrap().scopes, Scopes::parse("openid payments").unwrap(), "AS-051");
}

#[tokio::test]
async fn pis_036_a_payment_is_never_authorised_again() {
    let world = World::new().await;
    let consent = world.payment("robot", one_pound()).await;
    let claims = || world.payment_claims("robot", &consent);
    assert!(world.answer("robot", &claims()).await.value("code").is_some());
    let before = world.stored(&consent).await;
    assert_eq!(world.answer("robot", &claims()).await.error(), Some("invalid_request"));
    assert_eq!(world.stored(&consent).await, before);
}

#[tokio::test]
async fn as_142_the_code_is_linked_to_amount_and_payee() {
    let world = World::new().await;
    let consent = world.payment("acme", one_pound()).await;
    let mut tab = Tab::open(&world, "acme", &world.payment_claims("acme", &consent)).await;
    tab.log_in(&world, "amelia").await;
    let wrong = submit_second_factor(&world.auth, &tab.submission(&world).await, CODE).await;
    assert!(
        matches!(wrong, Ok(JourneyStep::SamePage(JourneyNotice::WrongCode))),
        "the code of a login is none of a payment"
    );
    let right = submit_second_factor(&world.auth, &tab.submission(&world).await, "1.00 to Waterworks").await;
    tab.onward(right);
}

#[tokio::test]
async fn pis_032_pis_033_the_account_the_tpp_names_is_the_only_one() {
    let world = World::new().await;
    let named = |number: &str| PaymentConsentRequest { debtor: Some(sort_code(number)), ..one_pound() };
    let consent = world.payment("acme", named("20000012345671")).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let means = tab.means(&world).await;
    assert_eq!(means.len(), 1);
    assert!(means[0].offered.preselected && means[0].offered.account.id.as_str() == "acc-1");
    assert!(left(tab.approve(&world).await).value("code").is_some());
    assert_eq!(from(&world.stored(&consent).await).0, Some("acc-1"));

    for number in ["20000012345673", "20000099999999"] {
        let consent = world.payment("acme", named(number)).await;
        let mut tab = Tab::open(&world, "acme", &world.payment_claims("acme", &consent)).await;
        tab.log_in(&world, "amelia").await;
        assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation, "not before both factors");
        let answer = left(tab.give_code(&world).await);
        refused(&world, &consent, &answer, OAuthErrorCode::AccessDenied).await;
        assert_eq!(lost(tab.view(&world).await), JourneyUnavailable::Ended);
        let consent = world.payment("robot", named(number)).await;
        let answer = world.answer("robot", &world.payment_claims("robot", &consent)).await;
        refused(&world, &consent, &answer, OAuthErrorCode::AccessDenied).await;
    }
}

#[tokio::test]
async fn pis_111_where_one_customer_must_do_no_account_of_two_is_offered() {
    let world = World::new().await;
    let both = || vec!["amelia".into(), "bashir".into()];
    world.bank.set_payer("acc-1".into(), pounds(500), both());
    let single = || PaymentConsentRequest { authorisation: SINGLE, ..one_pound() };
    let consent = world.payment("acme", single()).await;
    let means = Tab::at_payment(&world, &consent, "amelia").await.means(&world).await;
    assert_eq!(means.iter().map(|it| it.offered.account.id.as_str()).collect::<Vec<_>>(), ["acc-2"]);

    world.bank.set_payer("acc-2".into(), pounds(500), both());
    let mut tab = Tab::open(&world, "acme", &world.payment_claims("acme", &consent)).await;
    tab.log_in(&world, "amelia").await;
    let answer = left(tab.give_code(&world).await);
    refused(&world, &consent, &answer, OAuthErrorCode::InvalidRequest).await;
    assert!(answer.value("error_description").unwrap().contains("more than one customer"));
    let consent = world.payment("robot", single()).await;
    let answer = world.answer("robot", &world.payment_claims("robot", &consent)).await;
    refused(&world, &consent, &answer, OAuthErrorCode::InvalidRequest).await;

    let any = world.payment("acme", one_pound()).await;
    let tab = Tab::at_payment(&world, &any, "amelia").await;
    let means = tab.means(&world).await;
    assert!(means.iter().all(|it| it.authorisers == 2 && it.others == ["BASHIR"]), "{means:?}");
    let choice = PsuChoice::Approve(vec![means[0].offered.handle.clone()]);
    left(decide_journey(&world.auth, &tab.submission(&world).await, &choice).await);
    assert_eq!(from(&world.stored(&any).await), (Some("acc-1"), Some(2)), "PIS-112");
}

#[tokio::test]
async fn an_account_somebody_may_not_sign_for_is_not_theirs_to_pay_from() {
    let world = World::new().await;
    world.bank.set_payer("acc-1".into(), pounds(500), vec!["bashir".into()]);
    let consent = world.payment("acme", one_pound()).await;
    let means = Tab::at_payment(&world, &consent, "amelia").await.means(&world).await;
    assert_eq!(means.iter().map(|it| it.offered.account.id.as_str()).collect::<Vec<_>>(), ["acc-2"]);
}

#[tokio::test]
async fn pis_083_an_account_without_enough_is_offered_and_marked() {
    let world = World::new().await;
    let amount = one_pound().instruction.transfer().unwrap().amount;
    let charge = Charge { bearer: ChargeBearer::Debtor, kind: ChargeType::ChapsOut, amount };
    let conditions = PaymentConditions { charges: vec![charge], ..PaymentConditions::default() };
    world.bank.set_payer("acc-1".into(), pounds(199), vec!["amelia".into()]);
    world.bank.set_payer("acc-2".into(), pounds(200), vec!["amelia".into()]);
    let consent = world.payment_under("acme", one_pound(), conditions.clone()).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let means = tab.means(&world).await;
    assert_eq!(means.iter().map(|it| it.suffices).collect::<Vec<_>>(), [false, true], "a penny short, charges counted");
    let choice = PsuChoice::Approve(vec![means[0].offered.handle.clone()]);
    let first = decide_journey(&world.auth, &tab.submission(&world).await, &choice).await;
    assert!(matches!(first, Ok(JourneyStep::SamePage(JourneyNotice::NotEnoughFunds))), "ERR-003");
    assert!(left(decide_journey(&world.auth, &tab.submission(&world).await, &choice).await).value("code").is_some());
    let stored = world.stored(&consent).await;
    assert_eq!(stored.request.payment().unwrap().conditions.charges, conditions.charges, "told is told");

    let consent = world.payment_under("robot", one_pound(), conditions).await;
    world.answer("robot", &world.payment_claims("robot", &consent)).await;
    assert_eq!(from(&world.stored(&consent).await).0, Some("acc-2"), "AS-171: the one with the money");
}

#[tokio::test]
async fn pis_037_whoever_comes_too_late_gets_no_token_and_the_consent_is_over() {
    let world = World::new().await;
    for headless in [false, true] {
        let client = if headless { "robot" } else { "acme" };
        let consent = world.payment_under(client, one_pound(), until(&world, 10)).await;
        world.clock.advance(SignedDuration::from_secs(10));
        let answer = world.answer(client, &world.payment_claims(client, &consent)).await;
        refused(&world, &consent, &answer, OAuthErrorCode::InvalidRequest).await;
    }

    let consent = world.payment_under("acme", one_pound(), until(&world, 10)).await;
    let mut tab = Tab::open(&world, "acme", &world.payment_claims("acme", &consent)).await;
    tab.log_in(&world, "amelia").await;
    world.clock.advance(SignedDuration::from_secs(10));
    let answer = left(tab.give_code(&world).await);
    refused(&world, &consent, &answer, OAuthErrorCode::InvalidRequest).await;

    let consent = world.payment_under("acme", one_pound(), until(&world, 10)).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let handle = tab.means(&world).await[0].offered.handle.clone();
    world.clock.advance(SignedDuration::from_secs(9));
    assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation, "a second is left");
    world.clock.advance(SignedDuration::from_secs(1));
    let late = decide_journey(&world.auth, &tab.submission(&world).await, &PsuChoice::Approve(vec![handle])).await;
    refused(&world, &consent, &left(late), OAuthErrorCode::InvalidRequest).await;
}

#[tokio::test]
async fn pis_107_where_late_payments_are_taken_the_journey_goes_on() {
    let world = World::new().await;
    let cut_off = CutOff { at: Timestamp::UNIX_EPOCH, lateness: AfterCutOffPolicy::Accepted };
    let conditions = PaymentConditions { cut_off: Some(cut_off), ..PaymentConditions::default() };
    let consent = world.payment_under("robot", one_pound(), conditions).await;
    let answer = world.answer("robot", &world.payment_claims("robot", &consent)).await;
    assert!(answer.value("code").is_some());
}

#[tokio::test]
async fn pis_104_the_bank_says_again_what_it_says_when_the_customer_agrees() {
    let world = World::new().await;
    let consent = world.payment("robot", one_pound()).await;
    let at = world.auth.context.clocks.bank_now() + SignedDuration::from_hours(1);
    world.bank.set_conditions(PaymentConditions { execution_at: Some(at), ..PaymentConditions::default() });
    world.answer("robot", &world.payment_claims("robot", &consent)).await;
    assert_eq!(world.stored(&consent).await.request.payment().unwrap().conditions.execution_at, Some(at));

    let consent = world.payment("acme", one_pound()).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let shown = tab.view(&world).await.unwrap().consent;
    assert_eq!(shown.request.payment().unwrap().conditions.execution_at, Some(at), "and what it says is shown before");
}

#[tokio::test]
async fn pis_110_after_the_time_the_tpp_gave_nobody_can_agree() {
    let world = World::new().await;
    let by = world.auth.context.clocks.bank_now() + SignedDuration::from_secs(10);
    let terms = PaymentConsentRequest {
        authorisation: RequestedAuthorisation { kind: RequestedAuthorisationType::Any, complete_by: Some(by) },
        ..one_pound()
    };
    let consent = world.payment("acme", terms.clone()).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let handle = tab.means(&world).await[0].offered.handle.clone();
    world.clock.advance(SignedDuration::from_secs(10));
    let late = decide_journey(&world.auth, &tab.submission(&world).await, &PsuChoice::Approve(vec![handle])).await;
    refused(&world, &consent, &left(late), OAuthErrorCode::InvalidRequest).await;
    let consent = world.payment("robot", terms).await;
    let answer = world.answer("robot", &world.payment_claims("robot", &consent)).await;
    refused(&world, &consent, &answer, OAuthErrorCode::InvalidRequest).await;
}

#[tokio::test]
async fn pis_034_saying_no_or_failing_ends_the_consent_and_leaving_does_not() {
    let world = World::new().await;
    let consent = world.payment("acme", one_pound()).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let answer = left(decide_journey(&world.auth, &tab.submission(&world).await, &PsuChoice::Reject).await);
    refused(&world, &consent, &answer, OAuthErrorCode::AccessDenied).await;

    let consent = world.payment("acme", one_pound()).await;
    let mut tab = Tab::open(&world, "acme", &world.payment_claims("acme", &consent)).await;
    tab.log_in(&world, "amelia").await;
    for _ in 0..4 {
        let again = submit_second_factor(&world.auth, &tab.submission(&world).await, "a guess").await;
        assert!(matches!(again, Ok(JourneyStep::SamePage(JourneyNotice::WrongCode))));
    }
    let answer = left(submit_second_factor(&world.auth, &tab.submission(&world).await, "a guess").await);
    refused(&world, &consent, &answer, OAuthErrorCode::AccessDenied).await;

    let consent = world.payment("acme", one_pound()).await;
    Tab::at_payment(&world, &consent, "chloe").await;
    world.clock.advance(SignedDuration::from_hours(1));
    assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation);
}

#[tokio::test]
async fn as_133_who_has_nothing_to_pay_from_is_shown_so_and_may_only_say_no() {
    let world = World::new().await;
    let consent = world.payment("acme", one_pound()).await;
    let tab = Tab::at_payment(&world, &consent, "esther").await;
    assert!(tab.offer(&world).await.is_empty());
    let none = decide_journey(&world.auth, &tab.submission(&world).await, &PsuChoice::Approve(Vec::new())).await;
    assert!(matches!(none, Ok(JourneyStep::SamePage(JourneyNotice::NoAccount))));
    let answer = left(decide_journey(&world.auth, &tab.submission(&world).await, &PsuChoice::Reject).await);
    refused(&world, &consent, &answer, OAuthErrorCode::AccessDenied).await;

    let consent = world.payment("robot", one_pound()).await;
    world.close("amelia", None);
    let answer = world.answer("robot", &world.payment_claims("robot", &consent)).await;
    refused(&world, &consent, &answer, OAuthErrorCode::AccessDenied).await;
}

#[tokio::test]
async fn as_051_a_payment_needs_the_scope_of_payments() {
    let world = World::new().await;
    let consent = world.payment("robot", one_pound()).await;
    let answer = world.answer("robot", &world.claims("robot", &consent)).await;
    assert_eq!(answer.error(), Some("invalid_scope"));
    let mut silent = world.payment_claims("robot", &consent);
    silent["prompt"] = json!("none");
    assert_eq!(world.answer("robot", &silent).await.error(), Some("login_required"));
    assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation);
}

#[tokio::test]
async fn pis_027_a_consent_the_bank_rejected_meanwhile_is_not_authorised() {
    let world = World::new().await;
    let consent = world.payment("acme", one_pound()).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let handle = tab.means(&world).await[0].offered.handle.clone();
    let submission = tab.submission(&world).await;
    world.clock.advance(SignedDuration::from_mins(5));
    let mut context = world.auth.context.clone();
    context.payments.undecided_after = SignedDuration::from_mins(5);
    lombard_service::payments::expiry::reject_undecided_consents(&context).await.unwrap();
    assert_eq!(world.stored(&consent).await.state, ConsentState::Rejected);
    let answer = left(decide_journey(&world.auth, &submission, &PsuChoice::Approve(vec![handle])).await);
    refused(&world, &consent, &answer, OAuthErrorCode::InvalidRequest).await;
    let id = tab.id.clone();
    let row = world.auth.context.store.read(move |tx| tx.journey_for_update(&id)).await.unwrap().unwrap();
    assert_eq!(row.stage, JourneyStage::Finished);
}

#[tokio::test]
async fn an_account_that_closes_meanwhile_is_not_paid_from() {
    let world = World::new().await;
    let consent = world.payment("acme", one_pound()).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let handle = tab.means(&world).await[0].offered.handle.clone();
    world.close("amelia", Some("acc-1"));
    let step = decide_journey(&world.auth, &tab.submission(&world).await, &PsuChoice::Approve(vec![handle])).await;
    assert!(matches!(step, Ok(JourneyStep::SamePage(JourneyNotice::OtherAccounts))));
    assert_eq!(world.stored(&consent).await.state, ConsentState::AwaitingAuthorisation);
}

#[tokio::test]
async fn rw_010_a_payment_whose_version_is_retired_is_not_put_to_the_customer() {
    let mut world = World::new().await;
    let (begun, asked) = (world.payment("acme", one_pound()).await, world.payment("acme", one_pound()).await);
    let recurring = world.payment("acme", within_limits()).await;
    let tab = Tab::at_payment(&world, &begun, "amelia").await;
    let chosen = PsuChoice::Approve(vec![tab.means(&world).await[0].offered.handle.clone()]);
    world.auth.context.payments.retired_versions = [Version::V3_1].into();
    let answers = [
        left(decide_journey(&world.auth, &tab.submission(&world).await, &chosen).await),
        world.answer("acme", &world.payment_claims("acme", &asked)).await,
    ];
    for answer in answers {
        assert_eq!((answer.error(), answer.value("code")), (Some("invalid_request"), None));
    }
    for consent in [&begun, &asked] {
        assert_eq!(world.stored(consent).await.state, ConsentState::AwaitingAuthorisation);
    }
    // The newer version takes its orders, and reads accounts under older consents (V4-025, RW-015).
    Tab::at_payment(&world, &recurring, "amelia").await;
    Tab::start(&world, &world.consent("acme").await).await;
}

#[tokio::test]
async fn the_last_shown_page_is_stored_with_an_approval_and_nothing_else() {
    let world = World::new().await;
    let evidence = |payee, warnings: &[&str]| DecisionEvidence {
        payee,
        warnings: warnings.iter().map(|heading| (*heading).to_owned()).collect(),
    };
    let kept = async |consent: &ConsentId| {
        let consent = consent.clone();
        world.auth.context.store.read::<_, StoreError, _>(move |tx| tx.decision_evidence(&consent, 9)).await.unwrap()
    };
    let consent = world.payment("acme", one_pound()).await;
    let tab = Tab::at_payment(&world, &consent, "amelia").await;
    let last = evidence(Some(PayeeFinding::NoMatch), &["Stop", "Think"]);
    for shown in [evidence(Some(PayeeFinding::TimedOut), &["Stop"]), last.clone()] {
        note_shown(&world.auth, &tab.id, &tab.browser, shown.clone()).await.unwrap();
        assert_eq!(tab.view(&world).await.unwrap().shown, shown);
    }
    let strange = BrowserSecret::from_cookie(&"A".repeat(43)).unwrap();
    assert!(note_shown(&world.auth, &tab.id, &strange, evidence(None, &[])).await.is_err());
    assert_eq!(kept(&consent).await, []);
    left(tab.pay_from_first(&world).await);
    let decisions = kept(&consent).await;
    let [EvidencedDecision { psu, evidence: shown, .. }] = &decisions[..] else { panic!("{decisions:?}") };
    assert_eq!((psu.as_str(), shown), ("amelia", &last));

    for shown in [last, evidence(None, &[])] {
        let consent = world.payment("acme", one_pound()).await;
        let tab = Tab::at_payment(&world, &consent, "amelia").await;
        note_shown(&world.auth, &tab.id, &tab.browser, shown.clone()).await.unwrap();
        let step = match shown.is_empty() {
            true => tab.pay_from_first(&world).await,
            false => decide_journey(&world.auth, &tab.submission(&world).await, &PsuChoice::Reject).await,
        };
        left(step);
        assert_eq!(kept(&consent).await, []);
    }
}
