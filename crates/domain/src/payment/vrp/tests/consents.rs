//! Payments under a VRP consent: when they are accepted, and the consent afterwards.

use super::*;
use crate::account::{AccountIdentification, AccountScheme};
use crate::consent::{
    Consent, ConsentState, NotAuthorisable, PaymentConsentStatus, PaymentSource, RevokedBy, SelectedAccount,
};
use crate::event::{AccountReason, ChangeKind, EventType};
use crate::payment::order::{Instruction, PaymentConsentRequest, PaymentDraft, RequestForm, SummaryStatus};
use crate::payment::transfer::{CreditorDetails, NamedAccount, PaymentConditions, References, Timing, Transfer};
use crate::payment::{PaymentContext, PaymentProduct};
use crate::refusal::{FaultCode, FaultLocation, Field, Refusal, RefusalKind};
use crate::submitted::Submitted;
use crate::version::Version;

pub(super) const CREATED: &str = "2026-03-02T10:00:00Z";

fn payee(number: &str) -> NamedAccount {
    let account = AccountIdentification::new(AccountScheme::SortCodeAccountNumber, number);
    NamedAccount::under_name(account, "Savings".into())
}

fn terms(controls: ControlParameters) -> VrpConsentRequest {
    let references = References { reference: Some("REF".into()), ..References::default() };
    VrpConsentRequest { controls, creditor: Some(payee("20000319825731")), address: None, references }
}

pub(super) fn draft(controls: ControlParameters) -> PaymentDraft {
    let terms = PaymentConsentRequest::new(Instruction::Vrp(Box::new(terms(controls))));
    let submitted = Submitted { version: Version::V3_1, json: "{}".into() };
    PaymentDraft { terms, form: RequestForm::default(), submitted }
}

fn consent(controls: ControlParameters) -> Consent {
    draft(controls).into_consent_draft(PaymentConditions::default()).into_consent("c".into(), "t".into(), at(CREATED))
}

fn agree(consent: &mut Consent, account: &str, instant: &str) -> Result<(), NotAuthorisable> {
    let selected = SelectedAccount { account: account.into(), alias: format!("x-{account}").into(), core_state: None };
    let source = PaymentSource { account: payee("80200110203341"), bic: None, authorisers: 1 };
    consent.authorise_payment(&"p".into(), selected, source, PaymentConditions::default(), at(instant))
}

pub(super) fn agreed(controls: ControlParameters) -> Consent {
    let mut consent = consent(controls);
    agree(&mut consent, "b-1", CREATED).unwrap();
    consent
}

pub(super) fn payment(pence: u64) -> VrpPayment {
    let references =
        References { reference: Some("REF".into()), message: Some("whatever".into()), ..References::default() };
    let credit = CreditorDetails { references, ..CreditorDetails::new(payee("20000319825731")) };
    VrpPayment {
        transfer: Transfer::domestic(credit, pounds(pence), Timing::Immediate),
        kind: VrpType::Sweeping,
        method: AuthenticationMethod::NotRequired,
        interaction: None,
        names_interaction: false,
    }
}

fn places(refused: Refusal) -> Vec<(FaultCode, Option<FaultLocation>)> {
    refused.faults.into_iter().map(|fault| (fault.code, fault.at)).collect()
}

pub(super) fn usual() -> ControlParameters {
    parameters(vec![monthly(PeriodAlignment::Consent, 20_000)])
}

#[test]
fn vrp_001_and_vrp_060_many_payments_leave_their_consent_unchanged() {
    let consent = agreed(usual());
    let before = consent.clone();
    let mut usage = VrpUsage::default();
    for id in ["o-1", "o-2"] {
        let (order, reservation) = consent.accept_vrp_order(id.into(), &payment(5_000), &usage, at(CREATED)).unwrap();
        usage.reserve(&reservation).unwrap();
        assert_eq!((order.product, order.summary_status()), (PaymentProduct::DomesticVrp, SummaryStatus::Pending));
        assert_eq!((order.debtor.as_str(), order.approvals), ("b-1", None));
        assert_eq!(order.instruction.transfer(), Some(&payment(5_000).transfer));
    }
    assert_eq!(consent, before);
    assert_eq!(usage.non_zero_counters().map(|(_, used)| used).collect::<Vec<_>>(), [10_000]);
}

