//! VRP payments: the usage is reserved when they are created, and released only when they are rejected.

use super::execution::give_all;
use super::*;
use crate::consents::revoke_consent;
use crate::payments::vrp;
use crate::purge::purge_ended_rows;
use lombard_domain::payment::order::DetailedStatus;
use lombard_domain::payment::vrp::{
    AuthenticationMethod, ControlParameters, LimitPeriod, PeriodAlignment, PeriodCounter, PeriodCycle, PeriodicLimit,
    PeriodicLimits, VrpConsentRequest, VrpFundsConfirmationRequest, VrpFundsConfirmationResult, VrpPayment, VrpType,
};
use lombard_domain::retention::RetentionRules;
use lombard_ports::bank::StatusUpdate;
use proptest::prelude::*;

const VRP: PaymentProduct = PaymentProduct::DomesticVrp;

fn pounds(pence: u64) -> Amount {
    Amount::from_minor(pence, Currency::GBP)
}

fn limit(period: LimitPeriod, alignment: PeriodAlignment, pence: u64) -> PeriodicLimit {
    PeriodicLimit { cycle: PeriodCycle::new(period, alignment).unwrap(), amount: pounds(pence) }
}

/// A consent to pay the waterworks up to 1.00 at once, within these limits.
fn within(limits: Vec<PeriodicLimit>) -> PaymentConsentRequest {
    let controls = ControlParameters {
        valid_from: None,
        valid_to: None,
        individual: pounds(100),
        limits: PeriodicLimits::new(limits).unwrap(),
        types: VrpType::USUAL.into(),
        methods: AuthenticationMethod::ALL.into(),
        interactions: [].into(),
    };
    let creditor = terms(now()).instruction.creditor().cloned();
    let recurring = VrpConsentRequest { controls, creditor, address: None, references: References::default() };
    PaymentConsentRequest { instruction: Instruction::Vrp(Box::new(recurring)), ..terms(now()) }
}

/// 2.50 a month.
pub(super) fn monthly_limit() -> PaymentConsentRequest {
    within(vec![limit(LimitPeriod::Month, PeriodAlignment::Consent, 250)])
}

fn payment(pence: u64) -> VrpPayment {
    let mut transfer = terms(now()).instruction.transfer().cloned().unwrap();
    transfer.amount = pounds(pence);
    VrpPayment {
        transfer,
        kind: VrpType::Other,
        method: AuthenticationMethod::Strong,
        interaction: None,
        names_interaction: false,
    }
}

fn asking(consent: &Consent, payment: VrpPayment) -> OrderSubmission {
    let mut ordered = ordered(consent, alike());
    ordered.draft.payment = Some(Box::new(payment));
    ordered
}

impl World {
    pub(super) async fn pay_under(&self, consent: &Consent, pence: u64, key: &str) -> Result<OrderView, Failure> {
        let ordered = asking(consent, payment(pence));
        ordering::create_order(&self.context, consent, ordered, once("orders", key, 1)).await
    }

    /// The present value of every counter of the limits.
    async fn used(&self, consent: &Consent) -> Vec<u64> {
        let counters = consent.vrp_limits().unwrap().counters(self.bank_now());
        let (id, asked) = (consent.id.clone(), counters.clone());
        let usage = self.context.store.read(move |tx| tx.vrp_usage(&id, &asked)).await.unwrap();
        counters.into_iter().map(|counter| usage.used(counter)).collect()
    }

    async fn hear(&self) {
        while working::apply_status_updates(&self.context).await.unwrap() > 0 {}
    }

    async fn ask(
        &self,
        bound: &Consent,
        change: impl FnOnce(&mut VrpFundsConfirmationRequest),
    ) -> Result<VrpFundsConfirmationResult, Failure> {
        let mut question =
            VrpFundsConfirmationRequest { consent: bound.id.clone(), reference: None, amount: pounds(100) };
        change(&mut question);
        vrp::confirm_vrp_funds(&self.context, bound, &bound.id, V3_1, question).await
    }
}

