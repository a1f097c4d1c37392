//! The state machine of orders: the transitions of the standard, and arbitrary sequences of transitions.

use super::*;
use crate::event::ChangeKind;
use crate::payment::OrderFamily;
use crate::payment::transfer::{AfterCutOffPolicy, CutOff, Occurrence, PaymentConditions};
use crate::version::Version;
use jiff::civil::date;
use proptest::prelude::*;

fn timing(family: OrderFamily) -> Timing {
    match family {
        OrderFamily::Immediate => Timing::Immediate,
        OrderFamily::Scheduled => Timing::Scheduled(date(2026, 6, 10)),
        OrderFamily::StandingOrder | OrderFamily::File => Timing::StandingOrder(monthly(date(2026, 6, 10))),
    }
}

fn order(family: OrderFamily, authorisers: u16, complete_by: Option<Timestamp>) -> Order {
    order_under(PaymentConditions::default(), family, authorisers, complete_by)
}

fn order_under(
    conditions: PaymentConditions,
    family: OrderFamily,
    authorisers: u16,
    complete_by: Option<Timestamp>,
) -> Order {
    let terms = terms(timing(family));
    let with = NewOrder {
        id: "o".into(),
        client: "t".into(),
        consent: "c".into(),
        version: Version::V3_1,
        debtor: "b".into(),
        psu: "bashir".into(),
        authorisers,
        conditions,
        product: terms.product(),
        instruction: terms.instruction,
        complete_by,
    };
    Order::accept(with, at(0))
}

#[test]
fn an_order_waits_for_the_bank_until_its_money_moves_or_never_will() {
    let waits = |order: &Order| order.unsettled().map(|it| (it.stage, it.due_at));
    let mut it = order(OrderFamily::Immediate, 1, None);
    assert_eq!(waits(&it), Some((UnsettledStage::Pending, at(0))));
    it.set_expected_times(Some(at(4)), Some(at(9)));
    assert!(it.reserve(at(1)).is_ok());
    assert_eq!(waits(&it), Some((UnsettledStage::InProcess, at(9))));
    assert!(it.settle(at(2)).is_ok());
    assert_eq!(waits(&it), Some((UnsettledStage::Settled, at(9))));
    assert!(it.credit(at(3)).is_ok());
    assert_eq!(waits(&it), None);
    assert_eq!(waits(&order(OrderFamily::Immediate, 2, None)), None, "it awaits approvals");
    let mut standing = order(OrderFamily::StandingOrder, 1, None);
    assert_eq!(waits(&standing), Some((UnsettledStage::Pending, at(0))));
    assert!(standing.warehouse(at(1)).is_ok());
    assert_eq!(waits(&standing), None, "it is set up");
    let scheduled = order(OrderFamily::Scheduled, 1, None);
    let midnight = crate::calendar::london_midnight(date(2026, 6, 10));
    assert_eq!(waits(&scheduled), Some((UnsettledStage::Pending, midnight.max(at(0)))));
}

#[test]
fn pis_109_a_late_order_cannot_be_approved() {
    let closing =
        |lateness| PaymentConditions { cut_off: Some(CutOff { at: at(10), lateness }), ..PaymentConditions::default() };
    for family in FAMILIES {
        let until = |lateness, complete_by| {
            order_under(closing(lateness), family, 2, complete_by).approvals.and_then(|it| it.expires_at)
        };
        assert_eq!(until(AfterCutOffPolicy::Refused, None), Some(at(10)));
        assert_eq!(until(AfterCutOffPolicy::Refused, Some(at(5))), Some(at(5)), "the earlier of the two");
        assert_eq!(until(AfterCutOffPolicy::Refused, Some(at(50))), Some(at(10)));
        assert_eq!(until(AfterCutOffPolicy::Accepted, None), None, "PIS-107: it is only paid later");
        let mut late = order_under(closing(AfterCutOffPolicy::Refused), family, 2, None);
        assert_eq!(late.approve(&"chloe".into(), at(10)), Err(TransitionError::OutsideApprovalPeriod));
        assert!(late.lapse(at(10)).is_ok());
    }
}

const FAMILIES: [OrderFamily; 3] = [OrderFamily::Immediate, OrderFamily::Scheduled, OrderFamily::StandingOrder];

