//! Tests of the pages about files: the totals, and each payment.

use super::payments::{means, order, pounds};
use super::*;
use crate::lines::{LinesLocation, LinesPage};
use lombard_auth::file_lines::FileLinesPage;
use lombard_domain::grant::Digest;
use lombard_domain::payment::file::{
    FileInitiation, FileLine, FilePayee, FileTotals, FileType, UnexecutedReason, UnpayableReason, UploadedFile,
};
use lombard_domain::payment::order::Instruction;
use lombard_domain::refusal::{Fault, FaultCode, Field};

fn line(number: u32, payee: Result<&str, UnpayableReason>) -> FileLine {
    let pan = AccountIdentification::new(AccountScheme::Pan, "4000123412341234");
    FileLine {
        number,
        amount: pounds(u64::from(number) * 1_000),
        references: References { reference: Some(format!("SALARY <{number}>")), ..References::default() },
        instrument: None,
        debtor: None,
        execute_on: number.is_multiple_of(2).then_some(date(2026, 3, 2)),
        payee: payee.map(|name| FilePayee { creditor: NamedAccount::under_name(pan, name.to_owned()), address: None }),
        details: None,
    }
}

/// The payments of a file. Every third payment cannot be made, each for another reason.
fn lines(count: u32) -> Vec<FileLine> {
    use UnpayableReason as U;
    let ways = [U::NoAccount, U::NoName, U::Account, U::Instrument, U::Exchange, U::Remittance];
    let mut ways = ways.into_iter().cycle();
    let payee = |number: u32| if number.is_multiple_of(3) { ways.next().map_or(Ok(NASTY), Err) } else { Ok(NASTY) };
    (1..=count).zip((1..=count).map(payee).collect::<Vec<_>>()).map(|(number, payee)| line(number, payee)).collect()
}

/// The same payments as a page shows them.
fn shown(lines: &[FileLine]) -> Vec<ListedFileLine> {
    let line = |line: &FileLine| ListedFileLine {
        unmade: line.payee.as_ref().err().copied().map(UnexecutedReason::Unpayable),
        line: line.clone(),
    };
    lines.iter().map(line).collect()
}

/// A consent for a file with these payments.
fn file(lines: &[FileLine], full: bool) -> PaymentConsent {
    let mut totals = FileTotals::default();
    lines.iter().for_each(|line| totals.add(line).unwrap());
    let terms = FileInitiation {
        reference: full.then(|| "SALARIES <March>".to_owned()),
        instrument: full.then_some(Instrument::FasterPayments),
        references: References { reference: full.then(|| "BATCH 7".to_owned()), ..References::default() },
        ..FileInitiation::new(if full { FileType::Pain001 } else { FileType::PaymentInitiation31 }, Digest([7; 32]))
    };
    let terms = PaymentConsentRequest::new(Instruction::File(Box::new(terms)));
    let file = UploadedFile { id: "upload".into(), media_type: "text/xml".into(), bytes: 1_000, totals };
    PaymentConsent { file: Some(file), ..PaymentConsent::new(terms, PaymentConditions::default()) }
}

#[test]
fn as_142_a_file_says_what_its_payments_come_to_and_shows_the_first() {
    let payments = lines(87);
    for frame in FRAMES {
        for notice in NOTICES {
            for full in [true, false] {
                let consent = asked(file(&payments, full));
                let [html, code, login] = journey_of(frame, notice, &consent, means(), &shown(&payments[..5]));
                for page in [&html, &code] {
                    assert!(page.contains("£38,280.00") && page.contains("in 87 payments"), "{page}");
                    assert!(page.contains("<dd>£870.00</dd>"), "the largest: {page}");
                    assert_eq!(page.contains("SALARIES &#60;March&#62;") && page.contains("BATCH 7"), full);
                }
                assert!(code.contains("this file only, and for no other payments"));
                assert!(html.contains("29 of them cannot be paid") && html.contains("The others are paid."));
                assert!(html.contains("On Monday 2 March 2026; those without a day"), "{html}");
                assert_eq!(html.matches("<li value=").count(), 5);
                assert!(
                    html.contains("href=\"/interaction/journey-id/file\"") && html.contains("87 payments one by one")
                );
                assert!(html.contains("Agree to pay £38,280.00"));
                assert!(login.contains("make the payments of a file") && !login.contains("£38,280.00"));
            }
        }
    }
}

