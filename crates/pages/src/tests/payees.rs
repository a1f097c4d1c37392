//! Tests of the information about the payee before the decision: the check of the name, the warnings, and an estimate in pounds.

use super::payments::{means, pounds};
use super::*;
use lombard_auth::authorisation::journey::PaymentFindings;
use lombard_domain::payment::PaymentContext;
use lombard_domain::payment::order::{PayeeConfirmation, UnconfirmedReason};
use lombard_edge::app::payment_warnings::PaymentWarning;

/// A consent for a payment of 500 pounds with this purpose.
fn payment(purpose: Option<PaymentContext>) -> Consent {
    let account = AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "08080021325698");
    let credit = CreditorDetails::new(NamedAccount::under_name(account, "Somebody Else".into()));
    let transfer = Transfer::domestic(credit, pounds(50_000), Timing::Immediate);
    let terms = PaymentConsentRequest { context: purpose, ..PaymentConsentRequest::new(transfer) };
    asked(PaymentConsent::new(terms, PaymentConditions::default()))
}

fn page(consent: &Consent, means: Vec<PayerOption>, known: PaymentFindings, warnings: &[PaymentWarning]) -> String {
    let journey = payment_journey(None, words(consent.request.payment().unwrap()));
    let view = PaymentView { means, known, warnings, ..PaymentView::default() };
    let html = paying(FRAMES[0], journey, None, "Amelia", consent, view).unwrap().render().unwrap();
    sound(&html);
    html
}

#[test]
fn the_payee_check_result_is_shown_before_the_decision_and_blocks_nothing() {
    let unavailable = |reason| Some(PayeeConfirmation::Unavailable(reason));
    for (said, text, alarms) in [
        (None, "", false),
        (Some(PayeeConfirmation::Match), "The name matches the account.", false),
        (Some(PayeeConfirmation::CloseMatch { name: NASTY.into() }), "Check the payee’s name", false),
        (Some(PayeeConfirmation::NoMatch), "The name does not match the account", true),
        (unavailable(UnconfirmedReason::AccountNotFound), "does not know this account", true),
        (unavailable(UnconfirmedReason::BankNotTakingPart), "does not offer this check", false),
        (unavailable(UnconfirmedReason::TimedOut), "no answer in time", false),
        (unavailable(UnconfirmedReason::Failed), "not available at the moment", false),
        (unavailable(UnconfirmedReason::NotOffered), "not available for your payment", false),
    ] {
        let known = PaymentFindings { payee: said.clone(), ..PaymentFindings::default() };
        let html = page(&payment(None), means(), known.clone(), &[]);
        let (before, after) = html.split_once("<form ").unwrap();
        assert!(before.contains(text) && after.contains("value=\"approve\""), "{said:?}");
        assert_eq!(before.contains("class=\"notice\""), alarms, "{said:?}");
        assert_eq!(before.matches("in the name of").count(), usize::from(text.starts_with("Check")), "{said:?}");
        let nothing = page(&payment(None), Vec::new(), known, &[]);
        assert!(text.is_empty() || !nothing.contains(text), "nothing is to be decided");
    }
}

#[test]
fn warnings_are_shown_before_the_payments_that_they_are_about() {
    let warning = |heading: &str, least, purpose, new_payee| PaymentWarning {
        heading: heading.to_owned(),
        text: "Stop & <b>think</b>.".to_owned(),
        amount_min: Some(pounds(least)),
        purposes: Option::into_iter(purpose).collect(),
        new_payee,
    };
    let warnings = [
        warning("From five hundred", 50_000, None, false),
        warning("From more", 50_001, None, false),
        warning("To others", 1, Some(PaymentContext::TransferToThirdParty), false),
        warning("To new payees", 1, None, true),
    ];
    let shown = |purpose, is_new_payee| {
        let known = PaymentFindings { is_new_payee, ..PaymentFindings::default() };
        let html = page(&payment(purpose), means(), known, &warnings);
        assert!(html.contains("Stop &#38; &#60;b&#62;think") && !html.contains("<b>think"), "{html}");
        warnings.iter().map(|warning| html.contains(&warning.heading)).collect::<Vec<_>>()
    };
    assert_eq!(shown(None, None), [true, false, false, false]);
    assert_eq!(shown(Some(PaymentContext::TransferToThirdParty), Some(false)), [true, false, true, false]);
    assert_eq!(shown(Some(PaymentContext::TransferToSelf), Some(true)), [true, false, false, true]);
}
