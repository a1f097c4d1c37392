//! Tests that the terms of products agree with the histories of their accounts.

use super::card::FOREIGN_FEE_PER_10K;
use super::habit::{AccountRow, AmountRange as Drawn, HabitAction, HabitRow};
use super::{NoSeedProgress, generate_bank, tables};
use lombard_corebank::storage::Arrangement;
use lombard_domain::account::product::{
    AccountFee, AccountProduct, CreditTier, Fee, LoanTier, Overdraft, OverdraftFee, OverdraftTier, ProductKind, Rate,
    Sum, Tiering,
};
use lombard_domain::account::{AccountSubType, AccountType};
use lombard_domain::money::Currency;
use rust_decimal::{Decimal, RoundingStrategy};
use std::collections::BTreeSet;

fn accounts() -> impl Iterator<Item = (&'static AccountRow, AccountProduct, Vec<&'static HabitRow>)> {
    tables::HOUSEHOLDS.iter().flat_map(|life| {
        life.accounts.iter().map(|row| {
            let product = row.product.of("b".into(), row.credit_limit);
            (row, product, life.habits.iter().filter(|habit| habit.on == row.role).collect())
        })
    })
}

fn overdraft(product: &AccountProduct) -> Option<&Overdraft> {
    match &product.kind {
        ProductKind::PersonalCurrentAccount(terms) => terms.overdraft.as_ref(),
        ProductKind::BusinessCurrentAccount(terms) => terms.overdraft.as_ref(),
        ProductKind::Other(terms) => terms.overdraft.as_ref(),
        ProductKind::CommercialCreditCard | ProductKind::SmeLoan => None,
    }
}

fn overdraft_tiers(product: &AccountProduct) -> Vec<&OverdraftTier> {
    overdraft(product).iter().flat_map(|it| &it.sets).flat_map(|set| &set.tiers).collect()
}

fn overdraft_fees(product: &AccountProduct) -> Vec<&Fee<OverdraftFee>> {
    let sets = overdraft(product).into_iter().flat_map(|it| &it.sets);
    sets.flat_map(|set| &set.charges).flat_map(|charges| &charges.fees).collect()
}

fn account_fees(product: &AccountProduct) -> Vec<&Fee<AccountFee>> {
    match &product.kind {
        ProductKind::PersonalCurrentAccount(terms) => terms.charges.iter().flat_map(|it| &it.fees).collect(),
        ProductKind::BusinessCurrentAccount(terms) => terms.tariffs.iter().flat_map(|it| &it.charges.fees).collect(),
        ProductKind::Other(terms) => terms.tariffs.iter().flat_map(|it| &it.charges.fees).collect(),
        ProductKind::CommercialCreditCard | ProductKind::SmeLoan => Vec::new(),
    }
}

fn credit_tiers(product: &AccountProduct) -> Vec<&CreditTier<Tiering>> {
    match &product.kind {
        ProductKind::Other(terms) => terms.credit_interest.iter().flat_map(|set| &set.tiers).collect(),
        ProductKind::PersonalCurrentAccount(_)
        | ProductKind::BusinessCurrentAccount(_)
        | ProductKind::CommercialCreditCard
        | ProductKind::SmeLoan => Vec::new(),
    }
}

fn loan_tiers(product: &AccountProduct) -> Vec<&LoanTier> {
    match &product.kind {
        ProductKind::Other(terms) => {
            terms.loan_interest.iter().flat_map(|it| &it.sets).flat_map(|set| &set.tiers).collect()
        }
        ProductKind::PersonalCurrentAccount(_)
        | ProductKind::BusinessCurrentAccount(_)
        | ProductKind::CommercialCreditCard
        | ProductKind::SmeLoan => Vec::new(),
    }
}

/// The nominal annual rate of this many hundredths of a per cent, and its effective rate with monthly interest.
fn a_year(per_10k: i64) -> (Rate, Rate) {
    let month = Decimal::new(per_10k, 4).checked_div(12.into()).and_then(|it| it.checked_add(Decimal::ONE)).unwrap();
    let year = (0..12).try_fold(Decimal::ONE, |grown, _| grown.checked_mul(month)).unwrap();
    let gained = year.checked_sub(Decimal::ONE).and_then(|it| it.checked_mul(Decimal::ONE_HUNDRED)).unwrap();
    let effective = gained.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
    (Rate::try_from(Decimal::new(per_10k, 2)).unwrap(), Rate::try_from(effective).unwrap())
}

