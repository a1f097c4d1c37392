//! Sample payments for the contract tests: consent requests, consents, orders, files and their lines.

use super::samples::at;
use super::samples_of_instructions::{full_address, full_credit, full_references};
use jiff::civil::date;
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::consent::{Consent, PaymentSource};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::file::{FileLine, FilePayee, FileTotals, UnpayableReason, UploadedFile};
use lombard_domain::payment::order::{
    AppliedAuthenticationApproach, DetailReason, Instruction, NewOrder, Order, PaymentConsentRequest, PaymentDraft,
    PaymentExecution, PaymentStatus, RailDetail, RequestForm, RequestedAuthorisation, RequestedAuthorisationType,
    ScaExemption, ScaSupport,
};
use lombard_domain::payment::transfer::{
    AfterCutOffPolicy, CutOff, Instrument, NamedAccount, PaymentConditions, References, Timing, Transfer,
};
use lombard_domain::payment::{Charge, ChargeBearer, ChargeType, PaymentContext};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;

pub(super) const fn pounds(minor: u64) -> Amount {
    Amount::from_minor(minor, Currency::GBP)
}

pub(super) fn account(secondary: Option<&str>) -> AccountIdentification {
    AccountIdentification {
        scheme: AccountScheme::SortCodeAccountNumber,
        number: String::from("20000012345678"),
        name: Some(String::from("Ann “Payee”")),
        secondary: secondary.map(String::from),
        proxy: None,
    }
}

pub(super) fn named(secondary: Option<&str>) -> NamedAccount {
    NamedAccount::new(account(secondary)).unwrap()
}

/// A consent request with the mandatory members only.
pub(super) fn plain_terms(instruction: Instruction) -> PaymentConsentRequest {
    PaymentConsentRequest::new(instruction)
}

pub(super) fn full_terms() -> PaymentConsentRequest {
    PaymentConsentRequest {
        debtor: Some(account(Some("roll"))),
        refund: true,
        authorisation: RequestedAuthorisation { kind: RequestedAuthorisationType::Single, complete_by: Some(at(90)) },
        sca: ScaSupport {
            exemption: Some(ScaExemption::Parking),
            applied: Some(AppliedAuthenticationApproach::Strong),
            earlier_order: Some("o-earlier".into()),
        },
        context: Some(PaymentContext::TransferToSelf),
        ..plain_terms(Transfer::domestic(full_credit(), pounds(1), Timing::Immediate).into())
    }
}

pub(super) fn full_conditions() -> PaymentConditions {
    let charge = |bearer, kind| Charge { bearer, kind, amount: pounds(25) };
    PaymentConditions {
        charges: vec![
            charge(ChargeBearer::Debtor, ChargeType::ChapsOut),
            charge(ChargeBearer::ServiceLevel, ChargeType::MoneyTransferOut),
        ],
        cut_off: Some(CutOff { at: at(70), lateness: AfterCutOffPolicy::Refused }),
        execution_at: Some(at(71)),
        settlement_at: Some(at(72)),
        quote: None,
    }
}

pub(super) fn source(authorisers: u16) -> PaymentSource {
    PaymentSource { account: named(None), bic: Some("LMBDGB2LXXX".to_owned()), authorisers }
}

/// An undecided payment consent.
pub(super) fn payment_consent(id: &str, client: &str, terms: PaymentConsentRequest) -> Consent {
    let submitted = Submitted { version: Version::V3_1, json: String::from(r#"{"Initiation":{}}"#) };
    let draft = PaymentDraft { terms, form: RequestForm::default(), submitted }
        .into_consent_draft(PaymentConditions::default());
    draft.into_consent(id.into(), client.into(), at(5))
}

/// Lines of a file: with all members, with none, and with every rejection reason.
pub(super) fn file_lines() -> Vec<FileLine> {
    let plain = FileLine {
        number: 1,
        amount: pounds(1),
        references: References::default(),
        instrument: None,
        debtor: None,
        execute_on: None,
        payee: Ok(FilePayee { creditor: named(None), address: None }),
        details: None,
    };
    let full = FileLine {
        amount: pounds(9_999_999_999_999_999),
        references: full_references(),
        instrument: Some(Instrument::Bacs),
        debtor: Some(account(Some("roll"))),
        execute_on: Some(date(2026, 12, 24)),
        payee: Ok(FilePayee { creditor: named(Some("roll")), address: Some(full_address()) }),
        ..plain.clone()
    };
    let reasons = [
        UnpayableReason::NoAccount,
        UnpayableReason::NoName,
        UnpayableReason::Account,
        UnpayableReason::Instrument,
        UnpayableReason::Exchange,
        UnpayableReason::Remittance,
    ];
    let refused = reasons.map(|why| FileLine { payee: Err(why), ..full.clone() });
    let lines = [plain, full].into_iter().chain(refused);
    (1..).zip(lines).map(|(number, line)| FileLine { number, ..line }).collect()
}

/// Files whose lines omit, repeat or contradict the values given for the whole file.
pub(super) fn uploaded_files() -> [UploadedFile; 3] {
    let [plain, full, ..] = &file_lines()[..] else { unreachable!() };
    let yen = FileLine {
        amount: Amount::from_minor(7, "JPY".parse().unwrap()),
        instrument: Some(Instrument::Chaps),
        debtor: Some(account(None)),
        execute_on: Some(date(2026, 12, 23)),
        ..plain.clone()
    };
    [vec![plain], vec![plain, full], vec![full, &yen]].map(|lines| {
        let mut totals = FileTotals::default();
        lines.iter().for_each(|line| totals.add(line).unwrap());
        let media_type = "application/json; charset=\"utf-8\"".to_owned();
        UploadedFile { id: "u".into(), media_type, bytes: u64::MAX, totals }
    })
}

/// An order of a consent, from an account.
pub(super) fn order(id: &str, consent: &str, debtor: &str, authorisers: u16, terms: &PaymentConsentRequest) -> Order {
    let with = NewOrder {
        id: id.into(),
        client: "t".into(),
        consent: consent.into(),
        version: Version::V3_1,
        debtor: debtor.into(),
        psu: "amelia".into(),
        authorisers,
        conditions: PaymentConditions::default(),
        product: terms.product(),
        instruction: terms.instruction.clone(),
        complete_by: terms.authorisation.complete_by,
    };
    let interaction_id = Some("93bac548-d2de-4546-b106-880a5018460d".into());
    Order { customer_address: Some([203, 0, 113, 7].into()), interaction_id, ..Order::accept(with, at(50)) }
}

pub(super) fn rail_detail() -> RailDetail {
    RailDetail {
        instrument: Some(Instrument::FasterPayments),
        status: String::from("ACSC"),
        reason: Some(DetailReason::PendingSettlement),
        description: Some(String::from("Settled.")),
    }
}

pub(super) fn execution(order: &str, number: u32) -> PaymentExecution {
    PaymentExecution {
        order: order.into(),
        number,
        due_on: date(2026, 12, 5),
        paid_on: date(2026, 12, 7),
        amount: pounds(9_999_999_999_999_999),
        status: PaymentStatus::Pending,
        since: at(80),
        detail: None,
        last_update: 0,
    }
}
