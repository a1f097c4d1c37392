//! Property tests of international payments: each currency sums to zero at every step, the payer is debited the reported
//! amount, and the payee is credited the amount sent.

use super::PaymentStatus as S;
use super::international::{abroad, money, which};
use super::*;
use jiff::ToSpan;
use jiff::civil::date;
use lombard_domain::frequency::Frequency;
use lombard_domain::payment::ChargeBearer;
use lombard_domain::payment::exchange::{AgreedRate, RequestedRate};
use lombard_domain::payment::transfer::{Schedule, ScheduleEnd};
use lombard_ports::bank::CallContext;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use std::num::NonZeroU16;

const UNITS: [(&str, &str); 3] = [("ann", "GBP"), ("euros", "EUR"), ("dollars", "USD")];
const TRANSFERS: [&str; 5] = ["GBP", "EUR", "USD", "JPY", "PLN"];

#[derive(Debug, Clone)]
enum Act {
    /// Orders a payment from one of the accounts.
    Order(usize, Box<Transfer>),
    Wait(i64),
    Decide(OrderOutcome),
}

fn any_timing() -> impl Strategy<Value = Timing> {
    let day = || (0_i64..20).prop_map(|days| date(2026, 2, 26).saturating_add(days.days()));
    let schedule = (day(), 1_u16..4).prop_map(|(first_on, count)| {
        let end = ScheduleEnd::After(NonZeroU16::new(count).unwrap());
        let frequency = Frequency::EveryWorkingDay;
        Timing::StandingOrder(Schedule { frequency, first_on, recurring_from: None, end, regular: None, last: None })
    });
    prop_oneof![3 => Just(Timing::Immediate), 2 => day().prop_map(Timing::Scheduled), 1 => schedule]
}

fn any_payment() -> impl Strategy<Value = (usize, Transfer)> {
    let bearer = prop::option::of(prop::sample::select(vec![
        ChargeBearer::Creditor,
        ChargeBearer::Debtor,
        ChargeBearer::Shared,
        ChargeBearer::ServiceLevel,
    ]));
    let rail = prop::option::weighted(
        0.2,
        prop::sample::select(vec![Instrument::Swift, Instrument::SepaInstantCreditTransfer, Instrument::Target2]),
    );
    let minor = prop_oneof![1_u64..10, 2_500_u64..60_000];
    let sides = (0_usize..3, 0_usize..5, any::<bool>());
    // The exchange rate request: none, actual, indicative or agreed.
    let rate_request = (0_u8..4, 1_u64..90_000_000);
    let here = prop::bool::weighted(0.2);
    (sides, minor, rate_request, bearer, rail, any_timing(), here).prop_map(
        |((from, transfer, from_unit), minor, (rate_request, ten_thousandths), bearer, rail, timing, here)| {
            let (unit, transfer) = (UNITS[from].1, TRANSFERS[transfer]);
            let it = when(timing, abroad(money(minor, if from_unit { unit } else { transfer }), transfer));
            let deal = || AgreedRate {
                rate: rust_decimal::Decimal::new(i64::try_from(ten_thousandths).unwrap(), 4).try_into().unwrap(),
                contract: "anything".to_owned(),
            };
            let basis = [
                Some(RequestedRate::Actual),
                Some(RequestedRate::Indicative),
                Some(RequestedRate::Agreed(deal())),
                None,
            ];
            let basis = basis[usize::from(rate_request)].clone();
            let is_recurring = matches!(it.timing, Timing::StandingOrder(_));
            let it = which(it, |payment| {
                payment.bearer = bearer;
                payment.credit.instrument = rail;
                payment.exchange = basis
                    .filter(|_| !is_recurring)
                    .map(|basis| ExchangeRateRequest { unit: unit.parse().unwrap(), basis });
            });
            (from, if here { to("more-euros", it) } else { it })
        },
    )
}

fn any_act() -> impl Strategy<Value = Act> {
    let outcome = prop::sample::select(vec![
        OrderOutcome::Settled,
        OrderOutcome::Credited,
        OrderOutcome::WithoutPosting,
        OrderOutcome::Rejected(RejectionReason::RefusedByScheme),
    ]);
    prop_oneof![
        5 => any_payment().prop_map(|(from, it)| Act::Order(from, Box::new(it))),
        4 => prop_oneof![0_i64..3, 0_i64..200_000].prop_map(Act::Wait),
        2 => outcome.prop_map(Act::Decide),
    ]
}

