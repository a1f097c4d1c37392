//! Tests of the run that every change must pass, and tests that violated invariants are found.

use crate::episode::{EpisodeCounts, play};
use crate::fault_injection::FaultRates;
use crate::output::describe_failure;
use crate::world::CorePlace;

const USUAL: FaultRates = FaultRates { mishaps_per_mille: 12, ..FaultRates::CALM };

/// The number of steps of an episode.
const EPISODE: usize = 500;

/// Runs `count` episodes, starting with the seed `first`.
fn episodes(first: u64, count: u64, place: CorePlace) -> EpisodeCounts {
    let mut sum = EpisodeCounts::default();
    for seed in first..first + count {
        match play(seed, EPISODE, USUAL, place) {
            Ok(tally) => sum.add(tally),
            Err(broken) => panic!("{}", describe_failure(&broken, EPISODE, USUAL.mishaps_per_mille, place)),
        }
    }
    sum
}

#[test]
fn every_promise_is_kept_for_fifty_thousand_steps() {
    let sum = episodes(1, 100, CorePlace::Inside);
    assert_eq!(sum.steps, 50_000);
    assert_everything_came_about(&sum);
}

/// Checks that payments of every kind reached every outcome, while nodes failed.
fn assert_everything_came_about(sum: &EpisodeCounts) {
    assert!(sum.mishaps > 100 && sum.crashes > 20, "it was not calm: {sum:?}");
    for end in [
        "domestic-payment: Credited",
        "domestic-scheduled-payment: Credited",
        "payment of domestic-standing-order: Credited",
        "international-payment: ",
        "international-scheduled-payment: ",
        "payment of international-standing-order: ",
        "file-payment: SetUp",
        "payment of file-payment: Credited",
        "payment of file-payment: Rejected",
        "domestic-vrp: Credited",
        "domestic-vrp: Rejected",
        "of several customers: Authorised",
        "of several customers: Rejected",
    ] {
        let those = sum.ends.iter().filter(|(found, _)| found.starts_with(end));
        let count: usize = those.map(|(_, count)| count).sum();
        assert!(count > 2, "{end} hardly came about: {:?}", sum.ends);
    }
}

#[test]
fn every_promise_is_kept_for_fifty_thousand_steps_more() {
    assert_eq!(episodes(1_001, 100, CorePlace::Inside).steps, 50_000);
}

#[test]
fn every_promise_is_kept_before_a_core_with_its_own_database() {
    let sum = episodes(3_001, 100, CorePlace::Apart);
    assert_eq!(sum.steps, 50_000);
    assert_everything_came_about(&sum);
    assert!(sum.core.odd_messages > 200 && sum.core.crashes > 20, "{:?}", sum.core);
}

#[test]
fn a_seed_has_one_course() {
    for place in [CorePlace::Inside, CorePlace::Apart] {
        let course = |tally: EpisodeCounts| (tally.consents, tally.mishaps, tally.crashes, tally.core, tally.ends);
        let ends = |seed| play(seed, 300, USUAL, place).map(course).unwrap();
        assert_eq!(ends(7), ends(7));
        assert_ne!(ends(7), ends(8));
    }
}

#[test]
fn a_database_that_loses_what_it_confirmed_is_found_out() {
    let odds = FaultRates { false_confirmations_per_mille: 50, ..FaultRates::CALM };
    let found: Vec<_> = (1..=30).filter_map(|seed| play(seed, 500, odds, CorePlace::Inside).err()).collect();
    assert!(found.len() > 15, "only {} of 30 episodes", found.len());
    assert!(found.iter().any(|it| it.what.contains("was answered and is not there")));
    assert!(found.iter().all(|it| !it.before.is_empty() && it.step <= 500), "{found:?}");
}

#[test]
fn a_core_that_forgets_what_it_confirmed_is_found_out() {
    // The core repeats its own lost work, so only an order that it had confirmed is lost.
    let odds = FaultRates { false_confirmations_per_mille: 400, ..FaultRates::CALM };
    let found = (1..=30).filter_map(|seed| play(seed, 500, odds, CorePlace::Apart).err());
    let lost = found.filter(|it| it.what.contains("at the bank: None")).count();
    assert!(lost > 8, "only {lost} of 30 episodes");
}

#[test]
fn a_bank_that_exchanges_at_other_prices_is_found_out() {
    let odds = FaultRates { other_prices: true, ..FaultRates::CALM };
    let found =
        (1..=200).find_map(|seed| play(seed, 500, odds, CorePlace::Inside).err()).expect("in none of 200 episodes");
    assert!(found.what.contains(" holds LedgerSums "), "{}", found.what);
}
