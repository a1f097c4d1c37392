//! Payment consents: created, read, and shown to the customer.

use super::*;
use lombard_domain::payment::transfer::Instrument;
use lombard_domain::payment::{Charge, ChargeBearer, ChargeType};

fn single(mut terms: PaymentConsentRequest) -> PaymentConsentRequest {
    terms.authorisation.kind = RequestedAuthorisationType::Single;
    terms
}

fn from(number: &str, mut terms: PaymentConsentRequest) -> PaymentConsentRequest {
    terms.debtor = Some(account(number));
    terms
}

#[tokio::test]
async fn pis_015_and_pis_016_a_consent_awaits_its_customer_with_bank_conditions() {
    let world = World::new().await;
    let execution_at = Some(monday() + SignedDuration::from_secs(2));
    world.bank.set_conditions(PaymentConditions { execution_at, ..PaymentConditions::default() });
    let consent = world.create(terms(now()), "k").await.unwrap();
    assert_eq!((consent.state, consent.state_changed_at), (ConsentState::AwaitingAuthorisation, consent.created_at));
    assert_eq!(consent.request.payment().unwrap().conditions.execution_at, execution_at);
    assert!((1..=128).contains(&consent.id.as_str().len()));
    assert_eq!(world.told(consent.id.as_str()).await, 0, "SET-035: its TPP did it itself");
}

#[tokio::test]
async fn pis_020_and_pis_106_what_cannot_be_paid_is_refused_and_not_kept() {
    let world = World::new().await;
    let yesterday = Timing::Scheduled(date(2026, 3, 1));
    assert_eq!(codes(world.create(terms(yesterday), "k").await), [FaultCode::FieldInvalidDate]);
    world.bank.set_conditions(PaymentConditions {
        cut_off: Some(CutOff { at: monday(), lateness: AfterCutOffPolicy::Refused }),
        ..PaymentConditions::default()
    });
    assert_eq!(codes(world.create(terms(now()), "k").await), [FaultCode::AfterCutOff]);
    world.bank.set_conditions(PaymentConditions {
        cut_off: Some(CutOff { at: monday(), lateness: AfterCutOffPolicy::Accepted }),
        ..PaymentConditions::default()
    });
    assert!(world.create(terms(now()), "k").await.is_ok(), "PIS-107, and PIS-068: the key was free");
}

#[tokio::test]
async fn pis_111_a_type_the_named_account_cannot_meet_is_refused_at_once() {
    let world = World::new().await;
    let refused = refusal(world.create(single(from("80200110203343", terms(now()))), "k").await);
    assert_eq!(refused.faults[0].at, Some(FaultLocation::Field(Field::AuthorisationType)));
    for fine in [
        from("80200110203343", terms(now())),
        single(from("80200110203341", terms(now()))),
        single(from("99999910203341", terms(now()))),
        single(terms(now())),
    ] {
        assert!(world.create(fine.clone(), "k").await.is_ok_and(|it| it.request.payment().unwrap().terms == fine));
        world.clock.advance(DAY);
    }
}

#[tokio::test]
async fn pis_007_pis_008_and_pis_161_consent_reads_check_tpp_product_version() {
    let world = World::new().await;
    let consent = world.create(terms(on_wednesday()), "k").await.unwrap();
    let read = |client: &'static str, product, version| {
        let (context, id) = (world.context.clone(), consent.id.clone());
        async move { asked::read_payment_consent(&context, &ClientId::from(client), product, &id, version).await }
    };
    let scheduled = PaymentProduct::DomesticScheduledPayment;
    assert_eq!(read("acme", scheduled, V3_1).await.unwrap(), consent);
    assert_eq!(refusal(read("rival", scheduled, V3_1).await).kind, RefusalKind::ForeignOwner);
    assert_eq!(refusal(read("acme", PaymentProduct::DomesticPayment, V3_1).await).kind, RefusalKind::NotFound);
    assert_eq!(refusal(read("acme", scheduled, V4_0).await).kind, RefusalKind::NotFound);
    let unknown = asked::read_payment_consent(&world.context, &acme(), scheduled, &"nothing".into(), V3_1).await;
    assert_eq!(refusal(unknown).kind, RefusalKind::NotFound);
}

