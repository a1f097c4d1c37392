//! Bashir and Chloe, who own a design studio. Payments from their current account need both customers; a second account is in dollars.

use super::super::calendar::HabitTiming::{self, About, Collected, CollectedIn, Monthly, Paid, Weekly, Workday};
use super::super::channel::Channel::{Bacs, CrossBorder, DirectDebit, FasterPayment, Salary, StandingOrder};
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

const OWNER: &str = "Kite & Compass Design Ltd";
const HOLDERS: &[&str] = &["bashir", "chloe"];

pub(super) const HOUSEHOLD: SeededHousehold = SeededHousehold {
    name: "studio",
    customers: &[
        CustomerRow {
            login: "bashir",
            name: "Bashir Rahman",
            about: "One of two directors of a design studio; its payments need both of them.",
            person: &people::BASHIR,
        },
        CustomerRow {
            login: "chloe",
            name: "Chloe Whitmore",
            about: "The other director of the studio, with the same accounts in pounds, US dollars and euros.",
            person: &people::CHLOE,
        },
    ],
    accounts: ACCOUNTS,
    organisation: Some(&people::STUDIO),
    partner: None,
    cancelled: plans::STUDIO_CANCELLED,
    scheduled: plans::STUDIO_SCHEDULED,
    future: plans::STUDIO_FUTURE,
    offers: plans::STUDIO_OFFERS,
    habits: HABITS,
};

const ACCOUNTS: &[AccountRow] = &[
    AccountRow {
        role: HouseholdAccount::Current,
        currency: Currency::GBP,
        account_type: AccountType::Business,
        sub_type: AccountSubType::CurrentAccount,
        product: &products::BUSINESS,
        nickname: "Studio",
        owner: OWNER,
        holders: HOLDERS,
        eligible: true,
        credit_limit: 500_000,
        authorisers: 2,
        brought_forward: 2_431_008,
        opened_years_before: 5,
        card: Some(CardRow { scheme: CardScheme::Visa, prefix: "400002", name: "KITE AND COMPASS DESIGN" }),
    },
    AccountRow {
        role: HouseholdAccount::Dollars,
        currency: Currency::USD,
        account_type: AccountType::Business,
        sub_type: AccountSubType::CurrentAccount,
        product: &products::DOLLARS,
        nickname: "Dollars",
        owner: OWNER,
        holders: HOLDERS,
        eligible: true,
        credit_limit: 0,
        authorisers: 1,
        brought_forward: 845_000,
        opened_years_before: 3,
        card: Some(CardRow { scheme: CardScheme::Visa, prefix: "400003", name: "KITE AND COMPASS DESIGN" }),
    },
    AccountRow {
        role: HouseholdAccount::Euros,
        currency: Currency::EUR,
        account_type: AccountType::Business,
        sub_type: AccountSubType::CurrentAccount,
        product: &products::EUROS,
        nickname: "Euros",
        owner: OWNER,
        holders: HOLDERS,
        eligible: true,
        credit_limit: 0,
        authorisers: 1,
        brought_forward: 612_540,
        opened_years_before: 2,
        card: Some(CardRow { scheme: CardScheme::Visa, prefix: "400004", name: "KITE AND COMPASS DESIGN" }),
    },
];

const fn current(when: HabitTiming, hours: (i8, i8), what: HabitAction) -> HabitRow {
    HabitRow { on: HouseholdAccount::Current, when, hours, what }
}

const fn dollars(when: HabitTiming, hours: (i8, i8), what: HabitAction) -> HabitRow {
    HabitRow { on: HouseholdAccount::Dollars, when, hours, what }
}

const fn euros(when: HabitTiming, hours: (i8, i8), what: HabitAction) -> HabitRow {
    HabitRow { on: HouseholdAccount::Euros, when, hours, what }
}

const fn invoice(when: HabitTiming, from: &'static OutsideAccount, sum: AmountRange) -> HabitRow {
    current(when, (2, 16), receive(from, Bacs, sum, "INV #"))
}

const fn bill(when: HabitTiming, to: &'static OutsideAccount, sum: AmountRange, text: &'static str) -> HabitRow {
    current(when, (1, 4), pay(to, DirectDebit, sum, text))
}

const fn wage(to: &'static OutsideAccount, minor: i64) -> HabitRow {
    current(Paid(28), (5, 7), pay(to, Salary, Exactly(minor), "SALARY"))
}

