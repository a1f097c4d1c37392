//! Tests that the pages about payments render with every sample, and state what the customer approves.

use super::*;
use lombard_domain::payment::order::Instruction;
use lombard_domain::payment::transfer::Route;

pub(super) fn pounds(pence: u64) -> Amount {
    Amount::from_minor(pence, Currency::GBP)
}

/// Payment consents for 1,000 pounds to a payee with a hostile name, with all optional members or with none.
fn payments() -> Vec<PaymentConsent> {
    let number = |scheme, number: &str| AccountIdentification::new(scheme, number);
    let schedule = Schedule {
        frequency: Frequency::IntervalMonthDay(1, 31),
        first_on: date(2026, 3, 1),
        recurring_from: None,
        end: ScheduleEnd::On(date(2026, 12, 31)),
        regular: Some(pounds(2_000)),
        last: Some(pounds(1)),
    };
    let open = Schedule { end: ScheduleEnd::Open, regular: None, last: None, ..schedule.clone() };
    let timings = [
        Timing::Immediate,
        Timing::Scheduled(date(2026, 3, 1)),
        Timing::StandingOrder(schedule),
        Timing::StandingOrder(open),
    ];
    let mut payments = Vec::new();
    for (timing, full) in timings.into_iter().flat_map(|timing| [(timing.clone(), true), (timing, false)]) {
        let text = |text: &str| full.then(|| text.to_owned());
        let references = References {
            instruction: text("INSTR-1"),
            end_to_end: text("E2E-1"),
            reference: text("INV <42>"),
            message: text("Thank & you"),
            remittance: None,
        };
        let account = if full {
            number(AccountScheme::SortCodeAccountNumber, "08080021325698")
        } else {
            number(AccountScheme::Iban, "GB33BUKB20201555555555")
        };
        let credit = CreditorDetails {
            instrument: full.then_some(Instrument::Chaps),
            creditor: NamedAccount::under_name(account, NASTY.into()),
            address: None,
            references,
        };
        let charge = Charge { bearer: ChargeBearer::Debtor, kind: ChargeType::ChapsOut, amount: pounds(2_000) };
        let cut_off =
            CutOff { at: Timestamp::from_second(1_772_379_000).unwrap(), lateness: AfterCutOffPolicy::Refused };
        let told = PaymentConditions {
            charges: vec![charge],
            cut_off: Some(cut_off),
            execution_at: Some(Timestamp::from_second(1_772_442_000).unwrap()),
            settlement_at: Some(Timestamp::from_second(1_772_442_000).unwrap()),
            quote: None,
        };
        let terms = PaymentConsentRequest {
            instruction: Transfer::domestic(credit, pounds(100_000), timing).into(),
            debtor: full.then(|| number(AccountScheme::SortCodeAccountNumber, "20000012345678")),
            refund: full,
            authorisation: RequestedAuthorisation {
                complete_by: full.then(|| Timestamp::from_second(1_772_465_400).unwrap()),
                ..RequestedAuthorisation::default()
            },
            sca: ScaSupport::default(),
            context: None,
        };
        payments.push(PaymentConsent::new(terms, if full { told } else { PaymentConditions::default() }));
    }
    payments
}

/// Accounts to pay from: with sufficient funds, with insufficient funds, and with no funds.
pub(super) fn means() -> Vec<PayerOption> {
    let of = |offered: SelectableAccount, minor, authorisers: u16, others: &[&str]| PayerOption {
        offered,
        available: SignedAmount::from_minor(minor, Currency::GBP),
        suffices: minor > 1_000,
        authorisers,
        others: others.iter().map(|name| (*name).to_owned()).collect(),
        debit: None,
    };
    vec![
        of(account(AccountScheme::SortCodeAccountNumber, "30963412345678"), 123_456, 1, &[]),
        of(account(AccountScheme::Iban, "GB33BUKB20201555555555"), -5, 2, &[NASTY]),
        of(account(AccountScheme::Pan, "42"), 0, 2, &["Chloe", "Deepak"]),
    ]
}

#[test]
fn pis_134_the_roll_number_is_shown_and_replaces_the_reference() {
    let mut consent = payments().swap_remove(0);
    let roll = |consent: &mut PaymentConsent, instrument| {
        let Instruction::Transfer(Transfer { route: Route::Domestic(credit), .. }) = &mut consent.terms.instruction
        else {
            panic!("it stays in the country")
        };
        let account = AccountIdentification { secondary: Some("ROLL 77".into()), ..(*credit.creditor).clone() };
        credit.creditor = NamedAccount::under_name(account, "Building Society".into());
        credit.instrument = Some(instrument);
    };
    for (instrument, reference) in [(Instrument::FasterPayments, false), (Instrument::Chaps, true)] {
        roll(&mut consent, instrument);
        let PaymentSummaryView::Transfer(words) =
            PaymentSummaryView::of(&consent, &consent.conditions, Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH)
        else {
            panic!("it is one payment")
        };
        assert!(words.number.ends_with(", roll number ROLL 77"), "{}", words.number);
        assert_eq!(words.reference.is_some(), reference, "{instrument:?}");
    }
}