#[tokio::test]
async fn vrp_001_vrp_040_and_vrp_055_payments_are_counted_up_to_the_limit() {
    let world = World::new().await;
    let consent = world.authorised(monthly_limit(), "k").await;
    for (key, pence) in [("a", 100), ("b", 100), ("c", 50)] {
        let order = world.pay_under(&consent, pence, key).await.unwrap();
        let stored = world.stored(&order.id).await;
        assert_eq!(
            (stored.product, stored.debtor.as_str(), stored.summary_status()),
            (VRP, "b-1", SummaryStatus::Pending)
        );
        assert_eq!(stored.conditions, PaymentConditions::default(), "the bank will say when: PIS-104");
        assert_eq!(order.submitted, submitted(V3_1));
    }
    assert_eq!(world.used(&consent).await, [250], "reaching it is no breach");
    let refused = refusal(world.pay_under(&consent, 1, "d").await);
    let places: Vec<_> = refused.faults.iter().map(|fault| (fault.code, fault.at.clone())).collect();
    let place = Some(FaultLocation::Field(Field::PeriodicAmount(0)));
    assert_eq!(places, [(FaultCode::FailsControlParameters, place)]);
    assert!(refused.faults[0].message.contains("0.00 GBP is left"), "{}", refused.faults[0].message);
    assert_eq!(world.used(&consent).await, [250]);
    assert_eq!(world.consent(&consent.id).await, consent, "VRP-001: it stays as it is");
    give_all(&world).await;
    assert_eq!(world.at_bank().len(), 3);
    world.clock.advance(DAY * 31);
    world.pay_under(&consent, 100, "e").await.unwrap();
    assert_eq!(world.used(&consent).await, [100], "VRP-033: the next month");
}

#[tokio::test]
async fn vrp_041_and_vrp_061_a_repeat_counts_once_and_a_new_order_counts_again() {
    let world = World::new().await;
    let consent = world.authorised(monthly_limit(), "k").await;
    let first = world.pay_under(&consent, 100, "a").await.unwrap();
    assert_eq!(world.pay_under(&consent, 100, "a").await.unwrap().id, first.id);
    assert_ne!(world.pay_under(&consent, 100, "b").await.unwrap().id, first.id);
    assert_eq!(world.used(&consent).await, [200]);
    assert_eq!(codes(world.pay_under(&consent, 100, "c").await), [FaultCode::FailsControlParameters]);
    assert_eq!(world.pay_under(&consent, 100, "a").await.unwrap().id, first.id, "PIS-064: before any rule");
    world.pay_under(&consent, 50, "c").await.unwrap();
    let clash =
        ordering::create_order(&world.context, &consent, asking(&consent, payment(100)), once("orders", "a", 2));
    assert_eq!(refusal(clash.await).kind, RefusalKind::IdempotencyKeyReused, "PIS-066");
}

#[tokio::test]
async fn vrp_040_what_comes_to_nothing_is_given_back_once() {
    let world = World::new().await;
    let consent = world.authorised(monthly_limit(), "k").await;
    let (refused, late) =
        (world.pay_under(&consent, 100, "a").await.unwrap(), world.pay_under(&consent, 100, "b").await.unwrap());
    give_all(&world).await;
    world.tell(&refused.id, OrderUpdate::Refused(RejectionReason::SuspectedFraud));
    for status in [PaymentStatus::InProcess, PaymentStatus::Settled, PaymentStatus::WithoutPosting] {
        world.pay(&late.id, 1, status);
    }
    world.hear().await;
    assert_eq!(world.summary_status(&refused.id).await, SummaryStatus::Rejected);
    assert_eq!(world.used(&consent).await, [100], "what is on its way counts");
    let again = StatusUpdate {
        order: refused.id.clone(),
        number: 1,
        at: world.bank_now(),
        change: OrderUpdate::Refused(RejectionReason::SuspectedFraud),
    };
    world.bank.payment_script().updates.push(again);
    world.hear().await;
    assert_eq!(world.used(&consent).await, [100]);
    // The payment's amount is released in its own period, long after that month and after the deletion of the consent.
    world.clock.advance(DAY * 40);
    vrp::delete_vrp_consent(&world.context, &acme(), &consent.id, V3_1).await.unwrap();
    world.pay(&late.id, 1, PaymentStatus::Rejected);
    world.hear().await;
    let counters = consent.vrp_limits().unwrap().counters(late.created_at);
    let id = consent.id.clone();
    let usage = world.context.store.read(move |tx| tx.vrp_usage(&id, &counters)).await.unwrap();
    assert_eq!(usage.non_zero_counters().count(), 0);
}