#[test]
fn vrp_050_only_an_authorised_consent_is_paid_under() {
    let refused = |consent: &Consent| {
        consent.accept_vrp_order("o".into(), &payment(1), &VrpUsage::default(), at(CREATED)).unwrap_err().kind
    };
    assert_eq!(refused(&consent(usual())), RefusalKind::ConsentState);
    let mut ended = agreed(usual());
    assert!(ended.revoke(RevokedBy::Psu, at(CREATED)));
    assert_eq!(refused(&ended), RefusalKind::ConsentState, "VRP-085");
    let mut deleted = agreed(usual());
    deleted.delete(at(CREATED));
    assert_eq!(refused(&deleted), RefusalKind::ConsentState, "VRP-082");
    let mut rejected = consent(usual());
    assert!(rejected.reject(at(CREATED)));
    assert_eq!(refused(&rejected), RefusalKind::ConsentState);
}

#[test]
fn vrp_053_and_vrp_054_the_payee_and_reference_must_match_the_consent() {
    let consent = agreed(usual());
    let mut other = payment(1);
    if let crate::payment::transfer::Route::Domestic(credit) = &mut other.transfer.route {
        credit.creditor = payee("20000319825732");
        credit.references.reference = None;
    }
    let refused = consent.accept_vrp_order("o".into(), &other, &VrpUsage::default(), at(CREATED)).unwrap_err();
    assert_eq!(
        places(refused),
        [
            (FaultCode::ConsentMismatch, Some(FaultLocation::Field(Field::VrpCreditor))),
            (FaultCode::ConsentMismatch, Some(FaultLocation::Field(Field::VrpReference))),
        ]
    );
    // A consent that names neither interaction type allows both.
    let open = VrpConsentRequest { creditor: None, references: References::default(), ..terms(usual()) };
    assert_eq!(open.differences(&other), []);
}

#[test]
fn vrp_071_a_question_about_funds_may_leave_the_reference_out() {
    let open = VrpConsentRequest { references: References::default(), ..terms(usual()) };
    let terms = terms(usual());
    let question = |reference: Option<&str>| VrpFundsConfirmationRequest {
        consent: "c".into(),
        reference: reference.map(str::to_owned),
        amount: pounds(1),
    };
    assert_eq!(terms.funds_differences(&question(None)), []);
    assert_eq!(terms.funds_differences(&question(Some("REF"))), []);
    let [fault] = &terms.funds_differences(&question(Some("ref")))[..] else { panic!("one") };
    assert_eq!(
        (fault.code, &fault.at),
        (FaultCode::ConsentMismatch, &Some(FaultLocation::Field(Field::VrpFundsReference)))
    );
    assert_eq!(open.funds_differences(&question(Some("any"))), []);
}

#[test]
fn vrp_022_and_vrp_085_whoever_agrees_again_pays_from_the_same_account() {
    let mut it = agreed(usual());
    assert_eq!(agree(&mut it, "b-2", CREATED), Err(NotAuthorisable::NoAccount));
    agree(&mut it, "b-1", CREATED).unwrap();
    assert!(it.revoke(RevokedBy::Psu, at(CREATED)));
    assert_eq!(it.payment_status(), Some(PaymentConsentStatus::Authorised), "VRP-085");
    agree(&mut it, "b-1", CREATED).unwrap();
    assert_eq!(it.state, ConsentState::Authorised);
    let whole = it.request.payment().unwrap();
    assert_eq!(whole.named_debtor().unwrap().number, "80200110203341");
}

#[test]
fn vrp_022_no_reauthentication_after_the_last_day() {
    let mut it = agreed(ControlParameters { valid_to: Some(date(2026, 3, 31)), ..usual() });
    // Still the 31st in London, though not in UTC's summer time.
    agree(&mut it, "b-1", "2026-03-31T22:59:59Z").unwrap();
    assert_eq!(agree(&mut it, "b-1", "2026-03-31T23:00:00Z"), Err(NotAuthorisable::Expired));
    assert_eq!(it.payment_status(), Some(PaymentConsentStatus::Authorised), "VRP-088");
}

#[test]
fn vrp_021_tokens_live_as_long_as_payments_can_be_made() {
    let until = |valid_to| agreed(ControlParameters { valid_to, ..usual() }).access_ends_at();
    assert_eq!(until(None), None);
    assert_eq!(until(Some(date(2026, 3, 31))), Some(at("2026-03-31T23:00:00Z")), "the end of the last day in London");
}

#[test]
fn vrp_087_and_set_033_a_lost_account_raises_an_event_of_the_consent() {
    let consent = agreed(usual());
    let change = consent.linked_account_change(&"b-1".into(), Some(AccountReason::Closure)).unwrap();
    assert_eq!(change.kind, ChangeKind::DebtorAccountUnusable { reason: Some(AccountReason::Closure) });
    assert_eq!(change.resource.events_for(&change.kind), [EventType::VrpLinkedAccountUpdate]);
    assert_eq!(consent.linked_account_change(&"b-2".into(), None), None);
}

