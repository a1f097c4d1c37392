//! Every validation rule of a draft, one by one and combined.

use super::*;
use crate::calendar::london_time;
use crate::payment::offer::PaymentLimits;
use crate::payment::transfer::{
    CreditorDetails, Instrument, International, NamedAccount, References, Route, Schedule, ScheduleEnd, Transfer,
};
use crate::payment::{PaymentContext, PaymentProduct};
use crate::refusal::{FaultCode as C, FaultLocation, Field as F};
use jiff::ToSpan;
use jiff::civil::date;

/// A Tuesday afternoon.
fn now() -> Timestamp {
    london_time(date(2026, 6, 9), 15, 0)
}

fn found(terms: &PaymentConsentRequest) -> Vec<(C, F)> {
    found_within(terms, &PaymentLimits::default())
}

fn found_within(terms: &PaymentConsentRequest, limits: &PaymentLimits) -> Vec<(C, F)> {
    let field = |place: Option<FaultLocation>| match place {
        Some(FaultLocation::Field(field)) => field,
        other => panic!("a rule names a field, not {other:?}"),
    };
    terms.faults(now(), limits).into_iter().map(|fault| (fault.code, field(fault.at))).collect()
}

fn paid(terms: &mut PaymentConsentRequest) -> &mut Transfer {
    if let Instruction::Transfer(transfer) = &mut terms.instruction { transfer } else { panic!("it is one payment") }
}

fn credit(terms: &mut PaymentConsentRequest) -> &mut CreditorDetails {
    if let Route::Domestic(credit) = &mut paid(terms).route { credit } else { panic!("it stays in the country") }
}

fn with_amount(timing: Timing, amount: Amount) -> PaymentConsentRequest {
    let mut it = terms(timing);
    paid(&mut it).amount = amount;
    it
}

fn with_creditor(instrument: Option<Instrument>, creditor: NamedAccount) -> PaymentConsentRequest {
    let mut it = terms(Timing::Immediate);
    *credit(&mut it) = CreditorDetails { instrument, ..CreditorDetails::new(creditor) };
    it
}

#[test]
fn a_plain_draft_of_each_product_is_taken() {
    for timing in
        [Timing::Immediate, Timing::Scheduled(date(2026, 6, 10)), Timing::StandingOrder(monthly(date(2026, 6, 10)))]
    {
        assert_eq!(found(&terms(timing)), []);
    }
}

#[test]
fn pis_110_completion_lies_in_the_future() {
    for (complete_by, expected) in [
        (now() + 1.second(), vec![]),
        (now(), vec![(C::FieldInvalidDate, F::AuthorisationCompletion)]),
        (now() - 1.second(), vec![(C::FieldInvalidDate, F::AuthorisationCompletion)]),
    ] {
        let mut it = terms(Timing::Immediate);
        it.authorisation.complete_by = Some(complete_by);
        assert_eq!(found(&it), expected);
    }
}

#[test]
fn pis_114_116_schemes_numbers_and_roll_numbers() {
    use AccountScheme as S;
    for (scheme, number, expected) in [
        (S::Iban, "GB33BUKB20201555555555", vec![]),
        (S::Iban, "GB33BUKB20201555555556", vec![(C::UnsupportedAccountIdentifier, F::CreditorIdentification)]),
        (
            S::SortCodeAccountNumber,
            "08-08-00 21325698",
            vec![(C::UnsupportedAccountIdentifier, F::CreditorIdentification)],
        ),
        (S::Paym, "+447700900123", vec![(C::UnsupportedScheme, F::CreditorScheme)]),
        (S::Bban, "BUKB20201555555555", vec![(C::UnsupportedScheme, F::CreditorScheme)]),
        (
            S::Wallet,
            "",
            vec![
                (C::UnsupportedScheme, F::CreditorScheme),
                (C::UnsupportedAccountIdentifier, F::CreditorIdentification),
            ],
        ),
    ] {
        assert_eq!(found(&with_creditor(None, payee(scheme, number))), expected, "{scheme:?} {number}");
    }
    for (scheme, number, expected) in [
        (S::SortCodeAccountNumber, "11280001234567", vec![]),
        (S::Pan, "4111111111111111", vec![(C::UnsupportedAccountSecondaryIdentifier, F::DebtorSecondary)]),
    ] {
        let mut it = terms(Timing::Immediate);
        it.debtor = Some(AccountIdentification { secondary: Some("roll 7".into()), ..account(scheme, number) });
        assert_eq!(found(&it), expected, "{scheme:?}");
    }
}

