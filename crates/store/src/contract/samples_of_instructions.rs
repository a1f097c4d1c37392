//! Sample instructions of every form, with the mandatory members only and with all optional ones.

use super::samples::digest;
use super::samples_of_payments::{account, named, pounds};
use jiff::civil::{Weekday, date};
use lombard_domain::account::{AddressType, PostalAddress};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::ChargeBearer;
use lombard_domain::payment::exchange::{AgreedRate, ExchangeRateRequest, Quote, QuoteBasis, RequestedRate};
use lombard_domain::payment::file::{FileInitiation, FileType};
use lombard_domain::payment::order::Instruction;
use lombard_domain::payment::transfer::{
    AgentCode, CreditorDetails, Instrument, International, PayeeAgent, Priority, References, RemittanceInformation,
    Schedule, ScheduleEnd, Timing, Transfer, TransferDetails,
};
use lombard_domain::payment::vrp::{
    AuthenticationMethod, ControlParameters, InteractionType, LimitPeriod, PeriodAlignment, PeriodCycle, PeriodicLimit,
    PeriodicLimits, VrpConsentRequest, VrpPayment, VrpType,
};
use std::num::NonZeroU16;

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Instructions of every form.
pub(super) fn instructions() -> Vec<Instruction> {
    domestic().into_iter().chain(international()).chain(files()).chain(vrp_instructions()).collect()
}

/// A creditor with the mandatory members only.
fn plain_credit() -> CreditorDetails {
    CreditorDetails::new(named(None))
}

pub(super) fn full_credit() -> CreditorDetails {
    CreditorDetails {
        instrument: Some(Instrument::Chaps),
        creditor: named(Some("roll")),
        address: Some(full_address()),
        references: full_references(),
    }
}

pub(super) fn full_address() -> PostalAddress {
    PostalAddress {
        kind: Some(AddressType::Business),
        town: text("Leeds"),
        lines: vec![String::from("1 High St")],
        ..PostalAddress::default()
    }
}

pub(super) fn full_references() -> References {
    References {
        instruction: text("i"),
        end_to_end: text("e"),
        reference: text("r"),
        message: text("Ünïcode \"quoted\" \\ \u{1F4B7}"),
        remittance: Some(Box::new(RemittanceInformation {
            unstructured: vec![String::from("one"), String::from("two")],
            ..RemittanceInformation::default()
        })),
    }
}

fn schedule(end: ScheduleEnd) -> Timing {
    Timing::StandingOrder(Schedule {
        frequency: Frequency::IntervalWeekDay(2, Weekday::Friday),
        first_on: date(2026, 12, 1),
        recurring_from: Some(date(2026, 12, 4)),
        end,
        regular: Some(pounds(5)),
        last: None,
    })
}

fn timings() -> Vec<Timing> {
    vec![
        Timing::Immediate,
        Timing::Scheduled(date(2028, 2, 29)),
        schedule(ScheduleEnd::Open),
        schedule(ScheduleEnd::After(NonZeroU16::MAX)),
        schedule(ScheduleEnd::On(date(2027, 1, 1))),
        Timing::StandingOrder(Schedule {
            frequency: Frequency::EveryWorkingDay,
            first_on: date(2026, 12, 1),
            recurring_from: None,
            end: ScheduleEnd::Open,
            regular: None,
            last: Some(pounds(7)),
        }),
    ]
}

pub(super) fn domestic() -> Vec<Instruction> {
    let domestic = |(credit, timing)| {
        let details = TransferDetails { purpose: "RENT".parse().ok(), ..TransferDetails::default() };
        Transfer::domestic(credit, pounds(9_999_999_999_999_999), timing).with_details(details).into()
    };
    let credits = [plain_credit(), full_credit()].into_iter().cycle();
    credits.zip(timings()).map(domestic).collect()
}

/// International transfers: minimal, and with each kind of rate and of creditor agent.
fn international_transfers() -> Vec<International> {
    let plain = International {
        credit: plain_credit(),
        payee: None,
        agent: None,
        transfer: Currency::USD,
        exchange: None,
        bearer: None,
        priority: None,
        destination: None,
        purpose: None,
        purpose_in_words: None,
    };
    let full = |basis, code| International {
        credit: CreditorDetails { instrument: Some(Instrument::Swift), ..full_credit() },
        payee: text("Ünïcode Payee"),
        agent: Some(PayeeAgent { code: Some(code), name: text("Bank"), address: Some(full_address()), lei: None }),
        transfer: "JPY".parse().unwrap(),
        exchange: Some(ExchangeRateRequest { unit: Currency::GBP, basis }),
        bearer: Some(ChargeBearer::ServiceLevel),
        priority: Some(Priority::Urgent),
        destination: text("JP"),
        purpose: text("SUPP"),
        purpose_in_words: text("Goods"),
    };
    let deal = AgreedRate { rate: "187.123456789012".parse().unwrap(), contract: "deal \"1\"".to_owned() };
    let clearing = AgentCode::Clearing { country: "JP".to_owned(), number: "0001".to_owned() };
    let bic = || AgentCode::Bic("DEUTDEFFXXX".to_owned());
    let mut all = vec![
        plain.clone(),
        full(RequestedRate::Actual, bic()),
        full(RequestedRate::Agreed(deal), clearing),
        full(RequestedRate::Indicative, bic()),
    ];
    all.push(International { agent: Some(PayeeAgent::default()), priority: Some(Priority::Normal), ..plain });
    all
}

