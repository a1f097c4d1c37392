//! Properties of every seeded bank, tested on dates with calendar edge cases.

use super::numbers::{iban_remainder, passes_luhn};
use super::*;
use lombard_domain::account::{AccountIdentification, AccountScheme, EntryStatus, Mutability};
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_domain::ledger::BalanceLayer;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

const PRESENTS: [&str; 6] = [
    "2026-11-20T17:56:00Z",
    "2024-02-29T12:00:00Z",
    "2026-03-01T00:00:00Z",
    "2025-12-31T23:59:59Z",
    "2027-01-01T09:30:00Z",
    "2026-04-30T06:00:00Z",
];

/// One seeded bank for each date, generated once for all tests.
fn banks() -> impl Iterator<Item = (Timestamp, &'static SeededBank)> {
    static BANKS: LazyLock<Vec<(Timestamp, SeededBank)>> = LazyLock::new(|| {
        let presents = PRESENTS.into_iter().map(|now| now.parse().unwrap());
        presents.zip(1..).map(|(now, seed)| (now, generate_bank(now, seed, &NoSeedProgress))).collect()
    });
    BANKS.iter().map(|(now, bank)| (*now, bank))
}

fn entries(bank: &SeededBank) -> impl Iterator<Item = &lombard_domain::account::Transaction> {
    bank.histories.iter().flat_map(|history| &history.entries)
}

fn journals(bank: &SeededBank) -> impl Iterator<Item = &lombard_domain::ledger::Journal> {
    bank.histories.iter().flat_map(|history| &history.journals)
}

#[test]
fn every_journal_balances_and_names_its_cause_once() {
    for (now, bank) in banks() {
        let causes: BTreeSet<_> = journals(bank).map(|journal| journal.cause.as_str()).collect();
        let ids: BTreeSet<_> = journals(bank).map(|journal| journal.id.as_str()).collect();
        assert_eq!((causes.len(), ids.len()), (journals(bank).count(), journals(bank).count()), "{now}");
        for journal in journals(bank) {
            assert_eq!(journal.check_balanced(), Ok(()), "{now}: {journal:?}");
        }
    }
}

#[test]
fn entries_and_postings_tell_the_same_story() {
    for (now, bank) in banks() {
        let postings: BTreeMap<&TransactionId, _> = journals(bank)
            .flat_map(|journal| journal.postings.iter().map(move |posting| (journal, posting)))
            .filter_map(|(journal, posting)| Some((posting.entry.as_ref()?, (journal, posting))))
            .collect();
        for entry in entries(bank) {
            let Some((journal, posting)) = postings.get(&entry.id) else {
                let moves_nothing = [EntryStatus::Rejected, EntryStatus::Information].contains(&entry.status);
                assert!(moves_nothing, "{now}: {entry:?} moves nothing");
                continue;
            };
            let layer = if entry.status == EntryStatus::Booked { BalanceLayer::Booked } else { BalanceLayer::Pending };
            assert_eq!((&posting.account, posting.minor, posting.layer), (&entry.account, entry.sum.minor(), layer));
            assert_eq!((journal.booked_at, posting.currency), (entry.booked_at, entry.sum.currency()));
        }
        let moves = |entry: &&lombard_domain::account::Transaction| {
            entry.status == EntryStatus::Booked || entry.status.is_expected()
        };
        let moving = entries(bank).filter(moves).count();
        assert_eq!(postings.len(), moving, "{now}");
    }
}

#[test]
fn running_balances_agree_with_the_ledger_entry_by_entry() {
    for (now, bank) in banks() {
        let mut booked: BTreeMap<&BankAccountId, i64> = BTreeMap::new();
        let mut last_at: BTreeMap<&BankAccountId, Timestamp> = BTreeMap::new();
        let shown: BTreeMap<_, _> = entries(bank).map(|entry| (&entry.id, entry)).collect();
        for journal in journals(bank) {
            for posting in journal.postings.iter().filter(|posting| posting.layer == BalanceLayer::Booked) {
                let sum = booked.entry(&posting.account).or_default();
                *sum += posting.minor;
                if let Some(entry) = &posting.entry {
                    assert_eq!(shown[entry].balance.unwrap().sum.minor(), *sum, "{now}: {entry}");
                    let before = last_at.insert(&posting.account, journal.booked_at);
                    assert!(before < Some(journal.booked_at), "{now}: two entries at one time on {}", posting.account);
                }
            }
        }
    }
}