#[tokio::test]
async fn pis_032_and_pis_111_the_customer_chooses_among_the_accounts_that_fit() {
    let world = World::new().await;
    let offered = |psu: &'static str, terms: PaymentConsentRequest| {
        let context = world.context.clone();
        async move {
            let payment =
                draft(terms).into_consent_draft(PaymentConditions::default()).request.payment().unwrap().clone();
            let payers = asked::list_payer_accounts(&context, &psu.into(), &payment).await.unwrap();
            payers.into_iter().map(|payer| payer.account.id.as_str().to_owned()).collect::<Vec<_>>()
        }
    };
    assert_eq!(offered("amelia", terms(now())).await, ["b-1", "b-2"]);
    assert_eq!(offered("amelia", from("80200110203342", terms(now()))).await, ["b-2"]);
    assert_eq!(offered("amelia", from("80200110203343", terms(now()))).await, [""; 0], "PIS-033: not hers");
    assert_eq!(offered("chloe", terms(now())).await, ["b-3"]);
    assert_eq!(offered("chloe", single(terms(now()))).await, [""; 0]);
    let mut to_itself = terms(now());
    let Instruction::Transfer(Transfer { route: Route::Domestic(credit), .. }) = &mut to_itself.instruction else {
        panic!("it stays in the country")
    };
    credit.creditor = NamedAccount::under_name(account("80200110203341"), "Amelia".into());
    assert_eq!(offered("amelia", to_itself).await, ["b-2"], "PIS-118");
    let mut dollars = terms(now());
    let Instruction::Transfer(Transfer { amount, .. }) = &mut dollars.instruction else { panic!("it is a payment") };
    *amount = Amount::from_minor(100, Currency::USD);
    assert_eq!(offered("amelia", dollars).await, [""; 0]);
}

#[tokio::test]
async fn pis_035_and_pis_104_the_chosen_account_is_fixed_with_bank_conditions() {
    let world = World::new().await;
    let consent = world.create(terms(now()), "k").await.unwrap();
    assert!(world.choose(&consent, "amelia", "b-3").await.is_none(), "not hers");
    let settlement_at = Some(monday() + SignedDuration::from_secs(9));
    world.bank.set_conditions(PaymentConditions { settlement_at, ..PaymentConditions::default() });
    let agreed = world.agree(consent, "amelia", "b-2").await;
    assert_eq!(agreed.debtor().unwrap().account, BankAccountId::from("b-2"));
    let payment = agreed.request.payment().unwrap();
    assert_eq!(payment.conditions.settlement_at, settlement_at);
    assert_eq!(payment.source.as_ref().unwrap().account.holder_name(), "amelia", "PIS-098");
    assert_eq!(payment.terms.debtor, None, "PIS-018");
    assert_eq!(world.consent(&agreed.id).await, agreed);
    assert_eq!(world.told(agreed.id.as_str()).await, 1, "a decision of the customer is told once");
}

#[tokio::test]
async fn pis_080_to_pis_083_funds_need_an_authorised_consent_and_change_nothing() {
    let world = World::new().await;
    let awaiting = world.create(terms(now()), "k").await.unwrap();
    assert_eq!(refusal(asked::confirm_payment_funds(&world.context, &awaiting).await).kind, RefusalKind::ConsentState);
    let consent = world.agree(awaiting, "amelia", "b-1").await;
    for (available, expected) in [(100, true), (99, false), (100, true)] {
        world.bank.set_payer("b-1".into(), SignedAmount::from_minor(available, Currency::GBP), vec!["amelia".into()]);
        let funds = asked::confirm_payment_funds(&world.context, &consent).await.unwrap();
        assert_eq!((funds.available, funds.at), (expected, world.bank_now()));
    }
    assert_eq!(world.consent(&consent.id).await, consent, "PIS-081");
    world.bank.close_accounts(|_, account| account.as_str() == "b-1");
    assert!(!asked::confirm_payment_funds(&world.context, &consent).await.unwrap().available);
    world.place(&consent, "k").await.unwrap();
    let consumed = world.consent(&consent.id).await;
    assert_eq!(refusal(asked::confirm_payment_funds(&world.context, &consumed).await).kind, RefusalKind::ConsentState);
}

#[tokio::test]
async fn a_bank_that_does_not_answer_makes_no_consent_and_no_refusal() {
    let world = World::new().await;
    let unavailable = |result: Result<Consent, Failure>| assert!(matches!(result, Err(Failure::Unavailable(_))));
    world.bank.payment_script().unavailable_calls.insert(PaymentCall::Conditions);
    unavailable(world.create(terms(now()), "k").await);
    world.bank.payment_script().unavailable_calls = [PaymentCall::Payers].into();
    unavailable(world.create(single(from("80200110203341", terms(now()))), "k").await);
    let consent = world.create(terms(now()), "k").await.unwrap();
    assert!(matches!(
        asked::list_payer_accounts(&world.context, &"amelia".into(), consent.request.payment().unwrap()).await,
        Err(Failure::Unavailable(_))
    ));
}

