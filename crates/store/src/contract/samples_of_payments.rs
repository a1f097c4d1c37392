//! Payments for the promises: each form of an instruction, and once everything that can be said.

use super::samples::{at, consent};
use jiff::civil::{Weekday, date};
use lombard_domain::account::{AccountScheme, AddressType, Identification, PostalAddress};
use lombard_domain::consent::{Consent, PaymentConsent, PaymentSource, Terms};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{
    Acceptance, AppliedApproach, AuthorisationWish, AuthorisationWishType, Charge, ChargeBearer, ChargeType,
    Conditions, Credit, CutOff, DetailReason, End, Execution, Exemption, Instruction, Instrument, Lateness,
    NamedAccount, Order, PaymentContext, PaymentStatus, PaymentTerms, RailDetail, References, ScaSupport, Schedule,
    Timing, Transfer,
};
use lombard_domain::version::Version;
use std::num::NonZeroU16;

pub(super) const fn pounds(minor: u64) -> Amount {
    Amount::from_minor(minor, Currency::GBP)
}

fn account(secondary: Option<&str>) -> Identification {
    Identification {
        scheme: AccountScheme::SortCodeAccountNumber,
        number: String::from("20000012345678"),
        name: Some(String::from("Ann “Payee”")),
        secondary: secondary.map(String::from),
    }
}

pub(super) fn named(secondary: Option<&str>) -> NamedAccount {
    NamedAccount::new(account(secondary)).unwrap()
}

/// To whom, with nothing but what there must be.
fn plain_credit() -> Credit {
    Credit { instrument: None, creditor: named(None), address: None, references: References::default() }
}

fn full_credit() -> Credit {
    let text = |text: &str| Some(String::from(text));
    Credit {
        instrument: Some(Instrument::Chaps),
        creditor: named(Some("roll")),
        address: Some(PostalAddress {
            kind: Some(AddressType::Business),
            town: text("Leeds"),
            lines: vec![String::from("1 High St")],
            ..PostalAddress::default()
        }),
        references: References {
            instruction: text("i"),
            end_to_end: text("e"),
            reference: text("r"),
            message: text("Ünïcode \"quoted\" \\ \u{1F4B7}"),
        },
    }
}

fn schedule(end: End) -> Timing {
    Timing::Recurring(Schedule {
        frequency: Frequency::IntervalWeekDay(2, Weekday::Friday),
        first_on: date(2026, 12, 1),
        recurring_from: Some(date(2026, 12, 4)),
        end,
        regular: Some(pounds(5)),
        last: None,
    })
}

/// Every form an instruction has.
pub(super) fn instructions() -> Vec<Instruction> {
    let timings = [
        Timing::Immediate,
        Timing::On(date(2028, 2, 29)),
        schedule(End::Open),
        schedule(End::After(NonZeroU16::MAX)),
        schedule(End::On(date(2027, 1, 1))),
        Timing::Recurring(Schedule {
            frequency: Frequency::EveryWorkingDay,
            first_on: date(2026, 12, 1),
            recurring_from: None,
            end: End::Open,
            regular: None,
            last: Some(pounds(7)),
        }),
    ];
    let domestic = |(credit, timing)| Transfer::domestic(credit, pounds(9_999_999_999_999_999), timing).into();
    let credits = [plain_credit(), full_credit()].into_iter().cycle();
    credits.zip(timings).map(domestic).collect()
}

/// Terms with nothing but what there must be.
pub(super) fn plain_terms(instruction: Instruction) -> PaymentTerms {
    PaymentTerms {
        instruction,
        debtor: None,
        refund: false,
        authorisation: AuthorisationWish::default(),
        sca: ScaSupport::default(),
        context: None,
    }
}

pub(super) fn full_terms() -> PaymentTerms {
    PaymentTerms {
        debtor: Some(account(Some("roll"))),
        refund: true,
        authorisation: AuthorisationWish { kind: AuthorisationWishType::Single, complete_by: Some(at(90)) },
        sca: ScaSupport {
            exemption: Some(Exemption::Parking),
            applied: Some(AppliedApproach::Strong),
            earlier_order: Some("o-earlier".into()),
        },
        context: Some(PaymentContext::TransferToSelf),
        ..plain_terms(Transfer::domestic(full_credit(), pounds(1), Timing::Immediate).into())
    }
}

pub(super) fn full_conditions() -> Conditions {
    let charge = |bearer, kind| Charge { bearer, kind, amount: pounds(25) };
    Conditions {
        charges: vec![
            charge(ChargeBearer::Debtor, ChargeType::ChapsOut),
            charge(ChargeBearer::ServiceLevel, ChargeType::MoneyTransferOut),
        ],
        cut_off: Some(CutOff { at: at(70), lateness: Lateness::Refused }),
        execution_at: Some(at(71)),
        settlement_at: Some(at(72)),
        quote: None,
    }
}

pub(super) fn source(authorisers: u16) -> PaymentSource {
    PaymentSource { account: named(None), bic: Some("LMBDGB2LXXX".to_owned()), authorisers }
}

/// A payment consent that nobody has decided on.
pub(super) fn payment_consent(id: &str, client: &str, terms: PaymentTerms) -> Consent {
    let terms = Terms::Payment(Box::new(PaymentConsent::new(terms, Conditions::default())));
    Consent { terms, expires_at: None, ..consent(id, client) }
}

/// An order of a consent, from an account.
pub(super) fn order(id: &str, consent: &str, debtor: &str, authorisers: u16, terms: &PaymentTerms) -> Order {
    let with = Acceptance {
        id: id.into(),
        client: "t".into(),
        consent: consent.into(),
        version: Version::V3_1,
        debtor: debtor.into(),
        psu: "amelia".into(),
        authorisers,
        conditions: Conditions::default(),
        product: terms.product(),
        instruction: terms.instruction.clone(),
        complete_by: terms.authorisation.complete_by,
    };
    Order { customer_address: Some([203, 0, 113, 7].into()), ..Order::accept(with, at(50)) }
}

pub(super) fn rail_detail() -> RailDetail {
    RailDetail {
        instrument: Some(Instrument::FasterPayments),
        status: String::from("ACSC"),
        reason: Some(DetailReason::PendingSettlement),
        description: Some(String::from("Settled.")),
    }
}

pub(super) fn execution(order: &str, number: u32) -> Execution {
    Execution {
        order: order.into(),
        number,
        due_on: date(2026, 12, 5),
        paid_on: date(2026, 12, 7),
        amount: pounds(9_999_999_999_999_999),
        status: PaymentStatus::Pending,
        since: at(80),
        detail: None,
        heard: 0,
    }
}
