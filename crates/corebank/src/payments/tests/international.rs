//! Tests of payments abroad and in other currencies.

use super::PaymentStatus as S;
use super::*;
use jiff::civil::date;
use lombard_domain::account::{ScheduledPayment, StandingOrder};
use lombard_domain::frequency::Frequency;
use lombard_domain::payment::exchange::ExchangeRateType;
use lombard_domain::payment::transfer::{AgentCode, International, PayeeAgent, Schedule, ScheduleEnd};
use lombard_domain::payment::{ChargeBearer, ChargeType};
use lombard_ports::bank::CallContext;
use std::num::NonZeroU16;

pub(super) fn currency(code: &str) -> Currency {
    code.parse().unwrap()
}

pub(super) fn money(minor: u64, code: &str) -> Amount {
    Amount::from_minor(minor, currency(code))
}

/// A payment that sends a currency to a German account, without an exchange rate request and without a charge bearer.
pub(super) fn abroad(amount: Amount, transfer: &str) -> Transfer {
    let account = AccountIdentification::new(AccountScheme::Iban, "DE89370400440532013000");
    let payment = International {
        credit: CreditorDetails {
            references: References { reference: Some("RECHNUNG 7".to_owned()), ..References::default() },
            ..CreditorDetails::new(NamedAccount::under_name(account, "Stadtwerke".to_owned()))
        },
        payee: None,
        agent: Some(PayeeAgent { code: Some(AgentCode::Bic("EXMPDEFFXXX".to_owned())), ..PayeeAgent::default() }),
        transfer: currency(transfer),
        exchange: None,
        bearer: None,
        priority: None,
        destination: None,
        purpose: None,
        purpose_in_words: None,
    };
    Transfer::international(payment, amount, Timing::Immediate)
}

pub(super) fn which(mut it: Transfer, change: impl FnOnce(&mut International)) -> Transfer {
    if let Route::International(payment) = &mut it.route {
        change(payment);
    }
    it
}

/// The same payment with an exchange rate request, from an account in the given currency.
pub(super) fn at_rate(kind: ExchangeRateType, unit: &str, it: Transfer) -> Transfer {
    which(it, |payment| payment.exchange = Some(ExchangeRateRequest::new(currency(unit), kind, None, None).unwrap()))
}

pub(super) fn agreed(rate: &str, contract: &str, it: Transfer) -> Transfer {
    let rate_request = ExchangeRateRequest::new(
        Currency::GBP,
        ExchangeRateType::Agreed,
        Some(rate.parse().unwrap()),
        Some(contract.to_owned()),
    );
    which(it, |payment| payment.exchange = Some(rate_request.unwrap()))
}

pub(super) fn borne(by: ChargeBearer, it: Transfer) -> Transfer {
    which(it, |payment| payment.bearer = Some(by))
}

impl World {
    /// The booked balance of an account of the bank itself or of an external party.
    pub(super) async fn lies(&self, account: BankAccountId) -> i64 {
        self.store
            .write::<_, StoreError, _>(move |tx: &mut dyn Tables| {
                let currency = account.as_str().rsplit(':').next().unwrap().parse().unwrap();
                tx.ledger_accounts_open(&[(account.clone(), currency)])?;
                Ok(tx.ledger_sums(std::slice::from_ref(&account))?[0].booked)
            })
            .await
            .unwrap()
    }

    pub(super) async fn own(&self, party: &str, code: &str) -> i64 {
        self.lies(super::super::super::names::external_account(party, currency(code))).await
    }

    /// The amount that an external payee has received.
    pub(super) async fn got(&self, instruction: &Transfer, code: &str) -> i64 {
        self.lies(super::super::super::names::other_bank_account(&instruction.credit().creditor, currency(code))).await
    }
}