#[test]
fn pis_118_debtor_and_creditor_account_must_differ() {
    for (scheme, number) in
        [(AccountScheme::SortCodeAccountNumber, "20201555555555"), (AccountScheme::Iban, "GB33BUKB20201555555555")]
    {
        let mut it = with_creditor(None, payee(AccountScheme::Iban, "GB33BUKB20201555555555"));
        it.debtor = Some(account(scheme, number));
        assert_eq!(found(&it), [(C::FieldInvalid, F::CreditorAccount)]);
    }
}

#[test]
fn pis_121_to_124_amounts_and_currencies() {
    let euros = |minor| Amount::from_minor(minor, Currency::EUR);
    for (amount, expected) in [
        (pounds(1), vec![]),
        (pounds(100_000_000), vec![]),
        (pounds(100_000_001), vec![(C::FieldInvalid, F::InstructedAmount)]),
        (pounds(0), vec![(C::FieldInvalid, F::InstructedAmount)]),
        (euros(1), vec![(C::UnsupportedCurrency, F::InstructedCurrency)]),
        (euros(0), vec![(C::FieldInvalid, F::InstructedAmount), (C::UnsupportedCurrency, F::InstructedCurrency)]),
    ] {
        assert_eq!(found(&with_amount(Timing::Immediate, amount)), expected, "{amount:?}");
    }
    // An instrument of the euro, once the bank offers it, carries euros and nothing else.
    let mut limits = PaymentLimits::default();
    let offered = limits.products.get_mut(&PaymentProduct::DomesticPayment).unwrap();
    offered.instruments.push(Instrument::SepaCreditTransfer);
    let mut it = with_amount(Timing::Immediate, euros(500));
    credit(&mut it).instrument = Some(Instrument::SepaCreditTransfer);
    assert_eq!(found_within(&it, &limits), []);
    let mut it = terms(Timing::Immediate);
    credit(&mut it).instrument = Some(Instrument::SepaCreditTransfer);
    assert_eq!(found_within(&it, &limits), [(C::UnsupportedCurrency, F::InstructedCurrency)]);
}

#[test]
fn pis_138_139_only_offered_instruments_are_taken() {
    let taken = |timing: Timing| {
        let offered = |instrument: &Instrument| {
            let mut it = terms(timing.clone());
            credit(&mut it).instrument = Some(*instrument);
            !found(&it).contains(&(C::UnsupportedLocalInstrument, F::LocalInstrument))
        };
        Instrument::ALL.into_iter().filter(offered).collect::<Vec<_>>()
    };
    use Instrument as I;
    assert_eq!(taken(Timing::Immediate), [I::Bacs, I::Chaps, I::FasterPayments, I::BalanceTransfer, I::MoneyTransfer]);
    assert_eq!(taken(Timing::Scheduled(date(2026, 6, 10))), [I::Bacs, I::Chaps, I::FasterPayments]);
}

#[test]
fn pis_140_balance_and_money_transfers_start_at_a_card() {
    let card = |number| account(AccountScheme::Pan, number);
    let bank = account(AccountScheme::SortCodeAccountNumber, "11280001234567");
    let to_card = payee(AccountScheme::Pan, "5555555555554444");
    let to_bank = payee(AccountScheme::SortCodeAccountNumber, "08080021325698");
    for (instrument, debtor, creditor, expected) in [
        (Instrument::BalanceTransfer, Some(card("4111111111111111")), &to_card, vec![]),
        (Instrument::BalanceTransfer, None, &to_card, vec![]),
        (
            Instrument::BalanceTransfer,
            Some(bank.clone()),
            &to_bank,
            vec![(C::UnsupportedScheme, F::DebtorScheme), (C::UnsupportedScheme, F::CreditorScheme)],
        ),
        (Instrument::MoneyTransfer, Some(card("4111111111111111")), &to_bank, vec![]),
        (
            Instrument::MoneyTransfer,
            Some(bank),
            &to_card,
            vec![(C::UnsupportedScheme, F::DebtorScheme), (C::UnsupportedScheme, F::CreditorScheme)],
        ),
        (Instrument::FasterPayments, None, &to_card, vec![(C::UnsupportedScheme, F::CreditorScheme)]),
    ] {
        let mut it = with_creditor(Some(instrument), creditor.clone());
        it.debtor = debtor;
        assert_eq!(found(&it), expected, "{instrument:?}");
    }
}