#[test]
fn vrp_020_only_an_account_of_one_signatory_will_do() {
    for (authorisers, allowed) in [(1, Ok(())), (2, Err(NotAuthorisable::NoAccount))] {
        let mut it = consent(usual());
        let selected = SelectedAccount { account: "b-1".into(), alias: "x-1".into(), core_state: None };
        let source = PaymentSource { account: payee("80200110203341"), bic: None, authorisers };
        let agreed = it.authorise_payment(&"p".into(), selected, source, PaymentConditions::default(), at(CREATED));
        assert_eq!(agreed, allowed);
    }
}

#[test]
fn vrp_011_and_vrp_019_the_account_has_the_limit_currency_and_is_shown() {
    let it = agreed(usual());
    let whole = it.request.payment().unwrap();
    assert_eq!([Currency::GBP, Currency::EUR].map(|unit| whole.accepts_debtor(unit)), [true, false]);
    let shown = it.payment_view(at(CREATED)).unwrap().debtor.unwrap();
    assert_eq!((shown.name.as_str(), shown.account.unwrap().number.as_str()), ("Savings", "80200110203341"));
}

#[test]
fn pis_041_and_vrp_001_only_a_vrp_consent_is_reusable_and_has_limits() {
    let mut it = agreed(usual());
    let before = it.clone();
    assert_eq!(it.consume("o".into(), at(CREATED)).unwrap_err().kind, RefusalKind::ConsentState);
    assert_eq!(it, before);
    assert_eq!(it.vrp_limits().map(|vrp_limits| vrp_limits.anchor()), Some(date(2026, 3, 2)));
    let transfer = payment(1).transfer;
    let whole = it.request.payment().unwrap().terms.clone();
    let terms = PaymentConsentRequest { instruction: transfer.into(), ..whole };
    let submitted = Submitted { version: Version::V3_1, json: "{}".into() };
    let single = PaymentDraft { terms, form: RequestForm::default(), submitted }
        .into_consent_draft(PaymentConditions::default());
    let mut single = single.into_consent("c".into(), "t".into(), at(CREATED));
    agree(&mut single, "b-1", CREATED).unwrap();
    assert_eq!((single.vrp_limits(), single.access_ends_at()), (None, None));
    let refused = single.accept_vrp_order("o".into(), &payment(1), &VrpUsage::default(), at(CREATED)).unwrap_err();
    assert_eq!(refused.kind, RefusalKind::ConsentState);
}

#[test]
fn vrp_059_a_payment_bears_the_charges_of_its_consent_and_no_time_of_it() {
    use crate::payment::transfer::{AfterCutOffPolicy, CutOff};
    use crate::payment::{Charge, ChargeBearer, ChargeType};
    let charge = Charge { bearer: ChargeBearer::Debtor, kind: ChargeType::ChapsOut, amount: pounds(5) };
    let cut_off = Some(CutOff { at: at("2026-03-09T10:00:00Z"), lateness: AfterCutOffPolicy::Refused });
    let conditions = PaymentConditions { charges: vec![charge], cut_off, ..PaymentConditions::default() };
    let mut it = consent(usual());
    let selected = SelectedAccount { account: "b-1".into(), alias: "x-1".into(), core_state: None };
    let source = PaymentSource { account: payee("80200110203341"), bic: None, authorisers: 1 };
    it.authorise_payment(&"p".into(), selected, source, conditions, at(CREATED)).unwrap();
    let (order, _) = it.accept_vrp_order("o".into(), &payment(1), &VrpUsage::default(), at(CREATED)).unwrap();
    assert_eq!(order.conditions, PaymentConditions { charges: vec![charge], ..PaymentConditions::default() });
}

#[test]
fn vrp_015_sweeping_consents_name_a_creditor_unless_the_bank_waives_it() {
    use crate::payment::offer::PaymentLimits;
    let whole = consent(usual()).request.payment().unwrap().terms.clone();
    let found = |creditor: bool, types: &[VrpType], sweeps_anywhere| {
        let controls = ControlParameters { types: types.iter().copied().collect(), ..usual() };
        let terms = VrpConsentRequest { creditor: creditor.then(|| payee("20000319825731")), ..terms(controls) };
        let asked = PaymentConsentRequest { instruction: Instruction::Vrp(Box::new(terms)), ..whole.clone() };
        let limits = PaymentLimits { allows_sweeping_without_creditor: sweeps_anywhere, ..PaymentLimits::default() };
        asked.faults(at(CREATED), &limits).into_iter().map(|fault| (fault.code, fault.at)).collect::<Vec<_>>()
    };
    let missing = [(FaultCode::FieldExpected, Some(FaultLocation::Field(Field::CreditorAccount)))];
    assert_eq!(found(false, &[VrpType::Sweeping], false), missing);
    assert_eq!(found(false, &VrpType::USUAL, false), missing, "CVRP-007");
    assert_eq!(found(false, &[VrpType::Sweeping], true), []);
    assert_eq!(found(false, &[VrpType::Other], false), []);
    assert_eq!(found(true, &[VrpType::Sweeping], false), []);
}