#[test]
fn ais_097_every_shared_account_has_two_years_and_hundreds_of_entries() {
    for (now, bank) in banks() {
        for account in bank.accounts.iter().filter(|account| account.eligible) {
            let own: Vec<_> = entries(bank).filter(|entry| entry.account == account.account.id).collect();
            assert!(own.len() >= 200, "{now}: {:?} has {}", account.account.nickname, own.len());
            let months: BTreeSet<_> = own
                .iter()
                .map(|entry| entry.booked_at)
                .filter(|at| *at <= now)
                .map(|at| span::day_of(at).first_of_month())
                .collect();
            let full = months.range(..span::day_of(now).first_of_month()).count();
            assert!(full >= 24, "{now}: {:?} has {full} months", account.account.nickname);
        }
    }
}

#[test]
fn ais_122_only_what_is_expected_lies_after_the_present() {
    for (now, bank) in banks() {
        for entry in entries(bank) {
            let made_at = entry.value_at.unwrap();
            assert_eq!(made_at > now, entry.status == EntryStatus::Future, "{now}: {entry:?}");
            assert_eq!(entry.booked_at > now, entry.status.is_expected(), "{now}: {entry:?}");
        }
        let with = |status| entries(bank).filter(|entry| entry.status == status).count();
        assert!((1..40).contains(&with(EntryStatus::Pending)), "{now}: {}", with(EntryStatus::Pending));
        assert!((1..200).contains(&with(EntryStatus::Rejected)), "{now}: {}", with(EntryStatus::Rejected));
        assert_eq!(with(EntryStatus::Future), 2, "{now}: AIS-135");
        assert!((1..40).contains(&with(EntryStatus::Information)), "{now}: {}", with(EntryStatus::Information));
    }
}

#[test]
fn ais_123_what_is_booked_never_changes_and_what_is_pending_may() {
    let (_, bank) = banks().next().unwrap();
    for entry in entries(bank) {
        let expected = if entry.status.is_expected() { Mutability::Mutable } else { Mutability::Immutable };
        assert_eq!(entry.mutability, expected, "{entry:?}");
    }
}

#[test]
fn the_same_seed_repeats_and_another_differs() {
    let now = PRESENTS[0].parse().unwrap();
    let [once, again, other] = [7, 7, 8].map(|seed| generate_bank(now, seed, &NoSeedProgress));
    assert!(once == again);
    let ids = |bank: &SeededBank| -> BTreeSet<String> {
        let accounts = bank.accounts.iter().map(|account| account.account.id.to_string());
        accounts.chain(entries(bank).map(|entry| entry.id.to_string())).collect()
    };
    assert!(ids(&once).is_disjoint(&ids(&other)));
}

#[test]
fn account_ids_outlast_the_calendar() {
    let ids = |now: &str| -> Vec<_> {
        generate_bank(now.parse().unwrap(), 7, &NoSeedProgress)
            .accounts
            .into_iter()
            .map(|account| account.account.id)
            .collect()
    };
    assert_eq!(ids(PRESENTS[0]), ids(PRESENTS[1]));
}

fn assert_number(identification: &AccountIdentification) {
    let AccountIdentification { scheme, number, name, secondary, proxy: _ } = identification;
    let valid = match scheme {
        AccountScheme::SortCodeAccountNumber => {
            number.len() == 14 && number.bytes().all(|digit| digit.is_ascii_digit())
        }
        AccountScheme::Iban => iban_remainder(number) == Some(1),
        AccountScheme::Pan => number.len() == 16 && passes_luhn(number),
        AccountScheme::Bban => !number.is_empty(),
        AccountScheme::Paym | AccountScheme::Wallet => false,
    };
    assert!(valid, "{identification:?}");
    assert!(name.as_ref().is_some_and(|name| (1..=350).contains(&name.len())));
    assert!(secondary.as_ref().is_none_or(|roll| (1..=34).contains(&roll.len())));
}