#[tokio::test]
async fn vrp_050_052_and_053_state_then_match_then_the_payment_then_its_limits() {
    let world = World::new().await;
    let mut wrong = payment(1_000);
    let Route::Domestic(credit) = &mut wrong.transfer.route else { panic!("at home") };
    credit.instrument = Some(lombard_domain::payment::transfer::Instrument::Bacs);
    let mut elsewhere = wrong.clone();
    let Route::Domestic(credit) = &mut elsewhere.transfer.route else { panic!("at home") };
    credit.creditor = NamedAccount::under_name(account("20000319825731"), "Waterworks".into());
    let refused = async |consent: &Consent, payment: &VrpPayment, differences| {
        let ordered = OrderSubmission { differences, ..asking(consent, payment.clone()) };
        refusal(ordering::create_order(&world.context, consent, ordered, once("orders", "k", 1)).await)
    };
    let place = async |consent: &Consent, payment: &VrpPayment, differences| {
        let refused = refused(consent, payment, differences).await;
        refused.faults.into_iter().map(|fault| fault.code).collect::<Vec<_>>()
    };
    let consent = world.create(monthly_limit(), "k").await.unwrap();
    assert_eq!(refused(&consent, &elsewhere, different()).await.kind, RefusalKind::ConsentState);
    let consent = world.agree(consent, "amelia", "b-1").await;
    let both = [FaultCode::ConsentMismatch, FaultCode::ConsentMismatch];
    assert_eq!(place(&consent, &elsewhere, different()).await, both);
    assert_eq!(place(&consent, &elsewhere, alike()).await, [FaultCode::ConsentMismatch]);
    assert_eq!(place(&consent, &wrong, alike()).await, [FaultCode::UnsupportedLocalInstrument]);
    let ordered = asking(&consent, wrong);
    let faults =
        refusal(ordering::create_order(&world.context, &consent, ordered, once("orders", "k", 1)).await).faults;
    assert_eq!(faults[0].at, Some(FaultLocation::PaymentField(Field::LocalInstrument)), "VRP-052: of the instruction");
    let breaches = [FaultCode::FailsControlParameters, FaultCode::FailsControlParameters];
    assert_eq!(place(&consent, &payment(1_000), alike()).await, breaches, "at once, and in the month");
    assert_eq!(world.used(&consent).await, [0]);
}

#[tokio::test]
async fn vrp_070_to_075_and_088_funds_are_confirmed_by_the_balance_alone() {
    let world = World::new().await;
    let mut asked = monthly_limit();
    let Instruction::Vrp(recurring) = &mut asked.instruction else { panic!("within limits") };
    recurring.references.reference = Some("REF".into());
    recurring.controls.valid_to = Some(date(2026, 3, 3));
    let consent = world.create(asked, "k").await.unwrap();
    assert_eq!(refusal(world.ask(&consent, |_| {}).await).kind, RefusalKind::ConsentState);
    let consent = world.agree(consent, "amelia", "b-1").await;
    let yes = world.ask(&consent, |_| {}).await.unwrap();
    assert!(yes.available);
    let no = world.ask(&consent, |it| it.amount = pounds(101)).await.unwrap();
    assert!(!no.available && no.id != yes.id, "VRP-072");
    let other = world.ask(&consent, |it| (it.reference, it.consent) = (Some("ref".into()), "x".into())).await;
    assert_eq!(codes(other), [FaultCode::ConsentMismatch, FaultCode::ConsentMismatch], "VRP-071");
    let euros = world.ask(&consent, |it| it.amount = Amount::from_minor(1, Currency::EUR)).await;
    assert_eq!(codes(euros), [FaultCode::UnsupportedCurrency]);
    assert_eq!(world.used(&consent).await, [0], "VRP-041");
    world.clock.advance(DAY * 3);
    assert!(world.ask(&consent, |_| {}).await.unwrap().available, "VRP-088");
    let mut late = payment(1);
    let Route::Domestic(credit) = &mut late.transfer.route else { panic!("at home") };
    credit.references.reference = Some("REF".into());
    let late = ordering::create_order(&world.context, &consent, asking(&consent, late), once("orders", "a", 1)).await;
    assert_eq!(codes(late), [FaultCode::FailsControlParameters], "VRP-088");
    revoke_consent(&world.context, &"amelia".into(), &consent.id).await.unwrap();
    let ended = world.consent(&consent.id).await;
    assert_eq!(refusal(world.ask(&ended, |_| {}).await).kind, RefusalKind::ConsentState);
}