#[test]
fn sch_002_003_a_day_is_later_than_londons_today_and_not_too_far() {
    for (day, expected) in [
        (date(2026, 6, 10), vec![]),
        (date(2026, 6, 9), vec![(C::FieldInvalidDate, F::RequestedExecution)]),
        (date(2026, 6, 8), vec![(C::FieldInvalidDate, F::RequestedExecution)]),
        (date(2027, 6, 9), vec![]),
        (date(2027, 6, 10), vec![]),
        (date(2027, 6, 11), vec![(C::FieldInvalidDate, F::RequestedExecution)]),
    ] {
        assert_eq!(found(&terms(Timing::Scheduled(day))), expected, "{day}");
    }
}

#[test]
fn so_007_to_013_schedules() {
    let first = date(2026, 7, 1);
    let cases = [
        (
            "SO-005",
            Schedule { frequency: crate::frequency::Frequency::NotKnown, ..monthly(first) },
            vec![(C::UnsupportedFrequency, F::Frequency)],
        ),
        ("SO-007", monthly(date(2026, 6, 9)), vec![(C::FieldInvalidDate, F::FirstPayment)]),
        ("SO-008", Schedule { recurring_from: Some(first), ..monthly(first) }, vec![]),
        (
            "SO-008",
            Schedule { recurring_from: Some(date(2026, 6, 30)), ..monthly(first) },
            vec![(C::FieldInvalidDate, F::RecurringPayment)],
        ),
        ("SO-009", Schedule { end: ScheduleEnd::On(first), ..monthly(first) }, vec![]),
        (
            "SO-009",
            Schedule { end: ScheduleEnd::On(date(2026, 6, 30)), ..monthly(first) },
            vec![(C::FieldInvalidDate, F::FinalPayment)],
        ),
        (
            "SO-009",
            Schedule {
                recurring_from: Some(date(2026, 8, 3)),
                end: ScheduleEnd::On(date(2026, 8, 2)),
                ..monthly(first)
            },
            vec![(C::FieldInvalidDate, F::FinalPayment)],
        ),
        ("SO-012", Schedule { last: Some(pounds(5)), ..monthly(first) }, vec![(C::FieldUnexpected, F::FinalMoney)]),
        (
            "SO-012",
            Schedule { last: Some(pounds(5)), end: ScheduleEnd::On(date(2026, 12, 1)), ..monthly(first) },
            vec![],
        ),
        ("SO-013", Schedule { regular: Some(pounds(1_000)), ..monthly(first) }, vec![]),
        (
            "SO-013",
            Schedule { regular: Some(Amount::from_minor(1, Currency::EUR)), ..monthly(first) },
            vec![(C::FieldInvalid, F::RecurringCurrency), (C::UnsupportedCurrency, F::RecurringCurrency)],
        ),
    ];
    for (rule, schedule, expected) in cases {
        assert_eq!(found(&terms(Timing::StandingOrder(schedule.clone()))), expected, "{rule}: {schedule:?}");
    }
}

#[test]
fn pis_121_124_the_amounts_of_a_schedule_are_judged_where_they_stand() {
    let schedule = Schedule {
        end: ScheduleEnd::On(date(2026, 12, 1)),
        regular: Some(pounds(0)),
        last: Some(pounds(100_000_001)),
        ..monthly(date(2026, 7, 1))
    };
    assert_eq!(
        found(&with_amount(Timing::StandingOrder(schedule), pounds(0))),
        [(C::FieldInvalid, F::RecurringAmount), (C::FieldInvalid, F::FinalAmount), (C::FieldInvalid, F::FirstAmount)]
    );
}

#[test]
fn pis_145_the_context_is_required_only_if_the_bank_says_so() {
    let limits = PaymentLimits { context_required: true, ..PaymentLimits::default() };
    let mut it = terms(Timing::Immediate);
    assert_eq!(found_within(&it, &limits), [(C::FieldMissing, F::PaymentRisk)]);
    it.context = Some(PaymentContext::TransferToSelf);
    assert_eq!(found_within(&it, &limits), []);
}