/// The same request in the form of v4.0, with a change applied.
fn in_v4(change: impl FnOnce(&mut VrpConsentRequest, &mut PaymentConsentRequest)) -> PaymentDraft {
    let consent = consent(parameters(vec![monthly(PeriodAlignment::Calendar, 30_000)]));
    let mut asked = consent.request.payment().unwrap().terms.clone();
    let mut vrp = asked.instruction.vrp().unwrap().clone();
    change(&mut vrp, &mut asked);
    asked.instruction = Instruction::Vrp(Box::new(vrp));
    let submitted = Submitted { version: Version::V4_0, json: r#"{"Data":{}}"#.into() };
    PaymentDraft { terms: asked, submitted, form: Default::default() }
}

#[test]
fn v4_020_v4_030_a_migration_changes_the_form_and_nothing_else() {
    let before = agreed(parameters(vec![monthly(PeriodAlignment::Calendar, 30_000)]));
    let mut consent = before.clone();
    consent.migrate_vrp(in_v4(|_, _| {})).unwrap();
    assert_eq!(consent.submitted.version, Version::V4_0);
    assert_eq!(consent.epoch, before.epoch + 1, "whoever read it before reads it again");
    let same = Consent { submitted: before.submitted.clone(), epoch: before.epoch, ..consent.clone() };
    assert_eq!(same, before, "id, state, times, debtor and terms");
    assert!(!consent.is_known_to(Version::V3_1), "V4-025");
    let again = consent.migrate_vrp(in_v4(|_, _| {})).unwrap_err();
    assert_eq!(again.faults[0].code, FaultCode::ResourceAlreadyExists);
    let mut deleted = before.clone();
    deleted.delete(at(CREATED));
    assert_eq!(deleted.migrate_vrp(in_v4(|_, _| {})).unwrap_err().kind, RefusalKind::NotFound);
}

#[test]
fn v4_030_a_migration_that_changes_a_value_is_refused_at_that_value() {
    type Change = fn(&mut VrpConsentRequest, &mut PaymentConsentRequest);
    let changes: &[(Change, Field)] = &[
        (|it, _| it.controls.individual = pounds(10_001), Field::IndividualAmount),
        (|it, _| it.controls.valid_to = Some(date(2030, 1, 1)), Field::ValidTo),
        (|it, _| it.controls.valid_from = Some(date(2026, 1, 1)), Field::ValidFrom),
        (
            |it, _| it.controls.limits = PeriodicLimits::new(vec![monthly(PeriodAlignment::Calendar, 1)]).unwrap(),
            Field::PeriodicLimits,
        ),
        (|it, _| it.controls.types = [VrpType::Other].into(), Field::VrpTypes),
        (|it, _| it.controls.methods = [AuthenticationMethod::Strong].into(), Field::AuthenticationMethods),
        (|it, _| it.controls.interactions = [InteractionType::InSession].into(), Field::InteractionTypes),
        (|it, _| it.creditor = Some(payee("80200110203348")), Field::CreditorAccount),
        (|it, _| it.creditor = None, Field::CreditorAccount),
        (|it, _| it.references.reference = Some("OTHER".into()), Field::RemittanceReference),
        (|it, _| it.references.message = Some("new".into()), Field::RemittanceMessage),
        (|_, asked| asked.debtor = Some((*payee("80200110203348")).clone()), Field::DebtorAccount),
        (|_, asked| asked.refund = true, Field::ReadRefundAccount),
        (|_, asked| asked.context = Some(PaymentContext::TransferToSelf), Field::PaymentRisk),
    ];
    let before = agreed(parameters(vec![monthly(PeriodAlignment::Calendar, 30_000)]));
    for (change, field) in changes {
        let mut consent = before.clone();
        let refused = consent.migrate_vrp(in_v4(change)).unwrap_err();
        let faults: Vec<_> = refused.faults.into_iter().map(|fault| (fault.code, fault.at)).collect();
        assert_eq!(faults, [(FaultCode::ConsentMismatch, Some(FaultLocation::Field(*field)))]);
        assert_eq!(consent, before, "nothing is changed");
    }
}