#[tokio::test]
async fn pis_104_times_are_updated_and_the_shown_charges_and_cut_off_are_kept() {
    let world = World::new().await;
    let pounds = |pence| Amount::from_minor(pence, Currency::GBP);
    let of = |pence, hours| PaymentConditions {
        charges: vec![Charge { bearer: ChargeBearer::Debtor, kind: ChargeType::ChapsOut, amount: pounds(pence) }],
        cut_off: Some(CutOff {
            at: monday() + SignedDuration::from_hours(hours),
            lateness: AfterCutOffPolicy::Refused,
        }),
        execution_at: Some(monday() + SignedDuration::from_hours(hours + 1)),
        settlement_at: Some(monday() + SignedDuration::from_hours(hours + 2)),
        quote: None,
    };
    let (told, renewed) = (of(30, 2), of(99, 5));
    world.bank.set_conditions(told.clone());
    let consent = world.create(terms(now()), "k").await.unwrap();
    world.bank.set_conditions(renewed.clone());
    let shown = asked::current_conditions(&world.context, consent.request.payment().unwrap()).await.unwrap();
    let expected = PaymentConditions { charges: told.charges.clone(), cut_off: told.cut_off, ..renewed.clone() };
    assert_eq!(shown, expected);
    let agreed = world.agree(consent, "amelia", "b-1").await;
    let expected = PaymentConditions { charges: told.charges, ..renewed.clone() };
    assert_eq!(agreed.request.payment().unwrap().conditions, expected, "PIS-107: the last moment may be another day's");

    let later = of(70, 20);
    world.bank.set_conditions(later.clone());
    let order = world.place(&agreed, "k").await.unwrap();
    let times = (order.conditions.execution_at, order.conditions.settlement_at);
    assert_eq!(times, (later.execution_at, later.settlement_at), "as the bank expects when it is ordered");
    assert_eq!(order.conditions.charges, expected.charges);
}

#[tokio::test]
async fn as_171_headless_approval_takes_first_funded_current_or_first_account() {
    use AccountSubType::{CurrentAccount, Savings};
    for (held, expected) in [
        ([(Savings, 100), (CurrentAccount, 100), (CurrentAccount, 100)], "b-1"),
        ([(Savings, 100), (CurrentAccount, 99), (CurrentAccount, 100)], "b-2"),
        ([(Savings, 99), (CurrentAccount, 99), (CurrentAccount, 99)], "b-0"),
        ([(CurrentAccount, 100), (Savings, 100), (CurrentAccount, 100)], "b-0"),
    ] {
        let world = World::where_amelia_holds(&held).await;
        let consent = world.create(terms(now()), "k").await.unwrap();
        let payment = consent.request.payment().unwrap();
        let chosen = asked::select_default_payer(&world.context, &"amelia".into(), payment).await.unwrap().unwrap();
        let AuthorisedSelection::Payer(payer) = chosen else { panic!("it pays") };
        assert_eq!(payer.account.id, BankAccountId::from(expected), "{held:?}");
    }
}

#[tokio::test]
async fn pis_139_cards_pay_what_is_taken_from_cards_and_nothing_else() {
    use AccountSubType::{ChargeCard, CreditCard, CurrentAccount, Savings};
    let kinds = [CurrentAccount, CreditCard, Savings, ChargeCard];
    let world = World::where_amelia_holds(&kinds.map(|kind| (kind, 1_000))).await;
    for (instrument, expected) in [
        (None, ["b-0", "b-2"]),
        (Some(Instrument::FasterPayments), ["b-0", "b-2"]),
        (Some(Instrument::BalanceTransfer), ["b-1", "b-3"]),
        (Some(Instrument::MoneyTransfer), ["b-1", "b-3"]),
    ] {
        let mut terms = terms(now());
        let Instruction::Transfer(Transfer { route: Route::Domestic(credit), .. }) = &mut terms.instruction else {
            panic!("it stays in the country")
        };
        credit.instrument = instrument;
        let payment = draft(terms).into_consent_draft(PaymentConditions::default()).request.payment().unwrap().clone();
        let payers = asked::list_payer_accounts(&world.context, &"amelia".into(), &payment).await.unwrap();
        let offered: Vec<_> = payers.iter().map(|payer| payer.account.id.as_str()).collect();
        assert_eq!(offered, expected, "{instrument:?}");
    }
}
