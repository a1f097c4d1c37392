//! Esther, whose accounts may not be shared: a fixed-rate bond and a mortgage.

use super::super::calendar::HabitTiming::{Collected, MonthEnd};
use super::super::channel::Channel::DirectDebit;
use super::super::habit::AmountRange::Exactly;
use super::super::habit::{AccountRow, CustomerRow, HabitAction, HabitRow, HouseholdAccount, SeededHousehold, receive};
use super::super::products;
use super::{parties as p, people};
use lombard_domain::account::{AccountSubType, AccountType};
use lombard_domain::money::Currency;

const OWNER: &str = "Mrs Esther Okafor";
const HOLDERS: &[&str] = &["esther"];

pub(super) const HOUSEHOLD: SeededHousehold = SeededHousehold {
    name: "esther",
    customers: &[CustomerRow {
        login: "esther",
        name: "Esther Okafor",
        about: "Has a bond and a mortgage, and no account that may be shared with a third party.",
        person: &people::ESTHER,
    }],
    accounts: ACCOUNTS,
    organisation: None,
    partner: Some(&people::DANIEL),
    cancelled: &[],
    scheduled: &[],
    future: &[],
    offers: &[],
    habits: HABITS,
};

const ACCOUNTS: &[AccountRow] = &[
    AccountRow {
        role: HouseholdAccount::Savings,
        currency: Currency::GBP,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::Savings,
        product: &products::BOND,
        nickname: "Bond",
        owner: OWNER,
        holders: HOLDERS,
        eligible: false,
        credit_limit: 0,
        authorisers: 1,
        brought_forward: 4_200_000,
        opened_years_before: 2,
        card: None,
    },
    AccountRow {
        role: HouseholdAccount::Loan,
        currency: Currency::GBP,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::Mortgage,
        product: &products::MORTGAGE,
        nickname: "House",
        owner: OWNER,
        holders: HOLDERS,
        eligible: false,
        credit_limit: 0,
        authorisers: 1,
        brought_forward: -18_430_000,
        opened_years_before: 7,
        card: None,
    },
];

const HABITS: &[HabitRow] = &[
    HabitRow {
        on: HouseholdAccount::Savings,
        when: MonthEnd,
        hours: (22, 24),
        what: HabitAction::EarnInterest { per_10k_a_year: 480 },
    },
    HabitRow {
        on: HouseholdAccount::Loan,
        when: Collected(3),
        hours: (1, 4),
        what: receive(&p::ESTHER_ELSEWHERE, DirectDebit, Exactly(101_844), "MORTGAGE PAYMENT"),
    },
    HabitRow {
        on: HouseholdAccount::Loan,
        when: MonthEnd,
        hours: (22, 24),
        what: HabitAction::OweInterest { per_10k_a_year: 465 },
    },
];
