//! Limit usage of VRP consents. Source: VRP-040.

use super::samples::{at, read, write};
use super::samples_of_instructions::{controls, cycles, recurring_payment};
use super::samples_of_payments::{payment_consent, plain_terms, pounds};
use jiff::civil::{Date, date};
use lombard_domain::ids::ConsentId;
use lombard_domain::payment::order::Instruction;
use lombard_domain::payment::transfer::References;
use lombard_domain::payment::vrp::{PeriodCounter, VrpConsentRequest, VrpReservation, VrpUsage};
use lombard_ports::store::{Owned, ServerTransaction, Store, StoreError};

/// The number of concurrent payments.
const RACERS: usize = 40;
const FITTING: usize = 7;

const DAY: Date = date(2026, 7, 1);

/// Stores consents with one limit.
pub(super) async fn agreed(store: &Store, ids: &'static [&'static str], limit: u64) {
    write(store, move |tx| {
        ids.iter().try_for_each(|id| {
            let terms = VrpConsentRequest {
                controls: controls(limit, &cycles()[..1]),
                creditor: None,
                address: None,
                references: References::default(),
            };
            let terms = plain_terms(Instruction::Vrp(Box::new(terms)));
            tx.consent_insert(&payment_consent(id, "t", terms))
        })
    })
    .await;
}

/// A counter of every cycle on a day.
fn counters(day: Date) -> Vec<PeriodCounter> {
    cycles().into_iter().map(|cycle| PeriodCounter { cycle, from: day }).collect()
}

fn reservation(counters: &[PeriodCounter], minor: u64) -> VrpReservation {
    VrpReservation { counters: counters.to_vec(), amount: pounds(minor) }
}

pub(super) async fn usage(store: &Store, consent: &str, counters: &[PeriodCounter]) -> VrpUsage {
    let (consent, counters) = (ConsentId::from(consent), counters.to_vec());
    read(store, move |tx| tx.vrp_usage(&consent, &counters)).await
}

pub(super) async fn reserve(store: &Store, consent: &str, reservation: VrpReservation) {
    let consent = ConsentId::from(consent);
    write(store, move |tx| tx.vrp_reserve(&consent, &reservation)).await;
}

pub(super) async fn release(store: &Store, consent: &str, reservation: VrpReservation) -> Result<(), StoreError> {
    let consent = ConsentId::from(consent);
    store.write(move |tx| tx.vrp_release(&consent, &reservation)).await
}

/// Usage is counted separately for each consent, cycle and period.
pub(super) async fn what_was_paid_is_counted_by_consent_and_period(store: Store) {
    agreed(&store, &["c", "d"], 100).await;
    let (today, later) = (counters(DAY), counters(DAY.tomorrow().unwrap()));
    assert_eq!(usage(&store, "c", &today).await, VrpUsage::default());
    reserve(&store, "c", reservation(&today, 5)).await;
    reserve(&store, "c", reservation(&today[..2], 7)).await;
    reserve(&store, "c", reservation(&later[1..2], 9_999_999_999_999_999)).await;
    reserve(&store, "d", reservation(&today[..1], 1)).await;
    let all = [today.clone(), later.clone()].concat();
    let mut expected: Vec<_> = today.iter().map(|it| (*it, 5)).collect();
    expected[0].1 = 12;
    expected[1].1 = 12;
    expected.push((later[1], 9_999_999_999_999_999));
    assert_eq!(usage(&store, "c", &all).await, expected.into_iter().collect());
    assert_eq!(usage(&store, "c", &today[1..2]).await, [(today[1], 12)].into_iter().collect(), "as asked for");
    assert_eq!(usage(&store, "d", &all).await, [(today[0], 1)].into_iter().collect());
    assert_eq!(usage(&store, "none", &all).await, VrpUsage::default());
    release(&store, "c", reservation(&today[..2], 12)).await.unwrap();
    assert_eq!(usage(&store, "c", &today[..2]).await, VrpUsage::default());
    assert_eq!(usage(&store, "c", &[]).await, VrpUsage::default());
}

/// A release of more than was reserved is refused entirely, and no sum overflows.
pub(super) async fn what_was_never_counted_cannot_be_given_back(store: Store) {
    agreed(&store, &["c", "d"], 100).await;
    let today = counters(DAY);
    reserve(&store, "c", reservation(&today[..1], 5)).await;
    for (consent, counters, minor) in [("c", &today[..1], 6), ("c", &today[..2], 5), ("d", &today[..1], 1)] {
        let error = release(&store, consent, reservation(counters, minor)).await.unwrap_err();
        assert!(matches!(error, StoreError::Corrupt { table: "vrp_usage", .. }), "{error:?}");
    }
    assert_eq!(usage(&store, "c", &today).await, [(today[0], 5)].into_iter().collect());
    for minor in [u64::MAX, u64::try_from(i64::MAX).unwrap()] {
        let too_much = reservation(&today[..1], minor);
        let outcome: Result<(), StoreError> = store.write(move |tx| tx.vrp_reserve(&"c".into(), &too_much)).await;
        assert!(matches!(outcome, Err(StoreError::Corrupt { table: "vrp_usage", .. })), "{outcome:?}");
    }
    assert_eq!(usage(&store, "c", &today).await, [(today[0], 5)].into_iter().collect());
}

/// Concurrent payments wait for the lock of the consent, so the limit is never exceeded.
pub(super) async fn payments_at_once_never_share_what_is_left(store: Store) {
    let each = recurring_payment().transfer.amount.minor();
    let fitting = u64::try_from(FITTING).unwrap();
    agreed(&store, &["c"], each * fitting + 1).await;
    let racers = (0..RACERS).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { write(&store, pay).await })
    });
    let mut paid = 0;
    for racer in racers.collect::<Vec<_>>() {
        paid += usize::from(racer.await.unwrap());
    }
    assert_eq!(paid, FITTING);
}

/// Reserves a payment if the limits allow it, and returns whether they do.
fn pay(tx: &mut dyn ServerTransaction) -> Result<bool, StoreError> {
    let Owned::Mine(consent) = tx.consent_for_update(&"t".into(), &"c".into())? else { panic!("there is one") };
    let terms = consent.request.payment().and_then(|payment| payment.terms.instruction.vrp()).unwrap();
    let vrp_limits = terms.controls.limits_from(consent.created_at);
    let usage = tx.vrp_usage(&consent.id, &vrp_limits.counters(at(50)))?;
    let judged = vrp_limits.check_payment(&recurring_payment().attempt(at(50)), &usage);
    judged.as_ref().map_or(Ok(()), |reservation| tx.vrp_reserve(&consent.id, reservation))?;
    Ok(judged.is_ok())
}

/// A rolled-back transaction neither reserves nor releases usage.
pub(super) async fn a_payment_that_was_given_up_counts_nothing(store: Store) {
    agreed(&store, &["c"], 100).await;
    let today = counters(DAY);
    reserve(&store, "c", reservation(&today, 5)).await;
    for gives_back in [false, true] {
        let reservation = reservation(&today, 5);
        let given_up: Result<(), StoreError> = store
            .write(move |tx| {
                if gives_back {
                    tx.vrp_release(&"c".into(), &reservation)?;
                } else {
                    tx.vrp_reserve(&"c".into(), &reservation)?;
                }
                Err(StoreError::Duplicate("given up"))
            })
            .await;
        assert!(matches!(given_up, Err(StoreError::Duplicate("given up"))), "{given_up:?}");
        assert_eq!(usage(&store, "c", &today).await, today.iter().map(|it| (*it, 5)).collect());
    }
}