#[tokio::test]
async fn int_013_an_agreed_rate_is_debited_exchanged_and_sent() {
    let world = world().await;
    let it = agreed("1.17", "LSB-FX-0001", abroad(money(10_000, "GBP"), "EUR"));
    let order = world.order("o", it.clone()).await;
    assert_eq!(order.conditions.charges, [], "SEPA costs nothing");
    world.turn().await;
    assert_eq!(world.moved("ann").await, (0, -10_000), "reserved in the payer's currency");
    world.wait(1).await;
    assert_eq!(world.moved("ann").await, (-10_000, 0));
    assert_eq!(world.got(&it, "EUR").await, 0, "not there yet");
    let entry = world.entries("ann").await.remove(0);
    let exchange = entry.exchange.clone().unwrap();
    assert_eq!((exchange.source, exchange.target, exchange.unit), (Currency::GBP, Currency::EUR, Currency::GBP));
    assert_eq!((exchange.rate.0.to_string().as_str(), exchange.instructed), ("1.17", Some(money(10_000, "GBP"))));
    assert_eq!(entry.other_party.unwrap().agent.unwrap().bic.as_deref(), Some("EXMPDEFFXXX"));
    world.go_to(at("2026-02-26T09:00:00Z")).await;
    assert_eq!(world.got(&it, "EUR").await, 11_700);
    assert_eq!(world.statuses().await, [(1, S::InProcess), (1, S::Settled), (1, S::Credited)]);
    // The bank bought pounds and sold euros at its middle rate; the discount to the customer is the bank's loss in euros.
    let middle =
        world.bank.market().middle(CurrencyPair { unit: Currency::GBP, transfer: Currency::EUR }, noon()).unwrap();
    let sold = i64::try_from(middle.convert_to_transfer_currency(money(10_000, "GBP"), Currency::EUR).unwrap().minor())
        .unwrap();
    assert_eq!(world.own("bank:position", "GBP").await, 10_000);
    assert_eq!(world.own("bank:position", "EUR").await, -sold);
    assert_eq!(world.own("bank:margin", "EUR").await, sold - 11_700);
}

#[tokio::test]
async fn int_023_the_leg_that_was_instructed_is_exact_whichever_it_is() {
    for (debtor, unit, instructed, transfer) in
        [("ann", "GBP", money(12_345, "JPY"), "JPY"), ("dollars", "USD", money(7_001, "EUR"), "EUR")]
    {
        let world = world().await;
        let it = at_rate(ExchangeRateType::Actual, unit, abroad(instructed, transfer));
        let order = world.order_from(debtor, "o", it.clone()).await;
        let rate = order.conditions.quote.as_ref().unwrap().rate;
        let total_debit = it.total_debit(currency(unit), &order.conditions, rate).unwrap();
        assert_eq!(total_debit.sent(), instructed);
        world.wait(86_400 * 7).await;
        assert_eq!(world.moved(debtor).await, (-i64::try_from(total_debit.amount().minor()).unwrap(), 0));
        assert_eq!(world.got(&it, transfer).await, i64::try_from(instructed.minor()).unwrap());
    }
}

#[tokio::test]
async fn pis_101_each_bearer_of_swifts_charge_pays_it() {
    for (bearer, more, less, told) in [
        (None, 1_500, 0, money(1_500, "GBP")),
        (Some(ChargeBearer::Debtor), 1_500, 0, money(1_500, "GBP")),
        (Some(ChargeBearer::Shared), 1_500, 0, money(1_500, "GBP")),
        (Some(ChargeBearer::Creditor), 0, 2_000, money(2_000, "USD")),
    ] {
        let world = world().await;
        let it = agreed("1.28", "LSB-FX-0002", abroad(money(10_000, "GBP"), "USD"));
        let it = which(it, |payment| payment.bearer = bearer);
        let order = world.order("o", it.clone()).await;
        let charge = order.conditions.charges.first().copied().unwrap();
        assert_eq!((charge.kind, charge.amount), (ChargeType::SwiftOut, told));
        assert_eq!(charge.bearer, bearer.unwrap_or(ChargeBearer::Shared));
        world.wait(86_400 * 7).await;
        assert_eq!(world.moved("ann").await, (-10_000 - more, 0), "{bearer:?}");
        assert_eq!(world.got(&it, "USD").await, 12_800 - less, "{bearer:?}");
        assert_eq!(world.own("bank:fees", "GBP").await, more);
        assert_eq!(world.own("bank:fees", "USD").await, less);
        let sums: Vec<_> = world.entries("ann").await.iter().map(|it| it.sum.minor()).collect();
        assert_eq!(sums.len(), if more > 0 { 2 } else { 1 }, "the charge is an entry of its own");
    }
}

#[tokio::test]
async fn int_002_where_there_is_one_currency_nothing_is_exchanged() {
    let world = world().await;
    let it = abroad(money(5_000, "EUR"), "EUR");
    world.order_from("euros", "o", it.clone()).await;
    world.wait(1).await;
    assert_eq!(world.moved("euros").await, (-5_000, 0));
    assert!(world.entries("euros").await[0].exchange.is_none());
    world.go_to(at("2026-02-26T09:00:00Z")).await;
    assert_eq!(world.got(&it, "EUR").await, 5_000);
    assert_eq!(world.own("bank:position", "EUR").await, 0);
    // The same payment with a charge that is deducted from the amount.
    let it = borne(ChargeBearer::Creditor, abroad(money(5_000, "USD"), "USD"));
    world.order_from("dollars", "p", it.clone()).await;
    world.wait(86_400 * 7).await;
    assert_eq!((world.moved("dollars").await, world.got(&it, "USD").await), ((-5_000, 0), 3_000));
    assert_eq!(world.own("bank:fees", "USD").await, 2_000);
}