#[test]
fn pis_044_an_order_begins_undecided() {
    for (family, summary_status) in [
        (OrderFamily::Immediate, SummaryStatus::Pending),
        (OrderFamily::Scheduled, SummaryStatus::InitiationPending),
        (OrderFamily::StandingOrder, SummaryStatus::InitiationPending),
    ] {
        let it = order(family, 1, None);
        assert_eq!(
            (it.detailed_status(), it.summary_status()),
            (DetailedStatus::Payment(PaymentStatus::Received), summary_status)
        );
        assert_eq!(it.approvals, None, "PIS-112: omitted when one is enough");
    }
}

#[test]
fn table_1_4_an_immediate_order_runs_to_its_credit() {
    let mut it = order(OrderFamily::Immediate, 1, None);
    let phases: Vec<_> = [
        it.accept_customer(at(2)),
        it.check_funds(at(3)),
        it.reserve(at(4)),
        it.settle(at(5)),
        it.accept_without_posting(at(6)),
        it.credit(at(7)),
    ]
    .into_iter()
    .map(|moved| moved.unwrap().summary_status.1)
    .collect();
    use SummaryStatus as P;
    assert_eq!(phases, [P::Pending, P::Pending, P::InProcess, P::Settled, P::WithoutPosting, P::Credited]);
    assert!(it.is_final());
    assert_eq!(it.reject(RejectionReason::NotGiven, at(8)), Err(TransitionError::Final));
}

#[test]
fn an_order_is_ready_when_fully_approved_and_not_decided() {
    for family in FAMILIES {
        assert!(order(family, 1, None).is_ready());
        let mut shared = order(family, 2, None);
        assert!(!shared.is_ready(), "{family:?}: somebody has to agree");
        let _ = shared.approve(&"chloe".into(), at(1)).unwrap();
        assert!(shared.is_ready());
        let mut declined = order(family, 2, None);
        let _ = declined.decline(&"chloe".into(), at(1)).unwrap();
        let mut rejected = order(family, 1, None);
        let _ = rejected.reject(RejectionReason::NotGiven, at(1)).unwrap();
        assert!(!declined.is_ready() && !rejected.is_ready());
    }
    let mut running = order(OrderFamily::Immediate, 1, None);
    let _ = running.reserve(at(1)).unwrap();
    let mut kept = order(OrderFamily::Scheduled, 1, None);
    let _ = kept.warehouse(at(1)).unwrap();
    let mut set_up = order(OrderFamily::StandingOrder, 1, None);
    let _ = set_up.warehouse(at(1)).unwrap();
    assert!(!running.is_ready() && !kept.is_ready() && !set_up.is_ready());
}

#[test]
fn set_036_only_a_visible_transition_raises_an_event() {
    let mut it = order(OrderFamily::Immediate, 1, None);
    let hidden = it.accept_customer(at(1)).unwrap();
    assert_eq!(it.change(hidden), None);
    let shown = it.reserve(at(2)).unwrap();
    let change = it.change(shown).unwrap();
    assert_eq!((change.client.as_str(), &*change.resource.id, change.resource.version), ("t", "o", Version::V3_1));
    assert_eq!((change.resource.kind, change.kind), (it.product.order_resource_type(), ChangeKind::StatusChanged));
}

#[test]
fn set_036_older_versions_have_fewer_events() {
    let mut it = order(OrderFamily::Immediate, 1, None);
    let moved = it.accept_customer(at(1)).unwrap();
    assert_eq!((moved.is_visible(Version::V3_1), moved.is_visible(Version::V4_0)), (false, true));
    let moved = it.reserve(at(2)).unwrap();
    assert_eq!((moved.is_visible(Version::V3_1), moved.is_visible(Version::V4_0)), (true, true));
}

#[test]
fn pis_047_the_time_of_a_coarse_status_is_when_it_began() {
    let mut it = order(OrderFamily::Scheduled, 2, None);
    let _ = it.approve(&"chloe".into(), at(5)).unwrap();
    assert_eq!(it.status_history.summary_since(OrderFamily::Scheduled), at(0));
    let _ = it.warehouse(at(10)).unwrap();
    for verb in [Order::check_funds, Order::reserve, Order::settle, Order::credit] {
        let _ = verb(&mut it, at(20)).unwrap();
    }
    assert_eq!(it.summary_status(), SummaryStatus::InitiationCompleted, "PIS-095");
    assert_eq!(it.status_history.summary_since(OrderFamily::Scheduled), at(10));
    assert_eq!(it.status_history.current().at, at(20));
}

