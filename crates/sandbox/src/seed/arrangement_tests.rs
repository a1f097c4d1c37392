//! Tests that every arrangement agrees with the history from which it is derived.

use super::span::day_of;
use super::{NoSeedProgress, SeededBank, generate_bank};
use jiff::Timestamp;
use lombard_corebank::storage::{Arrangement, ArrangementKind};
use lombard_domain::account::{
    AccountStatus, ArrangementStatus, EntryStatus, PartyType, Statement, StatementAmountType, Transaction,
};
use lombard_domain::calendar::{is_working_day, working_day_from};
use lombard_domain::ids::BankAccountId;
use std::collections::BTreeSet;
use std::sync::LazyLock;

const PRESENTS: [&str; 5] = [
    "2026-11-20T17:56:00Z",
    "2024-02-29T12:00:00Z",
    "2026-03-01T00:00:00Z",
    "2025-12-31T23:59:59Z",
    "2026-04-30T06:00:00Z",
];

fn banks() -> impl Iterator<Item = (Timestamp, &'static SeededBank)> {
    static BANKS: LazyLock<Vec<(Timestamp, SeededBank)>> = LazyLock::new(|| {
        let presents = PRESENTS.into_iter().map(|now| now.parse().unwrap());
        presents.map(|now| (now, generate_bank(now, 42, &NoSeedProgress))).collect()
    });
    BANKS.iter().map(|(now, bank)| (*now, bank))
}

fn entries(bank: &SeededBank) -> impl Iterator<Item = &Transaction> {
    bank.histories.iter().flat_map(|history| &history.entries)
}

fn booked<'a>(bank: &'a SeededBank, account: &BankAccountId, code: &str) -> Vec<&'a Transaction> {
    let is_it = |entry: &&Transaction| {
        entry.account == *account
            && entry.status == EntryStatus::Booked
            && entry.proprietary_code.as_ref().is_some_and(|own| own.code == code)
    };
    entries(bank).filter(is_it).collect()
}

fn of_kind(bank: &SeededBank, kind: ArrangementKind) -> impl Iterator<Item = &Arrangement> {
    bank.arrangements.iter().filter(move |it| it.kind() == kind)
}

#[test]
fn ids_are_unique_in_their_lists_and_repeat_with_the_seed() {
    for (now, bank) in banks() {
        let places: BTreeSet<_> = bank.arrangements.iter().map(|it| (it.kind(), it.account(), it.id())).collect();
        assert_eq!(places.len(), bank.arrangements.len(), "{now}");
        assert!(bank.arrangements.iter().all(|it| (1..=40).contains(&it.id().len())));
    }
    let now = PRESENTS[0].parse().unwrap();
    assert!(
        generate_bank(now, 42, &NoSeedProgress).arrangements == generate_bank(now, 42, &NoSeedProgress).arrangements
    );
}

#[test]
fn ais_170_a_mandate_was_collected_last_where_the_history_has_it() {
    for (now, bank) in banks() {
        let mut active = 0;
        for mandate in of_kind(bank, ArrangementKind::DirectDebit) {
            let Arrangement::DirectDebit(mandate) = mandate else { continue };
            assert!((1..=35).contains(&mandate.mandate.len()) && (1..=70).contains(&mandate.name.len()));
            let (at, amount) = mandate.previous.unwrap();
            let collected = booked(bank, &mandate.account, "DD");
            let entry = collected.iter().find(|entry| entry.booked_at == at);
            if mandate.status != ArrangementStatus::Active {
                assert!(entry.is_none() && entries(bank).all(|entry| entry.booked_at > at), "{now}: {mandate:?}");
                continue;
            }
            active += 1;
            let entry = entry.unwrap_or_else(|| panic!("{now}: {mandate:?}"));
            assert_eq!(entry.sum.amount(), amount);
            let same = |it: &&&Transaction| it.other_party == entry.other_party && it.booked_at > at;
            assert_eq!(collected.iter().filter(same).count(), 0, "{now}: {} was collected later", mandate.name);
        }
        assert!(active >= 15, "{now}: {active}");
        let statuses: BTreeSet<_> = of_kind(bank, ArrangementKind::DirectDebit)
            .filter_map(|it| if let Arrangement::DirectDebit(mandate) = it { Some(mandate.status) } else { None })
            .collect();
        let mandates = of_kind(bank, ArrangementKind::DirectDebit);
        let purposes: BTreeSet<_> = mandates
            .filter_map(|it| if let Arrangement::DirectDebit(mandate) = it { mandate.terms.as_ref() } else { None })
            .filter_map(|terms| Some(terms.category_purpose?.as_str().to_owned()))
            .collect();
        assert!(purposes.contains("CCRD") && purposes.contains("TAXS"), "{now}: {purposes:?}");
        assert_eq!(statuses.len(), 4, "{now}: active, cancelled, suspended and expired");
        // No direct debit is collected without a mandate.
        let accounts: BTreeSet<_> = of_kind(bank, ArrangementKind::DirectDebit).map(Arrangement::account).collect();
        let debited = entries(bank)
            .filter(|it| it.sum.minor() < 0 && it.proprietary_code.as_ref().is_some_and(|own| own.code == "DD"));
        assert!(debited.map(|entry| &entry.account).all(|account| accounts.contains(account)));
    }
}