#[tokio::test]
async fn a_payee_at_this_bank_is_credited_only_in_the_currency_of_its_account() {
    let world = world().await;
    let to_euros = to("more-euros", agreed("1.17", "LSB-FX-0001", abroad(money(10_000, "GBP"), "EUR")));
    world.order("o", to_euros).await;
    world.wait(86_400 * 7).await;
    assert_eq!((world.moved("ann").await, world.moved("more-euros").await), ((-11_500, 0), (11_700, 0)));
    world.hear().await;
    world.order("p", to("bob", agreed("1.17", "LSB-FX-0001", abroad(money(10_000, "GBP"), "EUR")))).await;
    world.wait(86_400 * 7).await;
    assert_eq!(world.statuses().await, [(1, S::InProcess), (1, S::Rejected)], "an account in pounds");
    assert_eq!(world.moved("ann").await, (-11_500, 0));
}

#[tokio::test]
async fn pis_048_what_comes_back_is_what_was_paid_whatever_the_price_is_then() {
    let world = world().await;
    let it =
        named("Without Posting", at_rate(ExchangeRateType::Indicative, "GBP", abroad(money(10_000, "GBP"), "USD")));
    world.order("o", it.clone()).await;
    world.wait(86_400 * 40).await;
    assert_eq!(world.moved("ann").await, (-11_500, 0));
    let clocks = world.clocks.clone();
    let reject = move |tx: &mut dyn Tables| {
        let back = OrderOutcome::Rejected(RejectionReason::CreditorAccountUnusable);
        force_outcome(tx, &"o".into(), back, &clocks, &ExchangeMarket::default())
    };
    world.store.write(reject).await.unwrap();
    world.is_sound().await;
    assert_eq!(world.moved("ann").await, (0, 0), "to the penny, the charge as well");
    for (party, code) in
        [("bank:position", "GBP"), ("bank:position", "USD"), ("bank:margin", "USD"), ("bank:fees", "GBP")]
    {
        assert_eq!(world.own(party, code).await, 0, "{party} {code}");
    }
    assert_eq!(world.got(&it, "USD").await, 0);
}

#[tokio::test]
async fn int_010_an_indicative_rate_is_priced_on_the_day_the_account_is_debited() {
    // After SEPA's cut-off on a Friday, a payment leaves on Monday.
    let world = world_at(at("2026-02-27T18:00:00Z")).await;
    let it = at_rate(ExchangeRateType::Indicative, "GBP", abroad(money(10_000, "EUR"), "EUR"));
    let order = world.order("o", it.clone()).await;
    let told = order.conditions.quote.as_ref().unwrap().rate;
    let debit = |rate: ConversionRate| {
        i64::try_from(rate.convert_to_unit_currency(money(10_000, "EUR"), Currency::GBP).unwrap().minor()).unwrap()
    };
    world.turn().await;
    assert_eq!(world.moved("ann").await, (0, -debit(told)), "reserved at the price of Friday");
    let monday = at("2026-03-02T06:00:01Z");
    let price = world
        .bank
        .market()
        .customer_rate(CurrencyPair { unit: Currency::GBP, transfer: Currency::EUR }, monday)
        .unwrap();
    assert_ne!(debit(price), debit(told), "the test needs a price that moves");
    world.go_to(monday).await;
    assert_eq!(world.moved("ann").await, (-debit(price), 0));
    let entries = world.entries("ann").await;
    let mut told: Vec<_> = told_of(&entries);
    told.sort_unstable_by_key(|(_, text)| *text);
    assert_eq!(told[0], (EntryStatus::Booked, "Stadtwerke RECHNUNG 7"));
    assert_eq!(told[1], (EntryStatus::Rejected, "Stadtwerke: reserved anew at the rate of the day"));
    world.go_to(at("2026-03-03T09:00:00Z")).await;
    assert_eq!(world.got(&it, "EUR").await, 10_000);
    assert_eq!(world.statuses().await, [(1, S::InProcess), (1, S::Settled), (1, S::Credited)]);
}

fn told_of(entries: &[Transaction]) -> Vec<(EntryStatus, &str)> {
    told(entries).into_iter().map(|(status, _, text)| (status, text)).collect()
}