#[test]
fn as_142_payments_render_with_every_sample_and_say_what_is_agreed_to() {
    for frame in FRAMES {
        for notice in NOTICES {
            for payment in payments() {
                let full = payment.terms.refund;
                let consent = asked(payment);
                for sources in [Vec::new(), means()] {
                    let some = !sources.is_empty();
                    let [html, code, login] = journey_of(frame, notice, &consent, sources, &[]);
                    assert!(html.contains("£1,000.00") && html.contains("&#60;script&#62;"), "{html}");
                    assert_eq!(html.contains("value=\"approve\""), some);
                    assert!(html.contains("value=\"refuse\"") && html.contains("Acme Limited"));
                    assert_eq!(html.matches("type=\"radio\"").count(), if some { 3 } else { 0 });
                    assert_eq!(html.matches("Not enough money").count(), if some { 2 } else { 0 }, "PIS-083");
                    assert!(!some || html.contains("Needs 2 people to agree: you and"), "PIS-112");
                    assert!(!some || html.contains("you and 1 more of those who may"));
                    assert_eq!(html.contains("INV &#60;42&#62;") && html.contains("Thank &#38; you"), full);
                    assert_eq!(html.contains("08-08-00 21325698"), full);
                    assert_eq!(html.contains("GB33 BUKB 2020 1555 5555 55"), !full);
                    assert_eq!(html.contains("£1,020.00"), full, "PIS-100: charges, and what they come to");
                    assert_eq!(html.contains("Sunday 1 March 2026 at 15:30, London time"), full, "PIS-037");
                    assert_eq!(html.contains("before Monday 2 March 2026 at 15:30"), full, "PIS-110");
                    assert_eq!(html.contains("pay you back"), full && some, "PIS-096");
                    let shown = html.replace("handle-30963412345678", "");
                    assert!(!shown.contains("30963412345678") && !html.contains("bank-account"));
                    assert!(code.contains("£1,000.00") && code.contains("no other amount or payee"), "dynamic linking");
                    assert!(!login.contains("£1,000.00") && login.contains("nothing is paid before"));
                }
            }
        }
    }
}

pub(super) fn order(consent: &PaymentConsent) -> Order {
    let with = NewOrder {
        id: "order".into(),
        client: "client".into(),
        consent: "consent".into(),
        version: Version::V3_1,
        debtor: "bank-account".into(),
        psu: "bashir".into(),
        authorisers: 2,
        conditions: consent.conditions.clone(),
        product: consent.terms.product(),
        instruction: consent.terms.instruction.clone(),
        complete_by: consent.terms.authorisation.complete_by,
    };
    Order::accept(with, Timestamp::UNIX_EPOCH)
}

#[test]
fn pis_112_payments_of_several_customers_render_with_every_sample() {
    for frame in FRAMES {
        for consent in payments() {
            let mut order = order(&consent);
            order.approvals.as_mut().unwrap().expires_at = consent.terms.refund.then_some(Timestamp::UNIX_EPOCH);
            for outcome in [None, Some(ApprovalOutcome { title: "A title", text: "A text" })] {
                let words = || {
                    let account = AccountView::of(&account(AccountScheme::Iban, "GB33BUKB20201555555555").account);
                    PendingPaymentView::new(
                        journey(None).who,
                        (&order, &consent, None),
                        Some(account),
                        &[NASTY.to_owned()],
                        outcome,
                    )
                };
                let code = || {
                    let sent_to = "your phone".to_owned();
                    let shown_code = Some("123456".to_owned());
                    ApprovalView::Code(CodeView { sent_to, shown_code })
                };
                let forms: [fn() -> ApprovalView; 2] = [code, || ApprovalView::AtProvider];
                for (notice, asked) in NOTICES.into_iter().flat_map(|notice| forms.map(|form| (notice, form))) {
                    let asked = outcome.is_none().then(asked);
                    let form_token = "form-token".to_owned();
                    let html = JointPage::new(frame, form_token, notice, words(), asked, &[]).render().unwrap();
                    sound(&html);
                    assert!(html.contains("£1,000.00") && html.contains("Acme Limited"));
                    assert_eq!(html.contains("action=\"/apps/payments/order\""), outcome.is_none());
                    assert_eq!(html.contains("A title"), outcome.is_some());
                    assert!(!html.contains("bank-account"));
                }
                let form_token = "form-token".to_owned();
                let waiting = vec![words()];
                let page = AppsPage {
                    frame,
                    form_token,
                    name: "Chloe".into(),
                    waiting,
                    apps: Vec::new(),
                    paid: Vec::new(),
                    asked: 0,
                    missing: None,
                };
                let html = page.render().unwrap();
                sound(&html);
                assert!(html.contains("Payments waiting for you") && html.contains("/apps/payments/order"));
                for waiting in [vec![words()], Vec::new()] {
                    let count = waiting.len();
                    let page = PaymentsPage { frame, form_token: "form-token".to_owned(), waiting };
                    let html = page.render().unwrap();
                    sound(&html);
                    assert_eq!(html.matches("/apps/payments/order").count(), count);
                    assert_eq!(html.contains("There is no payment for you to approve"), count == 0);
                }
            }
        }
    }
}
