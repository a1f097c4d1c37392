//! Payments that are made at once.

use super::PaymentStatus as S;
use super::international::{abroad, agreed, at_rate, money};
use super::*;
use lombard_domain::payment::exchange::{AgreedRate, ExchangeRateType};
use lombard_ports::bank::{CallContext, contract};

#[tokio::test]
async fn pis_044_money_is_reserved_then_debited_then_credited() {
    let world = world().await;
    world.order("o", instruction(1_250)).await;
    assert!(world.hear().await.is_empty(), "nothing is decided while the order comes in");
    world.turn().await;
    assert_eq!(world.moved("ann").await, (0, -1_250), "reserved");
    assert_eq!(told(&world.entries("ann").await), [(EntryStatus::Pending, -1_250, "Waterworks BILL 7")]);
    world.wait(1).await;
    assert_eq!(world.moved("ann").await, (-1_250, 0), "debited");
    assert_eq!(world.statuses().await, [(1, S::InProcess), (1, S::Settled)]);
    world.wait(1).await;
    assert_eq!(world.statuses().await, [(1, S::Credited)], "within two seconds");
    let entry = world.entries("ann").await.remove(0);
    assert_eq!((entry.status, entry.booked_at), (EntryStatus::Booked, at("2026-02-25T12:00:01Z")));
    assert_eq!(entry.balance.unwrap().sum.minor(), OPENING - 1_250);
    assert_eq!(entry.other_party.unwrap().account.unwrap().number, "20304012345678");
    world.wait(100_000).await;
    assert!(world.hear().await.is_empty(), "and that was all");
}

#[tokio::test]
async fn a_payee_who_banks_here_is_credited_and_sees_who_paid() {
    let world = world().await;
    world.order("o", to("bob", instruction(700))).await;
    world.wait(1).await;
    assert_eq!(world.moved("bob").await, (0, 0), "not before its time");
    world.wait(1).await;
    assert_eq!((world.moved("ann").await, world.moved("bob").await), ((-700, 0), (700, 0)));
    assert_eq!(told(&world.entries("bob").await), [(EntryStatus::Booked, 700, "Holder of ann BILL 7")]);
}

#[tokio::test]
async fn pis_043_what_is_not_there_is_not_paid() {
    let world = world().await;
    let all = u64::try_from(OPENING).unwrap();
    world.order("dear", instruction(all + 1)).await;
    world.turn().await;
    let updates = world.hear().await;
    assert_eq!((updates.len(), refusal(&updates)), (1, Some(RejectionReason::InsufficientFunds)));
    world.order("all", instruction(all)).await;
    world.order("another", instruction(1)).await;
    world.turn().await;
    let updates = world.hear().await;
    assert_eq!(refusal(&updates), Some(RejectionReason::InsufficientFunds), "what is reserved is spent");
    assert_eq!(updates.iter().find(|it| refusal(std::slice::from_ref(it)).is_some()).unwrap().order, "another".into());
    world.wait(10).await;
    assert_eq!(world.moved("ann").await, (-OPENING, 0));
}

#[tokio::test]
async fn pis_043_an_account_that_cannot_pay_refuses_the_order() {
    let world = world().await;
    for (index, debtor) in ["gone", "barred", "ann-loan", "ann-card", "nobody"].into_iter().enumerate() {
        world.order_from(debtor, &format!("o{index}"), instruction(100)).await;
        world.turn().await;
        assert_eq!(refusal(&world.hear().await), Some(RejectionReason::DebtorAccountUnusable), "{debtor}");
    }
    let dollars =
        Transfer::domestic(instruction(1).credit().clone(), Amount::from_minor(100, Currency::USD), Timing::Immediate);
    world.order("dollars", dollars).await;
    world.turn().await;
    assert_eq!(refusal(&world.hear().await), Some(RejectionReason::DebtorAccountUnusable));
}

#[tokio::test]
async fn pis_140_card_transfers_pay_a_card_or_account_and_need_a_debtor_card() {
    let world = world().await;
    world.order_from("ann-card", "o", by(Instrument::MoneyTransfer, to("bob", instruction(5_000)))).await;
    world.order("p", by(Instrument::BalanceTransfer, instruction(5_000))).await;
    world.wait(5).await;
    let updates = world.hear().await;
    assert_eq!(refusal(&updates), Some(RejectionReason::DebtorAccountUnusable), "no card");
    assert_eq!(world.moved("ann-card").await, (-5_000, 0));
    world.go_to(at("2026-02-26T09:00:00Z")).await;
    assert_eq!(world.moved("bob").await, (5_000, 0), "on the next working day");
}

