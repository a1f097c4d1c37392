//! Scheduled and future payments, mandates that are not collected, and offers.

use super::super::habit::{CancelledRow, FutureRow, HouseholdAccount, OfferRow, PlannedRow};
use super::parties as p;
use lombard_domain::account::{ArrangementStatus, OfferType, ScheduledType};

pub(super) const AMELIA_CANCELLED: &[CancelledRow] = &[
    CancelledRow {
        on: HouseholdAccount::Current,
        status: ArrangementStatus::Inactive,
        name: "Pagewell Magazine",
        months_before: 3,
        minor: 599,
    },
    CancelledRow {
        on: HouseholdAccount::Current,
        status: ArrangementStatus::Suspended,
        name: "Brightsmile Dental Plan",
        months_before: 1,
        minor: 1_425,
    },
];

pub(super) const AMELIA_FUTURE: &[FutureRow] = &[FutureRow {
    on: HouseholdAccount::Current,
    days_ahead: 3,
    to: &p::CHARITY,
    minor: 2_500,
    text: "SPONSORED WALK",
}];

pub(super) const AMELIA_SCHEDULED: &[PlannedRow] = &[
    PlannedRow {
        on: HouseholdAccount::Current,
        days_ahead: 9,
        to: &p::PRIYA,
        minor: 8_500,
        kind: ScheduledType::Execution,
        reference: "LAKES COTTAGE",
        own_reference: "Cottage with Priya",
    },
    PlannedRow {
        on: HouseholdAccount::Current,
        days_ahead: 41,
        to: &p::AMELIA_LANDLORD,
        minor: 5_000,
        kind: ScheduledType::Arrival,
        reference: "KEY DEPOSIT",
        own_reference: "Second set of keys",
    },
];

pub(super) const AMELIA_OFFERS: &[OfferRow] = &[
    OfferRow {
        on: HouseholdAccount::Card,
        kind: OfferType::BalanceTransfer,
        description: "Move a balance from another card and pay no interest on it for a while.",
        slug: "balance-transfer",
        rate_per_10k: Some(0),
        months: Some(12),
        amount: 300_000,
        fee: 2_900,
    },
    OfferRow {
        on: HouseholdAccount::Card,
        kind: OfferType::LimitIncrease,
        description: "Your credit limit can be raised. Nothing changes unless you ask for it.",
        slug: "limit-increase",
        rate_per_10k: None,
        months: None,
        amount: 600_000,
        fee: 0,
    },
    OfferRow {
        on: HouseholdAccount::Savings,
        kind: OfferType::PromotionalRate,
        description: "A higher rate on money that you pay in now.",
        slug: "saver-bonus",
        rate_per_10k: Some(475),
        months: Some(6),
        amount: 0,
        fee: 0,
    },
];

pub(super) const STUDIO_CANCELLED: &[CancelledRow] = &[
    CancelledRow {
        on: HouseholdAccount::Current,
        status: ArrangementStatus::Expired,
        name: "Stapleton Fleet Hire",
        months_before: 2,
        minor: 31_900,
    },
    CancelledRow {
        on: HouseholdAccount::Current,
        status: ArrangementStatus::Inactive,
        name: "Quayside Couriers",
        months_before: 5,
        minor: 8_640,
    },
];

pub(super) const STUDIO_FUTURE: &[FutureRow] =
    &[FutureRow { on: HouseholdAccount::Current, days_ahead: 2, to: &p::PRINTER, minor: 46_800, text: "INV #" }];

pub(super) const STUDIO_SCHEDULED: &[PlannedRow] = &[
    PlannedRow {
        on: HouseholdAccount::Current,
        days_ahead: 13,
        to: &p::PRINTER,
        minor: 74_250,
        kind: ScheduledType::Execution,
        reference: "CATALOGUE PRINT RUN",
        own_reference: "Museum catalogue",
    },
    PlannedRow {
        on: HouseholdAccount::Euros,
        days_ahead: 20,
        to: &p::FOREIGN_PRINTER,
        minor: 61_800,
        kind: ScheduledType::Arrival,
        reference: "RECHNUNG 20418",
        own_reference: "Proofs, second half",
    },
];

pub(super) const STUDIO_OFFERS: &[OfferRow] = &[OfferRow {
    on: HouseholdAccount::Current,
    kind: OfferType::Other,
    description: "Take card payments with a terminal of the bank, the first months without rent.",
    slug: "card-terminal",
    rate_per_10k: None,
    months: Some(3),
    amount: 0,
    fee: 0,
}];

pub(super) const DEEPAK_CANCELLED: &[CancelledRow] = &[CancelledRow {
    on: HouseholdAccount::Current,
    status: ArrangementStatus::Inactive,
    name: "Ironworks Gym",
    months_before: 4,
    minor: 2_499,
}];

pub(super) const DEEPAK_SCHEDULED: &[PlannedRow] = &[PlannedRow {
    on: HouseholdAccount::Current,
    days_ahead: 6,
    to: &p::COUSIN,
    minor: 2_000,
    kind: ScheduledType::Execution,
    reference: "BIRTHDAY",
    own_reference: "Anil's birthday",
}];

pub(super) const DEEPAK_OFFERS: &[OfferRow] = &[OfferRow {
    on: HouseholdAccount::Current,
    kind: OfferType::MoneyTransfer,
    description: "Talk to us about gathering what you owe in one place.",
    slug: "money-transfer",
    rate_per_10k: Some(1_490),
    months: Some(24),
    amount: 100_000,
    fee: 1_500,
}];
