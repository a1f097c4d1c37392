//! Deepak, a customer with one account and a low balance: payments are declined, and the overdraft is charged.

use super::super::calendar::HabitTiming::{
    self, About, Collected, CollectedIn, MonthEnd, Monthly, Paid, Weekly, Workday,
};
use super::super::channel::Channel::{Bacs, DirectDebit, FasterPayment, Salary, StandingOrder};
use super::super::habit::AmountRange::{self, Between, Exactly};
use super::super::habit::{
    AccountRow, CardRow, CustomerRow, HabitAction, HabitRow, HouseholdAccount, OutsideAccount, SeededHousehold, buy,
    pay, receive,
};
use super::super::products;
use super::{parties as p, people, plans, shops};
use jiff::civil::Weekday;
use lombard_domain::account::{AccountSubType, AccountType, CardScheme};
use lombard_domain::money::Currency;

pub(super) const HOUSEHOLD: SeededHousehold = SeededHousehold {
    name: "deepak",
    customers: &[CustomerRow {
        login: "deepak",
        name: "Deepak Mistry",
        about: "One current account with little money in it; good for payments that fail.",
        person: &people::DEEPAK,
    }],
    accounts: ACCOUNTS,
    organisation: None,
    partner: None,
    cancelled: plans::DEEPAK_CANCELLED,
    scheduled: plans::DEEPAK_SCHEDULED,
    future: &[],
    offers: plans::DEEPAK_OFFERS,
    habits: HABITS,
};

const ACCOUNTS: &[AccountRow] = &[AccountRow {
    role: HouseholdAccount::Current,
    currency: Currency::GBP,
    account_type: AccountType::Personal,
    sub_type: AccountSubType::CurrentAccount,
    product: &products::BASIC,
    nickname: "Main account",
    owner: "Mr Deepak Mistry",
    holders: &["deepak"],
    eligible: true,
    credit_limit: 25_000,
    authorisers: 1,
    brought_forward: 6_120,
    opened_years_before: 8,
    card: Some(CardRow { scheme: CardScheme::Visa, prefix: "400001", name: "MR D MISTRY" }),
}];

const fn current(when: HabitTiming, hours: (i8, i8), what: HabitAction) -> HabitRow {
    HabitRow { on: HouseholdAccount::Current, when, hours, what }
}

const fn bill(when: HabitTiming, to: &'static OutsideAccount, sum: AmountRange, text: &'static str) -> HabitRow {
    current(when, (1, 4), pay(to, DirectDebit, sum, text))
}

const HABITS: &[HabitRow] = &[
    current(Paid(28), (1, 3), receive(&p::BELLWETHER, Salary, Between(139_800, 144_600), "WAGES")),
    current(Paid(8), (1, 3), receive(&p::BENEFITS, Bacs, Exactly(28_655), "UC #")),
    current(Collected(1), (1, 4), pay(&p::DEEPAK_LANDLORD, StandingOrder, Exactly(69_500), "RENT")),
    bill(CollectedIn(&[1, 4, 5, 6, 7, 8, 9, 10, 11, 12], 2), &p::SOAR_COUNCIL, Exactly(8_800), "COUNCIL TAX"),
    bill(Collected(9), &p::ENERGY, Between(7_400, 11_800), "GAS AND ELECTRICITY #"),
    bill(Collected(10), &p::WATER, Exactly(2_100), "WATER"),
    bill(Collected(29), &p::MOBILE, Exactly(1_200), "MOBILE #"),
    bill(Collected(30), &p::LENDER, Exactly(8_500), "LOAN #"),
    current(Weekly(Weekday::Friday), (16, 20), buy(shops::CHEAP_SHOP)),
    current(About(7), (8, 21), buy(shops::LEICESTER_CORNER_SHOP)),
    current(Workday(500), (6, 9), buy(shops::BUS)),
    current(About(5), (8, 16), buy(shops::LEICESTER_CAFE)),
    current(About(8), (18, 22), buy(shops::TAKEAWAY)),
    current(About(4), (18, 23), buy(shops::LEICESTER_PUBS)),
    current(About(3), (10, 18), buy(shops::LEICESTER_HIGH_STREET)),
    current(Monthly(4), (6, 9), buy(shops::MUSIC)),
    current(About(6), (9, 22), HabitAction::Withdraw { at: shops::LEICESTER_MACHINES, sum: Between(1_000, 6_900) }),
    current(About(1), (17, 21), receive(&p::COUSIN, FasterPayment, Between(1_000, 3_000), "LEND")),
    current(About(1), (17, 21), pay(&p::COUSIN, FasterPayment, Between(1_000, 3_000), "THANKS")),
    current(
        Monthly(25),
        (17, 20),
        HabitAction::PayRest { to: &p::COUSIN, by: FasterPayment, keep: 4_000, text: "FOR MUM" },
    ),
    current(Monthly(26), (1, 3), HabitAction::OverdraftFee { sum: Exactly(600) }),
    current(MonthEnd, (22, 24), HabitAction::OweInterest { per_10k_a_year: 3_990 }),
    current(Monthly(9), (10, 12), HabitAction::CardCheck { at: shops::MUSIC }),
];