fn assert_bic(bic: Option<&str>) {
    let bic = bic.unwrap();
    let (bank, rest) = bic.split_at(6);
    assert!(matches!(bic.len(), 8 | 11) && bank.bytes().all(|byte| byte.is_ascii_uppercase()), "{bic}");
    assert!(rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()), "{bic}");
}

#[test]
fn ais_103_every_account_number_is_valid_and_its_own() {
    for (_, bank) in banks() {
        let mut numbers = BTreeSet::new();
        for account in bank.accounts.iter().map(|record| &record.account) {
            assert!(!account.identifications.is_empty());
            account.identifications.iter().for_each(assert_number);
            assert!(account.identifications.iter().all(|own| numbers.insert(own.number.clone())), "{account:?}");
            assert_bic(account.servicer.as_ref().and_then(|agent| agent.bic.as_deref()));
            let within = |text: &Option<String>, max| text.as_ref().is_some_and(|text| (1..=max).contains(&text.len()));
            assert!(within(&account.description, 35) && within(&account.nickname, 70), "{account:?}");
        }
    }
}

#[test]
fn ais_120_texts_keep_their_limits() {
    let (_, bank) = banks().next().unwrap();
    let within = |text: Option<&str>, max| text.is_none_or(|text| (1..=max).contains(&text.len()));
    for entry in entries(bank) {
        assert!(within(entry.reference.as_deref(), 210) && within(entry.information.as_deref(), 500), "{entry:?}");
        assert!(within(entry.address_line.as_deref(), 70), "{entry:?}");
        let merchant = entry.merchant.as_ref();
        assert!(within(merchant.map(|merchant| merchant.name.as_str()), 350));
        let category = merchant.and_then(|merchant| merchant.category.as_deref());
        assert!(category.is_none_or(|code| code.len() == 4 && code.parse::<u16>().is_ok()), "{entry:?}");
        if let Some(card) = &entry.card {
            assert!(within(card.name.as_deref(), 70) && card.number.as_deref().is_some_and(passes_luhn));
        }
        if let Some(party) = &entry.other_party {
            assert_bic(party.agent.as_ref().and_then(|agent| agent.bic.as_deref()));
            party.account.iter().for_each(assert_number);
        }
    }
}

#[test]
fn ais_128_every_entry_says_what_it_is() {
    let (_, bank) = banks().next().unwrap();
    let mut seen = BTreeSet::new();
    for entry in entries(bank) {
        let code = entry.bank_code.as_ref().unwrap();
        assert!(
            [&code.code, &code.sub_code].into_iter().all(|name| name.bytes().all(|byte| byte.is_ascii_alphabetic()))
        );
        assert!((1..=35).contains(&entry.proprietary_code.as_ref().unwrap().code.len()));
        seen.insert((code.code.as_str(), code.sub_code.as_str()));
    }
    assert!(seen.len() >= 15, "{seen:?}");
}

#[test]
fn foreign_spending_shows_how_it_was_converted_and_what_it_cost() {
    let (_, bank) = banks().next().unwrap();
    let international: Vec<_> = entries(bank).filter(|entry| entry.charge.is_some()).collect();
    assert!(international.len() > 50);
    for entry in international {
        let exchange = entry.exchange.as_ref().unwrap();
        let foreign = rust_decimal::Decimal::from(exchange.instructed.unwrap().minor());
        let goods =
            (foreign / exchange.rate.0).round_dp_with_strategy(0, rust_decimal::RoundingStrategy::MidpointAwayFromZero);
        let paid = entry.sum.amount().minor() - entry.charge.unwrap().minor();
        assert_eq!(goods, rust_decimal::Decimal::from(paid), "{entry:?}");
    }
}

#[test]
fn cards_never_spend_beyond_the_credit_line() {
    for (now, bank) in banks() {
        for account in &bank.accounts {
            let spends = |entry: &&lombard_domain::account::Transaction| {
                entry.account == account.account.id && entry.merchant.is_some() && entry.sum.minor() < 0
            };
            let lowest =
                entries(bank).filter(spends).filter_map(|entry| entry.balance).map(|after| after.sum.minor()).min();
            // Direct debits are collected without a check of funds, so they may exceed the credit limit slightly.
            let floor = -account.credit_limit - 20_000;
            assert!(lowest.is_none_or(|lowest| lowest >= floor), "{now}: {:?} {lowest:?}", account.account.nickname);
        }
    }
}