#[test]
fn file_016_the_days_of_a_file_are_told() {
    let on = |days: &[i8]| {
        let day = |(at, day): (usize, &i8)| FileLine {
            execute_on: Some(date(2026, 3, *day)),
            ..line(u32::try_from(at).unwrap() + 1, Ok("Ada"))
        };
        file(&days.iter().enumerate().map(day).collect::<Vec<_>>(), false)
    };
    let mut said = on(&[]);
    let when = |consent: &PaymentConsent| match words(consent) {
        PaymentSummaryView::File(file) => file.when,
        other => panic!("not a file: {other:?}"),
    };
    assert_eq!(when(&said), "When the file is submitted");
    assert!(when(&on(&[3, 2])).starts_with("Each on its day, from 2 March 2026 to 3 March 2026; "));
    if let Instruction::File(terms) = &mut said.terms.instruction {
        terms.execute_on = Some(date(2026, 3, 2));
    }
    assert_eq!(when(&said), "On Monday 2 March 2026, or at once if that day has passed by then");
}

#[test]
fn file_023_each_payment_is_shown_with_its_payee_or_why_it_cannot_be_paid() {
    let payments = lines(87);
    let consent = file(&payments, true);
    for frame in FRAMES {
        for (page, part) in [(1, &payments[..50]), (2, &payments[50..])] {
            let lines = FileLinesPage { page, pages: 2, lines: shown(part) };
            for (place, at) in [
                (LinesLocation::Journey("/interaction/journey-id".into()), "/interaction/journey-id"),
                (LinesLocation::Apps("/apps/payments/order".into(), "form-token".into()), "/apps/payments/order"),
            ] {
                let html = LinesPage::new(frame, place, &consent, &lines).render().unwrap();
                sound(&html);
                assert!(html.contains(&format!("Page {page} of 2. There are 87 in all.")), "{html}");
                assert_eq!(html.matches("<li value=").count(), part.len());
                assert_eq!(
                    html.matches("Cannot be paid. ").count(),
                    part.iter().filter(|it| it.payee.is_err()).count()
                );
                assert!(html.contains("Card 400012… ending 1234") && !html.contains("4000123412341234"));
                assert!(html.contains("SALARY &#60;") && html.contains("On 2 March 2026"));
                assert_eq!(html.contains("rel=\"next\""), page == 1);
                assert_eq!(html.contains(&format!("href=\"{at}/file?page=1\" rel=\"prev\"")), page == 2);
                assert!(html.contains(&format!("href=\"{at}\"")), "the way back");
                assert_eq!(html.contains("/apps/logout"), at.starts_with("/apps"));
            }
        }
    }
}

#[test]
fn file_023_a_payment_that_is_not_offered_says_why() {
    let fault = Fault::field(FaultCode::FieldInvalid, Field::InstructedCurrency, "Payments <here> are in pounds.");
    let line = ListedFileLine { line: line(1, Ok("Ada")), unmade: Some(UnexecutedReason::NotOffered(fault)) };
    let consent = file(std::slice::from_ref(&line.line), false);
    let lines = FileLinesPage { page: 1, pages: 1, lines: vec![line] };
    let html = LinesPage::new(FRAMES[0], LinesLocation::Journey("/interaction/journey-id".into()), &consent, &lines);
    let html = html.render().unwrap();
    sound(&html);
    assert!(html.contains("Ada") && html.contains("Cannot be paid. Payments &#60;here&#62; are in pounds."), "{html}");
}

#[test]
fn pis_112_the_second_customer_sees_the_same_of_a_file() {
    let payments = lines(7);
    let consent = file(&payments, true);
    let order = order(&consent);
    let waiting =
        || PendingPaymentView::new(journey(None).who, (&order, &consent, None), None, &[NASTY.to_owned()], None);
    let html =
        JointPage::new(FRAMES[0], "form-token".into(), None, waiting(), None, &shown(&payments[..5])).render().unwrap();
    sound(&html);
    assert!(html.contains("in 7 payments") && html.contains("href=\"/apps/payments/order/file\""), "{html}");
    assert_eq!(html.matches("<li value=").count(), 5);
    let form_token = "form-token".to_owned();
    let name = "Chloe".to_owned();
    let page = AppsPage {
        frame: FRAMES[0],
        form_token,
        name,
        waiting: vec![waiting()],
        apps: Vec::new(),
        paid: Vec::new(),
        asked: 0,
        missing: None,
    };
    let html = page.render().unwrap();
    sound(&html);
    assert!(
        html.contains("£280.00</span> in 7 payments") && html.contains("called SALARIES &#60;March&#62;"),
        "{html}"
    );
}