#[tokio::test]
async fn pis_100_a_charge_is_reserved_and_booked_as_an_entry_of_its_own() {
    let world = world().await;
    let order = world.order("o", by(Instrument::Chaps, instruction(10_000))).await;
    assert_eq!(order.conditions.charges.first().unwrap().amount.minor(), 2_000);
    world.turn().await;
    assert_eq!(world.moved("ann").await, (0, -12_000));
    world.wait(5).await;
    assert_eq!(world.moved("ann").await, (-12_000, 0));
    let mut sums: Vec<_> = world.entries("ann").await.iter().map(|it| it.sum.minor()).collect();
    sums.sort_unstable();
    assert_eq!(sums, [-10_000, -2_000]);
    world.wait(5).await;
    assert_eq!(world.statuses().await, [(1, S::InProcess), (1, S::Settled), (1, S::Credited)]);
    // The charge must be available too.
    let rest = u64::try_from(OPENING).unwrap() - 12_000;
    world.order("p", by(Instrument::Chaps, instruction(rest))).await;
    world.turn().await;
    assert_eq!(refusal(&world.hear().await), Some(RejectionReason::InsufficientFunds));
}

#[tokio::test]
async fn bacs_takes_three_working_days_and_chaps_waits_for_the_morning() {
    // A Thursday evening before Easter, in summer time: Friday and Monday are bank holidays.
    let world = world_at(at("2026-04-02T15:00:00Z")).await;
    world.order("bacs", by(Instrument::Bacs, to("bob", instruction(300)))).await;
    world.wait(2).await;
    assert_eq!(world.moved("ann").await, (-300, 0));
    world.go_to(at("2026-04-08T07:59:59Z")).await;
    assert_eq!(world.moved("bob").await, (0, 0));
    world.go_to(at("2026-04-08T08:00:00Z")).await;
    assert_eq!(world.moved("bob").await, (300, 0), "nine o'clock in London");
    world.go_to(at("2026-04-11T12:00:00Z")).await;
    let order = world.order("chaps", by(Instrument::Chaps, instruction(100))).await;
    assert_eq!(order.conditions.execution_at, Some(at("2026-04-13T05:00:00Z")), "Monday, six o'clock in London");
    world.wait(3_600).await;
    assert_eq!(world.moved("ann").await, (-300, -2_100), "reserved over the weekend");
    world.go_to(at("2026-04-13T05:00:10Z")).await;
    assert_eq!(world.moved("ann").await, (-2_400, 0));
}

#[tokio::test]
async fn pis_104_the_times_told_are_kept_up_to_date() {
    let world = world().await;
    let terms = terms_of(instruction(100));
    let conditions = world.bank.quote_conditions(&CallContext::default(), &terms).await.unwrap();
    assert_eq!(conditions.execution_at, Some(noon()));
    world.clock.advance(SignedDuration::from_secs(600));
    let order = PaymentOrder { conditions, ..world.order("first", instruction(100)).await };
    world.bank.submit_orders(&CallContext::default(), &[PaymentOrder { id: "o".into(), ..order }]).await.unwrap();
    world.turn().await;
    let updates = world.hear().await;
    let expected: Vec<_> = updates.iter().filter(|it| matches!(it.change, OrderUpdate::TimesChanged { .. })).collect();
    assert_eq!(expected.len(), 1, "the first was told right");
    let what = OrderUpdate::TimesChanged {
        execution_at: Some(at("2026-02-25T12:10:00Z")),
        settlement_at: Some(at("2026-02-25T12:10:02Z")),
    };
    assert_eq!((&expected[0].order, &expected[0].change), (&"o".into(), &what));
}

#[tokio::test]
async fn an_order_is_taken_once_and_executed_once() {
    let world = world().await;
    let order = world.order("o", to("bob", instruction(700))).await;
    for _ in 0..5 {
        world.bank.submit_orders(&CallContext::default(), std::slice::from_ref(&order)).await.unwrap();
        world.wait(1).await;
    }
    assert_eq!((world.moved("ann").await, world.moved("bob").await), ((-700, 0), (700, 0)));
    assert_eq!(world.statuses().await, [(1, S::InProcess), (1, S::Settled), (1, S::Credited)]);
    let other = PaymentOrder { transfer: instruction(9_999), ..order };
    world.bank.submit_orders(&CallContext::default(), &[other]).await.unwrap();
    world.wait(10).await;
    assert_eq!(world.moved("ann").await, (-700, 0), "it stays as it is");
    assert!(world.hear().await.is_empty());
}

