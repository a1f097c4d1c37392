//! Amelia, a private customer: a current account, savings and a credit card.

use super::super::calendar::HabitTiming::{
    self, About, Collected, CollectedIn, Daily, MonthEnd, Monthly, Paid, Weekly, Workday,
};
use super::super::channel::Channel::{DirectDebit, FasterPayment, Internal, Salary, StandingOrder};
use super::super::habit::AmountRange::{Between, Exactly};
use super::super::habit::{
    AccountRow, CardRow, CustomerRow, HabitAction, HabitRow, HouseholdAccount, SeededHousehold, buy, pay, receive,
};
use super::super::products;
use super::{parties as p, people, plans, shops};
use jiff::civil::Weekday;
use lombard_domain::account::{AccountSubType, AccountType, CardScheme};
use lombard_domain::money::Currency;

const OWNER: &str = "Miss Amelia Hart";
const HOLDERS: &[&str] = &["amelia"];

pub(super) const HOUSEHOLD: SeededHousehold = SeededHousehold {
    name: "amelia",
    customers: &[CustomerRow {
        login: "amelia",
        name: "Amelia Hart",
        about: "A private customer with a current account, savings and a credit card.",
        person: &people::AMELIA,
    }],
    accounts: ACCOUNTS,
    organisation: None,
    partner: None,
    cancelled: plans::AMELIA_CANCELLED,
    scheduled: plans::AMELIA_SCHEDULED,
    future: plans::AMELIA_FUTURE,
    offers: plans::AMELIA_OFFERS,
    habits: HABITS,
};

const ACCOUNTS: &[AccountRow] = &[
    AccountRow {
        role: HouseholdAccount::Current,
        currency: Currency::GBP,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::CurrentAccount,
        product: &products::EVERYDAY,
        nickname: "Bills and spending",
        owner: OWNER,
        holders: HOLDERS,
        eligible: true,
        credit_limit: 100_000,
        authorisers: 1,
        brought_forward: 184_217,
        opened_years_before: 6,
        card: Some(CardRow { scheme: CardScheme::Visa, prefix: "400000", name: "MISS A HART" }),
    },
    AccountRow {
        role: HouseholdAccount::Savings,
        currency: Currency::GBP,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::Savings,
        product: &products::SAVER,
        nickname: "Rainy day",
        owner: OWNER,
        holders: HOLDERS,
        eligible: true,
        credit_limit: 0,
        authorisers: 1,
        brought_forward: 620_455,
        opened_years_before: 4,
        card: None,
    },
    AccountRow {
        role: HouseholdAccount::Card,
        currency: Currency::GBP,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::CreditCard,
        product: &products::TRAVELLER,
        nickname: "Credit card",
        owner: OWNER,
        holders: HOLDERS,
        eligible: true,
        credit_limit: 450_000,
        authorisers: 1,
        brought_forward: -21_240,
        opened_years_before: 3,
        card: Some(CardRow { scheme: CardScheme::MasterCard, prefix: "555555", name: "MISS A HART" }),
    },
];

const fn current(when: HabitTiming, hours: (i8, i8), what: HabitAction) -> HabitRow {
    HabitRow { on: HouseholdAccount::Current, when, hours, what }
}

const fn card(when: HabitTiming, hours: (i8, i8), what: HabitAction) -> HabitRow {
    HabitRow { on: HouseholdAccount::Card, when, hours, what }
}

/// A payment that is collected early in the morning.
const fn bill(when: HabitTiming, what: HabitAction) -> HabitRow {
    current(when, (1, 4), what)
}

