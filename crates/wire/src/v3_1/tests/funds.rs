//! Confirmation of funds.

use super::{V3_1, at, envelope};
use crate::{Parse, Render};
use lombard_domain::account::AccountScheme;
use lombard_domain::consent::{Consent, ConsentDraft, ConsentState, FundsConsentDraft, RevokedBy, SelectedAccount};
use lombard_domain::funds::{FundsConfirmationRequest, FundsConfirmationResult};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::refusal::{FaultCode, FaultLocation};
use serde_json::{Value, json};

const ASKED: &str = r#"{"Data":{"DebtorAccount":{"SchemeName":"IBAN","Identification":"GB33BUKB20201555555555",
    "Name":"A Name","SecondaryIdentification":"R1","Unknown":1},"ExpirationDateTime":"2030-05-02T01:00+01:00"}}"#;

fn consent() -> Consent {
    let draft = <V3_1 as Parse<FundsConsentDraft>>::parse(ASKED.as_bytes(), 32).unwrap();
    ConsentDraft::from(draft).into_consent("c".into(), "t".into(), at(0))
}

fn shown(consent: &Consent) -> Value {
    let body = V3_1::render(&consent.funds_view(at(40)).unwrap(), &envelope()).unwrap();
    serde_json::from_slice::<Value>(&body).unwrap()["Data"].take()
}

#[test]
fn cbp_001_002_017_a_request_is_shown_with_full_names_and_its_own_offset() {
    let it = consent();
    assert_eq!(it.request.funds_confirmation().unwrap().account.scheme, AccountScheme::Iban);
    assert_eq!(
        shown(&it),
        json!({
            "ConsentId": "c",
            "CreationDateTime": "1970-01-01T00:00:00+00:00",
            "Status": "AwaitingAuthorisation",
            "StatusUpdateDateTime": "1970-01-01T00:00:00+00:00",
            "ExpirationDateTime": "2030-05-02T01:00:00+01:00",
            "DebtorAccount": {
                "SchemeName": "UK.OBIE.IBAN",
                "Identification": "GB33BUKB20201555555555",
                "Name": "A Name",
                "SecondaryIdentification": "R1",
            },
        })
    );
}

#[test]
fn t8_cbp_012_only_the_customers_revocation_shows() {
    let mut agreed = consent();
    agreed
        .authorise(
            &"p".into(),
            vec![SelectedAccount { account: "b".into(), alias: "a".into(), core_state: None }],
            at(10),
        )
        .unwrap();
    let mut rejected = consent();
    rejected.reject(at(20));
    let revoked = |by| {
        let mut it = agreed.clone();
        it.revoke(by, at(30));
        assert_eq!(it.state, ConsentState::Revoked(by));
        it
    };
    for (it, status, since) in [
        (agreed.clone(), "Authorised", "10"),
        (rejected, "Rejected", "20"),
        (revoked(RevokedBy::Psu), "Revoked", "30"),
        (revoked(RevokedBy::Bank), "Authorised", "10"),
    ] {
        let data = shown(&it);
        let expected = format!("1970-01-01T00:00:{since}+00:00");
        assert_eq!((&data["Status"], &data["StatusUpdateDateTime"]), (&json!(status), &json!(expected)));
    }
}

#[test]
fn cbp_030_032_033_a_question_is_read_and_its_answer_is_a_truth_value() {
    let text = r#"{"Data":{"ConsentId":"c","Reference":"r","InstructedAmount":{"Amount":"1.5","Currency":"USD"}}}"#;
    let question = <V3_1 as Parse<FundsConfirmationRequest>>::parse(text.as_bytes(), 32).unwrap();
    let amount = Amount::from_minor(150, Currency::USD);
    assert_eq!(question, FundsConfirmationRequest { consent: "c".into(), reference: "r".into(), amount });
    for available in [true, false] {
        let answer =
            FundsConfirmationResult { id: "f".into(), question: question.clone(), created_at: at(0), available };
        let body: Value = serde_json::from_slice(&V3_1::render(&answer, &envelope()).unwrap()).unwrap();
        assert_eq!(
            body["Data"],
            json!({
                "FundsConfirmationId": "f",
                "ConsentId": "c",
                "CreationDateTime": "1970-01-01T00:00:00+00:00",
                "FundsAvailable": available,
                "Reference": "r",
                "InstructedAmount": {"Amount": "1.50", "Currency": "USD"},
            })
        );
    }
    let faults = <V3_1 as Parse<FundsConfirmationRequest>>::parse(br#"{"Data":{"ConsentId":"c"}}"#, 32).unwrap_err();
    let missing = |path: &str| (FaultCode::FieldMissing, Some(FaultLocation::Path(path.into())));
    let found: Vec<_> = faults.into_iter().map(|fault| (fault.code, fault.at)).collect();
    assert_eq!(found, [missing("Data.Reference"), missing("Data.InstructedAmount")]);
}