#[tokio::test]
async fn two_nodes_execute_every_order_once() {
    let world = world().await;
    for index in 0..40 {
        world.order(&format!("o{index}"), to("bob", instruction(100))).await;
    }
    world.clock.advance(SignedDuration::from_secs(60));
    let node = || {
        let scheduler = BankScheduler::new(world.store.clone(), Clocks::new(Arc::new(world.clock.clone())));
        tokio::spawn(async move { while scheduler.run_due().await.unwrap() > 0 {} })
    };
    for node in [node(), node(), node()] {
        node.await.unwrap();
    }
    world.is_sound().await;
    assert_eq!((world.moved("ann").await, world.moved("bob").await), ((-4_000, 0), (4_000, 0)));
    assert_eq!(world.statuses().await.len(), 120);
}

#[tokio::test]
async fn heard_news_do_not_come_again() {
    let world = world().await;
    world.order("o", instruction(100)).await;
    world.order("p", instruction(100)).await;
    world.turn().await;
    let first = world.bank.fetch_status_updates(&CallContext::default(), 100).await.unwrap();
    assert_eq!(
        world.bank.fetch_status_updates(&CallContext::default(), 100).await.unwrap(),
        first,
        "until they are heard"
    );
    world.bank.acknowledge_updates(&CallContext::default(), &[("o".into(), 1)]).await.unwrap();
    let left = world.bank.fetch_status_updates(&CallContext::default(), 100).await.unwrap();
    assert_eq!(left.iter().map(|it| it.order.as_str()).collect::<Vec<_>>(), ["p"]);
    world.bank.acknowledge_updates(&CallContext::default(), &[("p".into(), 1)]).await.unwrap();
    assert!(world.bank.fetch_status_updates(&CallContext::default(), 100).await.unwrap().is_empty());
}

#[tokio::test]
async fn the_built_in_bank_keeps_the_contract_of_payments() {
    let agreed = agreed("1.28", "LSB-FX-0002", abroad(money(1_000, "GBP"), "USD"));
    for it in [
        by(Instrument::FasterPayments, to("bob", instruction(1_000))),
        by(Instrument::Chaps, to("bob", instruction(1_000))),
        by(Instrument::Bacs, to("bob", instruction(1_000))),
        to("more-euros", at_rate(ExchangeRateType::Actual, "GBP", abroad(money(1_000, "EUR"), "EUR"))),
        agreed,
    ] {
        let world = world().await;
        let pair = |transfer: &str| CurrencyPair { unit: Currency::GBP, transfer: transfer.parse().unwrap() };
        let facts = contract::PaymentFacts {
            psu: "ann".into(),
            withheld: ["gone", "barred", "ann-loan", "nobody"].map(BankAccountId::from).to_vec(),
            order: world.made_from("ann", "o", it.clone()).await,
            terms: terms_of(it),
            rounds_max: 1,
        };
        let exchange = contract::ExchangeFacts {
            pair: pair("USD"),
            deal: AgreedRate { rate: "1.28".parse().unwrap(), contract: "LSB-FX-0002".to_owned() },
            unknown: pair("NOK"),
        };
        let proceed = async || world.wait(86_400 * 7).await;
        contract::check_payment_contract(&world.bank, &facts, &exchange, &proceed).await.unwrap();
    }
}

#[tokio::test]
async fn an_order_that_cannot_be_read_stops_no_other() {
    let world = world().await;
    world.order("broken", instruction(100)).await;
    let spoil = |tx: &mut dyn Tables| {
        let order = tx.bank_order_for_update(&"broken".into())?.unwrap();
        tx.bank_order_update(&OrderAtBank { execution: "{}".to_owned(), ..order })
    };
    world.store.write::<_, StoreError, _>(spoil).await.unwrap();
    world.order("good", instruction(200)).await;
    world.wait(1).await;
    world.wait(1).await;
    assert_eq!(world.moved("ann").await, (-200, 0));
    assert_eq!(world.scheduler.run_due().await.unwrap(), 0, "it is set aside");
}