const HABITS: &[HabitRow] = &[
    bill(Paid(25), receive(&p::NORTHLIGHT, Salary, Exactly(346_218), "SALARY")),
    bill(Collected(1), pay(&p::AMELIA_LANDLORD, StandingOrder, Exactly(115_000), "RENT FLAT 2")),
    bill(
        CollectedIn(&[1, 4, 5, 6, 7, 8, 9, 10, 11, 12], 3),
        pay(&p::WANDLE_COUNCIL, DirectDebit, Exactly(14_200), "COUNCIL TAX"),
    ),
    bill(Collected(5), pay(&p::ENERGY, DirectDebit, Between(8_900, 15_500), "GAS AND ELECTRICITY #")),
    bill(Collected(12), pay(&p::WATER, DirectDebit, Exactly(3_450), "WATER")),
    bill(Collected(14), pay(&p::BROADBAND, DirectDebit, Exactly(3_800), "BROADBAND #")),
    bill(Collected(16), pay(&p::MOBILE, DirectDebit, Between(2_200, 2_950), "MOBILE #")),
    bill(Collected(20), pay(&p::GYM, DirectDebit, Exactly(4_199), "MEMBERSHIP")),
    bill(Collected(22), pay(&p::INSURER, DirectDebit, Exactly(1_680), "CONTENTS INSURANCE")),
    bill(Collected(27), pay(&p::CHARITY, DirectDebit, Exactly(1_000), "DONATION")),
    bill(Collected(18), HabitAction::PayCard { card: HouseholdAccount::Card }),
    bill(
        Collected(26),
        HabitAction::Move {
            to: HouseholdAccount::Savings,
            by: StandingOrder,
            sum: Exactly(25_000),
            text: "REGULAR SAVING",
        },
    ),
    current(Daily, (5, 6), HabitAction::SaveChange { to: HouseholdAccount::Savings }),
    current(Monthly(2), (6, 9), buy(shops::FILMS)),
    current(Monthly(9), (6, 9), buy(shops::MUSIC)),
    current(Weekly(Weekday::Saturday), (9, 18), buy(shops::BIG_SHOP)),
    current(About(5), (8, 21), buy(shops::CORNER_SHOP)),
    current(Workday(600), (7, 10), buy(shops::COFFEE)),
    current(Workday(350), (12, 14), buy(shops::LUNCH)),
    current(Workday(700), (7, 20), buy(shops::CITY_TRAVEL)),
    current(About(4), (18, 22), buy(shops::RESTAURANTS)),
    current(About(4), (18, 23), buy(shops::PUBS)),
    current(About(3), (10, 18), buy(shops::HIGH_STREET)),
    current(About(1), (10, 20), buy(shops::ABROAD)),
    current(About(1), (10, 16), HabitAction::Refund { at: shops::HIGH_STREET }),
    current(
        CollectedIn(&[2, 8], 9),
        (10, 16),
        HabitAction::Refused { at: shops::ONLINE, why: "the security code was wrong" },
    ),
    current(About(2), (9, 22), HabitAction::Withdraw { at: shops::LONDON_MACHINES, sum: Between(2_000, 6_900) }),
    current(About(1), (18, 23), receive(&p::PRIYA, FasterPayment, Between(900, 4_500), "DINNER")),
    current(About(2), (18, 23), pay(&p::PRIYA, FasterPayment, Between(800, 3_800), "TICKETS")),
    HabitRow {
        on: HouseholdAccount::Savings,
        when: MonthEnd,
        hours: (22, 24),
        what: HabitAction::EarnInterest { per_10k_a_year: 425 },
    },
    HabitRow {
        on: HouseholdAccount::Savings,
        when: CollectedIn(&[7, 12], 10),
        hours: (9, 20),
        what: HabitAction::Move {
            to: HouseholdAccount::Current,
            by: Internal,
            sum: Between(30_000, 60_000),
            text: "HOLIDAY",
        },
    },
    card(About(7), (9, 23), buy(shops::ONLINE)),
    card(About(3), (7, 20), buy(shops::RAIL)),
    card(About(4), (9, 22), buy(shops::ABROAD)),
    card(Monthly(21), (6, 9), buy(shops::FILMS)),
    card(About(1), (10, 16), HabitAction::Refund { at: shops::ONLINE }),
    card(CollectedIn(&[3], 3), (1, 3), HabitAction::Fee { sum: Exactly(2_400), text: "Annual card fee" }),
    card(MonthEnd, (22, 24), HabitAction::Cashback { per_10k: 50 }),
];