#[test]
fn pis_023_all_faults_are_found_at_once() {
    let mut it = with_amount(Timing::Scheduled(date(2026, 6, 1)), pounds(0));
    it.authorisation.complete_by = Some(at(0));
    it.debtor = Some(account(AccountScheme::Paym, "x"));
    credit(&mut it).instrument = Some(Instrument::Swift);
    assert_eq!(
        found(&it),
        [
            (C::FieldInvalidDate, F::AuthorisationCompletion),
            (C::UnsupportedScheme, F::DebtorScheme),
            (C::UnsupportedAccountIdentifier, F::DebtorIdentification),
            (C::UnsupportedLocalInstrument, F::LocalInstrument),
            (C::FieldInvalidDate, F::RequestedExecution),
            (C::FieldInvalid, F::InstructedAmount),
        ]
    );
}

#[test]
fn pis_021_a_product_that_is_not_offered_is_refused() {
    let mut limits = PaymentLimits::default();
    limits.products.remove(&PaymentProduct::DomesticPayment);
    assert_eq!(terms(Timing::Immediate).faults(now(), &limits).len(), 1);
}

#[test]
fn pis_133_texts_too_long_for_a_rail_are_refused_unless_bank_truncates() {
    let references =
        References { end_to_end: Some("e".repeat(32)), reference: Some("r".repeat(18)), ..References::default() };
    let mut it = terms(Timing::Immediate);
    credit(&mut it).references = references;
    assert_eq!(found(&it), []);
    let limits = PaymentLimits { truncating_instruments: vec![Instrument::Bacs], ..PaymentLimits::default() };
    assert_eq!(found_within(&it, &limits), [(C::FieldInvalid, F::EndToEnd)]);
    credit(&mut it).instrument = Some(Instrument::Bacs);
    assert_eq!(found_within(&it, &limits), []);
    let mut it = terms(Timing::StandingOrder(monthly(date(2026, 6, 10))));
    credit(&mut it).references.reference = Some("r".repeat(19));
    assert_eq!(found_within(&it, &limits), [(C::FieldInvalid, F::StandingOrderReference)]);
}

/// Ten euros abroad, to this IBAN.
fn abroad(instrument: Instrument, iban: &str) -> PaymentConsentRequest {
    let creditor = payee(AccountScheme::Iban, iban);
    let credit = CreditorDetails { instrument: Some(instrument), ..CreditorDetails::new(creditor) };
    let payment = International {
        credit,
        payee: None,
        agent: None,
        transfer: Currency::EUR,
        exchange: None,
        bearer: None,
        priority: None,
        destination: None,
        purpose: None,
        purpose_in_words: None,
    };
    let transfer = Transfer::international(payment, Amount::from_minor(1_000, Currency::EUR), Timing::Immediate);
    PaymentConsentRequest { instruction: transfer.into(), ..terms(Timing::Immediate) }
}

#[test]
fn pis_139_a_rail_of_the_euro_reaches_no_bank_outside_sepa() {
    use Instrument as I;
    let german = "DE89370400440532013000";
    let turkish = "TR330006100519786457841326";
    for rail in [I::SepaCreditTransfer, I::SepaInstantCreditTransfer, I::Target2, I::Euro1] {
        assert_eq!(found(&abroad(rail, german)), [], "{rail:?}");
        assert_eq!(found(&abroad(rail, turkish)), [(C::UnsupportedLocalInstrument, F::LocalInstrument)], "{rail:?}");
    }
    assert_eq!(found(&abroad(I::Swift, turkish)), []);
}

#[test]
fn file_016_sch_003_a_file_may_be_for_today_and_not_for_too_far_ahead() {
    let on = |day: Date| {
        let mut file = crate::payment::file::FileInitiation {
            execute_on: Some(day),
            ..crate::payment::file::FileInitiation::new(
                crate::payment::file::FileType::Pain001,
                crate::grant::Digest([7; 32]),
            )
        };
        file.instrument = Some(Instrument::Bacs);
        found(&PaymentConsentRequest { instruction: Instruction::File(Box::new(file)), ..terms(Timing::Immediate) })
    };
    let today = date(2026, 6, 9);
    assert_eq!([on(today), on(today - 1.day()), on(today + 366.days())], [vec![], vec![], vec![]]);
    assert_eq!(on(today + 367.days()), [(C::FieldInvalidDate, F::RequestedExecution)]);
}