#[test]
fn sch_007_008_a_scheduled_order_is_kept_then_executed_or_cancelled() {
    let mut it = order(OrderFamily::Scheduled, 1, None);
    assert_eq!(
        it.cancel(RejectionReason::CancelledByCustomer, at(1)),
        Err(TransitionError::NotAllowed),
        "only what is kept is cancelled"
    );
    assert_eq!(it.reserve(at(1)), Err(TransitionError::NotAllowed), "only what is kept is executed");
    assert_eq!(
        it.warehouse(at(1)).unwrap().summary_status,
        (SummaryStatus::InitiationPending, SummaryStatus::InitiationCompleted)
    );
    assert_eq!(it.warehouse(at(2)), Err(TransitionError::AlreadyInState));
    let kept = it.clone();
    assert_eq!(
        it.cancel(RejectionReason::CancelledByCustomer, at(2)).unwrap().summary_status.1,
        SummaryStatus::Cancelled
    );
    assert!(it.is_final());

    let mut it = kept;
    let _ = it.reserve(at(3)).unwrap();
    assert_eq!(it.cancel(RejectionReason::CancelledByCustomer, at(4)), Err(TransitionError::NotAllowed));
    assert_eq!(
        it.reject(RejectionReason::InsufficientFunds, at(5)).unwrap().summary_status.1,
        SummaryStatus::InitiationCompleted,
        "SCH-012"
    );
    assert_eq!(it.entry(None).unwrap().status, PaymentStatus::Rejected);

    let mut it = order(OrderFamily::Scheduled, 1, None);
    assert_eq!(it.reject(RejectionReason::NotGiven, at(1)).unwrap().summary_status.1, SummaryStatus::InitiationFailed);
}

#[test]
fn so_016_a_standing_order_is_set_up_then_only_cancelled() {
    let mut it = order(OrderFamily::StandingOrder, 1, None);
    assert_eq!(it.cancel(RejectionReason::CancelledByCustomer, at(1)), Err(TransitionError::NotAllowed));
    let _ = it.warehouse(at(1)).unwrap();
    assert_eq!(
        (it.detailed_status(), it.summary_status(), it.is_final()),
        (DetailedStatus::SetUp, SummaryStatus::InitiationCompleted, false)
    );
    assert_eq!(it.reserve(at(2)), Err(TransitionError::NotAllowed));
    assert_eq!(it.reject(RejectionReason::NotGiven, at(2)), Err(TransitionError::NotAllowed));
    assert_eq!(it.entry(None), None, "PIS-094: its payments have entries of their own");
    assert_eq!(
        it.cancel(RejectionReason::CancelledByCustomer, at(3)).unwrap().summary_status.1,
        SummaryStatus::Cancelled
    );

    let mut it = order(OrderFamily::StandingOrder, 1, None);
    let _ = it.reject(RejectionReason::DebtorAccountUnusable, at(1)).unwrap();
    assert_eq!(
        (it.detailed_status(), it.summary_status()),
        (DetailedStatus::SetUpFailed, SummaryStatus::InitiationFailed)
    );
}

#[test]
fn pis_112_everybody_must_agree_before_an_order_proceeds() {
    for family in FAMILIES {
        let mut it = order(family, 3, None);
        assert_eq!(it.detailed_status(), DetailedStatus::Payment(PaymentStatus::PartiallyAuthorised));
        for verb in [Order::accept_customer, Order::warehouse, Order::reserve] {
            assert!(matches!(
                verb(&mut it, at(1)),
                Err(TransitionError::WrongApprovalState | TransitionError::NotAllowed)
            ));
        }
        assert_eq!(it.approve(&"bashir".into(), at(1)), Err(TransitionError::AlreadyInState));
        let moved = it.approve(&"chloe".into(), at(1)).unwrap();
        assert!(!moved.is_visible(Version::V4_0) && it.approvals.as_ref().unwrap().count() == 2);
        let moved = it.approve(&"deepak".into(), at(2)).unwrap();
        assert!(moved.is_visible(Version::V3_1), "MultiAuthorisation.Status has changed");
        assert_eq!(it.approvals.as_ref().unwrap().status, ApprovalStatus::Authorised);
        assert_eq!(it.detailed_status(), DetailedStatus::Payment(PaymentStatus::TechnicallyValid));
        assert_eq!(it.approve(&"esther".into(), at(3)), Err(TransitionError::WrongApprovalState));
        assert_eq!(it.decline(&"esther".into(), at(3)), Err(TransitionError::WrongApprovalState));
    }
}