#[tokio::test]
async fn int_010_a_payment_whose_new_price_exceeds_the_balance_is_rejected() {
    let eur = CurrencyPair { unit: Currency::GBP, transfer: Currency::EUR };
    // The test starts on a Friday evening; on Monday euros cost more.
    let fridays = (0..60).map(|week| at("2026-02-27T18:00:00Z") + SignedDuration::from_hours(24 * 7 * week));
    let dear = |friday: &Timestamp| {
        let monday = *friday + SignedDuration::from_hours(24 * 3);
        let market = ExchangeMarket::default();
        market.customer_rate(eur, monday) < market.customer_rate(eur, *friday)
    };
    let friday = fridays.filter(dear).find(|it| it.to_string().starts_with("2026-")).unwrap();
    let world = world_at(friday).await;
    let price = world.bank.market().customer_rate(eur, friday).unwrap();
    // The whole balance at the rate of Friday.
    let most =
        price.convert_to_transfer_currency(money(u64::try_from(OPENING).unwrap(), "GBP"), Currency::EUR).unwrap();
    world.order("o", at_rate(ExchangeRateType::Indicative, "GBP", abroad(most, "EUR"))).await;
    world.turn().await;
    assert_eq!(world.statuses().await, [(1, S::InProcess)]);
    world.wait(86_400 * 4).await;
    let last = world.hear().await.into_iter().filter_map(|it| payment(it.change)).last().unwrap();
    assert_eq!((last.status, last.reason), (S::Rejected, Some(RejectionReason::InsufficientFunds)));
    assert_eq!(world.moved("ann").await, (0, 0));
}

#[tokio::test]
async fn int_021_an_actual_rate_holds_if_the_account_is_debited_on_another_day() {
    let world = world_at(at("2026-02-27T18:00:00Z")).await;
    let it = at_rate(ExchangeRateType::Actual, "GBP", abroad(money(10_000, "GBP"), "EUR"));
    let order = world.order("o", it.clone()).await;
    let rate = order.conditions.quote.unwrap().rate;
    world.wait(86_400 * 7).await;
    let sent =
        i64::try_from(rate.convert_to_transfer_currency(money(10_000, "GBP"), Currency::EUR).unwrap().minor()).unwrap();
    assert_eq!((world.moved("ann").await, world.got(&it, "EUR").await), ((-10_000, 0), sent));
    assert_eq!(world.entries("ann").await.len(), 1, "reserved once");
}

#[tokio::test]
async fn int_022_a_scheduled_actual_rate_payment_debits_now_and_settles_on_day() {
    let world = world().await;
    let day = date(2026, 3, 10);
    let it = on(day, at_rate(ExchangeRateType::Actual, "GBP", abroad(money(10_000, "GBP"), "USD")));
    let order = world.order("o", it.clone()).await;
    assert_eq!(order.conditions.execution_at, Some(noon()));
    assert_eq!(order.conditions.settlement_at, Some(at("2026-03-10T06:00:00Z")));
    world.wait(1).await;
    assert_eq!(world.moved("ann").await, (-11_500, 0));
    let updates: Vec<_> = world.hear().await.into_iter().map(|it| it.change).collect();
    assert_eq!(updates[0], OrderUpdate::Warehoused);
    assert!(world.list::<ScheduledPayment>("ann").await.is_empty(), "what is made is not planned");
    world.go_to(at("2026-03-10T05:59:59Z")).await;
    assert_eq!(world.got(&it, "USD").await, 0);
    world.go_to(at("2026-03-10T06:00:00Z")).await;
    let rate = order.conditions.quote.unwrap().rate;
    let sent = rate.convert_to_transfer_currency(money(10_000, "GBP"), Currency::USD).unwrap().minor();
    assert_eq!(world.got(&it, "USD").await, i64::try_from(sent).unwrap());
    assert_eq!(world.statuses().await, [(1, S::Credited)]);
    // Without money, the bank refuses the order and does not warehouse it.
    let dear = on(day, at_rate(ExchangeRateType::Actual, "GBP", abroad(money(9_000_000, "GBP"), "USD")));
    world.order("dear", on(date(2026, 4, 10), dear)).await;
    world.turn().await;
    let updates = world.hear().await;
    assert_eq!((updates.len(), refusal(&updates)), (1, Some(RejectionReason::InsufficientFunds)));
}