fn international() -> Vec<Instruction> {
    let international =
        |(payment, timing)| Transfer::international(payment, Amount::from_minor(1, Currency::EUR), timing).into();
    international_transfers().into_iter().cycle().zip(timings()).map(international).collect()
}

/// A quote of each basis.
pub(super) fn quotes() -> [Quote; 3] {
    let pair =
        ExchangeRateRequest { unit: Currency::GBP, basis: RequestedRate::Indicative }.currency_pair(Currency::USD);
    let of = |rate: &str, basis| Quote { pair, rate: rate.parse().unwrap(), basis };
    [
        of("1.25", QuoteBasis::Actual { expires_at: super::samples::at(71) }),
        of("0.000000000001", QuoteBasis::Agreed { contract: "deal \"1\"".to_owned() }),
        of("123456789012345", QuoteBasis::Indicative),
    ]
}

fn files() -> Vec<Instruction> {
    let plain = FileInitiation::new(FileType::Pain001, digest(255));
    let full = |kind| FileInitiation {
        kind,
        hash: digest(7),
        reference: text("salaries"),
        count: Some(u64::MAX),
        sum: Some("100.50".parse().unwrap()),
        execute_on: Some(date(2026, 12, 24)),
        instrument: Some(Instrument::Bacs),
        debtor: Some(account(Some("roll"))),
        references: full_references(),
        details: None,
    };
    let files = std::iter::once(plain).chain(FileType::ALL.map(full));
    files.map(|terms| Instruction::File(Box::new(terms))).collect()
}

/// Every period cycle.
pub(super) fn cycles() -> Vec<PeriodCycle> {
    use LimitPeriod as P;
    let periods = [P::Day, P::Week, P::Fortnight, P::Month, P::HalfYear, P::Year];
    let each = |period| {
        [PeriodAlignment::Consent, PeriodAlignment::Calendar].map(|alignment| PeriodCycle::new(period, alignment))
    };
    periods.into_iter().flat_map(each).flatten().collect()
}

/// Control parameters with a limit for each of these cycles, equal to the limit on a single payment.
pub(super) fn controls(individual: u64, cycles: &[PeriodCycle]) -> ControlParameters {
    let limit = |cycle: &PeriodCycle| PeriodicLimit { cycle: *cycle, amount: pounds(individual) };
    ControlParameters {
        valid_from: None,
        valid_to: None,
        individual: pounds(individual),
        limits: PeriodicLimits::new(cycles.iter().map(limit).collect()).unwrap(),
        types: [VrpType::Sweeping].into(),
        methods: [AuthenticationMethod::NotRequired].into(),
        interactions: [].into(),
    }
}

pub(super) fn vrp_instructions() -> Vec<Instruction> {
    let plain = VrpConsentRequest {
        controls: controls(50_000, &cycles()[..1]),
        creditor: None,
        address: None,
        references: References::default(),
    };
    let full = VrpConsentRequest {
        controls: ControlParameters {
            valid_from: Some(date(1969, 12, 15)),
            valid_to: Some(date(2026, 12, 31)),
            types: VrpType::USUAL.into(),
            methods: AuthenticationMethod::ALL.into(),
            interactions: InteractionType::ALL.into(),
            ..controls(99, &cycles())
        },
        creditor: Some(named(Some("roll"))),
        address: Some(full_address()),
        references: full_references(),
    };
    [plain, full].map(|terms| Instruction::Vrp(Box::new(terms))).into()
}

/// A payment that all of these VRP consents allow.
pub(super) fn recurring_payment() -> VrpPayment {
    VrpPayment {
        transfer: Transfer::domestic(full_credit(), pounds(2), Timing::Immediate),
        kind: VrpType::Sweeping,
        method: AuthenticationMethod::NotRequired,
        interaction: Some(InteractionType::OffSession),
        names_interaction: true,
    }
}