fn minor(sum: i64) -> Sum {
    Sum::try_from(Decimal::new(sum, 2)).unwrap()
}

#[test]
fn ais_180_current_accounts_have_the_terms_of_their_kind() {
    for (row, product, _) in accounts() {
        let expected = match (row.account_type, row.sub_type) {
            (AccountType::Personal, AccountSubType::CurrentAccount) => {
                matches!(product.kind, ProductKind::PersonalCurrentAccount(_))
            }
            (AccountType::Business, AccountSubType::CurrentAccount) => {
                matches!(product.kind, ProductKind::BusinessCurrentAccount(_))
            }
            (_, _) => matches!(product.kind, ProductKind::Other(_)),
        };
        assert!(expected, "{}", row.product.name);
        assert!(row.product.name.len() <= 35 && product.id.as_str().len() <= 40);
        assert!(product.marketing_state.as_ref().is_some_and(|state| state.len() <= 35));
    }
}

#[test]
fn rates_are_those_that_accounts_earn_and_owe() {
    let mut checked = 0;
    for (row, product, habits) in accounts() {
        for habit in habits {
            if let HabitAction::EarnInterest { per_10k_a_year } = habit.what {
                let (rate, effective) = a_year(per_10k_a_year);
                let tiers = credit_tiers(&product);
                assert!(!tiers.is_empty(), "{}", row.product.name);
                assert!(tiers.iter().all(|tier| (tier.rate, tier.aer) == (Some(rate), effective)), "{tiers:?}");
            } else if let HabitAction::OweInterest { per_10k_a_year } = habit.what {
                let (rate, effective) = a_year(per_10k_a_year);
                let overdraft = overdraft_tiers(&product);
                let loan = loan_tiers(&product);
                assert!(overdraft.len() + loan.len() > 0, "{}", row.product.name);
                assert!(overdraft.iter().all(|tier| tier.ear == Some(effective)), "{effective:?} {overdraft:?}");
                assert!(loan.iter().all(|tier| (tier.rate, tier.apr) == (Some(rate), effective)), "{loan:?}");
            } else {
                continue;
            }
            checked += 1;
        }
    }
    assert!(checked >= 4);
}

#[test]
fn fees_are_those_that_accounts_pay() {
    let mut checked = 0;
    for (row, product, habits) in accounts() {
        for habit in habits {
            let (sum, amounts): (_, Vec<_>) = if let HabitAction::Fee { sum, .. } = habit.what {
                (sum, account_fees(&product).iter().map(|fee| fee.amount).collect())
            } else if let HabitAction::OverdraftFee { sum } = habit.what {
                (sum, overdraft_fees(&product).iter().map(|fee| fee.amount).collect())
            } else {
                continue;
            };
            let Drawn::Exactly(sum) = sum else { panic!("a fee is drawn by lot") };
            assert!(amounts.contains(&Some(minor(sum))), "{}: {sum} of {amounts:?}", row.product.name);
            checked += 1;
        }
    }
    assert!(checked >= 4);
}

#[test]
fn cards_name_their_fee_for_payments_abroad() {
    let (fee, _) = a_year(FOREIGN_FEE_PER_10K);
    for (row, product, _) in accounts() {
        let named = account_fees(&product).iter().any(|it| it.rate == Some(fee));
        assert_eq!(named, row.card.is_some() && row.currency == Currency::GBP, "{}", row.product.name);
    }
}

#[test]
fn an_arranged_overdraft_ends_at_the_limit_of_the_account() {
    for (row, product, _) in accounts() {
        let arranged = overdraft(&product).and_then(|it| it.sets.iter().find(|set| set.authorised == Some(true)));
        let ends = arranged.and_then(|set| set.tiers.last()).and_then(|tier| tier.to);
        let limited = row.sub_type == AccountSubType::CurrentAccount && row.credit_limit > 0;
        assert_eq!(ends, limited.then(|| minor(row.credit_limit)), "{}", row.product.name);
    }
}

#[test]
fn ais_180_and_ais_181_every_account_has_one_product() {
    let bank = generate_bank("2026-11-20T17:56:00Z".parse().unwrap(), 1, &NoSeedProgress);
    let products = bank.arrangements.iter().filter(|it| matches!(it, Arrangement::Product(_)));
    let of: Vec<_> = products.map(Arrangement::account).collect();
    let accounts: BTreeSet<_> = bank.accounts.iter().map(|record| &record.account.id).collect();
    assert_eq!((of.len(), of.into_iter().collect::<BTreeSet<_>>()), (accounts.len(), accounts));
}
