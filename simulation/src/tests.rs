//! The run that every change must pass, and tests that violated invariants are found.

use crate::episode::{BrokenRun, EpisodeCounts, play};
use crate::fault_injection::FaultRates;

const USUAL: FaultRates = FaultRates { mishaps_per_mille: 12, ..FaultRates::CALM };

/// So many episodes of five hundred steps, from this seed on.
fn episodes(first: u64, count: u64) -> EpisodeCounts {
    let mut sum = EpisodeCounts::default();
    for seed in first..first + count {
        match play(seed, 500, USUAL) {
            Ok(tally) => sum.add(tally),
            Err(found) => panic!("{}", told(&found)),
        }
    }
    sum
}

fn told(found: &BrokenRun) -> String {
    let BrokenRun { seed, step, what, before } = found;
    format!(
        "{}\nstep {step} of seed {seed}: {what}\nagain: cargo xtask simulate --seed {seed} --steps {step}",
        before.join("\n")
    )
}

#[test]
fn every_promise_is_kept_for_fifty_thousand_steps() {
    let sum = episodes(1, 100);
    assert_eq!(sum.steps, 50_000);
    assert!(sum.mishaps > 100 && sum.deaths > 20, "it was not calm: {sum:?}");
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
    assert_eq!(episodes(1_001, 100).steps, 50_000);
}

#[test]
fn a_seed_has_one_course() {
    let ends =
        |seed| play(seed, 300, USUAL).map(|tally| (tally.consents, tally.mishaps, tally.deaths, tally.ends)).unwrap();
    assert_eq!(ends(7), ends(7));
    assert_ne!(ends(7), ends(8));
}

#[test]
fn a_database_that_loses_what_it_confirmed_is_found_out() {
    let odds = FaultRates { lies_per_mille: 50, ..FaultRates::CALM };
    let found: Vec<_> = (1..=30).filter_map(|seed| play(seed, 500, odds).err()).collect();
    assert!(found.len() > 15, "only {} of 30 episodes", found.len());
    assert!(found.iter().any(|it| it.what.contains("was answered and is not there")));
    assert!(found.iter().all(|it| !it.before.is_empty() && it.step <= 500), "{found:?}");
}

#[test]
fn a_bank_that_exchanges_at_other_prices_is_found_out() {
    let odds = FaultRates { other_prices: true, ..FaultRates::CALM };
    let found = (1..=200).find_map(|seed| play(seed, 500, odds).err()).expect("in none of 200 episodes");
    assert!(found.what.contains(" holds LedgerSums "), "{}", found.what);
}
