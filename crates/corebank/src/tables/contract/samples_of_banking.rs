//! Sample arrangements, parties and statements for the contract tests, with every optional member set.

use super::samples::{at, pounds};
use jiff::civil::Weekday;
use lombard_domain::account::{
    AccountIdentification, AccountParty, AccountProduct, AccountRole, AccountScheme, AddressType, ArrangementStatus,
    BankIdentification, Beneficiary, BeneficiaryType, DirectDebit, DirectDebitFrequency, FeeFrequency, FeeRateType,
    Instalment, InterestFrequency, InterestRateType, LegalStructure, Offer, OfferType, Party, PartyType, PostalAddress,
    ProductKind, ScheduledPayment, ScheduledType, StandingOrder, Statement, StatementAmountType, StatementBenefit,
    StatementBenefitType, StatementDateType, StatementFee, StatementFeeType, StatementInterest, StatementInterestType,
    StatementRateType, StatementType, StatementValueType,
};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Currency, SignedAmount};
use rust_decimal::Decimal;

fn text(text: &str) -> Option<String> {
    Some(String::from(text))
}

fn address() -> PostalAddress {
    PostalAddress {
        kind: Some(AddressType::Residential),
        department: text("d"),
        sub_department: text("s"),
        street: text("High Street"),
        building: text("1a"),
        post_code: text("SW12 9AZ"),
        town: text("London"),
        county: text("Greater London"),
        country: text("GB"),
        lines: vec![String::from("Flat 2"), String::from("The Ünïcode Building")],
        ..PostalAddress::default()
    }
}

fn agent() -> Option<BankIdentification> {
    Some(BankIdentification { bic: text("CALDGB22"), name: text("Calder"), address: Some(address()), lei: None })
}

fn payee() -> AccountIdentification {
    AccountIdentification {
        scheme: AccountScheme::Iban,
        number: String::from("GB33BUKB20201555555555"),
        name: text("P"),
        secondary: text("roll"),
        proxy: None,
    }
}

pub(super) fn party(id: &str) -> Party {
    Party {
        id: id.into(),
        number: text("0001"),
        name: text("Amelia Hart"),
        full_legal_name: text("Amelia Jane Hart"),
        legal_structure: Some(LegalStructure::Individual),
        email: text("amelia@example.com"),
        phone: text("+44-2071838750"),
        mobile: text("+44-7700900123"),
        addresses: vec![address(), PostalAddress { country: text("GB"), ..PostalAddress::default() }],
        lei: None,
    }
}

pub(super) fn account_party(id: &str, account: &str) -> AccountParty {
    AccountParty {
        account: account.into(),
        kind: PartyType::Delegate,
        role: Some(AccountRole::SeniorManagingOfficial),
        beneficial_owner: Some(true),
        party: party(id),
    }
}

pub(super) fn beneficiary(id: &str, account: &str) -> Beneficiary {
    Beneficiary {
        id: id.into(),
        account: account.into(),
        kind: Some(BeneficiaryType::Trusted),
        reference: text("RENT"),
        agent: agent(),
        payee: payee(),
    }
}

pub(super) fn direct_debit(id: &str, account: &str) -> DirectDebit {
    DirectDebit {
        id: id.into(),
        account: account.into(),
        mandate: String::from("M-1"),
        status: ArrangementStatus::Inactive,
        name: String::from("Water"),
        frequency: DirectDebitFrequency::HalfYearly,
        previous: Some((at(7), pounds(3_450))),
        terms: None,
    }
}

pub(super) fn standing_order(id: &str, account: &str) -> StandingOrder {
    let instalment = |second| Some(Instalment { at: at(second), amount: pounds(u64::try_from(second).unwrap()) });
    StandingOrder {
        id: id.into(),
        account: account.into(),
        frequency: Frequency::WeekInMonthDay(2, Weekday::Thursday),
        reference: text("SAVING"),
        first: instalment(1),
        next: instalment(2),
        last: instalment(3),
        end: instalment(4),
        payments: Some(12),
        status: ArrangementStatus::Active,
        agent: agent(),
        payee: payee(),
        terms: None,
    }
}

pub(super) fn scheduled_payment(id: &str, account: &str) -> ScheduledPayment {
    ScheduledPayment {
        id: id.into(),
        account: account.into(),
        at: at(90),
        kind: ScheduledType::Arrival,
        reference: text("GIFT"),
        debtor_reference: text("for Priya"),
        amount: pounds(2_500),
        agent: agent(),
        payee: payee(),
    }
}

pub(super) fn product(id: &str, account: &str) -> AccountProduct {
    AccountProduct {
        account: account.into(),
        id: id.into(),
        secondary_id: text("P-1"),
        name: text("Everyday"),
        marketing_state: text("M1"),
        kind: ProductKind::PersonalCurrentAccount(Box::default()),
    }
}

pub(super) fn offer(id: &str, account: &str) -> Offer {
    Offer {
        id: id.into(),
        account: account.into(),
        kind: OfferType::BalanceTransfer,
        description: text("0 % for a year"),
        from: Some(at(1)),
        until: Some(at(2)),
        rate: Some(Decimal::new(29_900, 4)),
        value: Some(12),
        term: text("12 months"),
        url: text("https://bank.example/offers"),
        amount: Some(pounds(500_000)),
        fee: Some(pounds(1_500)),
    }
}

pub(super) fn statement(id: &str, account: &str, from: i64, to: i64) -> Statement {
    let sum = |minor| SignedAmount::from_minor(minor, Currency::GBP);
    Statement {
        id: id.into(),
        account: account.into(),
        reference: Some(format!("REF {id}")),
        kind: StatementType::RegularPeriodic,
        starts_at: at(from),
        ends_at: at(to),
        created_at: at(to + 1),
        descriptions: vec![String::from("Thank you"), String::from("for banking")],
        benefits: vec![StatementBenefit { kind: StatementBenefitType::Cashback, amount: pounds(12) }],
        fees: vec![StatementFee {
            description: text("Monthly fee"),
            kind: StatementFeeType::Monthly,
            rate: Some((Decimal::new(275, 2), FeeRateType::Ear)),
            frequency: Some(FeeFrequency::StatementMonthly),
            sum: sum(-800),
        }],
        interest: vec![StatementInterest {
            description: text("Interest"),
            kind: StatementInterestType::Total,
            rate: Some((Decimal::new(425, 2), InterestRateType::Gross)),
            frequency: Some(InterestFrequency::Monthly),
            sum: sum(321),
        }],
        amounts: vec![(StatementAmountType::StartingBalance, sum(5)), (StatementAmountType::ClosingBalance, sum(-5))],
        dates: vec![(StatementDateType::PaymentDue, at(99))],
        rates: vec![(StatementRateType::AnnualPurchase, Decimal::new(219_000, 4))],
        values: vec![(StatementValueType::Credits, String::from("3"))],
        total: Some(pounds(5)),
    }
}
