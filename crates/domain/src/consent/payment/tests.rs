//! Payment consents from draft to order: debtor account, file, states and times.

use super::*;
use crate::account::{AccountIdentification, AccountScheme};
use crate::consent::RevokedBy;
use crate::grant::Digest;
use crate::ids::UploadId;
use crate::money::{Amount, Currency};
use crate::payment::PaymentProduct;
use crate::payment::file::{CommonValue, FileInitiation, FileTotals, FileType};
use crate::payment::order::{
    ApprovalStatus, Debtor, DetailedStatus, Instruction, PaymentConsentRequest, PaymentStatus, Refund, RequestForm,
    RequestedAuthorisation, RequestedAuthorisationType,
};
use crate::payment::transfer::{
    AfterCutOffPolicy, CreditorDetails, CutOff, International, NamedAccount, Timing, Transfer,
};
use crate::refusal::FaultLocation;
use crate::submitted::Submitted;
use crate::version::Version;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn account(number: &str) -> AccountIdentification {
    let scheme = AccountScheme::SortCodeAccountNumber;
    AccountIdentification::new(scheme, number)
}

fn credit() -> CreditorDetails {
    let creditor = NamedAccount::under_name(account("08080021325698"), "Waterworks".into());
    CreditorDetails::new(creditor)
}

/// An immediate payment of ten pounds.
fn transfer() -> Instruction {
    Transfer::domestic(credit(), Amount::from_minor(1_000, Currency::GBP), Timing::Immediate).into()
}

fn file() -> Instruction {
    Instruction::File(Box::new(FileInitiation::new(FileType::Pain001, Digest([7; 32]))))
}

/// A file of three payments with these currencies and this debtor account.
fn uploaded(by_currency: &[Currency], debtor: CommonValue<AccountIdentification>) -> UploadedFile {
    let by_currency = by_currency.iter().map(|currency| Amount::from_minor(1, *currency)).collect();
    let totals = FileTotals { count: 3, by_currency, debtor, ..FileTotals::default() };
    UploadedFile { id: UploadId::from("u"), media_type: "text/xml".into(), bytes: 9, totals }
}

fn terms(instruction: Instruction) -> PaymentConsentRequest {
    PaymentConsentRequest::new(instruction)
}

/// A consent created at 0.
fn consent(terms: PaymentConsentRequest, conditions: PaymentConditions) -> Consent {
    let submitted = Submitted { version: Version::V3_1, json: "{}".into() };
    PaymentDraft { terms, form: RequestForm::default(), submitted }.into_consent_draft(conditions).into_consent(
        "c".into(),
        "t".into(),
        at(0),
    )
}

fn plain() -> Consent {
    consent(terms(transfer()), PaymentConditions::default())
}

fn source(authorisers: u16) -> PaymentSource {
    let account = NamedAccount::under_name(account("80200110203341"), "Amelia".into());
    PaymentSource { account, bic: Some("LMBDGB2L".into()), authorisers }
}

fn agree(consent: &mut Consent, authorisers: u16, second: i64) -> Result<(), NotAuthorisable> {
    let selected = SelectedAccount { account: "b-1".into(), alias: "x-1".into(), core_state: None };
    let conditions = payment(consent).conditions.clone();
    consent.authorise_payment(&"p".into(), selected, source(authorisers), conditions, at(second))
}

fn agreed(terms: PaymentConsentRequest, conditions: PaymentConditions) -> Consent {
    let mut it = consent(terms, conditions);
    agree(&mut it, 1, 1).unwrap();
    it
}

fn payment(consent: &Consent) -> &PaymentConsent {
    consent.request.payment().unwrap()
}

fn closing(second: i64) -> PaymentConditions {
    let cut_off = CutOff { at: at(second), lateness: AfterCutOffPolicy::Refused };
    PaymentConditions { cut_off: Some(cut_off), ..PaymentConditions::default() }
}

/// The code and the field of each fault.
fn faults(refusal: Refusal) -> Vec<(FaultCode, Option<FaultLocation>)> {
    refusal.faults.into_iter().map(|fault| (fault.code, fault.at)).collect()
}

#[test]
fn pis_032_035_file_016_the_debtor_is_set_by_tpp_then_file_then_customer() {
    let number = |consent: &PaymentConsent| consent.named_debtor().map(|it| it.number.clone());
    let mut it = PaymentConsent::new(terms(file()), PaymentConditions::default());
    assert_eq!(number(&it), None);
    it.source = Some(source(1));
    assert_eq!(number(&it).as_deref(), Some("80200110203341"));
    for vague in [CommonValue::Absent, CommonValue::Mixed] {
        it.file = Some(uploaded(&[], vague));
        assert_eq!(number(&it).as_deref(), Some("80200110203341"));
    }
    it.file = Some(uploaded(&[], CommonValue::Single(account("11280001234567"))));
    assert_eq!(number(&it).as_deref(), Some("11280001234567"));
    it.terms.debtor = Some(account("20000319825731"));
    assert_eq!(number(&it).as_deref(), Some("20000319825731"));
}