#[tokio::test]
async fn vrp_080_to_084_a_deleted_consent_is_gone_and_its_payments_are_not() {
    let world = World::new().await;
    let consent = world.authorised(monthly_limit(), "k").await;
    let order = world.pay_under(&consent, 100, "a").await.unwrap();
    let rival = ClientId::from("rival");
    let kind = async |result: Result<(), Failure>| refusal(result).kind;
    let delete = async |client: &ClientId| vrp::delete_vrp_consent(&world.context, client, &consent.id, V3_1).await;
    assert_eq!(kind(delete(&rival).await).await, RefusalKind::ForeignOwner);
    delete(&acme()).await.unwrap();
    assert_eq!(kind(delete(&acme()).await).await, RefusalKind::NotFound, "VRP-081");
    assert_eq!(refusal(world.create(monthly_limit(), "k").await).kind, RefusalKind::NotFound, "VRP-084");
    assert_eq!(refusal(world.pay_under(&consent, 1, "b").await).kind, RefusalKind::ConsentState, "VRP-082");
    let read = ordering::read_order(&world.context, &acme(), VRP, &order.id, V3_1).await.unwrap();
    assert_eq!(read.status_history.current().status, DetailedStatus::Payment(PaymentStatus::Received), "VRP-083");
    give_all(&world).await;
    for status in [PaymentStatus::InProcess, PaymentStatus::Settled, PaymentStatus::Credited] {
        world.pay(&order.id, 1, status);
    }
    world.hear().await;
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::Credited);
    let details = ordering::read_order_details(&world.context, &acme(), VRP, &order.id, V3_1).await.unwrap();
    assert_eq!(details.payments.len(), 1);
}

#[tokio::test]
async fn vrp_022_085_and_086_a_customer_ends_it_and_may_give_it_again() {
    let world = World::new().await;
    let consent = world.authorised(monthly_limit(), "k").await;
    assert_eq!(world.told(consent.id.as_str()).await, 1, "authorised");
    world.pay_under(&consent, 100, "a").await.unwrap();
    revoke_consent(&world.context, &"amelia".into(), &consent.id).await.unwrap();
    assert_eq!(world.told(consent.id.as_str()).await, 1, "VRP-086");
    assert_eq!(refusal(world.pay_under(&consent, 1, "b").await).kind, RefusalKind::ConsentState, "VRP-085");
    let ended = world.consent(&consent.id).await;
    assert!(world.choose(&ended, "amelia", "b-2").await.is_none(), "VRP-022: the account is chosen for good");
    assert!(world.choose(&ended, "bashir", "b-3").await.is_none());
    let again = world.agree(ended, "amelia", "b-1").await;
    assert_eq!(again.state, ConsentState::Authorised);
    assert_eq!(world.told(consent.id.as_str()).await, 0, "a v3.1 consent shows nothing new");
    assert_eq!(world.used(&again).await, [100], "what was paid stays counted");
    world.pay_under(&again, 100, "b").await.unwrap();
}

#[tokio::test]
async fn vrp_020_an_account_that_needs_several_customers_will_not_do() {
    let world = World::new().await;
    let consent = world.create(monthly_limit(), "k").await.unwrap();
    let payment = consent.request.payment().unwrap();
    let offer = asked::list_payer_options(&world.context, &"bashir".into(), payment).await.unwrap();
    assert_eq!(offer.unwrap_err(), asked::NoPayerAccount::TooManyAuthorisers);
    let named = PaymentConsentRequest { debtor: Some(account("80200110203343")), ..monthly_limit() };
    let refused = refusal(world.create(named, "l").await);
    let places: Vec<_> = refused.faults.iter().map(|fault| (fault.code, fault.at.clone())).collect();
    assert_eq!(places, [(FaultCode::FieldInvalid, Some(FaultLocation::Field(Field::DebtorAccount)))]);
}