/// Builds an order with a quote, even without an authorised rate, because the bank does not check the authorisation.
async fn made(world: &World, from: usize, id: &str, it: &Transfer) -> PaymentOrder {
    let mut order = world.made_from(UNITS[from].0, id, it.clone()).await;
    let payment = it.international_details().unwrap();
    if let Some(rate_request) = payment.exchange.as_ref()
        && let RequestedRate::Agreed(deal) = &rate_request.basis
    {
        let lifetime = SignedDuration::from_mins(1);
        order.conditions.quote = Some(rate_request.quote(payment.transfer, deal.rate, lifetime, world.now()));
    }
    order
}

async fn live(acts: Vec<Act>) -> Result<(), TestCaseError> {
    let world = world().await;
    let mut orders = Vec::new();
    for act in acts {
        match act {
            Act::Order(from, it) => {
                let order = made(&world, from, &format!("o{}", orders.len()), &it).await;
                world.bank.submit_orders(&CallContext::default(), std::slice::from_ref(&order)).await.unwrap();
                orders.push((from, order));
            }
            Act::Wait(seconds) => world.wait(seconds).await,
            Act::Decide(becomes) => {
                let id = OrderId::new(format!("o{}", orders.len().saturating_sub(1)));
                let (clocks, market) = (world.clocks.clone(), Arc::clone(world.bank.market()));
                let decide = move |tx: &mut dyn Tables| force_outcome(tx, &id, becomes, &clocks, &market);
                let done = world.store.write(decide).await;
                prop_assert!(!matches!(done, Err(OutcomeError::Storage(_))), "{:?}", done);
            }
        }
        world.is_sound().await;
    }
    world.wait(86_400 * 60).await;
    agree(&world, &orders).await
}

/// Checks that the reported statuses and rates agree with the money moved.
async fn agree(world: &World, orders: &[(usize, PaymentOrder)]) -> Result<(), TestCaseError> {
    let mut courses: BTreeMap<(OrderId, u32), Vec<(Timestamp, PaymentUpdate)>> = BTreeMap::new();
    for update in world.hear().await {
        let (order, at) = (update.order.clone(), update.at);
        if let Some(it) = payment(update.change) {
            courses.entry((order, it.number)).or_default().push((at, it));
        }
    }
    let (mut paid, mut arrived, mut here) = ([0_i64; 3], BTreeMap::<&str, i64>::new(), 0_i64);
    for ((id, _), course) in &courses {
        let (from, order) = orders.iter().find(|(_, it)| it.id == *id).unwrap();
        for pair in course.windows(2) {
            prop_assert!(pair[0].1.status.may_become(pair[1].1.status), "{:?}", course);
        }
        let Some((debited_at, _)) = course.iter().find(|(_, it)| it.status == S::Settled) else { continue };
        let unit = UNITS[*from].1.parse().unwrap();
        let price = world.bank.market().customer_rate(order.transfer.pair(unit), *debited_at);
        let rate = order.transfer.rate(unit, order.conditions.quote.as_ref(), price).unwrap();
        let total_debit = order.transfer.total_debit(unit, &order.conditions, rate).unwrap();
        let last = course.last().unwrap().1.status;
        let signed = |amount: Amount| i64::try_from(amount.minor()).unwrap();
        paid[*from] += if last == S::Rejected { 0 } else { signed(total_debit.amount()) };
        if last == S::Credited {
            let is_here = order.transfer.credit().creditor.is_same_account(&number_of("more-euros"));
            let code = order.transfer.international_details().unwrap().transfer.code();
            *(if is_here { &mut here } else { arrived.entry(code).or_default() }) += signed(total_debit.sent());
        }
    }
    for (index, (account, _)) in UNITS.iter().enumerate() {
        prop_assert_eq!(world.moved(account).await, (-paid[index], 0), "{}", account);
    }
    prop_assert_eq!(world.moved("more-euros").await, (here, 0));
    let to_germany = abroad(money(1, "EUR"), "EUR");
    for (code, sum) in arrived {
        prop_assert_eq!(world.got(&to_germany, code).await, sum, "{}", code);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_money_of_any_currency_is_made_or_lost_abroad(acts in prop::collection::vec(any_act(), 1..12)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(live(acts))?;
    }
}