#[test]
fn pis_112_one_refusal_or_the_end_of_time_ends_it() {
    for family in FAMILIES {
        let ended =
            if family == OrderFamily::Immediate { SummaryStatus::Rejected } else { SummaryStatus::InitiationFailed };
        let mut it = order(family, 2, Some(at(10)));
        assert_eq!(it.lapse(at(9)), Err(TransitionError::OutsideApprovalPeriod));
        let mut lapsed = it.clone();
        assert_eq!(lapsed.approve(&"chloe".into(), at(10)), Err(TransitionError::OutsideApprovalPeriod));
        assert!(lapsed.lapse(at(10)).unwrap().is_visible(Version::V3_1));
        assert_eq!((lapsed.summary_status(), lapsed.reason), (ended, Some(RejectionReason::AuthorisationLapsed)));

        assert_eq!(it.decline(&"bashir".into(), at(5)), Err(TransitionError::AlreadyInState));
        assert!(it.decline(&"chloe".into(), at(5)).unwrap().approvals);
        assert_eq!((it.summary_status(), it.reason), (ended, Some(RejectionReason::RefusedByAuthoriser)));
        assert_eq!(it.detailed_status(), DetailedStatus::Payment(PaymentStatus::Rejected), "table 1.5: RJCT, not INFA");
        assert_eq!(it.approvals.as_ref().unwrap().status, ApprovalStatus::Rejected);
        assert_eq!(it.approve(&"chloe".into(), at(6)), Err(TransitionError::WrongApprovalState));
    }
}

#[test]
fn x_18_time_never_runs_back() {
    let mut it = order(OrderFamily::Immediate, 1, None);
    let _ = it.reserve(at(-5)).unwrap();
    assert_eq!(it.status_history.current().at, at(0));
    assert_eq!(StatusHistory::from_changes([]), None);
    assert_eq!(StatusHistory::from_changes(it.status_history.changes()), Some(it.status_history));
}

#[test]
fn pis_094_a_payment_of_a_standing_order_has_a_course_of_its_own() {
    let occurrence = Occurrence {
        number: 7,
        due_on: date(2026, 6, 13),
        paid_on: date(2026, 6, 15),
        amount: pounds(100),
        is_last: false,
    };
    let mut it = PaymentExecution::due(&"o".into(), &occurrence, at(0));
    assert_eq!((it.status, it.due_on, it.paid_on), (PaymentStatus::Pending, occurrence.due_on, occurrence.paid_on));
    assert_eq!(it.advance(PaymentStatus::Settled, None, at(1)), Err(TransitionError::NotAllowed));
    it.advance(PaymentStatus::InProcess, None, at(1)).unwrap();
    assert_eq!(it.advance(PaymentStatus::InProcess, None, at(2)), Err(TransitionError::AlreadyInState));
    it.advance(PaymentStatus::Rejected, None, at(3)).unwrap();
    assert_eq!(it.advance(PaymentStatus::Settled, None, at(4)), Err(TransitionError::Final));
    assert_eq!((it.entry().id.as_str(), it.entry().status, it.entry().since), ("o-7", PaymentStatus::Rejected, at(3)));
}

type Verb = fn(&mut Order, Timestamp) -> Result<Transition, TransitionError>;

/// All transitions of an order.
const VERBS: [Verb; 17] = [
    |it, now| it.approve(&"chloe".into(), now),
    |it, now| it.approve(&"deepak".into(), now),
    |it, now| it.decline(&"chloe".into(), now),
    Order::lapse,
    Order::warehouse,
    Order::accept_customer,
    Order::check_funds,
    Order::reserve,
    Order::accept_with_change,
    Order::settle,
    Order::accept_without_posting,
    Order::block,
    Order::credit,
    |it, now| it.reject(RejectionReason::InsufficientFunds, now),
    |it, now| it.cancel(RejectionReason::CancelledByCustomer, now),
    Order::reserve,
    Order::settle,
];