/// An action on payments under a consent.
#[derive(Debug, Clone)]
enum Deed {
    Pay(u64),
    /// The bank refuses one of the payments, if it is still in progress.
    Refuse(usize),
    /// A payment is returned after it was debited, if it is still in progress.
    Return(usize),
    Wait(i64),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        5 => (1_u64..=120).prop_map(Deed::Pay),
        1 => any::<usize>().prop_map(Deed::Refuse),
        1 => any::<usize>().prop_map(Deed::Return),
        2 => (1_i64..24 * 20).prop_map(Deed::Wait),
    ];
    prop::collection::vec(deed, 1..24)
}

fn limits() -> impl Strategy<Value = Vec<PeriodicLimit>> {
    use LimitPeriod::{Day, Fortnight, HalfYear, Month, Week, Year};
    let period = prop::sample::select(vec![Day, Week, Fortnight, Month, HalfYear, Year]);
    let alignment = prop::sample::select(vec![PeriodAlignment::Consent, PeriodAlignment::Calendar]);
    let limit = (period, alignment, 50_u64..600).prop_filter_map(
        "the calendar has no fortnights",
        |(period, alignment, pence)| {
            Some(PeriodicLimit { cycle: PeriodCycle::new(period, alignment)?, amount: pounds(pence) })
        },
    );
    prop::collection::vec(limit, 1..4)
}

/// A payment that was accepted.
struct Made {
    order: OrderId,
    at: Timestamp,
    pence: u64,
    lost: bool,
}