#[test]
fn int_012_int_023_an_account_pays_in_the_currencies_that_fit() {
    let gbp = Currency::GBP;
    let eur = Currency::EUR;
    let usd = Currency::USD;
    let takes = |consent: &PaymentConsent| [gbp, eur, usd].map(|unit| consent.accepts_debtor(unit));
    let of = |instruction| PaymentConsent::new(terms(instruction), PaymentConditions::default());
    assert_eq!(takes(&of(transfer())), [true, false, false]);
    let international = International {
        credit: credit(),
        payee: None,
        agent: None,
        transfer: usd,
        exchange: None,
        bearer: None,
        priority: None,
        destination: None,
        purpose: None,
        purpose_in_words: None,
    };
    let euros = Transfer::international(international, Amount::from_minor(1, eur), Timing::Immediate);
    assert_eq!(takes(&of(euros.into())), [false, true, false], "the amount is in euros, and dollars are sent");
    assert_eq!((transfer().file(), file().file().map(|terms| terms.kind)), (None, Some(FileType::Pain001)));
    let mut it = of(file());
    assert_eq!(takes(&it), [false; 3], "no file has come");
    it.file = Some(uploaded(&[gbp, eur], CommonValue::Absent));
    assert_eq!(takes(&it), [true, true, false]);
}

#[test]
fn pis_110_111_single_authorisation_needs_an_account_of_one_signatory() {
    for (kind, authorisers, allowed) in [
        (RequestedAuthorisationType::Any, 1, Ok(())),
        (RequestedAuthorisationType::Any, 2, Ok(())),
        (RequestedAuthorisationType::Single, 1, Ok(())),
        (RequestedAuthorisationType::Single, 2, Err(NotAuthorisable::NoAccount)),
    ] {
        let mut it = plain();
        if let ConsentRequest::Payment(payment) = &mut it.request {
            payment.terms.authorisation.kind = kind;
        }
        let before = it.clone();
        assert_eq!(agree(&mut it, authorisers, 1), allowed, "{kind:?} {authorisers}");
        assert_eq!(it == before, allowed.is_err(), "what is refused changes nothing");
    }
}

#[test]
fn pis_104_pis_035_the_agreed_terms_are_kept_and_approval_happens_once() {
    let mut it = plain();
    let selected = SelectedAccount { account: "b-1".into(), alias: "x-1".into(), core_state: None };
    it.authorise_payment(&"p".into(), selected.clone(), source(2), closing(50), at(1)).unwrap();
    assert_eq!((it.state, it.state_changed_at, it.authorised_at), (ConsentState::Authorised, at(1), Some(at(1))));
    assert_eq!((it.debtor(), it.psu.as_ref().map(PsuId::as_str)), (Some(&selected), Some("p")));
    let whole = payment(&it);
    assert_eq!((whole.source.as_ref(), &whole.conditions), (Some(&source(2)), &closing(50)));
    assert_eq!(agree(&mut it, 2, 2), Err(NotAuthorisable::NotAwaitingAuthorisation));
}

#[test]
fn pis_037_pis_110_no_authorisation_from_the_deadline_on() {
    let by = |complete_by| RequestedAuthorisation { complete_by, ..RequestedAuthorisation::default() };
    for (conditions, complete_by) in [
        (closing(10), None),
        (PaymentConditions::default(), Some(at(10))),
        (closing(10), Some(at(20))),
        (closing(20), Some(at(10))),
    ] {
        let terms = PaymentConsentRequest { authorisation: by(complete_by), ..terms(transfer()) };
        let mut it = consent(terms, conditions);
        assert_eq!(it.check_authorisable(at(9)), Ok(()));
        assert_eq!(agree(&mut it, 1, 10), Err(NotAuthorisable::AfterCutOff), "the instant itself is late");
        assert_eq!(agree(&mut it, 1, 9), Ok(()));
    }
}

#[test]
fn file_009_010_a_file_is_taken_once_by_a_consent_that_waits_for_it() {
    let whole = || uploaded(&[Currency::GBP], CommonValue::Absent);
    let mut it = consent(terms(file()), PaymentConditions::default());
    assert_eq!(
        (it.state, it.payment_status()),
        (ConsentState::AwaitingUpload, Some(PaymentConsentStatus::AwaitingUpload))
    );
    assert_eq!(agree(&mut it, 1, 1), Err(NotAuthorisable::NoFile), "FILE-019");
    let waiting = it.clone();
    it.attach_file(whole(), at(5)).unwrap();
    assert_eq!((it.state, it.state_changed_at), (ConsentState::AwaitingAuthorisation, at(5)));
    assert!(payment(&it).file == Some(whole()) && it.epoch > waiting.epoch);
    let mut deleted = waiting.clone();
    deleted.delete(at(1));
    let mut rejected = waiting;
    assert!(rejected.reject(at(1)));
    let mut agreed = it.clone();
    agree(&mut agreed, 1, 6).unwrap();
    for mut other in [it, deleted, rejected, agreed] {
        let before = other.clone();
        let refused = other.attach_file(whole(), at(9)).unwrap_err();
        assert_eq!((refused.kind, &other), (RefusalKind::ConsentState, &before));
    }
}

