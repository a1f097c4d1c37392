use super::forms::{ClockMoveForm, RefusalForm};
use http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{AccountIdentification, AccountScheme, AccountStatus, AccountSubType, AccountType};
use lombard_domain::money::Currency;
use lombard_domain::payment::order::RejectionReason;
use lombard_ports::controls::{AccountView, ClockMove, ControlError, CustomerView, OrderOutcome};

fn again<T: serde::Serialize + serde::de::DeserializeOwned>(form: &T) -> T {
    serde_json::from_str(&serde_json::to_string(form).unwrap()).unwrap()
}

#[test]
fn a_customer_is_read_as_it_was_written() {
    let account = AccountView {
        id: "a".into(),
        status: AccountStatus::Enabled,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::CreditCard,
        description: None,
        nickname: Some("Card".to_owned()),
        identifications: vec![AccountIdentification {
            name: Some("A".into()),
            ..AccountIdentification::new(AccountScheme::Pan, "4444333322221111")
        }],
        currency: Currency::GBP,
        shareable: true,
        booked: -150,
        pending: 1,
        credit_limit: 200_000,
        authorisers: 2,
    };
    let customer = CustomerView {
        psu: "amelia".into(),
        login: "amelia".to_owned(),
        name: "Amelia".to_owned(),
        about: "Has a card.".to_owned(),
        accounts: vec![account],
    };
    assert_eq!(again(&customer), customer);
    // A bank and a server of different releases are compatible.
    let document = concat!(
        r#"{"psu":"amelia","login":"amelia","name":"Amelia","about":"Has a card.","accounts":[{"id":"a","#,
        r#""status":"enabled","account_type":"personal","sub_type":"credit-card","description":null,"nickname":"Card","#,
        r#""identifications":[{"scheme":"pan","number":"4444333322221111","name":"A"}],"currency":"GBP","#,
        r#""shareable":true,"booked":-150,"pending":1,"credit_limit":200000,"authorisers":2}]}"#,
    );
    assert_eq!(serde_json::to_string(&customer).unwrap(), document);
}

#[test]
fn every_move_of_the_clock_and_every_outcome_is_read_as_it_was_written() {
    for to in [
        ClockMove::By(SignedDuration::MAX),
        ClockMove::By(SignedDuration::MIN),
        ClockMove::By(SignedDuration::new(-3, -5)),
        ClockMove::To(Timestamp::MAX),
        ClockMove::To(Timestamp::MIN),
    ] {
        assert_eq!(again(&ClockMoveForm::from(to)).read(), Some(to));
    }
    for (outcome, document) in [
        (OrderOutcome::Settled, r#""settled""#),
        (OrderOutcome::Credited, r#""credited""#),
        (OrderOutcome::WithoutPosting, r#""without_posting""#),
        (OrderOutcome::Rejected(RejectionReason::SuspectedFraud), r#"{"rejected":"suspected-fraud"}"#),
        (OrderOutcome::Cancelled, r#""cancelled""#),
    ] {
        assert_eq!(serde_json::to_string(&outcome).unwrap(), document);
        assert_eq!(again(&outcome), outcome);
    }
}

#[test]
fn a_refusal_keeps_its_kind_and_its_sentence() {
    let refusal = |status| RefusalForm { error: "why".to_owned(), faults: Vec::new() }.into_error(status);
    assert!(matches!(refusal(StatusCode::BAD_REQUEST), ControlError::Refused(text) if text == "why"));
    assert!(matches!(refusal(StatusCode::NOT_FOUND), ControlError::NotFound(text) if text == "why"));
    assert!(matches!(refusal(StatusCode::CONFLICT), ControlError::Conflict(text) if text == "why"));
    assert!(matches!(refusal(StatusCode::SERVICE_UNAVAILABLE), ControlError::Unavailable(_)));
    assert!(matches!(refusal(StatusCode::UNAUTHORIZED), ControlError::Broken(_)));
}