async fn counters_are_the_sum_of_what_counts(limits: Vec<PeriodicLimit>, deeds: Vec<Deed>) {
    let world = World::new().await;
    let consent = world.authorised(within(limits.clone()), "k").await;
    let vrp_limits = consent.vrp_limits().unwrap();
    let mut made: Vec<Made> = Vec::new();
    for (number, deed) in deeds.into_iter().enumerate() {
        match deed {
            Deed::Wait(hours) => world.clock.advance(SignedDuration::from_hours(hours)),
            Deed::Pay(pence) => {
                if let Ok(order) = world.pay_under(&consent, pence, &number.to_string()).await {
                    made.push(Made { order: order.id, at: world.bank_now(), pence, lost: false });
                }
                give_all(&world).await;
            }
            Deed::Refuse(_) | Deed::Return(_) if made.is_empty() => {}
            Deed::Refuse(which) | Deed::Return(which) => {
                let returned = matches!(deed, Deed::Return(_));
                let index = which % made.len();
                let it = &mut made[index];
                if !it.lost && returned {
                    for status in [PaymentStatus::InProcess, PaymentStatus::Settled, PaymentStatus::Rejected] {
                        world.pay(&it.order, 1, status);
                    }
                } else if !it.lost {
                    world.tell(&it.order, OrderUpdate::Refused(RejectionReason::InsufficientFunds));
                }
                world.hear().await;
                it.lost = world.summary_status(&it.order).await == SummaryStatus::Rejected;
            }
        }
        let asked: Vec<PeriodCounter> = made.iter().flat_map(|it| vrp_limits.counters(it.at)).collect();
        let (id, counters) = (consent.id.clone(), asked.clone());
        let usage = world.context.store.read(move |tx| tx.vrp_usage(&id, &counters)).await.unwrap();
        for counter in asked {
            let window = counter.cycle.window(vrp_limits.anchor(), counter.from).unwrap();
            let inside = made.iter().filter(|it| window.contains(lombard_domain::calendar::london_date(it.at)));
            let sum: u64 = inside.filter(|it| !it.lost).map(|it| it.pence).sum();
            assert_eq!(usage.used(counter), sum, "{counter:?}");
            for limit in limits.iter().filter(|limit| limit.cycle == counter.cycle) {
                assert!(sum <= window.share_of(limit.amount).minor(), "VRP-030: {limit:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn vrp_030_and_vrp_040_counters_sum_accepted_payments_without_rejected(
        limits in limits(), deeds in deeds(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(counters_are_the_sum_of_what_counts(limits, deeds));
    }
}

#[tokio::test]
async fn vrp_020_who_may_no_longer_sign_alone_pays_nothing_more() {
    let world = World::new().await;
    let consent = world.authorised(monthly_limit(), "k").await;
    let first = world.pay_under(&consent, 100, "a").await.unwrap();
    for signatories in [vec!["chloe".into()], vec!["amelia".into(), "chloe".into()]] {
        world.bank.set_payer("b-1".into(), SignedAmount::from_minor(1_000, Currency::GBP), signatories);
        assert_eq!(refusal(world.pay_under(&consent, 100, "b").await).kind, RefusalKind::ConsentState);
    }
    assert_eq!(world.pay_under(&consent, 100, "a").await.unwrap().id, first.id, "PIS-064: before any rule");
    assert_eq!(world.used(&consent).await, [100]);
    world.bank.set_payer("b-1".into(), SignedAmount::from_minor(1_000, Currency::GBP), vec!["amelia".into()]);
    assert!(world.pay_under(&consent, 100, "b").await.is_ok());
}

/// A balance could be determined to the penny by bisection, with thirty requests.
#[tokio::test]
async fn rw_112_funds_checks_are_limited_per_consent_and_day_for_every_kind() {
    let mut world = World::new().await;
    world.context.payments.funds_requests_per_day_max = Some(3);
    let recurring = world.authorised(monthly_limit(), "k").await;
    let single = world.authorised(terms(now()), "l").await;
    let stranger = world.authorised(monthly_limit(), "m").await;
    let wait = |refused: Refusal| match refused.kind {
        RefusalKind::LimitReached { retry_after_secs } => retry_after_secs,
        other => panic!("{other:?}"),
    };
    for _ in 0..3 {
        world.ask(&recurring, |_| {}).await.unwrap();
        asked::confirm_payment_funds(&world.context, &single).await.unwrap();
    }
    let faulty = world.ask(&stranger, |question| question.consent = "other".into()).await;
    assert_eq!(codes(faulty), [FaultCode::ConsentMismatch]);
    let left = wait(refusal(world.ask(&recurring, |_| {}).await));
    assert_eq!(wait(refusal(asked::confirm_payment_funds(&world.context, &single).await)), left);
    for _ in 0..3 {
        world.ask(&stranger, |_| {}).await.expect("each consent has its own, and what was refused did not count");
    }
    // This is the view of another node, or of the same node after a restart.
    let twin = World { context: world.context.clone(), clock: world.clock.clone(), bank: Arc::clone(&world.bank) };
    assert_eq!(wait(refusal(twin.ask(&recurring, |_| {}).await)), left);
    world.clock.advance(SignedDuration::from_secs(left - 2));
    assert!(wait(refusal(world.ask(&recurring, |_| {}).await)) <= 2);
    world.clock.advance(SignedDuration::from_secs(2));
    world.ask(&recurring, |_| {}).await.expect("another day");
    purge_ended_rows(&world.context, &RetentionRules::default()).await.unwrap();
    for _ in 0..2 {
        world.ask(&recurring, |_| {}).await.expect("forgetting what is over forgets nothing of today");
    }
    wait(refusal(world.ask(&recurring, |_| {}).await));
}

#[tokio::test]
async fn pis_014_and_set_016_a_payment_keeps_its_own_address_cause_and_body() {
    let mut world = World::new().await;
    let consent = world.authorised(monthly_limit(), "k").await;
    for (key, address, interaction_id) in [("a", "203.0.113.7", "call-a"), ("b", "2001:db8::7", "call-b")] {
        world.context.outbox = world.context.outbox.caused_by(Some(&interaction_id.into()));
        let customer_address = Some(address.parse().unwrap());
        let mut ordered = OrderSubmission { customer_address, ..asking(&consent, payment(100)) };
        ordered.draft.submitted.json = key.into();
        let placed = ordering::create_order(&world.context, &consent, ordered, once("orders", key, 1)).await.unwrap();
        let stored = world.stored(&placed.id).await;
        assert_eq!((stored.customer_address, stored.interaction_id), (customer_address, Some(interaction_id.into())));
        assert_eq!((&*placed.submitted.json, stored.version), (key, V3_1));
    }
}

#[tokio::test]
async fn pis_067_a_key_that_is_free_again_makes_another_vrp_payment() {
    let world = World::new().await;
    let consent = world.authorised(monthly_limit(), "k").await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let id = world.pay_under(&consent, 10, "again").await.unwrap().id;
        assert_eq!(world.pay_under(&consent, 10, "again").await.unwrap().id, id, "PIS-061");
        assert!(!ids.contains(&id), "{ids:?}");
        ids.push(id);
        world.clock.advance(DAY);
    }
    give_all(&world).await;
    assert_eq!(world.at_bank().len(), 3);
}