#[tokio::test]
async fn a_scheduled_payment_at_any_other_rate_is_debited_on_its_day() {
    for it in [
        at_rate(ExchangeRateType::Indicative, "GBP", abroad(money(10_000, "GBP"), "EUR")),
        agreed("1.17", "LSB-FX-0001", abroad(money(10_000, "GBP"), "EUR")),
        abroad(money(10_000, "GBP"), "EUR"),
    ] {
        let world = world().await;
        world.order("o", on(date(2026, 3, 10), it.clone())).await;
        world.go_to(at("2026-03-10T05:59:59Z")).await;
        assert_eq!(world.moved("ann").await, (0, 0));
        let shown = world.list::<ScheduledPayment>("ann").await.remove(0);
        assert_eq!(shown.amount, money(10_000, "GBP"));
        assert_eq!(shown.agent.unwrap().bic.as_deref(), Some("EXMPDEFFXXX"));
        world.go_to(at("2026-03-11T09:00:00Z")).await;
        let pair = CurrencyPair { unit: Currency::GBP, transfer: Currency::EUR };
        let fixed = it
            .international_details()
            .and_then(|it| it.exchange.as_ref())
            .is_some_and(|rate_request| rate_request.kind() == ExchangeRateType::Agreed);
        let price = world.bank.market().customer_rate(pair, at("2026-03-10T06:00:01Z")).unwrap();
        let rate = if fixed { "1.17".parse().unwrap() } else { price };
        let sent =
            i64::try_from(rate.convert_to_transfer_currency(money(10_000, "GBP"), Currency::EUR).unwrap().minor())
                .unwrap();
        assert_eq!((world.moved("ann").await, world.got(&it, "EUR").await), ((-10_000, 0), sent));
    }
}

#[tokio::test]
async fn so_014_each_standing_order_payment_is_made_at_the_price_of_its_day() {
    let world = world().await;
    let weekly = Timing::StandingOrder(Schedule {
        frequency: Frequency::IntervalWeekDay(1, jiff::civil::Weekday::Tuesday),
        first_on: date(2026, 3, 3),
        recurring_from: None,
        end: ScheduleEnd::After(NonZeroU16::new(3).unwrap()),
        regular: None,
        last: None,
    });
    let it = when(weekly, abroad(money(10_000, "GBP"), "EUR"));
    world.order("o", it.clone()).await;
    world.turn().await;
    assert_eq!(world.list::<StandingOrder>("ann").await.len(), 1);
    world.wait(86_400 * 60).await;
    let pair = CurrencyPair { unit: Currency::GBP, transfer: Currency::EUR };
    let sent = ["2026-03-03T06:00:01Z", "2026-03-10T06:00:01Z", "2026-03-17T06:00:01Z"].map(|day| {
        let price = world.bank.market().customer_rate(pair, at(day)).unwrap();
        i64::try_from(price.convert_to_transfer_currency(money(10_000, "GBP"), Currency::EUR).unwrap().minor()).unwrap()
    });
    assert!(sent.windows(2).any(|pair| pair[0] != pair[1]), "the test needs prices that move");
    assert_eq!(world.moved("ann").await, (-30_000, 0));
    assert_eq!(world.got(&it, "EUR").await, sent.iter().sum::<i64>());
}

#[tokio::test]
async fn what_the_bank_has_no_price_for_is_refused() {
    let world = world().await;
    for (id, it) in [
        ("unknown", abroad(money(10_000, "GBP"), "NOK")),
        // The amount would round to zero.
        ("little", borne(ChargeBearer::Creditor, abroad(money(100, "GBP"), "USD"))),
    ] {
        let order = world.made_from("ann", id, it).await;
        world.bank.submit_orders(&CallContext::default(), &[order]).await.unwrap();
        world.turn().await;
        assert_eq!(refusal(&world.hear().await), Some(RejectionReason::NotGiven), "{id}");
    }
    assert_eq!(world.moved("ann").await, (0, 0));
}

#[tokio::test]
async fn triggers_work_abroad_as_well() {
    let world = world().await;
    world.order("o", named("Refused by Scheme", abroad(money(10_000, "GBP"), "USD"))).await;
    world.order("p", abroad(money(1_392, "USD"), "USD")).await;
    world.wait(86_400 * 7).await;
    let updates = world.hear().await;
    assert_eq!(refusal(&updates), Some(RejectionReason::SuspectedFraud));
    let last = updates.into_iter().filter_map(|it| payment(it.change)).last().unwrap();
    assert_eq!((last.status, last.reason), (S::Rejected, Some(RejectionReason::RefusedByScheme)));
    assert_eq!(world.moved("ann").await, (0, 0));
}