/// The transitions in the diagrams of v3.1. Source: table 1.4, PIS-048.
fn is_edge(from: SummaryStatus, to: SummaryStatus) -> bool {
    use SummaryStatus as P;
    from == to
        || matches!(
            (from, to),
            (P::Pending, P::InProcess | P::Rejected)
                | (P::InProcess, P::Settled | P::Rejected)
                | (P::Settled, P::Credited | P::WithoutPosting)
                | (P::WithoutPosting, P::Credited | P::Rejected)
                | (P::InitiationPending, P::InitiationCompleted | P::InitiationFailed)
                | (P::InitiationCompleted, P::Cancelled)
        )
}

fn is_last(summary_status: SummaryStatus) -> bool {
    matches!(
        summary_status,
        SummaryStatus::Credited | SummaryStatus::Rejected | SummaryStatus::InitiationFailed | SummaryStatus::Cancelled
    )
}

proptest! {
    /// For any conditions of the consent and any later times. Source: PIS-104.
    #[test]
    fn pis_104_an_order_is_not_expected_to_leave_or_arrive_before_it_was_made(
        said in (proptest::option::of(-99..99_i64), 0..99_i64),
        later in (proptest::option::of(-99..99_i64), 0..99_i64),
    ) {
        let times = |(leaves, takes): (Option<i64>, i64)| (leaves.map(at), leaves.map(|leaves| at(leaves.saturating_add(takes))));
        let (execution_at, settlement_at) = times(said);
        let conditions = PaymentConditions { execution_at, settlement_at, ..PaymentConditions::default() };
        let mut order = order_under(conditions, OrderFamily::Immediate, 1, None);
        for (leaves, arrives) in [times(said), times(later)] {
            let expected = (order.conditions.execution_at, order.conditions.settlement_at);
            prop_assert_eq!(expected, (leaves.map(|it| it.max(at(0))), arrives.map(|it| it.max(at(0)))));
            prop_assert!(expected.0 <= expected.1 && order.conditions.charges.is_empty());
            let (leaves, arrives) = times(later);
            order.set_expected_times(leaves, arrives);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn table_1_4_any_sequence_follows_the_diagrams(
        family in prop::sample::select(&FAMILIES[..]),
        authorisers in 1_u16..4,
        ends in prop::option::of(1_i64..20),
        steps in prop::collection::vec(prop::sample::select(&VERBS[..]), 0..24),
    ) {
        let mut it = order(family, authorisers, ends.map(at));
        for (second, verb) in (1..).zip(steps) {
            let before = it.clone();
            match verb(&mut it, at(second)) {
                Err(_) => prop_assert_eq!(&before, &it, "what is barred changes nothing"),
                Ok(moved) => {
                    prop_assert!(!before.is_final(), "a final order has moved");
                    prop_assert!(is_edge(before.summary_status(), it.summary_status()), "{:?} to {:?}", before.summary_status(), it.summary_status());
                    prop_assert_eq!(moved.summary_status, (before.summary_status(), it.summary_status()));
                    prop_assert_eq!(moved.detailed_status, (before.detailed_status(), it.detailed_status()));
                    prop_assert!(!moved.is_visible(Version::V3_1) || moved.is_visible(Version::V4_0)
                        || moved.summary_status.0 != moved.summary_status.1);
                }
            }
            prop_assert!(it.status_history.changes().map(|step| step.at).is_sorted());
            // The projections never contradict each other.
            if it.is_final() && family != OrderFamily::Scheduled {
                prop_assert!(is_last(it.summary_status()), "{:?} is final, {:?} is not", it.detailed_status(), it.summary_status());
            }
            if is_last(it.summary_status()) {
                prop_assert!(it.is_final(), "{:?} is final, {:?} is not", it.summary_status(), it.detailed_status());
            }
            let waiting = it.approvals.as_ref().is_some_and(|it| it.status == ApprovalStatus::Awaiting);
            prop_assert_eq!(waiting, it.detailed_status() == DetailedStatus::Payment(PaymentStatus::PartiallyAuthorised));
            prop_assert_eq!(it.entry(None).map(|entry| DetailedStatus::Payment(entry.status)),
                (family != OrderFamily::StandingOrder).then_some(it.detailed_status()), "PIS-094");
            prop_assert_eq!(it.reason.is_some(), matches!(it.detailed_status(), DetailedStatus::SetUpFailed
                | DetailedStatus::Payment(PaymentStatus::Rejected | PaymentStatus::Cancelled)));
        }
    }
}
