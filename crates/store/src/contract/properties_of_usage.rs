//! Property tests: after random payments and rejections the stored counters equal those of the domain. Source: VRP-040.

use super::samples_of_instructions::cycles;
use super::samples_of_payments::pounds;
use super::vrp_usage::{agreed, release, reserve, usage};
use jiff::civil::date;
use lombard_domain::payment::vrp::{PeriodCounter, VrpReservation, VrpUsage};
use lombard_ports::store::StoreError;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const CONSENTS: [&str; 2] = ["a", "b"];

/// One change of the counters of a consent.
#[derive(Debug, Clone)]
struct Move {
    consent: usize,
    gives_back: bool,
    reservation: VrpReservation,
}

/// Few counters and small amounts, so that releases equal, undercut and exceed what was reserved.
fn counters() -> Vec<PeriodCounter> {
    let on = |cycle| [1, 2].map(|day| PeriodCounter { cycle, from: date(2026, 7, day) });
    cycles().into_iter().take(2).flat_map(on).collect()
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let some = prop::sample::subsequence(counters(), 1..=3);
    let one = (0..CONSENTS.len(), any::<bool>(), some, 1_u64..4).prop_map(|(consent, gives_back, counters, minor)| {
        Move { consent, gives_back, reservation: VrpReservation { counters, amount: pounds(minor) } }
    });
    prop::collection::vec(one, 1..40)
}

async fn walk(moves: Vec<Move>) {
    let store = crate::open_temporary_store().await.unwrap();
    agreed(&store, &CONSENTS, 100).await;
    let mut expected = [VrpUsage::default(), VrpUsage::default()];
    for Move { consent, gives_back, reservation } in moves {
        let model = &mut expected[consent];
        if gives_back {
            let outcome = release(&store, CONSENTS[consent], reservation.clone()).await;
            match model.release(&reservation) {
                Ok(()) => outcome.unwrap(),
                Err(_) => assert!(matches!(outcome, Err(StoreError::Corrupt { .. })), "{outcome:?}"),
            }
        } else {
            model.reserve(&reservation).unwrap();
            reserve(&store, CONSENTS[consent], reservation).await;
        }
        for (name, model) in CONSENTS.iter().zip(&expected) {
            assert_eq!(usage(&store, name, &counters()).await, *model);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40,
        rng_seed: RngSeed::Fixed(40),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn vrp_040_counters_hold_what_was_paid_and_not_given_back(moves in moves()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(walk(moves));
    }
}