const HABITS: &[HabitRow] = &[
    invoice(Collected(4), &p::MUSEUM, Exactly(680_000)),
    invoice(Collected(15), &p::BREWERY, Exactly(420_000)),
    invoice(Workday(160), &p::PROJECT_CLIENT, Between(90_000, 360_000)),
    current(
        Weekly(Weekday::Tuesday),
        (3, 6),
        receive(&p::CARD_PAYOUTS, FasterPayment, Between(38_000, 125_000), "PAYOUT #"),
    ),
    wage(&p::STAFF_ONE, 248_000),
    wage(&p::STAFF_TWO, 231_500),
    wage(&p::STAFF_THREE, 196_000),
    wage(&p::BASHIR_ELSEWHERE, 290_000),
    wage(&p::CHLOE_ELSEWHERE, 290_000),
    current(Collected(19), (9, 17), pay(&p::REVENUE, FasterPayment, Between(314_000, 342_000), "PAYE #")),
    bill(CollectedIn(&[2, 5, 8, 11], 7), &p::REVENUE, Between(520_000, 690_000), "VAT #"),
    current(
        CollectedIn(&[10], 1),
        (9, 17),
        pay(&p::REVENUE, FasterPayment, Between(600_000, 900_000), "CORPORATION TAX"),
    ),
    current(Collected(1), (1, 4), pay(&p::OFFICE_LANDLORD, StandingOrder, Exactly(145_000), "UNIT 7 RENT")),
    bill(Collected(6), &p::ENERGY, Between(11_800, 19_900), "ELECTRICITY #"),
    bill(Collected(11), &p::BROADBAND, Exactly(6_200), "BUSINESS FIBRE"),
    bill(Collected(13), &p::MOBILE, Between(7_400, 9_800), "MOBILES #"),
    bill(Collected(23), &p::INSURER, Exactly(7_410), "LIABILITY COVER"),
    current(Collected(10), (1, 4), pay(&p::ACCOUNTANT, StandingOrder, Exactly(21_000), "BOOKKEEPING")),
    current(Workday(180), (9, 17), pay(&p::PRINTER, FasterPayment, Between(12_000, 88_000), "ORDER #")),
    current(Workday(50), (9, 17), pay(&p::FOREIGN_PRINTER, CrossBorder, Between(30_000, 120_000), "RECHNUNG #")),
    current(About(14), (8, 20), buy(shops::OFFICE)),
    current(About(2), (8, 20), buy(shops::ABROAD)),
    current(About(1), (10, 16), HabitAction::Refund { at: shops::OFFICE }),
    current(Monthly(2), (1, 3), HabitAction::Fee { sum: Exactly(1_250), text: "Monthly account fee" }),
    dollars(Workday(120), (14, 21), receive(&p::US_CLIENT, CrossBorder, Between(80_000, 290_000), "INV #")),
    dollars(Workday(80), (14, 21), receive(&p::US_AGENCY, CrossBorder, Between(60_000, 220_000), "PO #")),
    dollars(Workday(130), (9, 17), pay(&p::US_ILLUSTRATOR, CrossBorder, Between(25_000, 95_000), "ARTWORK #")),
    dollars(About(9), (0, 24), buy(shops::SOFTWARE)),
    dollars(Workday(100), (9, 17), HabitAction::Sell { to: HouseholdAccount::Current, sum: Between(150_000, 260_000) }),
    dollars(Monthly(2), (1, 3), HabitAction::Fee { sum: Exactly(800), text: "Monthly account fee" }),
    euros(Workday(130), (8, 15), receive(&p::IRISH_CLIENT, CrossBorder, Between(70_000, 240_000), "INV #")),
    euros(Workday(70), (8, 15), receive(&p::DUTCH_CLIENT, CrossBorder, Between(90_000, 260_000), "FACTUUR #")),
    euros(Workday(110), (9, 17), pay(&p::FOREIGN_PRINTER, CrossBorder, Between(30_000, 110_000), "RECHNUNG #")),
    euros(Collected(12), (9, 17), pay(&p::LISBON_DESK, StandingOrder, Exactly(26_500), "DESK LISBOA")),
    euros(About(10), (7, 22), buy(shops::EUROPE)),
    euros(Workday(90), (9, 17), HabitAction::Sell { to: HouseholdAccount::Current, sum: Between(120_000, 240_000) }),
    euros(Monthly(2), (1, 3), HabitAction::Fee { sum: Exactly(700), text: "Monthly account fee" }),
];