#[test]
fn pis_040_041_only_an_authorised_consent_is_used_and_once() {
    let mut used = agreed(terms(transfer()), PaymentConditions::default());
    let order = used.consume("o".into(), at(7)).unwrap();
    assert_eq!((used.state, used.state_changed_at), (ConsentState::Consumed, at(7)));
    assert_eq!((order.consent.as_str(), order.client.as_str(), order.psu.as_str()), ("c", "t", "p"));
    assert_eq!(
        (order.debtor.as_str(), order.product, order.version),
        ("b-1", PaymentProduct::DomesticPayment, Version::V3_1)
    );
    assert_eq!((order.instruction, order.created_at), (transfer(), at(7)));
    assert_eq!((order.approvals, order.progress), (None, None));
    assert!(used.check_access(at(7)).is_ok(), "PIS-064: its order may be sent again");

    let mut rejected = plain();
    assert!(rejected.reject(at(1)));
    let mut deleted = agreed(terms(transfer()), PaymentConditions::default());
    deleted.delete(at(2));
    for mut other in [plain(), used, rejected, deleted] {
        let before = other.clone();
        let refused = other.consume("o".into(), at(8)).unwrap_err();
        let expected = [(FaultCode::InvalidConsentStatus, Some(FaultLocation::Field(Field::ConsentStatus)))];
        assert_eq!((&faults(refused)[..], &other), (&expected[..], &before));
    }
}

#[test]
fn pis_106_an_order_comes_before_the_last_moment() {
    let mut it = agreed(terms(transfer()), closing(10));
    let before = it.clone();
    let refused = it.consume("o".into(), at(10)).unwrap_err();
    assert_eq!(faults(refused), [(FaultCode::AfterCutOff, Some(FaultLocation::Field(Field::CutOff)))]);
    assert_eq!(it, before);
    assert_eq!(it.consume("o".into(), at(9)).map(|order| order.conditions), Ok(closing(10)));
}

#[test]
fn pis_112_file_023_an_order_awaits_all_customers_and_counts_its_payments() {
    let authorisation = RequestedAuthorisation { complete_by: Some(at(90)), ..RequestedAuthorisation::default() };
    let mut it = consent(PaymentConsentRequest { authorisation, ..terms(file()) }, closing(50));
    it.attach_file(uploaded(&[Currency::GBP], CommonValue::Absent), at(1)).unwrap();
    agree(&mut it, 3, 2).unwrap();
    let order = it.consume("o".into(), at(3)).unwrap();
    let approvals = order.approvals.clone().unwrap();
    assert_eq!((approvals.status, approvals.required, approvals.count()), (ApprovalStatus::Awaiting, 3, 1));
    assert_eq!((approvals.received, approvals.expires_at), (vec!["p".into()], Some(at(50))), "PIS-109");
    assert_eq!(order.detailed_status(), DetailedStatus::Payment(PaymentStatus::PartiallyAuthorised));
    assert!(!order.is_ready());
    assert_eq!(order.progress, Some(FileProgress::for_count(3)));
}

#[test]
fn table_1_4_each_state_is_shown_and_other_kinds_show_none() {
    use PaymentConsentStatus as S;
    for (state, status) in [
        (ConsentState::AwaitingUpload, S::AwaitingUpload),
        (ConsentState::AwaitingAuthorisation, S::AwaitingAuthorisation),
        (ConsentState::Authorised, S::Authorised),
        (ConsentState::Rejected, S::Rejected),
        (ConsentState::Consumed, S::Consumed),
        (ConsentState::Revoked(RevokedBy::Psu), S::Rejected),
    ] {
        let it = Consent { state, ..plain() };
        assert_eq!(it.payment_status(), Some(status), "{state:?}");
        assert_eq!(it.payment_view(at(0)).map(|view| view.status), Some(status));
    }
}

#[test]
fn pis_096_098_099_the_payer_name_and_requested_refund_account_are_shown() {
    for refund in [true, false] {
        let asked = PaymentConsentRequest { refund, debtor: Some(account("80200110203341")), ..terms(transfer()) };
        let waiting = consent(asked.clone(), PaymentConditions::default());
        assert_eq!(waiting.payment_view(at(0)).unwrap().debtor, None);
        let mut it = agreed(asked, PaymentConditions::default());
        let order = it.consume("o".into(), at(2)).unwrap();
        let view = it.order_view(&order).unwrap();
        let shown = Refund { account: source(1).account, bic: Some("LMBDGB2L".into()) };
        assert_eq!(view.refund, refund.then_some(shown));
        let debtor = Debtor { name: "Amelia".into(), account: Some(account("80200110203341")) };
        assert_eq!((view.debtor, it.payment_view(at(0)).unwrap().debtor), (Some(debtor.clone()), Some(debtor)));
        assert_eq!((view.id.as_str(), view.submitted), ("o", it.submitted.clone()));
    }
    let mut unnamed = agreed(terms(transfer()), PaymentConditions::default());
    let order = unnamed.consume("o".into(), at(2)).unwrap();
    assert_eq!(unnamed.order_view(&order).unwrap().debtor.unwrap().account, None, "PIS-099");
}