#[test]
fn ais_171_a_standing_order_goes_on_where_the_history_ends() {
    for (now, bank) in banks() {
        let mut orders = 0;
        for order in of_kind(bank, ArrangementKind::StandingOrder) {
            let Arrangement::StandingOrder(order) = order else { continue };
            orders += 1;
            let first = order.first.unwrap();
            let next = order.next.unwrap();
            let last = order.last.unwrap();
            let paid = booked(bank, &order.account, "SO");
            let newest =
                paid.iter().filter(|it| it.reference == order.reference).max_by_key(|it| it.booked_at).unwrap();
            assert_eq!((last.at, last.amount), (newest.booked_at, newest.sum.amount()), "{now}");
            assert!(is_working_day(day_of(next.at)) && next.at > last.at, "{now}: {order:?}");
            assert!(day_of(next.at) >= day_of(now) || next.at <= now, "{now}");
            let days: BTreeSet<_> =
                order.frequency.days_after(day_of(first.at)).take(60).map(working_day_from).collect();
            assert!(days.contains(&day_of(next.at)) && days.contains(&day_of(last.at)), "{now}: {order:?}");
            let between = days.range(day_of(last.at)..day_of(next.at)).count();
            assert!(between <= 2, "{now}: at most one payment is missing for want of money: {order:?}");
        }
        assert!(orders >= 6, "{now}");
    }
}

#[test]
fn ais_160_everybody_who_is_paid_by_order_is_a_payee() {
    for (now, bank) in banks() {
        let payees: BTreeSet<_> = of_kind(bank, ArrangementKind::Beneficiary)
            .filter_map(|it| {
                if let Arrangement::Beneficiary(it) = it { Some((&it.account, it.payee.number.as_str())) } else { None }
            })
            .collect();
        assert!(!payees.is_empty());
        for code in ["FPS", "SO", "SAL", "INT"] {
            for entry in entries(bank).filter(|it| it.sum.minor() < 0 && it.status == EntryStatus::Booked) {
                let is_it = entry.proprietary_code.as_ref().is_some_and(|own| own.code == code);
                let Some(other) = entry.other_party.as_ref().and_then(|it| it.account.as_ref()).filter(|_| is_it)
                else {
                    continue;
                };
                assert!(payees.contains(&(&entry.account, other.number.as_str())), "{now}: {entry:?}");
            }
        }
        for scheduled in of_kind(bank, ArrangementKind::ScheduledPayment) {
            let Arrangement::ScheduledPayment(it) = scheduled else { continue };
            assert!(it.at > now && is_working_day(day_of(it.at)), "{now}: {it:?}");
        }
    }
}

#[test]
fn ais_185_every_account_has_an_owner_and_every_party_can_be_written_to() {
    let (_, bank) = banks().next().unwrap();
    for record in &bank.accounts {
        let parties: Vec<_> = of_kind(bank, ArrangementKind::Party)
            .filter(|it| *it.account() == record.account.id)
            .filter_map(|it| if let Arrangement::Party(it) = it { Some(it) } else { None })
            .collect();
        let count = |kind| parties.iter().filter(|it| it.kind == kind).count();
        assert!(count(PartyType::Sole) == 1 || count(PartyType::Joint) == 2, "{parties:?}");
        for party in &parties {
            assert!(party.party.addresses.iter().all(|address| address.country.is_some()));
            for number in [&party.party.phone, &party.party.mobile].into_iter().flatten() {
                assert!(number.starts_with("+44-") && number[4..].bytes().all(|it| it.is_ascii_digit()), "{number}");
            }
        }
        for psu in &record.holders {
            let own = bank.customers.iter().find(|it| it.psu == *psu).unwrap().party.as_ref().unwrap();
            assert!(parties.iter().any(|it| it.party == *own), "{psu}");
        }
    }
}

fn amount(statement: &Statement, kind: StatementAmountType) -> i64 {
    statement.amounts.iter().find(|(it, _)| *it == kind).map(|(_, sum)| sum.minor()).unwrap()
}

#[test]
fn ais_140_statements_cover_every_full_month_and_lead_to_the_balance() {
    use StatementAmountType::{ClosingBalance, MinimumPaymentDue, StartingBalance, TotalCredits, TotalDebits};
    for (now, bank) in banks() {
        let mut currencies = BTreeSet::new();
        for record in bank.accounts.iter().filter(|it| it.account.status == AccountStatus::Enabled) {
            let id = &record.account.id;
            let own: Vec<_> =
                bank.histories.iter().flat_map(|it| &it.statements).filter(|it| it.account == *id).collect();
            assert_eq!(own.len(), 25, "{now}: {:?}", record.account.nickname);
            currencies.insert(record.account.currency.code());
            for pair in own.windows(2) {
                assert_eq!(amount(pair[0], ClosingBalance), amount(pair[1], StartingBalance));
                assert!(pair[0].ends_at < pair[1].starts_at && pair[0].created_at == pair[1].starts_at);
            }
            for it in &own {
                let sum = amount(it, StartingBalance) + amount(it, TotalCredits) + amount(it, TotalDebits);
                assert_eq!(sum, amount(it, ClosingBalance), "{now}");
                assert!(
                    it.reference.as_ref().is_some_and(|text| text.len() <= 35) && it.ends_at < now.max(it.created_at)
                );
            }
            let last = own.last().unwrap();
            let later = entries(bank).filter(|it| it.account == *id && it.status == EntryStatus::Booked);
            let newest = later.filter(|it| it.booked_at <= last.ends_at).max_by_key(|it| it.booked_at).unwrap();
            assert_eq!(newest.balance.unwrap().sum.minor(), amount(last, ClosingBalance), "{now}");
            if record.credit_limit > 0 && own.iter().any(|it| it.rates.len() == 4) {
                assert!(own.iter().all(|it| amount(it, MinimumPaymentDue) <= 0));
                assert!(own.iter().any(|it| !it.benefits.is_empty()), "{now}: a card brings cash back");
            }
        }
        assert_eq!(currencies, ["EUR", "GBP", "USD"].into(), "{now}");
    }
}
